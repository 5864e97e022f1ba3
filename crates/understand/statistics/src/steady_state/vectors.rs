//! The rule is written twice, here and in Java (`jvm/tacho-warmup-spring-boot-starter`). Both are
//! held to `vectors/settling.jsonl`: a series a line in whole microseconds, with the segments of
//! all of it and the request after which it has settled.
//!
//! Synthetic series are made here; recorded ones stand in the file alone: service times of the
//! first requests of single launches, by `tacho run` (request 0 of requests.csv, end less sent).

use super::synthetic::{Noise, series};
use super::{Settling, segments};
use serde_json::{Value, json};
use std::path::Path;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/vectors/settling.jsonl");
const RENEW: &str = "TACHO_RENEW_VECTORS=1 cargo test -p tacho-statistics vectors";
const RECORDED: &str = "recorded: ";

fn synthetic() -> Vec<(String, Vec<u64>)> {
    let quiet = Noise::LogNormal(0.05);
    let usual = Noise::LogNormal(0.3);
    let jvm = |i: usize| match i {
        0..100 => 40.0,
        100..900 => 8.0,
        900..2000 => 3.0,
        _ => 1.0,
    };
    let of = |name: &str, values: Vec<f64>| {
        let microseconds = values.iter().map(|ms| (ms * 1_000.0).round() as u64);
        (format!("synthetic: {name}"), microseconds.collect())
    };
    let falling = |i: usize| 30.0 * ((i + 1) as f64).powf(-0.5);
    let drifting = |i: usize| 30.0 - i as f64 * 0.01;
    let late = |i: usize| if i < 2_500 { 4.0 } else { 9.0 };
    vec![
        of("flat", series(1, 400, quiet, |_| 2.0)),
        of("flat and noisy", series(2, 1_200, usual, |_| 2.0)),
        of("flat, all alike", vec![1.0; 300]),
        of("too few", series(3, 199, quiet, |_| 2.0)),
        of(
            "a step",
            series(4, 600, quiet, |i| if i < 150 { 30.0 } else { 2.0 }),
        ),
        of(
            "a step, noisy",
            series(5, 1_500, usual, |i| if i < 300 { 12.0 } else { 1.5 }),
        ),
        of(
            "a step nobody can tell",
            series(6, 600, quiet, |i| if i < 100 { 0.06 } else { 0.045 }),
        ),
        of(
            "as a JVM does",
            series(7, 4_000, Noise::LogNormal(0.2), jvm),
        ),
        of(
            "pauses",
            series(8, 2_500, Noise::Pauses(0.3, 50), |i| {
                if i < 400 { 9.0 } else { 3.0 }
            }),
        ),
        of(
            "pauses of single requests",
            series(9, 500, Noise::Pauses(0.05, 100), |_| 3.0),
        ),
        of(
            "autocorrelated",
            series(10, 3_000, Noise::Autocorrelated(0.3, 0.3), |i| {
                if i < 500 { 6.0 } else { 2.0 }
            }),
        ),
        of(
            "falls for ever",
            series(11, 3_000, Noise::LogNormal(0.2), falling),
        ),
        of("drifts down", series(12, 1_500, quiet, drifting)),
        of(
            "slower in the end",
            series(13, 3_000, Noise::LogNormal(0.8), late),
        ),
        of(
            "zeros among them",
            series(14, 400, quiet, |i| if i % 40 == 0 { 0.0 } else { 5.0 }),
        ),
    ]
}

fn vector((name, microseconds): &(String, Vec<u64>)) -> Value {
    let values: Vec<f64> = microseconds.iter().map(|us| *us as f64 / 1_000.0).collect();
    let mut settling = Settling::default();
    let settled = values.iter().find_map(|value| settling.push(*value));
    json!({
        "name": name,
        "microseconds": microseconds,
        "segments": segments(&values).iter().map(|s| s.from).collect::<Vec<_>>(),
        "settled": settled.map(|s| json!({
            "known_after": s.known_after,
            "from": s.from,
            // More digits would hold Java to the last bit of a logarithm.
            "typical_ms": (s.typical_ms * 1e6).round() / 1e6,
        })),
    })
}

fn recorded() -> Vec<(String, Vec<u64>)> {
    let file = std::fs::read_to_string(FILE).unwrap_or_default();
    let lines = file
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter_map(|line| {
            let name = line["name"].as_str().unwrap();
            let values = line["microseconds"].as_array().unwrap().iter();
            name.starts_with(RECORDED).then(|| {
                (
                    name.to_owned(),
                    values.map(|us| us.as_u64().unwrap()).collect(),
                )
            })
        })
        .collect()
}

#[test]
fn the_vectors_are_what_this_rule_makes_of_them() {
    let recorded = recorded();
    let all = synthetic().into_iter().chain(recorded.clone());
    let rule: String = all.map(|series| format!("{}\n", vector(&series))).collect();
    if std::env::var_os("TACHO_RENEW_VECTORS").is_some() {
        std::fs::create_dir_all(Path::new(FILE).parent().unwrap()).unwrap();
        std::fs::write(FILE, &rule).unwrap();
    }
    let file = std::fs::read_to_string(FILE).unwrap();
    assert!(
        recorded.len() >= 4,
        "the recorded series are gone from {FILE}"
    );
    for (line, expected) in file.lines().zip(rule.lines()) {
        let name = line.get(..60).unwrap_or(line);
        assert!(
            line == expected,
            "{name}: is not what the rule says any more; renew it with\n  {RENEW}"
        );
    }
    assert_eq!(
        file.lines().count(),
        rule.lines().count(),
        "renew it with\n  {RENEW}"
    );
    assert!(file.len() < 200_000, "{} bytes", file.len());
}
