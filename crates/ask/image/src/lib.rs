//! Which file of a variant lies where in its image, and in which layer.
//!
//! What changes seldom comes first, so that a new build pushes little: what the system lacks, the
//! runtime, the dependencies, the application. Paths are the same in every image (`/opt/java`,
//! `/app`), whoever built it and wherever. The command is the one that is launched on this machine,
//! with its paths moved; one that cannot be moved is an error, and nothing is guessed.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod elf;
mod error;
mod layers;
mod moves;
mod placing;
mod system;

pub use error::ImageError;
pub use layers::Role;
pub use placing::{Placed, Shipment, Upon, place};
