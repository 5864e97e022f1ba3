//! Observes a process tree from outside: nothing runs inside the subject.
//!
//! | module | looks at | costs the subject |
//! |---|---|---|
//! | [`process`] | `/proc`: memory, threads, processor time, mapped files | nothing but for PSS, which takes its memory map's lock for reading |
//! | [`hsperfdata`] | the JVM's shared performance memory | nothing: the JVM keeps it anyway |
//! | [`gc_init`] | what the JVM wrote once about its surroundings | some lines of log at start-up |
//! | [`jvm`] | both of them together: what the JVM made of its limits | as above |
//! | [`machine`] | the machine, and the time that a hypervisor took | nothing |
//! | [`processors`] | which there are, who may run where, and how busy each is | nothing |
//! | [`sampler`] | all of it ten times a second, into `samples.csv` | see [`process`] |
//!
//! The cost of observing is measured, too: the observer's own processor time is in
//! `ResourceSummary::observer_cpu_s`.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod budget;
mod collector_threads;
pub mod gc_init;
pub mod hsperfdata;
pub mod jvm;
pub mod machine;
pub mod process;
pub mod processors;
pub mod sampler;

pub use sampler::{Sampler, SamplerError, SamplerSpec};
