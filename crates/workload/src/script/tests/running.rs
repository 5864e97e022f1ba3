//! What is sent, and what becomes of the answers.

use super::*;
use proptest::prelude::*;

fn failed(judgement: Judgement) -> (&'static str, String) {
    match judgement {
        Judgement::Failed(kind, text) => (kind.name(), text),
        other => panic!("{other:?}"),
    }
}

fn redirected(judgement: Judgement) -> Message {
    match judgement {
        Judgement::Redirect(message) => message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_token_is_carried_from_one_step_to_the_next() {
    let login = Step {
        method: "POST".to_owned(),
        headers: vec![header("Content-Type", "application/json; charset=utf-8")],
        body: Body::Template(r#"{"user":"u{{counter}}"}"#.to_owned()),
        checks: vec![Check::Status(vec![(201, 201)])],
        captures: vec![
            Capture {
                name: "token".to_owned(),
                source: Source::JsonPath("$.token".to_owned()),
            },
            Capture {
                name: "next".to_owned(),
                source: Source::Header("Location".to_owned()),
            },
        ],
        ..get("/login")
    };
    let order = Step {
        method: "POST".to_owned(),
        path: "{{raw next}}?t={{token}}".to_owned(),
        headers: vec![
            header("Authorization", "Bearer {{token}}"),
            header("content-type", "application/problem+json"),
        ],
        body: Body::Template(r#"{"t":"{{token}}"}"#.to_owned()),
        ..Step::default()
    };
    let script = script(&one(&[login, order]));
    let mut user = begun(&script, 2);
    let sent = script.render(&mut user, 0, NOW).unwrap();
    assert_eq!(&sent.body[..], br#"{"user":"u3"}"#);
    let created = answer(
        201,
        "HTTP/1.1 201 Created\r\nLocation: /orders/9\r\n\r\n",
        r#"{"token":"a\"b"}"#,
    );
    assert_eq!(script.take_in(&mut user, 0, &created), Judgement::Ok);
    let sent = script.render(&mut user, 1, NOW).unwrap();
    assert_eq!(sent.path, "/orders/9?t=a%22b");
    assert_eq!(sent.header("authorization"), Some("Bearer a\"b"));
    assert_eq!(&sent.body[..], br#"{"t":"a\"b"}"#);
    // The next run begins without it.
    script.begin(&mut user, 0, 3, ScenarioIndex(0)).unwrap();
    assert_eq!(
        script.render(&mut user, 1, NOW).unwrap_err().to_string(),
        "`next` has no value in this scenario run; an earlier step did not capture it"
    );
}

#[test]
fn an_answer_is_judged_by_the_first_thing_that_is_wrong() {
    let step = Step {
        checks: vec![Check::BodyContains("ok".to_owned())],
        captures: vec![Capture {
            name: "id".to_owned(),
            source: Source::Header("X-Id".to_owned()),
        }],
        ..get("/")
    };
    let script = script(&one(&[step]));
    let judged = |answer: Answer<'_>| failed(script.take_in(&mut begun(&script, 0), 0, &answer));
    assert_eq!(
        judged(answer(404, "", "ok")),
        ("status-4xx", "status 404".to_owned())
    );
    assert_eq!(
        judged(answer(503, "", "ok")),
        ("status-5xx", "status 503".to_owned())
    );
    assert_eq!(
        judged(answer(200, "", "no")),
        (
            "check",
            "expected the body to contain `ok`, got `no` (2 bytes)".to_owned()
        )
    );
    assert_eq!(
        judged(answer(200, "", "ok")),
        (
            "capture",
            "`id` is not captured: no header `X-Id`".to_owned()
        )
    );
    let mut user = begun(&script, 0);
    assert_eq!(
        script.take_in(&mut user, 0, &answer(302, "X-Id: 1\r\n", "ok")),
        Judgement::Ok
    );
    assert_eq!(user.captured(), [Some("1".to_owned())]);
}

#[test]
fn a_status_that_is_asked_for_is_well() {
    let step = Step {
        checks: vec![Check::Status(vec![(404, 404)])],
        ..get("/")
    };
    let script = script(&one(&[step]));
    let mut user = begun(&script, 0);
    assert_eq!(
        script.take_in(&mut user, 0, &Answer::status(404)),
        Judgement::Ok
    );
    assert_eq!(
        failed(script.take_in(&mut user, 0, &Answer::status(200))),
        ("check", "expected a status of 404, got 200".to_owned())
    );
}

#[test]
fn cookies_are_those_of_one_run() {
    let own = Step {
        headers: vec![header("cookie", "own=1")],
        ..get("/shop/b")
    };
    let workload = Workload {
        cookies: true,
        ..one(&[get("/shop/a"), own, get("/")])
    };
    let script = script(&workload);
    let mut user = begun(&script, 0);
    assert_eq!(
        script.render(&mut user, 0, NOW).unwrap().header("cookie"),
        None
    );
    let set = answer(
        200,
        "Set-Cookie: sid=x; Max-Age=60\r\nSet-Cookie: all=y; Path=/\r\nSet-Cookie: other=z; Domain=other.test\r\n",
        "",
    );
    assert_eq!(script.take_in(&mut user, 0, &set), Judgement::Ok);
    let cookie = |user: &mut User, kind, now| {
        let sent = script.render(user, kind, now).unwrap();
        sent.header("cookie").map(str::to_owned)
    };
    assert_eq!(cookie(&mut user, 1, NOW).unwrap(), "own=1; sid=x; all=y");
    assert_eq!(cookie(&mut user, 2, NOW).unwrap(), "all=y");
    assert_eq!(cookie(&mut user, 0, NOW + 60_000_000_000).unwrap(), "all=y");
    script.begin(&mut user, 0, 1, ScenarioIndex(0)).unwrap();
    assert_eq!(cookie(&mut user, 0, NOW), None);
    // A failed answer sets its cookies as well.
    assert!(matches!(
        script.take_in(&mut user, 0, &answer(401, "Set-Cookie: a=1\r\n", "")),
        Judgement::Failed(FailureKind::Status4xx, _)
    ));
    assert_eq!(cookie(&mut user, 0, NOW).unwrap(), "a=1");
}

#[test]
fn redirects_are_followed_as_often_as_is_allowed() {
    let login = Step {
        method: "POST".to_owned(),
        body: Body::Bytes(b"x".to_vec()),
        checks: vec![Check::BodyContains("home".to_owned())],
        ..get("/login?a=1")
    };
    let plain = Workload {
        redirects: 2,
        ..one(&[login])
    };
    let script_with = |cookies| {
        script(&Workload {
            cookies,
            ..plain.clone()
        })
    };
    for cookies in [false, true] {
        let script = script_with(cookies);
        let mut user = begun(&script, 0);
        // A fixed request need not be rendered.
        if script.fixed(0).is_none() {
            script.render(&mut user, 0, NOW).unwrap();
        }
        let found = answer(302, "Location: step/2\r\nSet-Cookie: sid=1\r\n", "");
        let second = redirected(script.take_in(&mut user, 0, &found));
        assert_eq!(
            (&*second.method, second.path.as_str(), second.body.len()),
            ("GET", "/step/2", 0)
        );
        assert_eq!(second.header("cookie"), cookies.then_some("sid=1"));
        let again = answer(307, "Location: ../home\r\nSet-Cookie: sid=2\r\n", "");
        let third = redirected(script.take_in(&mut user, 0, &again));
        assert_eq!((&*third.method, third.path.as_str()), ("GET", "/home"));
        assert_eq!(
            third.header("cookie"),
            cookies.then_some("sid=1"),
            "of the path /step"
        );
        assert_eq!(
            script.take_in(&mut user, 0, &answer(200, "", "home")),
            Judgement::Ok
        );
        // The next one begins to count anew.
        script.begin(&mut user, 0, 1, ScenarioIndex(0)).unwrap();
        if script.fixed(0).is_none() {
            script.render(&mut user, 0, NOW).unwrap();
        }
        redirected(script.take_in(&mut user, 0, &answer(302, "Location: /a\r\n", "")));
        redirected(script.take_in(&mut user, 0, &answer(302, "Location: /b\r\n", "")));
        assert_eq!(
            failed(script.take_in(&mut user, 0, &answer(302, "Location: /c\r\n", ""))),
            (
                "redirect",
                "more than 2 redirects one after another; the last one leads to `/c`".to_owned()
            )
        );
        script.begin(&mut user, 0, 2, ScenarioIndex(0)).unwrap();
        if script.fixed(0).is_none() {
            script.render(&mut user, 0, NOW).unwrap();
        }
        assert_eq!(
            failed(script.take_in(&mut user, 0, &answer(302, "Location: https://x.test/\r\n", ""))),
            ("redirect", "the redirect leads to https://x.test, which is not http://shop.test:8080; all requests of a run go to one origin".to_owned())
        );
        // Without a place to go it is an answer like others.
        assert_eq!(
            failed(script.take_in(&mut user, 0, &answer(302, "", "moved"))).0,
            "check"
        );
    }
}

#[test]
fn redirects_are_not_followed_unless_asked() {
    let script = script(&one(&[get("/")]));
    let mut user = begun(&script, 0);
    assert_eq!(
        script.take_in(&mut user, 0, &answer(302, "Location: /a\r\n", "")),
        Judgement::Ok
    );
}

#[test]
fn a_scenario_run_takes_a_row_of_each_feed_that_it_wants() {
    let folder = TempDir::new().unwrap();
    std::fs::write(
        folder.path().join("users.csv"),
        "name,note\nann,x\nbob,\"a\r\nb\"\n",
    )
    .unwrap();
    let workload = Workload {
        scenarios: vec![
            scenario(
                "with",
                1.0,
                &[
                    get("/{{users.name}}"),
                    Step {
                        headers: vec![header("X", "{{users.note}}")],
                        ..get("/{{users.name}}/{{counter}}")
                    },
                ],
            ),
            scenario("without", 1.0, &[get("/")]),
        ],
        feeds: vec![Feed {
            name: "users".to_owned(),
            path: "users.csv".into(),
            format: FeedFormat::Csv {
                delimiter: b',',
                columns: None,
            },
            order: FeedOrder::Once,
        }],
        ..Workload::default()
    };
    let script = compile_in(&workload, folder.path()).unwrap();
    let mut user = User::new();
    let (with, without) = (ScenarioIndex(0), ScenarioIndex(1));
    script.begin(&mut user, 0, 0, with).unwrap();
    // Both steps of a run see the same row.
    assert_eq!(script.render(&mut user, 0, NOW).unwrap().path, "/ann");
    assert_eq!(script.render(&mut user, 1, NOW).unwrap().path, "/ann/1");
    script.begin(&mut user, 0, 1, without).unwrap();
    script.begin(&mut user, 0, 2, with).unwrap();
    assert_eq!(script.render(&mut user, 0, NOW).unwrap().path, "/bob");
    assert_eq!(
        script.render(&mut user, 1, NOW).unwrap_err().to_string(),
        "the value of `users.note` would break the header line in which it stands: `a\\r\\nb`; take another value, or put it into the path or body"
    );
    assert_eq!(
        script.begin(&mut user, 0, 3, with).unwrap_err(),
        BeginFault::Exhausted {
            feed: "users".to_owned()
        }
    );
    assert_eq!(script.feeds()[0].rows, 2);
    // The next phase begins from the front.
    script.start_phase(1).unwrap();
    script.begin(&mut user, 1, 0, with).unwrap();
    assert_eq!(script.render(&mut user, 0, NOW).unwrap().path, "/ann");
}

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
    let picks: Vec<u32> = (0..16).map(|n| script.pick(1, n).0).collect();
    assert_eq!(picks, [2, 2, 2, 2, 2, 2, 0, 2, 2, 1, 2, 1, 2, 2, 2, 2]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn scenarios_come_as_often_as_they_weigh(weights in prop::collection::vec(0.5f64..20.0, 1..6), seed: u64, phase: u32) {
        let scenarios = weights.iter().map(|&weight| scenario("s", weight, &[get("/")])).collect();
        let workload = Workload { scenarios, ..Workload::default() };
        let script = Script::compile(&workload, Path::new("."), &origin(), seed).unwrap();
        let mut counts = vec![0f64; weights.len()];
        for n in 0..20_000 {
            counts[script.pick(phase, n).0 as usize] += 1.0;
        }
        let total: f64 = weights.iter().sum();
        for (count, weight) in counts.iter().zip(&weights) {
            let p = weight / total;
            // Six standard deviations of a binomial.
            let allowed = 6.0 * (20_000.0 * p * (1.0 - p)).sqrt() + 1.0;
            prop_assert!((count - 20_000.0 * p).abs() < allowed, "{} {}", count, 20_000.0 * p);
        }
    }

    #[test]
    fn a_plain_path_is_sent_as_it_is(path in "/[a-zA-Z0-9/?&=%._~{}-]{0,20}") {
        prop_assume!(!path.contains("{{"));
        let script = script(&one(&[get(&path)]));
        prop_assert_eq!(&script.fixed(0).unwrap().path, &path);
    }
}
