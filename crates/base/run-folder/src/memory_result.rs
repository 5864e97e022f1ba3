//! What a cell's memory over time shows: a part of `results.json`.

use crate::{Diagnosis, MemoryPattern, Word};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Patterns of memory over time and where the memory is, over the launches of a cell: also those
/// that failed, since it may be why.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct CellMemory {
    /// Launches that left a series or a log to look at.
    pub launches: u32,
    /// Patterns that were found, in the order in which they are looked for.
    pub findings: Vec<MemoryFinding>,
    /// Patterns that were looked for and found in no launch.
    #[schemars(with = "Vec<String>")]
    pub absent: Vec<Word<MemoryPattern>>,
    /// Patterns that could not be looked for, and why. A pattern may stand here for some launches,
    /// and in `findings` or `absent` for others.
    pub not_told: Vec<NotTold>,
    /// Where the resident memory was at the end of the load; absent when no completed launch says
    /// it.
    pub split: Option<MemorySplit>,
    /// Result of a diagnosis launch; absent when there was none. No other value of these results
    /// includes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<MemoryDiagnosis>,
    /// What a reader has to know of these results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A launch observed with instruments that slow it down, and that no other figure includes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryDiagnosis {
    /// Number of the launch, as in its `launch.json`.
    pub launch: u32,
    /// Why it was not completed, or is not what it claims to be; absent when all went well.
    pub failure: Option<String>,
    /// How far the sum of the parts misses the resident set: the sum divided by the resident set,
    /// minus 1.
    pub missed_by: Option<f64>,
    /// Whether the sum of the parts misses the resident set by at most 5 %.
    pub adds_up: Option<bool>,
    /// Share of the resident set that neither the JVM nor the mappings account for, 0 to 1.
    pub unexplained_share: Option<f64>,
    /// Resident set of this launch divided by that of the measured launches: the effect of the
    /// instruments, and of differences between launches.
    pub against_measured: Option<f64>,
    /// What was observed, with long lists shortened; absent when the launch did not get that far.
    pub said: Option<Diagnosis>,
}

/// A pattern that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFinding {
    /// `saw-tooth`, `growth-without-end`, `thrashing`, `oversized-heap`, `allocation-spikes`,
    /// `humongous-allocations`, `metaspace-growth`, `code-cache-growth`, `growth-outside-the-heap`,
    /// `limit-hit-by-page-cache`.
    #[schemars(with = "String")]
    pub pattern: Word<MemoryPattern>,
    /// What was seen and what it means, in one or two sentences; of the launch `shown`.
    pub summary: String,
    /// What to do.
    pub advice: String,
    /// Numbers of the launches in which it was found.
    pub launches: Vec<u32>,
    /// Number of launches in which the pattern could be looked for.
    pub looked_at: u32,
    /// Number of the launch whose figures and evidence these are: the middle one by the first
    /// figure.
    pub shown: u32,
    /// Beginning of the time in which it was seen, in seconds since `exec`.
    pub from_s: f64,
    /// End of the time in which it was seen, in seconds since `exec`.
    pub to_s: f64,
    /// The numbers that the summary rests on.
    pub figures: Vec<MemoryFigure>,
    /// What to draw, with fewer points: the lowest and the highest of each stretch of time are
    /// kept.
    pub evidence: Vec<EvidenceSeries>,
}

/// One number of a finding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryFigure {
    /// Name of the figure, with its unit: `slope_bytes_per_s`.
    pub name: String,
    /// The number, in the unit of its name.
    pub value: f64,
    /// 95 % interval, where it has one.
    pub interval: Option<(f64, f64)>,
}

/// Points to draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceSeries {
    /// Name of the series in a legend.
    pub name: String,
    /// `bytes`, `bytes/s`, or `1` for a share.
    pub unit: String,
    /// Points: seconds since `exec`, and the value in `unit`.
    pub points: Vec<(f64, f64)>,
}

/// A pattern that could not be looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NotTold {
    /// Name of the pattern, as that of a finding.
    #[schemars(with = "String")]
    pub pattern: Word<MemoryPattern>,
    /// What is missing, of the first of the launches.
    pub reason: String,
    /// In which launches.
    pub launches: Vec<u32>,
}

/// Where the resident memory of a process was, as far as it can be told without asking it. The
/// parts add up.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct MemorySplit {
    /// Numbers of the launches over which these are means.
    pub launches: Vec<u32>,
    /// Resident set: the sum of the parts.
    pub rss_bytes: f64,
    /// Largest first, what has no owner last.
    pub parts: Vec<MemoryPart>,
}

/// One part of the resident set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryPart {
    /// `live heap`, `garbage slack`, `used heap`, `unused heap`, `metaspace`, `class archive`,
    /// `code cache`, `thread stacks`, `mapped files`, `programs`, `shared memory`, `libc`,
    /// `unexplained`.
    pub name: String,
    /// Mean over the launches.
    pub bytes: f64,
    /// What the part is, for people.
    pub meaning: String,
}
