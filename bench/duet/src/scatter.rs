//! How much two variants scatter against each other, launch by launch and pair by pair.

use std::collections::BTreeMap;
use tacho_run_folder::{LaunchOutcome, RunFolder};

/// Variances of the logarithm of a ratio.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scatter {
    /// Of two launches that have nothing to do with each other.
    pub apart: f64,
    /// Of two launches of a block.
    pub paired: f64,
}

/// Of the throughput of the closed phase. `None` of fewer than three pairs.
pub fn of(folder: &RunFolder) -> Option<Scatter> {
    let plan = folder.plan().ok()?;
    let mut blocks: BTreeMap<u32, [Option<f64>; 2]> = BTreeMap::new();
    for launch in folder.launches().ok()? {
        let Ok(record) = launch.record() else {
            continue;
        };
        let cell = plan.cells.iter().position(|cell| cell.id == record.cell)?;
        let phase = record.phases.iter().find(|phase| phase.label == "closed");
        if record.outcome == LaunchOutcome::Completed {
            let value = phase.map(|phase| phase.throughput.ln());
            *blocks.entry(record.block()).or_default().get_mut(cell)? = value;
        }
    }
    let pairs = blocks.into_values();
    let pairs: Vec<(f64, f64)> = pairs.filter_map(|[a, b]| a.zip(b)).collect();
    let side = |of: fn(&(f64, f64)) -> f64| variance(&pairs.iter().map(of).collect::<Vec<_>>());
    (pairs.len() >= 3).then(|| Scatter {
        apart: side(|pair| pair.0) + side(|pair| pair.1),
        paired: side(|pair| pair.0 - pair.1),
    })
}

fn variance(values: &[f64]) -> f64 {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (values.len() - 1) as f64
}
