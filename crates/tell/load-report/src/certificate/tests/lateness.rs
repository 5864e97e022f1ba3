//! How much of a response time is the lateness of the generator.

use super::*;

#[test]
fn a_tenth_of_a_quantile_may_be_lateness_and_no_more() {
    for (on_time_ms, state) in [(4.0, Valid), (3.61, Valid), (3.59, Invalid)] {
        let record = PhaseRecord {
            on_time_response_ms: Some(times(on_time_ms)),
            ..open()
        };
        says(
            &evidence(&facts(&record), "generator-lag"),
            state,
            &["bound 10 %"],
        );
    }
    // However short the time is: 20 us of 60.
    let record = PhaseRecord {
        response_time_ms: Some(times(0.06)),
        on_time_response_ms: Some(times(0.04)),
        ..open()
    };
    says(
        &evidence(&facts(&record), "generator-lag"),
        Invalid,
        &["up to 33 %"],
    );
}

#[test]
fn what_is_late_is_named_and_the_rest_is_the_subjects() {
    let record = PhaseRecord {
        on_time_response_ms: Some(Quantiles {
            p99: 4.0,
            p99_9: 8.0,
            ..times(4.0)
        }),
        ..open()
    };
    says(
        &evidence(&facts(&record), "generator-lag"),
        Degraded,
        &["p99 and p99.9 are not the subject's"],
    );
    // The maximum is one request.
    let record = PhaseRecord {
        on_time_response_ms: Some(Quantiles {
            max: 0.1,
            ..times(4.0)
        }),
        ..open()
    };
    says(&evidence(&facts(&record), "generator-lag"), Valid, &[]);
}

#[test]
fn older_records_are_judged_by_the_lag_itself() {
    let record = PhaseRecord {
        generator_lag_ms: Some(Quantiles {
            p99_9: 3.0,
            ..times(0.02)
        }),
        ..open()
    };
    says(
        &evidence(&facts(&record), "generator-lag"),
        Degraded,
        &["p99.9 is not the subject's"],
    );
}

#[test]
fn a_closed_loop_has_no_schedule_to_be_late_for() {
    let record = PhaseRecord {
        kind: PhaseTag::Closed,
        intended_rate: None,
        generator_lag_ms: Some(times(50.0)),
        ..open()
    };
    let certificate = of_phase(&facts(&record));
    assert!(
        certificate
            .evidence
            .iter()
            .all(|e| !e.what.starts_with("generator-lag"))
    );
    assert!(certificate.evidence.iter().all(|e| e.what != "connections"));
}
