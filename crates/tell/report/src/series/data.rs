//! What the page's charts are drawn from: one block of JSON.
//!
//! `web/src/data.ts` declares the same for TypeScript.

use serde::Serialize;
use tacho_run_folder::{CostKind, EvidenceSeries, Interval};

/// x and y, rounded to what can be seen.
pub type Point = [f64; 2];

/// x, lowest, median, highest over the launches.
pub type Band = [f64; 4];

/// All charts of a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ChartData {
    /// Variants in the order of the plan: it gives each its colour.
    pub variants: Vec<String>,
    /// One entry for each set of limits.
    pub sections: Vec<Section>,
    /// Lines of histogram logs that could not be read.
    pub unreadable_lines: usize,
}

/// The charts under one set of limits.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Section {
    /// Name of the limits.
    pub limits: String,
    /// The phases that sent requests, in order.
    pub phases: Vec<Phase>,
    /// One entry a variant.
    pub cells: Vec<CellCharts>,
    /// Where curves of cumulative cost cross.
    pub breaks: Vec<Break>,
    /// The memory limit.
    pub memory_limit_bytes: Option<u64>,
    /// What to draw of each finding of memory over time, variant by variant.
    pub evidence: Vec<Evidence>,
}

/// The evidence of one finding, of one launch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Evidence {
    /// Name of the variant.
    pub variant: String,
    /// Title of the finding.
    pub title: String,
    /// From when to when it is seen, in seconds since exec.
    pub from_s: f64,
    /// Its end; see `from_s`.
    pub to_s: f64,
    /// Series with the same unit.
    pub series: Vec<EvidenceSeries>,
}

/// A phase that sent requests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Phase {
    /// Label of the phase in the plan.
    pub label: String,
    /// `cold`, `closed` or `open`.
    pub kind: &'static str,
}

/// The charts' data of one cell. Only launches that count are in it, the dots excepted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CellCharts {
    /// Name of the variant.
    pub variant: String,
    /// Time to ready, launch by launch.
    pub startup: Startup,
    /// The medians of the instants from exec to ready.
    pub time_line: Vec<Stage>,
    /// The first requests.
    pub first: FirstRequests,
    /// Latency by quantile, one curve a phase.
    pub latency: Vec<LatencyCurve>,
    /// Answers a second, one series a phase.
    pub throughput: Vec<ThroughputSeries>,
    /// Response times of users over the seconds of the phase, where the run asked about warm-ups.
    pub warm_up: WarmUpSeries,
    /// Memory since exec.
    pub memory: MemorySeries,
    /// Where the memory was at the end of the load: parts and their bytes, which add up to the
    /// resident set.
    pub split: Vec<(String, f64)>,
    /// Cumulative cost over the requests served.
    pub cost: Vec<CostSeries>,
}

/// Time to ready.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Startup {
    /// Median with its 95 % interval, from the analysis.
    pub estimate: Option<Interval>,
    /// Every launch that became ready, also those that do not count.
    pub dots: Vec<StartDot>,
}

/// The time to ready of one launch.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StartDot {
    /// Number of the launch, from 1.
    pub launch: u32,
    /// Time to ready.
    pub ms: f64,
    /// It is part of the median.
    pub counts: bool,
}

/// A stretch of the time line.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stage {
    /// The instant at its end: `listening`, `first 2xx`, `ready`.
    pub until: &'static str,
    /// Its beginning, in milliseconds since exec.
    pub from_ms: f64,
    /// Its end, in milliseconds since exec.
    pub to_ms: f64,
}

/// Response time by the number of the request.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct FirstRequests {
    /// Answers of each launch: number from 1, milliseconds.
    pub launches: Vec<Vec<Point>>,
    /// The same for requests that failed.
    pub failed: Vec<Point>,
    /// The median over launches.
    pub median: Vec<Point>,
}

/// Response times second by second since the phase began, in milliseconds.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct WarmUpSeries {
    /// Median response time of each second.
    pub p50: Vec<Band>,
    /// Of a hundred users, one waited longer.
    pub p99: Vec<Band>,
}

/// One phase's latency, histograms of all launches merged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LatencyCurve {
    /// Label of the phase.
    pub phase: String,
    /// `1/(1-quantile)`, milliseconds from the intended instant.
    pub response: Vec<Point>,
    /// `1/(1-quantile)`, milliseconds from the first byte sent.
    pub service: Vec<Point>,
    /// Answers in it.
    pub count: u64,
    /// Failed requests, which are not in it.
    pub failed: u64,
}

/// One phase's throughput.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ThroughputSeries {
    /// Label of the phase.
    pub phase: String,
    /// Seconds since the phase began; answers a second.
    pub band: Vec<Band>,
}

/// Memory in bytes over seconds since exec.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct MemorySeries {
    /// Resident set in bytes.
    pub rss: Vec<Band>,
    /// Working set; empty without a control group.
    pub working_set: Vec<Band>,
    /// Occupied heap, garbage included; empty where neither the JVM nor a log of collections tells
    /// it.
    pub heap_used: Vec<Band>,
    /// Committed heap; empty where nobody tells it.
    pub heap_committed: Vec<Band>,
}

/// Cumulative cost: requests, seconds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostSeries {
    /// What is added up.
    pub cost: CostKind,
    /// As far as it was measured.
    pub measured: Vec<Point>,
    /// From the last measured point on.
    pub extrapolated: Vec<Point>,
}

/// A crossing of two curves of cost.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Break {
    /// What is added up.
    pub cost: CostKind,
    /// Number of requests at which the curves cross.
    pub at: Interval,
    /// Variant that is cheaper below the crossing.
    pub before: String,
    /// Variant that is cheaper above the crossing.
    pub after: String,
}
