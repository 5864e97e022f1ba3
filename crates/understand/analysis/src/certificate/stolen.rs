//! What stolen time did: the launches in which it happened against the others of the same cell.
//!
//! Each launch is held against the mean of the calm launches of its cell, on a logarithmic scale,
//! phase by phase. The mean over its phases is its one value, and all launches together are asked
//! whether the stolen ones were slower.

use super::completed;
use super::duet::slowness;
use super::machine::stolen_share;
use std::collections::BTreeMap;
use tacho_run_folder::RunData;
use tacho_statistics::student;

/// One-sided, for either side of the equivalence.
const ERROR: f64 = 0.05;
/// Fewer calm launches of a cell are no measure for the others.
const FEWEST_CALM: usize = 2;
/// Fewer launches with stolen time show nothing: they may have met one mode of the compiler.
const FEWEST_STOLEN: usize = 3;

/// How much slower launches were from which more than a share of the machine was stolen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// As a fraction: 0.1 is a tenth slower.
    pub slower_by: f64,
    /// Its 90 % interval reaches so far to both sides, on a logarithmic scale.
    error: f64,
}

impl Effect {
    /// It is shown that they differed by less than the threshold.
    pub fn is_none(&self, threshold: f64) -> bool {
        self.slower_by.ln_1p().abs() + self.error <= threshold.ln_1p()
    }
}

/// How slow a launch was in each of its phases, by the phase's label.
type Slowness<'a> = BTreeMap<&'a str, f64>;

/// The launches of a cell.
#[derive(Debug, Default)]
struct OfCell<'a> {
    calm: Vec<Slowness<'a>>,
    stolen: Vec<Slowness<'a>>,
}

impl<'a> OfCell<'a> {
    /// The mean of the calm launches in each phase, where they are enough to be a measure.
    fn usual(&self) -> Slowness<'a> {
        let mut values: BTreeMap<&'a str, Vec<f64>> = BTreeMap::new();
        for (&label, value) in self.calm.iter().flatten() {
            values.entry(label).or_default().push(*value);
        }
        let known = values.into_iter();
        known
            .filter(|(_, values)| values.len() >= FEWEST_CALM)
            .map(|(label, values)| (label, mean(&values)))
            .collect()
    }

    /// How much slower than usual each launch was: the calm ones, and the stolen ones. `None` where
    /// a stolen one cannot be compared: it may be the one that was slowed down.
    fn excess(&self) -> Option<(Vec<f64>, Vec<f64>)> {
        let usual = self.usual();
        let calm = self.calm.iter().filter_map(|one| excess(one, &usual));
        let stolen = self.stolen.iter().map(|one| excess(one, &usual));
        Some((calm.collect(), stolen.collect::<Option<_>>()?))
    }
}

/// How much slower than usual a launch was: one value, since what disturbs one phase of a launch
/// disturbs the next. `None` where no phase can be compared.
fn excess(launch: &Slowness<'_>, usual: &Slowness<'_>) -> Option<f64> {
    let phases = launch.iter();
    let excess: Vec<f64> = phases
        .filter_map(|(label, value)| Some(value - usual.get(label)?))
        .collect();
    (!excess.is_empty()).then(|| mean(&excess))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn by_cell(run: &RunData, stolen_above: f64) -> BTreeMap<&str, OfCell<'_>> {
    let mut cells: BTreeMap<&str, OfCell<'_>> = BTreeMap::new();
    for launch in completed(run) {
        let phases = launch.record.phases.iter();
        let slowness: Slowness<'_> = phases
            .filter_map(|phase| Some((phase.label.as_str(), slowness(phase)?)))
            .collect();
        let cell = cells.entry(launch.record.cell.as_str()).or_default();
        let share = stolen_share(&launch.record, run.header.machine.cpus);
        match share.is_some_and(|share| share > stolen_above) {
            true => cell.stolen.push(slowness),
            false => cell.calm.push(slowness),
        }
    }
    cells
}

/// `None` where too few can be compared, or one with stolen time can be compared with nothing.
pub fn effect(run: &RunData, stolen_above: f64) -> Option<Effect> {
    let cells = by_cell(run, stolen_above);
    let mut all: Vec<f64> = Vec::new();
    let (mut squares, mut degrees, mut weight) = (0.0, 0.0, 0.0);
    for cell in cells.values().filter(|cell| !cell.stolen.is_empty()) {
        let (calm, stolen) = cell.excess()?;
        squares += calm.iter().map(|value| value.powi(2)).sum::<f64>();
        degrees += calm.len() as f64 - 1.0;
        // The variance of the mean of the calm launches, with which all stolen launches of the
        // cell are compared.
        weight += (stolen.len() * stolen.len()) as f64 / calm.len() as f64;
        all.extend(stolen);
    }
    if all.len() < FEWEST_STOLEN {
        return None;
    }
    let (mean, count) = (mean(&all), all.len() as f64);
    // Stolen launches may scatter more than calm ones.
    squares += all.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    degrees += count - 1.0;
    let variance = squares / degrees;
    let error = (variance * (1.0 / count + weight / (count * count))).sqrt();
    Some(Effect {
        slower_by: mean.exp_m1(),
        error: student::quantile(ERROR, degrees) * error,
    })
}
