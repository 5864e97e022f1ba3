//! Where the time, the memory and the waiting of a running JVM go.
//!
//! ```text
//! mod       attach, sample for a time, read
//! sampler   async-profiler, or the JVM's own recorder: started, stopped, one recording
//! recorded  the recording --> ledgers
//! left      what a Tacho that was killed has left on
//! guard     a process that ends it at once
//! folder    where the files go
//! ```

pub(crate) mod folder;
pub(crate) mod guard;
mod left;
mod recorded;
pub(crate) mod sampler;

use crate::error::InstrumentError;
use crate::own;
use crate::window::Target;
use folder::OutFolder;
use sampler::{Running, Stopped};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tacho_attach::Jvm;
use tacho_profiler::Sampling;
use tacho_run_folder::{Ledger, LedgerKind};

/// How often to read the processor time that was used.
const LOOK: Duration = Duration::from_millis(200);
/// With this many samples, a share of a tenth is known to within a third of it.
const FEW: u64 = 100;

/// What is wanted of a profile.
#[derive(Debug, Clone)]
pub struct Profile {
    /// What is sampled.
    pub kinds: Vec<LedgerKind>,
    /// Interval between samples of processor time. If only the wall clock is sampled, its interval.
    pub interval: Option<Duration>,
    /// Requests that were answered meanwhile; 1 when nobody knows.
    pub requests: u64,
    /// Use the JVM's own recorder, even if async-profiler is available.
    pub recorder: bool,
    /// The recording stays in the folder.
    pub keep: bool,
}

/// What was sampled.
#[derive(Debug)]
pub struct Profiled {
    /// The main class or jar; without arguments, which may hold secrets.
    pub program: String,
    /// Who sampled, with version and interval.
    pub instrument: String,
    /// When it was switched on.
    pub began_at: jiff::Timestamp,
    /// Until it was switched off.
    pub elapsed: Duration,
    /// Processor time that the kernel counted for the process meanwhile.
    pub processor_s: f64,
    /// Packages of the application.
    pub own: Vec<String>,
    /// One for each kind of cost that was asked for and could be had.
    pub ledgers: Vec<Ledger>,
    /// What is to be known of it.
    pub notes: Vec<String>,
    /// The user ended it sooner.
    pub interrupted: bool,
    /// The recording, where it stays.
    pub recording: Option<PathBuf>,
    /// The sampling that was requested.
    pub asked: Sampling,
}

/// Samples a JVM for a time. The folder is created after the JVM has accepted us.
///
/// # Errors
/// When nobody can sample the JVM, or read what was sampled.
pub fn profile(
    target: Target<'_>,
    wanted: &Profile,
    folder: impl FnOnce() -> Result<OutFolder, InstrumentError>,
) -> Result<(OutFolder, Profiled), InstrumentError> {
    let jvm = Jvm::attach(target.pid)?;
    let properties = jvm.properties()?;
    let release = tacho_attach::release(&properties).unwrap_or(8);
    let mut notes = Vec::new();
    let own = own::chosen(target.own, &jvm, &mut notes)?;
    let folder = folder()?;
    let (running, of_sampler) =
        Running::start(&jvm, release, target.duration, wanted).inspect_err(|_| folder.give_up())?;
    notes.extend(of_sampler);
    let began_at = jiff::Timestamp::now();
    let begin = Instant::now();
    let (processor_s, cut_short) = used_meanwhile(&target, &jvm, || running.is_short_of_room());
    let elapsed = begin.elapsed();
    let interrupted = target.is_ended();
    let Stopped {
        recording,
        instrument,
        asked,
        note,
    } = running.stop().inspect_err(|_| folder.give_up())?;
    notes.extend(note);
    notes.extend(cut_short);
    let mut kinds = wanted.kinds.clone();
    kinds.retain(|kind| *kind != LedgerKind::Wall || asked.wall.is_some());
    let kept = wanted.keep.then(|| folder.keep(&recording.path()));
    let kept = kept.transpose()?;
    let reading = recorded::Reading {
        recording: &recording.path(),
        kinds: &kinds,
        own: &own,
        wall: asked.wall,
        processor_s,
        requests: wanted.requests,
    };
    let (ledgers, unread) =
        recorded::read(&reading, kept.as_deref()).map_err(|error| match error {
            InstrumentError::Recording(_) if !jvm.is_alive() => {
                folder.discard(kept.as_deref());
                InstrumentError::CutOff { pid: target.pid }
            }
            error => error,
        })?;
    notes.extend(unread);
    notes.extend(ledgers.iter().filter_map(too_few));
    let profiled = Profiled {
        program: program(&properties),
        instrument,
        began_at,
        elapsed,
        processor_s,
        own,
        ledgers,
        notes,
        interrupted,
        recording: kept,
        asked,
    };
    Ok((folder, profiled))
}

/// Shares of few samples say little.
fn too_few(ledger: &Ledger) -> Option<String> {
    let samples: u64 = ledger.entries.iter().map(|entry| entry.count).sum();
    (ledger.kind == LedgerKind::Processor && samples < FEW).then(|| {
        format!("{samples} samples of processor time are few: shares are rough. Give it more --duration, or a shorter --interval")
    })
}

/// Waits for the profile to end. Returns the processor time that the process used meanwhile; if it
/// ended, what it had used shortly before. Also returns a note if sampling has to be stopped early.
fn used_meanwhile(
    target: &Target<'_>,
    jvm: &Jvm,
    is_short_of_room: impl Fn() -> bool,
) -> (f64, Option<String>) {
    let begin = Instant::now();
    let used = || {
        let stat = tacho_observe::process::stat(jvm.pid());
        stat.map_or(0.0, |stat| stat.user_s + stat.system_s)
    };
    let before = used();
    let mut last = before;
    let mut cut_short = None;
    while begin.elapsed() < target.duration && !target.is_ended() && jvm.is_alive() {
        let left = target.duration.saturating_sub(begin.elapsed());
        target.wait(LOOK.min(left), jvm);
        last = used().max(last);
        if is_short_of_room() {
            let seconds = begin.elapsed().as_secs();
            cut_short = Some(format!(
                "sampling was ended after {seconds} s: the place where the JVM writes what was sampled is almost full; make room there (in a container in its /tmp)"
            ));
            break;
        }
    }
    (last - before, cut_short)
}

/// The main class or the name of the jar. What follows may be a secret.
fn program(properties: &BTreeMap<String, String>) -> String {
    let command = properties
        .get("sun.java.command")
        .map_or("", String::as_str);
    let word = command.split(' ').next().unwrap_or_default();
    match Path::new(word).file_name() {
        Some(name) if word.contains('/') => name.to_string_lossy().into_owned(),
        _ if word.is_empty() => "a JVM".to_owned(),
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_named_without_its_arguments() {
        let of =
            |command: &str| program(&[("sun.java.command".to_owned(), command.to_owned())].into());
        assert_eq!(of("/srv/app.jar --password=x"), "app.jar");
        assert_eq!(of("com.acme.Main --password=x"), "com.acme.Main");
        assert_eq!(of(""), "a JVM");
        assert_eq!(program(&BTreeMap::new()), "a JVM");
    }
}
