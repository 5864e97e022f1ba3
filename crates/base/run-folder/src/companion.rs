//! Companions in `launch.json`: what the subject needs beside it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A companion that the experiment starts, as it was in one launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CompanionRecord {
    /// As the experiment names it.
    pub name: String,
    /// It was started for this launch alone, and ended with it.
    pub fresh: bool,
    /// Number of times that it has been started in the run so far, this time included. More than 1
    /// for a companion that is not fresh means that it ended during an earlier launch.
    pub starts: u32,
    /// From its `exec` until it was ready.
    pub ready_ms: Option<f64>,
    /// Processor time of it and all that it started, from just before the first phase to just after
    /// the last.
    pub cpu_s: f64,
    /// How it ended although it should not have, and when: `was ended by SIGKILL in phase open`.
    /// Absent when it was there to the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
}
