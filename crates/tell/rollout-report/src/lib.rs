//! What is printed and written of a Deployment that was changed under load.
//!
//! ```text
//! Felt, Life, Lost, Lags --> Report (with what to do) --> terminal, JSON
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod advice;
mod text;

pub use text::render;

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_clock::to_seconds;
use tacho_report::RenderError;
use tacho_rollout::{Felt, Lags, Life, Lost, Phase};

/// Version of the format. Fields may be added without changing it, never renamed or removed.
pub const FORMAT: u32 = 1;

/// A Deployment that was changed under load.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub tacho: u32,
    /// What was changed, and how it was loaded.
    pub about: About,
    /// What users felt, window by window; the first is before anything was changed.
    pub felt: Vec<Felt>,
    /// The pods, in the order in which they were made.
    pub pods: Vec<PodLife>,
    /// How late endpoints followed pods, at the most.
    pub lags: Lags,
    /// Each request that was lost.
    pub lost: Vec<Lost>,
    /// What to do about it; empty where nothing was lost that a change explains.
    pub advice: Vec<String>,
    /// What a reader has to know.
    pub notes: Vec<String>,
}

/// What was changed, and how it was loaded.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct About {
    /// The Deployment.
    pub deployment: String,
    /// Its namespace.
    pub namespace: String,
    /// Pods that are wanted.
    pub replicas: u32,
    /// Where requests were sent.
    pub url: String,
    /// Requests a second.
    pub rate: f64,
    /// A container says by a probe whether it is ready.
    pub has_readiness_probe: bool,
    /// A container waits before it is told to end.
    pub has_pre_stop: bool,
    /// How late the generator took requests up: the 99th percentile, in milliseconds. Response
    /// times hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator_lag_p99_ms: Option<f64>,
    /// The user has ended it, or it could not go on; what came before is told.
    pub is_cut_short: bool,
}

/// One pod's life. Seconds count from the beginning of the first change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PodLife {
    /// Its name.
    pub pod: String,
    /// When each phase was told; negative for what was there before.
    pub at_s: BTreeMap<Phase, f64>,
    /// When a container was started anew.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub restarted_s: Vec<f64>,
}

impl Report {
    /// Of what was seen. Instants of pods count from the first window that changes something.
    #[must_use]
    pub fn new(
        about: About,
        felt: Vec<Felt>,
        lives: &[Life],
        lags: Lags,
        lost: Vec<Lost>,
        mut notes: Vec<String>,
    ) -> Self {
        let first = felt.iter().find(|felt| felt.window.is_change);
        let last = felt.last().map_or(0, |felt| felt.window.to_ns);
        let from_ns = first.map_or(last, |felt| felt.window.from_ns);
        let since = |at_ns: u64| match at_ns.checked_sub(from_ns) {
            Some(after) => to_seconds(after),
            None => -to_seconds(from_ns - at_ns),
        };
        let of = |life: &Life| PodLife {
            pod: life.pod.clone(),
            at_s: life
                .phases
                .iter()
                .map(|(phase, at)| (*phase, since(*at)))
                .collect(),
            restarted_s: life.restarted_ns.iter().map(|at| since(*at)).collect(),
        };
        if about.is_cut_short {
            notes.push("It was cut short: of the last change not all was seen.".to_owned());
        }
        Self {
            tacho: FORMAT,
            advice: advice::advice(&about, &lags, &lost),
            about,
            felt,
            pods: lives.iter().map(of).collect(),
            lags,
            lost,
            notes,
        }
    }

    /// Requests that were lost while something was changed.
    #[must_use]
    pub fn lost_in_changes(&self) -> u64 {
        let changes = self.felt.iter().filter(|felt| felt.window.is_change);
        changes.map(|felt| felt.lost).sum()
    }
}

/// The text of `docs/schema/rollout.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn schema() -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(Report))?;
    text.push('\n');
    Ok(text)
}
