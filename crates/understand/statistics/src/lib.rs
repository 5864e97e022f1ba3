//! The statistics below the analysis: pure functions of numbers that know nothing of runs or
//! services.
//!
//! ```text
//! values over launches -> bootstrap    median, ratio, their 95 % intervals
//! a difference         -> student      by how much chance alone would move it
//! many questions       -> holm         which of them are answered
//! values over time     -> trend        whether they go on growing
//!                      -> steady_state where they stop changing, and how they changed until then
//! ```
//! They are a crate of their own because they draw random numbers and sort by the million. Tests
//! build this crate optimised, and the code around it compiles much faster unoptimised.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod bootstrap;
pub mod holm;
pub mod steady_state;
pub mod student;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
pub mod trend;
