//! Response times that are known beforehand, measured by each tool.

use super::{Bench, Scenario};
use crate::error::BenchError;
use crate::report::{Section, Table, Verdict, at_most_percent, bar, percent};
use crate::rounds::{Spread, order};
use crate::subject::{COURSE, Played, Scripted};
use crate::tools::{Latency, Load, Tool};
use tacho_run_folder::Quantiles;

/// hey keeps a rate but counts from the instant at which it sends: it is here to show what
/// coordinated omission does. (wrk has no rate, and corrects its latencies by an estimate of its
/// own, `stats_correct` in its source.)
const TOOLS: [Tool; 3] = [Tool::Tacho, Tool::Oha, Tool::Hey];
const ERROR_BAR: f64 = 0.003;

/// One figure of a tool's latency, and what it should be.
struct Figure {
    name: &'static str,
    of: fn(&Latency) -> Option<f64>,
    truth: fn(&Quantiles) -> f64,
}

const FIGURES: [Figure; 3] = [
    Figure {
        name: "p95",
        of: |l| l.p95,
        truth: |e| e.p95,
    },
    Figure {
        name: "p99",
        of: |l| l.p99,
        truth: |e| e.p99,
    },
    Figure {
        name: "max",
        of: |l| l.max,
        truth: |e| e.max,
    },
];

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let expected = COURSE.expected(bench.extent.accuracy_seconds)?;
    let mut errors: Vec<[Vec<f64>; 3]> = TOOLS.iter().map(|_| Default::default()).collect();
    let mut notes = Vec::new();
    for round in 0..bench.extent.accuracy_rounds {
        for index in order(TOOLS.len(), round) {
            let (latency, played) = measure(bench, TOOLS[index])?;
            for (figure, errors) in FIGURES.iter().zip(&mut errors[index]) {
                let truth = (figure.truth)(&expected);
                errors.extend((figure.of)(&latency).map(|seen| (seen - truth) / truth));
            }
            if let Some(late) = played.lateness_ms {
                notes.push(format!(
                    "{}, round {}: the server was late with its answers by {:.2} ms at p99.9, {:.2} ms at most",
                    TOOLS[index],
                    round + 1,
                    late.p99_9,
                    late.max
                ));
            }
        }
        eprintln!("  round {} of {}", round + 1, bench.extent.accuracy_rounds);
    }
    let mut table = Table::new(&["tool", "p95", "p99", "max"]);
    let truths = FIGURES.map(|figure| format!("{:.1} ms", (figure.truth)(&expected)));
    let [p95, p99, max] = truths;
    table.row(["analytic".to_owned(), p95, p99, max]);
    for (tool, errors) in TOOLS.iter().zip(&errors) {
        let [p95, p99, max] = errors
            .each_ref()
            .map(|e| percent(Spread::of(e.iter().copied())));
        table.row([tool.to_string(), p95, p99, max]);
    }
    let own = errors.first().into_iter().flatten();
    let bars = FIGURES.iter().zip(own).map(|(figure, errors)| {
        let name = format!("{} away from the analytic value", figure.name);
        match Spread::of(errors.iter().map(|e| e.abs())) {
            Some(spread) => at_most_percent(&name, ERROR_BAR, spread),
            None => bar(
                &name,
                "",
                "",
                Verdict::NotMeasured("Tacho did not tell it".to_owned()),
            ),
        }
    });
    Ok(Section {
        title: Scenario::Accuracy.to_string(),
        bars: bars.collect(),
        table: Some(table),
        notes,
    })
}

fn measure(bench: &Bench, tool: Tool) -> Result<(Latency, Played), BenchError> {
    let load = Load::Constant {
        connections: COURSE.connections,
        rate: COURSE.rate,
        seconds: bench.extent.accuracy_seconds,
    };
    let subject = Scripted::start(bench.processors.subject)?;
    let measured = bench
        .toolbox
        .run(tool, load, subject.url(), bench.processors.generator)?;
    Ok((measured.said.latency.unwrap_or_default(), subject.stop()?))
}
