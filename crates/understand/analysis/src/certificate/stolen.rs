//! What stolen time did: the launches in which it happened against the others of the same cell.
//!
//! Each launch is held against the mean of the calm launches of its cell, on a logarithmic scale,
//! phase by phase, and all of them together are asked whether the stolen ones were slower.

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

/// `None` where too few can be compared.
pub fn effect(run: &RunData, stolen_above: f64) -> Option<Effect> {
    let mut groups: BTreeMap<(&str, &str), [Vec<f64>; 2]> = BTreeMap::new();
    let mut launches = 0;
    for launch in completed(run) {
        let share = stolen_share(&launch.record, run.header.machine.cpus);
        let is_stolen = share.is_some_and(|share| share > stolen_above);
        launches += usize::from(is_stolen);
        for phase in &launch.record.phases {
            let group = (launch.record.cell.as_str(), phase.label.as_str());
            let values = &mut groups.entry(group).or_default()[usize::from(is_stolen)];
            values.extend(slowness(phase));
        }
    }
    let comparable = groups
        .into_values()
        .filter(|[calm, stolen]| calm.len() >= FEWEST_CALM && !stolen.is_empty());
    let (mut excess, mut squares, mut degrees, mut weight) = (Vec::new(), 0.0, 0.0, 0.0);
    for [calm, stolen] in comparable {
        let mean = calm.iter().sum::<f64>() / calm.len() as f64;
        squares += calm.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        degrees += calm.len() as f64 - 1.0;
        // The variance of the mean of the calm launches, with which all stolen launches of the
        // group are compared.
        weight += (stolen.len() * stolen.len()) as f64 / calm.len() as f64;
        excess.extend(stolen.iter().map(|value| value - mean));
    }
    let count = excess.len() as f64;
    if excess.is_empty() || launches < FEWEST_STOLEN {
        return None;
    }
    let mean = excess.iter().sum::<f64>() / count;
    // Stolen launches may scatter more than calm ones.
    squares += excess
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>();
    degrees += count - 1.0;
    let variance = squares / degrees;
    let error = (variance * (1.0 / count + weight / (count * count))).sqrt();
    Some(Effect {
        slower_by: mean.exp_m1(),
        error: student::quantile(ERROR, degrees) * error,
    })
}
