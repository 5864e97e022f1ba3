//! An independent witness of what a load generator sends.
//!
//! A small HTTP/1.1 server. For each request it keeps the kernel's stamp of the arrival, and the
//! instants before and after its own answer. It knows nothing of the generator, and shares no code
//! with the load engine except the reading of stamps. The generator's own figures are compared with
//! what was [`Seen`]: how far its requests were from the schedule ([`Punctuality`]), and how long
//! they took ([`Taken`]).
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
