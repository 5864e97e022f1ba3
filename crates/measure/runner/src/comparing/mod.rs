//! Two builds of an experiment, compared until a reason is found: for `tacho diagnose`.
//!
//! ```text
//! choose    which variants they are, laid into the experiment
//! looking   which build is looked into next
//! putting_back  the candidate with one of its changes put back
//! switches  the candidate with one thing changed that needs no source
//! whose     which packages are the application's own
//! ```

mod choose;
mod looking;
mod putting_back;
mod switches;
mod whose;

pub(crate) use choose::artifact_of;
pub use choose::{BuildsError, Compared, InferredLoad, Wanted};
pub use looking::{Looking, Seen};
pub use putting_back::Revertible;
pub use switches::Switch;
pub use whose::{Told, Whose};
