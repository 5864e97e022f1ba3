//! From the experiment's requests to what the load engine asks for them.

use crate::error::RunError;
use sha2::{Digest, Sha256};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::Path;
use tacho_clock::wall_ns;
use tacho_load::{
    Endpoint, Keep, LoadError, Protocol, Rendered, RequestError, Scripted, Source, WebSocket,
};
use tacho_run_folder::PlannedRequest;
use tacho_workload::{Body, Message, Scenario, Script, Step, User, Workload};

/// The experiment's requests for an address, as `tacho load` sends them.
pub fn source(
    requests: &[Scenario],
    address: SocketAddr,
    seed: u64,
) -> Result<(Endpoint, Box<dyn Source>), RunError> {
    let endpoint = match Kind::of(requests) {
        Kind::Plain => endpoint(address),
        Kind::Calls => endpoint(address).speaking(Protocol::Http2),
        Kind::Messages(websocket) => endpoint(address).talking(websocket),
    };
    let mut workload = Workload {
        scenarios: requests.to_vec(),
        ..Workload::default()
    };
    for step in workload.steps_mut() {
        if step.websocket.is_some() {
            // These headers open the WebSocket; its messages have none.
            step.headers.clear();
        }
    }
    let source = Scripted::of(&workload, Path::new("."), &endpoint, seed)?;
    Ok((endpoint, Box::new(source)))
}

/// What a run sends: all of its requests are of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Requests of HTTP/1.1.
    Plain,
    /// Calls of gRPC.
    Calls,
    /// Messages of WebSockets that are opened like this.
    Messages(WebSocket),
}

impl Kind {
    /// The kind of these requests.
    #[must_use]
    pub fn of(requests: &[Scenario]) -> Self {
        let opened = |step: &Step| {
            Some(WebSocket {
                path: step.path.clone(),
                headers: step.headers.clone(),
                greeting: step.websocket?.greeting,
            })
        };
        if let Some(websocket) = steps(requests).find_map(opened) {
            return Self::Messages(websocket);
        }
        match steps(requests).any(Step::is_grpc) {
            true => Self::Calls,
            false => Self::Plain,
        }
    }
}

/// Their steps, in order.
pub fn steps(requests: &[Scenario]) -> impl Iterator<Item = &Step> {
    requests.iter().flat_map(|request| &request.steps)
}

/// One request that is asked by itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// What is asked, with everything filled in.
    pub message: Message,
    /// How many server-sent events end its answer; absent where its last byte does.
    pub events: Option<NonZeroU32>,
}

/// One question of each, all at the same instant: what is to be answered alike has to be asked
/// alike.
pub fn questions<'s>(steps: impl IntoIterator<Item = &'s Step>) -> Result<Vec<Question>, RunError> {
    let now = wall_ns();
    let question = |step: &Step| {
        let script = Script::of_step(step)?;
        let filled = script.render(&mut User::new(), 0, now);
        let message =
            filled.map_err(|fault| RunError::Load(LoadError::Source(fault.to_string())))?;
        Ok(Question {
            message,
            events: step.events,
        })
    };
    steps.into_iter().map(question).collect()
}

/// One of them as it goes over the wire.
pub fn bytes(question: &Question, address: SocketAddr) -> Result<Vec<u8>, RequestError> {
    let message = &question.message;
    let parts = tacho_load::Message::of(&message.path, message);
    let rendered = Rendered::new(&parts, &endpoint(address), Keep::Nothing)?;
    Ok(rendered.bytes().to_vec())
}

/// What is sent, as the plan records it.
pub fn planned(requests: &[Scenario]) -> Vec<PlannedRequest> {
    let planned = |request: &Scenario| PlannedRequest {
        name: request.name.clone(),
        weight: request.weight,
        sha256: sum(request),
        closes: request.steps.iter().all(closes),
    };
    requests.iter().map(planned).collect()
}

/// Whether the connection closes after this step. It also does so after server-sent events; a
/// WebSocket stays open.
fn closes(step: &Step) -> bool {
    if step.websocket.is_some() {
        return false;
    }
    let is_close = |value: &str| {
        value
            .split(',')
            .any(|token| token.trim().eq_ignore_ascii_case("close"))
    };
    let mut headers = step.headers.iter();
    step.events.is_some()
        || headers.any(|(name, value)| name.eq_ignore_ascii_case("connection") && is_close(value))
}

/// A checksum of what goes over the wire. Secrets are masked first: they may differ between two
/// runs, and a checksum must not help anyone to guess one.
fn sum(request: &Scenario) -> String {
    let masking = tacho_masking::current();
    let mut sum = Sha256::new();
    // With its length, so that no two lists of parts have the same bytes.
    let mut add = |part: &[u8]| {
        sum.update((part.len() as u64).to_le_bytes());
        sum.update(part);
    };
    for step in &request.steps {
        add(step.method.as_bytes());
        add(masking.text(&step.path).as_bytes());
        // Requests of versions that knew no events keep their sums.
        if let Some(events) = step.events {
            add(b"events");
            add(&events.get().to_le_bytes());
        }
        if let Some(websocket) = step.websocket {
            add(b"websocket");
            add(&websocket.greeting.to_le_bytes());
        }
        for (name, value) in &step.headers {
            add(name.as_bytes());
            add(masking.value(name, value).as_bytes());
        }
        match &step.body {
            Body::None => add(b""),
            Body::Bytes(bytes) => add(masking.text(&String::from_utf8_lossy(bytes)).as_bytes()),
            Body::Template(text) => add(masking.text(text).as_bytes()),
            Body::Messages(pieces) => {
                // Pieces are always JSON.
                let text = serde_json::to_string(pieces).unwrap_or_default();
                add(masking.text(&text).as_bytes());
            }
            Body::File(path) | Body::TemplateFile(path) => {
                let content = tacho_files::input::read(path, tacho_files::input::BODY);
                // One that cannot be read is refused where it is sent.
                add(&content.unwrap_or_default());
            }
        }
    }
    let digits = sum.finalize();
    digits.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn endpoint(address: SocketAddr) -> Endpoint {
    Endpoint::new(address).with_authority(format!("localhost:{}", address.port()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_load::Begun;

    const ADDRESS: ([u8; 4], u16) = ([127, 0, 0, 1], 8080);

    fn with_body(text: &str) -> [Scenario; 1] {
        let body = Body::Template(text.to_owned());
        let step = Step {
            headers: vec![("X-Id".to_owned(), "{{uuid}}".to_owned())],
            body,
            ..Step::new("POST", "/users/{{counter}}?q={{\"{{\"}}x}}")
        };
        [Scenario::of(step)]
    }

    #[test]
    fn what_differs_is_made_anew_for_each_request_and_braces_may_stand_for_themselves() {
        let (_, mut source) = source(&with_body("n={{counter}}"), ADDRESS.into(), 1).unwrap();
        source.start_phase(0).unwrap();
        let mut sent = |n| match source.begin(0, 0, n) {
            Begun::Send(_, request) => String::from_utf8(request.bytes().to_vec()).unwrap(),
            other => panic!("{other:?}"),
        };
        let (first, second) = (sent(0), sent(1));
        for (n, sent) in [(1, &first), (2, &second)] {
            let line = format!("POST /users/{n}?q={{{{x}}}} HTTP/1.1\r\nHost: localhost:8080\r\n");
            assert!(sent.starts_with(&line), "{sent}");
            assert!(sent.ends_with(&format!("\r\n\r\nn={n}")), "{sent}");
        }
        let id = |sent: &str| {
            sent.lines()
                .find(|line| line.starts_with("X-Id: "))
                .map(str::to_owned)
        };
        assert_ne!(id(&first).unwrap(), id(&second).unwrap());
    }

    #[test]
    fn a_template_that_cannot_be_filled_is_refused_by_name() {
        let requests = with_body("{{feed.column}}");
        let refused = source(&requests, ADDRESS.into(), 1);
        assert!(matches!(refused, Err(RunError::Workload(_))));
        let refused = questions(steps(&requests)).unwrap_err().to_string();
        assert!(refused.starts_with("request `POST /users/"), "{refused}");
    }

    #[test]
    fn whether_another_run_sent_the_same_is_told_without_its_secrets() {
        let with = |path: &str, headers: &[(&str, &str)], body: &str| {
            let headers = headers
                .iter()
                .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
            let step = Step {
                headers: headers.collect(),
                body: Body::Template(body.to_owned()),
                ..Step::new("POST", path)
            };
            planned(&[Scenario::of(step)]).remove(0).sha256
        };
        let told = with("/a", &[("Accept", "x")], "b");
        assert_eq!(with("/a", &[("Accept", "x")], "b"), told);
        for other in [
            with("/b", &[("Accept", "x")], "b"),
            with("/a", &[("Accept", "y")], "b"),
            with("/a", &[("Accept", "x")], "c"),
            with("/a", &[], "Acceptxb"),
        ] {
            assert_ne!(other, told);
        }
        let token = |token| with("/a", &[("Authorization", token)], "");
        assert_eq!(
            token("Bearer of-monday-7f3a"),
            token("Bearer of-tuesday-19c2")
        );
    }

    #[test]
    fn a_request_for_events_is_another_one_and_closes_its_connection() {
        let step = |events| Step {
            events: NonZeroU32::new(events),
            ..Step::get("/prices")
        };
        let told = |events| planned(&[Scenario::of(step(events))]).remove(0);
        assert!(!told(0).closes && told(1).closes);
        assert_ne!(told(0).sha256, told(1).sha256);
        assert_ne!(told(1).sha256, told(2).sha256);
        assert_eq!(questions([&step(3)]).unwrap()[0].events, NonZeroU32::new(3));
    }

    #[test]
    fn messages_go_over_a_websocket_that_their_headers_opened() {
        let message = |greeting| Step {
            headers: vec![("Cookie".to_owned(), "a=b".to_owned())],
            body: Body::Template("{{counter}}".to_owned()),
            events: NonZeroU32::new(2),
            websocket: Some(tacho_workload::WebSocket { greeting }),
            ..Step::get("/quotes?of=EUR")
        };
        let requests = [Scenario::of(message(1))];
        let (endpoint, mut source) = source(&requests, ADDRESS.into(), 1).unwrap();
        let opened = endpoint.websocket.unwrap();
        assert_eq!(opened.path, "/quotes?of=EUR");
        assert_eq!(opened.headers, [("Cookie".to_owned(), "a=b".to_owned())]);
        assert_eq!(opened.greeting, 1);
        source.start_phase(0).unwrap();
        // A frame of one byte: two of head, four of mask.
        match source.begin(0, 0, 0) {
            Begun::Send(_, request) => assert_eq!(request.bytes().len(), 7),
            other => panic!("{other:?}"),
        }
        let told = planned(&requests).remove(0);
        assert!(!told.closes, "{told:?}");
        assert_ne!(told.sha256, planned(&[Scenario::of(message(2))])[0].sha256);
    }

    #[test]
    fn which_request_comes_next_is_what_the_seed_always_said() {
        let weighted = |weight, path| Scenario {
            weight,
            ..Scenario::of(Step::get(path))
        };
        let picks = |last| {
            let requests = [
                weighted(1.0, "/a"),
                weighted(2.0, "/b"),
                weighted(7.0, last),
            ];
            let (_, source) = source(&requests, ADDRESS.into(), 7).unwrap();
            (0..16).map(|n| source.first_kind(1, n)).collect::<Vec<_>>()
        };
        // As `tacho load` chooses, and as the fixed mix of earlier versions did.
        let known = [2, 2, 2, 2, 2, 2, 0, 2, 2, 1, 2, 1, 2, 2, 2, 2];
        assert_eq!(picks("/c"), known);
        assert_eq!(picks("/{{counter}}"), known);
    }

    #[test]
    fn what_is_asked_of_two_is_the_same_with_everything_filled_in() {
        let requests = with_body("{{counter}} {{now}} {{uuid}}");
        let asked = questions(steps(&[requests.clone(), requests].concat())).unwrap();
        assert_eq!(asked[0], asked[1]);
        let sent = String::from_utf8(bytes(&asked[0], ADDRESS.into()).unwrap()).unwrap();
        assert!(
            sent.starts_with("POST /users/1?q={{x}} HTTP/1.1\r\n"),
            "{sent}"
        );
        let (_, body) = sent.split_once("\r\n\r\n").unwrap();
        assert!(body.starts_with("1 1") && !body.contains('{'), "{body}");
    }
}
