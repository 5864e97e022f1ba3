//! Requests that are not the same each time: scenarios, captures, checks, redirects, lists and
//! streams.
#![allow(clippy::unwrap_used)]

use crate::support;

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use support::{Rig, always, assert_adds_up, errors, wait_until};
use tacho_load::testkit::{Act, Seen, TestServer, source};
use tacho_load::{
    Begun, Endpoint, Keep, Listed, Message, Options, Rendered, Scripted, Source, Streamed,
    StreamedRequest,
};
use tacho_run_folder::PhaseKind;
use tacho_workload::{
    Body, Capture, Check, Feed, FeedFormat, FeedOrder, Scenario, Step, Think, Workload,
};

/// A server that remembers the heads and bodies that it saw.
fn remembering(
    answer: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
) -> (TestServer, Arc<Mutex<Vec<Seen>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = TestServer::start({
        let seen = Arc::clone(&seen);
        move |request| {
            seen.lock().unwrap().push(request.clone());
            answer(request)
        }
    });
    (server, seen)
}

fn step(name: &str, path: &str) -> Step {
    Step {
        name: name.to_owned(),
        method: "GET".to_owned(),
        path: path.to_owned(),
        ..Step::default()
    }
}

fn of_steps(steps: Vec<Step>) -> Workload {
    Workload {
        scenarios: vec![Scenario {
            name: "scenario".to_owned(),
            weight: 1.0,
            steps,
        }],
        ..Workload::default()
    }
}

fn rig(server: &TestServer, workload: &Workload) -> Rig {
    let endpoint = Endpoint::new(server.address());
    let source = Scripted::of(workload, std::path::Path::new("."), &endpoint, 1).unwrap();
    Rig::with_source(endpoint, Box::new(source), Options::default())
}

fn path_of(seen: &Seen) -> &str {
    seen.head.split(' ').nth(1).unwrap()
}

#[test]
fn steps_that_are_the_same_each_time_are_rendered_once_and_shared() {
    let endpoint = Endpoint::new(([127, 0, 0, 1], 9).into());
    let mut source = source(&[Step::get("/a"), Step::get("/b")], &endpoint);
    assert!(!source.is_conversational(), "no answer is shown to it");
    let mut sent: [Vec<Arc<Rendered>>; 2] = Default::default();
    for n in 0..50 {
        let Begun::Send(kind, request) = source.begin(n as u32, 0, n) else {
            panic!("the {n}th is not sent");
        };
        assert_eq!(kind, source.first_kind(0, n));
        sent[kind as usize].push(request);
    }
    for requests in &sent {
        assert!(requests.len() > 10, "{sent:?}");
        assert!(
            requests
                .iter()
                .all(|request| Arc::ptr_eq(request, &requests[0]))
        );
    }
}

#[test]
fn a_token_from_the_login_is_in_the_next_step() {
    let (server, seen) = remembering(|seen| match path_of(seen) {
        "/login" => vec![Act::ok(&format!("{{\"token\":\"t{}\"}}", seen.number))],
        _ => vec![Act::ok("ok")],
    });
    let mut login = step("login", "/login");
    login.captures = vec![Capture {
        name: "token".to_owned(),
        source: tacho_workload::Source::JsonPath("$.token".to_owned()),
    }];
    let mut order = step("order", "/order");
    order.headers = vec![("Authorization".to_owned(), "Bearer {{token}}".to_owned())];
    let mut rig = rig(&server, &of_steps(vec![login, order]));
    let record = rig.closed(20, 3, 0.0);
    // An iteration is two requests.
    assert_eq!((record.requests, record.succeeded), (40, 40), "{record:?}");
    let seen = seen.lock().unwrap();
    let logins: Vec<u64> = seen
        .iter()
        .filter(|seen| path_of(seen) == "/login")
        .map(|seen| seen.number)
        .collect();
    assert_eq!(logins.len(), 20);
    for number in logins {
        let header = format!("Authorization: Bearer t{number}\r\n");
        let with_token = seen
            .iter()
            .filter(|s| format!("{}\r\n", s.head).contains(&header));
        assert_eq!(with_token.count(), 1, "{header}");
    }
    let rows = rig.rows("requests.csv");
    assert_eq!(rows.iter().filter(|row| row.request == 1).count(), 20);
}

#[test]
fn a_step_that_fails_ends_its_iteration() {
    let server = always([Act::status(500, "no")]);
    let mut rig = rig(
        &server,
        &of_steps(vec![step("one", "/1"), step("two", "/2")]),
    );
    let record = rig.open(100.0, 0.2, 2);
    assert_eq!(errors(&record), [("status-5xx", 20)]);
    assert_eq!(record.requests, 20, "the second step is never intended");
}

#[test]
fn what_is_checked_and_fails_is_counted_by_name_with_what_was_seen() {
    let server = always([Act::ok("{\"state\":\"down\"}")]);
    let mut one = step("health", "/health");
    one.checks = vec![Check::JsonPath("$.state".to_owned(), Some("up".to_owned()))];
    let mut rig = rig(&server, &of_steps(vec![one]));
    let record = rig.closed(5, 1, 0.0);
    assert_eq!(errors(&record), [("check", 5)]);
    let example = &record.errors[&"check".into()].example;
    assert!(
        example.contains("health") && example.contains("down"),
        "{example}"
    );
    assert_adds_up(&record);
}

#[test]
fn a_status_that_was_asked_for_is_a_success() {
    let server = always([Act::status(404, "none")]);
    let mut one = step("none", "/none");
    one.checks = vec![Check::Status(vec![(404, 404)])];
    let mut rig = rig(&server, &of_steps(vec![one, step("next", "/next")]));
    let record = rig.closed(5, 1, 0.0);
    assert_eq!((record.requests, record.succeeded), (10, 5), "{record:?}");
    assert_eq!(
        errors(&record),
        [("status-4xx", 5)],
        "only the step without the check"
    );
}

#[test]
fn a_redirect_is_part_of_its_request() {
    let (server, seen) = remembering(|seen| match path_of(seen) {
        "/old" => vec![
            Act::Wait(Duration::from_millis(20)),
            Act::raw("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n"),
        ],
        _ => vec![Act::ok("ok")],
    });
    let mut workload = of_steps(vec![step("old", "/old")]);
    workload.redirects = 3;
    let mut rig = rig(&server, &workload);
    let record = rig.closed(3, 1, 0.0);
    assert_eq!((record.requests, record.succeeded), (3, 3), "{record:?}");
    assert_eq!(seen.lock().unwrap().len(), 6);
    for row in rig.rows("requests.csv") {
        assert!(
            row.end_ns - row.sent_ns >= 20_000_000,
            "both parts of the way: {row:?}"
        );
    }
}

#[test]
fn redirects_are_not_followed_unless_asked_for() {
    let (server, seen) = remembering(|_| {
        vec![Act::raw(
            "HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n",
        )]
    });
    let record = rig(&server, &of_steps(vec![step("old", "/old")])).closed(3, 1, 0.0);
    assert_eq!((record.succeeded, seen.lock().unwrap().len()), (3, 3));
}

#[test]
fn users_think_between_their_steps_and_the_next_is_intended_when_they_have() {
    let server = always([Act::ok("ok")]);
    let mut one = step("one", "/1");
    one.think = Some(Think::Constant(Duration::from_millis(30)));
    let mut rig = rig(&server, &of_steps(vec![one, step("two", "/2")]));
    let record = rig.closed(4, 1, 0.0);
    assert_eq!(record.succeeded, 8);
    let rows = rig.rows("requests.csv");
    for pair in rows.chunks(2) {
        assert_eq!(pair[1].intended_ns, pair[0].end_ns + 30_000_000);
        assert!(pair[1].sent_ns >= pair[1].intended_ns);
    }
}

#[test]
fn a_feed_that_is_read_once_ends_the_load() {
    let (server, seen) = remembering(|_| vec![Act::ok("ok")]);
    let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
    std::fs::write(file.path(), "id\na\nb\nc\n").unwrap();
    let mut workload = of_steps(vec![step("user", "/user/{{users.id}}")]);
    workload.feeds = vec![Feed {
        name: "users".to_owned(),
        path: file.path().to_owned(),
        format: FeedFormat::Csv {
            delimiter: b',',
            columns: None,
        },
        order: FeedOrder::Once,
    }];
    for open in [true, false] {
        seen.lock().unwrap().clear();
        let mut rig = rig(&server, &workload);
        let record = if open {
            rig.open(200.0, 30.0, 2)
        } else {
            rig.closed(1_000_000, 2, 0.0)
        };
        assert_eq!((record.requests, record.succeeded), (3, 3), "{record:?}");
        let mut paths: Vec<String> = seen
            .lock()
            .unwrap()
            .iter()
            .map(|s| path_of(s).to_owned())
            .collect();
        paths.sort();
        assert_eq!(paths, ["/user/a", "/user/b", "/user/c"]);
    }
}

#[test]
fn a_value_that_would_break_the_header_is_counted_and_nothing_is_sent() {
    let (server, seen) = remembering(|_| vec![Act::ok("a\nb")]);
    let mut one = step("one", "/1");
    one.captures = vec![Capture {
        name: "value".to_owned(),
        source: tacho_workload::Source::Regex("(?s).*".to_owned()),
    }];
    let mut two = step("two", "/2");
    two.headers = vec![("X-Value".to_owned(), "{{value}}".to_owned())];
    let record = rig(&server, &of_steps(vec![one, two])).closed(3, 1, 0.0);
    assert_eq!(errors(&record), [("template", 3)], "{record:?}");
    assert_eq!((record.requests, seen.lock().unwrap().len()), (6, 3));
    assert_adds_up(&record);
}

fn rendered(endpoint: &Endpoint, path: &str) -> Arc<Rendered> {
    let message = Message {
        name: path,
        method: "GET",
        path,
        headers: &[],
        body: &[],
    };
    Arc::new(Rendered::new(&message, endpoint, Keep::Nothing).unwrap())
}

#[test]
fn a_list_is_sent_in_its_order_over_and_over_or_once() {
    let (server, seen) = remembering(|_| vec![Act::ok("ok")]);
    let endpoint = Endpoint::new(server.address());
    let requests: Vec<(u32, Arc<Rendered>)> = ["/a", "/b"]
        .iter()
        .map(|path| (0, rendered(&endpoint, path)))
        .collect();
    let listed = |once| -> Box<dyn Source> {
        Box::new(Listed::new(vec!["list".to_owned()], requests.clone(), once))
    };
    let mut rig = Rig::with_source(endpoint.clone(), listed(false), Options::default());
    assert_eq!(rig.cold(5).succeeded, 5);
    let paths: Vec<String> = seen
        .lock()
        .unwrap()
        .drain(..)
        .map(|seen| path_of(&seen).to_owned())
        .collect();
    assert_eq!(paths, ["/a", "/b", "/a", "/b", "/a"]);
    let mut rig = Rig::with_source(endpoint.clone(), listed(true), Options::default());
    assert_eq!(rig.cold(5).requests, 2);
}

#[test]
fn a_stream_that_is_late_makes_the_generator_late_and_its_end_ends_the_load() {
    let (server, seen) = remembering(|_| vec![Act::ok("ok")]);
    let endpoint = Endpoint::new(server.address());
    let (to_load, requests) = sync_channel(4);
    let source = Streamed::new(1, requests);
    let feeding = std::thread::spawn({
        let (endpoint, seen) = (endpoint.clone(), Arc::clone(&seen));
        move || {
            let streamed = |path, kind, name: Option<&str>| {
                Ok(StreamedRequest {
                    kind,
                    name: name.map(str::to_owned),
                    request: rendered(&endpoint, path),
                })
            };
            to_load.send(streamed("/1", 0, Some("GET /1"))).unwrap();
            // The clock of the phase has started then.
            wait_until(|| !seen.lock().unwrap().is_empty());
            std::thread::sleep(Duration::from_millis(150));
            to_load
                .send(Err("line 7: not a target".to_owned()))
                .unwrap();
            to_load.send(streamed("/2", 1, None)).unwrap();
        }
    });
    let mut rig = Rig::with_source(endpoint, Box::new(source), Options::default());
    let kind = PhaseKind::Open {
        rate: 100.0,
        duration_s: 20.0,
        connections: 2,
    };
    let record = rig.try_run("open", kind).unwrap();
    feeding.join().unwrap();
    assert_eq!((record.requests, record.succeeded), (3, 2), "{record:?}");
    assert_eq!(errors(&record), [("template", 1)]);
    let example = &record.errors[&"template".into()].example;
    assert_eq!(example, "not understood: line 7: not a target");
    assert_eq!(seen.lock().unwrap().len(), 2);
    let mut kinds: Vec<u32> = rig.rows("requests.csv").iter().map(|r| r.request).collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [0, 1, 2],
        "told apart, of the others, not understood"
    );
    assert_eq!(
        rig.generator.kinds(),
        ["GET /1", "others", "not understood"]
    );
    // Request 1 was intended for 10 ms after the start and came 150 ms after it, if not later.
    let lag = record.generator_lag_ms.unwrap();
    assert!(lag.max >= 100.0, "{lag:?}");
}

#[test]
fn placeholders_and_bodies_are_filled_in() {
    let (server, seen) = remembering(|_| vec![Act::ok("ok")]);
    let mut one = step("post", "/n/{{counter}}");
    one.method = "POST".to_owned();
    one.body = Body::Template("n={{counter}}".to_owned());
    let record = rig(&server, &of_steps(vec![one])).cold(3);
    assert_eq!(record.succeeded, 3);
    let seen: Vec<(String, Vec<u8>)> = seen
        .lock()
        .unwrap()
        .iter()
        .map(|seen| (path_of(seen).to_owned(), seen.body.clone()))
        .collect();
    for (i, (path, body)) in seen.iter().enumerate() {
        assert_eq!(path, &format!("/n/{}", i + 1));
        assert_eq!(body, format!("n={}", i + 1).as_bytes());
    }
}

#[test]
fn who_begins_again_thinks_after_the_last_step() {
    let server = always([Act::ok("ok")]);
    let mut one = step("one", "/1");
    one.think = Some(Think::Constant(Duration::from_millis(20)));
    let mut rig = rig(&server, &of_steps(vec![one]));
    assert_eq!(rig.closed(4, 1, 0.0).succeeded, 4);
    for pair in rig.rows("requests.csv").windows(2) {
        assert_eq!(pair[1].intended_ns, pair[0].end_ns + 20_000_000);
    }
}
