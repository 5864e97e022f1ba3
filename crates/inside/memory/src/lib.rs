//! Where the memory of a process is.
//!
//! ```text
//! /proc/PID/smaps              every resident page, mapping by mapping
//! VM.native_memory             which range is for what, what was allocated by malloc   (nmt)
//! /proc/PID/pagemap            pages of a mapping that belongs to several             (pages)
//! hsperfdata                   how much of the heap is in use
//! GC.class_histogram           what of it is alive; collects, so only when asked
//!         all of them --split--> parts that add up to the resident set --render--> table, JSON
//! ```
//! Every resident page belongs to one mapping, and every mapping to one part. So the parts add up
//! by construction, except for pages that changed while they were read. Memory without an owner is
//! called unexplained, and its largest mappings are shown.
//!
//! The JVM is asked through its own attach socket (`tacho-attach`), as its user. No other program
//! has to be run for that.
//!
//! Asking disturbs the JVM: use this to inspect a process and in diagnosis launches, never in
//! measured ones.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod heap_range;
mod histogram;
mod nmt;
mod pages;
mod read;
mod render;
mod schema;
mod split;

pub use histogram::parse as parse_class_histogram;
pub use nmt::{NativeMemory, Owned, parse as parse_native_memory};
pub use read::{MemoryError, Observed, Wish, is_jvm, read};
pub use render::render;
pub use schema::schema;
pub use split::{Heap, Memory, Part, Unexplained};
