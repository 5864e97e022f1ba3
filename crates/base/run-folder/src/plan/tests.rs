use super::*;
use serde_json::json;

/// As Tacho wrote it before there were schedules, durations of closed loops and searches.
const OLD: &str = r#"{
  "seed": 42, "launches_per_cell": 5, "rest_s": 1.0, "baseline": "jar", "threshold": 0.05,
  "cells": [{"id": "jar", "variant": "jar", "limits": {"name": "none", "cpu": null, "memory_bytes": null}}],
  "phases": [
    {"label": "cold", "kind": "cold", "requests": 5},
    {"label": "closed", "kind": "closed", "requests": 10000, "connections": 32, "ramp_s": 0.5},
    {"label": "open", "kind": "open", "rate": 200.0, "duration_s": 5.0, "connections": 32},
    {"label": "rest", "kind": "rest", "duration_s": 1.0}
  ],
  "launches": [{"number": 1, "cell": "jar", "replicate": 1}],
  "checks": ["p99<50ms"], "notes": []
}"#;

#[test]
fn an_old_plan_is_read_and_written_as_it_was() {
    let plan: Plan = serde_json::from_str(OLD).unwrap();
    assert_eq!(
        plan.phases[1].kind,
        PhaseKind::Closed {
            requests: Some(10_000),
            duration_s: None,
            connections: 32,
            ramp_s: 0.5,
            think: None,
        }
    );
    let old: serde_json::Value = serde_json::from_str(OLD).unwrap();
    assert_eq!(serde_json::to_value(&plan).unwrap(), old);
}

fn written(kind: PhaseKind) -> serde_json::Value {
    let phase = PhasePlan {
        label: "x".to_owned(),
        kind,
    };
    let json = serde_json::to_value(&phase).unwrap();
    assert_eq!(
        serde_json::from_value::<PhasePlan>(json.clone()).unwrap(),
        phase
    );
    json
}

#[test]
fn a_closed_phase_may_end_with_its_duration_and_think() {
    let kind = PhaseKind::Closed {
        requests: None,
        duration_s: Some(20.0),
        connections: 8,
        ramp_s: 0.0,
        think: Some(ThinkSpec::Constant { ms: 100.0 }),
    };
    assert_eq!(kind.duration_s(), Some(20.0));
    assert_eq!(
        written(kind),
        json!({"label": "x", "kind": "closed", "duration_s": 20.0, "connections": 8, "ramp_s": 0.0,
               "think": {"kind": "constant", "ms": 100.0}})
    );
}

#[test]
fn think_times_name_their_distribution() {
    let json = |think: ThinkSpec| serde_json::to_value(think).unwrap();
    assert_eq!(
        json(ThinkSpec::Uniform {
            from_ms: 50.0,
            to_ms: 150.0
        }),
        json!({"kind": "uniform", "from_ms": 50.0, "to_ms": 150.0})
    );
    assert_eq!(
        json(ThinkSpec::Exponential { mean_ms: 100.0 }),
        json!({"kind": "exponential", "mean_ms": 100.0})
    );
}

#[test]
fn a_scheduled_phase_holds_its_schedule_by_name() {
    let scheduled = |schedule| {
        written(PhaseKind::Scheduled {
            schedule,
            connections: 64,
        })
    };
    let of = |schedule| json!({"label": "x", "kind": "scheduled", "schedule": schedule, "connections": 64});
    assert_eq!(
        scheduled(ScheduleSpec::Ramp {
            from_rate: 100.0,
            to_rate: 1_000.0,
            duration_s: 30.0
        }),
        of(json!({"kind": "ramp", "from_rate": 100.0, "to_rate": 1000.0, "duration_s": 30.0}))
    );
    let step = |rate| RateStep {
        rate,
        duration_s: 10.0,
    };
    let steps = ScheduleSpec::Steps {
        steps: vec![step(100.0), step(200.0)],
    };
    assert_eq!(steps.duration_s(), Some(20.0));
    assert_eq!(
        scheduled(steps),
        of(json!({"kind": "steps", "steps": [
            {"rate": 100.0, "duration_s": 10.0}, {"rate": 200.0, "duration_s": 10.0}]}))
    );
    assert_eq!(
        scheduled(ScheduleSpec::Sine {
            mean_rate: 500.0,
            amplitude: 300.0,
            period_s: 60.0,
            duration_s: 300.0
        }),
        of(
            json!({"kind": "sine", "mean_rate": 500.0, "amplitude": 300.0, "period_s": 60.0, "duration_s": 300.0})
        )
    );
    assert_eq!(
        scheduled(ScheduleSpec::Poisson {
            rate: 500.0,
            duration_s: 30.0,
            seed: 7
        }),
        of(json!({"kind": "poisson", "rate": 500.0, "duration_s": 30.0, "seed": 7}))
    );
    assert_eq!(
        scheduled(ScheduleSpec::Burst {
            requests: 200,
            over_s: 1.0,
            rest_s: 9.0,
            duration_s: 60.0
        }),
        of(
            json!({"kind": "burst", "requests": 200, "over_s": 1.0, "rest_s": 9.0, "duration_s": 60.0})
        )
    );
    let replay = |column, unit| ScheduleSpec::Replay {
        file: "/lab/instants.csv".to_owned(),
        speed: 2.0,
        column,
        unit,
    };
    assert_eq!(replay(None, None).duration_s(), None);
    assert_eq!(
        scheduled(replay(None, None)),
        of(json!({"kind": "replay", "file": "/lab/instants.csv", "speed": 2.0}))
    );
    assert_eq!(
        scheduled(replay(Some("at".to_owned()), Some(TimeUnit::Ns))),
        of(
            json!({"kind": "replay", "file": "/lab/instants.csv", "speed": 2.0, "column": "at", "unit": "ns"})
        )
    );
}

#[test]
fn a_search_holds_its_objective_as_it_was_written() {
    let search = PhaseKind::Search(SearchSpec {
        objective: "p99<50ms".parse().unwrap(),
        from_rate: 100.0,
        to_rate: 20_000.0,
        trial_s: 10.0,
        rest_s: 5.0,
        tolerance: 0.05,
        confirmations: 3,
        connections: 64,
    });
    assert_eq!(
        written(search),
        json!({"label": "x", "kind": "search", "objective": "p99<50ms", "from_rate": 100.0, "to_rate": 20000.0,
               "trial_s": 10.0, "rest_s": 5.0, "tolerance": 0.05, "confirmations": 3, "connections": 64})
    );
}

#[test]
fn schedules_know_the_rate_of_an_instant() {
    let step = |rate| RateStep {
        rate,
        duration_s: 10.0,
    };
    let steps = ScheduleSpec::Steps {
        steps: vec![step(100.0), step(0.0), step(300.0)],
    };
    let at = [0.0, 9.9, 10.0, 25.0, 30.0, 30.1, -1.0].map(|second| steps.rate_at(second));
    let expected = [100.0, 100.0, 0.0, 300.0, 300.0].map(Some);
    assert_eq!(at[..5], expected);
    assert_eq!(at[5..], [None, None], "outside of it");
    let ramp = ScheduleSpec::Ramp {
        from_rate: 400.0,
        to_rate: 0.0,
        duration_s: 20.0,
    };
    assert_eq!(ramp.rate_at(5.0), Some(300.0));
    let sine = ScheduleSpec::Sine {
        mean_rate: 500.0,
        amplitude: 300.0,
        period_s: 60.0,
        duration_s: 300.0,
    };
    let highest = sine.rate_at(75.0).unwrap();
    assert!((highest - 800.0).abs() < 1e-9, "{highest}");
    let burst = |over_s| ScheduleSpec::Burst {
        requests: 200,
        over_s,
        rest_s: 8.0,
        duration_s: 60.0,
    };
    assert_eq!(burst(2.0).rate_at(11.9), Some(100.0));
    assert_eq!(burst(2.0).rate_at(12.0), Some(0.0));
    assert_eq!(burst(0.0).rate_at(0.0), None, "all at once is no rate");
}

#[test]
fn a_first_look_is_ten_times_shorter_and_each_connection_has_a_request() {
    let shortened = |mut kind: PhaseKind| {
        kind.shorten();
        kind
    };
    let closed = PhaseKind::closed;
    assert_eq!(shortened(closed(10_000, 32)), closed(1_000, 32));
    assert_eq!(shortened(closed(100, 32)), closed(32, 32));
    assert_eq!(shortened(closed(10, 32)), closed(10, 32));
    let open = |duration_s| PhaseKind::Open {
        rate: 200.0,
        duration_s,
        connections: 32,
    };
    assert_eq!(shortened(open(5.0)), open(0.5));
    for stays in [
        PhaseKind::Cold { requests: 5 },
        PhaseKind::Rest { duration_s: 1.0 },
    ] {
        assert_eq!(shortened(stays.clone()), stays);
    }
}
