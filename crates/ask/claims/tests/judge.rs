//! Claims held against values whose truth is known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal};
use serde_json::{Value, json};
use std::path::Path;
use tacho_analysis::analyse;
use tacho_analysis::testkit::{Profile, Synthetic};
use tacho_claims::{
    Claims, Described, Expected, Judged, Length, Made, Measured, Outcome, Word, judge, parse,
};
use tacho_run_folder::{LaunchData, RunData};

const HEAD: &str = "tacho: 1
article: {title: T, author: A, year: 2021, question: Q?}
runs:
  - {name: start, experiment: e.yaml, short: s.yaml}
  - {name: counts, command: [tacho, count]}
claims:
";

fn claims(rows: &str) -> Claims {
    parse(&format!("{HEAD}{rows}"), Path::new("/labs")).unwrap()
}

fn problems(rows: &str) -> Vec<String> {
    let problems = parse(&format!("{HEAD}{rows}"), Path::new("/labs")).unwrap_err();
    problems
        .into_iter()
        .map(|problem| format!("{}: {}", problem.place, problem.message))
        .collect()
}

/// Results with a metric of two variants.
fn results(certificate: &str, cells: &[(&str, &[f64])]) -> Measured {
    let cells: Vec<Value> = cells
        .iter()
        .map(|(variant, values)| {
            let values: Vec<Value> = (1..)
                .zip(*values)
                .map(|(launch, value)| json!({"launch": launch, "value": value}))
                .collect();
            json!({
                "cell": variant, "variant": variant, "limits": "1cpu", "valid": values.len(),
                "invalid": 0, "failed": 0, "cost": [],
                "metrics": [{
                    "id": "ready_ms", "name": "time to ready", "unit": "ms", "good": "lower",
                    "values": values, "estimate": {"value": 0.0, "low": 0.0, "high": 0.0},
                }],
            })
        })
        .collect();
    let results = json!({
        "format": 1, "cells": cells, "break_evens": [], "checks": [],
        "certificate": {"state": certificate, "evidence": []},
        "advice": {"sentence": "", "by_limits": []},
    });
    Measured::Run(
        Box::new(serde_json::from_value(results).unwrap()),
        Described::default(),
    )
}

fn judged(rows: &str, measured: &[Measured]) -> Judged {
    judge(&claims(rows), measured, Length::Whole).remove(0)
}

const RATIO: &str =
    "  - {says: S, run: start, metric: ready_ms, of: native, to: jar, same: \"< 0.1\"}";
const JAR: [f64; 5] = [5_000.0, 5_200.0, 4_900.0, 5_100.0, 5_050.0];

#[test]
fn a_ratio_far_within_holds_and_one_far_outside_does_not() {
    let native = [90.0, 95.0, 93.0, 92.0, 91.0];
    let seen = judged(
        RATIO,
        &[results("valid", &[("jar", &JAR), ("native", &native)])],
    );
    assert_eq!(seen.outcome, Outcome::Same);
    let figure = seen.seen.as_ref().unwrap().figure;
    assert!(figure.low < figure.value && figure.value < figure.high);
    assert!((figure.value - 92.0 / 5_050.0).abs() < 1e-9);
    let slow = [2_500.0, 2_600.0, 2_550.0, 2_450.0, 2_500.0];
    let seen = judged(
        RATIO,
        &[results("valid", &[("jar", &JAR), ("native", &slow)])],
    );
    assert_eq!(seen.outcome, Outcome::Differs);
    assert!(seen.is_contradiction);
}

#[test]
fn what_lies_across_the_bound_is_not_told_and_contradicts_nobody() {
    let native = [400.0, 700.0, 500.0, 450.0, 600.0];
    let seen = judged(
        RATIO,
        &[results("valid", &[("jar", &JAR), ("native", &native)])],
    );
    assert_eq!(seen.outcome, Outcome::NotTold);
    assert!(!seen.is_contradiction);
}

/// As the share of requests that failed, of which some launches have none.
#[test]
fn a_figure_that_is_0_in_most_launches_is_shown_and_decides_nothing() {
    let row = "  - {says: S, run: start, metric: ready_ms, of: jar, same: 0..0}";
    let seen = judged(
        row,
        &[results("valid", &[("jar", &[0.0, 0.0, 0.002, 0.0, 0.0])])],
    );
    assert_eq!(seen.outcome, Outcome::NotTold);
    let figure = seen.seen.unwrap().figure;
    assert_eq!((figure.value, figure.low, figure.high), (0.0, 0.0, 0.002));
}

#[test]
fn without_figures_nothing_is_told_and_the_reason_is_said() {
    let not_measured = |measured: Measured| match judged(RATIO, &[measured]).outcome {
        Outcome::NotMeasured(why) => why,
        other => panic!("{other:?}"),
    };
    let why = not_measured(results("valid", &[("jar", &JAR)]));
    assert!(
        why.contains("`native` was not measured; there are jar at 1cpu"),
        "{why}"
    );
    let two: &[f64] = &[90.0, 91.0];
    let why = not_measured(results("valid", &[("jar", &JAR), ("native", two)]));
    assert!(why.contains("too few launches"), "{why}");
    let why = not_measured(results("invalid", &[("jar", &JAR), ("native", &JAR)]));
    assert!(why.contains("certificate"), "{why}");
    let why = not_measured(Measured::Nothing("it could not be built".to_owned()));
    assert_eq!(why, "it could not be built");
    let one: &[f64] = &[90.0];
    let why = not_measured(results("valid", &[("jar", one), ("native", one)]));
    assert!(why.contains("too few launches"), "{why}");
}

#[test]
fn a_count_of_a_document_is_exact() {
    let row = |same: &str| {
        format!("  - {{says: S, run: counts, pointer: /feign/failed, same: \"{same}\"}}")
    };
    let document = || Measured::Document(json!({"feign": {"failed": 8}}));
    let nothing = || Measured::Nothing(String::new());
    let seen = judged(&row("8..8"), &[nothing(), document()]);
    assert_eq!(seen.outcome, Outcome::Same);
    let seen = judged(&row("4..4"), &[nothing(), document()]);
    assert_eq!(seen.outcome, Outcome::Differs);
    let absent = Measured::Document(json!({"feign": {}}));
    let seen = judged(&row("8..8"), &[nothing(), absent]);
    assert!(matches!(seen.outcome, Outcome::NotMeasured(_)));
}

#[test]
fn times_and_sizes_are_held_against_figures_of_their_kind_alone() {
    let row = |same: &str| {
        format!("  - {{says: S, run: start, metric: ready_ms, of: jar, same: \"{same}\"}}")
    };
    let measured = [results("valid", &[("jar", &JAR)])];
    assert_eq!(judged(&row("4s..6s"), &measured).outcome, Outcome::Same);
    assert_eq!(judged(&row("< 1s"), &measured).outcome, Outcome::Differs);
    let seen = judged(&row("< 1MiB"), &measured);
    assert!(matches!(seen.outcome, Outcome::NotMeasured(why) if why.contains("no range")));
}

/// Of files of ten claims that are exactly at the edge of what counts as the same, at most one in
/// twenty says that any of them is told.
#[test]
fn in_a_whole_file_seldom_anything_false_is_said() {
    let row = "  - {says: S, run: start, metric: ready_ms, of: native, to: jar, same: \"< 1\"}\n";
    let claims = claims(&row.repeat(10));
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let scatter = LogNormal::new(0.0, 0.1).unwrap();
    let files = 400;
    let mut wrong = 0;
    for _ in 0..files {
        let is_told = claims.claims.iter().enumerate().any(|(i, _)| {
            let mut draw = || -> Vec<f64> { (0..5).map(|_| scatter.sample(&mut random)).collect() };
            let (jar, native) = (draw(), draw());
            let measured = [results("valid", &[("jar", &jar), ("native", &native)])];
            judge(&claims, &measured, Length::Whole)[i].outcome != Outcome::NotTold
        });
        wrong += u32::from(is_told);
    }
    assert!(wrong <= files / 20, "{wrong} of {files}");
}

#[test]
fn a_file_is_read_with_its_defaults_and_its_folder() {
    let claims = claims(RATIO);
    assert_eq!(claims.article.cited(), "A, \"T\", 2021");
    let Made::Experiment { whole, short } = &claims.runs[0].made else {
        panic!("{:?}", claims.runs[0]);
    };
    assert_eq!(whole, Path::new("/labs/e.yaml"));
    assert_eq!(short.as_deref(), Some(Path::new("/labs/s.yaml")));
    assert_eq!(claims.claims[0].here, Expected::Same);
}

/// Counts from the logs of a run that is made anyway.
#[test]
fn a_command_may_read_the_run_above_it_and_have_a_short_form() {
    let of = |runs: &str| {
        let head = HEAD.replace("[tacho, count]", runs);
        parse(&format!("{head}{RATIO}"), Path::new("/labs"))
    };
    let literal = |word: &str| Word::Literal(word.to_owned());
    let claims = of("[./count, \"{start}\", \"{}\"], short: [./count]").unwrap();
    let command = |length| claims.runs[1].made.command(length).unwrap().to_vec();
    let whole = vec![literal("./count"), Word::FolderOf(0), literal("{}")];
    assert_eq!(command(Length::Whole), whole);
    assert_eq!(command(Length::Short), vec![literal("./count")]);

    for (runs, says) in [
        ("[./count, \"{strat}\"]", "did you mean `start`?"),
        ("[./count, \"{counts}\"]", "none is called so"),
    ] {
        let problems = of(runs).unwrap_err();
        assert!(problems[0].message.contains(says), "{problems:?}");
    }
}

/// A short form is held against what is known of it, and against the long one where nothing is.
#[test]
fn a_short_form_may_come_out_otherwise() {
    let slower = [9_000.0, 9_500.0, 9_300.0, 9_200.0, 9_100.0];
    let measured = [results("valid", &[("jar", &JAR), ("native", &slower)])];
    let contradicts = |keys: &str, length| {
        let row = RATIO.replace('}', &format!(", why: W{keys}}}"));
        let judged = judge(&claims(&row), &measured, length).remove(0);
        assert_eq!(judged.outcome, Outcome::Differs);
        judged.is_contradiction
    };
    for (keys, whole, short) in [
        ("", true, true),
        (", here-short: differs", true, false),
        (", here: differs, here-short: same", false, true),
        (", here: differs", false, false),
        (", here-short: not-told", true, false),
    ] {
        assert_eq!(contradicts(keys, Length::Whole), whole, "{keys}, whole");
        assert_eq!(contradicts(keys, Length::Short), short, "{keys}, short");
    }
}

#[test]
fn each_mistake_is_said_with_its_place_and_its_remedy() {
    for (row, said) in [
        (
            "  - {says: S, run: start, metric: m, of: a, same: \"< 1\", here-short: differs}",
            "needs `why`",
        ),
        (
            "  - {says: S, run: counts, pointer: /a, same: \"< 1\", here-short: not-told}",
            "name one under `runs`",
        ),
        (
            "  - {says: S, run: strat, metric: m, of: a, same: \"< 1\"}",
            "did you mean `start`?",
        ),
        (
            "  - {says: S, run: start, metric: m, same: \"< 1\"}",
            "with `of: VARIANT`",
        ),
        (
            "  - {says: S, run: start, metric: m, of: a}",
            "a claim needs `same`",
        ),
        (
            "  - {says: S, run: start, metric: m, of: a, same: ten}",
            "a range such as",
        ),
        (
            "  - {says: S, run: start, metric: m, of: a, same: \"< 1\", here: differs}",
            "needs `why`",
        ),
        (
            "  - {says: S, run: start, metric: m, of: a, same: \"< 1\", here: maybe}",
            "`not-told`",
        ),
        (
            "  - {says: S, run: start, metric: m, of: a, same: \"< 1\", wy: x}",
            "did you mean `why`?",
        ),
    ] {
        let problems = problems(row);
        assert!(
            problems.len() == 1 && problems[0].contains(said) && problems[0].starts_with("7:"),
            "{row}: {problems:?}"
        );
    }
    assert!(parse("", Path::new("/")).is_err());
    assert!(parse("tacho: 2", Path::new("/")).unwrap_err().len() >= 3);
}

/// A launch whose generator was late says nothing of the quantiles that it touched.
#[test]
fn late_launches_are_left_out_of_what_is_described() {
    let synthetic = Synthetic::new(5).variant(Profile::named("jar"));
    let mut run = synthetic.open_phase("open").run();
    let make_late = |launch: &mut LaunchData| {
        let phase = launch.record.phases.last_mut().unwrap();
        let times = phase.response_time_ms.as_mut().unwrap();
        phase.on_time_response_ms = Some(*times);
        times.p90 *= 10.0;
        times.mean *= 10.0;
    };
    let judged = |run: &RunData, statistic: &str, same: &str| {
        let measured = Measured::Run(Box::new(analyse(run)), Described::of(run));
        let row = format!(
            "  - {{says: S, run: start, metric: open.response_{statistic}_ms, of: jar, same: {same}}}"
        );
        judged(&row, &[measured])
    };
    make_late(&mut run.launches[2]);
    for (statistic, same, launches) in [
        ("min", "0.9ms..1.1ms", 5),
        ("mean", "1.9ms..2.1ms", 4),
        ("p90", "2.3ms..2.5ms", 4),
        ("p95", "2.9ms..3.1ms", 5),
    ] {
        let found = judged(&run, statistic, same);
        assert_eq!(found.outcome, Outcome::Same, "{statistic}");
        assert_eq!(found.seen.unwrap().launches, launches, "{statistic}");
    }
    run.launches.iter_mut().for_each(make_late);
    let found = judged(&run, "p90", "2.3ms..2.5ms");
    let Outcome::NotMeasured(why) = &found.outcome else {
        panic!("{found:?}");
    };
    assert!(why.contains("lateness in every launch"), "{why}");
}
