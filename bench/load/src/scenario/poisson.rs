//! Poisson arrivals against their own schedule.

use super::{Bench, Scenario};
use crate::child;
use crate::error::BenchError;
use crate::report::{Section, at_most};
use crate::rounds::Spread;
use crate::subject::{url_of, witness};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
use tacho_witness::Punctuality;

const RATES: [u32; 2] = [2_000, 10_000];
const BEHIND_P50_BAR_US: f64 = 5.0;
const BEHIND_P99_BAR_US: f64 = 100.0;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let mut bars = Vec::new();
    for rate in RATES {
        let mut rounds = Vec::new();
        for round in 1..=bench.extent.rounds {
            rounds.push(at(bench, rate)?);
            eprintln!(
                "  {rate} a second, round {round} of {}",
                bench.extent.rounds
            );
        }
        let figure = |of: fn(&Punctuality) -> f64| Spread::of(rounds.iter().map(of));
        let named = |what: &str| format!("{rate}/s: behind its own schedule, {what}");
        bars.push(at_most(
            &named("p50"),
            BEHIND_P50_BAR_US,
            "us",
            figure(|seen| seen.behind_us.p50),
        ));
        bars.push(at_most(
            &named("p99"),
            BEHIND_P99_BAR_US,
            "us",
            figure(|seen| seen.behind_us.p99),
        ));
    }
    Ok(Section {
        title: Scenario::Poisson.to_string(),
        bars,
        table: None,
        notes: Vec::new(),
    })
}

/// The instants of the first requests are in what Tacho leaves behind: they are held against the
/// first arrivals.
fn at(bench: &Bench, rate: u32) -> Result<Punctuality, BenchError> {
    let witness = witness(bench.processors.subject)?;
    let folder = tempfile::tempdir()?;
    let mut command = Command::new(bench.toolbox.tacho());
    command
        .args(["load", "--poisson", &rate.to_string()])
        .args(["--duration", &format!("{}s", bench.extent.constant_seconds)])
        .args(["--connections", "64", "--out"])
        .arg(folder.path().join("out"))
        .arg(url_of(&witness));
    let limit = Duration::from_secs(bench.extent.constant_seconds + 60);
    child::run(&mut command, bench.processors.generator, limit)?;
    let mut arrived: Vec<u64> = witness.stop()?.iter().map(|seen| seen.arrived).collect();
    arrived.sort_unstable();
    let mut intended = intended(&folder.path().join("out"))?;
    intended.sort_unstable();
    Punctuality::of(&arrived[..arrived.len().min(intended.len())], &intended).ok_or_else(|| {
        BenchError::Unreadable {
            command: child::as_text(&command),
            reason: "too few requests".to_owned(),
            said: String::new(),
        }
    })
}

/// The column of instants in requests.csv.
fn intended(folder: &Path) -> Result<Vec<u64>, BenchError> {
    let path = folder.join("requests.csv");
    let file = |error: csv::Error| BenchError::File {
        path: path.clone(),
        source: error.into(),
    };
    let mut rows = csv::Reader::from_path(&path).map_err(file)?;
    let column = rows.headers().map_err(file)?;
    let column = column.iter().position(|name| name == "intended_ns");
    let mut instants = Vec::new();
    for row in rows.records() {
        let row = row.map_err(file)?;
        let cell = column.and_then(|column| row.get(column));
        instants.extend(cell.and_then(|cell| cell.parse::<u64>().ok()));
    }
    Ok(instants)
}
