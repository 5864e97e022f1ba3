//! The program as it is shipped.

use super::{Bench, Scenario};
use crate::error::BenchError;
use crate::report::{Section, at_most};
use crate::rounds::Spread;

const SIZE_BAR_MB: f64 = 15.0;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let path = bench.toolbox.tacho();
    let file = std::fs::metadata(path).map_err(|source| BenchError::File {
        path: path.to_owned(),
        source,
    })?;
    Ok(Section {
        title: Scenario::Size.to_string(),
        bars: vec![at_most(
            "stripped binary",
            SIZE_BAR_MB,
            "MB",
            Spread::of([file.len() as f64 / 1e6]),
        )],
        table: None,
        notes: Vec::new(),
    })
}
