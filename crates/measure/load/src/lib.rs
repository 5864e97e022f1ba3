//! The load engine. Its figures are honest by design, and it is light, because it shares the
//! machine with the subject.
//!
//! ```no_run
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use tacho_load::*;
//! use tacho_workload::{Step, Workload};
//! # let folder: tacho_run_folder::LaunchDir = unimplemented!();
//! let endpoint = Endpoint::new("127.0.0.1:8080".parse()?);
//! let workload = Workload::of(Step::get("/ping"));
//! let source = Scripted::of(&workload, "".as_ref(), &endpoint, 1)?;
//! let anchor = Anchor::now();
//! let mut recorder = Recorder::create(&folder, anchor)?;
//! let mut generator = Generator::new(endpoint, Box::new(source), Options::default())?;
//! let phase = tacho_run_folder::PhasePlan {
//!     label: "open".into(),
//!     kind: tacho_run_folder::PhaseKind::Open { rate: 500.0, duration_s: 10.0, connections: 64 },
//! };
//! let record = generator.run(0, &phase, &mut recorder, &Control::new())?;
//! println!("{} requests a second", record.throughput);
//! # Ok(()) }
//! ```
//!
//! Four modules that know nothing of each other's tasks, and one that connects them:
//!
//! | module | business | knows nothing of |
//! |---|---|---|
//! | [`schedule`] | when requests are to be sent: pure functions of time | clock, socket |
//! | [`search`] | which rate next: a state machine that is fed with outcomes | clock, socket, subject |
//! | [`transport`] | sockets, TLS, HTTP; reports what became of each request | schedule, histogram |
//! | [`recorder`] | histograms, .hlog, single requests | socket, schedule |
//! | [`Generator`] | one thread, one loop: takes up what is due, sends, records | bytes, files |
//!
//! # The five instants of a request
//! | instant | meaning |
//! |---|---|
//! | intended | what the schedule says; in a closed loop the end of the answer before it |
//! | dispatched | when the generator took it up: with a free connection the clock just before it is sent; with none, the pass of the loop in which it was first seen to be due |
//! | sent | just before the system call that writes its first byte |
//! | first byte | after the system call that reads the first byte of the answer |
//! | end | after the system call that reads the last byte of the answer |
//!
//! (What these mean for a stream of HTTP/2 is written at [`transport`].)
//!
//! So `dispatched - intended` (generator lag) is the generator's own lateness only, while
//! `sent - intended` (dispatch delay) also holds the wait for a free connection. Each instant
//! errs, if at all, to the disadvantage of the generator: response times are never flattered.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod control;
mod gate;
mod generator;
mod part;
mod real_time;
pub mod recorder;
mod request;
pub mod schedule;
pub mod search;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
pub mod transport;

pub use control::{Control, Counters};
pub use gate::{Gate, Span};
pub use generator::source::{
    Begun, Listed, Next, Scripted, ScriptedError, Seen, Source, Streamed, StreamedRequest,
    Streaming, TargetsError, Watch, Watched, replace_headers, targets,
};
pub use generator::{
    Engine, Generator, LoadError, Loaded, LoadedPhase, Options, Searched, Step, Tried, check,
    run_all,
};
pub use part::Part;
pub use real_time::RealTime;
pub use recorder::{Recorder, RecorderError};
pub use request::{
    Address, ClientIdentity, Endpoint, Message, Protocol, Rendered, RequestError, TlsOptions,
    UrlError, WebSocket,
};
pub use tacho_clock::{Anchor, monotonic_ns};
pub use transport::{ANSWERS_WITH_TLS, Keep, KeptAnswer};
