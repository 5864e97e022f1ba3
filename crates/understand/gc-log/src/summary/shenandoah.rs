//! Shenandoah's cycles, for which there is no line: they begin with `Concurrent reset`, and are
//! over when something else begins. With generations, marking of the old one goes on between young
//! cycles, each time as a cycle that begins with `Concurrent marking (Old)`. It frees next to
//! nothing: what it has found, the young cycles after it free along with young garbage.

use crate::event::{Concurrent, CyclePart, Generation};

/// The cycle under way.
#[derive(Debug, Default)]
pub struct CycleInParts {
    /// Why the next cycle begins.
    trigger: Option<String>,
    open: Option<Ended>,
    /// The old generation is marked, and no cycle since has freed what was found.
    is_marked: bool,
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
        match phase.part {
            CyclePart::Begins => self.begin(phase.generation),
            CyclePart::Frees => {
                self.free(phase);
                None
            }
            _ => None,
        }
    }

    fn begin(&mut self, generation: Generation) -> Option<Ended> {
        let generation = match generation {
            Generation::Young if std::mem::take(&mut self.is_marked) => Generation::Whole,
            generation => generation,
        };
        self.open.replace(Ended {
            cause: self.trigger.take(),
            generation,
            left: None,
        })
    }

    fn free(&mut self, phase: &Concurrent<'_>) {
        match &mut self.open {
            Some(open) if open.generation == Generation::Old => self.is_marked = true,
            Some(open) => open.left = phase.heap.map(|heap| heap.after).or(open.left),
            None => {}
        }
    }

    /// Which generation the cycle under way frees.
    pub fn generation(&self) -> Generation {
        let open = self.open.as_ref();
        open.map_or(Generation::Whole, |open| open.generation)
    }

    /// A full or degenerated collection begins: whatever was under way is over, and what triggered
    /// it is used up.
    pub fn interrupted(&mut self) -> Option<Ended> {
        self.trigger = None;
        self.is_marked = false;
        self.open.take()
    }

    /// The log ends: the cycle under way counts when it has freed something, or has marked.
    pub fn end(&mut self) -> Option<Ended> {
        let open = self.open.take()?;
        let is_over = match open.generation {
            Generation::Old => self.is_marked,
            Generation::Young | Generation::Whole => open.left.is_some(),
        };
        is_over.then_some(open)
    }
}
