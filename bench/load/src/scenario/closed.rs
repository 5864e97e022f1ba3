//! As fast as the generator's processor allows: what a request costs.

use super::{Bench, Rounds, Scenario, closed_loop};
use crate::error::BenchError;
use crate::report::{Section, Table, at_least, at_most, ratio};
use crate::rounds::Spread;
use crate::subject::Nginx;
use crate::tools::{Measured, Tool};

const TOOLS: [Tool; 6] = [
    Tool::Tacho,
    Tool::Wrk,
    Tool::BareLoop,
    Tool::Ab,
    Tool::Oha,
    Tool::Hey,
];

/// Of wrk's processor time a request.
const CPU_BAR: f64 = 0.85;
/// Of wrk's throughput.
const THROUGHPUT_BAR: f64 = 1.0;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let subject = Nginx::start(bench.processors.subject)?;
    let load = closed_loop(bench, bench.extent.closed_requests);
    let rounds = Rounds::measure(bench, &TOOLS, |tool| {
        bench
            .toolbox
            .run(tool, load, &subject.url(), bench.processors.generator)
    })?;
    let cpu = Spread::of(rounds.ratios(Tool::Tacho, Tool::Wrk, Measured::cpu_us_a_request));
    let throughput = Spread::of(rounds.ratios(Tool::Tacho, Tool::Wrk, Measured::requests_a_second));
    let mut table = Table::new(&["tool", "CPU a request / wrk", "requests a second / wrk"]);
    for tool in TOOLS {
        table.row([
            tool.to_string(),
            ratio(Spread::of(rounds.ratios(
                tool,
                Tool::Wrk,
                Measured::cpu_us_a_request,
            ))),
            ratio(Spread::of(rounds.ratios(
                tool,
                Tool::Wrk,
                Measured::requests_a_second,
            ))),
        ]);
    }
    Ok(Section {
        title: Scenario::Closed.to_string(),
        bars: vec![
            at_most("CPU a request", CPU_BAR, "x wrk", cpu),
            at_least(
                "throughput on one processor",
                THROUGHPUT_BAR,
                "x wrk",
                throughput,
            ),
        ],
        table: Some(table),
        notes: rounds.notes(),
    })
}
