//! What is shown on standard error while a command works: launches ([`listener`]), or the warm-up
//! of a service ([`Warming`]). The view of a load is in `tacho-load-report`.
//!
//! If nobody can read standard error (a closed pipe, a lost terminal, a full disk), the work goes
//! on: the measurement is worth more than the messages about it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod beside;
mod run;
mod warm;

pub use beside::Beside;
pub use run::listener;
pub use warm::Warming;
