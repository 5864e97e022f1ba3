//! Secrets in a YAML document. Its layout stays.

use crate::text::{self, Found};
use crate::{MASK, Masking, Names, command};
use saphyr_parser::{Event, Parser, ScalarStyle, Span};
use std::borrow::Cow;

/// The names that the key `mask` of an experiment adds.
pub(crate) fn added_names(document: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut is_mask = false;
    let mut is_key = true;
    for event in events(document) {
        match event.0 {
            Event::Scalar(text, ..) if depth == 1 => {
                if is_key {
                    is_mask = text == "mask";
                } else if is_mask {
                    names.push(text.into_owned());
                }
                is_key = !is_key;
            }
            Event::Scalar(text, ..) if is_mask && depth == 2 => names.push(text.into_owned()),
            Event::MappingStart(..) | Event::SequenceStart(..) => depth += 1,
            Event::MappingEnd | Event::SequenceEnd => {
                depth -= 1;
                if depth == 1 {
                    is_key = true;
                }
            }
            _ => {}
        }
    }
    names
}

/// The events up to the first place that is no YAML.
fn events(document: &str) -> impl Iterator<Item = (Event<'_>, Span)> {
    Parser::new_from_str(document).map_while(Result::ok)
}

/// What a scalar is inside of.
enum Around {
    Mapping {
        key: Option<String>,
        is_secret: bool,
        pair: Pair,
    },
    Sequence {
        before: command::Line,
        is_secret: bool,
    },
}

/// A mapping of a name and its value: an entry of `env` of a Kubernetes manifest, or a header.
#[derive(Debug, Clone, Default)]
struct Pair {
    name: String,
    /// Whether the mapping has a `name` or `value` key. If not, its `key` may be the name of an
    /// item within another object: `secretKeyRef: {name: shop, key: password}`.
    is_named: bool,
}

/// One pair for each mapping, in the order in which the mappings begin. They are collected first,
/// because the name may stand after the value.
fn pairs(document: &str) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    // For each mapping: its number, and the key whose value comes next.
    let mut around: Vec<Option<(usize, Option<String>)>> = Vec::new();
    for (event, _) in events(document) {
        match event {
            Event::MappingStart(..) => {
                around.push(Some((pairs.len(), None)));
                pairs.push(Pair::default());
            }
            Event::SequenceStart(..) => around.push(None),
            Event::Scalar(text, ..) => {
                let Some(Some((number, key))) = around.last_mut() else {
                    continue;
                };
                let Some(pair) = pairs.get_mut(*number) else {
                    continue;
                };
                match key.take() {
                    None => {
                        pair.is_named |= matches!(&*text, "name" | "value");
                        *key = Some(text.into_owned());
                    }
                    Some(key) if key == "name" || key == "key" && pair.name.is_empty() => {
                        pair.name = text.into_owned();
                    }
                    Some(_) => {}
                }
            }
            Event::MappingEnd | Event::SequenceEnd => {
                around.pop();
                if let Some(Some((_, key))) = around.last_mut() {
                    *key = None;
                }
            }
            Event::Alias(_) => {
                if let Some(Some((_, key))) = around.last_mut() {
                    *key = None;
                }
            }
            _ => {}
        }
    }
    pairs
}

pub(crate) fn masked(masking: &Masking, document: &str, found: &mut Found<'_>) -> String {
    let places: Vec<usize> = document
        .char_indices()
        .map(|(at, _)| at)
        .chain([document.len()])
        .collect();
    let at = |index: usize| places.get(index).copied().unwrap_or(document.len());
    let mut masked = String::with_capacity(document.len());
    let mut copied = 0;
    let mut around: Vec<Around> = Vec::new();
    let mut pairs = pairs(document).into_iter();
    let mut ended_well = false;
    for (event, span) in events(document) {
        match event {
            Event::Scalar(text, style, ..) => {
                let (start, end) = (at(span.start.index()), at(span.end.index()));
                if start < copied || end < start {
                    continue;
                }
                masked += &comments(masking, &document[copied..start], found);
                let written = &document[start..end];
                masked += &scalar(masking, &mut around, &text, style, written, found);
                copied = end;
            }
            Event::MappingStart(..) => {
                let is_secret = is_secret_here(masking, &around);
                around.push(Around::Mapping {
                    key: None,
                    is_secret,
                    pair: pairs.next().unwrap_or_default(),
                });
            }
            Event::SequenceStart(..) => {
                let is_secret = is_secret_here(masking, &around);
                around.push(Around::Sequence {
                    before: command::Line::default(),
                    is_secret,
                });
            }
            Event::MappingEnd | Event::SequenceEnd => {
                around.pop();
                value_ended(&mut around);
            }
            Event::Alias(_) => value_ended(&mut around),
            Event::StreamEnd => ended_well = true,
            _ => {}
        }
    }
    let rest = &document[copied..];
    masked += &if ended_well {
        comments(masking, rest, found)
    } else {
        // From here on it is no YAML: each line is masked as text.
        lines(rest, |line| text::masked(masking, line, found))
    };
    masked
}

/// Whether all of a mapping or a list that begins here is secret.
fn is_secret_here(masking: &Masking, around: &[Around]) -> bool {
    let names = masking.names();
    match around.last() {
        None => false,
        Some(Around::Sequence { is_secret, .. }) => *is_secret,
        Some(Around::Mapping {
            key,
            is_secret,
            pair,
        }) => {
            *is_secret
                || key.as_ref().is_some_and(|key| match key.as_str() {
                    "key" if pair.is_named => false,
                    "value" => names.covers(&pair.name),
                    key => names.covers(key),
                })
        }
    }
}

/// Whether a value that stands here is secret.
fn is_secret_value(masking: &Masking, around: &[Around], text: &str) -> bool {
    let names = masking.names();
    match around.last() {
        Some(Around::Mapping {
            key: Some(key),
            is_secret,
            pair,
        }) => match key.as_str() {
            _ if *is_secret => !Names::is_about(key),
            "key" if pair.is_named => false,
            "value" => names.hides(&pair.name, text),
            key => names.hides(key, text),
        },
        _ => is_secret_here(masking, around),
    }
}

fn value_ended(around: &mut [Around]) {
    match around.last_mut() {
        Some(Around::Mapping { key, .. }) => *key = None,
        Some(Around::Sequence { before, .. }) => *before = command::Line::default(),
        None => {}
    }
}

/// The text with which a scalar is replaced.
fn scalar<'d>(
    masking: &Masking,
    around: &mut [Around],
    text: &str,
    style: ScalarStyle,
    written: &'d str,
    found: &mut Found<'_>,
) -> Cow<'d, str> {
    let is_secret = is_secret_value(masking, around, text);
    let masked = match around.last_mut() {
        Some(Around::Mapping { key, .. }) if key.is_none() => {
            *key = Some(text.to_owned());
            return Cow::Borrowed(written);
        }
        Some(Around::Mapping { key, .. }) => {
            *key = None;
            let alone = &mut command::Line::default();
            one(masking, alone, text, is_secret, found)
        }
        Some(Around::Sequence { before, .. }) => one(masking, before, text, is_secret, found),
        None => {
            let alone = &mut command::Line::default();
            one(masking, alone, text, is_secret, found)
        }
    };
    if masked == text {
        return Cow::Borrowed(written);
    }
    if matches!(style, ScalarStyle::Literal | ScalarStyle::Folded) {
        // To a block belong its lines, and the white space before what comes next.
        let block = if masked == MASK {
            let content = written.trim_end();
            MASK.to_owned() + &written[content.len()..]
        } else {
            text::masked(masking, written, found)
        };
        return Cow::Owned(block);
    }
    Cow::Owned(if masked.contains(['\n', '\r', '\t']) {
        // A JSON string is also a YAML string.
        serde_json::to_string(&masked).unwrap_or_else(|_| format!("'{MASK}'"))
    } else {
        format!("'{}'", masked.replace('\'', "''"))
    })
}

fn one(
    masking: &Masking,
    before: &mut command::Line,
    text: &str,
    is_secret: bool,
    found: &mut Found<'_>,
) -> String {
    if is_secret && !matches!(text, "" | "~" | "null") {
        if text != MASK {
            found(text);
        }
        return MASK.to_owned();
    }
    before.word(masking, text, found)
}

/// Masks what stands between scalars: comments, and punctuation, which holds nothing.
fn comments(masking: &Masking, between: &str, found: &mut Found<'_>) -> String {
    if !between.contains('#') {
        return between.to_owned();
    }
    lines(between, |line| match line.find('#') {
        Some(at) => {
            let (before, comment) = line.split_at(at);
            before.to_owned() + &text::masked(masking, comment, found)
        }
        None => line.to_owned(),
    })
}

fn lines(text: &str, mut each: impl FnMut(&str) -> String) -> String {
    text.split_inclusive('\n')
        .map(|line| match line.strip_suffix('\n') {
            Some(bare) => each(bare) + "\n",
            None => each(line),
        })
        .collect()
}
