//! One process from exec to its end, and the instants between.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod child;
pub mod claims;
mod clock;
pub mod failure;
mod lease;
pub mod log;
pub mod processes;
pub mod ready;
mod run_to_end;
pub mod sockets;
mod spawn;

pub use child::{Child, Exit};
pub use clock::{Anchor, now_ns};
pub use lease::{Lease, LeaseError, LeaseFolder, Swept, sweep, sweep_folder};
pub use run_to_end::{Finished, RunError, run_to_end};
pub use spawn::{Spawn, SpawnError, spawn};
