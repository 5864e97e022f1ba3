//! What the launches at one limit showed.

use crate::share::survival;
use crate::wall::Wall;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_analysis::analyse;
use tacho_analysis::check::Check;
use tacho_run_folder::{
    CellResult, CheckResult, Collector, Interval, LaunchData, LaunchOutcome, MetricResult,
    PhaseTag, Plan, Results, RunData, Word,
};
use tacho_statistics::bootstrap::{median_interval, ratio_interval, seed_for};

/// The launches at one limit, and what the analysis says of them.
#[derive(Debug, Clone)]
pub struct Measured {
    /// As it was recorded: a run of one cell.
    pub run: RunData,
    /// What the analysis says of that run.
    pub results: Results,
}

impl From<RunData> for Measured {
    fn from(run: RunData) -> Self {
        let results = analyse(&run);
        Self { run, results }
    }
}

impl Measured {
    /// p99 of each launch in the last phase that has one, which is the one under the steady load.
    fn p99_ms(&self) -> Vec<f64> {
        steady_phase(&self.run.plan).map_or_else(Vec::new, |label| {
            self.values(&format!("{label}.response_p99_ms"))
        })
    }

    /// The phase whose p99 is shown. It is also the one that a check of a time means where it names
    /// none.
    #[must_use]
    pub fn phase(&self) -> Option<String> {
        steady_phase(&self.run.plan).map(str::to_owned)
    }

    fn values(&self, metric: &str) -> Vec<f64> {
        let metrics = self.results.cells.iter().flat_map(|cell| &cell.metrics);
        metrics
            .filter(|found| found.id == metric)
            .flat_map(|found| &found.values)
            .map(|value| value.value)
            .collect()
    }

    /// What a launch showed. An objective is met by the median over launches; here each launch is
    /// asked by itself.
    fn shown_by(&self, launch: &LaunchData, error: Option<&String>) -> Shown {
        let alone = RunData {
            launches: vec![launch.clone()],
            ..self.run.clone()
        };
        let Results { cells, checks, .. } = analyse(&alone);
        let (late, told): (Vec<CheckResult>, Vec<CheckResult>) = checks
            .into_iter()
            .partition(|check| !check.passed && is_late(&cells, check));
        match Wall::of(&launch.record, &told, error.map(String::as_str)) {
            Some(wall) => Shown::Wall(wall),
            None if late.is_empty() => Shown::Survived,
            None => Shown::Nothing,
        }
    }
}

/// What a launch showed of its limit.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Shown {
    Survived,
    Wall(Wall),
    /// An objective failed by a time that is the generator's as much as the service's. (One that
    /// held did so in spite of it.)
    Nothing,
}

impl Shown {
    fn wall(&self) -> Option<&Wall> {
        match self {
            Self::Wall(wall) => Some(wall),
            Self::Survived | Self::Nothing => None,
        }
    }
}

/// More than a tenth of what a check reads is the generator's own lateness.
fn is_late(cells: &[CellResult], check: &CheckResult) -> bool {
    let Ok(read) = Check::parse(&check.check) else {
        return false;
    };
    let id = read.metric(check.phase.as_deref());
    let of_cell = cells.iter().filter(|cell| cell.cell == check.cell);
    let metrics = of_cell.flat_map(|cell| &cell.metrics);
    metrics.filter(|m| m.id == id).any(MetricResult::is_late)
}

fn steady_phase(plan: &Plan) -> Option<&str> {
    let open = plan.phases.iter().rfind(|phase| phase.kind.is_open());
    let last = || {
        plan.phases
            .iter()
            .rfind(|phase| phase.kind.tag() != PhaseTag::Rest)
    };
    open.or_else(last).map(|phase| phase.label.as_str())
}

/// One limit, tried with several launches.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trial {
    /// The limit: bytes of memory, or thousandths of a processor. Absent for the reference, which
    /// has none.
    pub limit: Option<u64>,
    /// The run folder, relative to the folder of the search.
    pub run: String,
    /// Launches that were made at this limit, and tell something of it: none that the machine
    /// disturbed, and none that failed an objective by the generator's own lateness.
    pub launches: u32,
    /// Of them, those that were completed and met every objective.
    pub survived: u32,
    /// Share of launches that survived, 0 to 1, with its 95 % interval (Wilson).
    pub survival: Interval,
    /// Every launch survived.
    pub held: bool,
    /// Why the other launches did not survive, the most frequent reason first.
    pub walls: Vec<WallCount>,
    /// p99 of the response times in the last loaded phase, milliseconds: the median over launches
    /// with its interval.
    pub p99_ms: Option<Interval>,
    /// p99 divided by that of the reference, with its interval; null for the reference itself.
    pub p99_price: Option<Interval>,
    /// Largest resident set in bytes: the median over launches with its interval.
    pub peak_rss_bytes: Option<Interval>,
    /// Share of the enforcement periods in which the processor limit stopped it, of all launches
    /// together.
    pub throttled_share: Option<f64>,
    /// Largest heap that the JVM chose or was given, bytes.
    pub max_heap_bytes: Option<u64>,
    /// Collector that the JVM chose or was given.
    #[schemars(with = "Option<String>")]
    pub collector: Option<Word<Collector>>,
}

/// Why launches did not survive, and how many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct WallCount {
    /// What gave way.
    #[serde(flatten)]
    pub wall: Wall,
    /// Launches that ran into it.
    pub launches: u32,
}

impl Trial {
    /// Judges the launches at one limit. `errors` are the first lines of each launch's log that
    /// tell of memory, by its number.
    #[must_use]
    pub fn of(
        limit: Option<u64>,
        folder: &str,
        measured: &Measured,
        errors: &BTreeMap<u32, String>,
        reference: Option<&Measured>,
    ) -> Self {
        let run = &measured.run;
        // One that the machine spoiled counts in nothing; another was made for it.
        let counting = run
            .launches
            .iter()
            .filter(|launch| !matches!(launch.record.outcome, LaunchOutcome::Spoiled { .. }));
        let shown: Vec<Shown> = counting
            .map(|launch| measured.shown_by(launch, errors.get(&launch.record.number)))
            .filter(|shown| *shown != Shown::Nothing)
            .collect();
        let launches = shown.len() as u32;
        let survived = shown.iter().filter(|shown| shown.wall().is_none()).count() as u32;
        let p99 = measured.p99_ms();
        let p99_price = reference.and_then(|reference| {
            let seed = seed_for(run.plan.seed, "p99 price");
            ratio_interval(&p99, &reference.p99_ms(), seed)
        });
        let jvm = run.launches.iter().find_map(|l| l.record.jvm.as_ref());
        Self {
            limit,
            run: folder.to_owned(),
            launches,
            survived,
            survival: survival(survived, launches),
            held: launches > 0 && survived == launches,
            walls: counted(shown.iter().filter_map(Shown::wall)),
            p99_ms: median_interval(&p99),
            p99_price,
            peak_rss_bytes: median_interval(&measured.values("peak_rss_bytes")),
            throttled_share: throttled_share(run),
            max_heap_bytes: jvm.and_then(|jvm| jvm.max_heap_bytes),
            collector: jvm.and_then(|jvm| jvm.collector.clone()),
        }
    }
}

fn counted<'a>(walls: impl Iterator<Item = &'a Wall>) -> Vec<WallCount> {
    let mut counts: BTreeMap<Wall, u32> = BTreeMap::new();
    for wall in walls {
        *counts.entry(wall.clone()).or_default() += 1;
    }
    let mut counts: Vec<WallCount> = counts
        .into_iter()
        .map(|(wall, launches)| WallCount { wall, launches })
        .collect();
    counts.sort_by_key(|count| std::cmp::Reverse(count.launches));
    counts
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
    use tacho_run_folder::FailureCause;

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
        let measured = Measured::from(run.clone());
        Trial::of(Some(1), "trial-01", &measured, errors, Some(&measured))
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
    fn a_launch_that_the_machine_spoiled_counts_in_nothing() {
        let mut run = run("ready<1000s");
        run.launches[2].record.outcome = LaunchOutcome::Spoiled {
            reason: "others were busy".to_owned(),
        };
        let trial = judge(&run, &BTreeMap::new());
        assert!(trial.held && trial.walls.is_empty(), "{trial:?}");
        assert_eq!((trial.launches, trial.survived), (3, 3));
    }

    /// Half of the p99 of this launch in its last phase is the generator's.
    fn make_late(launch: &mut LaunchData) {
        let mut phases = launch.record.phases.iter_mut();
        let phase = phases.rfind(|phase| phase.response_time_ms.is_some());
        let phase = phase.unwrap();
        let times = phase.response_time_ms.as_mut().unwrap();
        phase.on_time_response_ms = Some(*times);
        times.p99 *= 2.0;
    }

    #[test]
    fn a_launch_whose_generator_was_late_is_asked_by_what_it_measured() {
        let mut run = run("p99<1000s");
        make_late(&mut run.launches[1]);
        let trial = judge(&run, &BTreeMap::new());
        assert!(trial.held, "{trial:?}");
    }

    /// The p99 is 4 ms, and beyond 7 ms only where the generator was late.
    #[test]
    fn a_check_that_failed_by_the_generators_lateness_rejects_no_limit() {
        let mut run = run("p99<7ms,ready<1000s");
        make_late(&mut run.launches[1]);
        let trial = judge(&run, &BTreeMap::new());
        assert!(trial.held && trial.walls.is_empty(), "{trial:?}");
        assert_eq!((trial.launches, trial.survived), (3, 3));
        // What else fails in that launch does not hold by it.
        run.launches[1].record.time_line.ready_ms = Some(2e6);
        let trial = judge(&run, &BTreeMap::new());
        assert_eq!((trial.launches, trial.survived), (4, 3));
        // Where each launch was late nothing is known.
        run.launches.iter_mut().for_each(make_late);
        run.launches[1].record.time_line.ready_ms = Some(2e3);
        let trial = judge(&run, &BTreeMap::new());
        assert_eq!((trial.launches, trial.held), (0, false));
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
