//! Two builds that were launched: whether there is anything to explain, and what came out.

use crate::finding::{Findings, find};
use crate::search::Outcome;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_run_folder::LaunchOutcome::{Failed, Invalid};
use tacho_run_folder::{
    BuildChanges, CellResult, Dissection, Good, Interval, LaunchRecord, MetricResult, PhaseKind,
    PhasePlan, Plan, PutBack, Results, RunData, Verdict,
};
use tacho_statistics::bootstrap::{median, recovered_interval, seed_for};

/// Which variants of an experiment are compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Builds {
    /// Absent when one build is looked into alone.
    pub baseline: Option<String>,
    /// The newer build.
    pub candidate: String,
}

/// What came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Conclusion {
    /// The candidate costs more, and there are findings.
    Explained,
    /// The candidate costs more, and no finding explains it.
    NotExplained,
    /// The launches show no difference that matters.
    NoDifference,
    /// There may be a difference, but there are too few launches to tell.
    NotTold,
    /// One build alone was looked into.
    Single,
    /// A build has no launch that came to its end, or the one build could not be looked into.
    Failed,
    /// It was ended before there was anything to conclude from.
    Interrupted,
}

impl Conclusion {
    /// A change that was put back and gave back a part of the loss explains it, whatever else was
    /// found.
    #[must_use]
    pub fn with_causes(self, counterfactuals: &[Counterfactual]) -> Self {
        match self {
            Self::NotExplained if counterfactuals.iter().any(Counterfactual::is_cause) => {
                Self::Explained
            }
            other => other,
        }
    }

    /// What nobody interrupted has nothing to conclude from because the launch with instruments
    /// failed.
    #[must_use]
    pub fn of_a_whole_run(self) -> Self {
        match self {
            Self::Interrupted => Self::Failed,
            other => other,
        }
    }
}

impl Counterfactual {
    /// A change was put back, and what that gave back is told apart from nothing.
    #[must_use]
    pub fn is_cause(&self) -> bool {
        self.put_back.is_some() && self.gives_back.is_some_and(|share| share.low > 0.0)
    }
}

/// One figure of both builds, from launches without instruments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Measured {
    /// As in results.json.
    pub id: String,
    /// Name of the figure, for people.
    pub name: String,
    /// As in results.json.
    pub unit: String,
    /// Of the older build.
    pub baseline: Option<Interval>,
    /// Of the newer build.
    pub candidate: Interval,
    /// Candidate divided by baseline; null where there is no baseline.
    pub ratio: Option<Interval>,
    /// The conclusion on this figure.
    pub verdict: Option<Verdict>,
    /// Whether this figure counts for deciding if the candidate is slower. Tails such as p99 do
    /// not.
    #[serde(default)]
    pub decides: bool,
    /// Differences below this fraction count as the same; absent where there is no baseline.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// Launches of the candidate that are in it.
    #[serde(default)]
    pub launches: u64,
}

/// The candidate with one thing changed, launched in turns with both builds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Counterfactual {
    /// What was changed, for people.
    pub changed: String,
    /// The change of the candidate that was put back, where that is what was changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub put_back: Option<PutBack>,
    /// The variant that was launched.
    pub variant: String,
    /// Name of the figure by which it was judged, as in `measured`.
    pub figure: String,
    /// Share of the loss that the change gives back: 1 is all of it. Null where these launches show
    /// no loss.
    pub gives_back: Option<Interval>,
    /// Folder of its launches.
    pub folder: String,
}

/// The figures that show a build to be slower or costlier per request, in each phase in which it
/// was warm, and whether its answers are any good: a failure may be the quickest answer of all.
const FIGURES: [&str; 5] = [
    "throughput",
    "cpu_per_request_ms",
    "response_p50_ms",
    "response_p99_ms",
    FAILED_SHARE,
];
const FAILED_SHARE: &str = "failed_share";
/// A variant of which so many more requests fail than of the candidate does not do what that does.
const FAILED: f64 = 0.01;
/// A tail alone scatters too much to be looked into: not one request in a hundred shows it.
const DECIDING: [&str; 3] = ["throughput", "cpu_per_request_ms", "response_p50_ms"];

/// Phases whose figures are compared: all but those in which the service is cold, settles or rests;
/// all where there is no other.
#[must_use]
pub fn compared_phases(plan: &Plan) -> Vec<String> {
    let is_warm = |phase: &&PhasePlan| {
        let kind = &phase.kind;
        !matches!(
            kind,
            PhaseKind::Cold { .. } | PhaseKind::Settle { .. } | PhaseKind::Rest { .. }
        )
    };
    let labels = |phases: Vec<&PhasePlan>| -> Vec<String> {
        phases
            .into_iter()
            .map(|phase| phase.label.clone())
            .collect()
    };
    let warm: Vec<&PhasePlan> = plan.phases.iter().filter(is_warm).collect();
    match warm.is_empty() {
        true => labels(plan.phases.iter().collect()),
        false => labels(warm),
    }
}

/// In which figures of one phase the candidate lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Loss {
    /// Where it lost most first; never empty. Further launches may lack a figure: the generator was
    /// late in it.
    pub figures: Vec<LostFigure>,
    /// The phase that shows it.
    pub phase: String,
    /// Candidate by baseline, in the first of the figures.
    pub ratio: f64,
}

/// A figure in which the candidate lost.
#[derive(Debug, Clone, PartialEq)]
pub struct LostFigure {
    /// Its id in results.json.
    pub id: String,
    /// Its name, for people.
    pub name: String,
}

impl Builds {
    /// Candidate against baseline.
    #[must_use]
    pub fn figures(&self, results: &Results, phases: &[String]) -> Vec<Measured> {
        let baseline = self.baseline.as_ref().and_then(|name| cell(results, name));
        let figure = |metric: &MetricResult| {
            let before = baseline.and_then(|cell| cell.metrics.iter().find(|m| m.id == metric.id));
            let against = metric.versus_baseline.as_ref();
            Measured {
                id: metric.id.clone(),
                name: metric.name.clone(),
                unit: metric.unit.clone(),
                baseline: before.map(|m| m.estimate),
                candidate: metric.estimate,
                ratio: against.map(|c| c.ratio),
                verdict: against.map(|c| c.verdict),
                decides: decides(metric),
                threshold: against.map(|c| c.threshold),
                launches: metric.values.len() as u64,
            }
        };
        let figures = self.of_candidate(results, phases).map(figure);
        figures.filter(|row| !is_without_failures(row)).collect()
    }

    /// What the launches say of the candidate: the worst of the figures that decide.
    #[must_use]
    pub fn verdict(&self, results: &Results, phases: &[String]) -> Verdict {
        let deciding = self.of_candidate(results, phases).filter(|m| decides(m));
        let verdicts: Vec<Verdict> = deciding
            .filter_map(|metric| Some(metric.versus_baseline.as_ref()?.verdict))
            .collect();
        [Verdict::Worse, Verdict::Inconclusive, Verdict::Same]
            .into_iter()
            .find(|verdict| verdicts.contains(verdict))
            .unwrap_or(match verdicts.is_empty() {
                true => Verdict::Inconclusive,
                false => Verdict::Better,
            })
    }

    /// Why the candidate is slower; nothing unless whatever is compared was looked into.
    #[must_use]
    pub fn findings(
        &self,
        baseline: Option<&Dissection>,
        candidate: Option<&Dissection>,
        changes: Option<&BuildChanges>,
    ) -> Option<Findings> {
        match (baseline, &self.baseline) {
            (None, Some(_)) => None,
            _ => candidate.map(|candidate| find(baseline, candidate, changes)),
        }
    }

    /// What came out; `verdict` is why it was looked, or was not.
    #[must_use]
    pub fn conclusion(
        &self,
        results: &Results,
        verdict: Option<Verdict>,
        findings: Option<&Findings>,
    ) -> Conclusion {
        match findings {
            None if results.cells.iter().any(|cell| cell.valid == 0) => Conclusion::Failed,
            None => match verdict {
                Some(Verdict::Same | Verdict::Better) => Conclusion::NoDifference,
                Some(Verdict::Inconclusive) => Conclusion::NotTold,
                // A build could not be looked into, or was not.
                Some(Verdict::Worse) => Conclusion::NotExplained,
                None => Conclusion::Interrupted,
            },
            Some(_) if self.baseline.is_none() => Conclusion::Single,
            Some(findings) if findings.findings.is_empty() => Conclusion::NotExplained,
            Some(_) => Conclusion::Explained,
        }
    }

    /// The cost in which the candidate lost most, of those that were told apart; where none was, of
    /// all. `None` where it lost nothing.
    #[must_use]
    pub fn loss(&self, results: &Results, phases: &[String]) -> Option<Loss> {
        let costs = self.of_candidate(results, phases);
        let costs = costs.filter(|metric| decides(metric) && metric.good == Good::Lower);
        // Rank by the least loss that the interval allows. So of two figures with the same loss,
        // the one that scatters less comes first.
        let lost = |metric: &MetricResult| {
            let against = metric.versus_baseline.as_ref()?;
            let is_told = against.verdict == Verdict::Worse;
            (against.ratio.value > 1.0).then_some((is_told, against.ratio))
        };
        let mut lost: Vec<_> = costs
            .filter_map(|metric| Some((metric, lost(metric)?)))
            .collect();
        lost.sort_by(|(_, a), (_, b)| b.0.cmp(&a.0).then(b.1.low.total_cmp(&a.1.low)));
        let (most, (is_told, ratio)) = lost.first()?;
        let phase_of_most = phase(most)?;
        let beside = lost
            .iter()
            .filter(|(metric, (told, _))| told == is_told && phase(metric) == Some(phase_of_most));
        Some(Loss {
            figures: beside
                .map(|(metric, _)| LostFigure {
                    id: metric.id.clone(),
                    name: metric.name.clone(),
                })
                .collect(),
            phase: phase_of_most.to_owned(),
            ratio: ratio.value,
        })
    }

    /// The share of a loss that a variant recovers, by all launches of a run: 1 is all of it.
    #[must_use]
    pub fn outcome(&self, results: &Results, loss: &Loss, variant: &str) -> Outcome {
        let failed = |variant: &str| {
            let Some(cell) = cell(results, variant).filter(|cell| cell.valid > 0) else {
                return true;
            };
            let shares = cell.metrics.iter();
            let mut shares = shares.filter(|metric| metric.id.ends_with(".failed_share"));
            shares.any(|metric| {
                let of_candidate = share_of_candidate(results, &self.candidate, &metric.id);
                metric.estimate.value > of_candidate + FAILED
            })
        };
        if failed(variant) {
            return Outcome::Failed;
        }
        let share = |figure: &LostFigure| {
            let of = |variant: &str| median(&values(results, variant, &figure.id));
            let before = self.baseline.as_deref().and_then(of)?;
            let (after, then) = (of(&self.candidate)?, of(variant)?);
            (after > before).then(|| (after - then) / (after - before))
        };
        let share = loss.figures.iter().find_map(share);
        share.map_or(Outcome::NotMeasured, Outcome::GivesBack)
    }

    /// How much of the loss a variant gives back, where the variant is the candidate with one thing
    /// changed. It goes by the figure in which the candidate lost most, among those that all
    /// variants have. `None` where there is no such figure. All `results` are of the same variants,
    /// each launched in turns. Of so many answers `together` all intervals hold with a chance of
    /// 95 %.
    #[must_use]
    pub fn counterfactual(
        &self,
        results: &[&Results],
        (seed, together): (u64, usize),
        (changed, variant): (&str, &str),
        (loss, folder): (&Loss, &str),
    ) -> Option<Counterfactual> {
        let baseline = self.baseline.as_ref()?;
        let measured = |figure: &LostFigure| {
            let of = |variant: &str| -> Vec<f64> {
                let all = results.iter();
                all.flat_map(|results| values(results, variant, &figure.id))
                    .collect()
            };
            let all = (of(baseline), of(&self.candidate), of(variant));
            let is_whole = !all.0.is_empty() && !all.1.is_empty() && !all.2.is_empty();
            is_whole.then_some((figure.name.clone(), all))
        };
        let (figure, (before, after, switched)) = loss.figures.iter().find_map(measured)?;
        let seed = seed_for(seed, variant);
        Some(Counterfactual {
            changed: changed.to_owned(),
            put_back: None,
            variant: variant.to_owned(),
            figure,
            gives_back: recovered_interval(&before, &after, &switched, seed, together),
            folder: folder.to_owned(),
        })
    }

    /// The figures of these phases.
    fn of_candidate<'r>(
        &self,
        results: &'r Results,
        phases: &[String],
    ) -> impl Iterator<Item = &'r MetricResult> {
        let metrics = cell(results, &self.candidate).map_or(&[][..], |cell| &cell.metrics);
        let is_compared = |metric: &&MetricResult| {
            phase(metric).is_some_and(|phase| phases.iter().any(|known| known == phase))
        };
        metrics
            .iter()
            .filter(is_compared)
            .collect::<Vec<_>>()
            .into_iter()
    }
}

/// What a figure of the candidate is; nothing where it has none.
fn share_of_candidate(results: &Results, candidate: &str, id: &str) -> f64 {
    let metrics = cell(results, candidate).map_or(&[][..], |cell| &cell.metrics);
    let found = metrics.iter().find(|metric| metric.id == id);
    found.map_or(0.0, |metric| metric.estimate.value)
}

/// One value a launch.
fn values(results: &Results, variant: &str, id: &str) -> Vec<f64> {
    let metrics = cell(results, variant).map_or(&[][..], |cell| &cell.metrics);
    let found = metrics.iter().filter(|metric| metric.id == id);
    found
        .flat_map(|metric| metric.values.iter().map(|v| v.value))
        .collect()
}

/// Why launches failed, each reason once.
#[must_use]
pub fn failures(run: &RunData) -> Vec<String> {
    let launches = run.launches.iter();
    let mut reasons: Vec<String> = launches
        .filter_map(|launch| why_it_failed(&launch.record))
        .collect();
    reasons.sort();
    reasons.dedup();
    reasons
}

/// Why launches with instruments failed, and so what they would have seen is missing.
#[must_use]
pub fn failures_with_instruments(run: &RunData) -> Vec<String> {
    let launches = run.diagnoses.iter();
    let reasons = launches.filter_map(|launch| why_it_failed(&launch.record));
    reasons
        .map(|why| format!("The launch with instruments failed. {why}"))
        .collect()
}

fn why_it_failed(record: &LaunchRecord) -> Option<String> {
    match &record.outcome {
        Failed { message, .. } => Some(format!("{}: {message}", record.cell)),
        Invalid { reason } => Some(format!("{}: {reason}", record.cell)),
        _ => None,
    }
}

fn cell<'r>(results: &'r Results, variant: &str) -> Option<&'r CellResult> {
    results.cells.iter().find(|cell| cell.variant == variant)
}

/// The phase of a metric, when the metric is one of [`FIGURES`].
fn phase(metric: &MetricResult) -> Option<&str> {
    let (phase, name) = metric.id.rsplit_once('.')?;
    FIGURES.contains(&name).then_some(phase)
}

/// A row of failed requests where none failed.
fn is_without_failures(row: &Measured) -> bool {
    let failed = row.baseline.map_or(0.0, |before| before.value) + row.candidate.value;
    row.is_of_failures() && failed == 0.0
}

impl Measured {
    /// It is the share of requests that failed.
    #[must_use]
    pub fn is_of_failures(&self) -> bool {
        self.id.rsplit('.').next() == Some(FAILED_SHARE)
    }
}

fn decides(metric: &MetricResult) -> bool {
    let name = metric.id.rsplit('.').next();
    name.is_some_and(|name| DECIDING.contains(&name))
}

#[cfg(test)]
mod tests;
