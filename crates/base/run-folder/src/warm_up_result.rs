//! What a sweep over warm-ups found; part of `results.json`.

use crate::{Interval, WarmUpEnd, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What warm-ups buy, and for what price.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUpResult {
    /// The phase in which users were served: [`crate::Plan::users`].
    pub phase: String,
    /// A user whose request takes longer is not served well.
    pub objective_ms: Option<f64>,
    /// One entry a cell, in the order of the plan; cells without a launch that counts are left out.
    pub cells: Vec<CellWarmUp>,
    /// Which warm-up is enough; one entry for each set of limits.
    pub choices: Vec<WarmUpChoice>,
}

/// The cheapest warm-up that is enough under one set of limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WarmUpChoice {
    /// Name of the limits.
    pub limits: String,
    /// [`crate::Cell::id`]; absent when none is enough.
    pub cell: Option<String>,
    /// In words, with what it costs.
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
    /// Users whose request took longer than the objective, or failed.
    pub over_objective: Option<Interval>,
    /// Users' requests of a launch.
    pub users: Option<Interval>,
    /// Warm-up debt: response time over that of the steady state, added up over the users of a
    /// launch; absent without a steady state.
    pub debt_s: Option<Interval>,
    /// Typical response time of the steady state.
    pub steady_ms: Option<Interval>,
    /// The course of its launches: `flat`, `warm-up`, `slowdown`, `no steady state`, or
    /// `inconsistent`.
    pub course: Option<String>,
    /// The course of each launch.
    pub courses: Vec<LaunchCourse>,
    /// What the process was busy with while it served its first users, and at the end.
    pub causes: Vec<WarmingCause>,
    /// The compiler had to share the processors with the requests for so long: absent when it had
    /// not, or nobody knows.
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
    /// Seconds of the phase after which it was steady.
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
    /// In the first seconds of the phase, median over launches.
    pub first: f64,
    /// In its last seconds.
    pub last: f64,
}
