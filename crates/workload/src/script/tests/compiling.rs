//! What is found before the clock starts.

use super::*;
use crate::answer::Keep;

fn error(workload: &Workload) -> String {
    compile(workload).err().expect("an error").to_string()
}

fn capture(name: &str, source: Source) -> Vec<Capture> {
    vec![Capture {
        name: name.to_owned(),
        source,
    }]
}

#[test]
fn a_plain_request_is_the_same_each_time() {
    let post = Step {
        name: "order".to_owned(),
        method: "POST".to_owned(),
        path: "/orders?x={{\"{{\"}}".to_owned(),
        headers: vec![header("Content-Type", "text/plain")],
        body: Body::Bytes(b"{{not a template}}".to_vec()),
        ..Step::default()
    };
    let script = script(&one(&[get("/"), post]));
    let fixed = script.fixed(1).unwrap();
    assert_eq!(fixed.path, "/orders?x={{");
    assert_eq!(&*fixed.method, "POST");
    assert_eq!(&fixed.body[..], b"{{not a template}}");
    assert_eq!(fixed.header("content-type"), Some("text/plain"));
    for kind in [0, 1] {
        assert_eq!(script.needs_answer(kind), Keep::Nothing);
        assert!(!script.judges(kind));
    }
    assert!(!script.needs_user(ScenarioIndex(0)));
    // What is rendered is what is fixed.
    let mut user = begun(&script, 0);
    assert_eq!(script.render(&mut user, 1, NOW).unwrap(), *fixed);
}

#[test]
fn bodies_come_from_files() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("a.bin"), b"\xff{{counter}}").unwrap();
    std::fs::write(folder.path().join("b.txt"), "n={{counter}}").unwrap();
    let with = |body| Step { body, ..get("/") };
    let workload = one(&[
        with(Body::File("a.bin".into())),
        with(Body::TemplateFile("b.txt".into())),
    ]);
    let script = compile_in(&workload, folder.path()).unwrap();
    assert_eq!(&script.fixed(0).unwrap().body[..], b"\xff{{counter}}");
    assert!(script.fixed(1).is_none());
    let mut user = begun(&script, 4);
    assert_eq!(&script.render(&mut user, 1, NOW).unwrap().body[..], b"n=5");

    let broken = |body| {
        let error = compile_in(&one(&[with(body)]), folder.path())
            .err()
            .unwrap();
        error
            .to_string()
            .replace(folder.path().to_str().unwrap(), "DIR")
    };
    assert_eq!(
        broken(Body::File("none".into())),
        "scenario `shop`, step `/`: the body DIR/none cannot be read: No such file or directory (os error 2)"
    );
    assert_eq!(
        broken(Body::File(".".into())),
        "scenario `shop`, step `/`: the body DIR/. cannot be read: it is no regular file"
    );
    assert_eq!(
        broken(Body::TemplateFile("a.bin".into())),
        "scenario `shop`, step `/`: the body DIR/a.bin cannot be read: invalid utf-8 sequence of 1 bytes from index 0"
    );
}

#[test]
fn requests_that_cannot_be_sent_are_refused() {
    for (step, expected) in [
        (
            Step {
                method: "GET ".into(),
                ..get("/")
            },
            "scenario `shop`, step `/`: `GET ` is no method that can be sent; use GET, POST or the like",
        ),
        (
            Step {
                method: "CONNECT".into(),
                ..get("/")
            },
            "scenario `shop`, step `/`: `CONNECT` is no method that can be sent; use GET, POST or the like",
        ),
        (
            get("a"),
            "scenario `shop`, step `a`: the path `a` must begin with `/` and hold no spaces, control characters or `#`; write a space as %20, and a captured path as `{{raw name}}`",
        ),
        (
            Step {
                headers: vec![header("X", "a\r\nEvil: 1")],
                ..get("/")
            },
            "scenario `shop`, step `/`: the header `X` holds a character that ends or breaks a header line; remove it",
        ),
        (
            Step {
                headers: vec![header("X Y", "a")],
                ..get("/")
            },
            "scenario `shop`, step `/`: the header `X Y` holds a character that ends or breaks a header line; remove it",
        ),
        (
            Step {
                headers: vec![header("content-length", "3")],
                ..get("/")
            },
            "scenario `shop`, step `/`: Content-Length is given as `3`, but the body has 0 bytes; leave it out, it is added",
        ),
        (
            Step {
                headers: vec![header("Content-Length", "3")],
                body: Body::Template("{{counter}}".into()),
                ..get("/")
            },
            "scenario `shop`, step `/`: Content-Length is given as `3`, but the body has another length in each request; leave it out, it is added",
        ),
        (
            Step {
                checks: vec![Check::Status(vec![])],
                ..get("/")
            },
            "scenario `shop`, step `/`: a check of the status needs ranges within 100 to 599, the lower bound first",
        ),
        (
            Step {
                captures: capture("a", Source::Header("a b".into())),
                ..get("/")
            },
            "scenario `shop`, step `/`, capture `a`: `a b` is no header name",
        ),
        (
            Step {
                captures: capture("now", Source::Header("a".into())),
                ..get("/")
            },
            "scenario `shop`, step `/`: a captured value is named `now`; give it a name without spaces, braces or quotes that is neither built in (counter, random, uuid, now, raw) nor begins with the name of a feed and a dot",
        ),
        (
            Step {
                think: Some(Think::Uniform(
                    Duration::from_secs(2),
                    Duration::from_secs(1),
                )),
                ..get("/")
            },
            "scenario `shop`, step `/`: the wait after the step has its bounds in the wrong order; give the shorter one first",
        ),
    ] {
        assert_eq!(error(&one(&[step])), expected);
    }
    for path in ["", " /", "/a b", "/a\r\nX: y", "/a#b", "{{counter}}", "*"] {
        assert!(
            matches!(compile(&one(&[get(path)])), Err(WorkloadError::Path { .. })),
            "{path:?}"
        );
    }
    let options = Step {
        method: "OPTIONS".into(),
        ..get("*")
    };
    assert_eq!(script(&one(&[options])).fixed(0).unwrap().path, "*");
    let exact = Step {
        headers: vec![header("Content-Length", "2")],
        body: Body::Bytes(b"ab".to_vec()),
        ..get("/")
    };
    assert!(compile(&one(&[exact])).is_ok());
}

#[test]
fn workloads_that_mean_nothing_are_refused() {
    assert_eq!(
        error(&Workload::default()),
        "there is nothing to send; give at least one request"
    );
    assert_eq!(
        error(&one(&[])),
        "scenario `shop` has no steps; give at least one request"
    );
    for weight in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let workload = Workload {
            scenarios: vec![scenario("shop", weight, &[get("/")])],
            ..Workload::default()
        };
        assert_eq!(
            error(&workload),
            format!("scenario `shop`: a weight of {weight} means nothing; give a number above 0")
        );
    }
    let nowhere = Origin {
        scheme: Scheme::Http,
        authority: "a/b".to_owned(),
    };
    let refused = Script::compile(&one(&[get("/")]), Path::new("."), &nowhere, 1)
        .err()
        .unwrap();
    assert_eq!(
        refused.to_string(),
        "`http://a/b` is no origin to send requests to: only host and port belong there"
    );
}

#[test]
fn a_placeholder_has_to_stand_for_something() {
    let login = Step {
        name: "login".to_owned(),
        captures: capture("token", Source::JsonPath("$.t".into())),
        ..get("/login")
    };
    let with = |value: &str| Step {
        name: "cart".to_owned(),
        headers: vec![header("Authorization", value)],
        ..get("/cart")
    };
    assert!(compile(&one(&[login.clone(), with("Bearer {{token}}")])).is_ok());
    let braces = "write `{{\"{{\"}}` where two braces are meant as they stand";
    for (steps, expected) in [
        (
            vec![login.clone(), with("Bearer {{tokn}}")],
            format!("scenario `shop`, step `cart`, header `Authorization`: `tokn` at line 1, column 8 is neither built in (counter, random, uuid, now), nor a column of a feed (`feed.column`), nor captured by an earlier step; did you mean `token`?; {braces}"),
        ),
        (
            vec![with("{{token}}"), login.clone()],
            "scenario `shop`, step `cart`, header `Authorization`: `token` at line 1, column 1 is captured only by the step `login`, whose answer comes after this request is sent; put that step first".to_owned(),
        ),
        (
            vec![Step { path: "/{{token}}".into(), ..login.clone() }],
            "scenario `shop`, step `login`, path: `token` at line 1, column 2 is captured only by the step `login`, whose answer comes after this request is sent; put that step first".to_owned(),
        ),
        (
            vec![Step { body: Body::Template("a\n {{countre}}".into()), ..get("/") }],
            format!("scenario `shop`, step `/`, body: `countre` at line 2, column 2 is neither built in (counter, random, uuid, now), nor a column of a feed (`feed.column`), nor captured by an earlier step; did you mean `counter`?; {braces}"),
        ),
    ] {
        assert_eq!(error(&one(&steps)), expected);
    }
    // What another scenario captures is not known here.
    let two = Workload {
        scenarios: vec![
            scenario("a", 1.0, &[login]),
            scenario("b", 1.0, &[with("{{token}}")]),
        ],
        ..Workload::default()
    };
    assert!(error(&two).starts_with("scenario `b`, step `cart`, header `Authorization`: `token`"));
}

#[test]
fn a_column_has_to_be_there() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("users.csv"), "id,email\n1,a@b\n").unwrap();
    let mut workload = one(&[get("/{{users.emial}}")]);
    workload.feeds = vec![Feed {
        name: "users".to_owned(),
        path: "users.csv".into(),
        format: FeedFormat::Csv {
            delimiter: b',',
            columns: None,
        },
        order: FeedOrder::Cycle,
    }];
    let error = |workload: &Workload| {
        compile_in(workload, folder.path())
            .err()
            .unwrap()
            .to_string()
    };
    assert_eq!(
        error(&workload),
        "scenario `shop`, step `/{{users.emial}}`, path: `users.emial` at line 1, column 2: the feed `users` has no such column; did you mean `email`?; it has id, email"
    );
    workload.scenarios[0].steps = vec![get("/{{user.email}}")];
    assert!(error(&workload).contains("did you mean `users.email`?"));
    workload.scenarios[0].steps = vec![Step {
        captures: capture("users.id", Source::Header("a".into())),
        ..get("/")
    }];
    assert!(error(&workload).contains("a captured value is named `users.id`"));
    workload.feeds.push(workload.feeds[0].clone());
    assert_eq!(
        error(&workload),
        "two feeds are named `users`; rename one of them"
    );
}

#[test]
fn kinds_have_names_of_their_own() {
    let unnamed = |method: &str| Step {
        name: String::new(),
        method: method.to_owned(),
        ..get("/x")
    };
    let workload = Workload {
        scenarios: vec![
            scenario("buy", 1.0, &[get("/login"), get("/cart")]),
            scenario(
                "browse",
                1.0,
                &[get("/login"), get("/login"), unnamed("GET")],
            ),
            scenario("/x", 1.0, &[unnamed("PUT")]),
        ],
        ..Workload::default()
    };
    let script = script(&workload);
    let kinds: Vec<_> = script
        .kinds()
        .iter()
        .map(|kind| (kind.scenario.0, kind.step, kind.name.as_str()))
        .collect();
    assert_eq!(
        kinds,
        [
            (0, 0, "buy: /login"),
            (0, 1, "/cart"),
            (1, 0, "browse: /login"),
            (1, 1, "browse: /login #2"),
            (1, 2, "GET /x"),
            (2, 0, "PUT /x"),
        ]
    );
    assert_eq!(script.steps(ScenarioIndex(1)), 2..5);
}

#[test]
fn no_more_is_kept_of_an_answer_than_a_step_needs() {
    let steps = [
        get("/"),
        Step {
            checks: vec![Check::Status(vec![(200, 200)])],
            ..get("/")
        },
        Step {
            captures: capture("a", Source::Cookie("a".into())),
            ..get("/")
        },
        Step {
            checks: vec![Check::BodyContains("a".into())],
            ..get("/")
        },
    ];
    let keeps = |workload: &Workload| {
        let script = script(workload);
        (0..4)
            .map(|kind| script.needs_answer(kind))
            .collect::<Vec<_>>()
    };
    use Keep::*;
    let plain = one(&steps);
    assert_eq!(keeps(&plain), [Nothing, Nothing, Head, HeadAndBody]);
    let cookies = Workload {
        cookies: true,
        ..plain.clone()
    };
    assert_eq!(keeps(&cookies), [Head, Head, Head, HeadAndBody]);
    let redirects = Workload {
        redirects: 1,
        ..plain.clone()
    };
    assert_eq!(keeps(&redirects), [Head, Head, Head, HeadAndBody]);
    // With a jar no request is the same each time; with redirects the first one still is.
    assert!(script(&cookies).fixed(0).is_none());
    assert!(script(&redirects).fixed(0).is_some());
    assert!(!script(&plain).judges(0));
    assert!(script(&plain).judges(1));
    assert!(script(&redirects).judges(0));
}
