//! Limits: whether they were enforced, were those that were asked for, and were seen at all.

use super::*;
use serde_json::json;
use tacho_run_folder::PodRecord;

fn limited() -> RunData {
    Synthetic::new(3)
        .variant(Profile::named("jar"))
        .limits("1cpu", 1.0, 256 << 20)
        .run()
}

#[test]
fn throttling_is_stated_and_degrades_only_when_nothing_was_enforced() {
    let mut run = limited();
    let certificate = certificate(&run);
    let evidence = found(&certificate, "throttling");
    assert_eq!(evidence.state, Valid);
    assert!(
        evidence.statement.contains("40 %"),
        "{}",
        evidence.statement
    );
    run.launches[1].record.limits.as_mut().unwrap().periods = 0;
    let certificate = super::certificate(&run);
    let evidence = found(&certificate, "throttling");
    assert_eq!(
        (evidence.state, &evidence.launches[..]),
        (Degraded, &[2][..])
    );
}

#[test]
fn limits_are_those_that_were_asked_for() {
    assert_eq!(state_of(&limited(), "limits"), Valid);
    let broken = |change: fn(&mut tacho_run_folder::LimitsSeen)| {
        let mut run = limited();
        change(run.launches[2].record.limits.as_mut().unwrap());
        state_of(&run, "limits")
    };
    assert_eq!(broken(|seen| seen.inside = false), Invalid);
    assert_eq!(broken(|seen| seen.cpu = Some(1.009)), Valid);
    assert_eq!(broken(|seen| seen.cpu = Some(1.011)), Invalid);
    assert_eq!(broken(|seen| seen.cpu = None), Invalid);
    assert_eq!(broken(|seen| seen.memory_bytes = Some(512 << 20)), Invalid);
    let mut unseen = limited();
    unseen.launches[0].record.limits = None;
    assert_eq!(state_of(&unseen, "limits"), Invalid);
}

#[test]
fn each_process_of_a_launch_is_held_to_the_limits() {
    let with = |change: fn(&mut tacho_run_folder::LimitsSeen)| {
        let mut run = limited();
        let record = &mut run.launches[1].record;
        let mut second = PodRecord {
            number: 2,
            time_line: record.time_line.clone(),
            limits: record.limits.clone(),
            warm_up: None,
            resources: record.resources.clone(),
        };
        change(second.limits.as_mut().unwrap());
        record.pods.push(second);
        let certificate = certificate(&run);
        let evidence = found(&certificate, "limits");
        (evidence.state, evidence.launches.clone())
    };
    assert_eq!(with(|_| {}).0, Valid);
    assert_eq!(with(|seen| seen.inside = false), (Invalid, vec![2]));
    assert_eq!(with(|seen| seen.cpu = Some(2.0)), (Invalid, vec![2]));
}

/// Limits that nobody could look at are neither held nor broken, and the run is doubted for it.
#[test]
fn a_pod_that_nobody_saw_is_said_and_doubted() {
    let mut run = limited();
    assert!(
        certificate(&run)
            .evidence
            .iter()
            .all(|e| e.rule != "unseen")
    );
    let life =
        json!({"name": "p", "created_ms": -900.0, "exec_within_ms": 1000.0, "is_unseen": true});
    let record = &mut run.launches[0].record;
    record.limits = None;
    record.pod = Some(serde_json::from_value(life).unwrap());
    let judged = certificate(&run);
    let of = |rule: &str| judged.evidence.iter().find(|e| e.rule == rule).unwrap();
    assert_eq!((of("unseen").state, of("limits").state), (Degraded, Valid));
    assert_eq!(of("unseen").launches, [run.launches[0].record.number]);
    assert!(
        !of("limits")
            .launches
            .contains(&run.launches[0].record.number)
    );
}
