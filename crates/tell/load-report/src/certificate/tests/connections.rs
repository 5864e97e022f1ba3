//! Connections that are all busy, and the law that says how many are.

use super::*;

/// 2,000/s of 50 ms each need 100 connections; 64 carry 1,280/s.
#[test]
fn connections_that_are_always_busy_are_named_with_the_number_that_would_do() {
    let record = PhaseRecord {
        throughput: 1_280.0,
        duration_s: 15.625,
        service_time_ms: Some(times(50.0)),
        response_time_ms: Some(times(2_800.0)),
        dispatch_delay_ms: Some(times(2_750.0)),
        ..open()
    };
    says(
        &evidence(&facts(&record), "connections"),
        Degraded,
        &["on average 64 of 64 were busy", "125 would carry 2,000/s"],
    );
}

/// 2,000/s of 4 ms each need 8 connections, but a pause of a second lets 2,000 requests wait.
#[test]
fn a_subject_that_pauses_keeps_all_connections_waiting_with_it() {
    let response = Quantiles {
        p99: 900.0,
        ..times(4.0)
    };
    let record = PhaseRecord {
        response_time_ms: Some(response),
        dispatch_delay_ms: Some(Quantiles {
            p99: 850.0,
            ..times(0.02)
        }),
        ..open()
    };
    says(
        &evidence(&facts(&record), "connections"),
        Degraded,
        &[
            "the subject paused",
            "on average 8 of 64",
            "use 1,800 connections",
        ],
    );
}

#[test]
fn the_law_of_little_finds_records_that_contradict_each_other() {
    let record = open();
    let mut facts = facts(&record);
    says(
        &evidence(&facts, "littles-law"),
        Valid,
        &["8 requests were on the wire"],
    );
    facts.recorded = Some(Recorded {
        requests: 20_000,
        response_s: 700.0,
        service_s: 700.0,
    });
    says(
        &evidence(&facts, "littles-law"),
        Invalid,
        &[
            "70 requests were on the wire",
            "over 64 connections",
            "error in Tacho",
        ],
    );
}

#[test]
fn a_closed_loop_has_as_many_under_way_as_connections() {
    // 16,000/s of 4 ms each are 64.
    let record = PhaseRecord {
        kind: PhaseTag::Closed,
        intended_rate: None,
        requests: 160_000,
        succeeded: 160_000,
        throughput: 16_000.0,
        ..open()
    };
    let mut facts = facts(&record);
    facts.always_busy = true;
    says(
        &evidence(&facts, "littles-law"),
        Valid,
        &["64 requests were under way"],
    );
    facts.connections = 100;
    says(
        &evidence(&facts, "littles-law"),
        Degraded,
        &["64 requests were under way", "over 100 connections"],
    );
    facts.always_busy = false;
    says(&evidence(&facts, "littles-law"), Valid, &[]);
}
