//! The metrics: one declared table of what is read from a launch, and how it is compared.
//!
//! Only completed launches give values. A quantile is given only where values lie beyond it (p99
//! from 100 requests on, p99.9 from 1,000 on); below that it would be the maximum under another
//! name.

mod part;
pub(crate) mod read;

use part::{Part, part};
use std::collections::{BTreeMap, BTreeSet};
use tacho_run_folder::{Good, LaunchData, LaunchOutcome, PhaseKind, Plan, PreparedVariant};
use tacho_run_folder::{LaunchValue, PhaseRecord, Quantile, is_late};

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Stable name; of a phase's metric the part after `<label>.`.
    pub id: &'static str,
    /// The word in a check: `p99` for `response_p99_ms`.
    pub word: &'static str,
    /// Name in reports.
    pub name: &'static str,
    /// `ms`, `s`, `bytes`, `1/s`, `cpu-s` or `1`.
    pub unit: &'static str,
    /// Which direction is good.
    pub good: Good,
    /// Values below it count as it; see [`crate::verdict::Yardstick::floor`].
    pub floor: f64,
    /// Where the value comes from.
    pub source: Source,
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// Each launch has its own.
    Launch(fn(&LaunchData) -> Option<f64>),
    /// Each loaded phase of each launch has its own.
    Phase(fn(&PhaseRecord) -> Option<f64>),
    /// Likewise, of the part of the phase in which the subject was steady.
    Steady(fn(&Part) -> Option<f64>),
    /// Likewise: the time until it was steady, in seconds. Of a phase that never was it is the time
    /// that the phase took, which is a lower bound.
    UntilSteady,
    /// Likewise: a quantile of its response times, in milliseconds. More than a tenth of it may be
    /// the generator's own lateness.
    Response(Quantile),
    /// A fact of the variant that holds for every launch: sizes.
    Fact(fn(&PreparedVariant) -> f64),
    /// Measured a single time when the variant was made. One value, so never a verdict.
    Once(fn(&PreparedVariant) -> f64),
}

const fn row(
    id: &'static str,
    word: &'static str,
    name: &'static str,
    unit: &'static str,
    floor: f64,
    source: Source,
) -> Row {
    Row {
        id,
        word,
        name,
        unit,
        good: Good::Lower,
        floor,
        source,
    }
}

const fn higher(row: Row) -> Row {
    Row {
        good: Good::Higher,
        ..row
    }
}

/// A microsecond: the resolution of the histograms.
const MICROSECOND_IN_MS: f64 = 0.001;
/// A clock tick: the resolution of CPU time in /proc.
const TICK_S: f64 = 0.01;
/// A page: memory is given in these.
const PAGE: f64 = 4096.0;
/// One failure in a thousand: what the certificate lets pass.
const FAILURES: f64 = 0.001;

use Source::{Fact, Launch, Once, Phase, Response, Steady, UntilSteady};

impl Source {
    /// Each loaded phase has its own value.
    #[must_use]
    pub fn is_of_phase(self) -> bool {
        matches!(self, Phase(_) | Steady(_) | UntilSteady | Response(_))
    }
}

/// Metrics of a whole launch that come before those of the phases, in the order in which they are
/// shown.
#[rustfmt::skip]
const START_UP: &[Row] = &[
    row("pod_to_exec_ms", "pod_to_exec", "pod made until exec", "ms", MICROSECOND_IN_MS, Launch(|l| Some(-l.record.pod.as_ref()?.created_ms))),
    row("listening_ms", "listening", "time to listening", "ms", MICROSECOND_IN_MS, Launch(|l| l.record.time_line.listening_ms)),
    row("first_2xx_ms", "first_2xx", "time to first 2xx", "ms", MICROSECOND_IN_MS, Launch(|l| l.record.time_line.first_2xx_ms)),
    row("ready_ms", "ready", "time to ready", "ms", MICROSECOND_IN_MS, Launch(|l| l.record.time_line.ready_ms)),
    row("reached_ms", "reached", "time to first answer through the Service", "ms", MICROSECOND_IN_MS, Launch(|l| l.record.pod.as_ref()?.reached_ms)),
    row("first_request_ms", "first_request", "first request", "ms", MICROSECOND_IN_MS, Launch(read::first_request_ms)),
    row("first_5_requests_ms", "first_5_requests", "first five requests", "ms", MICROSECOND_IN_MS, Launch(read::first_5_requests_ms)),
    row("cpu_to_ready_s", "cpu_to_ready", "CPU time to ready", "cpu-s", TICK_S, Launch(|l| l.record.resources.at_ready.map(|p| p.cpu_s))),
];

/// Metrics of each loaded phase.
#[rustfmt::skip]
const PHASE: &[Row] = &[
    row("settled_after_s", "settled_after", "time until steady", "s", 0.1, UntilSteady),
    higher(row("throughput", "throughput", "throughput", "1/s", 0.001, Steady(|p| Some(p.throughput)))),
    row("response_p50_ms", "p50", "response time, median", "ms", MICROSECOND_IN_MS, Response(Quantile::P50)),
    row("response_p99_ms", "p99", "response time, p99", "ms", MICROSECOND_IN_MS, Response(Quantile::P99)),
    row("response_p99_9_ms", "p99.9", "response time, p99.9", "ms", MICROSECOND_IN_MS, Response(Quantile::P99_9)),
    row("response_max_ms", "max", "response time, longest", "ms", MICROSECOND_IN_MS, Response(Quantile::Max)),
    row("service_p50_ms", "service_p50", "service time, median", "ms", MICROSECOND_IN_MS, Phase(|p| Some(p.service_time_ms?.p50))),
    row("cpu_per_request_ms", "cpu_per_request", "CPU time a request", "ms", 0.0001, Steady(|p| p.cpu_per_request_ms)),
    row("failed_share", "errors", "failed requests", "1", FAILURES, Phase(read::failed_share)),
];

/// Metrics of a whole launch that come after those of the phases.
#[rustfmt::skip]
const HELD: &[Row] = &[
    row("rss_at_ready_bytes", "rss_at_ready", "RSS when ready", "bytes", PAGE, Launch(|l| Some(l.record.resources.at_ready?.rss_bytes as f64))),
    row("rss_after_first_request_bytes", "rss_after_first_request", "RSS after the first request", "bytes", PAGE, Launch(|l| Some(l.record.resources.after_first_request?.rss_bytes as f64))),
    row("rss_at_end_bytes", "rss_at_end", "RSS at the end", "bytes", PAGE, Launch(|l| Some(l.record.resources.at_end?.rss_bytes as f64))),
    row("peak_rss_bytes", "peak_rss", "peak RSS", "bytes", PAGE, Launch(|l| l.record.resources.peak_rss_bytes.map(|v| v as f64))),
    row("peak_pss_bytes", "peak_pss", "peak PSS", "bytes", PAGE, Launch(|l| l.record.resources.peak_pss_bytes.map(|v| v as f64))),
    row("peak_cgroup_bytes", "peak_cgroup", "peak control-group usage", "bytes", PAGE, Launch(|l| l.record.resources.peak_cgroup_bytes.map(|v| v as f64))),
    row("peak_working_set_bytes", "peak_working_set", "peak working set", "bytes", PAGE, Launch(|l| l.record.resources.peak_working_set_bytes.map(|v| v as f64))),
    row("peak_threads", "peak_threads", "most threads", "1", 1.0, Launch(|l| l.record.resources.peak_threads.map(f64::from))),
    row("throttled_s", "throttled", "time throttled", "s", TICK_S, Launch(read::throttled_s)),
    row("application_bytes", "application", "application on disk", "bytes", PAGE, Fact(|v| v.application_bytes as f64)),
    row("disk_bytes", "disk", "application and runtime on disk", "bytes", PAGE, Fact(|v| v.application_bytes.saturating_add(v.runtime_bytes) as f64)),
    row("build_s", "build", "time to build", "s", 0.001, Once(|v| v.build_s)),
];

/// Metrics of a whole launch about garbage collection; native images have them when their
/// collections are logged.
#[rustfmt::skip]
const COLLECTION: &[Row] = &[
    row("gc_pause_p50_ms", "gc_pause_p50", "collection pause, median", "ms", MICROSECOND_IN_MS, Launch(|l| l.collections.as_ref()?.pauses.p50_ms)),
    row("gc_pause_max_ms", "gc_pause_max", "collection pause, longest", "ms", MICROSECOND_IN_MS, Launch(|l| l.collections.as_ref()?.pauses.max_ms)),
    row("gc_pause_total_s", "gc_pause_total", "time in collection pauses", "s", 0.001, Launch(read::gc_pause_total_s)),
    row("gc_cpu_s", "gc_cpu", "CPU time of collection", "cpu-s", TICK_S, Launch(read::gc_cpu_s)),
    row("gc_cpu_share", "gc_cpu_share", "share of collection in CPU time", "1", 0.001, Launch(read::gc_cpu_share)),
];

/// Every row, in the order in which they are shown.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    START_UP.iter().chain(PHASE).chain(HELD).chain(COLLECTION)
}

/// The row that a check means by a word.
#[must_use]
pub fn row_of_word(word: &str) -> Option<&'static Row> {
    rows().find(|row| row.word == word)
}

/// A row as it applies to one run: a phase's row with the label of the phase.
#[derive(Debug, Clone)]
pub struct Metric {
    /// Stable id, with the label of the phase where it is of one: `closed.throughput`
    pub id: String,
    /// Name for people, with the label of the phase: `throughput, closed`
    pub name: String,
    /// What is read.
    pub row: &'static Row,
    phase: Option<String>,
}

/// The values of a cell's launches.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values {
    /// Those that are the subject's.
    pub counted: Vec<LaunchValue>,
    /// Those of which more than a tenth is the generator's own lateness.
    pub late: Vec<LaunchValue>,
    /// Launches in which the subject was not shown to be steady.
    pub unsteady: Vec<u32>,
}

impl Values {
    /// Keeps one value a block. A launch that was run again, since the generator was late in it,
    /// shares its block with the repetition: the first value that counts is taken. `blocks` are
    /// those of the launches, by their numbers.
    pub fn keep_one_a_block(&mut self, blocks: &BTreeMap<u32, u32>) {
        let mut taken = BTreeSet::new();
        let mut left_out = BTreeSet::new();
        self.counted.retain(|value| {
            let block = blocks.get(&value.launch);
            let is_first = block.is_none_or(|block| taken.insert(*block));
            if !is_first {
                left_out.insert(value.launch);
            }
            is_first
        });
        self.unsteady.retain(|launch| !left_out.contains(launch));
    }
}

/// The metrics of a run, those of the phases in the order of the plan.
#[must_use]
pub fn metrics(plan: &Plan) -> Vec<Metric> {
    let whole = |row: &'static Row| Metric {
        id: row.id.to_owned(),
        name: row.name.to_owned(),
        row,
        phase: None,
    };
    let of_phases = loaded_phases(plan).flat_map(|label| {
        PHASE.iter().map(move |row| Metric {
            id: phase_id(label, row),
            name: format!("{}, {label}", row.name),
            row,
            phase: Some(label.to_owned()),
        })
    });
    START_UP
        .iter()
        .map(whole)
        .chain(of_phases)
        .chain(HELD.iter().chain(COLLECTION).map(whole))
        .collect()
}

/// Labels of the phases that send requests.
pub fn loaded_phases(plan: &Plan) -> impl DoubleEndedIterator<Item = &str> {
    plan.phases
        .iter()
        .filter(|p| !matches!(p.kind, PhaseKind::Rest { .. }))
        .map(|p| p.label.as_str())
}

/// The id of a phase's metric.
#[must_use]
pub fn phase_id(label: &str, row: &Row) -> String {
    format!("{label}.{}", row.id)
}

impl Metric {
    /// The values of a cell's launches: finite ones of completed launches.
    #[must_use]
    pub fn values(&self, launches: &[&LaunchData], variant: Option<&PreparedVariant>) -> Values {
        let mut values = Values::default();
        let counts = |launch: &&&LaunchData| launch.record.outcome == LaunchOutcome::Completed;
        for launch in launches.iter().filter(counts) {
            let value = self.value(launch, variant).filter(|v| v.is_finite());
            let launch_value = |value| LaunchValue {
                launch: launch.record.number,
                value,
            };
            if value.is_some() && self.is_unsteady(launch) {
                values.unsteady.push(launch.record.number);
            }
            match self.is_late(launch) {
                true => values.late.extend(value.map(launch_value)),
                false => values.counted.extend(value.map(launch_value)),
            }
        }
        if matches!(self.row.source, Once(_)) {
            values.counted.truncate(1);
        }
        values
    }

    fn value(&self, launch: &LaunchData, variant: Option<&PreparedVariant>) -> Option<f64> {
        match self.row.source {
            Launch(read) => read(launch),
            Phase(read) => read(self.phase_of(launch)?),
            Steady(read) => read(&part(launch, self.phase_of(launch)?)),
            UntilSteady => {
                let phase = self.phase_of(launch)?;
                phase.settled.map(|_| phase.duration_s)
            }
            Response(quantile) => read::response_ms(self.phase_of(launch)?, quantile),
            Fact(read) | Once(read) => variant.map(read),
        }
    }

    fn phase_of<'a>(&self, launch: &'a LaunchData) -> Option<&'a PhaseRecord> {
        let label = self.phase.as_deref()?;
        let of_label = |p: &&PhaseRecord| p.label == label && !p.interrupted;
        let phase = launch.record.phases.iter().find(of_label)?;
        (phase.requests > 0).then_some(phase)
    }

    /// It is that of a subject that was not shown to be steady.
    fn is_unsteady(&self, launch: &LaunchData) -> bool {
        let is_steady = match (self.row.source, self.phase_of(launch)) {
            (Steady(_), Some(phase)) => part(launch, phase).is_steady,
            (UntilSteady, Some(phase)) => phase.settled,
            _ => None,
        };
        is_steady == Some(false)
    }

    /// Some of these values are lower bounds only.
    #[must_use]
    pub fn has_bounds(&self, values: &Values) -> bool {
        matches!(self.row.source, UntilSteady) && !values.unsteady.is_empty()
    }

    /// More than a tenth of it is the generator's own lateness.
    fn is_late(&self, launch: &LaunchData) -> bool {
        let Response(quantile) = self.row.source else {
            return false;
        };
        let phase = self.phase_of(launch);
        phase.is_some_and(|phase| is_late(phase, quantile))
    }

    /// One value stands for all launches.
    #[must_use]
    pub fn is_fact(&self) -> bool {
        matches!(self.row.source, Fact(_))
    }
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
