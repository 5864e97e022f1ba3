use super::*;
use proptest::prelude::*;

/// A Spring service on one processor, warmed by itself.
pub fn sample() -> Input {
    Input {
        service: Service {
            name: "users".to_owned(),
            image: "registry.example/users:1.0".to_owned(),
            port: 8080,
            replicas: Some(4),
            environment: vec![("TACHO_WARMUP_ENABLED".to_owned(), "true".to_owned())],
        },
        paths: Paths {
            startup: None,
            readiness: Some("/actuator/health/readiness".to_owned()),
            liveness: Some("/actuator/health/liveness".to_owned()),
        },
        amounts: Amounts {
            cpu_millis: Some(1000),
            memory_bytes: Some(512 << 20),
        },
        measured: Measured {
            ready: vec![4.12, 4.31, 4.02, 4.22, 4.44, 4.08, 4.19, 4.27, 4.15, 4.36],
            warm: vec![19.3, 21.5, 20.2, 22.8, 20.9, 19.9, 21.1, 20.4, 22.0, 21.7],
            responses: Responses {
                steady_max: 0.21,
                cold_max: 1.12,
                of: Answers::Requests,
            },
            peak_memory_bytes: Some(391 << 20),
            shutdown: Some(0.8),
        },
        warm_up: WarmUp::Itself,
        target: Input::TARGET,
        slowdown: Input::SLOWDOWN,
    }
}

pub fn tacho_warm() -> TachoWarm {
    TachoWarm {
        image: "registry.example/tacho:0.1".to_owned(),
        gate_port: 9000,
        arguments: vec![
            "http://localhost:8080/api/users".to_owned(),
            "-b".to_owned(),
            r#"{"isDummy": true}"#.to_owned(),
        ],
        within_s: None,
        amounts: Amounts {
            cpu_millis: Some(200),
            memory_bytes: Some(32 << 20),
        },
    }
}

fn sentences(fragment: &Fragment) -> String {
    fragment
        .explanation
        .iter()
        .map(|sentence| format!("{}:\n{}\n", sentence.about, sentence.text))
        .collect()
}

#[test]
fn a_service_that_warms_itself() {
    let fragment = render(&sample()).unwrap();
    insta::assert_snapshot!("itself", fragment.yaml);
    insta::assert_snapshot!("itself-explained", sentences(&fragment));
}

#[test]
fn a_container_beside_it() {
    let input = Input {
        warm_up: WarmUp::Sidecar(tacho_warm()),
        ..sample()
    };
    insta::assert_snapshot!("sidecar", render(&input).unwrap().yaml);
}

#[test]
fn a_hook() {
    let mut input = sample();
    input.warm_up = WarmUp::PostStart(tacho_warm());
    input.slowdown = 1.0;
    insta::assert_snapshot!("post-start", render(&input).unwrap().yaml);
}

#[test]
fn a_gate_may_take_as_long_as_the_warm_up_that_was_measured() {
    for (within_s, flag) in [
        (None, "--within, 41s"),
        (Some(20.0), "--within, 41s"),
        (Some(60.0), "--within, 60s"),
    ] {
        let mut input = sample();
        input.warm_up = WarmUp::Sidecar(TachoWarm {
            within_s,
            ..tacho_warm()
        });
        let yaml = render(&input).unwrap().yaml;
        assert!(yaml.contains(flag), "{within_s:?}: {yaml}");
    }
}

#[test]
fn what_is_masked_comes_from_a_secret_of_the_user() {
    let mut input = sample();
    input.service.environment = [
        ("DB_PASSWORD", "***"),
        ("DB_URL", "postgresql://me:***@db/shop"),
        ("MODE", "fast"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    input.warm_up = WarmUp::Sidecar(TachoWarm {
        arguments: vec!["--header".to_owned(), "Authorization: ***".to_owned()],
        ..tacho_warm()
    });
    let yaml = render(&input).unwrap().yaml;
    for name in ["DB_PASSWORD", "DB_URL"] {
        let indent = " ".repeat(18);
        let kept = format!("secretKeyRef:\n{indent}name: your-secret\n{indent}key: {name}\n");
        assert!(yaml.contains(&kept), "{yaml}");
        assert!(
            yaml.contains(&format!("--from-literal={name}=VALUE")),
            "{yaml}"
        );
    }
    assert!(!yaml.contains("me:***") && yaml.contains("value: fast\n"));
    assert!(yaml.contains("# `***` stands for a secret"), "{yaml}");
}

#[test]
fn containers_of_a_pod_have_two_names() {
    let mut input = sample();
    input.warm_up = WarmUp::Sidecar(tacho_warm());
    input.service.name = "warm".to_owned();
    let yaml = render(&input).unwrap().yaml;
    assert!(yaml.contains("\n        - name: warm\n"), "{yaml}");
    assert!(yaml.contains("\n        - name: tacho-warm\n"), "{yaml}");
}

/// The kubelet would put variables in the place of `$(q)`. It does so in no command of a hook.
#[test]
fn what_looks_like_a_variable_stays_as_it_is() {
    let of = |warm_up: fn(TachoWarm) -> WarmUp| {
        let mut input = sample();
        input.service.environment = vec![("ASKS".to_owned(), "for $(q), $5".to_owned())];
        input.warm_up = warm_up(TachoWarm {
            arguments: vec!["http://localhost:8080/?q=$(q)".to_owned()],
            ..tacho_warm()
        });
        render(&input).unwrap().yaml
    };
    let sidecar = of(WarmUp::Sidecar);
    assert!(sidecar.contains(r#"value: "for $$(q), $$5""#), "{sidecar}");
    assert!(sidecar.contains(r#"/?q=$$(q)"]"#), "{sidecar}");
    let hook = of(WarmUp::PostStart);
    assert!(hook.contains(r#"/?q=$(q)"]"#), "{hook}");
}

/// Nobody warms, little is known, and only one path: what is not known is not claimed.
#[test]
fn the_least_that_can_be_known() {
    let mut input = sample();
    input.service.replicas = None;
    input.service.environment.clear();
    input.paths.readiness = None;
    input.paths.liveness = None;
    input.amounts = Amounts::default();
    input.measured.ready = vec![0.031, 0.035, 0.030];
    input.measured.warm = Vec::new();
    input.measured.shutdown = None;
    input.warm_up = WarmUp::Nobody;
    insta::assert_snapshot!("least", render(&input).unwrap().yaml);
}

#[test]
fn users_that_warm_a_pod_are_waited_for() {
    let mut input = sample();
    input.warm_up = WarmUp::Nobody;
    input.measured.warm = input
        .measured
        .ready
        .iter()
        .enumerate()
        .map(|(i, ready)| ready + 70.0 + i as f64)
        .collect();
    let fragment = render(&input).unwrap();
    assert!(fragment.plan.rollout.waits_for_warm);
    assert!(
        (79..100).contains(&fragment.plan.rollout.min_ready_seconds),
        "{:?}",
        fragment.plan.rollout
    );
    let hints: Vec<_> = fragment
        .explanation
        .iter()
        .filter(|sentence| sentence.about == "autoscaling")
        .collect();
    assert_eq!(hints.len(), 2, "{hints:?}");
}

#[test]
fn a_startup_probe_on_the_readiness_path_waits_until_the_service_is_warm() {
    let mut input = sample();
    let on_liveness = render(&input).unwrap().plan.startup.chosen.kills_after_s;
    input.paths.startup = input.paths.readiness.clone();
    let on_readiness = render(&input).unwrap().plan.startup.chosen.kills_after_s;
    assert!(
        on_liveness < 22.8 && on_readiness > 2.0 * 22.8,
        "{on_liveness} {on_readiness}"
    );
}

#[test]
fn few_launches_that_differ_much_do_not_promise_what_they_cannot() {
    let mut input = sample();
    input.measured.ready = vec![4.0, 5.0, 7.0];
    input.measured.warm = Vec::new();
    let fragment = render(&input).unwrap();
    assert!(!fragment.plan.startup.keeps_target);
    assert!(fragment.plan.startup.chosen.slowest_node.log_normal > input.target);
    assert!(
        fragment.yaml.contains("are too few to promise it"),
        "{}",
        fragment.yaml
    );
}

#[test]
fn a_launch_that_does_not_belong_to_the_others_is_named_and_covered_twice() {
    let mut input = sample();
    input.measured.ready[3] = 9.0;
    let fragment = render(&input).unwrap();
    assert!(fragment.plan.startup.has_outlier);
    assert!(fragment.plan.startup.chosen.kills_after_s >= 36.0);
    assert!(
        fragment.yaml.contains("does not belong to"),
        "{}",
        fragment.yaml
    );
}

#[test]
fn a_liveness_path_that_is_the_readiness_path_is_not_used() {
    let mut input = sample();
    input.paths.liveness = input.paths.readiness.clone();
    let fragment = render(&input).unwrap();
    assert_eq!(fragment.plan.liveness, None);
    assert!(
        !fragment.yaml.contains("livenessProbe"),
        "{}",
        fragment.yaml
    );
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do() {
    type Spoil = fn(&mut Input);
    let spoilt: [(Spoil, &str); 14] = [
        (
            |input| input.measured.ready.truncate(2),
            "2 launches are not enough",
        ),
        (
            |input| input.measured.ready[0] = -1.0,
            "positive numbers of seconds",
        ),
        (
            |input| input.measured.warm[0] = f64::INFINITY,
            "positive numbers of seconds",
        ),
        (
            |input| input.measured.warm.truncate(9),
            "belong to the same launches",
        ),
        (|input| input.measured.warm[0] = 1.0, "before it was ready"),
        (
            |input| input.measured.responses.cold_max = f64::NAN,
            "the slowest answer of a cold service",
        ),
        (|input| input.target = 0.0, "for example 0.0001"),
        (|input| input.slowdown = 0.5, "at least 1"),
        (
            |input| input.service.name = "Users".to_owned(),
            "small letters",
        ),
        (
            |input| input.paths.readiness = Some("ready".to_owned()),
            "begins with /",
        ),
        (
            |input| input.service.environment[0].0 = "A B".to_owned(),
            "no spaces",
        ),
        (|input| input.paths.readiness = None, "name that path"),
        (|input| input.service.replicas = Some(0), "at least one"),
        (
            |input| {
                input.warm_up = WarmUp::Sidecar(TachoWarm {
                    gate_port: 8080,
                    ..tacho_warm()
                });
            },
            "share the pod's address",
        ),
    ];
    for (spoil, expected) in spoilt {
        let mut input = sample();
        spoil(&mut input);
        let error = render(&input).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

fn inputs() -> impl Strategy<Value = Input> {
    let launches = prop::collection::vec((0.005..400.0_f64, 0.0..200.0_f64), 3..30);
    let warm_ups = prop_oneof![
        Just(WarmUp::Nobody),
        Just(WarmUp::Itself),
        Just(WarmUp::Sidecar(tacho_warm())),
        Just(WarmUp::PostStart(tacho_warm()))
    ];
    let rest = (
        prop::option::of(1..200u32),
        0.0..40.0_f64,
        0.0..40.0_f64,
        prop::option::of(0.0..100.0_f64),
        1.0..5.0_f64,
        any::<bool>(),
        1e-7..0.4_f64,
    );
    (launches, warm_ups, rest).prop_map(
        |(
            launches,
            warm_up,
            (replicas, steady_max, cold_max, shutdown, slowdown, has_liveness, target),
        )| {
            let mut input = Input {
                warm_up,
                slowdown,
                target,
                ..sample()
            };
            input.service.replicas = replicas;
            if !has_liveness {
                input.paths.liveness = None;
            }
            input.measured = Measured {
                ready: launches.iter().map(|(ready, _)| *ready).collect(),
                warm: launches
                    .iter()
                    .map(|(ready, warming)| ready + warming)
                    .collect(),
                responses: Responses {
                    steady_max,
                    cold_max,
                    of: Answers::HealthPath,
                },
                peak_memory_bytes: None,
                shutdown,
            };
            input
        },
    )
}

proptest! {
    /// What the API demands of the numbers beyond their types, and what is promised here.
    #[test]
    fn whatever_was_measured_the_numbers_fit_together(input in inputs()) {
        let Plan { startup, readiness, liveness, rollout, shutdown, .. } = render(&input).unwrap().plan;
        let chosen = startup.chosen;
        prop_assert_eq!(chosen.kills_after_s, f64::from((chosen.failures - 1) * startup.period_seconds));
        prop_assert!(chosen.slowest_node.log_normal >= chosen.as_measured.log_normal);
        prop_assert_eq!(startup.keeps_target, chosen.slowest_node.log_normal < input.target);
        let slowest = input.measured.ready.iter().copied().fold(0.0, f64::max);
        prop_assert!(chosen.kills_after_s >= slowest * input.slowdown, "a launch that was seen would be killed");
        prop_assert!(startup.table.contains(&chosen));
        prop_assert!(startup.table.windows(2).all(|pair| pair[0].slowest_node.log_normal >= pair[1].slowest_node.log_normal));

        prop_assert!((1..=5).contains(&readiness.period_seconds) && readiness.timeout_seconds >= 1);
        if let Some(liveness) = liveness {
            prop_assert!(liveness.patience() > 60 && liveness.patience() > 5 * readiness.period_seconds);
            prop_assert!(liveness.timeout_seconds >= readiness.timeout_seconds);
        }
        prop_assert!(rollout.progress_deadline_seconds > rollout.min_ready_seconds, "the API refuses it");
        prop_assert!(rollout.max_surge.is_none_or(|surge| surge >= 1), "maxSurge and maxUnavailable must not both be 0");
        prop_assert!(shutdown.grace_seconds > shutdown.pre_stop_seconds);
        prop_assert!(f64::from(shutdown.grace_seconds) >= input.measured.shutdown.unwrap_or(0.0));
    }

    /// The least: one less would miss the target, or kill a launch that was seen, or be less than
    /// the API's default.
    #[test]
    fn no_smaller_threshold_keeps_the_target(input in inputs()) {
        let startup = render(&input).unwrap().plan.startup;
        prop_assume!(startup.keeps_target && !startup.has_outlier && startup.chosen.failures > 3);
        let less = f64::from((startup.chosen.failures - 2) * startup.period_seconds) / input.slowdown;
        let asks_for_warm = input.warm_up == WarmUp::Itself && input.paths.liveness.is_none();
        let times = Times::of(if asks_for_warm { &input.measured.warm } else { &input.measured.ready }).unwrap();
        prop_assert!(times.exceeds(less).log_normal >= input.target || times.slowest() > less);
    }
}
