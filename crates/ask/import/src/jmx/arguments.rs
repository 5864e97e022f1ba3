//! The arguments of a sampler: a query, the fields of a form, or a body as it is.

use super::context::Context;
use super::level::Level;
use super::xml::Element;
use crate::error::ImportError;
use crate::form::{self, Part};
use crate::origin::sendable;
use crate::template::{Template, literal};
use std::collections::HashSet;
use tacho_workload::Body;

/// One argument with its variables replaced.
#[derive(Debug)]
pub(super) struct Argument {
    name: Template,
    value: Template,
    /// The value is still to be percent-encoded.
    is_encoded: bool,
    /// `name=value`, not only `name`.
    has_equals: bool,
}

/// The arguments of the sampler, and those defaults that it does not set itself.
pub(super) fn read(
    sampler: &Element,
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<Argument>, ImportError> {
    let own = sampler
        .inner("HTTPsampler.Arguments")
        .map_or(&[][..], |arguments| {
            arguments.collection("Arguments.arguments")
        });
    let is_raw = sampler.is_true("HTTPSampler.postBodyRaw");
    let own_names: HashSet<_> = own.iter().map(name_of).collect();
    let inherited = level
        .default_arguments()
        .filter(|_| !is_raw)
        .filter(|element| !own_names.contains(name_of(element)));
    let mut arguments = Vec::new();
    for element in own.iter().chain(inherited) {
        let equals = element.filled("HTTPArgument.use_equals");
        arguments.push(Argument {
            name: context.template(element.property("Argument.name").unwrap_or_default())?,
            value: context.template(element.property("Argument.value").unwrap_or_default())?,
            is_encoded: element.is_true("HTTPArgument.always_encode"),
            has_equals: equals.is_none_or(|equals| equals == "true"),
        });
    }
    Ok(arguments)
}

fn name_of(argument: &Element) -> &str {
    argument.filled("Argument.name").unwrap_or_default()
}

/// `a=b&c=d`, as a template of a query or of a form.
pub(super) fn fields(arguments: &[Argument]) -> String {
    let fields: Vec<String> = arguments
        .iter()
        .map(|argument| {
            let name = encoded(&argument.name, argument.is_encoded);
            let value = encoded(&argument.value, argument.is_encoded);
            if argument.has_equals || !argument.value.is_empty() {
                format!("{name}={value}")
            } else {
                name
            }
        })
        .collect();
    fields.join("&")
}

/// What is not to be encoded goes out as it is, but for what would break the line.
fn encoded(template: &Template, is_encoded: bool) -> String {
    if is_encoded {
        template
            .map_text(|text| form::encode(text.as_bytes()))
            .finish()
    } else {
        template
            .map_text(|text| sendable(text).replace('#', "%23"))
            .finish_raw()
    }
}

/// The values one after another, as they are.
pub(super) fn raw_body(arguments: &[Argument], is_json: bool) -> Body {
    let mut all = Template::default();
    for argument in arguments {
        all.append(&argument.value);
    }
    match all.as_text() {
        Some("") => Body::None,
        Some(text) => Body::Bytes(text.as_bytes().to_vec()),
        // In JSON a value is escaped within a string; everything else is JMeter's way.
        None if is_json => Body::Template(all.finish()),
        None => Body::Template(all.finish_raw()),
    }
}

/// The fields of a form with files: its content type and body. `None` when a template would have to
/// hold bytes that are no text.
pub(super) fn multipart(arguments: &[Argument], files: Vec<Part>) -> Option<(String, Body)> {
    let is_template = arguments
        .iter()
        .any(|argument| argument.name.has_placeholders() || argument.value.has_placeholders());
    let text = |template: &Template| match template.as_text() {
        Some(text) if !is_template => text.to_owned(),
        _ => template.finish_raw(),
    };
    let mut parts: Vec<Part> = arguments
        .iter()
        .map(|argument| Part {
            name: text(&argument.name),
            file_name: None,
            content_type: None,
            content: text(&argument.value).into_bytes(),
        })
        .collect();
    for file in files {
        parts.push(if is_template { quoted(file)? } else { file });
    }
    let (content_type, body) = form::multipart(&parts);
    let body = if is_template {
        Body::Template(String::from_utf8(body).ok()?)
    } else {
        Body::Bytes(body)
    };
    Some((content_type, body))
}

/// As a piece of a template that yields it as it is.
fn quoted(part: Part) -> Option<Part> {
    Some(Part {
        name: literal(&part.name),
        file_name: part.file_name.as_deref().map(literal),
        content_type: part.content_type.as_deref().map(literal),
        content: literal(std::str::from_utf8(&part.content).ok()?).into_bytes(),
    })
}
