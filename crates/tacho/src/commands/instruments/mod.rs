//! `tacho profile`, `trace`, `watch`, `exceptions`, `classes`: one instrument alone, on a running
//! JVM.

pub mod arguments;
mod counts;
mod profile;
mod trace;
mod watch;

pub use counts::{classes, exceptions};
pub use profile::{guard, profile};
pub use trace::trace;
pub use watch::watch;

use crate::exit::Exit;
use arguments::Common;
use std::sync::atomic::AtomicBool;
use tacho_diagnosis::live::Ended;
use tacho_instruments::Target;

fn target<'t>(common: &'t Common, stop: &'t AtomicBool) -> Target<'t> {
    Target {
        pid: common.pid,
        duration: common.duration,
        own: &common.own,
        stop,
        waits: false,
    }
}

fn note(text: &str) {
    anstream::eprintln!("note: {text}");
}

/// The exit code. It is wrong usage if no class with the named methods was loaded in time.
fn exit(ended: &Ended) -> Exit {
    match (ended.interrupted, ended.classes) {
        (true, _) => Exit::Interrupted,
        (false, 0) => Exit::Usage,
        (false, _) => Exit::Done,
    }
}
