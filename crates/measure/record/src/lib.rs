//! Records requests on their way to a service as targets for `tacho load`.
//!
//! ```text
//! relay    takes connections on this machine and carries bytes both ways, as they come
//!   tap      reads along what clients send: bytes -> requests
//!   target   a request as a target, without what is secret
//!   tape     targets and their instants, on their way into files
//! ```
//! Traffic is never changed. A request that is not understood is passed on all the same, and
//! counted.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod chunks;
mod error;
mod relay;
mod tap;
mod tape;
mod target;

pub use error::RecordError;
pub use relay::{Recorded, Relay};
pub use tap::{Lost, Seen, Tap};
pub use tape::{Earlier, Tape};
pub use target::{Left, Target};
