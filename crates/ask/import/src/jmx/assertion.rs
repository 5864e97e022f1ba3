//! Response assertions, as checks.

use super::codes::Codes;
use super::context::Context;
use super::element::Node;
use crate::note::shorten;
use regex::Regex;
use tacho_workload::{Check, JsonPath};

/// What an assertion asks for.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expectation {
    /// The status is one of these.
    Codes(Codes),
    /// A status of 400 or more is not by itself a failure.
    IgnoreStatus,
    Check(Check),
}

/// How the patterns of a response assertion are meant: the bits of `Assertion.test_type`.
#[derive(Debug, Clone, Copy)]
struct Mode {
    bits: u32,
}

impl Mode {
    fn is_whole(self) -> bool {
        self.bits & 1 != 0
    }
    fn is_contained(self) -> bool {
        self.bits & 2 != 0
    }
    fn is_negated(self) -> bool {
        self.bits & 4 != 0
    }
    fn is_equal(self) -> bool {
        self.bits & 8 != 0
    }
    fn is_any(self) -> bool {
        self.bits & 32 != 0
    }

    /// The pattern as a regular expression.
    fn expression(self, pattern: &str) -> String {
        if self.is_whole() {
            format!(r"\A(?:{pattern})\z")
        } else if self.is_contained() {
            pattern.to_owned()
        } else if self.is_equal() {
            format!(r"\A{}\z", regex::escape(pattern))
        } else {
            regex::escape(pattern)
        }
    }

    fn is_plain_text(self) -> bool {
        !self.is_whole() && !self.is_contained() && !self.is_equal()
    }
}

/// Reads a `ResponseAssertion` whose patterns are `patterns`, with their variables replaced.
pub(super) fn response(
    node: &Node<'_>,
    patterns: &[String],
    context: &mut Context<'_>,
) -> Vec<Expectation> {
    let element = node.element;
    let bits = element.filled("Assertion.test_type");
    let mode = Mode {
        bits: bits.and_then(|bits| bits.parse().ok()).unwrap_or(16),
    };
    let field = element.filled("Assertion.test_field").unwrap_or_default();
    let mut found = Vec::new();
    if element.is_true("Assertion.assume_success") {
        found.push(Expectation::IgnoreStatus);
    }
    if patterns.is_empty() {
        return found;
    }
    let read = match field {
        "Assertion.response_code" => {
            codes(mode, patterns).map(|codes| vec![Expectation::Codes(codes)])
        }
        "Assertion.response_data" | "" => body(mode, patterns).map(to_expectations),
        "Assertion.response_headers" => headers(mode, patterns).map(to_expectations),
        other => Err(format!(
            "the field `{}` of an answer is not checked",
            shorten(other, 60)
        )),
    };
    match read {
        Ok(read) => found.extend(read),
        Err(why) => context.note(format!("this assertion is left out: {why}")),
    }
    found
}

fn to_expectations(checks: Vec<Check>) -> Vec<Expectation> {
    checks.into_iter().map(Expectation::Check).collect()
}

fn compile(mode: Mode, patterns: &[String]) -> Result<Vec<Regex>, String> {
    patterns
        .iter()
        .map(|pattern| {
            Regex::new(&mode.expression(pattern)).map_err(|_| {
                format!(
                    "`{}` is no regular expression without look-around and back-references",
                    shorten(pattern, 80)
                )
            })
        })
        .collect()
}

fn codes(mode: Mode, patterns: &[String]) -> Result<Codes, String> {
    let expressions = compile(mode, patterns)?;
    let codes = Codes::that(|code| {
        let mut hits = expressions
            .iter()
            .map(|expression| expression.is_match(code) != mode.is_negated());
        if mode.is_any() {
            hits.any(|hit| hit)
        } else {
            hits.all(|hit| hit)
        }
    });
    if codes.is_empty() {
        return Err("no status from 100 to 599 would pass it".to_owned());
    }
    Ok(codes)
}

fn body(mode: Mode, patterns: &[String]) -> Result<Vec<Check>, String> {
    let expressions = compile(mode, patterns)?;
    if mode.is_negated() {
        // One of several texts is missing: no check says this.
        if !mode.is_plain_text() || (mode.is_any() && patterns.len() > 1) {
            return Err("that a pattern is missing can be checked only for plain text".to_owned());
        }
        return Ok(patterns.iter().cloned().map(Check::BodyLacks).collect());
    }
    if mode.is_any() && patterns.len() > 1 {
        let any: Vec<String> = expressions
            .iter()
            .map(|expression| format!("(?:{})", expression.as_str()))
            .collect();
        return Ok(vec![Check::BodyMatches(any.join("|"))]);
    }
    if mode.is_plain_text() {
        return Ok(patterns.iter().cloned().map(Check::BodyContains).collect());
    }
    Ok(expressions
        .iter()
        .map(|expression| Check::BodyMatches(expression.as_str().to_owned()))
        .collect())
}

/// `Name: value`, as JMeter shows the headers.
fn headers(mode: Mode, patterns: &[String]) -> Result<Vec<Check>, String> {
    let several = mode.is_any() && patterns.len() > 1;
    if mode.is_negated() || mode.is_whole() || mode.is_equal() || several {
        return Err("a header is checked only for a text that it contains".to_owned());
    }
    patterns
        .iter()
        .map(|pattern| {
            let (name, value) = pattern.split_once(':').unwrap_or((pattern, ""));
            let name = name.trim().trim_start_matches('^');
            if tacho_workload::rules::is_token(name) && regex::escape(value) == value {
                Ok(Check::Header(name.to_owned(), value.trim().to_owned()))
            } else {
                Err("a header is checked only as `Name: part of its value`".to_owned())
            }
        })
        .collect()
}

/// Reads a `JSONPathAssertion`.
pub(super) fn json_path(
    node: &Node<'_>,
    path: &str,
    value: &str,
    context: &mut Context<'_>,
) -> Option<Expectation> {
    let element = node.element;
    if element.is_true("INVERT") || element.is_true("EXPECT_NULL") {
        context
            .note("this assertion is left out: that something is null or missing is not checked");
        return None;
    }
    if let Err(error) = JsonPath::parse(path) {
        context.note(format!("this assertion is left out: {error}"));
        return None;
    }
    let has_value = element.is_true("JSONVALIDATION");
    // JMeter takes the value for a regular expression unless told otherwise; a plain one means
    // itself.
    let is_expression = element
        .property("ISREGEX")
        .is_none_or(|text| text.trim() == "true");
    if has_value && is_expression && regex::escape(value) != value {
        context.note(
            "that the value matches a regular expression is not checked, only that there is one",
        );
        return Some(Expectation::Check(Check::JsonPath(path.to_owned(), None)));
    }
    let value = has_value.then(|| value.to_owned());
    Some(Expectation::Check(Check::JsonPath(path.to_owned(), value)))
}
