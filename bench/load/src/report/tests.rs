//! The Markdown is an interface: it is committed as docs/benchmarks.md.

use super::*;
use crate::error::BenchError;
use crate::rounds::Spread;
use crate::scenario::Scenario;

fn spread(median: f64) -> Option<Spread> {
    Some(Spread {
        median,
        min: median * 0.9,
        max: median * 1.1,
    })
}

#[test]
fn the_whole_report() {
    let mut table = Table::new(&["tool", "CPU a request / wrk"]);
    table.row(["tacho".to_owned(), ratio(spread(0.85))]);
    table.row(["a|b".to_owned(), percent(spread(-0.0021))]);
    let closed = Section {
        title: "closed loop".to_owned(),
        bars: vec![
            at_most("CPU a request", 0.9, "x wrk", spread(0.85)),
            at_least("throughput", 1.0, "x wrk", spread(0.99)),
            at_most("size", 15.0, "MB", Spread::of([8.5])),
            at_most("delay", 1.0, "ms", None),
            at_most_percent("p99", 0.003, Spread::of([0.0021, 0.0021]).unwrap()),
        ],
        table: Some(table),
        notes: vec!["tacho, round 1: 3 timeout".to_owned()],
    };
    let missing = BenchError::Missing {
        program: "oha".to_owned(),
        remedy: "scripts/bench-prerequisites installs it",
    };
    let sections = [closed, Scenario::Constant.not_run(&missing)];
    insta::assert_snapshot!(as_markdown(
        "2026-01-02, 3 min. Some machine.",
        &Extent::full(false),
        &sections
    ));
}

#[test]
fn a_bar_is_met_at_its_limit() {
    let verdict = |bar: Bar| bar.verdict;
    assert_eq!(
        verdict(at_most("", 1.0, "", Spread::of([1.0]))),
        Verdict::Met
    );
    assert_eq!(
        verdict(at_most("", 1.0, "", Spread::of([1.01]))),
        Verdict::NotMet
    );
    assert_eq!(
        verdict(at_least("", 1.0, "", Spread::of([1.0]))),
        Verdict::Met
    );
    assert_eq!(
        verdict(at_least("", 1.0, "", Spread::of([0.99]))),
        Verdict::NotMet
    );
}
