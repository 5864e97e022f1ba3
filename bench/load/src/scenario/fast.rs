//! More requests a second than a thread can sleep before: does it fall behind?

use super::constant::{at, behind_p50, behind_p99, in_bursts};
use super::{Bench, Rounds, Scenario};
use crate::error::BenchError;
use crate::report::{Section, Table, at_least, ratio};
use crate::rounds::Spread;
use crate::tools::{Measured, Tool};

const TOOLS: [Tool; 2] = [Tool::Tacho, Tool::Oha];

/// Requests a second.
const RATE: u32 = 50_000;

/// Of the rate that was asked for, from the first arrival to the last.
const RATE_BAR: f64 = 0.999;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let rounds = Rounds::measure(bench, &TOOLS, |tool| at(bench, tool, RATE))?;
    let mut table = Table::new(&[
        "tool",
        "arrivals a second / asked for",
        "behind p50, us",
        "behind p99, us",
        "in bursts",
        "CPU a request, us",
    ]);
    for tool in TOOLS {
        let of = |figure: fn(&Measured) -> f64| ratio(Spread::of(rounds.of(tool, figure)));
        table.row([
            tool.to_string(),
            of(kept),
            of(behind_p50),
            of(behind_p99),
            of(in_bursts),
            of(Measured::cpu_us_a_request),
        ]);
    }
    Ok(Section {
        title: Scenario::Fast.to_string(),
        bars: vec![at_least(
            "arrivals a second",
            RATE_BAR,
            "x what was asked for",
            Spread::of(rounds.of(Tool::Tacho, kept)),
        )],
        table: Some(table),
        notes: rounds.notes(),
    })
}

fn kept(measured: &Measured) -> f64 {
    let seen = measured.testimony.as_ref();
    seen.map_or(0.0, |seen| seen.rate / f64::from(RATE))
}
