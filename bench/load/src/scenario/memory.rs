//! Memory after many requests, and after many more.

use super::{Bench, Scenario, closed_loop};
use crate::error::BenchError;
use crate::report::{Section, Table, Verdict, bar};
use crate::rounds::Spread;
use crate::subject::Nginx;
use crate::tools::Tool;

const HUNDRED_MILLION: u64 = 100_000_000;

/// Of the longer ones the median counts, for the same reason as that for several short ones.
const LONG_RUNS: usize = 3;

/// Largest memory of one run.
#[derive(Clone, Copy)]
struct Peak {
    /// What the run allocated: where the records of requests are.
    anonymous_mb: f64,
    /// With the pages of the program's own file, of which a longer run touches some more.
    resident_mb: f64,
}

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let subject = Nginx::start(bench.processors.subject)?;
    let peak = |requests| -> Result<Peak, BenchError> {
        let load = closed_loop(bench, requests);
        let measured = bench.toolbox.run(
            Tool::Tacho,
            load,
            &subject.url(),
            bench.processors.generator,
        )?;
        Ok(Peak {
            anonymous_mb: measured.peak_anonymous_bytes as f64 / 1e6,
            resident_mb: measured.peak_rss_bytes as f64 / 1e6,
        })
    };
    let peaks = |requests, runs: usize| -> Result<Vec<Peak>, BenchError> {
        (0..runs).map(|_| peak(requests)).collect()
    };
    let [few, many] = bench.extent.memory_requests;
    // The peak of one and the same run differs by some pages from process to process (where the
    // kernel puts its parts), so the bar is the largest of several short runs.
    let short = peaks(few, bench.extent.rounds)?;
    let mut long = vec![(many, peaks(many, LONG_RUNS)?)];
    if bench.extent.hundred_million {
        long.push((HUNDRED_MILLION, peaks(HUNDRED_MILLION, 1)?));
    }

    let mut table = Table::new(&[
        "requests",
        "peak of what it allocated, MB",
        "peak resident, MB",
    ]);
    table.row(row(few, &short));
    let largest_short = anonymous(&short).map_or(0.0, |s| s.max);
    let mut bars = Vec::new();
    for (requests, peaks) in &long {
        table.row(row(*requests, peaks));
        let median = anonymous(peaks).map_or(0.0, |s| s.median);
        bars.push(bar(
            &format!(
                "peak of what it allocated, after {} requests",
                tacho_figures::count(*requests)
            ),
            &format!(
                "{largest_short:.2} MB, the most of {} runs of {}",
                short.len(),
                tacho_figures::count(few)
            ),
            &format!("{median:.2} MB"),
            Verdict::of(median <= largest_short),
        ));
    }
    Ok(Section {
        title: Scenario::Memory.to_string(),
        bars,
        table: Some(table),
        notes: Vec::new(),
    })
}

fn anonymous(peaks: &[Peak]) -> Option<Spread> {
    Spread::of(peaks.iter().map(|peak| peak.anonymous_mb))
}

fn row(requests: u64, peaks: &[Peak]) -> [String; 3] {
    let text = |spread: Option<Spread>| {
        spread.map_or_else(String::new, |s| {
            format!("{:.2} ({:.2} to {:.2})", s.median, s.min, s.max)
        })
    };
    let resident = Spread::of(peaks.iter().map(|peak| peak.resident_mb));
    [
        tacho_figures::count(requests),
        text(anonymous(peaks)),
        text(resident),
    ]
}
