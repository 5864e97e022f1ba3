//! What is known of a record whose lines are being read.

use super::kind::{CmsStep, Kind, Stop};
use crate::decorations::At;
use crate::event::{HeapChange, Size, Space, SpaceName};
use tacho_run_folder::Collector;

/// A pair of brackets that is open.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    /// What it holds.
    pub kind: Kind,
    /// When it begins.
    pub at: At,
    /// Before and after.
    pub heap: Option<HeapChange>,
    /// Used, and its capacity, where there is no before (steps of CMS).
    pub used: Option<(u64, u64)>,
    /// Nanoseconds; the last that it says.
    pub duration: Option<u64>,
}

impl Frame {
    pub fn new(kind: Kind, at: At) -> Self {
        Self {
            kind,
            at,
            heap: None,
            used: None,
            duration: None,
        }
    }
}

/// What the parts of a stop say of it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Parts {
    pub young: Option<Change>,
    pub old: Option<Change>,
    pub metaspace: Option<Change>,
    /// Whose spaces these are.
    pub collector: Option<Collector>,
    /// Eden and survivors of G1 before and after.
    pub g1_young: Option<(u64, u64)>,
    /// The step of CMS that it is for.
    pub cms: Option<CmsStep>,
    /// A young collection within a step of CMS (`CMSScavengeBeforeRemark`).
    pub nested: Option<HeapChange>,
    /// `(young)`, `(mixed)`, ... of G1.
    pub g1: G1Parts,
    /// Objects could not be promoted: `(promotion failed)`, `--`.
    pub promotion_failed: bool,
    /// G1 found no room: `(to-space exhausted)`.
    pub to_space_exhausted: bool,
    /// CMS was not done in time: `(concurrent mode failure)`.
    pub concurrent_mode_failed: bool,
    /// Somebody asked for a full collection while CMS ran: `(concurrent mode interrupted)`.
    pub concurrent_mode_interrupted: bool,
}

impl Parts {
    /// Takes what a space says of itself.
    pub fn take(&mut self, name: SpaceName, collector: Option<Collector>, heap: HeapChange) {
        let part = match name {
            SpaceName::Young => &mut self.young,
            SpaceName::Old => &mut self.old,
            SpaceName::Metaspace => &mut self.metaspace,
            _ => return,
        };
        *part = Some(heap.into());
        self.collector = self.collector.or(collector);
    }

    /// The collector's generations are spaces of their own: it is not G1.
    pub fn has_generations(&self) -> bool {
        self.young.is_some() || self.old.is_some()
    }
}

/// What G1 collects in a pause.
#[derive(Debug, Clone, Copy, Default)]
pub struct G1Parts {
    pub mixed: bool,
    pub initial_mark: bool,
}

/// A part of the heap before and after.
#[derive(Debug, Clone, Copy)]
pub struct Change {
    pub before: u64,
    pub after: u64,
    pub capacity: Option<u64>,
}

impl From<HeapChange> for Change {
    fn from(heap: HeapChange) -> Self {
        Self {
            before: heap.before,
            after: heap.after,
            capacity: heap.capacity,
        }
    }
}

impl Change {
    /// The part as an event.
    pub fn space(self, name: SpaceName) -> Space {
        Space {
            name,
            before: Size::Bytes(self.before),
            after: Size::Bytes(self.after),
            capacity: self.capacity.map(Size::Bytes),
        }
    }
}

/// A stop whose brackets are closed.
#[derive(Debug, Clone, Copy)]
pub struct Closed {
    pub stop: Stop,
    pub at: At,
    pub heap: Option<HeapChange>,
    pub used: Option<(u64, u64)>,
    pub duration: u64,
    pub parts: Parts,
}

impl Closed {
    /// The old generation, where the record says the young one and the whole: the rest of it.
    pub fn old(&self) -> Option<Change> {
        if self.parts.old.is_some() {
            return self.parts.old;
        }
        let heap = self.heap?;
        if let Some((before, after)) = self.parts.g1_young {
            return Some(Change {
                before: heap.before.checked_sub(before)?,
                after: heap.after.checked_sub(after)?,
                capacity: None,
            });
        }
        let young = self.parts.young?;
        Some(Change {
            before: heap.before.checked_sub(young.before)?,
            after: heap.after.checked_sub(young.after)?,
            capacity: heap
                .capacity
                .zip(young.capacity)
                .and_then(|(all, young)| all.checked_sub(young)),
        })
    }
}
