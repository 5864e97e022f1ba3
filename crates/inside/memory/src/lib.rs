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
//! Every resident page belongs to one mapping, and every mapping to one part, so that the parts add
//! up by construction, but for pages that came and went while it was read. What has no owner is
//! called unexplained and shown with its largest mappings.
//!
//! The JVM is asked through its own socket (`tacho-attach`), as its user: no program is run for it.
//!
//! This asks the JVM: it is for looking and for diagnosis launches, never for measured ones.

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
