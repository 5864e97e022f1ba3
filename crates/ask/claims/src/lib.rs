//! Judges claims with figures, such as those of an article, by what was measured on this machine.
//!
//! ```text
//! claims.yaml --file--> Claims --judge--> [Judged]: the same, not the same, not told, not measured
//!                                ^
//!      results of runs, or any document of JSON: Measured
//! ```
//! | module | knows |
//! |---|---|
//! | [`model`] | what a claim is |
//! | `file` | the grammar of `claims.yaml` |
//! | [`region`] | what counts as the same: `< 0.1`, `0.9..1.1` |
//! | [`measured`] | values by launch, from `results.json` or another document |
//! | [`judge`] | intervals, corrected for how many claims are looked at |

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod file;
pub mod judge;
pub mod measured;
pub mod model;
pub mod region;

pub use file::{Text, parse};
pub use judge::{Judged, Outcome, Seen, judge};
pub use measured::{Described, Measured, Values};
pub use model::{Article, Claim, Claims, Expected, Figure, Length, Made, Run, Word};
pub use region::Region;
