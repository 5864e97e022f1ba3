use super::*;
use proptest::prelude::*;

fn objective(text: &str) -> Objective {
    text.parse().unwrap()
}

fn message(text: &str) -> String {
    text.parse::<Objective>().unwrap_err().to_string()
}

/// Without the place.
fn problem(text: &str) -> String {
    text.parse::<Objective>().unwrap_err().problem.to_string()
}

fn times() -> Quantiles {
    Quantiles {
        count: 1_000,
        min: 1.0,
        mean: 10.0,
        p50: 9.0,
        p90: 20.0,
        p95: 25.0,
        p99: 50.0,
        p99_9: 80.0,
        max: 100.0,
    }
}

#[test]
fn each_statistic_is_compared_with_its_own_bound() {
    for (text, holds) in [
        ("p99<50ms", false),
        ("p99<=50ms", true),
        ("p99 < 50.1 ms", true),
        ("mean<10001us", true),
        ("p50<0.009s", false),
        ("p90<=20ms, p95<=25ms", true),
        ("p90<=20ms, p95<25ms", false),
        ("p99.9<0.1s", true),
        ("max<=100ms", true),
        ("max<99ms", false),
        // As flags, files and other objectives are written.
        ("p99<1e3ms", true),
        ("p99<0.05min", true),
        ("response-p99<=50_000\u{b5}s", true),
    ] {
        assert_eq!(objective(text).holds(Some(&times()), 0.0), holds, "{text}");
    }
    assert!(!objective("p99<1s").holds(None, 0.0));
}

#[test]
fn as_many_may_fail_as_the_strictest_bound_leaves_over() {
    let holds = |text: &str, failed| objective(text).holds(Some(&times()), failed);
    assert!(holds("p99<1s", 0.01) && !holds("p99<1s", 0.011));
    assert!(holds("p99.9<1s, p50<1s", 0.001) && !holds("p99.9<1s, p50<1s", 0.0011));
    assert!(holds("max<1s", 0.0) && !holds("max<1s", 0.0001));
    assert_eq!(objective("mean<1s").errors_allowed(), 0.5);
}

#[test]
fn a_bound_of_errors_that_is_written_counts_instead() {
    let holds = |text: &str, failed| objective(text).holds(Some(&times()), failed);
    assert!(holds("p99<1s, errors<5%", 0.049) && !holds("p99<1s, errors<5%", 0.05));
    assert!(holds("errors<=0%, p99<1s", 0.0) && !holds("errors<=0%, p99<1s", 0.001));
}

#[test]
fn what_is_not_understood_is_answered_with_what_to_write() {
    assert_eq!(
        message("fast"),
        "a check compares, as in `p99<50ms`: write <, <=, > or >=\n  fast\n  ^^^^"
    );
    assert_eq!(
        problem("p98<5ms"),
        "`p98` cannot be searched for; write mean, p50, p90, p95, p99, p99.9 or max with a time, or errors with a share"
    );
    assert_eq!(
        problem("p99<50"),
        "`p99` needs a time above 0 such as 50ms, not `50`"
    );
    assert_eq!(
        problem("p99<5ms,errors<2"),
        "`errors` needs a share between 0% and 100% such as 0.1%, not `2`"
    );
    assert_eq!(
        problem("errors<1%"),
        "an objective needs a bound of the response time, for example `p99<50ms, errors<1%`"
    );
    assert!(message("p99<5ms,errors<1%,errors<2%").contains("twice"));
    for wrong in [
        "",
        ",",
        "p99<",
        "p99<0ms",
        "p99<-1ms",
        "p99<infs",
        "p99>5ms",
        "service-p99<5ms",
        "rate<5/s",
        "jar: p99<5ms",
        "open.p99<5ms",
        "p99 of login<5ms",
        "p99<5ms over every 10s",
        "p99<5ms,errors<101%",
        "p99<5ms,",
    ] {
        assert!(wrong.parse::<Objective>().is_err(), "{wrong:?}");
    }
}

#[test]
fn in_files_it_is_the_text_that_was_written() {
    let read: Objective = serde_json::from_str("\" p99 <50ms,errors<1%\"").unwrap();
    assert_eq!(read, objective("p99 <50ms,errors<1%"));
    assert_eq!(
        serde_json::to_string(&read).unwrap(),
        "\"p99 <50ms,errors<1%\""
    );
    assert!(serde_json::from_str::<Objective>("\"p98<1s\"").is_err());
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(text in "[a-z0-9.<=%, ]{0,30}", any in ".{0,12}") {
        let _ = text.parse::<Objective>();
        let _ = any.parse::<Objective>();
    }

    #[test]
    fn a_larger_time_holds_wherever_a_smaller_one_does(ms in 1u32..200, more in 0u32..200) {
        let strict = objective(&format!("p99<{ms}ms"));
        let lenient = objective(&format!("p99<{}ms", ms + more));
        prop_assert!(!strict.holds(Some(&times()), 0.0) || lenient.holds(Some(&times()), 0.0));
    }
}
