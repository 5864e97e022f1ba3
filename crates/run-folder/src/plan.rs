//! `plan.json`: what was going to be done, written before anything was started.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The plan of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Plan {
    /// Seed of the order; the same seed gives the same order.
    pub seed: u64,
    /// Launches of each cell.
    pub launches_per_cell: u32,
    /// Pause between two launches.
    pub rest_s: f64,
    /// Variant that the others are compared with, within the same limits.
    pub baseline: String,
    /// Practical threshold as a fraction: differences below it are `same`. 0.05 is 5 %.
    pub threshold: f64,
    /// Every combination of variant and limits, in the order of the experiment file.
    pub cells: Vec<Cell>,
    /// The phases of every launch, in order.
    pub phases: Vec<PhasePlan>,
    /// The launches in their randomised, interleaved order.
    pub launches: Vec<PlannedLaunch>,
    /// Objectives such as `p99<50ms`, as the user wrote them.
    pub checks: Vec<String>,
    /// Notes for the reader: variants left out and why, what was assumed.
    pub notes: Vec<String>,
}

/// One variant under one set of limits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cell {
    /// `jar@1cpu-256MiB`, or `jar` when the experiment has one set of limits.
    pub id: String,
    /// Name of the variant.
    pub variant: String,
    /// Its limits.
    pub limits: Limits,
}

/// CPU and memory that a subject is given.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Limits {
    /// `1cpu-256MiB`, or `none`.
    pub name: String,
    /// Processors, as a quota: 0.25 is 25 ms in every 100 ms.
    pub cpu: Option<f64>,
    /// Memory.
    pub memory_bytes: Option<u64>,
}

/// One phase as planned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PhasePlan {
    /// Unique within the experiment: `cold`, `closed`, `open`, `rest`, or the user's own.
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
        /// How many.
        requests: u64,
    },
    /// Each connection sends its next request when it has its answer, as ab does.
    Closed {
        /// In all.
        requests: u64,
        /// Connections.
        connections: u32,
        /// Time over which the connections join in, evenly spread.
        ramp_s: f64,
    },
    /// Requests are sent when the schedule says so, whatever the subject does.
    Open {
        /// Requests a second.
        rate: f64,
        /// How long.
        duration_s: f64,
        /// Connections.
        connections: u32,
    },
    /// Nothing is sent.
    Rest {
        /// How long.
        duration_s: f64,
    },
}

/// One launch to come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedLaunch {
    /// From 1, in the order of execution.
    pub number: u32,
    /// [`Cell::id`].
    pub cell: String,
    /// From 1: which launch of this cell.
    pub replicate: u32,
}
