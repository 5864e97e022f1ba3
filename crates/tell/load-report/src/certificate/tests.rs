//! Each rule with a phase of which the truth is known.

use super::*;
use std::collections::BTreeMap;
use tacho_run_folder::{
    AnswerEnd, EarlyWake, ErrorCount, PhaseTag, Quantiles, TimeKeeping, WorkerPart,
};

fn times(p50: f64) -> Quantiles {
    Quantiles {
        count: 20_000,
        min: p50 * 0.5,
        mean: p50,
        p50,
        p90: p50 * 1.2,
        p95: p50 * 1.5,
        p99: p50 * 2.0,
        p99_9: p50 * 4.0,
        max: p50 * 5.0,
    }
}

/// 2,000/s for 10 s, each answered in 4 ms, over 64 connections.
pub fn open() -> PhaseRecord {
    PhaseRecord {
        label: "open".into(),
        kind: PhaseTag::Open,
        started_ms: 0.0,
        duration_s: 10.0,
        requests: 20_000,
        succeeded: 20_000,
        errors: BTreeMap::new(),
        by_status: BTreeMap::from([("2xx".into(), 20_000)]),
        intended_rate: Some(2_000.0),
        throughput: 2_000.0,
        response_time_ms: Some(times(4.0)),
        service_time_ms: Some(times(4.0)),
        dispatch_delay_ms: Some(times(0.02)),
        generator_lag_ms: Some(times(0.02)),
        on_time_response_ms: None,
        settled: None,
        unanswered: false,
        trouble: Vec::new(),
        reconnects: 0,
        generator_cpu_s: 1.2,
        time_keeping: None,
        subject_cpu_s: 0.0,
        steal_s: 0.0,
        processors: None,
        interrupted: false,
        search: None,
        workers: Vec::new(),
    }
}

fn facts(record: &PhaseRecord) -> Facts<'_> {
    let mean_s = |times: Option<Quantiles>| times.map_or(0.0, |t| t.mean / 1e3);
    let requests = record.succeeded + record.errors.values().map(|e| e.count).sum::<u64>();
    Facts {
        record,
        connections: 64,
        always_busy: false,
        cpus: 2,
        recorded: Some(Recorded {
            requests,
            response_s: requests as f64 * mean_s(record.response_time_ms),
            service_s: requests as f64 * mean_s(record.service_time_ms),
        }),
        is_one_of_many: false,
    }
}

fn evidence(facts: &Facts<'_>, what: &str) -> Evidence {
    let certificate = of_phase(facts);
    let found = certificate.evidence.iter().find(|e| e.what == what);
    found
        .unwrap_or_else(|| panic!("no {what} in {certificate:#?}"))
        .clone()
}

#[track_caller]
fn says(evidence: &Evidence, state: CertificateState, words: &[&str]) {
    assert_eq!(evidence.state, state, "{evidence:#?}");
    for word in words {
        assert!(evidence.text.contains(word), "`{word}` in {evidence:#?}");
    }
}

use CertificateState::{Degraded, Invalid, Valid};

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

/// One of eight: an eighth of the requests, and by their own response times so late.
fn worker(number: u32, on_time: Quantiles, lag_ms: f64) -> WorkerPart {
    let of_an_eighth = |times: Quantiles| Quantiles {
        count: 2_500,
        ..times
    };
    WorkerPart {
        worker: number,
        began_late_ms: 1.0,
        requests: 2_500,
        succeeded: 2_500,
        generator_cpu_s: 0.2,
        generator_lag_ms: Some(of_an_eighth(times(lag_ms))),
        response_time_ms: Some(of_an_eighth(times(4.0))),
        on_time_response_ms: Some(of_an_eighth(on_time)),
        lost: None,
    }
}

/// Seven that are on time, and this one as the fifth.
fn eight(fifth: WorkerPart) -> PhaseRecord {
    let punctual = |number| worker(number, times(4.0), 0.02);
    let mut workers: Vec<WorkerPart> = (1..=8).map(punctual).collect();
    workers[4] = fifth;
    PhaseRecord { workers, ..open() }
}

#[test]
fn one_late_worker_of_eight_cannot_hide_among_the_others() {
    let tail = Quantiles {
        p99: 4.0,
        p99_9: 8.0,
        ..times(4.0)
    };
    for (on_time, state, words) in [
        (tail, Degraded, "p99 and p99.9 are not the subject's"),
        (times(3.0), Invalid, "give each worker a processor"),
    ] {
        let record = eight(worker(5, on_time, 6.0));
        let lag = evidence(&facts(&record), "generator-lag");
        says(&lag, state, &["worker 5, the worst of 8", words]);
        says(&lag, state, &["12 ms late at p99, all together 0.040 ms"]);
        let numbers: Vec<(u32, f64)> = lag
            .workers
            .iter()
            .map(|w| (w.worker, w.lag_p99_ms))
            .collect();
        let punctual = |number| (number, 0.04);
        let mut wanted: Vec<(u32, f64)> = (1..=8).map(punctual).collect();
        wanted[4] = (5, 12.0);
        assert_eq!(numbers, wanted);
        assert_eq!(lag.value, lag.workers[4].late_share);
        assert_eq!(lag.workers[0].late_share, Some(0.0));
        // The same of all together says nothing of it.
        let alone = PhaseRecord {
            workers: Vec::new(),
            ..record
        };
        says(&evidence(&facts(&alone), "generator-lag"), Valid, &[]);
    }
}

#[test]
fn workers_that_are_on_time_are_judged_together() {
    let record = eight(worker(5, times(3.9), 0.1));
    let lag = evidence(&facts(&record), "generator-lag");
    says(&lag, Valid, &["worker 5, the worst of 8, 0.20 ms"]);
    let alone = PhaseRecord {
        workers: Vec::new(),
        ..record
    };
    let of_all = evidence(&facts(&alone), "generator-lag");
    assert_eq!((lag.value, lag.state), (of_all.value, of_all.state));
    assert!(of_all.workers.is_empty());
    // Nor is it by one alone, who is all.
    let one = PhaseRecord {
        workers: vec![worker(1, times(4.0), 0.02)],
        ..open()
    };
    let lag = evidence(&facts(&one), "generator-lag");
    assert_eq!((lag.workers.len(), &lag.text), (1, &of_all.text));
}

#[test]
fn where_all_together_are_as_late_their_quantiles_are_named() {
    let late = Quantiles {
        p99_9: 8.0,
        ..times(4.0)
    };
    let record = PhaseRecord {
        on_time_response_ms: Some(late),
        ..eight(worker(5, late, 6.0))
    };
    let lag = evidence(&facts(&record), "generator-lag");
    says(&lag, Degraded, &["p99.9 is not the subject's"]);
    says(&lag, Degraded, &["worker 5, the worst of 8, 12 ms"]);
}

/// As of one generator the maximum: of 500 requests p99.9 is the longest of them.
#[test]
fn the_longest_request_of_a_worker_is_one_request() {
    let late = Quantiles {
        p99_9: 8.0,
        max: 8.0,
        ..times(4.0)
    };
    for (count, state) in [(500, Valid), (2_500, Degraded)] {
        let mut fifth = worker(5, late, 6.0);
        let response = fifth.response_time_ms.as_mut().unwrap();
        response.count = count;
        says(
            &evidence(&facts(&eight(fifth)), "generator-lag"),
            state,
            &["worker 5, the worst of 8"],
        );
    }
}

#[test]
fn who_was_lost_or_had_no_answer_is_not_judged_by_it() {
    let unanswered = WorkerPart {
        response_time_ms: None,
        on_time_response_ms: None,
        ..worker(5, times(4.0), 6.0)
    };
    let lag = evidence(&facts(&eight(unanswered.clone())), "generator-lag");
    assert_eq!((lag.state, lag.workers[4].late_share), (Valid, None));
    let lost = WorkerPart {
        generator_lag_ms: None,
        lost: Some("it was cut off".to_owned()),
        ..unanswered
    };
    let record = eight(lost);
    let lag = evidence(&facts(&record), "generator-lag");
    assert_eq!((lag.state, lag.workers.len()), (Valid, 7));
    says(
        &evidence(&facts(&record), "workers"),
        Invalid,
        &["worker 5"],
    );
}

#[test]
fn what_was_sent_together_is_named() {
    let record = PhaseRecord {
        time_keeping: Some(TimeKeeping {
            ends: AnswerEnd::KernelStamp,
            early_wake: EarlyWake::On,
            spun_s: 0.0,
            batch_ms: 0.6,
        }),
        ..open()
    };
    says(
        &evidence(&facts(&record), "batch"),
        Degraded,
        &["within 0.60 ms were sent together"],
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

#[test]
fn a_generator_without_processor_time_left_was_the_limit() {
    for (cpu_s, state, words) in [
        (7.9, Valid, "79 %"),
        (8.5, Degraded, "may have been the limit"),
        (
            9.9,
            Degraded,
            "the generator, not the subject, was the limit",
        ),
    ] {
        let record = PhaseRecord {
            generator_cpu_s: cpu_s,
            ..open()
        };
        says(&evidence(&facts(&record), "generator-cpu"), state, &[words]);
    }
}

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

#[test]
fn a_rate_that_piles_up_is_not_the_same_as_a_last_answer_that_takes_its_time() {
    // Twice the rate that the subject does: response times grow to the length of the phase.
    let overloaded = PhaseRecord {
        duration_s: 20.0,
        throughput: 1_000.0,
        response_time_ms: Some(times(5_000.0)),
        ..open()
    };
    says(
        &evidence(&facts(&overloaded), "achieved-rate"),
        Degraded,
        &[
            "1,000/s were answered",
            "50 %",
            "requests piled up",
            "10 s after",
        ],
    );
    // Each answer takes 400 ms, also the last.
    let slow = PhaseRecord {
        duration_s: 10.4,
        throughput: 20_000.0 / 10.4,
        response_time_ms: Some(times(400.0)),
        ..open()
    };
    says(&evidence(&facts(&slow), "achieved-rate"), Valid, &["96 %"]);
}

fn failing(kind: &str, count: u64) -> PhaseRecord {
    let error = ErrorCount {
        count,
        example: "GET /: what happened".into(),
    };
    PhaseRecord {
        succeeded: 20_000 - count,
        errors: BTreeMap::from([(kind.into(), error)]),
        ..open()
    }
}

#[test]
fn failed_requests_by_their_share_and_with_what_to_do() {
    for (count, state) in [(0, Valid), (20, Valid), (21, Degraded), (1_001, Invalid)] {
        let record = if count == 0 {
            open()
        } else {
            failing("refused", count)
        };
        assert_eq!(
            evidence(&facts(&record), "failed-requests").state,
            state,
            "{count}"
        );
    }
    says(
        &evidence(&facts(&failing("unsent", 400)), "failed-requests"),
        Degraded,
        &[
            "400 of 20,000",
            "2 %",
            "`unsent`",
            "GET /: what happened",
            "more connections",
        ],
    );
    // Few requests, but none that succeeded.
    let mut all = failing("refused", 3);
    all.succeeded = 0;
    says(
        &evidence(&facts(&all), "failed-requests"),
        Invalid,
        &["3 of 3"],
    );
}

#[test]
fn reconnects_steal_interruption_and_missing_records() {
    let record = PhaseRecord {
        reconnects: 500,
        steal_s: 0.3,
        interrupted: true,
        ..open()
    };
    let mut facts = facts(&record);
    facts.recorded = Some(Recorded {
        requests: 19_000,
        ..facts.recorded.unwrap()
    });
    says(
        &evidence(&facts, "reconnects"),
        Degraded,
        &["2.5 %", "500 in all"],
    );
    says(&evidence(&facts, "steal"), Degraded, &["1.5 %"]);
    says(&evidence(&facts, "interrupted"), Degraded, &["after 10 s"]);
    says(
        &evidence(&facts, "records"),
        Degraded,
        &["19,000 of 20,000"],
    );
    let stolen = PhaseRecord {
        steal_s: 1.1,
        ..open()
    };
    let of_stolen = super::tests::facts(&stolen);
    says(&evidence(&of_stolen, "steal"), Invalid, &["5.5 %"]);
    let rounding = PhaseRecord {
        steal_s: 0.02,
        duration_s: 0.5,
        ..open()
    };
    let of_rounding = super::tests::facts(&rounding);
    assert_eq!(evidence(&of_rounding, "steal").value, Some(0.0));
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
