//! Two builds of an experiment, compared until a reason is found: for `tacho diagnose`.
//!
//! ```text
//! choose    which variants they are, laid into the experiment
//! looking   when all is measured: is there anything to explain, which build is next
//! switches  the candidate with one thing changed that needs no source
//! ```

mod choose;
mod looking;
mod switches;

pub use choose::{BuildsError, Compared, InferredLoad, Wanted};
pub use looking::{Looking, Seen};
pub use switches::Switch;
