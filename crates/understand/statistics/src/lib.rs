//! The statistics below the analysis: pure functions of numbers, which know no run and no service.
//!
//! ```text
//! values over launches -> bootstrap    median, ratio, their 95 % intervals
//! a difference         -> student      by how much chance alone would move it
//! many questions       -> holm         which of them are answered
//! values over time     -> trend        whether they go on growing
//!                      -> steady_state where they stop changing, and how they changed until then
//! ```
//! They are a crate of their own since they draw and sort by the million: tests run them optimised,
//! and what is written around them compiles much faster without.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod bootstrap;
pub mod holm;
pub mod steady_state;
pub mod student;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
pub mod trend;
