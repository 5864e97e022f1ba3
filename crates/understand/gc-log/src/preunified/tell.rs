//! From a record that is closed to events.

use super::kind::{CmsStep, Phase, Stop};
use super::record::{Closed, Frame};
use crate::decorations::At;
use crate::event::{
    Concurrent, Cycle, CyclePart, Event, Failure, Generation, HeapChange, Pause, PauseKind,
    Setting, SpaceName, What,
};
use crate::scan::{Scan, nanoseconds_of};
use tacho_run_folder::Collector;

/// Tells a stop: what is new about the collector, the spaces, what went wrong, the pause.
pub fn stop(
    closed: &Closed,
    cause: &str,
    known: &mut Option<Collector>,
    tell: &mut impl FnMut(&Event<'_>),
) {
    // The log covers the beginning, too.
    if closed.at != At::default() {
        tell(&Event {
            at: closed.at,
            collection: None,
            what: What::Instant,
        });
    }
    let at = end(closed.at, closed.duration);
    let mut say = |what| {
        tell(&Event {
            at,
            collection: None,
            what,
        });
    };
    if let Some(collector) = collector(closed).filter(|_| known.is_none()) {
        *known = Some(collector);
        say(What::Setting(Setting::Collector(collector)));
    }
    let parts = &closed.parts;
    for (part, name) in [
        (parts.young, SpaceName::Young),
        (closed.old(), SpaceName::Old),
        (parts.metaspace, SpaceName::Metaspace),
    ] {
        if let Some(part) = part {
            say(What::Space(part.space(name)));
        }
    }
    for (failed, failure) in [
        (parts.promotion_failed, Failure::Promotion),
        (parts.concurrent_mode_failed, Failure::ConcurrentMode),
        (
            parts.concurrent_mode_interrupted,
            Failure::ConcurrentModeInterrupted,
        ),
    ] {
        if failed {
            say(What::Failure(failure));
        }
    }
    let (name, kind) = named(closed, cause);
    say(What::Pause(Pause {
        kind,
        name,
        part: match closed.stop {
            // The remark before it does not say what the heap holds.
            Stop::G1Cleanup => CyclePart::Marked,
            _ => CyclePart::Other,
        },
        cause: Some(cause).filter(|cause| !cause.is_empty()),
        heap: heap(closed),
        duration: closed.duration,
        evacuation_failed: parts.to_space_exhausted,
    }));
    // The cycle has no line of its own: it is over with its last part.
    if closed.stop == Stop::G1Cleanup {
        say(What::Cycle(Cycle {
            name: "Concurrent Cycle",
            generation: Generation::Old,
            cause: None,
            heap: None,
            duration: None,
            aborted: false,
        }));
    }
}

/// As the log calls it, and what it is.
fn named(closed: &Closed, cause: &str) -> (&'static str, PauseKind) {
    let g1 = closed.parts.g1;
    match closed.stop {
        Stop::Gc => match (closed.parts.cms, cause) {
            (Some(CmsStep::InitialMark), _) => ("CMS-initial-mark", PauseKind::Step),
            (Some(CmsStep::Remark), _) => ("CMS-remark", PauseKind::Step),
            // A young collection after which the old generation had to be collected at once.
            _ if closed.parts.old.is_some() => ("Full GC", PauseKind::Full),
            // Without details: `[GC 41003K(83008K), 0.0032403 secs]`.
            (None, "CMS Initial Mark") => ("CMS-initial-mark", PauseKind::Step),
            (None, "CMS Final Remark") => ("CMS-remark", PauseKind::Step),
            _ if closed.heap.is_none() && closed.used.is_some() => ("CMS step", PauseKind::Step),
            _ => ("GC", PauseKind::Young),
        },
        Stop::Full => ("Full GC", PauseKind::Full),
        Stop::G1Pause => match (g1.mixed, g1.initial_mark) {
            (true, _) => ("GC pause (mixed)", PauseKind::Mixed),
            (false, true) => ("GC pause (young) (initial-mark)", PauseKind::Young),
            (false, false) => ("GC pause (young)", PauseKind::Young),
        },
        Stop::G1Remark => ("GC remark", PauseKind::Step),
        Stop::G1Cleanup => ("GC cleanup", PauseKind::Step),
        Stop::Shenandoah("Full") => ("Full", PauseKind::Full),
        Stop::Shenandoah("Degenerated GC") => ("Degenerated GC", PauseKind::Degenerated),
        Stop::Shenandoah(name) => (name, PauseKind::Step),
    }
}

fn heap(closed: &Closed) -> Option<HeapChange> {
    let used = closed.used.map(|(used, capacity)| HeapChange {
        before: used,
        after: used,
        capacity: Some(capacity),
    });
    closed.parts.nested.or(closed.heap).or(used)
}

fn collector(closed: &Closed) -> Option<Collector> {
    let by_stop = match closed.stop {
        Stop::G1Pause | Stop::G1Remark | Stop::G1Cleanup => Some(Collector::G1),
        Stop::Shenandoah(_) => Some(Collector::Shenandoah),
        Stop::Gc | Stop::Full => None,
    };
    let steps_of_cms =
        closed.parts.cms.is_some() || (closed.heap.is_none() && closed.used.is_some());
    by_stop
        .or(closed.parts.collector)
        .or(steps_of_cms.then_some(Collector::Cms))
}

/// Tells the end of a concurrent phase; whether it has figures.
pub fn phase(phase: Phase, frame: &Frame, tell: &mut impl FnMut(&Event<'_>)) -> bool {
    let mut say = |what| {
        tell(&Event {
            at: frame.at,
            collection: None,
            what,
        });
    };
    match phase {
        Phase::Ended { name, part } => {
            let Some(duration) = frame.duration else {
                return false;
            };
            say(What::Concurrent(Concurrent {
                name,
                part,
                generation: Generation::Whole,
                // The sizes behind deduplication are those of strings.
                heap: frame.heap.filter(|_| name != "string-deduplication"),
                duration,
            }));
        }
        Phase::Aborted => say(What::Failure(Failure::ConcurrentMarkAborted)),
        Phase::Begins => {
            say(What::Instant);
            return false;
        }
    }
    true
}

/// `Times: user=0.02 sys=0.01, real=0.02 secs`
pub fn times(inside: &[u8]) -> Option<What<'static>> {
    let after = |title: &[u8]| {
        let at = memchr::memmem::find(inside, title)? + title.len();
        nanoseconds_of(Scan(&inside[at..]).0)
    };
    Some(What::Cpu {
        user: after(b"user=")?,
        system: after(b"sys=")?,
        real: after(b"real=")?,
    })
}

/// A record's instant is that of its beginning; those of unified logging are written at the end.
fn end(begin: At, duration: u64) -> At {
    At {
        uptime: begin.uptime.map(|uptime| uptime.saturating_add(duration)),
        wall: begin.wall.map(|wall| {
            let millis = i64::try_from(duration / 1_000_000).unwrap_or(i64::MAX);
            wall.saturating_add(millis)
        }),
    }
}
