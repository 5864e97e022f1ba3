//! If few connections show no difference, or only a small one, both builds are measured again under
//! more load. Connections are doubled up to the knee of the throughput, and then a constant rate is
//! used. For example, a pool of fifty connections shows only with sixty-four.

use super::super::run::{Concluded, How, Source, carry_out};
use crate::arguments::{Diagnosed, RunOutput};
use crate::error::Error;
use crate::exports::Exports;
use std::path::Path;
use tacho_diagnosis::{Builds, Loss, Measured};
use tacho_experiment::Launches;
use tacho_report::Analysed;
use tacho_run_folder::{CertificateState, PhaseKind, PhasePlan, Results, Verdict};
use tacho_runner::{Event, Surroundings};

/// Below the run's folder.
const FOLDER: &str = "more-load";
/// Seconds measured in each stage.
const MEASURED_S: f64 = 1.2;
/// Launches of each build.
const LAUNCHES: u32 = 5;
/// Beyond the knee, twice the connections give less than this many times the throughput.
const GAIN: f64 = 1.05;
/// The number of connections is not doubled beyond this.
const MOST_CONNECTIONS: u32 = 256;
/// The constant rate, as a share of the highest throughput that both builds reach.
const OF_KNEE: f64 = 0.6;
/// A loss below this ratio is small.
const SMALL_LOSS: f64 = 1.1;

/// What the further launches gave.
pub(super) struct MoreLoad {
    pub results: Results,
    /// Labels of the stages.
    pub phases: Vec<String>,
    /// The experiment with this load, in which changes can be put back.
    pub source: Source,
    /// What was done, for people.
    pub note: String,
}

/// What launches have told.
pub(super) struct Told {
    pub verdict: Option<Verdict>,
    /// Where the candidate is slower.
    pub loss: Option<Loss>,
    /// The experiment with the load that shows the loss.
    pub source: Source,
    pub measured: Vec<Measured>,
    /// The worst state of all launches.
    pub certificate: CertificateState,
}

impl Told {
    /// By these results.
    pub fn of(
        builds: &Builds,
        (results, phases): (&Results, &[String]),
        verdict: Option<Verdict>,
        source: Source,
    ) -> Self {
        let loss = builds.loss(results, phases);
        Self {
            loss: loss.filter(|_| verdict == Some(Verdict::Worse)),
            verdict,
            source,
            measured: builds.figures(results, phases),
            certificate: results.certificate.state,
        }
    }

    /// Whether the launches with few connections leave the question open.
    pub fn needs_more_load(&self) -> bool {
        let loss = self.loss.as_ref();
        match self.verdict {
            Some(Verdict::Same | Verdict::Inconclusive) => true,
            Some(Verdict::Worse) => loss.is_none_or(|loss| loss.ratio < SMALL_LOSS),
            Some(Verdict::Better) | None => false,
        }
    }

    /// Adds the results under more load. The larger loss is the one that is explained.
    pub fn with(mut self, builds: &Builds, more: MoreLoad) -> Self {
        let verdict = builds.verdict(&more.results, &more.phases);
        let place = (&more.results, more.phases.as_slice());
        let told = Self::of(builds, place, Some(verdict), more.source);
        self.measured.extend(told.measured);
        self.certificate = self.certificate.max(told.certificate);
        self.verdict = together(self.verdict, verdict);
        if verdict == Verdict::Worse {
            let ratio = |loss: &Option<Loss>| loss.as_ref().map(|loss| loss.ratio);
            if ratio(&told.loss) > ratio(&self.loss) {
                self.loss = told.loss;
                self.source = told.source;
            }
        }
        self
    }
}

/// What few connections and more load tell together. A loss is one wherever it shows; both builds
/// are alike only if they are so under more load, too.
fn together(few: Option<Verdict>, more: Verdict) -> Option<Verdict> {
    match (few, more) {
        (_, Verdict::Worse) => Some(Verdict::Worse),
        (Some(Verdict::Same), Verdict::Inconclusive) => Some(Verdict::Inconclusive),
        _ => few,
    }
}

/// Measures both builds under more load, after what few connections have told. `None` if the first
/// launches have no figures to start from, or if the user interrupted the run.
pub(super) fn more_load(
    arguments: &Diagnosed,
    told: &Told,
    builds: &Builds,
    results: &Results,
    (folder, surroundings): (&Path, &Surroundings),
) -> Result<Option<MoreLoad>, Error> {
    let source = &told.source;
    let Some(stages) = Stages::after(results, builds, &source.experiment.phases) else {
        return Ok(None);
    };
    let note = stages.sentence(told.verdict);
    tacho_progress::listener(arguments.output.quiet).event(Event::Note { text: &note });
    let mut source = source.clone();
    source.notes.clear();
    let experiment = &mut source.experiment;
    experiment.launches = Launches::Fixed(LAUNCHES);
    experiment.checks.clear();
    experiment
        .phases
        .retain(|phase| matches!(phase.kind, PhaseKind::Settle { .. }));
    let phases = stages.phases();
    let labels = phases.iter().map(|phase| phase.label.clone()).collect();
    experiment.phases.extend(phases);
    let output = RunOutput {
        // These files are of the diagnosis.
        exports: Exports::default(),
        quiet: true,
        runs: folder.join(FOLDER),
        ..arguments.output.clone()
    };
    let concluded = carry_out(source.clone(), surroundings, &output, How::Silent(None))?;
    let Concluded {
        analysed: Some(Analysed { results, .. }),
        exit,
        ..
    } = concluded
    else {
        return Ok(None);
    };
    let is_over = exit == crate::exit::Exit::Interrupted;
    Ok((!is_over).then_some(MoreLoad {
        results,
        phases: labels,
        source,
        note,
    }))
}

/// What comes after few connections.
#[derive(Debug, PartialEq)]
struct Stages {
    /// Connections of the closed loops.
    closed: Vec<u32>,
    /// Requests a second.
    rate: f64,
    /// Connections that were looked at before.
    before: Vec<u32>,
}

impl Stages {
    fn after(results: &Results, builds: &Builds, phases: &[PhasePlan]) -> Option<Self> {
        let before: Vec<u32> = phases.iter().filter_map(connections).collect();
        let (most, fewer) = before.split_last()?;
        let of = |variant: &str, connections: u32| throughput(results, variant, connections);
        let baseline = builds.baseline.as_deref()?;
        let highest = of(baseline, *most)?;
        let rate = OF_KNEE * highest.min(of(&builds.candidate, *most)?);
        let gains = |fewer: &u32| {
            let doublings = (f64::from(*most) / f64::from(*fewer)).log2().max(1.0);
            of(baseline, *fewer).is_none_or(|few| highest >= GAIN.powf(doublings) * few)
        };
        let is_below_the_knee = fewer.last().is_none_or(gains);
        let doubled = std::iter::successors(Some(most.saturating_mul(2)), |n| Some(n * 2));
        let closed = doubled.take_while(|n| is_below_the_knee && *n <= MOST_CONNECTIONS);
        (rate >= 1.0).then(|| Self {
            closed: closed.collect(),
            rate: rate.floor(),
            before,
        })
    }

    fn phases(&self) -> Vec<PhasePlan> {
        let closed = self.closed.iter().map(|connections| PhasePlan {
            label: format!("closed-{connections}"),
            kind: PhaseKind::Closed {
                requests: None,
                duration_s: Some(MEASURED_S),
                connections: *connections,
                ramp_s: 0.0,
                think: None,
            },
        });
        let most = self.closed.last().or(self.before.last());
        let open = PhasePlan {
            label: format!("open-{}", self.rate),
            kind: PhaseKind::Open {
                rate: self.rate,
                duration_s: MEASURED_S,
                connections: most.copied().unwrap_or(1),
            },
        };
        closed.chain([open]).collect()
    }

    fn sentence(&self, verdict: Option<Verdict>) -> String {
        let listed = |all: &[u32]| {
            let all: Vec<String> = all.iter().map(u32::to_string).collect();
            all.join(", ")
        };
        let before = listed(&self.before);
        let rate = tacho_figures::requests(self.rate);
        let so_far = match verdict {
            Some(Verdict::Worse) => "Only a small loss",
            Some(Verdict::Inconclusive) => "No difference is told yet",
            Some(Verdict::Same | Verdict::Better) | None => "No difference that matters",
        };
        match self.closed.is_empty() {
            true => format!(
                "{so_far} over {before} connections, and more give no more throughput: both builds are also measured at a constant rate, {rate}/s."
            ),
            false => format!(
                "{so_far} over {before} connections: both builds are also measured over {}, and at a constant rate, {rate}/s.",
                listed(&self.closed)
            ),
        }
    }
}

fn connections(phase: &PhasePlan) -> Option<u32> {
    match phase.kind {
        PhaseKind::Closed { connections, .. } => Some(connections),
        _ => None,
    }
}

/// Requests a second of a build.
fn throughput(results: &Results, variant: &str, connections: u32) -> Option<f64> {
    let cell = results.cells.iter().find(|cell| cell.variant == variant)?;
    let id = format!("closed-{connections}.throughput");
    let metric = cell.metrics.iter().find(|metric| metric.id == id)?;
    Some(metric.estimate.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn results(figures: &[(&str, u32, f64)]) -> Results {
        let cell = |variant: &str| -> Value {
            let metrics: Vec<Value> = figures
                .iter()
                .filter(|figure| figure.0 == variant)
                .map(|(_, connections, value)| {
                    let id = format!("closed-{connections}.throughput");
                    json!({
                        "id": id, "name": id, "unit": "/s", "good": "higher", "values": [],
                        "estimate": {"value": value, "low": value, "high": value},
                    })
                })
                .collect();
            json!({
                "cell": variant, "variant": variant, "limits": "none", "valid": 3, "invalid": 0,
                "failed": 0, "metrics": metrics, "cost": [],
            })
        };
        let results = json!({
            "format": 1, "cells": [cell("old"), cell("new")], "break_evens": [], "checks": [],
            "certificate": {"state": "valid", "evidence": []},
            "advice": {"sentence": "", "by_limits": []},
        });
        serde_json::from_value(results).unwrap()
    }

    fn after(figures: &[(&str, u32, f64)]) -> Option<Stages> {
        let builds = Builds {
            baseline: Some("old".to_owned()),
            candidate: "new".to_owned(),
        };
        let phases = Stages {
            closed: vec![4, 32],
            rate: 1.0,
            before: Vec::new(),
        };
        Stages::after(&results(figures), &builds, &phases.phases())
    }

    #[test]
    fn connections_are_doubled_below_the_knee_and_a_rate_both_can_hold_comes_last() {
        let waits = [
            ("old", 4, 400.0),
            ("old", 32, 3_200.0),
            ("new", 4, 400.0),
            ("new", 32, 3_000.0),
        ];
        let stages = after(&waits).unwrap();
        assert_eq!(stages.closed, [64, 128, 256]);
        assert!((stages.rate - 1_800.0).abs() < 1e-9);
        let labels: Vec<String> = stages.phases().into_iter().map(|p| p.label).collect();
        assert_eq!(
            labels,
            ["closed-64", "closed-128", "closed-256", "open-1800"]
        );
    }

    #[test]
    fn beyond_the_knee_there_is_the_rate_alone() {
        let works = [
            ("old", 4, 8_900.0),
            ("old", 32, 10_000.0),
            ("new", 4, 8_900.0),
            ("new", 32, 10_000.0),
        ];
        assert_eq!(after(&works).unwrap().closed, [0; 0]);
        assert_eq!(after(&works[..2]), None);
    }

    #[test]
    fn builds_are_alike_only_if_they_are_so_under_more_load_too() {
        use Verdict::{Inconclusive, Same, Worse};
        for (few, more, expected) in [
            (Same, Same, Same),
            (Same, Inconclusive, Inconclusive),
            (Same, Worse, Worse),
            (Inconclusive, Same, Inconclusive),
            (Worse, Same, Worse),
            (Worse, Inconclusive, Worse),
        ] {
            let found = together(Some(few), more);
            assert_eq!(found, Some(expected), "{few:?} {more:?}");
        }
    }

    #[test]
    fn the_knee_is_said_where_it_is_known() {
        let stages = |closed: &[u32]| Stages {
            closed: closed.to_vec(),
            rate: 1_800.0,
            before: vec![4, 32],
        };
        let same = Some(Verdict::Same);
        let said = stages(&[]).sentence(same);
        assert!(said.contains("more give no more throughput"), "{said}");
        let said = stages(&[64, 128]).sentence(same);
        assert!(
            said.contains("over 64, 128, and at a constant rate, 1,800/s"),
            "{said}"
        );
        for (verdict, so_far) in [
            (Verdict::Same, "No difference that matters over 4, 32"),
            (Verdict::Worse, "Only a small loss over 4, 32"),
            (
                Verdict::Inconclusive,
                "No difference is told yet over 4, 32",
            ),
        ] {
            let said = stages(&[64]).sentence(Some(verdict));
            assert!(said.starts_with(so_far), "{said}");
        }
    }
}
