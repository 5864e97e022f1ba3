//! A witness of what a load generator does.
//!
//! A small HTTP/1.1 server that keeps, of each request, the kernel's stamp of its arrival and the
//! instants before and after its own answer. It knows nothing of the generator: nothing is shared
//! with the load engine but the reading of stamps. What a generator says of itself is held against
//! what was [`Seen`]: how far its requests were from the schedule that it was asked for
//! ([`Punctuality`]), and how long they took ([`Taken`]).
//!
//! It has to be a process of its own, on another processor than the generator: threads of one
//! process share its locks and its limits.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod process;
pub mod processors;
mod punctuality;
mod seen;
mod server;

pub use process::{WitnessProcess, be_a_process};
pub use punctuality::{Punctuality, Taken, Testimony, Times};
pub use seen::{ReadError, Seen};
pub use server::Witness;
