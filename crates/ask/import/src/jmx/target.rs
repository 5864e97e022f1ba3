//! Where a sampler sends, and what it asks for there: origin, path and query.

use super::context::Context;
use super::level::Level;
use super::xml::Element;
use crate::error::ImportError;
use crate::origin::{Url, sendable};
use crate::template::Template;

/// A property of the sampler, or of the defaults around it.
pub(super) fn setting<'a>(sampler: &'a Element, level: &Level<'a>, name: &str) -> Option<&'a str> {
    sampler.filled(name).or_else(|| level.default_of(name))
}

/// Path and query as a template; where it goes is added to the origins.
pub(super) fn target(
    sampler: &Element,
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<String, ImportError> {
    let path = setting(sampler, level, "HTTPSampler.path").unwrap_or("/");
    let lower = path.get(..8).unwrap_or(path).to_ascii_lowercase();
    let path = if lower.starts_with("http://") || lower.starts_with("https://") {
        // A path that is a whole URL overrides host and port.
        let start = path.find("://").map_or(0, |at| at + 3);
        let end = path[start..]
            .find(['/', '?'])
            .map_or(path.len(), |at| start + at);
        let origin = context.text(&path[..end])?;
        add_origin(origin, context)?;
        &path[end..]
    } else {
        let origin = origin(sampler, level, context)?;
        add_origin(origin, context)?;
        path
    };
    let template = context
        .template(path)?
        .map_text(|text| sendable(text.split('#').next().unwrap_or_default()));
    Ok(with_slash(&template, context))
}

/// JMeter puts a slash before a path that has none.
fn with_slash(template: &Template, context: &mut Context<'_>) -> String {
    let path = template.finish_raw();
    if path.starts_with('/') {
        return path;
    }
    if path.starts_with("{{raw ") {
        context.note("the path begins with a value of the run, which must begin with `/` itself");
        return path;
    }
    format!("/{path}")
}

/// `http://host:port`, or an empty text when the plan names no host.
fn origin(
    sampler: &Element,
    level: &Level<'_>,
    context: &mut Context<'_>,
) -> Result<Option<String>, ImportError> {
    let Some(domain) = setting(sampler, level, "HTTPSampler.domain") else {
        return Ok(Some(String::new()));
    };
    let protocol = setting(sampler, level, "HTTPSampler.protocol").unwrap_or("http");
    let port = setting(sampler, level, "HTTPSampler.port").unwrap_or_default();
    let protocol = context.text(protocol)?;
    let domain = context.text(domain)?;
    let port = context.text(port)?;
    Ok(match (protocol, domain, port) {
        (Some(protocol), Some(domain), Some(port)) => {
            let is_bare_address =
                domain.contains(':') && !domain.starts_with('[') && !domain.contains("${");
            let domain = if is_bare_address {
                format!("[{domain}]")
            } else {
                domain
            };
            let port = if port == "0" { String::new() } else { port };
            let scheme = if protocol.is_empty() {
                "http".to_owned()
            } else {
                protocol
            };
            Some(format!("{scheme}://{domain}:{port}"))
        }
        _ => None,
    })
}

fn add_origin(origin: Option<String>, context: &mut Context<'_>) -> Result<(), ImportError> {
    match origin.as_deref() {
        Some("") => {}
        Some(text) if text.contains("${") => context.note(
            "where it goes is not known before the run; give the URL on the command line",
        ),
        Some(text) => {
            let url = Url::parse(text).map_err(|problem| ImportError::Url {
                place: context.place.to_string(),
                problem,
            })?;
            context.origins.add(url.origin);
        }
        None => context.note(
            "host, port or protocol come from data of the run, but a run has one origin; give the URL on the command line",
        ),
    }
    Ok(())
}
