//! One load by several generators: `docs/decisions/0027-on-kubernetes.md`, "load by many".
//!
//! ```text
//! message   what the terminal orders and a worker reports: JSON, one a line
//! worker    a generator that does what it is ordered
//! given_file  a file on its way over such a connection
//! delegate  a worker on another machine: what it needs comes, and what it writes goes, over one
//!           connection
//! clock     how far the clocks of two machines are apart
//! fleet     several workers as one engine: the same phases, one record of each
//! merge     what they recorded, added up: nothing is averaged, nothing is lost
//! ```
//!
//! Each worker has its share of the same schedule ([`tacho_load::Part`]), so that together they
//! send the same requests at the same instants as one generator would. Their clocks start at one
//! common instant, which is set when all of them have opened their connections. A worker that is
//! lost in the middle ends the phase and is named, so nothing is missing silently.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod clock;
mod delegate;
mod fleet;
mod given_file;
mod merge;
mod message;
mod worker;

pub use clock::{Apart, Exchange};
pub use delegate::{DelegateError, serve};
pub use fleet::{AllHeard, Fleet, FleetError, Heard, Link, Member, local, remote};
pub use given_file::{GivenFile, keep};
pub use merge::MergeError;
pub use message::{LiveSecond, Order, Report, VERSION, read as read_line, write as write_line};
pub use worker::{WorkError, work};
