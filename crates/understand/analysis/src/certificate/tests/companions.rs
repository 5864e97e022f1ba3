//! What the subject needs beside it: what it took, and launches that lost it.

use super::*;
use tacho_run_folder::CompanionRecord;

#[test]
fn companions() {
    // On the 2 processors of the synthetic machine: so much of it used by what the subject needs,
    // so much in all.
    let with_companions = |share: f64, busy: f64| {
        let mut run = run();
        for phase in &mut run.launches[1].record.phases {
            let used = phase.processors.as_mut().unwrap();
            used.companions_cpu_s = 2.0 * share * used.span_s;
            used.busy_cpu_s = 2.0 * busy * used.span_s;
            used.subject_cpu_s = used.busy_cpu_s - used.companions_cpu_s - used.tacho_cpu_s;
        }
        certificate(&run)
    };
    for (share, busy, expected) in [
        (0.1, 0.89, Valid),
        (0.6, 0.89, Valid),
        (0.1, 0.91, Degraded),
        (0.6, 1.0, Degraded),
    ] {
        let certificate = with_companions(share, busy);
        let evidence = found(&certificate, "companions");
        assert_eq!(evidence.state, expected, "{evidence:?}");
        assert!(evidence.launches == [2], "{evidence:?}");
        assert_eq!(found(&certificate, "other-processes").state, Valid);
    }
    // Nobody is spoken of who is not there.
    let evidence = certificate(&run()).evidence;
    assert!(evidence.iter().all(|e| e.rule != "companions"));
}

fn companion(name: &str, ended: Option<&str>) -> CompanionRecord {
    CompanionRecord {
        name: name.to_owned(),
        fresh: false,
        starts: 1,
        ready_ms: Some(20.0),
        cpu_s: 0.0,
        ended: ended.map(str::to_owned),
    }
}

#[test]
fn companions_that_the_experiment_starts_are_named_however_little_they_took() {
    let mut run = run();
    for launch in &mut run.launches {
        launch.record.companions = vec![companion("stub", None), companion("db", None)];
    }
    let certificate = certificate(&run);
    let evidence = found(&certificate, "companions");
    let said = "the subject's companions (db, stub) took up to 0 % of the machine's";
    assert!(evidence.statement.starts_with(said), "{evidence:?}");
    assert_eq!(evidence.state, Valid);
    assert_eq!(found(&certificate, "companions-lost").state, Valid);
    let rules = &certificate.evidence;
    assert!(rules.iter().all(|e| e.rule != "missing-proofs"));
}

/// A launch without its companion is invalid, and it is no proof that it lacks.
#[test]
fn companions_lost() {
    let mut run = run();
    assert!(
        certificate(&run)
            .evidence
            .iter()
            .all(|e| e.rule != "companions-lost")
    );
    let ended = "was ended by SIGKILL in phase `open`";
    let launch = &mut run.launches[1].record;
    launch.companions = vec![companion("db", Some(ended))];
    launch.outcome = invalid_outcome();
    let one = certificate(&run);
    let evidence = found(&one, "companions-lost");
    assert_eq!((evidence.state, &*evidence.launches), (Degraded, &[2][..]));
    assert_eq!(
        evidence.statement,
        format!(
            "1 of 6 launches lost a companion that they needed; bound 0 (launch 2: db {ended})"
        )
    );
    assert!(one.evidence.iter().all(|e| e.rule != "missing-proofs"));
    for launch in &mut run.launches {
        launch.record.companions = vec![companion("db", Some(ended))];
        launch.record.outcome = invalid_outcome();
    }
    assert_eq!(state_of(&run, "companions-lost"), Invalid);
}
