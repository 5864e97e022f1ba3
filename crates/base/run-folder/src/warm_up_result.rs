//! What a sweep over warm-ups found; part of `results.json`.

use crate::{Interval, WarmUpEnd, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What each warm-up gains, and what it costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUpResult {
    /// Label of the phase in which users were served: the first with a rate of its own, else the
    /// first that sends anything.
    pub phase: String,
    /// Response time in milliseconds above which a user is not served well; absent when none was
    /// given.
    pub objective_ms: Option<f64>,
    /// One entry a cell, in the order of the plan; cells without a launch that counts are left out.
    pub cells: Vec<CellWarmUp>,
    /// Which warm-up is enough, for each set of limits under which users were served.
    pub choices: Vec<WarmUpChoice>,
}

/// The cheapest warm-up that is enough under one set of limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUpChoice {
    /// Name of the limits.
    pub limits: String,
    /// Id of the cheapest cell that is enough; absent when none is.
    pub cell: Option<String>,
    /// The choice in words, with its cost.
    pub sentence: String,
}

/// One cell of the sweep. Intervals are medians over launches with their 95 % interval; all
/// requests of a launch are those of all its processes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CellWarmUp {
    /// The cell, by its `id` in the plan.
    pub cell: String,
    /// Name of its variant.
    pub variant: String,
    /// Name of its limits.
    pub limits: String,
    /// What was sent to warm it, for people: `nothing` also for a subject that warms itself. Absent
    /// where no warm-up was asked for.
    pub how: Option<String>,
    /// Warm-up requests to each process.
    pub requests: Option<Interval>,
    /// Why warming ended, and in how many launches.
    #[schemars(with = "Vec<(String, u32)>")]
    pub ends: Vec<(Word<WarmUpEnd>, u32)>,
    /// From `exec` until users may come, by the slowest process of each launch.
    pub traffic_ms: Option<Interval>,
    /// Response times of the users' requests.
    pub response: ResponseTimes,
    /// Users of a launch whose request took longer than the objective, or failed; absent without an
    /// objective.
    pub over_objective: Option<Interval>,
    /// Requests of users in a launch.
    pub users: Option<Interval>,
    /// Warm-up debt, in seconds: response time beyond that of the steady state, added up over the
    /// users of a launch. Absent without a steady state, and where launches become slower
    /// (`slowdown`).
    pub debt_s: Option<Interval>,
    /// Typical response time of the steady state.
    pub steady_ms: Option<Interval>,
    /// How response times changed over the phase: `flat`, `warm-up`, `slowdown`, `no steady state`,
    /// or `inconsistent` when launches differ. Absent when it is not known.
    pub course: Option<String>,
    /// The course of each launch.
    pub courses: Vec<LaunchCourse>,
    /// What the process was busy with while it served its first users, and at the end.
    pub causes: Vec<WarmingCause>,
    /// In words: compilers had work to do in the first seconds, and requests took the processors
    /// that they needed. Absent when that was not so, or is not known.
    pub starved: Option<String>,
}

/// Response times in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct ResponseTimes {
    /// The shortest of them.
    pub min: Option<Interval>,
    /// The mean of them.
    pub mean: Option<Interval>,
    /// 50 % are shorter.
    pub p50: Option<Interval>,
    /// 90 % are shorter.
    pub p90: Option<Interval>,
    /// 95 % are shorter.
    pub p95: Option<Interval>,
    /// 99 % are shorter.
    pub p99: Option<Interval>,
    /// The longest of them.
    pub max: Option<Interval>,
}

/// How response times changed in the course of one launch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct LaunchCourse {
    /// Number of the launch, as in its `launch.json`.
    pub launch: u32,
    /// `flat`, `warm-up`, `slowdown` or `no steady state`.
    pub shape: String,
    /// Seconds from the beginning of the phase until response times were steady; absent when they
    /// never were.
    pub steady_after_s: Option<f64>,
    /// Whether medians of seconds or single requests were looked at: `seconds` or `requests`.
    pub by: String,
}

/// Something that a process does while it warms up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmingCause {
    /// For people: `time spent compiling`.
    pub name: String,
    /// Unit of `first` and `last`: `s/s`, `1/s`.
    pub unit: String,
    /// Value in the first seconds of the phase, median over launches.
    pub first: f64,
    /// Value in the last seconds of the phase, median over launches.
    pub last: f64,
}
