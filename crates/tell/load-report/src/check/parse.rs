//! Reading a check, with the place of every mistake.

use super::{Check, CheckError, CheckProblem, Metric};
use tacho_load::recorder::MOST_KINDS;
use tacho_quantity::{
    Bound, Dimension, Errors, Misread, Objective, ObjectiveProblem, Part, Time, nearest,
};

const METRICS: &[&str] = &[
    "p50",
    "p90",
    "p95",
    "p99",
    "p99.9",
    "min",
    "mean",
    "max",
    "rate",
    "errors",
    "service-p99",
    "dispatch-p99",
    "lag-p99",
];

/// The words that people use most, for suggestions.
pub fn metrics() -> Vec<String> {
    METRICS.iter().map(|word| (*word).to_owned()).collect()
}

impl Check {
    /// Reads a check.
    ///
    /// # Errors
    /// With the place and what to write instead.
    pub fn parse(text: &str) -> Result<Self, CheckError> {
        let read: Objective = text.parse().map_err(unreadable)?;
        if let Some(cells) = read.cells() {
            return Err(cells.error(CheckProblem::NoCells {
                word: cells.text().to_owned(),
            }));
        }
        let (metric, bound) = metric(&read)?;
        if let (Some(kind), Metric::Time(Time::Dispatch | Time::Lag, _)) = (read.request(), metric)
        {
            return Err(kind.error(CheckProblem::NotByKind {
                metric: read.word().text().to_owned(),
                kind: kind.text().to_owned(),
            }));
        }
        Ok(Self {
            text: text.to_owned(),
            phase: read.phase().map(|part| part.text().to_owned()),
            metric,
            kind: read.request().map(|part| part.text().to_owned()),
            operator: read.operator,
            bound,
            every_s: read.window.map(|window| window.as_secs_f64()),
        })
    }

    /// Checks that the phase and the kind of request exist in the run. Call this before anything is
    /// sent. Without `requests`, the kinds are not known yet and are not checked.
    ///
    /// # Errors
    /// With the place and the nearest right name.
    pub fn fits(&self, phases: &[String], requests: Option<&[String]>) -> Result<(), CheckError> {
        let place_of = |word: &str| Part::word(&self.text, word);
        let names = |all: &[String]| all.iter().take(8).cloned().collect::<Vec<_>>();
        if let Some(phase) = &self.phase
            && !phases.contains(phase)
        {
            return Err(place_of(phase).error(CheckProblem::UnknownPhase {
                word: phase.clone(),
                nearest: nearest(phase, phases.iter().map(String::as_str)),
                known: names(phases),
            }));
        }
        if let (Some(kind), Some(requests)) = (&self.kind, requests) {
            match requests.iter().position(|name| name == kind) {
                Some(index) if index >= MOST_KINDS => {
                    return Err(
                        place_of(kind).error(CheckProblem::KindNotKept { word: kind.clone() })
                    );
                }
                Some(_) => {}
                None => {
                    return Err(place_of(kind).error(CheckProblem::UnknownKind {
                        word: kind.clone(),
                        nearest: nearest(kind, requests.iter().map(String::as_str)),
                        known: names(requests),
                    }));
                }
            }
        }
        Ok(())
    }
}

fn unreadable(error: Misread<ObjectiveProblem>) -> CheckError {
    error.map(CheckProblem::Unreadable)
}

fn metric(read: &Objective) -> Result<(Metric, Bound), CheckError> {
    use tacho_quantity::Metric as Word;
    let bound = |dimension| read.bound(dimension).map_err(unreadable);
    Ok(match &read.metric {
        Word::Time(time, statistic) => {
            (Metric::Time(*time, *statistic), bound(Dimension::Duration)?)
        }
        Word::Rate => (Metric::Rate, bound(Dimension::Rate)?),
        Word::Errors => match read.errors().map_err(unreadable)? {
            Errors::Share(share) => (Metric::ErrorShare, share),
            Errors::Count(_) => (Metric::ErrorCount, bound(Dimension::Count)?),
        },
        Word::Word(word) => {
            return Err(read.word().error(CheckProblem::UnknownMetric {
                word: word.clone(),
                nearest: nearest(word, METRICS.iter().copied()),
            }));
        }
    })
}
