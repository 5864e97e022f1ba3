//! What is printed, drawn and written of a Deployment that was changed under load.
//!
//! ```text
//! Seen (felt, lives, lost, ...) --> Report (with what to do) --> terminal, JSON, page
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod advice;
mod page;
#[cfg(test)]
mod testkit;
mod text;
mod variants;
mod words;

pub use advice::pre_stop_s;
pub use page::render as render_page;
pub use text::render;
pub use variants::render as render_variants;

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_clock::to_seconds;
use tacho_report::RenderError;
use tacho_rollout::{AllSlow, Course, Felt, Lags, Life, Lost, Phase, Tried, Youth};

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
    /// Requests that were answered, and slower than any before the first change.
    #[serde(default)]
    pub slow: AllSlow,
    /// Whether pods were slow when they were new.
    #[serde(default)]
    pub youth: Youth,
    /// A preStop that was tried, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub tried: Option<Tried>,
    /// Response times over time.
    #[serde(default)]
    pub course: Course,
    /// Whether there were more requests than are kept one by one; of the last ones nothing is known
    /// here.
    #[serde(default)]
    pub is_part: bool,
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
    /// Number of pods that the Deployment asks for.
    pub replicas: u32,
    /// Where requests were sent.
    pub url: String,
    /// Requests a second.
    pub rate: f64,
    /// Whether a container has a readiness probe.
    pub has_readiness_probe: bool,
    /// A container waits before it is told to end.
    pub has_pre_stop: bool,
    /// How long it sleeps there, in seconds: the container that does so for the longest; absent
    /// where none does, or that is not known.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pre_stop_s: Option<u32>,
    /// Whether it was seen which pod each connection led to.
    #[serde(default)]
    pub sees_pods: bool,
    /// How late the generator began to handle requests: the 99th percentile, in milliseconds.
    /// Response times include it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub generator_lag_p99_ms: Option<f64>,
    /// Whether the user ended it early, or it could not go on; the report is then of what came
    /// before.
    pub is_cut_short: bool,
}

/// One pod's life. Seconds count from the beginning of the first change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PodLife {
    /// Its name.
    pub pod: String,
    /// Its node, once it had one.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub node: Option<String>,
    /// When the API reported each phase; negative before the first change.
    pub at_s: BTreeMap<Phase, f64>,
    /// When a container of the pod was restarted.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub restarted_s: Vec<f64>,
}

/// What was seen.
#[derive(Debug)]
pub struct Seen<'a> {
    /// What users felt, window by window.
    pub felt: Vec<Felt>,
    /// The pods.
    pub lives: &'a [Life],
    /// How late endpoints followed them.
    pub lags: Lags,
    /// Requests that were lost.
    pub lost: Vec<Lost>,
    /// Those that were slow.
    pub slow: AllSlow,
    /// Whether pods were slow when they were new.
    pub youth: Youth,
    /// A preStop that was tried.
    pub tried: Option<Tried>,
    /// Response times over time, from [`origin_ns`] on.
    pub course: Course,
    /// Whether only a part of the requests was kept.
    pub is_part: bool,
    /// What a reader has to know.
    pub notes: Vec<String>,
}

/// Instants of a report count from here: the first window that changes something, or the end.
#[must_use]
pub fn origin_ns(felt: &[Felt]) -> u64 {
    let first = felt.iter().find(|felt| felt.window.is_change);
    let last = felt.last().map_or(0, |felt| felt.window.to_ns);
    first.map_or(last, |felt| felt.window.from_ns)
}

impl Report {
    /// Builds the report from what was seen.
    #[must_use]
    pub fn new(about: About, seen: Seen<'_>) -> Self {
        let from_ns = origin_ns(&seen.felt);
        let of = |life: &Life| PodLife {
            pod: life.pod.clone(),
            node: life.node.clone(),
            at_s: life
                .phases
                .iter()
                .map(|(phase, at)| (*phase, since(*at, from_ns)))
                .collect(),
            restarted_s: life
                .restarted_ns
                .iter()
                .map(|at| since(*at, from_ns))
                .collect(),
        };
        let mut notes = seen.notes;
        if about.is_cut_short {
            notes.push("It was cut short: of the last change not all was seen.".to_owned());
        }
        Self {
            tacho: FORMAT,
            advice: advice::advice(
                &about,
                &seen.lags,
                &seen.lost,
                &seen.youth,
                seen.tried.as_ref(),
            ),
            about,
            felt: seen.felt,
            pods: seen.lives.iter().map(of).collect(),
            lags: seen.lags,
            lost: seen.lost,
            slow: seen.slow,
            youth: seen.youth,
            tried: seen.tried,
            course: seen.course,
            is_part: seen.is_part,
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

/// Seconds from one instant to another, which may lie before it.
pub(crate) fn since(at_ns: u64, from_ns: u64) -> f64 {
    match at_ns.checked_sub(from_ns) {
        Some(after) => to_seconds(after),
        None => -to_seconds(from_ns - at_ns),
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
