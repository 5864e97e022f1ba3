//! Requests and launches that failed, lack their proof, or are too few.

use super::*;
use tacho_run_folder::{ErrorCount, FailureCause, Proof};

fn failed_outcome(cause: FailureCause) -> LaunchOutcome {
    LaunchOutcome::Failed {
        cause,
        message: "it ended".into(),
        last_log_lines: Vec::new(),
    }
}

#[test]
fn failed_requests() {
    // 30,000 closed requests in the three launches of a cell.
    for (failures, expected) in [
        (0, Valid),
        (30, Valid),
        (31, Degraded),
        (1500, Degraded),
        (1501, Invalid),
    ] {
        let mut run = run();
        let count = ErrorCount {
            count: failures,
            example: "503".into(),
        };
        run.launches[0].record.phases[1]
            .errors
            .insert("status-5xx".into(), count);
        assert_eq!(state_of(&run, "failed-requests"), expected, "{failures}");
    }
    // Of fifteen cold requests, few enough that a single failure is no reason to make a run
    // invalid.
    for (failures, expected) in [(2, Degraded), (7, Degraded), (8, Invalid)] {
        let mut run = run();
        let count = ErrorCount {
            count: failures,
            example: "503".into(),
        };
        run.launches[0].record.phases[0]
            .errors
            .insert("status-5xx".into(), count);
        assert_eq!(state_of(&run, "failed-requests"), expected, "{failures}");
    }
}

#[test]
fn what_the_requests_or_their_answers_may_not_be_is_told() {
    let mut run = run();
    let told = |run: &RunData| {
        let all = certificate(run).evidence;
        all.into_iter().find(|evidence| evidence.rule == "source")
    };
    assert_eq!(told(&run), None);
    run.launches[1].record.phases[1].trouble = vec!["7 messages came".to_owned()];
    let evidence = told(&run).unwrap();
    assert_eq!(evidence.state, Degraded);
    assert_eq!(evidence.statement, "7 messages came (launch 2)");
    run.launches[2].record.phases[0].trouble = vec!["3 messages came".to_owned()];
    let evidence = told(&run).unwrap();
    assert!(
        evidence
            .statement
            .ends_with("(launch 2; another launch likewise)")
    );
    assert_eq!(evidence.launches, [2, 3]);
}

#[test]
fn failed_launches() {
    let mut run = run();
    assert_eq!(state_of(&run, "failed-launches"), Valid);
    // Three are all of one cell, six all of both.
    for (count, expected) in [(1, Degraded), (3, Degraded), (5, Degraded), (6, Invalid)] {
        run.launches.sort_by_key(|l| l.record.cell.clone());
        for launch in run.launches.iter_mut().take(count) {
            launch.record.outcome = failed_outcome(FailureCause::OutOfMemory);
        }
        let certificate = certificate(&run);
        let evidence = found(&certificate, "failed-launches");
        assert_eq!((evidence.state, evidence.launches.len()), (expected, count));
    }
}

#[test]
fn missing_proofs() {
    let mut run = run();
    let without = certificate(&run);
    assert!(without.evidence.iter().all(|e| e.rule != "missing-proofs"));
    for launch in run.launches.iter_mut().filter(|l| l.record.cell == "aot") {
        launch.record.proof = Some(Proof {
            claim: "classes are served from the AOT cache".into(),
            holds: true,
            shared_classes: Some(0.9),
            evidence: "90 %".into(),
        });
    }
    assert_eq!(state_of(&run, "missing-proofs"), Valid);
    for (count, expected) in [(1, Degraded), (3, Degraded)] {
        let of_aot = run.launches.iter_mut().filter(|l| l.record.cell == "aot");
        for launch in of_aot.take(count) {
            launch.record.outcome = invalid_outcome();
        }
        assert_eq!(state_of(&run, "missing-proofs"), expected, "{count}");
    }
    for launch in &mut run.launches {
        launch.record.outcome = invalid_outcome();
    }
    assert_eq!(state_of(&run, "missing-proofs"), Invalid);
}

#[test]
fn replication() {
    let replicated = |launches| {
        let run = Synthetic::new(launches)
            .variant(Profile::named("jar"))
            .run();
        state_of(&run, "replication")
    };
    assert_eq!(
        [replicated(1), replicated(2), replicated(3)],
        [Degraded, Degraded, Valid]
    );
    let mut nothing = run();
    for launch in &mut nothing.launches {
        launch.record.outcome = LaunchOutcome::Interrupted;
    }
    assert_eq!(state_of(&nothing, "replication"), Invalid);
}

#[test]
fn interrupted() {
    let mut run = run();
    assert_eq!(state_of(&run, "interrupted"), Valid);
    run.header.interrupted = true;
    assert_eq!(state_of(&run, "interrupted"), Degraded);
    run.header.interrupted = false;
    run.launches.pop();
    assert_eq!(state_of(&run, "interrupted"), Degraded);
    let mut killed = super::tests::run();
    killed.launches[5].record.outcome = LaunchOutcome::Running;
    let certificate = certificate(&killed);
    assert_eq!(found(&certificate, "interrupted").launches, [6]);
}
