//! Every format of runs whose requests are known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::sync::OnceLock;
use support::{Recorded, pause_at, usual};
use tacho_load::transport::Outcome;
use tacho_load_report::{
    Check, LoadReport, LoadRun, Phase, Run, Search, SearchTry, csv, gatling, html, json, junit,
    markdown, prometheus, text,
};
use tacho_report::terminal::Style;
use tacho_run_folder::CertificateState;

const NAMES: [&str; 2] = ["GET /ping", "login"];

fn read(recorded: &Recorded, checks: &[&str], search: Option<Search>) -> LoadRun {
    let checks: Vec<Check> = checks.iter().map(|c| Check::parse(c).unwrap()).collect();
    let requests = NAMES.map(str::to_owned);
    let phases: Vec<Phase<'_>> = recorded
        .records
        .iter()
        .zip(0..)
        .map(|(record, index)| Phase {
            index,
            what: format!("{}/s over 64 connections", record.intended_rate.unwrap()),
            connections: 64,
            always_busy: false,
            record,
        })
        .collect();
    LoadRun::read(&Run {
        url: "http://127.0.0.1:8080/ping",
        requests: &requests,
        phases: &phases,
        histograms: &recorded.path("phases.hlog"),
        slowest: &recorded.path("slowest.csv"),
        cpus: 2,
        checks: &checks,
        search,
        notes: &[],
        source_trouble: &[],
    })
    .unwrap()
}

/// One phase with two kinds of request, two failures, and checks of every sort.
fn one() -> &'static (Recorded, LoadRun) {
    static ONE: OnceLock<(Recorded, LoadRun)> = OnceLock::new();
    ONE.get_or_init(|| {
        let mut recorded = Recorded::new("one");
        recorded.phase("open", 500, 6, usual);
        let checks = [
            "p99<50ms",
            "p99.9 of login < 10ms",
            "rate>=450/s over every 2s",
            "errors<=1",
            "dispatch-p99.9<1ms",
        ];
        let run = read(&recorded, &checks, None);
        (recorded, run)
    })
}

/// Three phases, one of them with a pause, and a search.
fn many() -> &'static (Recorded, LoadRun) {
    static MANY: OnceLock<(Recorded, LoadRun)> = OnceLock::new();
    MANY.get_or_init(|| {
        let mut recorded = Recorded::new("many");
        recorded.phase("warm-up", 100, 2, usual);
        recorded.phase("peak hour", 200, 5, pause_at(1_500, 200));
        recorded.phase("after", 100, 2, usual);
        let search = Search {
            objective: "p99<50ms".into(),
            rate: Some(1_600.0),
            confirmed: true,
            tries: vec![
                SearchTry {
                    rate: 1_600.0,
                    achieved: 1_599.2,
                    holds: true,
                    response_time_ms: None,
                    text: "p99 was 21.0 ms".into(),
                },
                SearchTry {
                    rate: 3_200.0,
                    achieved: 2_011.0,
                    holds: false,
                    response_time_ms: None,
                    text: "p99 was 812 ms".into(),
                },
            ],
            text: "1,600/s is the highest rate at which p99<50ms holds, confirmed by a second try."
                .into(),
        };
        let run = read(&recorded, &["p99<50ms over every 2s"], Some(search));
        (recorded, run)
    })
}

fn summary(run: &LoadRun, colour: bool, width: usize) -> String {
    text::render(run, &Style { colour, width })
}

#[test]
fn the_summary_of_one_phase() {
    insta::assert_snapshot!(summary(&one().1, false, 100));
}

#[test]
fn the_summary_of_several_phases_and_a_search() {
    insta::assert_snapshot!(summary(&many().1, false, 100));
}

#[test]
fn the_summary_in_a_narrow_window() {
    insta::assert_snapshot!(summary(&one().1, false, 64));
}

#[test]
fn no_line_passes_the_width() {
    for run in [&one().1, &many().1] {
        for width in [20, 60, 79, 80, 99, 100, 250] {
            for line in summary(run, false, width).lines() {
                let length = line.chars().count();
                assert!(
                    length <= width.clamp(60, 100),
                    "{length} of {width}: {line}"
                );
            }
        }
    }
}

#[test]
fn colours_add_nothing_but_colour() {
    let coloured = summary(&one().1, true, 100);
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, sequence)) = rest.split_once('\u{1b}') {
        plain.push_str(before);
        rest = sequence.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    assert_ne!(coloured, plain);
    let lines = |text: &str| {
        text.lines()
            .map(|l| l.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(lines(&plain), lines(&summary(&one().1, false, 100)));
}

/// Ids are for scripts.
#[test]
fn a_rule_that_does_not_hold_is_called_by_its_words() {
    let (recorded, run) = one();
    let mut run = run.clone();
    for evidence in &mut run.report.certificate.evidence {
        evidence.state = CertificateState::Degraded;
    }
    let report = &run.report;
    let evidence = &report.certificate.evidence;
    let ids: Vec<&str> = evidence.iter().map(|e| e.what.as_str()).collect();
    let ids: Vec<&str> = ids.into_iter().filter(|id| id.contains('-')).collect();
    for id in ["littles-law", "generator-cpu", "failed-requests"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
    let started = "2026-11-28T12:00:00Z";
    let histograms = recorded.path("phases.hlog");
    let page = html::render(report, &histograms, started).unwrap();
    for text in [
        summary(&run, false, 100),
        markdown::render(report),
        junit::render(report, started),
        page.split_once("<body>").unwrap().1.to_owned(),
    ] {
        for words in ["requests at a time: ", "generator CPU: "] {
            assert!(text.contains(words), "no {words}: {text}");
        }
        for id in &ids {
            assert!(!text.contains(&format!("{id}:")), "{id}: {text}");
        }
    }
    let json = json::render(report).unwrap();
    assert!(ids.iter().all(|id| json.contains(&format!("\"{id}\""))));
}

#[test]
fn the_json() {
    insta::assert_snapshot!(json::render(&one().1.report).unwrap());
}

#[test]
fn scripts_find_these_keys_at_the_top() {
    let value = serde_json::to_value(&many().1.report).unwrap();
    let mut keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    keys.sort();
    assert_eq!(
        keys,
        [
            "certificate",
            "checks",
            "dispatch_delay_ms",
            "duration_s",
            "generator_lag_ms",
            "intended_rate",
            "late_shares",
            "notes",
            "outcomes",
            "phases",
            "rate",
            "requests",
            "requests_by_kind",
            "response_time_ms",
            "search",
            "service_time_ms",
            "slowest",
            "tacho",
            "url"
        ]
    );
    let without = serde_json::to_value(&one().1.report).unwrap();
    assert!(without.get("search").is_none());
    assert_eq!(
        without["certificate"]["state"], "valid",
        "a failure in 1,500"
    );
    for key in [
        "count", "min", "mean", "p50", "p90", "p95", "p99", "p99_9", "max",
    ] {
        assert!(without["dispatch_delay_ms"][key].is_number(), "{key}");
    }
    let back: LoadReport = serde_json::from_value(without).unwrap();
    assert_eq!(back, one().1.report);
}

/// 3,000 requests: all but three hundredths take 3 to 5 ms and wait up to 38 µs, 1 in 100 takes 48
/// ms.
#[test]
fn the_numbers_are_those_of_the_requests() {
    let report = &one().1.report;
    assert_eq!(report.requests, 3_000);
    let close =
        |seen: f64, truth: f64| assert!((seen - truth).abs() < truth * 0.003, "{seen} {truth}");
    let (response, service) = (
        report.response_time_ms.unwrap(),
        report.service_time_ms.unwrap(),
    );
    assert_eq!(response.count, 2_998);
    close(service.p50, 4.0);
    // 19 of 21 take 4.8 ms or less, of 99 in 100: not quite nine tenths.
    close(service.p90, 4.9);
    close(service.max, 48.0);
    close(response.max, 48.038);
    close(response.min, 3.02);
    close(report.dispatch_delay_ms.unwrap().max, 0.038);
    close(report.rate, 2_999.0 / report.duration_s);
    let count = |name: &str| report.outcomes[name].count;
    assert_eq!(
        (count("2xx"), count("5xx"), count("timeout")),
        (2_998, 1, 1)
    );
    assert_eq!(
        report.outcomes.values().map(|o| o.count).sum::<u64>(),
        3_000
    );
    let kinds: Vec<(&str, u64, u64)> = report
        .requests_by_kind
        .iter()
        .map(|k| (k.name.as_str(), k.succeeded, k.failed))
        .collect();
    assert_eq!(kinds, [("GET /ping", 2_248, 2), ("login", 750, 0)]);
    assert_eq!(report.slowest.len(), 10);
    assert_eq!(report.slowest[0].outcome, "timeout");
    close(report.slowest[0].intended_s, 2.468);
}

#[test]
fn distributions_of_several_phases_are_merged() {
    let (_, run) = many();
    let merged = run.report.response_time_ms.unwrap();
    let phases = &run.report.phases;
    let counts: u64 = phases
        .iter()
        .map(|p| p.response_time_ms.unwrap().count)
        .sum();
    assert_eq!(merged.count, counts);
    let longest = phases.iter().map(|p| p.response_time_ms.unwrap().max);
    assert_eq!(merged.max, longest.fold(0.0, f64::max));
    // 200 of 1,400 wait up to a second, evenly: the 1,386th of all is the 186th of these.
    assert!((merged.p99 - 0.93 * 1_000.0).abs() < 15.0, "{merged:?}");
    assert_eq!(run.report.intended_rate, None, "phases differ");
    assert_eq!(run.report.certificate.state, CertificateState::Valid);
}

#[test]
fn the_csv_has_a_line_a_second() {
    let (recorded, run) = one();
    let mut file = Vec::new();
    csv::write(&recorded.path("phases.hlog"), &mut file).unwrap();
    let file = String::from_utf8(file).unwrap();
    insta::assert_snapshot!(file);
    let columns = file.lines().next().unwrap().split(',').count();
    let sum = |column: &str| -> u64 {
        let at = file
            .lines()
            .next()
            .unwrap()
            .split(',')
            .position(|c| c == column)
            .unwrap();
        file.lines()
            .skip(1)
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                assert_eq!(cells.len(), columns);
                cells[at].parse::<u64>().unwrap()
            })
            .sum()
    };
    assert_eq!(sum("intended"), run.report.requests);
    assert_eq!(sum("succeeded"), 2_998);
    assert_eq!(sum("failed"), 2);
}

#[test]
fn junit_for_a_ci_server() {
    insta::assert_snapshot!(junit::render(&one().1.report, "2026-11-22T10:00:00Z"));
}

#[test]
fn a_summary_for_plugins_that_read_gatlings() {
    let (_, run) = one();
    let bytes = gatling::render(run).unwrap();
    let all: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let count = |group: &str| all[group]["count"].as_u64().unwrap();
    let groups = ["group1", "group2", "group3", "group4"].map(count);
    assert_eq!(groups.iter().sum::<u64>(), run.report.requests);
    assert_eq!(all["numberOfRequests"]["ko"], 2);
    assert_eq!(groups[3], 2);
    insta::assert_snapshot!(String::from_utf8(bytes).unwrap());
}

#[test]
fn markdown_for_a_pull_request() {
    insta::assert_snapshot!(markdown::render(&many().1.report));
}

#[test]
fn what_a_subject_says_is_no_markup_and_mentions_nobody() {
    let mut report = one().1.report.clone();
    report.notes = vec!["`--http2`: @org/everyone <b> # ~\u{1b}[2J".to_owned()];
    let text = markdown::render(&report);
    let note = r"- note: `--http2`: &#64;org/everyone &lt;b&gt; \# \~ \[2J";
    assert!(text.contains(note), "{text}");
}

#[test]
fn prometheus_text() {
    insta::assert_snapshot!(prometheus::render(&one().1));
}

/// Prometheus, "Text-based format": names, one HELP and TYPE before a family's samples, which stand
/// together; buckets that never go down and end in +Inf, which is the count.
#[test]
fn prometheus_text_keeps_the_rules_of_its_format() {
    for run in [&one().1, &many().1] {
        let page = prometheus::render(run);
        assert!(page.ends_with('\n'));
        let mut families: Vec<String> = Vec::new();
        let mut series = std::collections::BTreeSet::new();
        let mut last_bucket = 0.0;
        for line in page.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let name = help.split(' ').next().unwrap().to_owned();
                assert!(!families.contains(&name), "{name} twice");
                families.push(name);
                continue;
            }
            let family = families.last().unwrap();
            if let Some(typed) = line.strip_prefix("# TYPE ") {
                assert_eq!(typed.split(' ').next().unwrap(), family);
                continue;
            }
            let (name_and_labels, value) = line.rsplit_once(' ').unwrap();
            let value: f64 = value.parse().unwrap();
            assert!(series.insert(name_and_labels.to_owned()), "{line} twice");
            let (name, labels) = name_and_labels.split_once('{').unwrap();
            assert!(labels.ends_with('}'));
            let suffix = name.strip_prefix(family.as_str()).unwrap();
            assert!(
                ["", "_bucket", "_sum", "_count"].contains(&suffix),
                "{line}"
            );
            assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'));
            if suffix == "_bucket" {
                assert!(value >= last_bucket, "{line}");
                last_bucket = value;
            } else {
                if suffix == "_count" {
                    assert_eq!(value, last_bucket, "{line}");
                }
                last_bucket = if suffix == "_sum" { last_bucket } else { 0.0 };
            }
        }
        assert_eq!(families.len(), 13);
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let mut recorded = Recorded::new("gone");
    recorded.phase("open", 100, 1, usual);
    std::fs::remove_file(recorded.path("phases.hlog")).unwrap();
    let requests = NAMES.map(str::to_owned);
    let error = LoadRun::read(&Run {
        url: "http://127.0.0.1/",
        requests: &requests,
        phases: &[],
        histograms: &recorded.path("phases.hlog"),
        slowest: &recorded.path("slowest.csv"),
        cpus: 1,
        checks: &[],
        search: None,
        notes: &[],
        source_trouble: &[],
    })
    .unwrap_err();
    assert!(error.to_string().contains("phases.hlog"), "{error}");
}

#[test]
fn a_damaged_log_leaves_totals_and_a_certificate_that_says_so() {
    let mut recorded = Recorded::new("damaged");
    recorded.phase("open", 100, 3, usual);
    let path = recorded.path("phases.hlog");
    let log = std::fs::read_to_string(&path).unwrap();
    let half: Vec<&str> = log.lines().take(log.lines().count() / 2).collect();
    std::fs::write(&path, format!("{}\nTag=open:0", half.join("\n"))).unwrap();
    let report = read(&recorded, &[], None).report;
    assert_eq!(report.response_time_ms.unwrap().count, 300);
    let records = report
        .certificate
        .evidence
        .iter()
        .find(|e| e.what == "records")
        .unwrap();
    assert_eq!(records.state, CertificateState::Degraded);
}

#[test]
fn the_page_has_what_the_summary_has_and_draws_each_second() {
    let (recorded, run) = many();
    let histograms = recorded.path("phases.hlog");
    let page = html::render(&run.report, &histograms, "2026-11-28T12:00:00Z").unwrap();
    for part in [
        "http:&#x2f;&#x2f;127.0.0.1:8080&#x2f;ping",
        "is the highest rate at which",
        "Response times by phase",
        "peak hour",
        "Response times by kind of request",
        "The slowest",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let drawn = drawn(&page);
    let columns = drawn["columns"].as_array().unwrap();
    assert!(columns.len() >= 9, "{drawn:#}");
    assert!(
        columns
            .iter()
            .any(|column| column[2].as_f64() > Some(100.0)),
        "the pause"
    );
    assert_eq!(drawn["windows"][1]["name"], "peak hour");
    assert_eq!(drawn["pods"], serde_json::json!([]));
}

/// What the chart of a page is drawn from.
fn drawn(page: &str) -> serde_json::Value {
    let (_, rest) = page.split_once("id=\"rollout-data\">").unwrap();
    let (json, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(json).unwrap()
}

/// Of 100 requests a second none ends in the first two and a half seconds, nor from 4 to 6.5 s.
fn stalled(n: u64) -> (u32, u64, Outcome) {
    let wanted_us = n * 10_000;
    let until_us = match wanted_us {
        0..2_500_000 => 2_500_000,
        4_000_000..6_500_000 => 6_500_000,
        other => other,
    };
    (0, until_us - wanted_us + 2_000, Outcome::Answered(200))
}

#[test]
fn the_chart_begins_with_its_phase_and_is_broken_where_no_request_ended() {
    let mut recorded = Recorded::new("stalled");
    recorded.phase("open", 100, 8, stalled);
    let report = read(&recorded, &[], None).report;
    let page = html::render(&report, &recorded.path("phases.hlog"), "").unwrap();
    let drawn = drawn(&page);
    assert_eq!(drawn["from_s"], 2.0);
    assert_eq!(drawn["column_s"], 1.0);
    let columns = drawn["columns"].as_array().unwrap();
    let columns: Vec<(f64, bool)> = columns
        .iter()
        .map(|column| (column[0].as_f64().unwrap(), column[1].is_null()))
        .collect();
    assert_eq!(
        columns,
        [
            (4.0, false),
            (5.0, false),
            (6.0, true),
            (8.0, false),
            (9.0, false)
        ]
    );
    assert!(page.contains("Of each second the median"));
}

#[test]
fn no_request_is_wanted_before_its_phase() {
    let mut recorded = Recorded::new("early");
    recorded.phase("open", 100, 1, usual);
    let mut run = read(&recorded, &[], None);
    for intended_s in [-0.000_012, -0.0] {
        run.report.slowest[0].intended_s = intended_s;
        let page = html::render(&run.report, &recorded.path("phases.hlog"), "").unwrap();
        assert!(page.contains("<th scope=\"row\">0 ms into open</th>"));
        let told = summary(&run, false, 100);
        assert!(
            told.contains(" 0.000 s") && !told.contains("-0.000"),
            "{told}"
        );
    }
}
