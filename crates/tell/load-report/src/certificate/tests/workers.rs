//! Workers: one that is late, or was lost, among several.

use super::*;
use tacho_run_folder::WorkerPart;

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

/// Eight that begin within 20 ms of one instant are one load.
#[test]
fn one_of_eight_that_begins_more_than_20_ms_late_degrades() {
    for (late_ms, state) in [(20.0, Valid), (21.0, Degraded)] {
        let fifth = WorkerPart {
            began_late_ms: late_ms,
            ..worker(5, times(4.0), 0.02)
        };
        says(
            &evidence(&facts(&eight(fifth)), "workers"),
            state,
            &["8 workers began within", "bound 20 ms"],
        );
    }
}
