//! What is seen on standard error while a command works: a run and all that goes on launches
//! ([`listener`]), and a service that is warmed ([`Warming`]). The view of a load is
//! `tacho-load-report`'s.
//!
//! Where nobody can read it (a closed pipe, a terminal that is gone, a full disk), the work goes
//! on: what is measured is worth more than what is said of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod beside;
mod run;
mod warm;

pub use beside::Beside;
pub use run::listener;
pub use warm::Warming;
