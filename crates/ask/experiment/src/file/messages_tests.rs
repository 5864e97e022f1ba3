use crate::file::parse;
use std::num::NonZeroU32;
use std::path::Path;
use tacho_workload::{Body, Step, WebSocket};

/// An experiment with such requests.
fn read(requests: &str) -> Result<Vec<Step>, Vec<String>> {
    let text =
        format!("tacho: 1\nsubject: {{artifact: a.jar}}\nvariants: [jar]\nrequests:\n{requests}\n");
    match parse(&text, Path::new("/")) {
        Ok(experiment) => {
            let requests = experiment.requests.unwrap().into_iter();
            Ok(requests.flat_map(|request| request.steps).collect())
        }
        Err(problems) => Err(problems.into_iter().map(|it| it.message).collect()),
    }
}

#[test]
fn a_request_may_be_a_message_of_a_websocket() {
    let steps = read(
        "  - {websocket: '/quotes?of=EUR', headers: {Cookie: a=b}, greeting: 1, template: '{\"id\": {{counter}}}', events: 3}
  - {websocket: '/quotes?of=EUR', headers: {Cookie: a=b}, greeting: 1, body: bye, name: leave, weight: 2}",
    )
    .unwrap();
    let [asks, leaves] = &steps[..] else {
        panic!("{steps:?}")
    };
    assert_eq!(asks.name, "message to /quotes");
    assert_eq!(asks.path, "/quotes?of=EUR");
    assert_eq!(asks.websocket, Some(WebSocket { greeting: 1 }));
    assert_eq!(
        asks.body,
        Body::Template("{\"id\": {{counter}}}".to_owned())
    );
    assert_eq!(asks.events, NonZeroU32::new(3));
    assert_eq!(asks.headers, [("Cookie".to_owned(), "a=b".to_owned())]);
    assert_eq!(leaves.name, "leave");
    assert_eq!(leaves.body, Body::Bytes(b"bye".to_vec()));
}

#[test]
fn what_no_message_can_be_is_said_with_what_to_do() {
    for (requests, says) in [
        ("  - {websocket: /a}", "add a `template` or a `body`"),
        ("  - {websocket: a, body: x}", "must begin with `/`"),
        ("  - {websocket: '/{{uuid}}', body: x}", "or placeholder"),
        (
            "  - {websocket: /a, body: x, headers: {X-Id: '{{uuid}}'}}",
            "write `X-Id` without a placeholder",
        ),
        (
            "  - {websocket: /a, body: x, greeting: many}",
            "a whole number",
        ),
        (
            "  - {path: /a, greeting: 1}",
            "belongs to a message of a WebSocket",
        ),
        (
            "  - {websocket: /a, path: /b, body: x}",
            "without `method`, `path`, `status` and `call`",
        ),
        (
            "  - {websocket: /a, method: PUT, body: x}",
            "without `method`, `path`, `status` and `call`",
        ),
        (
            "  - {websocket: /a, status: 101, body: x}",
            "give one from 200 to 599",
        ),
        (
            "  - {websocket: /a, status: 200, body: x}",
            "without `method`, `path`, `status` and `call`",
        ),
        (
            "  - {websocket: /a, body: x}\n  - /ping",
            "leave out `message to /a` or `GET /ping`",
        ),
        (
            "  - {websocket: /a, body: x}\n  - {websocket: /b, body: x}",
            "differ in `websocket`, `headers` or `greeting`",
        ),
        (
            "  - {websocket: /a, body: x}\n  - {websocket: /a, body: y, greeting: 2}",
            "differ in `websocket`, `headers` or `greeting`",
        ),
    ] {
        let said = read(requests).unwrap_err();
        assert!(
            said.iter().any(|said| said.contains(says)),
            "{requests}: {said:?}"
        );
    }
}
