//! The recording of a profile, as ledgers.

use crate::error::InstrumentError;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_diagnosis::Own;
use tacho_jfr::{Filling, WorkEvent, share_out};
use tacho_run_folder::{Ledger, LedgerKind};
use tacho_subject::{Host, Jdks};

/// Locks of java.util.concurrent. A thread that parks at one of these waits for another thread that
/// holds it. Parking elsewhere means waiting for work.
const LOCKS: [&str; 3] = [
    "java.util.concurrent.locks.ReentrantLock",
    "java.util.concurrent.locks.ReentrantReadWriteLock",
    "java.util.concurrent.Semaphore",
];

/// Packages of the recorder, and of Tacho's agent.
const INSTRUMENTS: [&str; 2] = ["jdk.jfr.", "dev.tacho.agent."];

/// What is to be read.
pub struct Reading<'r> {
    pub recording: &'r Path,
    pub kinds: &'r [LedgerKind],
    pub own: &'r [String],
    /// What a sample by the wall clock stands for.
    pub wall: Option<Duration>,
    /// What the kernel counted for the process.
    pub processor_s: f64,
    pub requests: u64,
}

/// The ledgers in their order, and a note of what was not understood.
pub fn read(
    reading: &Reading<'_>,
    kept: Option<&Path>,
) -> Result<(Vec<Ledger>, Option<String>), InstrumentError> {
    let java = reader().ok_or_else(|| InstrumentError::NoReader {
        kept: kept.map(Path::to_owned),
    })?;
    let own = Own::of(reading.own);
    let wall_ns = reading.wall.map_or(0.0, |each| each.as_nanos() as f64);
    let mut filling = Filling::new(&own, wall_ns).with_native();
    let wanted = tacho_jfr::Reading {
        recording: reading.recording,
        java: &java,
        // Never set: after Ctrl-C the recording still has to be read, since its contents are shown.
        stop: &AtomicBool::new(false),
    };
    let unread = tacho_jfr::read_work(&wanted, &mut |event| {
        if let Some(event) = of_profile(event) {
            filling.add(event);
        }
    })?;
    let mut ledgers = filling.finish("profile", reading.requests, reading.kinds);
    ledgers.retain(|ledger| reading.kinds.contains(&ledger.kind));
    for ledger in &mut ledgers {
        if ledger.kind == LedgerKind::Processor {
            // If the wall clock is sampled too, samples of processor time got its weight. Remove
            // it.
            if wall_ns > 0.0 {
                ledger.entries.iter_mut().for_each(|entry| entry.cost = 0.0);
            }
            share_out(ledger, reading.processor_s * 1e9);
        }
    }
    let note =
        (unread > 0).then(|| format!("{unread} events of the recording were not understood"));
    Ok((ledgers, note))
}

/// Parking at a lock of java.util.concurrent counts as a wait for a lock; other parking is left
/// out. What the recorder or a trace's agent does itself is left out, too.
fn of_profile(mut event: WorkEvent) -> Option<WorkEvent> {
    if event
        .frames
        .iter()
        .any(|frame| INSTRUMENTS.iter().any(|own| frame.starts_with(own)))
    {
        return None;
    }
    if event.kind == LedgerKind::Parks {
        if !LOCKS.iter().any(|lock| event.key.starts_with(lock)) {
            return None;
        }
        event.kind = LedgerKind::LockWaits;
    }
    Some(event)
}

fn reader() -> Option<PathBuf> {
    let found = Jdks::discover(&Host::here());
    Some(found.reader_of_recordings()?.tool("java"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_instruments_do_for_themselves_is_left_out() {
        let work = |outermost: &str| WorkEvent {
            kind: LedgerKind::Processor,
            key: String::new(),
            frames: vec!["java.util.HashMap.get:1".to_owned(), outermost.to_owned()],
            cost: None,
            samples: 1,
            thread: None,
        };
        assert_eq!(of_profile(work("dev.tacho.agent.Session.run:108")), None);
        assert_eq!(of_profile(work("jdk.jfr.internal.Shutdown.run:9")), None);
        // The starter is part of the service.
        for own in ["com.acme.Shop.main:7", "dev.tacho.warmup.Runner.run:1"] {
            assert!(of_profile(work(own)).is_some(), "{own}");
        }
    }

    #[test]
    fn parking_at_a_lock_is_waiting_for_it_and_parking_for_work_is_nothing() {
        let park = |key: &str| WorkEvent {
            kind: LedgerKind::Parks,
            key: key.to_owned(),
            frames: Vec::new(),
            cost: Some(1),
            samples: 1,
            thread: None,
        };
        let lock = of_profile(park("java.util.concurrent.locks.ReentrantLock$NonfairSync"));
        assert_eq!(lock.unwrap().kind, LedgerKind::LockWaits);
        let queue = "java.util.concurrent.locks.AbstractQueuedSynchronizer$ConditionObject";
        assert_eq!(of_profile(park(queue)), None);
    }
}
