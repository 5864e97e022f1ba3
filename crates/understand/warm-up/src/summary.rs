//! What came of a warm-up.

use crate::warming::{End, Warming};
use schemars::JsonSchema;
use serde::Serialize;
use tacho_run_folder::Conclusion;

/// Version of the JSON.
const FORMAT: u32 = 1;

/// What came of a warm-up: what `tacho warm --json` writes.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Version of this format.
    pub format: u32,
    /// What was warmed.
    pub url: String,
    /// Why it ended.
    pub end: End,
    /// Whether traffic may come: the response times settled, a limit was reached, or failing was
    /// allowed.
    pub ready: bool,
    /// Requests that were answered as expected.
    pub answered: u64,
    /// Requests that were not.
    pub failed: u64,
    /// Why the last of them failed.
    pub last_failure: Option<String>,
    /// From the first request to the end, in seconds.
    pub duration_s: f64,
    /// Number of earlier warm-ups in the same program, one for each time that the service went away
    /// or had not come up. Always 0 without `--gate`.
    pub restarts: u64,
    /// Each kind of request.
    pub requests: Vec<KindSummary>,
    /// What was wrong with the requests: redirects, for example, which warm nothing of what they
    /// lead to.
    pub notes: Vec<String>,
}

/// How a warm-up ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// The rule or limit that ended it.
    pub end: End,
    /// Whether traffic may come.
    pub ready: bool,
    /// From the first request to the end, in seconds.
    pub duration_s: f64,
    /// How many warm-ups of the same program came before it.
    pub restarts: u64,
    /// What was wrong with the requests, for people.
    pub notes: Vec<String>,
}

/// One kind of request.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct KindSummary {
    /// Name of the request.
    pub name: String,
    /// Requests that were answered as expected.
    pub answered: u64,
    /// Requests that were not.
    pub failed: u64,
    /// Median service time of the first five, in milliseconds.
    pub first_ms: Option<f64>,
    /// Number of good answers after which service times had settled; null if they never did.
    pub settled_from: Option<u64>,
    /// Typical service time since then, in milliseconds.
    pub settled_ms: Option<f64>,
}

impl Summary {
    /// How the command ends.
    #[must_use]
    pub fn conclusion(&self) -> Conclusion {
        match self.end {
            End::Interrupted => Conclusion::Interrupted,
            _ if self.ready => Conclusion::Done,
            _ => Conclusion::CheckFailed,
        }
    }

    /// Of a warm-up that is over. `names` are those of the kinds of request.
    #[must_use]
    pub fn of(warming: &Warming, url: &str, names: &[String], ending: Ending) -> Self {
        let requests = warming
            .kinds()
            .map(|(index, kind)| KindSummary {
                name: names.get(index).cloned().unwrap_or_default(),
                answered: kind.answered,
                failed: kind.failed,
                first_ms: tacho_statistics::bootstrap::median(&kind.first_ms),
                settled_from: kind.settled.map(|settled| settled.from as u64),
                settled_ms: kind.settled.map(|settled| settled.typical_ms),
            })
            .collect();
        Self {
            format: FORMAT,
            url: url.to_owned(),
            end: ending.end,
            ready: ending.ready,
            answered: warming.answered(),
            failed: warming.failed(),
            last_failure: warming.last_failure().map(str::to_owned),
            duration_s: ending.duration_s,
            restarts: ending.restarts,
            requests,
            notes: ending.notes,
        }
    }
}
