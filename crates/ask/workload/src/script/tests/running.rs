//! What is sent, and what becomes of the answers.

use super::*;

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
