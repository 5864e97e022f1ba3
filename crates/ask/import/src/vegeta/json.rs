//! The JSON format, a target a line:
//! `{"method":"POST","url":"http://127.0.0.1:8080/things","header":{"X-A":["b"]},"body":"eyJ9"}`.

use super::lines::{Line, Lines};
use super::target::{Target, TargetError, TargetProblem};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::collections::BTreeMap;
use std::io::BufRead;
use tacho_workload::Body;

#[derive(Debug, Deserialize)]
struct Object {
    method: String,
    url: String,
    /// As Go writes bytes.
    #[serde(default)]
    body: Option<String>,
    #[serde(default)]
    header: Option<BTreeMap<String, Vec<String>>>,
    #[serde(flatten)]
    unknown: BTreeMap<String, IgnoredAny>,
}

pub(super) fn next<R: BufRead>(lines: &mut Lines<R>) -> Option<Result<Target, TargetError>> {
    loop {
        let read = lines.next();
        let line = lines.number();
        let parsed = match read {
            Ok(None) => return None,
            Ok(Some(text)) if text.text.trim().is_empty() => continue,
            Ok(Some(text)) => parse(&text),
            Err(problem) => Err(problem),
        };
        return Some(parsed.map_err(|problem| TargetError { line, problem }));
    }
}

fn parse(line: &Line) -> Result<Target, TargetProblem> {
    let object: Object =
        serde_json::from_str(&line.text).map_err(|error| TargetProblem::Json(error.to_string()))?;
    let (mut target, authorization) = Target::new(line.number, &object.method, &object.url)?;
    for (name, values) in object.header.unwrap_or_default() {
        for value in values {
            target.add_header(&name, &value)?;
        }
    }
    target.imply_authorization(authorization);
    target.body = body(&object.body.unwrap_or_default())?;
    target.unknown = object.unknown.into_keys().collect();
    Ok(target)
}

fn body(base64: &str) -> Result<Body, TargetProblem> {
    if base64.is_empty() {
        return Ok(Body::None);
    }
    STANDARD
        .decode(base64)
        .map(Body::Bytes)
        .map_err(|error| TargetProblem::Base64(error.to_string()))
}
