//! A full collection within a young one (Serial and CMS of JDK 9 to 14): the young pause is told
//! last, and its time holds that of the full one. They are one pause.

use crate::decorations::At;
use crate::event::{CyclePart, Event, HeapChange, Pause, PauseKind, What};

/// Holds a full collection back until it is known whether it was within another pause.
#[derive(Debug, Default)]
pub struct NestedFull {
    held: Option<Held>,
}

#[derive(Debug)]
struct Held {
    at: At,
    collection: u64,
    name: String,
    cause: Option<String>,
    heap: Option<HeapChange>,
    duration: u64,
    evacuation_failed: bool,
}

impl NestedFull {
    /// Takes the next event, and tells those that are certain.
    pub fn take(&mut self, event: &Event<'_>, tell: &mut impl FnMut(&Event<'_>)) {
        if let Some(held) = &self.held {
            match (event.collection, &event.what) {
                (Some(number), What::Pause(pause)) if held.is_within(number, pause) => {
                    let held = self.held.take();
                    if let Some(held) = held {
                        held.tell_within(event, pause, tell);
                    }
                    return;
                }
                // What else is told of the two: their spaces, their processor time.
                (Some(number), what) if held.is_of(number) && !matches!(what, What::Pause(_)) => {
                    return tell(event);
                }
                _ => self.end(tell),
            }
        }
        match (event.collection, &event.what) {
            (Some(collection), What::Pause(pause)) if pause.kind == PauseKind::Full => {
                self.held = Some(Held {
                    at: event.at,
                    collection,
                    name: pause.name.to_owned(),
                    cause: pause.cause.map(str::to_owned),
                    heap: pause.heap,
                    duration: pause.duration,
                    evacuation_failed: pause.evacuation_failed,
                });
            }
            _ => tell(event),
        }
    }

    /// Nothing follows.
    pub fn end(&mut self, tell: &mut impl FnMut(&Event<'_>)) {
        if let Some(held) = self.held.take() {
            held.tell_alone(tell);
        }
    }
}

impl Held {
    /// Whether a collection's number fits the full one that is held back: both have the same
    /// number, or the full one has the next.
    fn is_of(&self, collection: u64) -> bool {
        collection == self.collection || collection.checked_add(1) == Some(self.collection)
    }

    fn is_within(&self, collection: u64, pause: &Pause<'_>) -> bool {
        self.is_of(collection) && pause.kind == PauseKind::Young && pause.duration >= self.duration
    }

    fn tell_alone(&self, tell: &mut impl FnMut(&Event<'_>)) {
        tell(&Event {
            at: self.at,
            collection: Some(self.collection),
            what: What::Pause(self.pause(self.duration, self.heap)),
        });
    }

    fn tell_within(&self, outer: &Event<'_>, pause: &Pause<'_>, tell: &mut impl FnMut(&Event<'_>)) {
        tell(&Event {
            what: What::Pause(self.pause(pause.duration, pause.heap.or(self.heap))),
            ..*outer
        });
    }

    fn pause(&self, duration: u64, heap: Option<HeapChange>) -> Pause<'_> {
        Pause {
            kind: PauseKind::Full,
            name: &self.name,
            part: CyclePart::Other,
            cause: self.cause.as_deref(),
            heap,
            duration,
            evacuation_failed: self.evacuation_failed,
        }
    }
}
