//! A constant rate: what a request costs when there is time between them, and how late it is sent.

use super::{Bench, Rounds, Scenario};
use crate::error::BenchError;
use crate::report::{Section, Table, at_most, ratio};
use crate::rounds::Spread;
use crate::sleeper::Sleeper;
use crate::subject::Nginx;
use crate::tools::{Load, Measured, Tool};

/// Both correct for coordinated omission.
const TOOLS: [Tool; 2] = [Tool::Tacho, Tool::Oha];

/// Requests a second.
const RATE: u32 = 10_000;
/// Of oha's processor time a request.
const CPU_BAR: f64 = 0.45;
/// p99.9 of the dispatch delay, in milliseconds.
const DELAY_BAR_MS: f64 = 1.0;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let subject = Nginx::start(bench.processors.subject)?;
    let load = Load::Constant {
        connections: 64,
        rate: RATE,
        seconds: bench.extent.constant_seconds,
    };
    let run = |tool| {
        bench
            .toolbox
            .run(tool, load, &subject.url(), bench.processors.generator)
    };
    let rounds = Rounds::measure(&TOOLS, bench.extent.rounds, run)?;
    let beside = beside_a_sleeper(bench, || run(Tool::Tacho))?;
    let cpu = Spread::of(rounds.ratios(Tool::Tacho, Tool::Oha, Measured::cpu_us_a_request));
    let delay = rounds.of(Tool::Tacho, delay_ms);
    let mut table = Table::new(&["tool", "CPU a request / oha", "requests / asked for"]);
    let asked = f64::from(RATE) * bench.extent.constant_seconds as f64;
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
        notes: [what_the_machine_allows(&beside), rounds.doubts()].concat(),
    })
}

/// The dispatch delay at p99.9 in milliseconds, and that of a thread which only slept in the same
/// seconds.
#[derive(Debug, Clone, Copy)]
struct Beside {
    tacho: f64,
    sleeper: f64,
}

/// Rounds of their own: the sleeper's wake-ups would be part of the price of a request.
fn beside_a_sleeper(
    bench: &Bench,
    run: impl Fn() -> Result<Measured, BenchError>,
) -> Result<Vec<Beside>, BenchError> {
    (1..=bench.extent.rounds)
        .map(|round| {
            let sleeper = Sleeper::start(bench.processors.generator, RATE.into())?;
            let measured = run();
            let sleeper = sleeper.stop();
            eprintln!(
                "  beside a sleeping thread, round {round} of {}",
                bench.extent.rounds
            );
            Ok(Beside {
                tacho: delay_ms(&measured?),
                sleeper,
            })
        })
        .collect()
}

fn delay_ms(measured: &Measured) -> f64 {
    measured
        .said
        .dispatch_delay_p99_9_ms
        .unwrap_or(f64::INFINITY)
}

/// Where the machine wakes a thread that has nothing else to do later than the bar, no generator
/// that sleeps can meet it.
fn what_the_machine_allows(rounds: &[Beside]) -> Vec<String> {
    let pairs: Vec<String> = rounds
        .iter()
        .map(|Beside { tacho, sleeper }| format!("{tacho:.2} beside {sleeper:.2}"))
        .collect();
    let (able, unable): (Vec<Beside>, Vec<Beside>) = rounds
        .iter()
        .partition(|round| round.sleeper < DELAY_BAR_MS);
    let met = able
        .iter()
        .filter(|round| round.tacho < DELAY_BAR_MS)
        .count();
    vec![
        format!(
            "what the machine allows: a thread that only sleeps, on the generator's processor in the same seconds, woken for the same \
             groups of requests. p99.9 of Tacho's delay beside that thread's, in ms: {}",
            pairs.join("; ")
        ),
        format!(
            "of the {} rounds in which that thread was below {DELAY_BAR_MS} ms Tacho was as well in {met}; in the other {} nobody who sleeps could",
            able.len(),
            unable.len()
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_in_which_the_machine_was_late_count_against_nobody() {
        let round = |tacho, sleeper| Beside { tacho, sleeper };
        let said = what_the_machine_allows(&[round(0.7, 0.6), round(1.2, 0.7), round(3.0, 2.5)]);
        assert!(
            said[0].ends_with("0.70 beside 0.60; 1.20 beside 0.70; 3.00 beside 2.50"),
            "{}",
            said[0]
        );
        assert!(
            said[1].starts_with("of the 2 rounds") && said[1].contains("in 1; in the other 1"),
            "{}",
            said[1]
        );
    }
}
