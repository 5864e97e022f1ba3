use super::*;
use crate::CheckReport;
use crate::records::{Kind, Second, Sparse, Times};
use proptest::prelude::*;
use std::collections::BTreeMap;
use tacho_run_folder::{PhaseRecord, PhaseTag};

fn parsed(text: &str) -> Check {
    Check::parse(text).unwrap_or_else(|e| panic!("{e}"))
}

fn error(text: &str) -> String {
    Check::parse(text).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_what_is_read() {
    for (text, metric, bound, unit) in [
        (
            "p99<50ms",
            Metric::Time(Time::Response, Statistic::Quantile(0.99)),
            50.0,
            "ms",
        ),
        (
            "p99.9 <= 0.2 s",
            Metric::Time(Time::Response, Statistic::Quantile(0.999)),
            0.2,
            "s",
        ),
        (
            "response-p50<5ms",
            Metric::Time(Time::Response, Statistic::Quantile(0.5)),
            5.0,
            "ms",
        ),
        (
            "service_p99<5ms",
            Metric::Time(Time::Service, Statistic::Quantile(0.99)),
            5.0,
            "ms",
        ),
        (
            "dispatch-max<900us",
            Metric::Time(Time::Dispatch, Statistic::Max),
            900.0,
            "us",
        ),
        (
            "lag-mean<1ms",
            Metric::Time(Time::Lag, Statistic::Mean),
            1.0,
            "ms",
        ),
        (
            "min>1ms",
            Metric::Time(Time::Response, Statistic::Min),
            1.0,
            "ms",
        ),
        ("rate >= 1900 /s", Metric::Rate, 1900.0, "/s"),
        ("throughput>5/s", Metric::Rate, 5.0, "/s"),
        ("errors<1%", Metric::ErrorShare, 1.0, "%"),
        ("errors<=3", Metric::ErrorCount, 3.0, ""),
        // As flags, files and `tacho run` write them.
        ("errors<0.01", Metric::ErrorShare, 0.01, ""),
        ("rate>2_000", Metric::Rate, 2_000.0, "/s"),
        (
            "max<1min",
            Metric::Time(Time::Response, Statistic::Max),
            1.0,
            "min",
        ),
    ] {
        let check = parsed(text);
        assert_eq!(
            (check.metric, check.bound.number, check.bound.unit.name),
            (metric, bound, unit),
            "{text}"
        );
        assert_eq!(
            (check.phase, check.kind, check.every_s),
            (None, None, None),
            "{text}"
        );
    }
}

#[test]
fn phases_kinds_and_windows() {
    let check = parsed("ramp.p99.9 of GET /a?b=1 < 50ms over every 10s");
    assert_eq!(check.phase.as_deref(), Some("ramp"));
    assert_eq!(check.kind.as_deref(), Some("GET /a?b=1"));
    assert_eq!(check.every_s, Some(10.0));
    assert_eq!(parsed("v1.2.max<1s").phase.as_deref(), Some("v1.2"));
    for (text, seconds) in [
        ("rate>5/s over any 10 s", 10.0),
        ("errors<1% over each 2min", 120.0),
        ("errors<=0 over every 1s", 1.0),
    ] {
        assert_eq!(parsed(text).every_s, Some(seconds), "{text}");
    }
}

#[test]
fn mistakes_are_shown_with_their_place_and_the_way_out() {
    let all = [
        "p99",
        "<50ms",
        "p99<",
        "p99<50",
        "p99<50s over 10s",
        "p99<50ms over every 500ms",
        "p99<50ms over every ten seconds",
        "p99<50ms over every 0s",
        "p99<50 parsecs",
        "p101<50ms",
        "ramp.p100<50ms",
        "pee99<50ms",
        "medain<50ms",
        "rate>2000ms",
        "errors<1.5",
        "jar: p99<5ms",
        "ready<5ms",
        "errors<1ms",
        "lag-p99 of login<1ms",
        "p99 of <1ms",
    ]
    .map(error)
    .join("\n\n");
    insta::assert_snapshot!(all);
}

#[test]
fn names_are_those_of_the_run() {
    let phases = ["ramp".to_owned(), "peak".to_owned()];
    let mut requests = vec!["login".to_owned(), "GET /orders".to_owned()];
    let fits = |text: &str, requests: &[String]| {
        parsed(text)
            .fits(&phases, Some(requests))
            .map_err(|e| e.to_string())
    };
    assert_eq!(fits("peak.p99 of login < 5ms", &requests), Ok(()));
    assert_eq!(fits("p99<5ms", &requests), Ok(()));
    let of_a_stream = parsed("p99 of whatever comes < 5ms").fits(&phases, None);
    assert_eq!(of_a_stream, Ok(()));
    let mistakes = [
        fits("peek.p99<5ms", &requests).unwrap_err(),
        fits("p99 of logni < 5ms", &requests).unwrap_err(),
    ];
    requests.extend((0..300).map(|i| format!("request {i}")));
    let beyond = fits("p99 of request 250 < 5ms", &requests).unwrap_err();
    insta::assert_snapshot!([&mistakes[..], &[beyond]].concat().join("\n\n"));
}

proptest! {
    #[test]
    fn no_text_makes_the_parser_panic(text in "[ -~äµ]{0,40}") {
        if let Err(error) = Check::parse(&text) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn nearly_right_text_neither(
        metric in "(p[0-9.]{0,4}|rate|errors|service-p99|a\\.max)", of in "( of [a-zé/ ]{0,5})?",
        op in "[<>]=?", number in "[0-9.]{0,4}", unit in "(ms|s|%|/s|)", over in "( over (every|any)? ?[0-9a-z]{0,4})?",
    ) {
        let _ = Check::parse(&format!("{metric}{of}{op}{number}{unit}{over}"));
    }
}

/// A phase of this many seconds that began 100 s after the clock.
fn phase(label: &str, began_s: f64, seconds: u32) -> PhaseRecord {
    PhaseRecord {
        label: label.into(),
        kind: PhaseTag::Open,
        started_ms: began_s * 1e3,
        duration_s: seconds.into(),
        requests: 0,
        succeeded: 0,
        errors: BTreeMap::new(),
        by_status: BTreeMap::new(),
        intended_rate: None,
        throughput: 0.0,
        response_time_ms: None,
        service_time_ms: None,
        dispatch_delay_ms: None,
        generator_lag_ms: None,
        on_time_response_ms: None,
        settled: None,
        unanswered: false,
        trouble: Vec::new(),
        reconnects: 0,
        generator_cpu_s: 0.0,
        time_keeping: None,
        subject_cpu_s: 0.0,
        steal_s: 0.0,
        processors: None,
        interrupted: false,
        search: None,
        workers: Vec::new(),
    }
}

fn values(count: u64, ms: u64) -> Sparse {
    let mut histogram = hdrhistogram::Histogram::<u64>::new(3).unwrap();
    histogram.record_n(ms * 1_000_000, count).unwrap();
    Sparse::of(&histogram)
}

/// `count` requests of `ms` and `failed` others.
fn second(phase: &str, start_s: f64, count: u64, ms: u64, failed: u64) -> Second {
    let kind = Kind {
        ok: Times {
            response: values(count, ms),
            service: values(count, ms / 2),
        },
        failed: Times {
            response: values(failed, 1),
            service: Sparse::default(),
        },
    };
    Second {
        phase: phase.into(),
        start_s,
        length_s: 1.0,
        kinds: BTreeMap::from([(0, kind)]),
        dispatch_delay: values(count, 3),
        generator_lag: values(count, 1),
        on_time: Sparse::default(),
    }
}

fn run(text: &str, phases: &[PhaseRecord], seconds: &[Second]) -> CheckReport {
    let records: Vec<&PhaseRecord> = phases.iter().collect();
    let check = parsed(text);
    let names = ["login".to_owned(), "GET /".to_owned()];
    let mut evaluator = Evaluator::new(&check, &records, &names);
    seconds.iter().for_each(|s| evaluator.take(s));
    evaluator.finish()
}

/// 10 ms in each second but the seventh, which has 100 of 1,000 requests at 500 ms.
fn a_bad_second() -> (Vec<PhaseRecord>, Vec<Second>) {
    let mut seconds: Vec<Second> = (0..20)
        .map(|s| second("peak", 100.0 + f64::from(s), 1_000, 10, 0))
        .collect();
    let bad = second("peak", 107.0, 100, 500, 0);
    let mut good = seconds[7].clone();
    good.kinds.insert(1, bad.kinds[&0].clone());
    seconds[7] = good;
    (vec![phase("peak", 100.0, 20)], seconds)
}

#[test]
fn over_the_whole_run_a_bad_second_is_half_a_per_cent() {
    let (phases, seconds) = a_bad_second();
    let whole = run("p99<50ms", &phases, &seconds);
    assert!(whole.passed, "{whole:?}");
    assert!((whole.value.unwrap() - 10.0).abs() < 0.01);
    assert_eq!(whole.text, "p99 was 10.0 ms");
    assert!(!run("p99.9<50ms", &phases, &seconds).passed);
}

#[test]
fn over_every_five_seconds_it_is_two_per_cent_and_its_place_is_named() {
    let (phases, seconds) = a_bad_second();
    let report = run("p99<50ms over every 5s", &phases, &seconds);
    assert!(!report.passed);
    assert!((report.value.unwrap() - 500.0).abs() < 0.5, "{report:?}");
    assert_eq!(report.phase.as_deref(), Some("peak"));
    // The first window with the second from 7 to 8.
    assert_eq!((report.from_s, report.to_s), (Some(3.0), Some(8.0)));
    assert_eq!(
        report.text,
        "p99 was 500 ms in the worst of 16 windows, 3 s to 8 s of peak"
    );
    // In every ten seconds it is one per cent, and the p99 is on the good side.
    assert!(run("p98<50ms over every 5s", &phases, &seconds).passed);
}

#[test]
fn a_pause_has_no_times_but_a_rate_of_nothing() {
    let seconds: Vec<Second> = (0..10)
        .filter(|s| !(3..7).contains(s))
        .map(|s| second("peak", f64::from(s), 1_000, 10, 0))
        .collect();
    let phases = [phase("peak", 0.0, 10)];
    let rate = run("rate>500/s over every 2s", &phases, &seconds);
    assert_eq!((rate.passed, rate.value), (false, Some(0.0)));
    assert_eq!((rate.from_s, rate.to_s), (Some(3.0), Some(5.0)));
    assert!(run("p99<50ms over every 2s", &phases, &seconds).passed);
    assert!(run("rate>500/s", &phases, &seconds).passed, "6,000 in 10 s");
}

#[test]
fn windows_end_with_their_phase_and_a_short_phase_is_one() {
    let mut seconds = vec![second("ramp", 0.0, 10, 900, 0)];
    seconds.extend((5..9).map(|s| second("peak", f64::from(s), 1_000, 10, 0)));
    let phases = [phase("ramp", 0.0, 1), phase("peak", 5.0, 4)];
    let all = run("max<1s over every 3s", &phases, &seconds);
    assert!(all.passed);
    assert!(
        all.text.contains("worst of 3 windows, 0 s to 1 s of ramp"),
        "{}",
        all.text
    );
    let peak = run("peak.max<50ms over every 3s", &phases, &seconds);
    assert!(
        peak.passed && peak.text.contains("of 2 windows"),
        "{}",
        peak.text
    );
    assert!(!run("max<50ms", &phases, &seconds).passed);
    assert!(run("peak.max<50ms", &phases, &seconds).passed);
}

#[test]
fn the_end_of_a_phase_is_judged_though_its_last_second_is_not_whole() {
    let bad_at = |last: u32, lasts: f64| {
        let mut seconds: Vec<Second> = (0..=last)
            .map(|s| {
                second(
                    "peak",
                    f64::from(s),
                    1_000,
                    if s == last { 500 } else { 10 },
                    0,
                )
            })
            .collect();
        seconds.last_mut().unwrap().length_s = lasts;
        let mut phase = phase("peak", 0.0, last);
        phase.duration_s += lasts;
        (vec![phase], seconds)
    };
    // As of three seconds at a constant rate: the last request is due before the end.
    let (phases, seconds) = bad_at(2, 0.995);
    let report = run("p99<50ms over every 1s", &phases, &seconds);
    assert!(!report.passed, "{report:?}");
    assert_eq!((report.from_s, report.to_s), (Some(2.0), Some(2.995)));
    assert!(
        report.text.contains("worst of 3 windows"),
        "{}",
        report.text
    );
    // Too short to be a stretch of its own: the last whole one goes on to the end.
    let (phases, seconds) = bad_at(3, 0.1);
    let report = run("p99<50ms over every 2s", &phases, &seconds);
    assert!(!report.passed, "{report:?}");
    assert_eq!((report.from_s, report.to_s), (Some(1.0), Some(3.1)));
}

#[test]
fn errors_as_a_share_and_as_a_count() {
    let seconds = [
        second("peak", 0.0, 990, 10, 10),
        second("peak", 1.0, 1_000, 10, 0),
    ];
    let phases = [phase("peak", 0.0, 2)];
    let share = run("errors<1%", &phases, &seconds);
    assert_eq!(
        (share.passed, share.value, share.unit.as_str()),
        (true, Some(0.5), "%")
    );
    assert_eq!(share.text, "0.50 % of the requests failed");
    assert!(!run("errors<1% over every 1s", &phases, &seconds).passed);
    let one = [second("peak", 0.0, 999, 10, 1)];
    let one = run("errors<1", &[phase("peak", 0.0, 1)], &one);
    assert_eq!(one.text, "1 request failed");
    assert_eq!(run("errors<=10", &phases, &seconds).value, Some(10.0));
    assert!(!run("errors<10", &phases, &seconds).passed);
}

#[test]
fn one_kind_of_request_and_the_other_times() {
    let (phases, seconds) = a_bad_second();
    assert!(run("max of login<50ms", &phases, &seconds).passed);
    let other = run("min of GET / >0.4s", &phases, &seconds);
    assert!(other.passed, "{other:?}");
    assert!(run("service-max<251ms", &phases, &seconds).passed);
    assert!(run("dispatch-p99<4ms", &phases, &seconds).passed);
    assert!(run("lag-max<2ms", &phases, &seconds).passed);
    let rate = run("rate of GET / <10/s", &phases, &seconds);
    assert_eq!(rate.value, Some(5.0), "100 in 20 s");
}

#[test]
fn what_was_not_measured_has_not_passed() {
    let report = run("p99<50ms", &[phase("peak", 0.0, 2)], &[]);
    assert_eq!((report.passed, report.value), (false, None));
    assert!(report.text.contains("nothing was measured"));
    let windows = run("p99<50ms over every 2s", &[phase("peak", 0.0, 2)], &[]);
    assert!(!windows.passed);
}

proptest! {
    /// What slides is what would be found by merging each stretch anew.
    #[test]
    fn the_worst_window_is_the_worst_of_all(
        times in proptest::collection::vec((1u64..50, 1u64..1_000), 1..30), length in 1usize..12,
    ) {
        let seconds: Vec<Second> = times.iter().enumerate()
            .map(|(s, (count, ms))| second("peak", s as f64, *count, *ms, 0)).collect();
        let phases = [phase("peak", 0.0, times.len() as u32)];
        let report = run(&format!("p90<1ms over every {length}s"), &phases, &seconds);
        let stretch = length.min(times.len());
        let expected = times.windows(stretch).map(|window| {
            let mut merged = crate::records::Distribution::default();
            window.iter().for_each(|(count, ms)| merged.add(&values(*count, *ms)));
            merged.quantile_ms(0.9).unwrap()
        }).fold(0.0, f64::max);
        prop_assert_eq!(report.value, Some(expected));
    }
}
