//! Names of placeholders, and the names under which steps are counted.

use super::*;

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
