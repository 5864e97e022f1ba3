//! The whole answer.

use crate::bisection::{End, Found};
use crate::paste::Paste;
use crate::trial::Trial;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_run_folder::Conclusion;

/// The JSON Schema of `fit.json`, ending in a newline.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn schema() -> serde_json::Result<String> {
    serde_json::to_string_pretty(&schemars::schema_for!(Fit)).map(|text| text + "\n")
}

/// The smallest limits at which the objectives hold: what `fit.json` holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fit {
    /// Version of the format; fields may be added without changing it.
    pub format: u32,
    /// Name of the experiment.
    pub name: String,
    /// The variant that was launched.
    pub variant: String,
    /// The objectives that each launch had to meet.
    pub checks: Vec<String>,
    /// The phase whose p99 is given. A check of a time that names no phase applies to this phase.
    /// Absent in older files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<String>,
    /// The launches without a memory limit, with which the others are compared.
    pub reference: Trial,
    /// Memory; absent when it was not asked for.
    pub memory: Option<Search>,
    /// Processors, at the memory that was found; absent when it was not asked for, or when no
    /// memory was enough.
    pub cpu: Option<Search>,
    /// Text to paste into a Deployment; absent when nothing was found.
    #[serde(default)]
    pub paste: Option<Paste>,
    /// The user ended it early.
    pub interrupted: bool,
}

impl Fit {
    /// How the search ends.
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        let mut searches = [&self.memory, &self.cpu].into_iter().flatten();
        if self.interrupted {
            Conclusion::Interrupted
        } else if searches.all(|search| search.limit.is_some()) {
            Conclusion::Done
        } else {
            Conclusion::CheckFailed
        }
    }
}

/// The search for the smallest limit of one resource.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Search {
    /// The smallest limit that holds: bytes, or thousandths of a processor.
    pub limit: Option<u64>,
    /// How the search ended: whether `limit` is the answer.
    pub end: End,
    /// The limits that were tried, in their order.
    pub trials: Vec<Trial>,
}

impl Search {
    /// The answer of a search and how it was come by.
    #[must_use]
    pub fn of(found: Found, trials: Vec<Trial>) -> Self {
        Self {
            limit: found.limit,
            end: found.end,
            trials,
        }
    }

    /// The last trial at the limit that was found.
    #[must_use]
    pub fn at_limit(&self) -> Option<&Trial> {
        self.trials.iter().rfind(|trial| trial.limit == self.limit)
    }
}
