//! All rules together: of a clean phase, of nothing, and of a run by its worst phase.

use super::*;

#[test]
fn a_clean_phase_is_valid_and_every_rule_says_so() {
    let record = open();
    let certificate = of_phase(&facts(&record));
    assert_eq!(certificate.state, Valid);
    let rules: Vec<&str> = certificate
        .evidence
        .iter()
        .map(|e| e.what.as_str())
        .collect();
    assert_eq!(
        rules,
        [
            "generator-lag",
            "generator-cpu",
            "connections",
            "littles-law",
            "achieved-rate",
            "failed-requests",
            "reconnects",
            "steal",
            "records",
            "interrupted"
        ]
    );
}

#[test]
fn of_nothing_nothing_is_believed() {
    assert_eq!(of_run(&[], &[]).state, Invalid);
    let record = PhaseRecord {
        requests: 0,
        succeeded: 0,
        duration_s: 0.0,
        response_time_ms: None,
        service_time_ms: None,
        dispatch_delay_ms: None,
        generator_lag_ms: None,
        ..open()
    };
    says(
        &evidence(&facts(&record), "requests"),
        Invalid,
        &["nothing was sent"],
    );
    let rest = PhaseRecord {
        kind: PhaseTag::Rest,
        intended_rate: None,
        ..record
    };
    assert_eq!(of_phase(&facts(&rest)).state, Valid);
}

#[test]
fn a_run_shows_the_worst_phase_of_each_rule_by_name() {
    let (clean, mut late) = (open(), open());
    late.label = "peak".into();
    late.on_time_response_ms = Some(Quantiles {
        p99: 1.0,
        ..times(4.0)
    });
    let phases = [&clean, &late, &clean].map(|record| Facts {
        is_one_of_many: true,
        ..facts(record)
    });
    let certificate = of_run(&phases, &[]);
    assert_eq!(certificate.state, Degraded);
    let lag = &certificate.evidence[0];
    says(lag, Degraded, &["in phase `peak`"]);
    let names: Vec<&str> = certificate
        .evidence
        .iter()
        .map(|e| e.what.as_str())
        .collect();
    let mut once = names.clone();
    once.dedup();
    assert_eq!(names, once, "one piece of evidence a rule");
}

#[test]
fn the_worst_rate_is_the_lowest_and_what_was_seen_nowhere_has_no_place() {
    let (good, mut bad) = (open(), open());
    bad.label = "peak".into();
    bad.throughput = 1_990.0;
    let phases = [&good, &bad, &good].map(|record| Facts {
        is_one_of_many: true,
        ..facts(record)
    });
    let certificate = of_run(&phases, &[]);
    let of = |what: &str| {
        certificate
            .evidence
            .iter()
            .find(|e| e.what == what)
            .unwrap()
    };
    says(of("achieved-rate"), Valid, &["`peak`", "1,990/s"]);
    assert_eq!(of("interrupted").text, "the run went on to its end");
    assert_eq!(
        of("records").text,
        "the records of the seconds hold all requests"
    );
}
