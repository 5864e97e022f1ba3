use super::*;
use tacho_diagnosis::NotLooked;

#[test]
fn the_conclusion_names_the_line_once_and_then_says_what_happens_there() {
    let time = serde_json::json!({"baseline": 1.0, "candidate": 3.0, "error": 0.1});
    let report = serde_json::json!({
        "format": 1, "name": "shop", "baseline": "old", "candidate": "new", "conclusion": "explained",
        "measured": [], "certificate": "valid", "folder": "runs/shop",
        "findings": {
            "compared": true, "processor_ms": time, "waits_ms": time, "service_ms": time, "collector_ms": time, "compiler_ms": time,
            "missing": [], "unexplained": {"share": 0.15, "ms": 0.3},
            "findings": [{
                "pattern": "regex-per-call", "owner": "shop.Orders.total", "line": 17, "is_own": true,
                "sentence": "For each request shop.Orders.total compiles a regular expression 4 times (before: never): a+.",
                "time_ms": time, "explains": 0.85, "explains_error": 0.01, "counts": [], "fix": "", "stack": [], "also": [],
            }],
        },
    });
    let report: DiagnosisReport = serde_json::from_value(report).unwrap();
    assert_eq!(
        conclusion(&report),
        "85 % of why new is slower lies in shop.Orders.total:17: for each request it compiles a regular expression 4 times (before: never): a+."
    );
}

#[test]
fn a_build_that_answers_quickly_that_it_failed_is_not_praised_alone() {
    let row = |id: &str, verdict: &str, before: f64, now: f64| {
        let one = |value: f64| serde_json::json!({"value": value, "low": value, "high": value});
        serde_json::json!({
            "id": id, "name": "throughput", "unit": "1/s", "baseline": one(before), "candidate": one(now),
            "ratio": one(2.0), "verdict": verdict, "decides": id.ends_with("throughput"),
        })
    };
    let report = |failed: &str| -> DiagnosisReport {
        serde_json::from_value(serde_json::json!({
                "format": 1, "name": "shop", "baseline": "old", "candidate": "new", "conclusion": "no-difference",
                "measured": [row("few.throughput", "better", 1.0, 2.0), row("few.failed_share", failed, 0.0, 0.3)],
                "certificate": "valid", "folder": "runs/shop", "findings": null,
            }))
            .unwrap()
    };
    assert_eq!(
        conclusion(&report("worse")),
        "new is not slower than old, and better in throughput. But new fails more requests, 30 % (before: 0 %); throughput and CPU time are of failed answers, too."
    );
    assert!(!conclusion(&report("same")).contains("fails"));
}

/// The service was killed by what looks into it, or did not start a further time.
#[test]
fn a_build_that_is_slower_and_could_not_be_looked_into_is_slower() {
    let one = |value: f64| serde_json::json!({"value": value, "low": value, "high": value});
    let report = serde_json::json!({
        "format": 1, "name": "shop", "baseline": "old", "candidate": "new", "conclusion": "not-explained",
        "measured": [{
            "id": "few.throughput", "name": "throughput", "unit": "1/s", "baseline": one(2.0), "candidate": one(1.0),
            "ratio": one(0.5), "verdict": "worse", "decides": true,
        }],
        "certificate": "valid", "folder": "runs/shop", "findings": null,
    });
    let report: DiagnosisReport = serde_json::from_value(report).unwrap();
    let said = conclusion(&report);
    assert!(said.starts_with("new is slower than old"), "{said}");
    assert!(
        said.ends_with(
            "Why is not told: the launch in which a build is looked into with instruments failed."
        ),
        "{said}"
    );
}

#[test]
fn a_quarter_is_not_most_of_a_requests_time() {
    let said = |explains: f64| {
        let time = serde_json::json!({"baseline": 0.0, "candidate": 3.0, "error": 0.1});
        let report = serde_json::json!({
            "format": 1, "name": "shop", "baseline": null, "candidate": "new", "conclusion": "single",
            "measured": [], "certificate": "valid", "folder": "runs/shop",
            "findings": {
                "compared": false, "processor_ms": time, "waits_ms": time, "service_ms": time, "collector_ms": time, "compiler_ms": time,
                "missing": [], "unexplained": {"share": 0.15, "ms": 0.3},
                "findings": [{
                    "pattern": "processor-time", "owner": "shop.Orders.total", "line": 17, "is_own": true,
                    "sentence": "shop.Orders.total uses 3 ms.",
                    "time_ms": time, "explains": explains, "explains_error": 0.01, "counts": [], "fix": "", "stack": [], "also": [],
                }],
            },
        });
        conclusion(&serde_json::from_value(report).unwrap())
    };
    assert!(said(0.6).starts_with("Most of a request's time, 60 %, is spent for shop."));
    assert!(said(0.23).starts_with("The largest part of a request's time, 23 %, is"));
}

#[test]
fn a_longer_name_is_not_the_owner() {
    let said = |sentence: &str| with_it_for(sentence, "shop.Orders.total");
    assert_eq!(
        said("shop.Orders.total uses 3 ms, most of it in shop.Orders.totalOf, shop.Orders.total"),
        "it uses 3 ms, most of it in shop.Orders.totalOf, it"
    );
    let lambda = "in shop.Orders.total (a lambda in it)";
    assert_eq!(said(lambda), lambda);
}

fn measured(rows: &[(&str, &str, [f64; 3])]) -> DiagnosisReport {
    let row = |(id, verdict, ratio): &(&str, &str, [f64; 3])| {
        let [low, value, high] = ratio;
        serde_json::json!({
            "id": id, "name": id, "unit": "ms", "candidate": {"value": 1.0, "low": 1.0, "high": 1.0},
            "ratio": {"value": value, "low": low, "high": high}, "verdict": verdict, "decides": true,
            "threshold": 0.05, "launches": 5,
        })
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    let conclusion = match rows.iter().any(|row| row["verdict"] == "inconclusive") {
        true => "not-told",
        false => "no-difference",
    };
    serde_json::from_value(serde_json::json!({
            "format": 1, "name": "shop", "baseline": "old", "candidate": "new", "conclusion": conclusion,
            "measured": rows, "certificate": "valid", "folder": "runs/shop", "findings": null,
        }))
        .unwrap()
}

#[test]
fn builds_are_alike_in_what_was_measured_of_both() {
    let near = [0.99, 1.0, 1.01];
    let all = [
        ("few.throughput", "same", near),
        ("few.cpu_per_request_ms", "same", near),
        ("few.response_p50_ms", "same", near),
    ];
    assert_eq!(
        conclusion(&measured(&all)),
        "Alike: new and old differ by less than 5 % in throughput, CPU time and response time."
    );
    // The generator was late: there is no response time.
    assert!(conclusion(&measured(&all[..2])).ends_with("in throughput and CPU time."));
}

#[test]
fn a_figure_that_allows_any_loss_rules_nothing_out() {
    let wide = ("few.throughput", "inconclusive", [0.9, 1.0, 1.1]);
    let said = conclusion(&measured(&[wide]));
    assert!(said.contains("is ruled out"), "{said}");
    let any = ("many.throughput", "inconclusive", [0.0, 0.9, 1.1]);
    let said = conclusion(&measured(&[wide, any]));
    assert!(!said.contains("is ruled out"), "{said}");
}

#[test]
fn one_build_that_could_not_be_looked_into_says_what_to_do() {
    let one = |value: f64| serde_json::json!({"value": value, "low": value, "high": value});
    let said = |measured: serde_json::Value| {
        let report = serde_json::json!({
            "format": 1, "name": "shop", "baseline": null, "candidate": "jar", "conclusion": "failed",
            "measured": measured, "certificate": "valid", "folder": "runs/shop", "findings": null,
        });
        let report: DiagnosisReport = serde_json::from_value(report).unwrap();
        conclusion(&report)
    };
    let measured = said(serde_json::json!([{
        "id": "few.throughput", "name": "throughput", "unit": "1/s", "baseline": null, "candidate": one(1.0),
        "ratio": null, "verdict": null,
    }]));
    assert!(
        measured.contains(
            "the launch with instruments did not come so far. Its output is in runs/shop/diagnosis"
        ),
        "{measured}"
    );
    let none = said(serde_json::json!([]));
    assert!(none.contains("no launch that came to its end"), "{none}");
}

#[test]
fn so_many_launches_would_tell_what_looks_different_first() {
    let row = |low: f64, value: f64, high: f64| -> crate::Measured {
        serde_json::from_value(serde_json::json!({
                "id": "few.cpu_per_request_ms", "name": "CPU", "unit": "ms", "candidate": {"value": 1.0, "low": 1.0, "high": 1.0},
                "ratio": {"value": value, "low": low, "high": high}, "verdict": "inconclusive", "decides": true,
                "threshold": 0.05, "launches": 5,
            }))
            .unwrap()
    };
    let (different, alike) = (row(1.0, 1.5, 2.25), row(0.9, 1.0, 1.11));
    assert_eq!(launches_needed(&[&different, &alike]), Some(15));
    assert_eq!(launches_needed(&[&alike]), Some(52));
    assert_eq!(launches_needed(&[]), None);
}

#[test]
fn what_may_be_lost_at_most_is_the_worst_end_of_an_interval() {
    let row = |id: &str| -> crate::Measured {
        serde_json::from_value(serde_json::json!({
                "id": id, "name": "", "unit": "", "candidate": {"value": 1.0, "low": 1.0, "high": 1.0},
                "ratio": {"value": 1.0, "low": 0.8, "high": 1.25}, "verdict": "inconclusive", "decides": true,
            }))
            .unwrap()
    };
    let wide = 1.25_f64.powf(1.5) - 1.0;
    for id in ["few.throughput", "few.cpu_per_request_ms"] {
        assert!((most_lost(&row(id)).unwrap() - wide).abs() < 1e-9);
    }
}

#[test]
fn rules_that_could_not_look_are_told_together() {
    let not = |pattern: &str, name: &str, why: &str| NotLooked {
        pattern: pattern.to_owned(),
        name: name.to_owned(),
        why: why.to_owned(),
    };
    let mut findings = Findings::default();
    assert_eq!(not_looked(&findings), None);
    let why = "resource look ups not observed in old";
    findings.not_looked = vec![
        not("service-loader-scan", "scans for services", why),
        not("resource-look-ups", "resources of the class path", why),
    ];
    assert_eq!(
        not_looked(&findings).unwrap(),
        "Not looked for: scans for services, resources of the class path \
             (resource look ups not observed in old)."
    );
    assert_eq!(
        serde_json::json!(findings)["not_looked"][0],
        serde_json::json!({"pattern": "service-loader-scan", "name": "scans for services", "why": why})
    );
}
