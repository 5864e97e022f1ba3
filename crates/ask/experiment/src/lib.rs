//! The experiment: the file that says what to compare, its defaults, and the plan of launches.
//!
//! ```text
//! experiment.yaml --file::read--> Experiment --plan--> Plan
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod companion;
pub mod defaults;
pub mod file;
mod kind;
mod launches;
pub mod limits;
mod model;
mod plan;
pub mod schema;
pub mod single;
pub mod sweep;
pub mod template;

pub use companion::{COMPANIONS, CompanionSpec};
pub use file::FileError;
pub use kind::{Offered, VariantKind};
pub use launches::Launches;
pub use model::*;
pub use plan::plan;
