//! `tacho fit`: the smallest memory limit, and then the smallest CPU limit, at which a service
//! still keeps its objective.
//!
//! ```
//! use tacho_fit::{Bisection, Range};
//! let mut search = Bisection::new(Range::new(64, 512, 8).ok_or("no room")?);
//! while let Some(limit) = search.next() {
//!     // Launch the service several times with this limit; it holds when every launch does.
//!     search.observe(limit, limit >= 200);
//! }
//! assert_eq!(search.found().limit, Some(200));
//! # Ok::<(), &str>(())
//! ```
//!
//! | module | idea |
//! |---|---|
//! | `bisection` | which limit next; a pure state machine |
//! | `searching` | what to try next, from the reference to the answer |
//! | `pace` | how long it still takes |
//! | `share` | how sure a share of launches is |
//! | `wall` | what a launch ran into |
//! | `trial` | what the launches at one limit showed |
//! | `fit` | the whole answer, as JSON |
//! | `paste` | flags and Kubernetes resources |
//! | `render` | the same for people |
//!
//! No clock, no file, no process: the caller launches the service and passes in the results.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod bisection;
mod fit;
mod pace;
mod paste;
pub mod render;
mod searching;
mod share;
mod trial;
mod wall;

pub use bisection::{Bisection, End, Found, Range};
pub use fit::{Fit, Search, schema};
pub use pace::Pace;
pub use paste::Paste;
pub use searching::{Attempt, NothingToFit, Question, Resource, Searching};
pub use share::survival;
pub use trial::{Measured, Trial, WallCount};
pub use wall::{Wall, tells_of_memory};
