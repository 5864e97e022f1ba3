//! The request mix.

use super::calls::{self, Call};
use std::path::Path;
use tacho_fields::{Fields, Problems, items};
use tacho_fields::{Node, Value};
use tacho_workload::{Body, Scenario, Script, Step, WorkloadError};

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
            // Said already, where they stand.
            Ok(_) | Err(WorkloadError::Method { .. } | WorkloadError::Path { .. }) => {}
            Err(error) => problems.add(place, error.to_string()),
        }
        Some(Scenario {
            weight,
            ..Scenario::of(step)
        })
    };
    let requests: Vec<Scenario> = items.into_iter().filter_map(checked).collect();
    calls::check(place, &requests, problems);
    requests
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
    let headers = fields.pairs("headers");
    let body = read_body(&mut fields, folder);
    let call = calls::read(&mut fields, folder);
    let events = fields.one_of("events", "a whole number from 1", |text| text.parse().ok());
    let weight = fields.one_of("weight", "a number greater than 0", |text| {
        let weight = text.parse::<f64>().ok();
        weight.filter(|weight| *weight > 0.0 && weight.is_finite())
    });
    fields.finish();
    let weight = weight.unwrap_or(1.0);
    match call {
        Call::None => {}
        Call::Wrong => return None,
        Call::Made(call) => {
            let is_more = method.is_some() || path.is_some() || events.is_some();
            if is_more || body != Body::None {
                let text = "a `call` is a request by itself, without `method`, `path`, `body`, `template` and `events`";
                problems.add(place, text);
                return None;
            }
            let call = *call;
            let step = Step {
                name: name.unwrap_or(call.name),
                headers: [call.headers, headers].concat(),
                ..call
            };
            return Some((step, weight));
        }
    }
    let Some(path) = path else {
        problems.add(
            place,
            "a request needs its `path`, for example `path: /ping`",
        );
        return None;
    };
    let implied = if body == Body::None { "GET" } else { "POST" };
    let plain = Step::new(method.as_deref().unwrap_or(implied), &path);
    let step = Step {
        name: name.unwrap_or(plain.name),
        headers,
        body,
        events,
        ..plain
    };
    Some((step, weight))
}

/// `template`, which differs each time, or what is always the same: `body` inline, or `body-file`
/// beside the experiment.
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
