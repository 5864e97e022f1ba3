//! Garbage collection logs as one stream of events, and what they add up to.
//!
//! ```text
//! bytes --Reader--> lines --decorations, rules--> Event --Summary--> GcSummary
//! ```
//! HotSpot's unified logging (JEP 158, JEP 271: Serial, Parallel, CMS, G1, ZGC and Shenandoah with
//! and without generations, Epsilon; any decorations), what HotSpot wrote before it (JDK 6 to 8),
//! and the five formats of native images. A line is looked at once, in place; an event borrows from
//! its line, and no log is kept. What belongs together is joined by [`Summary`], in bounded
//! memory.
//!
//! Nothing is skipped silently: [`Lines`] counts lines that were events, known details, garbage
//! collection that was not understood (with examples), lines of other tags, and lines that are no
//! log lines at all.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod age;
mod cause;
mod course;
mod decorations;
mod event;
mod files;
mod foreign;
pub mod launch;
mod line;
mod lines;
mod nested;
mod prefix;
mod preunified;
mod reader;
mod rules;
mod scan;
mod summary;
mod wrapping;

pub use cause::Cause;
pub use course::{Axis, Collections, Course, SinglePause};
pub use decorations::At;
pub use event::{
    Concurrent, Cycle, CyclePart, Event, Failure, Generation, HeapChange, Pause, PauseKind,
    Safepoint, Setting, Size, Space, SpaceName, Stall, What,
};
pub use files::{GcLogError, Log, Part, parts};
pub use foreign::Foreign;
pub use launch::of_launch;
pub use lines::{Example, Lines};
pub use reader::{MAX_LINE, Reader};
pub use summary::{
    Allocation, Bucket, CauseTotal, CpuTime, FORMAT, GcSummary, Heap, Humongous, KindTotal,
    LineOrder, LiveSet, LiveSource, NamedCount, NamedTotal, Pauses, Promotion, Safepoints,
    Settings, Stalls, Summary, Time,
};
