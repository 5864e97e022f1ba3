//! The request mix.

use super::fields::{Fields, Problems};
use super::node::{Node, Value};
use crate::model::RequestSpec;
use std::path::Path;

pub(super) fn read(node: Node, folder: &Path, problems: &Problems) -> Vec<RequestSpec> {
    let place = node.place;
    let Value::List(items) = node.value else {
        problems.add(
            place,
            "`requests` must be a list, for example `- path: /ping`",
        );
        return Vec::new();
    };
    if items.is_empty() {
        problems.add(
            place,
            "`requests` is empty; leave it out and Tacho finds a path that answers",
        );
    }
    items
        .into_iter()
        .filter_map(|item| read_request(item, folder, problems))
        .collect()
}

/// `GET /ping`, `/ping`, or a mapping.
fn read_request(node: Node, folder: &Path, problems: &Problems) -> Option<RequestSpec> {
    let place = node.place;
    if let Value::Text(line) = &node.value {
        let request = RequestSpec::parse(line);
        if request.is_none() {
            problems.add(
                place,
                format!("a request is written as `GET /path` or as a mapping, not `{line}`"),
            );
        }
        return request;
    }
    let mut fields = Fields::of(node, "a request", problems)?;
    let name = fields
        .text("name")
        .map(|(_, name)| tacho_masking::current().text(&name));
    let method = fields.text("method").map(|(place, method)| {
        if !RequestSpec::is_method(&method) {
            problems.add(
                place,
                format!("`method` must be a word such as GET or POST, not `{method}`"),
            );
        }
        method
    });
    let path = fields.text("path").map(|(place, path)| {
        if !RequestSpec::is_path(&path) {
            problems.add(
                place,
                format!("`path` must begin with `/` and hold no space, not `{path}`"),
            );
        }
        path
    });
    let headers = fields.pairs("headers");
    let template = fields.text("template");
    let body = read_body(&mut fields, folder);
    if let (Some((place, _)), false) = (&template, body.is_empty()) {
        problems.add(*place, "a request has a `body` or a `template`, not both");
    }
    let template = template.map(|(_, text)| text);
    let weight = fields
        .text("weight")
        .and_then(|(place, text)| match text.parse::<f64>() {
            Ok(weight) if weight > 0.0 && weight.is_finite() => Some(weight),
            _ => {
                problems.add(
                    place,
                    format!("`weight` must be a number greater than 0, not `{text}`"),
                );
                None
            }
        });
    fields.finish();
    let Some(path) = path else {
        problems.add(
            place,
            "a request needs its `path`, for example `path: /ping`",
        );
        return None;
    };
    let method = method.unwrap_or_else(|| {
        let has_body = template.is_some() || !body.is_empty();
        if has_body { "POST" } else { "GET" }.to_owned()
    });
    Some(RequestSpec {
        name: name.unwrap_or_else(|| crate::model::named(&method, &path)),
        method,
        path,
        headers,
        body,
        template,
        weight: weight.unwrap_or(1.0),
    })
}

/// `body` inline, or `body-file` beside the experiment.
fn read_body(fields: &mut Fields<'_>, folder: &Path) -> Vec<u8> {
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
    inline.or(file).unwrap_or_default()
}
