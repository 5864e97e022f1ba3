//! One operation, as one request.

use super::body;
use super::document::Document;
use super::parameter::{self, Location, Parameter, Read};
use super::server::Base;
use crate::note::{Notes, shorten};
use crate::origin::{append_query, sendable};
use crate::template::literal_step;
use serde_json::Value;
use std::collections::BTreeSet;
use tacho_workload::rules::{is_header_value, is_token};
use tacho_workload::{Body, Step};

/// How many parameters a note names.
const MOST_NAMED: usize = 20;

/// An operation and where it stands.
pub(super) struct Operation<'a> {
    pub document: &'a Document,
    /// In capitals: `GET`, ...
    pub method: &'a str,
    /// As the document has it: `/pets/{petId}`.
    pub path: &'a str,
    pub item: &'a Value,
    pub operation: &'a Value,
    pub base: &'a Base,
}

impl Operation<'_> {
    pub fn place(&self) -> String {
        format!("{} {}", self.method, shorten(self.path, 120))
    }

    /// The name that the document gives it.
    pub fn name(&self) -> String {
        let id = self.operation.get("operationId").and_then(Value::as_str);
        id.map_or_else(|| self.place(), |id| shorten(id, 120))
    }

    pub fn step(&self, notes: &mut Notes) -> Step {
        let parameters = self.parameters(notes);
        let mut headers = headers(&parameters);
        if let Some(accepted) = self.accepted() {
            headers.push(("Accept".to_owned(), accepted));
        }
        let mut step_body = Body::None;
        if let Some(read) = self.body(notes) {
            if read.body != Body::None {
                headers.push(("Content-Type".to_owned(), read.content_type));
            }
            step_body = read.body;
        }
        headers.retain(|(name, value)| {
            let is_sendable = is_token(name) && is_header_value(value);
            if !is_sendable {
                let name = shorten(name, 60);
                let text = format!("the header `{name}` cannot be sent; left out");
                notes.add(self.place(), text);
            }
            is_sendable
        });
        let target = self.target(&parameters, notes);
        Step {
            name: self.place(),
            ..literal_step(self.method.to_owned(), &target, headers, step_body)
        }
    }

    /// How many parameters are described, whether sent or not.
    pub fn parameter_count(&self) -> usize {
        [self.operation, self.item]
            .iter()
            .filter_map(|holder| holder.get("parameters")?.as_array())
            .map(Vec::len)
            .sum()
    }

    /// Those of the operation, and those of its path that it does not have itself.
    fn parameters(&self, notes: &mut Notes) -> Vec<Parameter> {
        let described = [self.operation, self.item]
            .into_iter()
            .filter_map(|holder| holder.get("parameters")?.as_array())
            .flatten();
        let mut known: BTreeSet<(Location, String)> = BTreeSet::new();
        let mut found = Vec::new();
        let mut left_out = Vec::new();
        for description in described {
            let description = match self.document.resolve(description) {
                Ok(description) => description,
                Err(error) => {
                    notes.add(self.place(), format!("a parameter is left out: {error}"));
                    continue;
                }
            };
            match parameter::read(self.document, description) {
                Read::Used(parameter) => {
                    let key = (parameter.location, parameter.name.clone());
                    if known.insert(key) {
                        self.note_value(&parameter, notes);
                        found.push(parameter);
                    }
                }
                Read::LeftOut(name) if left_out.len() < MOST_NAMED => {
                    left_out.push(shorten(&name, 40));
                }
                Read::LeftOut(_) => {}
                Read::Unknown(what) => {
                    notes.add(self.place(), format!("{} is left out", shorten(&what, 120)));
                }
            }
        }
        if !left_out.is_empty() {
            let names = left_out.join(", ");
            let text = format!("optional parameters without an example are left out: {names}");
            notes.add(self.place(), text);
        }
        found
    }

    fn note_value(&self, parameter: &Parameter, notes: &mut Notes) {
        let name = shorten(&parameter.name, 60);
        if parameter.value.is_made_up {
            let value = shorten(&parameter::plain(&parameter.value.value), 60);
            let text = format!("the value of `{name}` is made up from its schema: `{value}`");
            notes.add(self.place(), text);
        }
        for gap in &parameter.value.gaps {
            notes.add(self.place(), format!("`{name}`: {gap}"));
        }
    }

    fn target(&self, parameters: &[Parameter], notes: &mut Notes) -> String {
        let mut target = format!("{}{}", self.base.path, self.filled_path(parameters, notes));
        let in_query = parameters.iter().filter(|p| p.location == Location::Query);
        for query in in_query.map(Parameter::query) {
            append_query(&mut target, &query);
        }
        if target.starts_with('/') {
            target
        } else {
            format!("/{target}")
        }
    }

    /// `/pets/{petId}` with the values in place of the names.
    fn filled_path(&self, parameters: &[Parameter], notes: &mut Notes) -> String {
        let mut filled = String::new();
        let mut rest = self.path;
        while let Some((before, after)) = rest.split_once('{') {
            let Some((name, after)) = after.split_once('}') else {
                break;
            };
            filled.push_str(&as_path(before));
            let value = parameters
                .iter()
                .find(|p| p.location == Location::Path && p.name == name);
            match value {
                Some(parameter) => filled.push_str(&parameter.path_segment()),
                None => {
                    let name = shorten(name, 60);
                    let text = format!("`{name}` in the path is not described; it is sent as 1");
                    notes.add(self.place(), text);
                    filled.push('1');
                }
            }
            rest = after;
        }
        filled.push_str(&as_path(rest));
        filled
    }

    fn body(&self, notes: &mut Notes) -> Option<body::ReadBody> {
        let described = self.operation.get("requestBody")?;
        let described = match self.document.resolve(described) {
            Ok(described) => described,
            Err(error) => {
                notes.add(self.place(), format!("there is no body: {error}"));
                return None;
            }
        };
        let read = body::read(self.document, described)?;
        if read.sample.is_made_up {
            notes.add(
                self.place(),
                "the body is made up from its schema, since no example gives all of it",
            );
        }
        for gap in &read.sample.gaps {
            notes.add(self.place(), format!("body: {gap}"));
        }
        Some(read)
    }

    /// The type of the first good answer, so that a service with several sends that.
    fn accepted(&self) -> Option<String> {
        let responses = self.operation.get("responses")?.as_object()?;
        let good = responses.iter().find(|(code, _)| code.starts_with('2'));
        let (_, response) =
            good.or_else(|| responses.iter().find(|(code, _)| *code == "default"))?;
        let response = self.document.resolve(response).ok()?;
        let kinds = response.get("content")?.as_object()?;
        let json = kinds.keys().find(|kind| kind.contains("json"));
        json.or_else(|| kinds.keys().next()).cloned()
    }
}

fn as_path(text: &str) -> String {
    sendable(text).replace('#', "%23").replace('?', "%3F")
}

/// Headers and cookies among the parameters. Of some headers the document must say elsewhere
/// what they are (OpenAPI 3.1, 4.8.12).
fn headers(parameters: &[Parameter]) -> Vec<(String, String)> {
    let is_elsewhere = |name: &str| {
        ["accept", "content-type", "authorization"].contains(&name.to_ascii_lowercase().as_str())
    };
    let mut headers: Vec<(String, String)> = parameters
        .iter()
        .filter(|p| p.location == Location::Header && !is_elsewhere(&p.name))
        .map(|p| (p.name.clone(), p.header()))
        .collect();
    let cookies: Vec<String> = parameters
        .iter()
        .filter(|p| p.location == Location::Cookie)
        .map(|p| format!("{}={}", p.name, p.header()))
        .collect();
    if !cookies.is_empty() {
        headers.push(("Cookie".to_owned(), cookies.join("; ")));
    }
    headers
}
