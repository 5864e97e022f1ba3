//! HTTP samplers, as steps.

use super::arguments::{self, Argument};
use super::context::Context;
use super::element::Node;
use super::level::Level;
use super::target::{setting, target};
use super::timer::Unit;
use super::xml::Element;
use crate::error::ImportError;
use crate::file;
use crate::form::{self, Part};
use crate::note::shorten;
use crate::origin::append_query;
use std::time::Duration;
use tacho_workload::rules::{is_method, is_token};
use tacho_workload::{Body, Step};

/// More headers than any server accepts.
const MOST_HEADERS: usize = 1_000;

/// Reads an HTTP sampler. `None` when it cannot be sent; a note says why.
pub(super) fn read(
    node: &Node<'_>,
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<Option<Step>, ImportError> {
    let sampler = node.element;
    let method = setting(sampler, level, "HTTPSampler.method").unwrap_or("GET");
    let Some(method) = context.text(method)?.filter(|method| is_method(method)) else {
        context.note(format!(
            "`{}` is no method that can be sent; left out",
            shorten(method, 40)
        ));
        return Ok(None);
    };
    let mut path = target(sampler, level, context)?;
    let mut headers = headers(level, context)?;
    let arguments = arguments::read(sampler, level, context)?;
    let files = files(sampler, context)?;
    let (body, content_type) = if sends_body(sampler, &method) || !files.is_empty() {
        body(sampler, &arguments, files, &headers, context)?
    } else {
        append_query(&mut path, &arguments::fields(&arguments));
        (Body::None, None)
    };
    let has_type = headers
        .iter()
        .any(|(name, _)| name.eq_ignore_ascii_case("content-type"));
    if let Some(content_type) = content_type.filter(|_| !has_type) {
        headers.push(("Content-Type".to_owned(), content_type));
    }
    if sampler.filled("HTTPSampler.use_keepalive") == Some("false") {
        headers.push(("Connection".to_owned(), "close".to_owned()));
    }
    note_what_is_not_done(sampler, level, context);
    read_timeouts(sampler, level, context)?;
    let follows = ["HTTPSampler.follow_redirects", "HTTPSampler.auto_redirects"]
        .iter()
        .any(|name| sampler.is_true(name));
    *(if follows {
        &mut context.following
    } else {
        &mut context.not_following
    }) += 1;
    Ok(Some(Step {
        name: shorten(node.name(), 200),
        method,
        path,
        headers,
        body,
        events: None,
        websocket: None,
        checks: level.checks(context),
        captures: Vec::new(),
        think: None,
    }))
}

fn headers(
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<Vec<(String, String)>, ImportError> {
    let mut headers = Vec::new();
    let given = level.headers();
    if given.len() > MOST_HEADERS {
        return Err(context.too_much("1,000 headers in one request"));
    }
    for (name, value) in given {
        let name = context.template(name)?.finish();
        let value = context.template(value)?.finish();
        let length = name.len() + value.len() + 64;
        context.allowance.take_bytes(length, &context.place)?;
        let is_sendable = is_token(&name) && tacho_workload::rules::is_header_value(&value);
        if is_sendable {
            headers.push((name, value));
        } else {
            context.note(format!(
                "the header `{}` cannot be sent; left out",
                shorten(&name, 60)
            ));
        }
    }
    Ok(headers)
}

/// Where the arguments go: as JMeter does, into the body unless the method usually has none.
fn sends_body(sampler: &Element, method: &str) -> bool {
    sampler.is_true("HTTPSampler.postBodyRaw")
        || !matches!(method, "GET" | "HEAD" | "DELETE" | "OPTIONS" | "TRACE")
}

fn body(
    sampler: &Element,
    arguments: &[Argument],
    mut files: Vec<(Part, bool)>,
    headers: &[(String, String)],
    context: &mut Context<'_>,
) -> Result<(Body, Option<String>), ImportError> {
    // One file without the name of a field is the body.
    if let [(_, true)] = files.as_slice()
        && arguments.is_empty()
        && let Some((part, _)) = files.pop()
    {
        let content_type = part.content_type.filter(|text| !text.is_empty());
        return Ok((Body::Bytes(part.content), content_type));
    }
    if !files.is_empty() || sampler.is_true("HTTPSampler.DO_MULTIPART_POST") {
        let parts: Vec<Part> = files.into_iter().map(|(part, _)| part).collect();
        return match arguments::multipart(arguments, parts) {
            Some((content_type, body)) => Ok((body, Some(content_type))),
            None => {
                context.note(
                    "a form with a binary file cannot hold values of the run; it is sent without a body",
                );
                Ok((Body::None, None))
            }
        };
    }
    if sampler.is_true("HTTPSampler.postBodyRaw") {
        let is_json = headers.iter().any(|(name, value)| {
            name.eq_ignore_ascii_case("content-type") && value.to_ascii_lowercase().contains("json")
        });
        return Ok((arguments::raw_body(arguments, is_json), None));
    }
    let fields = arguments::fields(arguments);
    if fields.is_empty() {
        return Ok((Body::None, None));
    }
    let content_type = Some(form::URLENCODED.to_owned());
    if fields.contains("{{") {
        return Ok((Body::Template(fields), content_type));
    }
    Ok((Body::Bytes(fields.into_bytes()), content_type))
}

/// Files to be sent; whether each lacks the name of a field.
fn files(sampler: &Element, context: &mut Context<'_>) -> Result<Vec<(Part, bool)>, ImportError> {
    let listed = sampler
        .inner("HTTPsampler.Files")
        .map_or(&[][..], |files| files.collection("HTTPFileArgs.files"));
    let mut files = Vec::new();
    for element in listed {
        let path = context.text(element.filled("File.path").unwrap_or_default())?;
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            context.note("a file whose name is known only in the run is not sent");
            continue;
        };
        let name = element.filled("File.paramname").unwrap_or_default();
        let content = file::read(context.base_dir, &path, &context.place)?;
        context
            .allowance
            .take_bytes(content.len(), &context.place)?;
        let short = std::path::Path::new(&path).file_name();
        files.push((
            Part {
                name: name.to_owned(),
                file_name: short.map(|short| short.to_string_lossy().into_owned()),
                content_type: element.filled("File.mimetype").map(str::to_owned),
                content,
            },
            name.is_empty(),
        ));
    }
    Ok(files)
}

fn note_what_is_not_done(sampler: &Element, level: &Level<'_>, context: &mut Context<'_>) {
    let is_on = |name| setting(sampler, level, name) == Some("true");
    if is_on("HTTPSampler.image_parser") {
        context.note("the images and scripts in the page are not fetched");
    }
    if setting(sampler, level, "HTTPSampler.proxyHost").is_some() {
        context.note("no proxy is used: a load test through a proxy measures the proxy");
    }
    if setting(sampler, level, "HTTPSampler.ipSource").is_some() {
        context.note("the address that requests come from is not chosen");
    }
}

fn read_timeouts(
    sampler: &Element,
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<(), ImportError> {
    for name in [
        "HTTPSampler.connect_timeout",
        "HTTPSampler.response_timeout",
    ] {
        let mut timeout = Unit::Milliseconds.of(sampler, name, context)?;
        if timeout.is_zero()
            && let Some(text) = level.default_of(name)
        {
            let number = context.number(text)?.unwrap_or_default();
            timeout = Duration::try_from_secs_f64(number / 1000.0).unwrap_or_default();
        }
        let known = if name == "HTTPSampler.connect_timeout" {
            &mut context.timeouts.connect
        } else {
            &mut context.timeouts.answer
        };
        if known.differs_with(timeout) {
            context.note(
                "timeouts differ between requests; the longest is taken for all, and where one has none, that of the load",
            );
        }
    }
    Ok(())
}
