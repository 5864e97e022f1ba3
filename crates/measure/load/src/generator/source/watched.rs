//! Requests until somebody who sees each answer has seen enough.

use super::{Begun, Next, Source};
use crate::part::Part;
use crate::transport::{Ended, Lane, Outcome};
use std::fmt;

/// What a watcher is shown.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// Index of the kind of request.
    pub kind: u32,
    /// From sent to end, in milliseconds.
    pub service_ms: f64,
    /// What became of it.
    pub outcome: Outcome,
    /// What was wrong with an answer that a check refused.
    pub refused: Option<&'a str>,
}

/// Called with each answer. Returns false once the watcher has seen enough.
pub type Watch = Box<dyn FnMut(Seen<'_>) -> bool + Send>;

/// Sends what another source has to send, and nothing more once the watcher has seen enough.
pub struct Watched {
    inner: Box<dyn Source>,
    watch: Watch,
    is_enough: bool,
}

impl Watched {
    /// Shows each answer to `watch`, in the order in which they end.
    #[must_use]
    pub fn new(inner: Box<dyn Source>, watch: Watch) -> Self {
        Self {
            inner,
            watch,
            is_enough: false,
        }
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched")
            .field("inner", &self.inner)
            .field("is_enough", &self.is_enough)
            .finish_non_exhaustive()
    }
}

impl Source for Watched {
    fn kinds(&self) -> &[String] {
        self.inner.kinds()
    }

    fn kinds_are_known(&self) -> bool {
        self.inner.kinds_are_known()
    }

    fn first_kind(&self, phase: u32, n: u64) -> u32 {
        self.inner.first_kind(phase, n)
    }

    fn is_ready(&mut self) -> bool {
        self.inner.is_ready()
    }

    fn begin(&mut self, lane: Lane, phase: u32, n: u64) -> Begun {
        if self.is_enough {
            return Begun::Exhausted;
        }
        self.inner.begin(lane, phase, n)
    }

    fn set_part(&mut self, part: Part) {
        self.inner.set_part(part);
    }

    fn start_phase(&mut self, phase: u32) -> Result<(), String> {
        self.inner.start_phase(phase)
    }

    fn expects_status(&self) -> bool {
        self.inner.expects_status()
    }

    fn trouble(&self) -> Vec<String> {
        self.inner.trouble()
    }

    fn step(&mut self, lane: Lane, kind: u32) -> Begun {
        self.inner.step(lane, kind)
    }

    fn is_conversational(&self) -> bool {
        true
    }

    fn answered(&mut self, lane: Lane, kind: u32, ended: &mut Ended) -> Next {
        let next = if self.inner.is_conversational() {
            self.inner.answered(lane, kind, ended)
        } else {
            Next::Done
        };
        if matches!(next, Next::Redirected(_)) {
            // The answer that counts is yet to come.
            return next;
        }
        let seen = Seen {
            kind,
            service_ms: ended.end.saturating_sub(ended.sent) as f64 / 1e6,
            outcome: ended.outcome,
            refused: match &next {
                Next::Failed(_, why) => Some(why),
                _ => None,
            },
        };
        self.is_enough |= !(self.watch)(seen);
        if self.is_enough {
            ended_here(next)
        } else {
            next
        }
    }
}

/// No further step is begun.
fn ended_here(next: Next) -> Next {
    match next {
        Next::Then(..) | Next::DoneAndThink(_) => Next::Done,
        other => other,
    }
}
