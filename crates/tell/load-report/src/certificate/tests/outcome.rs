//! What came of the requests: their rate, their failures, and their records.

use super::*;
use tacho_run_folder::ErrorCount;

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
