//! Shenandoah's cycles, for which there is no line: they begin with `Concurrent reset`, and are
//! over when something else begins.

use crate::event::{Concurrent, CyclePart, Generation};

/// The cycle under way.
#[derive(Debug, Default)]
pub struct CycleInParts {
    /// Why the next cycle begins.
    trigger: Option<String>,
    open: Option<Ended>,
}

/// A cycle that is over.
#[derive(Debug)]
pub struct Ended {
    /// Why it began.
    pub cause: Option<String>,
    /// Which generation it frees.
    pub generation: Generation,
    /// What its last `Concurrent cleanup` has left, in bytes; a cycle that was given up before has
    /// freed nothing.
    pub left: Option<u64>,
}

impl CycleInParts {
    pub fn trigger(&mut self, reason: &str) {
        self.trigger = Some(reason.to_owned());
    }

    /// Takes a phase; the cycle before it is over when it begins another one.
    pub fn phase(&mut self, phase: &Concurrent<'_>) -> Option<Ended> {
        if phase.part == CyclePart::Begins {
            let ended = self.open.take();
            self.open = Some(Ended {
                cause: self.trigger.take(),
                generation: phase.generation,
                left: None,
            });
            return ended;
        }
        if let (Some(open), Some(heap), CyclePart::Frees) = (&mut self.open, phase.heap, phase.part)
        {
            open.left = Some(heap.after);
        }
        None
    }

    /// A full or degenerated collection begins: whatever was under way is over, and what triggered
    /// it is used up.
    pub fn interrupted(&mut self) -> Option<Ended> {
        self.trigger = None;
        self.open.take()
    }

    /// The log ends: the cycle under way counts when it has freed something.
    pub fn end(&mut self) -> Option<Ended> {
        self.open.take().filter(|open| open.left.is_some())
    }
}
