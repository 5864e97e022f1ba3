//! Extractors (JMeter's post-processors), as captures.

use super::element::{Node, Place};
use super::variables::template_name;
use crate::note::{Notes, shorten};
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
pub(super) fn json(node: &Node<'_>, place: &Place<'_>, notes: &mut Notes) -> Vec<Extracted> {
    let element = node.element;
    let list = |name: &str| -> Vec<&str> {
        let text = element.filled(name).unwrap_or_default();
        text.split(';').map(str::trim).collect()
    };
    let numbers = list("JSONPostProcessor.match_numbers");
    note_default(node, "JSONPostProcessor.defaultValues", place, notes);
    let mut found = Vec::new();
    let paths = list("JSONPostProcessor.jsonPathExprs");
    for (n, name) in list("JSONPostProcessor.referenceNames").iter().enumerate() {
        let Some(path) = paths.get(n).filter(|_| !name.is_empty()) else {
            notes.add(place, "an extractor without a name or a path is left out");
            continue;
        };
        note_number(
            numbers.get(n).copied().unwrap_or_default(),
            name,
            place,
            notes,
        );
        match JsonPath::parse(path) {
            Ok(_) => found.push(extracted(name, Source::JsonPath((*path).to_owned()))),
            Err(error) => notes.add(place, format!("the extractor is left out: {error}")),
        }
    }
    found
}

/// Reads a `RegexExtractor`.
pub(super) fn regex(node: &Node<'_>, place: &Place<'_>, notes: &mut Notes) -> Option<Extracted> {
    let element = node.element;
    let name = element.filled("RegexExtractor.refname")?;
    let pattern = element.property("RegexExtractor.regex")?;
    note_default(node, "RegexExtractor.default", place, notes);
    note_number(
        element
            .filled("RegexExtractor.match_number")
            .unwrap_or_default(),
        name,
        place,
        notes,
    );
    let field = element
        .filled("RegexExtractor.useHeaders")
        .unwrap_or("false");
    let source = match field {
        "false" => whole_or_first_group(
            pattern,
            element.filled("RegexExtractor.template").unwrap_or("$1$"),
        ),
        "true" => header_of(pattern).ok_or("a header is captured only as `Name: (.+)`"),
        _ => Err("only the body and the headers of an answer are captured from"),
    };
    match source {
        Ok(source) => Some(extracted(name, source)),
        Err(why) => {
            notes.add(
                place,
                format!(
                    "the extractor of `{}` is left out: {why}",
                    shorten(name, 60)
                ),
            );
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
pub(super) fn boundary(node: &Node<'_>, place: &Place<'_>, notes: &mut Notes) -> Option<Extracted> {
    let element = node.element;
    let name = element.filled("BoundaryExtractor.refname")?;
    let side = |name| regex::escape(element.property(name).unwrap_or_default());
    note_default(node, "BoundaryExtractor.default", place, notes);
    note_number(
        element
            .filled("BoundaryExtractor.match_number")
            .unwrap_or_default(),
        name,
        place,
        notes,
    );
    if element
        .filled("BoundaryExtractor.useHeaders")
        .is_some_and(|field| field != "false")
    {
        notes.add(
            place,
            format!(
                "the extractor of `{}` is left out: it looks only into bodies",
                shorten(name, 60)
            ),
        );
        return None;
    }
    let pattern = format!(
        "(?s){}(.*?){}",
        side("BoundaryExtractor.lboundary"),
        side("BoundaryExtractor.rboundary")
    );
    Some(extracted(name, Source::Regex(pattern)))
}

/// 1 is the first match, 0 a random one, -1 all of them.
fn note_number(number: &str, name: &str, place: &Place<'_>, notes: &mut Notes) {
    if !matches!(number, "" | "1") {
        notes.add(
            place,
            format!(
                "`{}` captures the first match, not the one with number {}",
                shorten(name, 60),
                shorten(number, 20)
            ),
        );
    }
}

fn note_default(node: &Node<'_>, property: &str, place: &Place<'_>, notes: &mut Notes) {
    if let Some(default) = node.element.filled(property) {
        notes.add(
            place,
            format!(
                "the default `{}` is not used: a request that needs a value which was not found fails",
                shorten(default, 60)
            ),
        );
    }
}
