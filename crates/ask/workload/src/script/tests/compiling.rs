//! What is found before the clock starts.

use super::*;
use crate::answer::Keep;
use proptest::prelude::*;

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

proptest! {
    #[test]
    fn a_plain_path_is_sent_as_it_is(path in "/[a-zA-Z0-9/?&=%._~{}-]{0,20}") {
        prop_assume!(!path.contains("{{"));
        let script = script(&one(&[get(&path)]));
        prop_assert_eq!(&script.fixed(0).unwrap().path, &path);
    }
}
