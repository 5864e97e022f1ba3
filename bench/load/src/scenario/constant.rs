//! A constant rate: does each request arrive at its own instant, and what does that cost?
//!
//! The server is a witness: it keeps the kernel's stamp of each arrival and knows nothing of the
//! tools. Tools save processor time by sending requests together, so theirs is no yardstick; a
//! thread that only sleeps to each instant and sends is.

use super::{Bench, Rounds, Scenario};
use crate::error::BenchError;
use crate::report::{Bar, Section, Table, at_most, ratio};
use crate::rounds::Spread;
use crate::subject::{url_of, witness};
use crate::tools::{Load, Measured, Tool};
use tacho_witness::Testimony;

/// hey has a rate for each connection and does not correct its latencies.
const TOOLS: [Tool; 4] = [Tool::Tacho, Tool::Sender, Tool::Oha, Tool::Hey];

/// Requests a second.
const RATES: [u32; 3] = [100, 2_000, 10_000];
const CONNECTIONS: u32 = 64;

/// Of fewer, the start of the process is most of the processor time of a request.
const LEAST_REQUESTS: u64 = 2_000;

/// How far arrivals may be behind an even schedule, in microseconds.
const BEHIND_P50_BAR_US: f64 = 5.0;
const BEHIND_P99_BAR_US: f64 = 100.0;
/// How far the reported median of the response time may be from what the witness allows.
const MEDIAN_BAR_US: f64 = 5.0;
/// Of the processor time of a thread that only sleeps and sends.
const CPU_BAR: f64 = 1.2;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let mut section = Section {
        title: Scenario::Constant.to_string(),
        bars: Vec::new(),
        table: None,
        notes: Vec::new(),
    };
    let mut table = Table::new(&[
        "rate",
        "tool",
        "behind p50, us",
        "behind p99, us",
        "in bursts",
        "by its own word p99, us",
        "reported median off by, us",
        "CPU a request / sleeping and sending",
    ]);
    for rate in RATES {
        eprintln!("  {rate} a second");
        let rounds = Rounds::measure(bench, &TOOLS, |tool| at(bench, tool, rate))?;
        section.bars.extend(bars(rate, &rounds));
        for tool in TOOLS {
            let of = |figure: fn(&Measured) -> f64| {
                let told = rounds.of(tool, figure).into_iter();
                ratio(Spread::of(told.filter(|value| value.is_finite())))
            };
            table.row([
                format!("{rate}/s"),
                tool.to_string(),
                of(behind_p50),
                of(behind_p99),
                of(in_bursts),
                of(own_word),
                of(median_off_by),
                ratio(Spread::of(rounds.ratios(
                    tool,
                    Tool::Sender,
                    Measured::cpu_us_a_request,
                ))),
            ]);
        }
        section.notes.extend(rounds.notes());
    }
    section.table = Some(table);
    Ok(section)
}

fn bars(rate: u32, rounds: &Rounds) -> [Bar; 4] {
    let of = |figure: fn(&Measured) -> f64| Spread::of(rounds.of(Tool::Tacho, figure));
    let named = |what: &str| format!("{rate}/s: {what}");
    [
        at_most(
            &named("behind an even schedule, p50"),
            BEHIND_P50_BAR_US,
            "us",
            of(behind_p50),
        ),
        at_most(
            &named("behind an even schedule, p99"),
            BEHIND_P99_BAR_US,
            "us",
            of(behind_p99),
        ),
        at_most(
            &named("reported median away from the witness's"),
            MEDIAN_BAR_US,
            "us",
            of(median_off_by),
        ),
        at_most(
            &named("CPU a request"),
            CPU_BAR,
            "x a thread that sleeps and sends",
            Spread::of(rounds.ratios(Tool::Tacho, Tool::Sender, Measured::cpu_us_a_request)),
        ),
    ]
}

/// One tool, and what the witness saw of it.
pub(super) fn at(bench: &Bench, tool: Tool, rate: u32) -> Result<Measured, BenchError> {
    let witness = witness(bench.processors.subject)?;
    let load = Load::Constant {
        connections: CONNECTIONS,
        rate,
        seconds: bench
            .extent
            .constant_seconds
            .max(LEAST_REQUESTS / u64::from(rate)),
    };
    let generator = bench.processors.generator;
    let mut measured = bench
        .toolbox
        .run(tool, load, &url_of(&witness), generator)?;
    measured.testimony = Testimony::of(witness.stop()?, Some(f64::from(rate)));
    Ok(measured)
}

/// What was not told is worse than any bar.
fn of_testimony(measured: &Measured, figure: impl Fn(&Testimony) -> f64) -> f64 {
    measured.testimony.as_ref().map_or(f64::INFINITY, figure)
}

pub(super) fn behind_p50(measured: &Measured) -> f64 {
    of_testimony(measured, |seen| seen.punctuality.behind_us.p50)
}

pub(super) fn behind_p99(measured: &Measured) -> f64 {
    of_testimony(measured, |seen| seen.punctuality.behind_us.p99)
}

pub(super) fn in_bursts(measured: &Measured) -> f64 {
    of_testimony(measured, |seen| seen.punctuality.in_bursts)
}

/// How late it says it was, in microseconds; tools that do not say it have none.
fn own_word(measured: &Measured) -> f64 {
    measured
        .said
        .own_lateness_p99_ms
        .map_or(f64::NAN, |ms| ms * 1e3)
}

fn median_off_by(measured: &Measured) -> f64 {
    let reported_ms = measured.said.latency.and_then(|latency| latency.p50);
    let reported_us = reported_ms.map_or(f64::INFINITY, |ms| ms * 1e3);
    of_testimony(measured, |seen| {
        seen.own_time.median_is_off_by_us(reported_us)
    })
}
