//! Real logs of JDK 6 to 8 against a count by other means: `tests/jdk8/count-pauses.pl`, regular
//! expressions in Perl where the reader follows brackets. `tests/jdk8/pauses.tsv` is what it said.
//!
//! The logs are those of github.com/microsoft/gctoolkit-testdata (MIT). They are looked for in
//! `TACHO_GC_LOGS_JDK8`, else in `../shared/gc-logs-jdk8` beside the project's folder; where they
//! are not, the test says so and passes.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::path::{Path, PathBuf};
use support::summary;

fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("TACHO_GC_LOGS_JDK8").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/gc-logs-jdk8");
    let folder = named.unwrap_or(beside);
    folder.is_dir().then_some(folder)
}

/// Seconds as whole nanoseconds: sums of logs are exact.
fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9).round() as u64
}

#[test]
fn pauses_are_those_of_the_other_count() {
    let Some(folder) = folder() else {
        println!("passed over: no logs in TACHO_GC_LOGS_JDK8 or ../shared/gc-logs-jdk8");
        return;
    };
    let table = include_str!("jdk8/pauses.tsv");
    let mut looked_at = 0;
    let mut wrong = String::new();
    for row in table.lines().filter(|line| !line.starts_with('#')) {
        let mut cells = row.split('\t');
        let name = cells.next().unwrap();
        let numbers: Vec<u64> = cells.map(|cell| cell.parse().unwrap()).collect();
        let [count, total, longest, full, young, ..] = numbers[..] else {
            panic!("{row}");
        };
        let summary = summary(&std::fs::read(folder.join(name)).unwrap());
        let pauses = &summary.pauses;
        let of = |is: &dyn Fn(&str) -> bool| -> u64 {
            let kinds = pauses.by_kind.iter().filter(|kind| is(&kind.kind));
            kinds.map(|kind| kind.count).sum()
        };
        let said = [
            pauses.count,
            nanoseconds(pauses.total_s),
            pauses.quantiles_ms.map_or(0, |q| nanoseconds(q.max / 1e3)),
            of(&|kind| kind == "Full GC"),
            of(&|kind| kind == "GC" || kind.starts_with("GC pause")),
        ];
        if said != [count, total, longest, full, young] {
            wrong += &format!("{name}: {said:?}, counted {numbers:?}\n");
        }
        if !summary.lines.examples.is_empty() {
            wrong += &format!("{name}: not understood {:?}\n", summary.lines.examples);
        }
        looked_at += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(looked_at > 30);
}
