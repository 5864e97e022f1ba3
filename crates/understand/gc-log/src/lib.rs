//! Garbage collection logs as one stream of events, and what they add up to.
//!
//! ```text
//! bytes --Reader--> lines --decorations, rules--> Event --Summary--> GcSummary
//! ```
//! HotSpot's unified logging (JEP 158, JEP 271: Serial, Parallel, G1, ZGC with and without
//! generations, Shenandoah; any decorations) and the five formats of native images. A line is
//! looked at once, in place, and gives one event or none; an event borrows from its line, and no
//! log is kept. What belongs together is joined by [`Summary`], in bounded memory.
//!
//! Nothing is passed over silently: [`Lines`] says how many lines were events, known detail,
//! garbage collection that was not understood (with examples), of another tag, and no log lines at
//! all.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod decorations;
mod event;
mod files;
pub mod launch;
mod line;
mod lines;
mod reader;
mod rules;
mod scan;
mod summary;

pub use decorations::At;
pub use event::{
    Concurrent, Cycle, CyclePart, Event, Failure, Generation, HeapChange, Pause, PauseKind,
    Safepoint, Setting, Size, Space, SpaceName, Stall, What,
};
pub use files::{GcLogError, Log, in_order};
pub use launch::of_launch;
pub use lines::{Example, Lines};
pub use reader::{MAX_LINE, Reader};
pub use summary::{
    Allocation, Bucket, CauseTotal, CpuTime, FORMAT, GcSummary, Heap, Humongous, KindTotal,
    LiveSet, LiveSource, NamedCount, NamedTotal, Pauses, Promotion, Safepoints, Settings, Stalls,
    Summary, Time,
};
