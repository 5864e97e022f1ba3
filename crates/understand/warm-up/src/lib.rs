//! Warming a running service: when the warm-up ends, and how others learn of it.
//!
//! ```text
//! answers -> warming   when to end: settled, a limit, or failing
//!         -> summary   what came of it
//!         -> gate      a readiness path that turns 200
//! ```
//! Sending is the load engine's business; nothing here knows of it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod gate;
mod summary;
mod warming;

pub use gate::{Gate, GateAddress, GateError, State};
// For `fuzz/`.
#[doc(hidden)]
pub use gate::asked_path;
pub use summary::{Ending, KindSummary, Summary};
pub use warming::{Answer, End, Rule, Warming};

/// The JSON Schema of [`Summary`].
///
/// # Errors
/// When it cannot be rendered.
pub fn schema() -> Result<String, serde_json::Error> {
    let schema = schemars::schema_for!(Summary);
    Ok(serde_json::to_string_pretty(&schema)? + "\n")
}
