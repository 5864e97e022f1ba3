//! Why a build is slower: from what a request spends to the owning line and its reason.
//!
//! ```text
//! frame       a frame of a stack, by a name that survives a rebuild
//! live        what an instrument in a running JVM tells, by itself
//! owner       whose cost it is: the nearest frame of the application's own packages
//! collecting  whose collecting garbage is                          (Collecting)
//! thrown_away compiled code that is thrown away again and again        (Storm)
//! by_the_clock  waits of background work, which are no request's
//! comparison  two builds, owner by owner, per request                  (Side, Suspect, Pair)
//! moved       work that has another owner than before
//! remote      what requests wait for others, and what is their own        (RemoteTime)
//! pattern     why an owner costs more: one small rule a file           (Match)
//! settings    what the running JVMs say of themselves differently
//! support     which instruments support a claim
//! spent_below the method below an owner in which most of its time goes (SpentBelow)
//! symptom     waits that are laid to what is done meanwhile
//! turn        requests that wait for a thread
//! builds      whether there is anything to explain, and what came out
//! finding     ranked by the share of the difference that each explains (Findings)
//! ```
//! Pure: it knows neither JVMs nor files. Dissections come from `tacho_run_folder::Dissection`. A
//! build without a baseline is compared with nothing.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod builds;
mod by_the_clock;
mod collecting;
mod comparison;
mod counts;
mod finding;
mod frame;
pub mod live;
mod moved;
mod owner;
mod pattern;
mod remote;
mod search;
mod settings;
mod spent_below;
mod support;
mod symptom;
#[cfg(test)]
mod testkit;
mod thrown_away;
mod turn;

pub use builds::{
    Builds, Conclusion, Counterfactual, Loss, Measured, compared_phases, failures,
    failures_with_instruments,
};
pub use collecting::{COLLECTOR, COMPILER};
pub use comparison::{Comparison, LATER, Pair, Suspect, WAITS};
pub use counts::{MovedCount, moved_counts};
pub use finding::{Clock, Count, Differs, Finding, Findings, NotLooked, Unexplained, find};
pub use frame::{Frame, aligned, aligned_class, shown};
pub use owner::Own;
pub use pattern::{Need, PATTERNS, Pattern, Rank};
pub use remote::{Callee, RemoteSide, RemoteTime, WIRE, remote_time};
pub use search::{Outcome, Search, by_suspicion, nearest_first};
pub use settings::{moved_settings, moved_surroundings};
pub use spent_below::SpentBelow;
pub use support::Support;
