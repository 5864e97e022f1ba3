//! Memory after many requests, and after many more.

use super::{Bench, Scenario, closed_loop};
use crate::error::BenchError;
use crate::report::{Section, Table, Verdict, bar};
use crate::rounds::Spread;
use crate::subject::Nginx;
use crate::tools::Tool;

const HUNDRED_MILLION: u64 = 100_000_000;

/// Of the longer ones the median counts, for the same reason as that for several short ones.
const LONG_RUNS: u32 = 3;

pub fn run(bench: &Bench) -> Result<Section, BenchError> {
    let subject = Nginx::start(bench.processors.subject)?;
    let peak_mb = |requests| -> Result<f64, BenchError> {
        let load = closed_loop(bench, requests);
        let measured = bench.toolbox.run(
            Tool::Tacho,
            load,
            &subject.url(),
            bench.processors.generator,
        )?;
        Ok(measured.peak_rss_bytes as f64 / 1e6)
    };
    let [few, many] = bench.extent.memory_requests;
    // The peak of one and the same run differs by some pages from process to process (where the kernel
    // puts its parts), so the bar is the largest of several short runs.
    let short = (0..bench.extent.rounds)
        .map(|_| peak_mb(few))
        .collect::<Result<Vec<_>, _>>()?;
    let several = (0..LONG_RUNS)
        .map(|_| peak_mb(many))
        .collect::<Result<Vec<_>, _>>()?;
    let median = Spread::of(several).map_or(0.0, |s| s.median);
    let mut long = vec![(many, median)];
    if bench.extent.hundred_million {
        long.push((HUNDRED_MILLION, peak_mb(HUNDRED_MILLION)?));
    }
    let mut table = Table::new(&["requests", "peak resident memory, MB"]);
    let short_spread = Spread::of(short.iter().copied());
    let largest_short = short_spread.map_or(0.0, |s| s.max);
    table.row([
        thousands(few),
        short_spread.map_or_else(String::new, |s| {
            format!("{:.2} ({:.2} to {:.2})", s.median, s.min, s.max)
        }),
    ]);
    let mut bars = Vec::new();
    for (requests, peak) in long {
        table.row([thousands(requests), format!("{peak:.2}")]);
        bars.push(bar(
            &format!(
                "peak resident memory after {} requests",
                thousands(requests)
            ),
            &format!(
                "{largest_short:.2} MB, the most of {} runs of {}",
                short.len(),
                thousands(few)
            ),
            &format!("{peak:.2} MB"),
            Verdict::of(peak <= largest_short),
        ));
    }
    Ok(Section {
        title: Scenario::Memory.to_string(),
        bars,
        table: Some(table),
        notes: Vec::new(),
    })
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_are_grouped() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (10_000_000, "10,000,000"),
        ] {
            assert_eq!(super::thousands(number), text);
        }
    }
}
