//! Extractors (JMeter's post-processors), as captures.

use super::context::Context;
use super::element::Node;
use super::variables::template_name;
use crate::note::shorten;
use regex::Regex;
use tacho_workload::{Capture, JsonPath, Source};

/// A capture, and the variable that JMeter keeps it in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Extracted {
    pub variable: String,
    pub capture: Capture,
}

fn extracted(variable: &str, source: Source) -> Extracted {
    Extracted {
        variable: variable.to_owned(),
        capture: Capture {
            name: template_name(variable),
            source,
        },
    }
}

/// Reads a `JSONPostProcessor`: lists of names, paths and numbers, separated by semicolons.
pub(super) fn json(node: &Node<'_>, context: &mut Context<'_>) -> Vec<Extracted> {
    let element = node.element;
    let list = |name: &str| -> Vec<&str> {
        let text = element.filled(name).unwrap_or_default();
        text.split(';').map(str::trim).collect()
    };
    let numbers = list("JSONPostProcessor.match_numbers");
    note_default(element.filled("JSONPostProcessor.defaultValues"), context);
    let mut found = Vec::new();
    let paths = list("JSONPostProcessor.jsonPathExprs");
    for (n, name) in list("JSONPostProcessor.referenceNames").iter().enumerate() {
        let Some(path) = paths.get(n).filter(|_| !name.is_empty()) else {
            context.note("an extractor without a name or a path is left out");
            continue;
        };
        note_number(numbers.get(n).copied().unwrap_or_default(), name, context);
        match JsonPath::parse(path) {
            Ok(_) => found.push(extracted(name, Source::JsonPath((*path).to_owned()))),
            Err(error) => context.note(format!("the extractor is left out: {error}")),
        }
    }
    found
}

/// Reads a `RegexExtractor`.
pub(super) fn regex(node: &Node<'_>, context: &mut Context<'_>) -> Option<Extracted> {
    let element = node.element;
    let pattern = element.property("RegexExtractor.regex")?;
    let template = element.filled("RegexExtractor.template").unwrap_or("$1$");
    one(node, "RegexExtractor", context, |field| match field {
        "false" => whole_or_first_group(pattern, template),
        "true" => header_of(pattern).ok_or("a header is captured only as `Name: (.+)`"),
        _ => Err("only the body and the headers of an answer are captured from"),
    })
}

/// The value that an extractor of this class takes from the field `false` (the body), `true` (the
/// headers) or another one of an answer.
fn one(
    node: &Node<'_>,
    class: &str,
    context: &mut Context<'_>,
    source_in: impl FnOnce(&str) -> Result<Source, &'static str>,
) -> Option<Extracted> {
    let property = |name: &str| node.element.filled(&format!("{class}.{name}"));
    let name = property("refname")?;
    note_default(property("default"), context);
    note_number(property("match_number").unwrap_or_default(), name, context);
    match source_in(property("useHeaders").unwrap_or("false")) {
        Ok(source) => Some(extracted(name, source)),
        Err(why) => {
            context.note(format!(
                "the extractor of `{}` is left out: {why}",
                shorten(name, 60)
            ));
            None
        }
    }
}

/// `$1$` is the first group, `$0$` everything that matched.
fn whole_or_first_group(pattern: &str, template: &str) -> Result<Source, &'static str> {
    let compiled = Regex::new(pattern)
        .map_err(|_| "regular expressions have no look-around and no back-references here")?;
    let groups = compiled.captures_len() - 1;
    match template.trim() {
        "$1$" if groups > 0 => Ok(Source::Regex(pattern.to_owned())),
        "$0$" if groups == 0 => Ok(Source::Regex(pattern.to_owned())),
        "$0$" => Ok(Source::Regex(format!("({pattern})"))),
        _ => Err("only the first group or the whole match is captured"),
    }
}

/// The header that a pattern such as `Location: (.+)` takes the value of.
fn header_of(pattern: &str) -> Option<Source> {
    let (name, group) = pattern.split_once(':')?;
    let name = name.trim_start_matches('^');
    let group = group
        .trim_start_matches("\\s*")
        .trim_start_matches("\\s+")
        .trim()
        .trim_end_matches('$')
        .trim_end_matches("\\s*");
    let takes_all = matches!(
        group,
        "(.+)" | "(.*)" | "(.+?)" | "(.*?)" | "(\\S+)" | "([^\\r\\n]+)"
    );
    (takes_all && tacho_workload::rules::is_token(name)).then(|| Source::Header(name.to_owned()))
}

/// Reads a `BoundaryExtractor`: what stands between two texts.
pub(super) fn boundary(node: &Node<'_>, context: &mut Context<'_>) -> Option<Extracted> {
    let side = |name| regex::escape(node.element.property(name).unwrap_or_default());
    let left = side("BoundaryExtractor.lboundary");
    let right = side("BoundaryExtractor.rboundary");
    one(node, "BoundaryExtractor", context, |field| match field {
        "false" => Ok(Source::Regex(format!("(?s){left}(.*?){right}"))),
        _ => Err("it looks only into bodies"),
    })
}

/// 1 is the first match, 0 a random one, -1 all of them.
fn note_number(number: &str, name: &str, context: &mut Context<'_>) {
    if !matches!(number, "" | "1") {
        context.note(format!(
            "`{}` captures the first match, not the one with number {}",
            shorten(name, 60),
            shorten(number, 20)
        ));
    }
}

fn note_default(default: Option<&str>, context: &mut Context<'_>) {
    if let Some(default) = default {
        context.note(format!(
            "the default `{}` is not used: a request that needs a value which was not found fails",
            shorten(default, 60)
        ));
    }
}
