//! Warming a subject before it takes traffic: how, and what came of it.

use crate::{LimitsSeen, ResourceSummary, TimeLine, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How a subject is warmed before it takes traffic. Its requests are those of the experiment,
/// marked as warm-up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUp {
    /// What is sent.
    #[serde(flatten)]
    pub recipe: Recipe,
    /// Connections; each sends its next request when it has its answer.
    pub connections: u32,
    /// Processors from `exec` until it is warm, in place of its limit; absent when it has its limit
    /// from the start.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boost_cpu: Option<f64>,
}

/// What is sent to warm a subject.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "recipe", rename_all = "kebab-case")]
pub enum Recipe {
    /// Nothing is sent.
    None,
    /// This many requests of the mix.
    Requests {
        /// Requests in all.
        requests: u64,
    },
    /// This many of every request of the mix, one kind after another.
    Each {
        /// Requests of each kind.
        requests: u64,
    },
    /// Bursts of requests of the mix with rests between them, in which a compiler that is short of
    /// processors catches up.
    Bursts {
        /// Requests in all.
        requests: u64,
        /// Requests in each burst.
        size: u64,
        /// Pause between two bursts, in seconds.
        rest_s: f64,
    },
    /// Requests of the mix until the response times of each kind have settled.
    Settled {
        /// Good answers that are needed before the warm-up may end; absent when no number was
        /// given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at_least: Option<u64>,
        /// Most requests: the warm-up ends after this many, settled or not.
        at_most: u64,
        /// Longest duration, in seconds: the warm-up ends then, settled or not.
        within_s: f64,
    },
}

impl Recipe {
    /// The word for the recipe in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Requests { .. } => "requests",
            Self::Each { .. } => "each",
            Self::Bursts { .. } => "bursts",
            Self::Settled { .. } => "settled",
        }
    }

    /// The longest that it may take, in seconds; `None` where only the number of its requests ends
    /// it.
    #[must_use]
    pub fn within_s(&self) -> Option<f64> {
        match self {
            Self::Settled { within_s, .. } => Some(*within_s),
            Self::None | Self::Requests { .. } | Self::Each { .. } | Self::Bursts { .. } => None,
        }
    }
}

impl WarmUp {
    /// For people: `1,000 requests`, `200 of each request with 2 processors until warm`.
    #[must_use]
    pub fn describe(&self) -> String {
        let counted = |n: u64| format!("{n} request{}", if n == 1 { "" } else { "s" });
        let sent = match &self.recipe {
            Recipe::None => "nothing".to_owned(),
            Recipe::Requests { requests } => counted(*requests),
            Recipe::Each { requests } => format!("{requests} of each request"),
            Recipe::Bursts {
                requests,
                size,
                rest_s,
            } => format!(
                "{} in bursts of {size}, {} ms apart",
                counted(*requests),
                rest_s * 1e3
            ),
            Recipe::Settled {
                at_least: Some(at_least @ 1..),
                ..
            } => format!("requests until settled, at least {at_least}"),
            Recipe::Settled { .. } => "requests until settled".to_owned(),
        };
        let over = match (&self.recipe, self.connections) {
            (Recipe::None | Recipe::Bursts { .. }, _) | (_, 1) => String::new(),
            (_, connections) => format!(" over {connections} connections"),
        };
        let boost = self.boost_cpu.map_or_else(String::new, |cpu| {
            let processors = if cpu == 1.0 {
                "processor"
            } else {
                "processors"
            };
            format!(" with {cpu} {processors} until warm")
        });
        sent + &over + &boost
    }
}

/// What came of warming one process.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct WarmUpRecord {
    /// Requests that were sent.
    pub requests: u64,
    /// Requests among these that were not answered as expected.
    pub failed: u64,
    /// Time from readiness until traffic could come, in seconds.
    pub duration_s: f64,
    /// Why it ended: `nothing-to-do`, `all-sent`, `settled`, `request-limit`, `time-limit`,
    /// `failing`, `interrupted`.
    #[schemars(with = "String")]
    pub end: Word<WarmUpEnd>,
}

/// Why warming one process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WarmUpEnd {
    /// There was nothing to send.
    NothingToDo,
    /// Everything was sent.
    AllSent,
    /// Its answers were watched until it was warm, or enough.
    #[serde(untagged)]
    Watched(WarmingEnd),
}

/// Why a warm-up ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "End")]
pub enum WarmingEnd {
    /// The response times of every kind of request have settled.
    Settled,
    /// The limit on the number of requests was reached.
    RequestLimit,
    /// The limit on the duration was reached.
    TimeLimit,
    /// Too many requests failed in a row.
    Failing,
    /// There was nothing left to send.
    NothingLeft,
    /// It was interrupted.
    Interrupted,
}

/// A further process of a launch of several: the first is the launch's own record. Its files are in
/// `pod-<number>/` in the launch's folder.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PodRecord {
    /// From 2, because the launch's own record is of the first.
    pub number: u32,
    /// From its own `exec` to ready.
    pub time_line: TimeLine,
    /// What its limits did.
    pub limits: Option<LimitsSeen>,
    /// What came of its warm-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUpRecord>,
    /// Memory, CPU and threads over the launch.
    pub resources: ResourceSummary,
}

/// Settings of a comparison of warm-ups.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Sweep {
    /// Response time in milliseconds above which a user is not served well; absent when none was
    /// given.
    pub objective_ms: Option<f64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_warm_up_is_described_as_people_say_it() {
        let of = |recipe, connections, boost_cpu| {
            WarmUp {
                recipe,
                connections,
                boost_cpu,
            }
            .describe()
        };
        assert_eq!(of(Recipe::Requests { requests: 1 }, 1, None), "1 request");
        assert_eq!(
            of(Recipe::Each { requests: 200 }, 4, Some(2.0)),
            "200 of each request over 4 connections with 2 processors until warm"
        );
        assert_eq!(
            of(
                Recipe::Bursts {
                    requests: 1_000,
                    size: 50,
                    rest_s: 0.2
                },
                50,
                None
            ),
            "1000 requests in bursts of 50, 200 ms apart"
        );
        assert_eq!(
            of(Recipe::None, 1, Some(1.0)),
            "nothing with 1 processor until warm"
        );
        let settled = |at_least| Recipe::Settled {
            at_least,
            at_most: 20_000,
            within_s: 60.0,
        };
        assert_eq!(of(settled(Some(0)), 1, None), "requests until settled");
        assert_eq!(
            of(settled(Some(10_000)), 1, None),
            "requests until settled, at least 10000"
        );
    }
}
