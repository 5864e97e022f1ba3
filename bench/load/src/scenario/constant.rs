//! A constant rate: what a request costs when there is time between them, and how late it is sent.

use super::{Bench, Rounds, Scenario};
use crate::error::BenchError;
use crate::report::{Section, Table, at_most, ratio};
use crate::rounds::Spread;
use crate::subject::Nginx;
use crate::tools::{Load, Measured, Tool};

/// Both correct for coordinated omission.
const TOOLS: [Tool; 2] = [Tool::Tacho, Tool::Oha];

/// Of oha's processor time a request.
const CPU_BAR: f64 = 0.45;
/// p99.9 of the dispatch delay, in milliseconds.
const DELAY_BAR_MS: f64 = 1.0;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let subject = Nginx::start(bench.processors.subject)?;
    let load = Load::Constant {
        connections: 64,
        rate: 10_000,
        seconds: bench.extent.constant_seconds,
    };
    let rounds = Rounds::measure(&TOOLS, bench.extent.rounds, |tool| {
        bench
            .toolbox
            .run(tool, load, &subject.url(), bench.processors.generator)
    })?;
    let cpu = Spread::of(rounds.ratios(Tool::Tacho, Tool::Oha, Measured::cpu_us_a_request));
    let delay = rounds.of(Tool::Tacho, |m| {
        m.said.dispatch_delay_p99_9_ms.unwrap_or(f64::INFINITY)
    });
    let mut table = Table::new(&["tool", "CPU a request / oha", "requests / asked for"]);
    let asked = 10_000.0 * bench.extent.constant_seconds as f64;
    for tool in TOOLS {
        table.row([
            tool.to_string(),
            ratio(Spread::of(rounds.ratios(
                tool,
                Tool::Oha,
                Measured::cpu_us_a_request,
            ))),
            ratio(Spread::of(
                rounds.of(tool, |m| m.said.requests as f64 / asked),
            )),
        ]);
    }
    Ok(Section {
        title: Scenario::Constant.to_string(),
        bars: vec![
            at_most("CPU a request", CPU_BAR, "x oha", cpu),
            at_most(
                "dispatch delay p99.9",
                DELAY_BAR_MS,
                "ms",
                Spread::of(delay),
            ),
        ],
        table: Some(table),
        notes: rounds.doubts(),
    })
}
