//! Decides where each file of a variant lies in its image, and in which layer.
//!
//! What changes seldom comes first, so that a new build pushes little: what the system lacks, the
//! runtime, the dependencies, the application. The paths are the same in every image (`/opt/java`,
//! `/app`), on whatever machine it is built. The command is the one that is launched on this
//! machine, with its paths replaced. A path that cannot be replaced is an error; nothing is
//! guessed.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod authorities;
mod elf;
mod error;
mod layers;
mod moves;
mod placing;
mod system;

pub use authorities::AUTHORITIES;
pub use elf::platform_of;
pub use error::ImageError;
pub use layers::Role;
pub use placing::{Placed, Shipment, Upon, place};
