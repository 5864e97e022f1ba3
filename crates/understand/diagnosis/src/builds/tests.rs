use super::*;
use serde_json::{Value, json};

fn builds() -> Builds {
    Builds {
        baseline: Some("old".to_owned()),
        candidate: "new".to_owned(),
    }
}

fn phases() -> Vec<String> {
    ["load", "many"].map(str::to_owned).to_vec()
}

/// Id, values of the launches, verdict against the baseline with its ratio.
type Figure<'f> = (&'f str, &'f [f64], Option<(&'f str, f64)>);

fn cell(variant: &str, metrics: &[Figure<'_>]) -> Value {
    let interval = |value| json!({"value": value, "low": value, "high": value});
    let metric = |(id, values, against): &Figure<'_>| {
        let numbered = (1..).zip(*values);
        let values: Vec<Value> = numbered
            .map(|(launch, value)| json!({"launch": launch, "value": value}))
            .collect();
        let good = if id.ends_with("throughput") {
            "higher"
        } else {
            "lower"
        };
        json!({
            "id": id, "name": id, "unit": "ms", "good": good, "values": values, "estimate": interval(1.0),
            "versus_baseline": against.map(|(verdict, ratio)| json!({
                "ratio": interval(ratio), "verdict": verdict, "threshold": 0.05, "smallest_detectable": 0.1,
            })),
        })
    };
    let metrics: Vec<Value> = metrics.iter().map(metric).collect();
    json!({
        "cell": variant, "variant": variant, "limits": "none", "valid": 3, "invalid": 0, "failed": 0,
        "metrics": metrics, "cost": [],
    })
}

fn results(cells: &[Value]) -> Results {
    let results = json!({
        "format": 1, "cells": cells, "break_evens": [], "checks": [], "certificate": {"state": "valid", "evidence": []},
        "advice": {"sentence": "", "by_limits": []},
    });
    serde_json::from_value(results).unwrap()
}

#[test]
fn the_worst_of_all_phases_decides_and_a_tail_does_not() {
    let verdict = |figures: &[(&str, &str)]| {
        let metrics: Vec<_> = figures
            .iter()
            .map(|(id, verdict)| (*id, &[1.0][..], Some((*verdict, 1.0))))
            .collect();
        builds().verdict(&results(&[cell("new", &metrics)]), &phases())
    };
    let settling = ("settle.response_p50_ms", "worse");
    assert_eq!(
        verdict(&[settling, ("load.throughput", "better")]),
        Verdict::Better
    );
    let many = ("many.response_p50_ms", "worse");
    assert_eq!(
        verdict(&[many, ("load.throughput", "same")]),
        Verdict::Worse
    );
    let tail = ("load.response_p99_ms", "worse");
    assert_eq!(verdict(&[tail, ("load.throughput", "same")]), Verdict::Same);
    let unsure = ("load.cpu_per_request_ms", "inconclusive");
    assert_eq!(
        verdict(&[("load.throughput", "same"), unsure]),
        Verdict::Inconclusive
    );
    assert_eq!(
        verdict(&[unsure, ("load.throughput", "worse")]),
        Verdict::Worse
    );
    assert_eq!(verdict(&[("ready_ms", "worse")]), Verdict::Inconclusive);
    assert_eq!(
        builds().verdict(&results(&[]), &phases()),
        Verdict::Inconclusive
    );
}

#[test]
fn requests_that_fail_are_a_figure_and_decide_nothing() {
    let failing = |share: f64| {
        let mut new = cell(
            "new",
            &[
                ("load.throughput", &[9.0], Some(("better", 2.0))),
                ("load.failed_share", &[share], Some(("worse", 9.0))),
            ],
        );
        new["metrics"][1]["estimate"]["value"] = json!(share);
        results(&[new])
    };
    let rows = |share: f64| builds().figures(&failing(share), &phases());
    assert_eq!(rows(0.0).len(), 1);
    let rows = rows(0.3);
    assert!(rows[1].is_of_failures() && !rows[1].decides);
    let verdict = builds().verdict(&failing(0.3), &phases());
    assert_eq!(verdict, Verdict::Better);
}

#[test]
fn a_change_is_judged_by_the_cost_in_which_most_was_lost() {
    let launches = |cost: f64| [cost, cost, cost];
    let all = results(&[
        cell("old", &[("load.response_p50_ms", &launches(1.0), None)]),
        cell(
            "new",
            &[
                ("load.throughput", &launches(9.0), Some(("worse", 9.0))),
                (
                    "load.cpu_per_request_ms",
                    &launches(2.0),
                    Some(("worse", 2.0)),
                ),
                ("load.response_p50_ms", &launches(3.0), Some(("worse", 3.0))),
            ],
        ),
        cell("changed", &[("load.response_p50_ms", &launches(2.0), None)]),
    ]);
    let loss = builds().loss(&all, &phases()).unwrap();
    assert_eq!((loss.phase.as_str(), loss.ratio), ("load", 3.0));
    let told =
        |variant| builds().counterfactual(&[&all], (7, 1), ("It", variant), (&loss, "runs/x"));
    let given = told("changed").unwrap();
    assert_eq!(given.figure, "load.response_p50_ms");
    // The generator was late in it: by the figure that shows it next.
    let late = results(&[
        cell("old", &[("load.cpu_per_request_ms", &launches(1.0), None)]),
        cell("new", &[("load.cpu_per_request_ms", &launches(2.0), None)]),
        cell(
            "changed",
            &[("load.cpu_per_request_ms", &launches(1.2), None)],
        ),
    ]);
    let place = (&loss, "runs/x");
    let given = builds().counterfactual(&[&late], (7, 1), ("It", "changed"), place);
    assert_eq!(given.unwrap().figure, "load.cpu_per_request_ms");
    let gives_back = builds().outcome(&late, &loss, "changed");
    assert!(matches!(gives_back, Outcome::GivesBack(share) if (share - 0.8).abs() < 1e-9));
    assert_eq!(
        builds().outcome(&late, &loss, "not launched"),
        Outcome::Failed
    );
    // Of the candidate as many requests fail: that is no reason not to judge the change.
    let takes = |variant: &str, cost: f64, is_failing: bool| {
        let times = launches(cost);
        let mut figures: Vec<Figure<'_>> = vec![("load.response_p50_ms", &times[..], None)];
        if is_failing {
            figures.push(("load.failed_share", &[1.0][..], None));
        }
        cell(variant, &figures)
    };
    let alike = results(&[
        takes("old", 1.0, false),
        takes("new", 3.0, true),
        takes("changed", 2.0, true),
    ]);
    let outcome = builds().outcome(&alike, &loss, "changed");
    assert!(matches!(outcome, Outcome::GivesBack(share) if (share - 0.5).abs() < 1e-9));
    let more = results(&[
        takes("old", 1.0, false),
        takes("new", 3.0, false),
        takes("changed", 2.0, true),
    ]);
    assert_eq!(builds().outcome(&more, &loss, "changed"), Outcome::Failed);
    let empty = results(&[cell("old", &[]), cell("new", &[]), cell("changed", &[])]);
    assert_eq!(
        builds().outcome(&empty, &loss, "changed"),
        Outcome::NotMeasured
    );
    let given = told("changed").unwrap();
    assert!((given.gives_back.unwrap().value - 0.5).abs() < 1e-9);
    assert_eq!(told("not launched"), None);
}

#[test]
fn what_came_out_is_told_by_findings_and_else_by_why_nobody_looked() {
    let told = |builds: &Builds, results: &Results, verdict, findings: Option<&Findings>| {
        builds.conclusion(results, verdict, findings)
    };
    let good = results(&[cell("new", &[])]);
    let mut failed = good.clone();
    failed.cells[0].valid = 0;
    let none = Findings {
        not_looked: Vec::new(),
        compared: true,
        processor_ms: crate::Pair::default(),
        waits_ms: crate::Pair::default(),
        service_ms: crate::Pair::default(),
        collector_ms: crate::Pair::default(),
        compiler_ms: crate::Pair::default(),
        recompiling_ms: 0.0,
        findings: Vec::new(),
        unexplained: crate::Unexplained::default(),
        missing: Vec::new(),
    };
    let alone = Builds {
        baseline: None,
        ..builds()
    };
    let two = builds();
    assert_eq!(told(&two, &failed, None, None), Conclusion::Failed);
    for (verdict, expected) in [
        (Some(Verdict::Same), Conclusion::NoDifference),
        (Some(Verdict::Better), Conclusion::NoDifference),
        (Some(Verdict::Inconclusive), Conclusion::NotTold),
        (Some(Verdict::Worse), Conclusion::NotExplained),
        (None, Conclusion::Interrupted),
    ] {
        assert_eq!(told(&two, &good, verdict, None), expected, "{verdict:?}");
    }
    let worse = Some(Verdict::Worse);
    assert_eq!(
        told(&two, &good, worse, Some(&none)),
        Conclusion::NotExplained
    );
    assert_eq!(told(&alone, &good, None, Some(&none)), Conclusion::Single);
    // Nobody interrupted it, and nothing was seen.
    let unseen = told(&alone, &good, None, None);
    assert_eq!(unseen.of_a_whole_run(), Conclusion::Failed);
    assert_eq!(Conclusion::Single.of_a_whole_run(), Conclusion::Single);
}

#[test]
fn without_both_builds_there_is_nothing_to_compare() {
    let seen = Dissection::default();
    assert!(builds().findings(None, Some(&seen), None).is_none());
    assert!(builds().findings(Some(&seen), None, None).is_none());
    let alone = Builds {
        baseline: None,
        ..builds()
    };
    assert!(
        alone
            .findings(None, Some(&seen), None)
            .is_some_and(|found| !found.compared)
    );
}
