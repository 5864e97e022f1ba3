//! Shenandoah's cycles, for which there is no line: they begin with `Concurrent reset`, and are
//! over when something else begins. With generations, marking of the old one goes on between young
//! cycles, each time as a cycle with a number of its own that begins with `Concurrent marking
//! (Old)`.

use crate::event::{Concurrent, CyclePart, Generation};

/// The cycle under way.
#[derive(Debug, Default)]
pub struct CycleInParts {
    /// Why the next cycle begins.
    trigger: Option<String>,
    open: Option<Ended>,
    /// The number of the collection that is open.
    number: Option<u64>,
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
    pub fn phase(&mut self, collection: Option<u64>, phase: &Concurrent<'_>) -> Option<Ended> {
        let is_another = collection.is_some() && collection != self.number;
        let goes_on = phase.generation == Generation::Old && is_another;
        if phase.part == CyclePart::Begins || goes_on {
            let ended = self.open.take();
            self.number = collection;
            self.open = Some(Ended {
                cause: self.trigger.take(),
                generation: phase.generation,
                left: None,
            });
            self.free(phase);
            return ended;
        }
        self.free(phase);
        None
    }

    fn free(&mut self, phase: &Concurrent<'_>) {
        if let (Some(open), Some(heap), CyclePart::Frees) = (&mut self.open, phase.heap, phase.part)
        {
            open.left = Some(heap.after);
        }
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
