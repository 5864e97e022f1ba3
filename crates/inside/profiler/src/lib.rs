//! async-profiler, the sampler of processor time that sees native code and needs no safepoint
//! (github.com/async-profiler/async-profiler).
//!
//! It is a shared library that is loaded into the JVM. The project publishes it in a jar on Maven
//! Central, so it comes from where a team's jars come from:
//!
//! ```text
//! $TACHO_ASYNC_PROFILER                          a libasyncProfiler.so of one's own
//! ~/.local/share/tacho/async-profiler/VERSION/   unpacked by Tacho
//! ~/.m2/repository/tools/profiler/...            a jar that Maven has; unpacked when it is found
//! ```
//! Only `tacho profiler install` downloads anything.
//!
//! `sampling` decides what it is asked for; `driver` loads it into a JVM and switches it on and
//! off.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod driver;
mod library;
mod pinned;
mod sampling;

pub use driver::{Driver, Start, stop};
pub use library::{AsyncProfiler, Places, ProfilerError, VERSION};
pub use sampling::{Attempt, Sampling, may_use_perf_events};
