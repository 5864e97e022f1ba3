//! Values by launch, from the results of a run or from another document.

use crate::model::Figure;
use serde_json::Value;
use std::collections::BTreeMap;
use tacho_run_folder::{
    CellResult, CertificateState, LateShare, LaunchData, LaunchOutcome, PhaseRecord, PhaseTag,
    Quantile, Quantiles, RequestRow, Results, RunData, late_shares_of,
};

/// What a run gave.
#[derive(Debug, Clone, PartialEq)]
pub enum Measured {
    /// An experiment: its results, and what its launches say besides.
    Run(Box<Results>, Described),
    /// A document that a command printed.
    Document(Value),
    /// Nothing, and why.
    Nothing(String),
}

/// Figures of phases that are described and not compared, by cell and id, one value a launch: a run
/// asks many questions already, and each takes its part of the error.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Described(BTreeMap<(String, String), Vec<f64>>);

/// The end of its id, behind the label of the phase; its value; and the quantiles with which it is
/// late. As in `results.json`, more than a tenth of it is then the generator's own lateness. A mean
/// is late where the lateness was not that of a few requests.
type Statistic = (&'static str, fn(&Quantiles) -> f64, &'static [Quantile]);
const DESCRIBED: [Statistic; 4] = [
    ("response_min_ms", |times| times.min, &[]),
    (
        "response_mean_ms",
        |times| times.mean,
        &[Quantile::P50, Quantile::P90],
    ),
    ("response_p90_ms", |times| times.p90, &[Quantile::P90]),
    ("response_p95_ms", |times| times.p95, &[Quantile::P95]),
];

/// How many of the first requests are described one by one, as a user who sends requests by hand
/// would see them.
const ONE_BY_ONE: usize = 5;

impl Described {
    /// Describes the launches that were completed.
    #[must_use]
    pub fn of(run: &RunData) -> Self {
        let mut all = Self::default();
        let is_whole = |launch: &&LaunchData| launch.record.outcome == LaunchOutcome::Completed;
        for launch in run.launches.iter().filter(is_whole) {
            for (place, phase) in launch.record.phases.iter().enumerate() {
                if phase.kind == PhaseTag::Cold {
                    all.add_one_by_one(launch, place, &phase.label);
                }
                let Some(times) = phase.response_time_ms.filter(|times| times.count > 0) else {
                    continue;
                };
                let late = late_quantiles(phase);
                for (id, statistic, late_with) in DESCRIBED {
                    let key = (launch.record.cell.clone(), format!("{}.{id}", phase.label));
                    // Without a value it is known at least that it was late.
                    let values = all.0.entry(key).or_default();
                    if !late_with.iter().any(|quantile| late.contains(quantile)) {
                        values.push(statistic(&times));
                    }
                }
            }
        }
        all
    }

    /// Adds the response times of the first requests, each under its number, up to the first
    /// failure.
    fn add_one_by_one(&mut self, launch: &LaunchData, phase: usize, label: &str) {
        let of_phase = |row: &&RequestRow| row.phase as usize == phase;
        let mut rows: Vec<&RequestRow> = launch.requests.iter().filter(of_phase).collect();
        rows.sort_by_key(|row| row.intended_ns);
        let answered = rows.into_iter().take_while(|row| row.outcome.is_good());
        for (number, row) in (1..=ONE_BY_ONE).zip(answered) {
            let id = format!("{label}.request_{number}_ms");
            let key = (launch.record.cell.clone(), id);
            self.0.entry(key).or_default().push(row.response_time_ms());
        }
    }
}

/// Those of which more than a tenth is the generator's own lateness.
fn late_quantiles(phase: &PhaseRecord) -> Vec<Quantile> {
    let shares = late_shares_of(phase).unwrap_or_default().into_iter();
    let late = shares.filter(LateShare::is_late);
    late.map(|share| share.quantile).collect()
}

/// The values of a figure.
#[derive(Debug, Clone, PartialEq)]
pub struct Values {
    /// One value a launch, of the variant that the claim is about.
    pub of: Vec<f64>,
    /// One value a launch, of the variant by which the values of the first are divided.
    pub to: Option<Vec<f64>>,
    /// As in `results.json`; `1` of a ratio.
    pub unit: String,
    /// The values are counts: one launch tells as much as many.
    pub is_counted: bool,
    /// Whether the run can be trusted; `None` where a command printed the values, since no
    /// certificate covers them.
    pub certificate: Option<CertificateState>,
}

impl Measured {
    /// The values of a figure.
    ///
    /// # Errors
    /// With the reason why there are none.
    pub fn values(&self, figure: &Figure) -> Result<Values, String> {
        match (self, figure) {
            (Self::Nothing(why), _) => Err(why.clone()),
            (Self::Run(results, described), Figure::Metric { id, of, to, limits }) => {
                let wanted = (id.as_str(), of.as_str(), to.as_deref(), limits.as_deref());
                of_metric(results, described, wanted)
            }
            (Self::Document(document), Figure::Pointer(pointer)) => of_document(document, pointer),
            (Self::Run(..), Figure::Pointer(_)) => {
                Err("an experiment gives metrics; look at `metric` and `of`".to_owned())
            }
            (Self::Document(_), Figure::Metric { .. }) => {
                Err("a command gives a document; look at a `pointer`".to_owned())
            }
        }
    }
}

fn of_metric(
    results: &Results,
    described: &Described,
    (id, of, to, limits): (&str, &str, Option<&str>, Option<&str>),
) -> Result<Values, String> {
    let cell = |variant: &str| cell(results, variant, limits);
    let values = |variant: &str| {
        let cell = cell(variant)?;
        let key = (cell.cell.clone(), id.to_owned());
        match described.0.get(&key) {
            Some(values) if values.is_empty() => Err(late_in_all(id)),
            Some(values) => Ok((values.clone(), "ms".to_owned())),
            None => metric(cell, id),
        }
    };
    let first = values(of)?;
    let second = to.map(values).transpose()?;
    let is_ratio = second.is_some();
    Ok(Values {
        of: first.0,
        to: second.map(|(values, _)| values),
        unit: if is_ratio { "1".to_owned() } else { first.1 },
        is_counted: false,
        certificate: Some(results.certificate.state),
    })
}

fn cell<'r>(
    results: &'r Results,
    variant: &str,
    limits: Option<&str>,
) -> Result<&'r CellResult, String> {
    let mut cells = results.cells.iter().filter(|cell| {
        cell.variant == variant && limits.is_none_or(|limits| cell.limits == limits)
    });
    match (cells.next(), cells.next()) {
        (Some(cell), None) => Ok(cell),
        (Some(_), Some(_)) => Err(format!(
            "`{variant}` was measured under several limits; say which with `limits`"
        )),
        (None, _) => {
            let all: Vec<String> = results
                .cells
                .iter()
                .map(|cell| format!("{} at {}", cell.variant, cell.limits))
                .collect();
            let limits = limits.map_or_else(String::new, |limits| format!(" at {limits}"));
            Err(format!(
                "`{variant}`{limits} was not measured; there are {}",
                all.join(", ")
            ))
        }
    }
}

fn metric(cell: &CellResult, id: &str) -> Result<(Vec<f64>, String), String> {
    let Some(metric) = cell.metrics.iter().find(|metric| metric.id == id) else {
        let all: Vec<&str> = cell.metrics.iter().map(|m| m.id.as_str()).collect();
        return Err(match cell.valid {
            0 => format!("no launch of `{}` came to its end", cell.variant),
            _ => format!("no launch has `{id}`; there are {}", all.join(", ")),
        });
    };
    if metric.is_late() {
        return Err(late_in_all(id));
    }
    if metric.is_lower_bound() {
        return Err(format!(
            "`{id}` is not known: {} of {} launches did not become steady in time",
            metric.unsteady.len(),
            metric.values.len()
        ));
    }
    let values = metric.values.iter().map(|value| value.value).collect();
    Ok((values, metric.unit.clone()))
}

fn late_in_all(id: &str) -> String {
    format!("`{id}` was the generator's lateness in every launch; a quieter machine tells")
}

fn of_document(document: &Value, pointer: &str) -> Result<Values, String> {
    let numbers = |value: &Value| match value {
        Value::Array(all) => all.iter().map(Value::as_f64).collect(),
        one => one.as_f64().map(|one| vec![one]),
    };
    let found = document.pointer(pointer).and_then(numbers);
    let of: Vec<f64> = found.ok_or_else(|| {
        format!("the command's document has no number and no list of numbers at `{pointer}`")
    })?;
    Ok(Values {
        of,
        to: None,
        unit: "1".to_owned(),
        is_counted: true,
        certificate: None,
    })
}
