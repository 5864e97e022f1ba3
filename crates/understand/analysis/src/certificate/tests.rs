//! Each rule on both sides of each of its bounds.

use super::*;
use crate::testkit::{Profile, Synthetic};
use CertificateState::{Degraded, Invalid, Valid};
use serde_json::json;
use tacho_run_folder::{
    CompanionRecord, Duet, DuetSeen, DuetWindows, ErrorCount, FailureCause, PhaseKind, PhaseRecord,
    PlannedRequest, Proof, Quantiles, Results, Verdict,
};

fn run() -> RunData {
    Synthetic::new(3)
        .variant(Profile::named("jar"))
        .variant(Profile::named("aot"))
        .open_phase("open")
        .run()
}

fn limited() -> RunData {
    Synthetic::new(3)
        .variant(Profile::named("jar"))
        .limits("1cpu", 1.0, 256 << 20)
        .run()
}

fn found<'a>(certificate: &'a Certificate, rule: &str) -> &'a Evidence {
    let evidence = certificate.evidence.iter().find(|e| e.rule == rule);
    evidence.unwrap_or_else(|| panic!("{rule} was not applied"))
}

fn state_of(run: &RunData, rule: &str) -> CertificateState {
    found(&certificate(run), rule).state
}

/// Changes the open phase (the third) of launch 2.
fn with_open(change: impl Fn(&mut PhaseRecord)) -> RunData {
    let mut run = run();
    change(&mut run.launches[1].record.phases[2]);
    run
}

fn failed_outcome(cause: FailureCause) -> LaunchOutcome {
    LaunchOutcome::Failed {
        cause,
        message: "it ended".into(),
        last_log_lines: Vec::new(),
    }
}

fn invalid_outcome() -> LaunchOutcome {
    LaunchOutcome::Invalid {
        reason: "no class was served from the archive".into(),
    }
}

#[test]
fn a_clean_run_is_valid_and_lists_its_rules() {
    let certificate = certificate(&run());
    assert_eq!(certificate.state, Valid, "{certificate:#?}");
    let rules: Vec<&str> = certificate
        .evidence
        .iter()
        .map(|e| e.rule.as_str())
        .collect();
    assert_eq!(
        rules,
        [
            "dispatch-delay",
            "busy-connections",
            "generator-cpu",
            "reconnects",
            "observer-cpu",
            "steal",
            "other-processes",
            "failed-requests",
            "failed-launches",
            "replication",
            "interrupted",
        ]
    );
    let statements = certificate.evidence.iter().map(|e| &e.statement);
    assert!(
        statements
            .clone()
            .all(|s| s.contains("bound") || s.contains("above"))
    );
    assert!(
        statements
            .clone()
            .all(|s| s.chars().any(|c| c.is_ascii_digit()))
    );
    assert!(
        certificate
            .evidence
            .iter()
            .all(|e| !e.launches.is_empty() || e.state == Valid)
    );
}

#[test]
fn dispatch_delay() {
    // Of the times without lateness, a quantile alone or all of them.
    let all = |share: f64| {
        move |times: &mut Quantiles| {
            for quantile in [
                &mut times.p50,
                &mut times.p90,
                &mut times.p95,
                &mut times.p99,
                &mut times.p99_9,
            ] {
                *quantile *= 1.0 - share;
            }
        }
    };
    type Less<'a> = &'a dyn Fn(&mut Quantiles);
    let cases: [(Less<'_>, CertificateState); 5] = [
        (&all(0.09), Valid),
        // The other two launches of the cell stand.
        (&all(0.11), Degraded),
        (&|times| times.p99 *= 0.5, Degraded),
        (&|times| times.p50 *= 0.8, Degraded),
        (&|times| times.max = 0.0, Valid),
    ];
    for (number, (less, expected)) in cases.into_iter().enumerate() {
        let run = with_open(|phase| {
            let mut on_time = phase.response_time_ms.unwrap();
            less(&mut on_time);
            phase.on_time_response_ms = Some(on_time);
        });
        let certificate = certificate(&run);
        let evidence = found(&certificate, "dispatch-delay");
        assert_eq!(evidence.state, expected, "{number}");
        assert!(expected == Valid || evidence.launches == [2]);
        assert_eq!(certificate.state, expected);
    }
    let unrecorded = with_open(|phase| phase.generator_lag_ms = None);
    assert_eq!(state_of(&unrecorded, "dispatch-delay"), Degraded);
    // No launch of one of the variants has anything to go by.
    let mut lost = run();
    for launch in lost.launches.iter_mut().filter(|l| l.record.cell == "aot") {
        let phase = &mut launch.record.phases[2];
        let mut on_time = phase.response_time_ms.unwrap();
        all(0.11)(&mut on_time);
        phase.on_time_response_ms = Some(on_time);
    }
    assert_eq!(state_of(&lost, "dispatch-delay"), Invalid);
}

#[test]
fn busy_connections_are_told_from_a_late_generator() {
    for (wait, expected) in [(0.9, Valid), (1.1, Degraded), (500.0, Degraded)] {
        let run = with_open(|phase| phase.dispatch_delay_ms.as_mut().unwrap().p99 = 0.04 + wait);
        assert_eq!(state_of(&run, "busy-connections"), expected, "{wait}");
        assert_eq!(state_of(&run, "dispatch-delay"), Valid);
    }
}

#[test]
fn generator_cpu() {
    for (cpu_s, expected) in [(8.0, Valid), (8.1, Degraded), (10.0, Degraded)] {
        let run = with_open(|phase| phase.generator_cpu_s = cpu_s);
        assert_eq!(state_of(&run, "generator-cpu"), expected, "{cpu_s}");
    }
    let too_short = with_open(|phase| (phase.duration_s, phase.generator_cpu_s) = (0.09, 0.09));
    assert_eq!(state_of(&too_short, "generator-cpu"), Valid);
}

#[test]
fn reconnects() {
    for (reconnects, expected) in [(0, Valid), (40, Valid), (41, Degraded)] {
        let run = with_open(|phase| phase.reconnects = reconnects);
        assert_eq!(
            state_of(&run, "reconnects"),
            expected,
            "{reconnects} of 2,000"
        );
    }
}

/// Three of four requests ask for it, as `ab` does: those tell of connecting, and are meant to.
#[test]
fn connections_that_are_asked_to_close_are_no_fault() {
    let asked = |weight: f64, closes: bool| PlannedRequest {
        name: "GET /".to_owned(),
        weight,
        sha256: String::new(),
        closes,
    };
    for (reconnects, expected) in [(1_500, Valid), (1_540, Valid), (1_541, Degraded)] {
        let mut run = with_open(|phase| phase.reconnects = reconnects);
        run.plan.requests = Some(vec![asked(3.0, true), asked(1.0, false)]);
        assert_eq!(state_of(&run, "reconnects"), expected, "{reconnects}");
        if expected == Degraded {
            let said = found(&certificate(&run), "reconnects").statement.clone();
            assert!(said.contains("75 % of all requests ask for it"), "{said}");
        }
    }
}

#[test]
fn observer_cpu() {
    for (share, expected) in [(0.049, Valid), (0.051, Degraded)] {
        let mut run = run();
        let resources = &mut run.launches[0].record.resources;
        resources.observer_cpu_s = share * resources.at_end.unwrap().at_ms / 1e3;
        assert_eq!(state_of(&run, "observer-cpu"), expected, "{share}");
    }
    // Looking while nothing is measured takes nobody's time, however short the launch.
    let mut run = run();
    let resources = &mut run.launches[0].record.resources;
    let end_s = resources.at_end.unwrap().at_ms / 1e3;
    (resources.observer_cpu_s, resources.observer_cpu_at_rest_s) = (0.14 * end_s, 0.1 * end_s);
    assert_eq!(state_of(&run, "observer-cpu"), Valid);
}

#[test]
fn steal() {
    let capacity_s: f64 = 2.0
        * run().launches[0]
            .record
            .phases
            .iter()
            .map(|p| p.duration_s)
            .sum::<f64>();
    for (share, expected) in [
        (0.0099, Valid),
        (0.0101, Degraded),
        (0.0499, Degraded),
        (0.0501, Invalid),
    ] {
        let mut run = run();
        run.launches[0].record.phases[1].steal_s = share * capacity_s;
        assert_eq!(state_of(&run, "steal"), expected, "{share}");
    }
    // Two ticks of a launch of a tenth of a second are rounding, three are not.
    for (steal_s, expected) in [(0.02, Valid), (0.03, Invalid)] {
        let mut run = run();
        for phase in &mut run.launches[0].record.phases {
            phase.duration_s = 0.033;
        }
        run.launches[0].record.phases[0].steal_s = steal_s;
        assert_eq!(state_of(&run, "steal"), expected, "{steal_s}");
    }
}

#[test]
fn other_processes() {
    // Alike in each phase of launch 2, on the 2 processors of the synthetic machine.
    let with_others = |share: f64| {
        let mut run = run();
        for phase in &mut run.launches[1].record.phases {
            let used = phase.processors.as_mut().unwrap();
            used.busy_cpu_s = used.subject_cpu_s + used.tacho_cpu_s + 2.0 * share * used.span_s;
        }
        run
    };
    for (share, expected) in [
        (0.049, Valid),
        (0.051, Degraded),
        (0.499, Degraded),
        (0.501, Invalid),
    ] {
        let certificate = certificate(&with_others(share));
        let evidence = found(&certificate, "other-processes");
        assert_eq!(evidence.state, expected, "{share}");
        let says_what_to_do = evidence.statement.contains("`top`");
        assert_eq!(says_what_to_do, expected != Valid, "{evidence:?}");
        assert!(expected == Valid || evidence.launches == [2]);
    }
    let not_judged = |change: fn(&mut PhaseRecord)| {
        let mut run = with_others(0.9);
        for launch in &mut run.launches {
            launch.record.phases.iter_mut().for_each(change);
        }
        let evidence = certificate(&run).evidence;
        evidence.iter().all(|e| e.rule != "other-processes")
    };
    // Not known, nothing was sent, too short for the tick.
    assert!(not_judged(|phase| phase.processors = None));
    assert!(not_judged(|phase| phase.requests = 0));
    assert!(not_judged(|phase| {
        phase.processors.as_mut().unwrap().span_s = 0.3;
    }));
}

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

/// Its verdicts stand beside the others, it decides nothing, and the certificate says what they are
/// worth.
#[test]
fn what_is_told_of_a_copy_of_the_baseline_degrades() {
    let quick = || Profile {
        throughput: 1_900.0,
        ..Profile::named("aot")
    };
    let told = |copy: Profile| {
        let mut run = Synthetic::new(5)
            .variant(Profile::named("jar"))
            .variant(quick())
            .variant(copy)
            .run();
        run.plan.aa = Some("jar-aa".to_owned());
        crate::analyse(&run)
    };
    let of = |results: &Results| {
        let evidence = results.certificate.evidence.iter();
        evidence.clone().find(|e| e.rule == "a-a").cloned().unwrap()
    };
    let same = told(Profile::named("jar-aa"));
    assert_eq!(of(&same).state, CertificateState::Valid);
    assert!(of(&same).statement.contains("in none of"), "{same:#?}");
    // Faster than all of them, as if the machine had had a good minute each time.
    let other = told(Profile {
        throughput: 4_000.0,
        ..Profile::named("jar-aa")
    });
    let evidence = of(&other);
    assert_eq!(evidence.state, CertificateState::Degraded);
    assert!(
        evidence.statement.contains("throughput, closed (×"),
        "{evidence:?}"
    );
    assert_eq!(other.advice.by_limits[0].pick.as_deref(), Some("aot"));
    assert!(
        !other.advice.sentence.contains("jar-aa"),
        "{:?}",
        other.advice
    );
}

/// As soon as it is over: what takes the machine from it, and what the generator was late with.
#[test]
fn a_launch_is_spoiled_by_what_took_the_machine() {
    let record = || {
        let run = Synthetic::new(1)
            .variant(Profile::named("jar"))
            .open_phase("open")
            .run();
        run.launches.into_iter().next().unwrap().record
    };
    assert_eq!(spoiled(&record(), 2, Beside::Nothing), None);
    let mut busy = record();
    for phase in &mut busy.phases {
        let used = phase.processors.as_mut().unwrap();
        used.busy_cpu_s += 1.2 * used.span_s;
    }
    let Some(Spoil::Disturbed(why)) = spoiled(&busy, 2, Beside::Nothing) else {
        panic!("others took more than half");
    };
    assert!(why.starts_with("other processes took 6"), "{why}");
    let mut stolen = record();
    stolen.phases[1].steal_s = 3.0;
    assert!(matches!(
        spoiled(&stolen, 2, Beside::Nothing),
        Some(Spoil::Disturbed(_))
    ));
    // What would only degrade the run, too.
    let others = |share: f64| {
        let mut record = record();
        for phase in &mut record.phases {
            let used = phase.processors.as_mut().unwrap();
            used.busy_cpu_s = used.subject_cpu_s + used.tacho_cpu_s + share * 2.0 * used.span_s;
        }
        (
            spoiled(&record, 2, Beside::Nothing),
            spoiled(&record, 2, Beside::Cluster),
        )
    };
    assert_eq!(others(0.04), (None, None));
    assert!(matches!(others(0.06), (Some(Spoil::Disturbed(_)), None)));
    let mut late = record();
    let response = late.phases[2].response_time_ms.unwrap();
    late.phases[2].on_time_response_ms = Some(Quantiles {
        p99: response.p99 * 0.8,
        ..response
    });
    assert!(matches!(
        spoiled(&late, 2, Beside::Nothing),
        Some(Spoil::Late(_))
    ));
    late.outcome = LaunchOutcome::Interrupted;
    assert_eq!(spoiled(&late, 2, Beside::Nothing), None);
}

/// Of launches from which time was stolen it is asked whether they were slower.
#[test]
fn stolen_time_counts_by_what_it_did() {
    let stolen = |slower: f64, noise: f64| {
        let profile = |name: &str| Profile {
            noise,
            ..Profile::named(name)
        };
        let synthetic = Synthetic::new(10)
            .variant(profile("jar"))
            .variant(profile("aot"));
        let mut run = synthetic.run();
        for launch in run.launches.iter_mut().step_by(3) {
            let closed = &mut launch.record.phases[1];
            closed.steal_s = 0.03 * 2.0 * closed.duration_s;
            closed.throughput /= slower;
        }
        found(&certificate(&run), "steal").clone()
    };
    let unharmed = stolen(1.0, 0.01);
    assert_eq!(unharmed.state, Valid, "{unharmed:?}");
    assert!(
        unharmed
            .statement
            .ends_with("as fast as the others, within 5 %"),
        "{unharmed:?}"
    );
    let harmed = stolen(1.3, 0.01);
    assert_eq!(harmed.state, Degraded, "{harmed:?}");
    assert!(
        harmed.statement.contains("30 % slower than the others"),
        "{harmed:?}"
    );
    // Nothing is shown where launches scatter as much.
    assert_eq!(stolen(1.0, 0.5).state, Degraded);
}

/// Five pairs; in each, `aot` answers so much less beside `jar` than by itself.
fn in_pairs(lost: [f64; 5]) -> RunData {
    let mut run = Synthetic::new(5)
        .variant(Profile::named("jar"))
        .variant(Profile::named("aot"))
        .run();
    let windows = DuetWindows {
        repeats: "closed".into(),
        load: PhaseKind::closed(10_000, 100),
        rounds: 2,
    };
    for launch in &mut run.launches {
        let record = &mut launch.record;
        let odd = record.number % 2 == 1;
        record.duet = Some(DuetSeen {
            beside: if odd {
                record.number + 1
            } else {
                record.number - 1
            },
            processors: vec![u32::from(odd)],
            strayed: Some(0),
        });
        let loss = match record.cell.as_str() {
            "aot" => lost[record.replicate as usize - 1],
            // What both lose makes no ratio wrong.
            _ => 0.1,
        };
        let closed = record.phases[1].clone();
        for round in 1..=windows.rounds {
            for (window, share) in [
                (windows.beside(round), 1.0 - loss),
                (windows.alone(round), 1.0),
            ] {
                record.phases.push(PhaseRecord {
                    label: window.label,
                    throughput: closed.throughput * share,
                    ..closed.clone()
                });
            }
        }
    }
    run.plan.duet = Some(Duet {
        halves: [vec![1], vec![0]],
        share_a_core: false,
        windows: Some(windows),
    });
    run
}

#[test]
fn what_one_side_loses_more_than_the_other_makes_a_duet_doubtful() {
    let judged = |run: &RunData| found(&certificate(run), "duet").clone();
    let alike = judged(&in_pairs([0.1, 0.11, 0.09, 0.1, 0.1]));
    assert_eq!(alike.state, Valid, "{alike:?}");
    assert!(
        alike
            .statement
            .starts_with("beside each other `jar` lost 10 % and `aot` lost 10 %"),
        "{alike:?}"
    );
    let starved = judged(&in_pairs([0.3, 0.31, 0.29, 0.3, 0.3]));
    assert_eq!(starved.state, Degraded, "{starved:?}");
    assert!(
        starved.statement.contains("wrong by 29 % (27 % to 30 %)"),
        "{starved:?}"
    );
    assert!(starved.statement.ends_with("run without --duet"));
    let scattered = judged(&in_pairs([0.3, -0.2, 0.1, 0.0, 0.3]));
    assert_eq!(scattered.state, Degraded, "{scattered:?}");
    assert!(scattered.statement.ends_with("more launches would tell"));
    assert_eq!(
        certificate(&run())
            .evidence
            .iter()
            .find(|e| e.rule == "duet"),
        None
    );
}

#[test]
fn without_windows_or_pairs_a_duet_has_no_proof() {
    let judged = |run: &RunData| found(&certificate(run), "duet").clone();
    let mut unlooked = in_pairs([0.1; 5]);
    unlooked.plan.duet.as_mut().unwrap().windows = None;
    assert_eq!(judged(&unlooked).state, Degraded);
    assert!(judged(&unlooked).statement.contains("could not be checked"));
    let mut few = in_pairs([0.1; 5]);
    for launch in few.launches.iter_mut().filter(|l| l.record.replicate > 2) {
        launch.record.outcome = invalid_outcome();
    }
    assert_eq!(judged(&few).state, Degraded);
    assert!(judged(&few).statement.contains("fewer than 3 pairs"));
}

/// Half of the machine is all that a side has: what others take of it is a share of that.
#[test]
fn what_others_took_of_a_side_is_a_share_of_its_own_processors() {
    let with_others = |share: f64| {
        let mut run = in_pairs([0.1; 5]);
        for phase in &mut run.launches[2].record.phases {
            let used = phase.processors.as_mut().unwrap();
            used.busy_cpu_s = used.subject_cpu_s + used.tacho_cpu_s + share * used.span_s;
        }
        state_of(&run, "other-processes")
    };
    assert_eq!(with_others(0.04), Valid);
    assert_eq!(with_others(0.06), Degraded);
    // It meets the other side as well, and is no reason to throw the pair away.
    assert_eq!(with_others(0.9), Degraded);
    let mut record = in_pairs([0.1; 5]).launches.remove(0).record;
    for phase in &mut record.phases {
        let used = phase.processors.as_mut().unwrap();
        used.busy_cpu_s = used.subject_cpu_s + used.tacho_cpu_s + 0.9 * used.span_s;
    }
    assert_eq!(spoiled(&record, 2, Beside::Nothing), None);
    record.duet = None;
    assert!(matches!(
        spoiled(&record, 1, Beside::Nothing),
        Some(Spoil::Disturbed(_))
    ));
}

/// The machine was slower in some pairs than in others by a factor of four: launch by launch that
/// hides a fifth, and pair by pair it does not.
#[test]
fn what_disturbs_both_sides_hides_nothing() {
    let verdict = |is_duet: bool| {
        let mut run = in_pairs([0.1; 5]);
        for launch in &mut run.launches {
            let slow = [1.0, 4.0, 2.0, 1.0, 3.0][launch.record.replicate as usize - 1];
            let aot = if launch.record.cell == "aot" {
                1.5
            } else {
                1.0
            };
            launch.record.phases[1].throughput *= aot / slow;
            if !is_duet {
                launch.record.duet = None;
            }
        }
        if !is_duet {
            run.plan.duet = None;
        }
        let results = crate::analyse(&run);
        let metrics = &results.cells[1].metrics;
        let found = metrics
            .iter()
            .find(|m| m.id == "closed.throughput")
            .unwrap();
        found.versus_baseline.unwrap()
    };
    let duet = verdict(true);
    assert_eq!(duet.verdict, Verdict::Better, "{duet:?}");
    assert!((duet.ratio.value - 1.5).abs() < 1e-9, "{duet:?}");
    assert_eq!(verdict(false).verdict, Verdict::Inconclusive);
}
