//! What the seed decides.

use super::*;

#[test]
fn a_run_sends_the_same_each_time_it_is_repeated() {
    let step = Step {
        headers: vec![header("X-Id", "{{uuid}}")],
        ..get("/{{random 1 1000000}}/{{counter}}")
    };
    let workload = one(&[step.clone(), step]);
    let sent = |script: &Script, phase, n, kind| {
        let mut user = User::new();
        script.begin(&mut user, phase, n, ScenarioIndex(0)).unwrap();
        script.render(&mut user, kind, NOW).unwrap()
    };
    let (first, second) = (script(&workload), script(&workload));
    assert_eq!(sent(&first, 3, 41, 1), sent(&second, 3, 41, 1));
    let different = [
        sent(&first, 3, 41, 0),
        sent(&first, 3, 42, 1),
        sent(&first, 4, 41, 1),
    ];
    for message in different {
        assert_ne!(message.path, sent(&first, 3, 41, 1).path);
    }
    // An interface: these do not change with the version.
    let known = sent(&first, 0, 0, 0);
    assert_eq!(
        (known.path.as_str(), known.header("X-Id").unwrap()),
        ("/751155/1", "a9535f6b-30db-4d0b-bad3-c69b41466fb6")
    );
}

/// All that a run of this workload would send and wait, by the kind of chance that it comes from.
fn drawn(folder: &Path, seed: u64) -> [Vec<String>; 4] {
    let rows: String = (0..500).map(|n| format!("user-{n}\n")).collect();
    std::fs::write(folder.join("users.csv"), format!("name\n{rows}")).unwrap();
    let step = Step {
        body: Body::Template("{{uuid}} {{random 1 1000000}}".to_owned()),
        think: Some(Think::Exponential(Duration::from_secs(1))),
        ..get("/{{users.name}}")
    };
    let workload = Workload {
        scenarios: [1.0, 2.0, 3.0]
            .map(|weight| scenario("s", weight, std::slice::from_ref(&step)))
            .to_vec(),
        feeds: vec![Feed {
            name: "users".to_owned(),
            path: "users.csv".into(),
            format: FeedFormat::Csv {
                delimiter: b',',
                columns: None,
            },
            order: FeedOrder::Random,
        }],
        ..Workload::default()
    };
    let script = Script::compile(&workload, folder, &origin(), seed).unwrap();
    let mut all = [const { Vec::new() }; 4];
    for n in 0..100 {
        let mut user = User::new();
        let scenario = script.pick(0, n);
        script.begin(&mut user, 0, n, scenario).unwrap();
        let sent = script.render(&mut user, scenario.0, NOW).unwrap();
        all[0].push(format!("{scenario:?}"));
        all[1].push(sent.path.clone());
        all[2].push(format!("{:?}", sent.body));
        all[3].push(format!("{:?}", script.think(&user, scenario.0)));
    }
    all
}

#[test]
fn the_seed_reaches_everything_random() {
    let folder = TempDir::new().unwrap();
    let first = drawn(folder.path(), 1);
    assert_eq!(first, drawn(folder.path(), 1), "same seed, same bytes");
    let kinds = ["choices", "feeds", "templates", "think times"];
    for ((kind, one), other) in kinds.iter().zip(first).zip(drawn(folder.path(), 2)) {
        assert_ne!(one, other, "{kind} do not heed the seed");
    }
}

#[test]
fn waits_follow_their_distribution() {
    let second = Duration::from_secs(1);
    let with = |think| {
        script(&one(&[Step {
            think: Some(think),
            ..get("/")
        }]))
    };
    let waits = |script: &Script| -> Vec<f64> {
        let wait = |n| script.think(&begun(script, n), 0).unwrap().as_secs_f64();
        (0..10_000).map(wait).collect()
    };
    let mean = |waits: &[f64]| waits.iter().sum::<f64>() / waits.len() as f64;
    assert!(
        waits(&with(Think::Constant(second)))
            .iter()
            .all(|&wait| wait == 1.0)
    );
    let uniform = waits(&with(Think::Uniform(second, 3 * second)));
    assert!(uniform.iter().all(|wait| (1.0..=3.0).contains(wait)));
    // Five standard errors: (3 - 1) / sqrt(12) / 100 * 5.
    assert!((mean(&uniform) - 2.0).abs() < 0.029);
    let exponential = waits(&with(Think::Exponential(second)));
    // Mean and standard deviation are 1; the median is ln 2.
    assert!((mean(&exponential) - 1.0).abs() < 0.05);
    let below = exponential
        .iter()
        .filter(|&&wait| wait < std::f64::consts::LN_2)
        .count();
    assert!(below.abs_diff(5_000) < 250, "{below}");
    // Beyond all bounds it is as long as can be, and no panic.
    let endless = with(Think::Exponential(Duration::MAX));
    assert!(waits(&endless).iter().all(|&wait| wait > 0.0));
    assert_eq!(script(&one(&[get("/")])).think(&User::new(), 0), None);
}

#[test]
fn the_choice_of_scenarios_is_the_same_as_it_always_was() {
    let script = script(&Workload {
        scenarios: [1.0, 2.0, 7.0]
            .map(|weight| scenario("s", weight, &[get("/")]))
            .to_vec(),
        ..Workload::default()
    });
    let picks = |phase| (0..16).map(|n| script.pick(phase, n).0).collect::<Vec<_>>();
    assert_eq!(picks(1), [2, 2, 2, 2, 2, 2, 0, 2, 2, 1, 2, 1, 2, 2, 2, 2]);
    assert_ne!(picks(0), picks(1), "each phase has its own");
}

/// Of seeds and weights that are always the same: one in so many others would come out wrong by
/// chance.
#[test]
fn scenarios_come_as_often_as_they_weigh() {
    let mixes: [&[f64]; 5] = [
        &[3.0],
        &[0.5, 20.0],
        &[1.0, 2.0, 7.0],
        &[12.25, 0.5, 0.5, 19.0],
        &[4.0, 4.0, 4.0, 4.0, 4.0],
    ];
    let draws = [(0, 0), (1, 0), (1, 1), (7_321, 12), (u64::MAX, u32::MAX)];
    for weights in mixes {
        for (seed, phase) in draws {
            let scenarios = weights
                .iter()
                .map(|&weight| scenario("s", weight, &[get("/")]))
                .collect();
            let workload = Workload {
                scenarios,
                ..Workload::default()
            };
            let script = Script::compile(&workload, Path::new("."), &origin(), seed).unwrap();
            let mut counts = vec![0f64; weights.len()];
            for n in 0..20_000 {
                counts[script.pick(phase, n).0 as usize] += 1.0;
            }
            let total: f64 = weights.iter().sum();
            for (count, weight) in counts.iter().zip(weights) {
                let p = weight / total;
                // Six standard deviations of a binomial.
                let allowed = 6.0 * (20_000.0 * p * (1.0 - p)).sqrt() + 1.0;
                let expected = 20_000.0 * p;
                assert!(
                    (count - expected).abs() < allowed,
                    "{weights:?} {seed} {phase}: {count} {expected}"
                );
            }
        }
    }
}
