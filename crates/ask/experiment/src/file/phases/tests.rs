use super::super::parse;
use super::*;
use crate::model::{RateStep, ScheduleSpec, SearchSpec, ThinkSpec, TimeUnit};
use proptest::prelude::*;

/// An experiment whose phases begin on line 5.
fn experiment(phases: &str) -> String {
    format!("tacho: 1\nsubject: {{artifact: a.jar}}\nvariants: [jar]\nphases:\n{phases}")
}

fn phases(text: &str) -> Vec<PhasePlan> {
    let read = parse(
        &format!("{}\nseed: 42\n", experiment(text)),
        Path::new("/lab"),
    );
    read.unwrap().phases
}

fn kind(text: &str) -> PhaseKind {
    phases(&format!("  - {text}")).remove(0).kind
}

fn schedule(text: &str) -> ScheduleSpec {
    match kind(text) {
        PhaseKind::Scheduled {
            schedule,
            connections: 64,
        } => schedule,
        other => panic!("{other:?}"),
    }
}

fn problems(text: &str) -> Vec<String> {
    match parse(&experiment(&format!("  - {text}\n")), Path::new("/lab")) {
        Ok(experiment) => panic!("accepted: {:?}", experiment.phases),
        Err(problems) => problems
            .iter()
            .map(|p| format!("{}: {}", p.place, p.message))
            .collect(),
    }
}

#[test]
fn schedules_are_written_with_their_own_words() {
    assert_eq!(
        schedule("ramp: {from: 100, to: 1000/s, duration: 30s}"),
        ScheduleSpec::Ramp {
            from_rate: 100.0,
            to_rate: 1_000.0,
            duration_s: 30.0
        }
    );
    let steps = |steps: &[(f64, f64)]| ScheduleSpec::Steps {
        steps: steps
            .iter()
            .map(|&(rate, duration_s)| RateStep { rate, duration_s })
            .collect(),
    };
    assert_eq!(
        schedule("steps: {rates: [100, 0, 400], each: 10s}"),
        steps(&[(100.0, 10.0), (0.0, 10.0), (400.0, 10.0)])
    );
    assert_eq!(
        schedule("steps: {rates: [100, 400], each: [10s, 1m]}"),
        steps(&[(100.0, 10.0), (400.0, 60.0)])
    );
    assert_eq!(
        schedule("sine: {mean: 500, amplitude: 300, period: 1m, duration: 5m}"),
        ScheduleSpec::Sine {
            mean_rate: 500.0,
            amplitude: 300.0,
            period_s: 60.0,
            duration_s: 300.0
        }
    );
    let burst = |requests, over_s| ScheduleSpec::Burst {
        requests,
        over_s,
        rest_s: 9.0,
        duration_s: 60.0,
    };
    assert_eq!(
        schedule("burst: {requests: 200, rest: 9s, duration: 60s}"),
        burst(200, 0.0)
    );
    assert_eq!(
        schedule("burst: {rate: 200/s, over: 2s, rest: 9s, duration: 60s}"),
        burst(400, 2.0)
    );
}

#[test]
fn arrivals_at_random_are_seeded_from_the_experiment_and_each_phase_has_its_own() {
    let phases = phases(
        "  - poisson: {rate: 500, duration: 30s}\n  - rest: 1s\n  - poisson: {rate: 500, duration: 30s}\n  - poisson: {rate: 500, duration: 30s, seed: 7}",
    );
    let seeds: Vec<u64> = phases
        .iter()
        .filter_map(|phase| match &phase.kind {
            PhaseKind::Scheduled {
                schedule: ScheduleSpec::Poisson { seed, .. },
                ..
            } => Some(*seed),
            _ => None,
        })
        .collect();
    assert_eq!(seeds, [42, 44, 7]);
}

#[test]
fn a_replay_is_found_beside_the_experiment() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("instants.csv"), "1.0\n").unwrap();
    let text = experiment("  - replay: {file: instants.csv, speed: 2x, column: at, unit: ns}\n");
    let read = parse(&text, folder.path()).unwrap();
    let path = folder.path().join("instants.csv");
    assert_eq!(
        read.phases[0].kind,
        PhaseKind::Scheduled {
            schedule: ScheduleSpec::Replay {
                file: path.to_str().unwrap().to_owned(),
                speed: 2.0,
                column: Some("at".to_owned()),
                unit: Some(TimeUnit::Ns),
            },
            connections: 64,
        }
    );
}

#[test]
fn a_closed_loop_may_end_with_a_duration_and_its_users_may_think() {
    let closed = |text: &str| match kind(text) {
        PhaseKind::Closed {
            requests,
            duration_s,
            think,
            ..
        } => (requests, duration_s, think),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        closed("closed: {duration: 20s, think: 100ms}"),
        (None, Some(20.0), Some(ThinkSpec::Constant { ms: 100.0 }))
    );
    assert_eq!(
        closed("closed: {requests: 5, duration: 20s}"),
        (Some(5), Some(20.0), None)
    );
    let uniform = ThinkSpec::Uniform {
        from_ms: 50.0,
        to_ms: 150.0,
    };
    assert_eq!(
        closed("closed: {requests: 5, think: {uniform: [50ms, 150ms]}}"),
        (Some(5), None, Some(uniform))
    );
    let exponential = ThinkSpec::Exponential { mean_ms: 100.0 };
    assert_eq!(
        closed("closed: {requests: 5, think: {exponential: 100ms}}"),
        (Some(5), None, Some(exponential))
    );
}

#[test]
fn a_search_needs_its_objective_and_its_bounds_and_knows_the_rest() {
    let search = |objective: &str| SearchSpec {
        objective: objective.parse().unwrap(),
        from_rate: 100.0,
        to_rate: 20_000.0,
        trial_s: 10.0,
        rest_s: 5.0,
        tolerance: 0.05,
        confirmations: 3,
        connections: 64,
    };
    assert_eq!(
        kind("search: {objective: 'p99<50ms', from: 100, to: 20000}"),
        PhaseKind::Search(search("p99<50ms"))
    );
    assert_eq!(
        kind("search: {objective: [p99<50ms, errors<0.1%], from: 100, to: 20000}"),
        PhaseKind::Search(search("p99<50ms, errors<0.1%"))
    );
    assert_eq!(
        kind(
            "search: {objective: p99<50ms, from: 100, to: 20000, trial: 30s, rest: 0s, tolerance: 2%, confirmations: 5, connections: 200}"
        ),
        PhaseKind::Search(SearchSpec {
            trial_s: 30.0,
            rest_s: 0.0,
            tolerance: 0.02,
            confirmations: 5,
            connections: 200,
            ..search("p99<50ms")
        })
    );
}

#[test]
fn a_key_without_a_value_is_as_if_it_were_not_there() {
    let endless = problems("closed: {requests: , connections: 5}");
    assert!(
        endless[0].contains("a closed phase needs an end"),
        "{endless:?}"
    );
    let text = "burst: {requests: , rate: 200/s, over: 1s, rest: 1s, duration: 9s}";
    assert!(matches!(
        schedule(text),
        ScheduleSpec::Burst { requests: 200, .. }
    ));
    let nothing = problems("open: {rate: 5, duration: 0s}");
    assert!(nothing[0].contains("`duration`"), "{nothing:?}");
}

#[test]
fn labels_are_the_words_that_the_phases_were_written_with() {
    let text = "  - ramp: {from: 1, to: 2, duration: 1s}\n  - search: {objective: p99<1s, from: 1, to: 2}\n  - ramp: {from: 1, to: 2, duration: 1s}\n  - ramp: {from: 1, to: 2, duration: 1s, label: morning}";
    let phases = phases(text);
    let labels: Vec<&str> = phases.iter().map(|p| p.label.as_str()).collect();
    assert_eq!(labels, ["ramp", "search", "ramp-2", "morning"]);
}

#[test]
fn slips_are_answered_with_their_place_and_the_way_out() {
    let said = [
        "rampp: {from: 1}",
        "ramp: {from: 0, to: 0, duration: 1s}",
        "ramp: {frm: 1, to: 2, duration: 1s}",
        "ramp: {from: 1, to: 99999999, duration: 0s}",
        "steps: {rates: [], each: 1s}",
        "steps: {rates: [1, x], each: [1s, 2]}",
        "steps: {rates: [1, 2], each: [1s]}",
        "sine: {mean: 10, amplitude: 11, period: 1s, duration: 1s}",
        "burst: {rest: 1s, duration: 9s}",
        "burst: {requests: 5, rate: 5, over: 1s, rest: 1s, duration: 9s}",
        "burst: {rate: 5, rest: 1s, duration: 9s}",
        "burst: {rate: 1.5, over: 1s, rest: 1s, duration: 9s}",
        "burst: {requests: 5, rest: 0s, duration: 9s}",
        "replay: {file: nowhere.csv, speed: 0, unit: mss}",
        "closed: {connections: 5}",
        "closed: {requests: 5, think: soon}",
        "closed: {requests: 5, think: {gauss: 5ms}}",
        "closed: {requests: 5, think: {uniform: [5ms, 1ms]}}",
        "closed: {requests: 5, think: {uniform: 5ms}}",
        "search: {from: 5, to: 2}",
        "search: {objective: p98<50ms, from: 1, to: 2}",
        "search: {objective: p99<50ms, from: 1, to: 2, tolerance: 0%, confirmations: 99}",
    ]
    .map(|text| format!("{text}\n    {}", problems(text).join("\n    ")));
    insta::assert_snapshot!(said.join("\n"));
}

proptest! {
    #[test]
    fn damage_anywhere_never_panics(at in 0usize..420, with in any::<char>()) {
        let text = experiment("  - ramp: {from: 100, to: 1000, duration: 30s}
  - steps: {rates: [100, 200], each: [10s, 1m]}
  - sine: {mean: 500, amplitude: 300, period: 1m, duration: 5m}
  - burst: {rate: 200/s, over: 2s, rest: 9s, duration: 60s}
  - closed: {duration: 20s, think: {uniform: [50ms, 150ms]}}
  - search: {objective: [p99<50ms, errors<0.1%], from: 100, to: 20000, trial: 10s}
");
        let mut text: Vec<char> = text.chars().collect();
        let at = at % text.len();
        text[at] = with;
        let _ = parse(&text.into_iter().collect::<String>(), Path::new("/lab"));
    }
}
