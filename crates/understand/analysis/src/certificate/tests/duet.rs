//! Two launches at the same time: what one side takes from the other, and what others take.

use super::*;
use tacho_run_folder::{Duet, DuetSeen, DuetWindows, PhaseKind, Verdict};

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
