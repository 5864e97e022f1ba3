//! What the launches at one limit showed.

use crate::share::survival;
use crate::wall::Wall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_analysis::analyse;
use tacho_analysis::bootstrap::{median_interval, ratio_interval, seed_for};
use tacho_run_folder::{Interval, LaunchData, MetricResult, RunData};

/// One limit, tried with several launches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// The limit: bytes of memory, or thousandths of a processor. Absent for the reference, which has none.
    pub limit: Option<u64>,
    /// The run folder, relative to the folder of the search.
    pub run: String,
    /// Launches made.
    pub launches: u32,
    /// Of them, those that were completed and met every objective.
    pub survived: u32,
    /// Their share with its 95 % interval (Wilson).
    pub survival: Interval,
    /// Every launch survived.
    pub held: bool,
    /// What the others ran into, the most frequent first.
    pub walls: Vec<WallCount>,
    /// p99 of the response times in the last loaded phase, milliseconds: the median over launches with its interval.
    pub p99_ms: Option<Interval>,
    /// The same against the reference.
    pub p99_price: Option<Interval>,
    /// Largest resident set, bytes.
    pub peak_rss_bytes: Option<Interval>,
    /// Share of the enforcement periods in which the processor limit stopped it, of all launches together.
    pub throttled_share: Option<f64>,
    /// Largest heap that the JVM chose or was given, bytes.
    pub max_heap_bytes: Option<u64>,
    /// Collector that the JVM chose or was given.
    pub collector: Option<String>,
}

/// A wall and how many launches ran into it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WallCount {
    /// The wall.
    #[serde(flatten)]
    pub wall: Wall,
    /// Launches.
    pub launches: u32,
}

impl Trial {
    /// Judges a run of one cell. `errors` are the first lines of each launch's log that tell of memory, by its number.
    #[must_use]
    pub fn of(
        limit: Option<u64>,
        folder: &str,
        run: &RunData,
        errors: &BTreeMap<u32, String>,
        reference: Option<&RunData>,
    ) -> Self {
        let walls: Vec<Option<Wall>> = run
            .launches
            .iter()
            .map(|launch| wall_of(run, launch, errors))
            .collect();
        let launches = walls.len() as u32;
        let survived = walls.iter().filter(|wall| wall.is_none()).count() as u32;
        let p99 = values(run, is_p99);
        let p99_price = reference.and_then(|reference| {
            let seed = seed_for(run.plan.seed, "p99 price");
            ratio_interval(&p99, &values(reference, is_p99), seed)
        });
        let jvm = run.launches.iter().find_map(|l| l.record.jvm.as_ref());
        Self {
            limit,
            run: folder.to_owned(),
            launches,
            survived,
            survival: survival(survived, launches),
            held: launches > 0 && survived == launches,
            walls: counted(walls),
            p99_ms: median_interval(&p99),
            p99_price,
            peak_rss_bytes: median_interval(&values(run, |m, _| m.id == "peak_rss_bytes")),
            throttled_share: throttled_share(run),
            max_heap_bytes: jvm.and_then(|jvm| jvm.max_heap_bytes),
            collector: jvm.and_then(|jvm| jvm.collector.clone()),
        }
    }
}

/// An objective is met by the median over launches; here each launch is asked by itself.
fn wall_of(run: &RunData, launch: &LaunchData, errors: &BTreeMap<u32, String>) -> Option<Wall> {
    let alone = RunData {
        launches: vec![launch.clone()],
        ..run.clone()
    };
    let error = errors.get(&launch.record.number).map(String::as_str);
    Wall::of(&launch.record, &analyse(&alone).checks, error)
}

fn counted(walls: Vec<Option<Wall>>) -> Vec<WallCount> {
    let mut counts: BTreeMap<Wall, u32> = BTreeMap::new();
    for wall in walls.into_iter().flatten() {
        *counts.entry(wall).or_default() += 1;
    }
    let mut counts: Vec<WallCount> = counts
        .into_iter()
        .map(|(wall, launches)| WallCount { wall, launches })
        .collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.launches));
    counts
}

/// p99 of the last phase that has one, which is the one under the steady load.
fn is_p99(metric: &MetricResult, run: &RunData) -> bool {
    let last = run
        .plan
        .phases
        .iter()
        .rfind(|phase| phase.kind.is_open())
        .or_else(|| {
            run.plan
                .phases
                .iter()
                .rfind(|phase| phase.kind.name() != "rest")
        });
    last.is_some_and(|phase| metric.id == format!("{}.response_p99_ms", phase.label))
}

fn values(run: &RunData, wanted: impl Fn(&MetricResult, &RunData) -> bool) -> Vec<f64> {
    let results = analyse(run);
    let metrics = results.cells.into_iter().flat_map(|cell| cell.metrics);
    metrics
        .filter(|metric| wanted(metric, run))
        .flat_map(|metric| metric.values)
        .map(|value| value.value)
        .collect()
}

fn throttled_share(run: &RunData) -> Option<f64> {
    let seen = || run.launches.iter().filter_map(|l| l.record.limits.as_ref());
    let periods: u64 = seen().map(|limits| limits.periods).sum();
    let throttled: u64 = seen().map(|limits| limits.throttled_periods).sum();
    (periods > 0).then(|| throttled as f64 / periods as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_analysis::testkit::{Profile, Synthetic};
    use tacho_run_folder::{FailureCause, LaunchOutcome};

    fn run(check: &str) -> RunData {
        Synthetic::new(4)
            .variant(Profile {
                noise: 0.1,
                ..Profile::named("jar")
            })
            .open_phase("open")
            .check(check)
            .run()
    }

    fn failed(cause: FailureCause) -> LaunchOutcome {
        LaunchOutcome::Failed {
            cause,
            message: "gone".to_owned(),
            last_log_lines: Vec::new(),
        }
    }

    fn judge(run: &RunData, errors: &BTreeMap<u32, String>) -> Trial {
        Trial::of(Some(1), "trial-01", run, errors, Some(run))
    }

    #[test]
    fn a_trial_holds_when_every_launch_does() {
        let trial = judge(&run("ready<1000s"), &BTreeMap::new());
        assert!(trial.held && trial.walls.is_empty());
        assert_eq!((trial.launches, trial.survived), (4, 4));
        let price = trial.p99_price.unwrap();
        assert!((price.value - 1.0).abs() < 1e-9, "{price:?}");
    }

    #[test]
    fn each_launch_is_asked_by_itself() {
        // Times to ready scatter by 10 % about 2 s: the median meets 2.05 s, some launches do not.
        let trial = judge(&run("ready<2.05s"), &BTreeMap::new());
        assert!(!trial.held && trial.survived > 0, "{trial:?}");
        let check = "ready<2.05s".to_owned();
        assert_eq!(trial.walls[0].wall, Wall::Objective { check });
    }

    #[test]
    fn what_was_run_into_is_counted_by_name() {
        let mut run = run("ready<1000s");
        run.launches[0].record.outcome = failed(FailureCause::OutOfMemory);
        run.launches[1].record.outcome = failed(FailureCause::Exited);
        run.launches[2].record.outcome = failed(FailureCause::OutOfMemory);
        let line = "java.lang.OutOfMemoryError: Metaspace".to_owned();
        let errors = BTreeMap::from([(run.launches[1].record.number, line)]);
        let trial = judge(&run, &errors);
        assert_eq!(trial.survived, 1);
        let walls: Vec<_> = trial.walls.iter().map(|w| (&w.wall, w.launches)).collect();
        assert_eq!(walls, [(&Wall::Container, 2), (&Wall::Metaspace, 1)]);
    }
}
