//! `plan.json`: what was going to be done, written before anything was started.

use crate::{Duet, Objective, Sweep};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The plan of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Seed of the random order of the launches; the same seed gives the same order.
    pub seed: u64,
    /// Launches of each cell.
    pub launches_per_cell: u32,
    /// Numbers of launches of each cell after which Tacho checks whether the advice is decided. The
    /// run ends early when it is, or when the remaining launches would not decide it either; the
    /// error that is allowed is divided among these checks. Absent where the number of launches is
    /// fixed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub looks: Vec<u32>,
    /// Pause between two launches, in seconds.
    pub rest_s: f64,
    /// Variant that the others are compared with, within the same limits.
    pub baseline: String,
    /// Variant that is a second copy of the baseline, measured like any other: every difference
    /// between the two is chance. It is never recommended. Absent where there is no copy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub aa: Option<String>,
    /// How both launches of a block run at the same time; absent where launches run one after
    /// another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duet: Option<Duet>,
    /// Practical threshold as a fraction: differences below it are `same`. 0.05 is 5 %.
    pub threshold: f64,
    /// Every combination of variant and limits, in the order of the experiment file.
    pub cells: Vec<Cell>,
    /// Number of processes in each launch. Requests go to them in turn, and the limits apply to
    /// each process separately. Absent where there is one.
    #[serde(default = "one_pod", skip_serializing_if = "is_one_pod")]
    pub pods: u32,
    /// Settings of the comparison of warm-ups; absent where the run compares none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<Sweep>,
    /// The phases of every launch, in order.
    pub phases: Vec<PhasePlan>,
    /// What is sent, in the order of the experiment; absent in plans that are older.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<Vec<PlannedRequest>>,
    /// Its cells are of runs of their own: no launch of one belongs to a launch of another. In
    /// memory alone, where two runs are laid beside each other.
    #[serde(skip)]
    pub apart: bool,
    /// The launches in their randomised, interleaved order.
    pub launches: Vec<PlannedLaunch>,
    /// Launches with instruments that slow the subject down. They run after all others, and no
    /// figure includes them. Absent where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub diagnosis: Vec<PlannedLaunch>,
    /// Objectives such as `p99<50ms`, as the user wrote them.
    pub checks: Vec<String>,
    /// Notes for the reader: variants left out and why, what was assumed.
    pub notes: Vec<String>,
}

fn one_pod() -> u32 {
    1
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one_pod(pods: &u32) -> bool {
    *pods == 1
}

/// A request of the mix, or a sequence of requests that one user sends one after another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedRequest {
    /// Name of the request in reports.
    pub name: String,
    /// Weight in the mix. Divided by the sum of all weights, it is the share of choices that fall
    /// on this request.
    pub weight: f64,
    /// SHA-256 of what is sent, with secrets masked, in hexadecimal digits. Two runs with the same
    /// value sent the same.
    pub sha256: String,
    /// The request asks for its connection to be closed (`Connection: close`), so the measured
    /// times include connecting. Absent where it does not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub closes: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// One variant under one set of limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// `jar@1cpu-256MiB`, or `jar` when the experiment has one set of limits.
    pub id: String,
    /// Name of the variant.
    pub variant: String,
    /// CPU and memory that the variant is given.
    pub limits: Limits,
}

/// CPU and memory that a subject is given.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// `1cpu-256MiB`, or `none`.
    pub name: String,
    /// Processors, as a quota: 0.25 is 25 ms of processor time in every 100 ms. Null where they are
    /// not limited.
    pub cpu: Option<f64>,
    /// Memory, in bytes; absent when it is not limited.
    pub memory_bytes: Option<u64>,
}

/// One phase as planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhasePlan {
    /// Unique within the experiment: `cold`, `closed`, `open`, `ramp`, `rest`, ..., or the user's
    /// own.
    pub label: String,
    /// What it does.
    #[serde(flatten)]
    pub kind: PhaseKind,
}

/// What a phase does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum PhaseKind {
    /// The first requests, one after another on one connection.
    Cold {
        /// Requests in all.
        requests: u64,
    },
    /// Each connection sends its next request when it has its answer, as ab does. It ends with its
    /// requests or its duration, whichever is first; one of the two is always there.
    Closed {
        /// Requests in all; absent when only the duration ends the phase.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requests: Option<u64>,
        /// Time in seconds after which no connection sends another request; absent when only the
        /// number of requests ends the phase.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        duration_s: Option<f64>,
        /// Connections over which they are sent.
        connections: u32,
        /// Time over which the connections join in, evenly spread.
        ramp_s: f64,
        /// Pause of a connection between an answer and its next request; absent when there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        think: Option<ThinkSpec>,
    },
    /// A closed loop that runs until its throughput is steady, so that later phases measure the
    /// service and not its compiler.
    Settle {
        /// Longest duration, in seconds: the phase ends then even if throughput is not steady.
        within_s: f64,
        /// Connections over which requests are sent.
        connections: u32,
    },
    /// Requests are sent at a constant rate, whatever the subject does.
    Open {
        /// Requests a second.
        rate: f64,
        /// How long requests are sent, in seconds.
        duration_s: f64,
        /// Connections over which they are sent.
        connections: u32,
    },
    /// Requests are sent when the schedule says so, whatever the subject does.
    Scheduled {
        /// When they are sent.
        schedule: ScheduleSpec,
        /// Connections over which they are sent.
        connections: u32,
    },
    /// Trials at constant rates, to find the highest rate at which the objective holds.
    Search(SearchSpec),
    /// Nothing is sent.
    Rest {
        /// How long nothing is sent, in seconds.
        duration_s: f64,
    },
}

/// When the requests of an open phase are sent, other than at a constant rate. Rates are requests a
/// second.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ScheduleSpec {
    /// From one rate to another, in a straight line.
    Ramp {
        /// Rate at the beginning; 0 or more.
        from_rate: f64,
        /// Rate at the end; 0 or more.
        to_rate: f64,
        /// How long it takes from one to the other, in seconds.
        duration_s: f64,
    },
    /// Constant rates one after another.
    Steps {
        /// The steps, in order.
        steps: Vec<RateStep>,
    },
    /// A rate that swings about its mean; it begins at the mean, rising.
    Sine {
        /// Mean of the rate.
        mean_rate: f64,
        /// How far the rate rises above its mean and falls below; at most the mean.
        amplitude: f64,
        /// Time from one peak of the rate to the next, in seconds.
        period_s: f64,
        /// How long it goes on, in seconds.
        duration_s: f64,
    },
    /// Arrivals that are independent of one another, with exponentially distributed gaps.
    Poisson {
        /// Mean rate of the arrivals.
        rate: f64,
        /// How long they go on, in seconds.
        duration_s: f64,
        /// Seed of the arrivals: the same seed gives the same arrivals, in every launch.
        seed: u64,
    },
    /// Bursts with rests between them.
    Burst {
        /// Requests in each burst.
        requests: u64,
        /// Time over which a burst is evenly spread, in seconds; 0 sends all of it at once.
        over_s: f64,
        /// Pause from the end of a burst to the beginning of the next, in seconds.
        rest_s: f64,
        /// Length of the whole schedule, in seconds.
        duration_s: f64,
    },
    /// The send times of an earlier load.
    Replay {
        /// File with the send times: text with one per line, or CSV.
        file: String,
        /// Speed of the replay: 2 sends everything in half the recorded time.
        speed: f64,
        /// Name of the CSV column; absent when there is one only, or it is called `intended_ns`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        column: Option<String>,
        /// Unit of the instants; absent when the column's name or a decimal point tells it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unit: Option<TimeUnit>,
    },
}

/// One of the steps of a schedule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RateStep {
    /// Requests a second; 0 rests.
    pub rate: f64,
    /// How long the step takes, in seconds.
    pub duration_s: f64,
}

/// Unit of recorded instants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TimeUnit {
    /// In seconds, written `s`.
    S,
    /// In milliseconds, written `ms`.
    Ms,
    /// In microseconds, written `us`.
    Us,
    /// In nanoseconds, written `ns`.
    Ns,
}

/// How long a user of a closed loop thinks between an answer and the next request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ThinkSpec {
    /// Always as long.
    Constant {
        /// The pause, in milliseconds.
        ms: f64,
    },
    /// Equally likely between two bounds.
    Uniform {
        /// Shortest pause, in milliseconds.
        from_ms: f64,
        /// Longest pause, in milliseconds.
        to_ms: f64,
    },
    /// Exponentially distributed: mostly short, sometimes long.
    Exponential {
        /// Mean pause, in milliseconds.
        mean_ms: f64,
    },
}

/// A search for the highest rate at which an objective holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchSpec {
    /// What has to hold, such as `p99<50ms, errors<0.1%`.
    pub objective: Objective,
    /// The lowest rate, tried first; requests a second.
    pub from_rate: f64,
    /// The highest rate; requests a second.
    pub to_rate: f64,
    /// How long each trial loads the subject, in seconds.
    pub trial_s: f64,
    /// Rest after a trial in which the objective did not hold, for the subject to recover, in
    /// seconds.
    pub rest_s: f64,
    /// Largest gap allowed between the found rate and the lowest rate that fails, as a fraction:
    /// 0.05 is 5 %.
    pub tolerance: f64,
    /// Number of further trials at the found rate in which the objective has to hold.
    pub confirmations: u32,
    /// Connections over which the requests of each trial are sent.
    pub connections: u32,
}

/// One launch to come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedLaunch {
    /// From 1, in the order of execution.
    pub number: u32,
    /// Cell that is launched, by its `id`.
    pub cell: String,
    /// From 1: which launch of this cell.
    pub replicate: u32,
    /// The launch that this one repeats, by its number, because it was disturbed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again: Option<u32>,
}

impl Plan {
    /// A variant that is a second copy of the baseline.
    #[must_use]
    pub fn is_copy(&self, variant: &str) -> bool {
        self.aa.as_deref() == Some(variant)
    }

    /// Launches that run at the same time.
    #[must_use]
    pub fn at_once(&self) -> usize {
        match self.duet {
            Some(_) => 2,
            None => 1,
        }
    }

    /// The same when it was decided after this many launches of each cell: no more were made.
    #[must_use]
    pub fn ended_after(&self, launches: u32) -> Self {
        let mut ended = self.clone();
        ended.launches_per_cell = launches;
        ended.launches.retain(|launch| launch.replicate <= launches);
        ended
    }

    /// The phase in which users come to a subject that may be cold: the first with a rate of its
    /// own, else the first that sends anything.
    #[must_use]
    pub fn users(&self) -> Option<&PhasePlan> {
        let is_loaded = |phase: &&PhasePlan| !matches!(phase.kind, PhaseKind::Rest { .. });
        let open = self.phases.iter().find(|phase| phase.kind.is_open());
        open.or_else(|| self.phases.iter().find(is_loaded))
    }
}

/// The kind of a phase without what it asks for. It is closed: a kind that is not here cannot be
/// read in `plan.json` either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum PhaseTag {
    Cold,
    Settle,
    Closed,
    Open,
    Scheduled,
    Search,
    Rest,
}

impl PhaseTag {
    /// Its requests are sent when a schedule says so, whatever the subject does.
    #[must_use]
    pub fn has_schedule(self) -> bool {
        matches!(self, Self::Open | Self::Scheduled | Self::Search)
    }
}

/// The word for it in files.
impl fmt::Display for PhaseTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

impl PhaseKind {
    /// A closed phase that ends with its requests, all connections at once and without think time.
    #[must_use]
    pub fn closed(requests: u64, connections: u32) -> Self {
        Self::Closed {
            requests: Some(requests),
            duration_s: None,
            connections,
            ramp_s: 0.0,
            think: None,
        }
    }

    /// Ten times shorter, for a first look: a closed or settle phase, and one at a constant rate.
    /// Never fewer requests than connections. The others have a course of their own, and stay.
    pub fn shorten(&mut self) {
        const TIMES: u32 = 10;
        match self {
            Self::Closed {
                requests,
                duration_s,
                connections,
                ..
            } => {
                let least = u64::from(*connections);
                *requests = requests.map(|n| (n / u64::from(TIMES)).max(least.min(n)));
                *duration_s = duration_s.map(|s| s / f64::from(TIMES));
            }
            Self::Open { duration_s, .. }
            | Self::Settle {
                within_s: duration_s,
                ..
            } => *duration_s /= f64::from(TIMES),
            Self::Cold { .. } | Self::Scheduled { .. } | Self::Search(_) | Self::Rest { .. } => {}
        }
    }

    /// Its kind alone.
    #[must_use]
    pub fn tag(&self) -> PhaseTag {
        match self {
            Self::Cold { .. } => PhaseTag::Cold,
            Self::Settle { .. } => PhaseTag::Settle,
            Self::Closed { .. } => PhaseTag::Closed,
            Self::Open { .. } => PhaseTag::Open,
            Self::Scheduled { .. } => PhaseTag::Scheduled,
            Self::Search(_) => PhaseTag::Search,
            Self::Rest { .. } => PhaseTag::Rest,
        }
    }

    /// True when requests are sent by a schedule, whatever the subject does; a search runs many
    /// such loads.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self, Self::Open { .. } | Self::Scheduled { .. })
    }

    /// Requests that can be under way at the same time; 0 when it sends nothing.
    #[must_use]
    pub fn connections(&self) -> u32 {
        match self {
            Self::Cold { .. } => 1,
            Self::Rest { .. } => 0,
            Self::Closed { connections, .. }
            | Self::Settle { connections, .. }
            | Self::Open { connections, .. }
            | Self::Scheduled { connections, .. }
            | Self::Search(SearchSpec { connections, .. }) => *connections,
        }
    }

    /// The same for another time. A number of requests, or of trials, stays.
    #[must_use]
    pub fn lasting(mut self, time_s: f64) -> Self {
        match &mut self {
            Self::Open { duration_s, .. } | Self::Rest { duration_s } => *duration_s = time_s,
            Self::Settle { within_s, .. } => *within_s = time_s,
            Self::Closed { duration_s, .. } => *duration_s = Some(time_s),
            Self::Search(spec) => spec.trial_s = time_s,
            Self::Scheduled { schedule, .. } => *schedule = schedule.clone().lasting(time_s),
            Self::Cold { .. } => {}
        }
        self
    }

    /// True when each connection has a request under way all the time.
    #[must_use]
    pub fn is_always_busy(&self) -> bool {
        matches!(self, Self::Closed { think: None, ramp_s, .. } if *ramp_s == 0.0)
    }

    /// How long it sends requests (or rests), in seconds, where the plan knows it.
    #[must_use]
    pub fn duration_s(&self) -> Option<f64> {
        match self {
            Self::Open { duration_s, .. } | Self::Rest { duration_s } => Some(*duration_s),
            Self::Closed { duration_s, .. } => *duration_s,
            Self::Scheduled { schedule, .. } => schedule.duration_s(),
            // The longest that it may take.
            Self::Settle { within_s, .. } => Some(*within_s),
            Self::Cold { .. } | Self::Search(_) => None,
        }
    }
}

impl ScheduleSpec {
    /// The word for the schedule in files.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Ramp { .. } => "ramp",
            Self::Steps { .. } => "steps",
            Self::Sine { .. } => "sine",
            Self::Poisson { .. } => "poisson",
            Self::Burst { .. } => "burst",
            Self::Replay { .. } => "replay",
        }
    }

    /// Its length in seconds; that of a replay is only in its file.
    #[must_use]
    pub fn duration_s(&self) -> Option<f64> {
        match self {
            Self::Ramp { duration_s, .. }
            | Self::Sine { duration_s, .. }
            | Self::Poisson { duration_s, .. }
            | Self::Burst { duration_s, .. } => Some(*duration_s),
            Self::Steps { steps } => Some(steps.iter().map(|step| step.duration_s).sum()),
            Self::Replay { .. } => None,
        }
    }

    /// The same for another time; of steps, each of them. A replay is as long as its file.
    #[must_use]
    pub fn lasting(mut self, time_s: f64) -> Self {
        match &mut self {
            Self::Ramp { duration_s, .. }
            | Self::Sine { duration_s, .. }
            | Self::Poisson { duration_s, .. }
            | Self::Burst { duration_s, .. } => *duration_s = time_s,
            Self::Steps { steps } => steps.iter_mut().for_each(|step| step.duration_s = time_s),
            Self::Replay { .. } => {}
        }
        self
    }

    /// Requests a second that it asks for, this many seconds after its beginning. `None` outside of
    /// it, where the requests of a burst come all at once, and for a replay, which only its file
    /// knows.
    #[must_use]
    pub fn rate_at(&self, second: f64) -> Option<f64> {
        let duration_s = self.duration_s()?;
        if !(0.0..=duration_s).contains(&second) {
            return None;
        }
        match self {
            Self::Ramp {
                from_rate, to_rate, ..
            } => Some(from_rate + (to_rate - from_rate) * second / duration_s),
            Self::Steps { steps } => {
                let mut left_s = second;
                let step = steps.iter().find(|step| {
                    left_s -= step.duration_s;
                    left_s < 0.0
                });
                step.or(steps.last()).map(|step| step.rate)
            }
            Self::Sine {
                mean_rate,
                amplitude,
                period_s,
                ..
            } => Some(mean_rate + amplitude * (std::f64::consts::TAU * second / period_s).sin()),
            Self::Poisson { rate, .. } => Some(*rate),
            Self::Burst {
                requests,
                over_s,
                rest_s,
                ..
            } if *over_s > 0.0 => {
                let is_on = second % (over_s + rest_s) < *over_s;
                Some(if is_on {
                    *requests as f64 / over_s
                } else {
                    0.0
                })
            }
            Self::Burst { .. } | Self::Replay { .. } => None,
        }
    }
}

#[cfg(test)]
mod tests;
