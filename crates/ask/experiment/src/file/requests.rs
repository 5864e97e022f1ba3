//! The request mix.

use super::calls;
use super::given::Given;
use super::messages::{self, Opened};
use std::num::NonZeroU32;
use std::path::Path;
use tacho_fields::{Fields, Place, Problems, items};
use tacho_fields::{Node, Value};
use tacho_workload::{Body, Check, Scenario, Script, Step, WorkloadError};

pub(super) fn read(node: Node, folder: &Path, problems: &Problems) -> Vec<Scenario> {
    let place = node.place;
    let Some(items) = items(node, "requests", "- path: /ping", problems) else {
        return Vec::new();
    };
    if items.is_empty() {
        problems.add(
            place,
            "`requests` is empty; leave it out and Tacho finds a path that answers",
        );
    }
    let checked = |item: Node| {
        let place = item.place;
        let (step, weight) = read_request(item, folder, problems)?;
        match Script::of_step(&step) {
            // These errors were already reported, with their places.
            Ok(_) | Err(WorkloadError::Method { .. } | WorkloadError::Path { .. }) => {}
            Err(error) => problems.add(place, error.to_string()),
        }
        Some(Scenario {
            weight,
            ..Scenario::of(step)
        })
    };
    let requests: Vec<Scenario> = items.into_iter().filter_map(checked).collect();
    if let Err(text) = go_together(&requests) {
        problems.add(place, text);
    }
    requests
}

/// Checks that all requests use one kind of connection. Calls go over HTTP/2, messages over
/// WebSockets that are all opened in the same way, and other requests over HTTP/1.1.
fn go_together(requests: &[Scenario]) -> Result<(), String> {
    let kind = |step: &Step| (step.is_grpc(), step.websocket.is_some());
    let opened = |step: &Step| (step.websocket, step.path.clone(), step.headers.clone());
    let mut steps = requests.iter().flat_map(|request| &request.steps);
    let Some(first) = steps.next() else {
        return Ok(());
    };
    for other in steps {
        if kind(other) != kind(first) {
            return Err(format!(
                "calls of gRPC go over HTTP/2, messages over a WebSocket and other requests over HTTP/1.1, and a run sends one kind: leave out `{}` or `{}`",
                first.name, other.name
            ));
        }
        if first.websocket.is_some() && opened(other) != opened(first) {
            return Err(format!(
                "all messages of a run go over WebSockets that are opened alike: `{}` and `{}` differ in `websocket`, `headers` or `greeting`",
                first.name, other.name
            ));
        }
    }
    Ok(())
}

const NO_MORE: &str =
    "a message goes where its WebSocket is opened, without `method`, `path`, `status` and `call`";

/// The content of a mapping before its kind of request is known.
struct Draft {
    place: Place,
    name: Option<String>,
    method: Option<String>,
    path: Option<String>,
    headers: Vec<(String, String)>,
    body: Body,
    events: Option<NonZeroU32>,
    status: Option<Check>,
}

impl Draft {
    fn plain(self) -> Result<Step, (Place, String)> {
        let Some(path) = self.path else {
            let text = "a request needs its `path`, for example `path: /ping`";
            return Err((self.place, text.to_owned()));
        };
        let implied = if self.body == Body::None {
            "GET"
        } else {
            "POST"
        };
        let plain = Step::new(self.method.as_deref().unwrap_or(implied), &path);
        Ok(Step {
            name: self.name.unwrap_or(plain.name),
            headers: self.headers,
            body: self.body,
            events: self.events,
            checks: self.status.into_iter().collect(),
            ..plain
        })
    }

    fn call(self, call: Step) -> Result<Step, (Place, String)> {
        let is_more = self.method.is_some() || self.path.is_some() || self.events.is_some();
        if is_more || self.body != Body::None || self.status.is_some() {
            let text = "a `call` is a request by itself, without `method`, `path`, `body`, `template`, `events` and `status`";
            return Err((self.place, text.to_owned()));
        }
        Ok(Step {
            name: self.name.unwrap_or(call.name),
            headers: [call.headers, self.headers].concat(),
            ..call
        })
    }

    fn message(self, opened: Opened) -> Result<Step, (Place, String)> {
        if self.method.is_some() || self.path.is_some() || self.status.is_some() {
            return Err((self.place, NO_MORE.to_owned()));
        }
        let message = opened.message(self.headers, self.body)?;
        Ok(Step {
            name: self.name.unwrap_or(message.name),
            events: self.events,
            ..message
        })
    }
}

/// `GET /ping`, `/ping`, or a mapping; with its weight.
fn read_request(node: Node, folder: &Path, problems: &Problems) -> Option<(Step, f64)> {
    let place = node.place;
    if let Value::Text(line) = &node.value {
        let step = Step::parse(line);
        if step.is_none() {
            problems.add(
                place,
                format!("a request is written as `GET /path` or as a mapping, not `{line}`"),
            );
        }
        return Some((step?, 1.0));
    }
    let mut fields = Fields::of(node, "a request", problems)?;
    let name = fields
        .text("name")
        .map(|(_, name)| tacho_masking::current().text(&name));
    let method = fields.text("method").map(|(place, method)| {
        if !Step::is_method(&method) {
            problems.add(
                place,
                format!("`method` must be a word such as GET or POST, not `{method}`"),
            );
        }
        method
    });
    let path = fields.text("path").map(|(place, path)| {
        if !Step::is_path(&path) {
            problems.add(
                place,
                format!("`path` must begin with `/` and hold no space or `#`, not `{path}`"),
            );
        }
        path
    });
    let status = fields.text("status").and_then(|(place, ranges)| {
        let check = format!("status={ranges}").parse::<Check>();
        check
            .map_err(|error| problems.add(place, format!("`status`: {error}")))
            .ok()
    });
    let headers = fields.pairs("headers");
    let body = read_body(&mut fields, folder);
    let call = calls::read(&mut fields, folder);
    let opened = messages::read(&mut fields, place);
    let events = fields.one_of("events", "a whole number from 1", |text| text.parse().ok());
    let weight = fields.one_of("weight", "a number greater than 0", |text| {
        let weight = text.parse::<f64>().ok();
        weight.filter(|weight| *weight > 0.0 && weight.is_finite())
    });
    fields.finish();
    let draft = Draft {
        place,
        name,
        method,
        path,
        headers,
        body,
        events,
        status,
    };
    let step = match (call, opened) {
        // The problem was already reported.
        (Given::Wrong, _) | (_, Given::Wrong) => return None,
        (Given::Nothing, Given::Nothing) => draft.plain(),
        (Given::Nothing, Given::Made(opened)) => draft.message(opened),
        (Given::Made(call), Given::Nothing) => draft.call(call),
        (Given::Made(_), Given::Made(_)) => Err((place, NO_MORE.to_owned())),
    };
    match step {
        Ok(step) => Some((step, weight.unwrap_or(1.0))),
        Err((place, text)) => {
            problems.add(place, text);
            None
        }
    }
}

/// Reads the body: `template`, which differs each time; or a body that is always the same, `body`
/// inline or `body-file` beside the experiment.
fn read_body(fields: &mut Fields<'_>, folder: &Path) -> Body {
    let template = fields.text("template");
    let inline = fields.text("body").map(|(_, text)| text.into_bytes());
    let file = fields.text("body-file").and_then(|(place, name)| {
        tacho_files::input::read(&folder.join(&name), tacho_files::input::BODY)
            .map_err(|error| {
                fields
                    .problems
                    .add(place, format!("`{name}` cannot be read: {error}"))
            })
            .ok()
    });
    let bytes = inline.or(file).filter(|bytes| !bytes.is_empty());
    match (template, bytes) {
        (Some((place, text)), bytes) => {
            if bytes.is_some() {
                let message = "a request has a `body` or a `template`, not both";
                fields.problems.add(place, message);
            }
            Body::Template(text)
        }
        (None, Some(bytes)) => Body::Bytes(bytes),
        (None, None) => Body::None,
    }
}
