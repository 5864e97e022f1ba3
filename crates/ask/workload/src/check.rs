//! What an answer must be, and the short text that says what it was instead.

use crate::answer::{Answer, Keep, MAX_BODY_KEPT};
use crate::json_path::{JsonPath, JsonPathError, Meant, equals, text_of};
use crate::rules::{excerpt, is_token};
use crate::spec;
use memchr::memmem::Finder;
use regex::bytes::Regex;
use serde_json::Value;
use std::cell::OnceCell;
use std::fmt::Write as _;
use std::str::FromStr;

/// Characters of an answer that a text shows.
const SHOWN: usize = 80;

/// A check that is not valid.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// No range, or one outside of 100 to 599, or upside down.
    #[error("a check of the status needs ranges within 100 to 599, the lower bound first")]
    Status,
    /// Not a token.
    #[error("`{0}` is no header name")]
    Header(String),
    /// Every text contains it.
    #[error("every body contains an empty text; say which text is meant, or leave the check out")]
    EmptyText,
    /// Not a regular expression.
    #[error("the regular expression is not understood: {0}")]
    Regex(#[from] regex::Error),
    /// Not a JSON path.
    #[error(transparent)]
    JsonPath(#[from] JsonPathError),
}

/// An expectation that is not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WrongCheck(String);

impl FromStr for spec::Check {
    type Err = WrongCheck;

    /// `status=200-299,404`, `header=Name: part`, `body~TEXT`, `body!~TEXT`, `body=~REGEX`,
    /// `json=$.path==value`.
    fn from_str(text: &str) -> Result<Self, WrongCheck> {
        if let Some(ranges) = text.strip_prefix("status=") {
            return statuses(ranges).map(Self::Status).map_err(WrongCheck);
        }
        if let Some(header) = text.strip_prefix("header=") {
            let (name, value) = header.split_once(':').unwrap_or((header, ""));
            return Ok(Self::Header(
                name.trim().to_owned(),
                value.trim().to_owned(),
            ));
        }
        if let Some(pattern) = text.strip_prefix("body=~") {
            return Ok(Self::BodyMatches(pattern.to_owned()));
        }
        if let Some(part) = text.strip_prefix("body!~") {
            return Ok(Self::BodyLacks(part.to_owned()));
        }
        if let Some(part) = text.strip_prefix("body~") {
            return Ok(Self::BodyContains(part.to_owned()));
        }
        if let Some(path) = text.strip_prefix("json=") {
            let (path, value) = match path.split_once("==") {
                Some((path, value)) => (path, Some(value.trim().to_owned())),
                None => (path, None),
            };
            return Ok(Self::JsonPath(path.trim().to_owned(), value));
        }
        Err(WrongCheck(
            "expected status=200, status=200-299,404, header=Name: part, body~TEXT, body!~TEXT, body=~REGEX, json=$.path or json=$.path==value"
                .to_owned(),
        ))
    }
}

fn statuses(text: &str) -> Result<Vec<(u16, u16)>, String> {
    let one = |text: &str| match text.trim().parse::<u16>() {
        Ok(status) if (200..600).contains(&status) => Ok(status),
        _ => Err(format!(
            "`{text}` is no status; give one from 200 to 599, or a range such as 200-299"
        )),
    };
    text.split(',')
        .map(|part| match part.split_once('-') {
            Some((from, to)) => Ok((one(from)?, one(to)?)),
            None => one(part).map(|status| (status, status)),
        })
        .collect()
}

/// A check that can be made.
#[derive(Debug, Clone)]
pub(crate) enum Check {
    Status(Box<[(u16, u16)]>),
    Header { name: String, part: Finder<'static> },
    Contains(Finder<'static>),
    Lacks(Finder<'static>),
    Matches(Regex),
    JsonPath(JsonPath, Option<Meant>),
}

impl Check {
    pub(crate) fn new(spec: &spec::Check) -> Result<Self, CheckError> {
        let finder = |text: &str| match text {
            "" => Err(CheckError::EmptyText),
            text => Ok(Finder::new(text).into_owned()),
        };
        Ok(match spec {
            spec::Check::Status(ranges) => Self::Status(status_ranges(ranges)?),
            spec::Check::Header(name, _) if !is_token(name) => {
                return Err(CheckError::Header(name.clone()));
            }
            spec::Check::Header(name, part) => Self::Header {
                name: name.clone(),
                part: Finder::new(part).into_owned(),
            },
            spec::Check::BodyContains(text) => Self::Contains(finder(text)?),
            spec::Check::BodyLacks(text) => Self::Lacks(finder(text)?),
            spec::Check::BodyMatches(pattern) => Self::Matches(Regex::new(pattern)?),
            spec::Check::JsonPath(path, value) => {
                Self::JsonPath(JsonPath::parse(path)?, value.as_deref().map(Meant::new))
            }
        })
    }

    pub(crate) fn is_of_status(&self) -> bool {
        matches!(self, Self::Status(_))
    }

    pub(crate) fn needs(&self) -> Keep {
        match self {
            Self::Status(_) => Keep::Nothing,
            Self::Header { .. } => Keep::Head,
            _ => Keep::HeadAndBody,
        }
    }

    /// What was expected and what was seen, when the two differ.
    pub(crate) fn failure(&self, seen: &Seen<'_>) -> Option<String> {
        match self {
            Self::Status(ranges) => {
                let status = seen.answer.status;
                let is_in = |&(low, high): &(u16, u16)| (low..=high).contains(&status);
                (!ranges.iter().any(is_in))
                    .then(|| format!("expected a status of {}, got {status}", listed(ranges)))
            }
            Self::Header { name, part } => header_failure(name, part, &seen.answer),
            Self::Contains(text) => (text.find(seen.answer.body).is_none())
                .then(|| format!("expected the body to contain `{}`, got {}", shown(text.needle()), seen.body())),
            Self::Lacks(text) => match text.find(seen.answer.body) {
                Some(at) => Some(format!(
                    "expected the body to lack `{}`, found it after {at} bytes",
                    shown(text.needle())
                )),
                None => (!seen.answer.is_whole).then(|| format!(
                    "expected the body to lack `{}`, but it is longer than the {} KiB that are looked at",
                    shown(text.needle()),
                    MAX_BODY_KEPT / 1024
                )),
            },
            Self::Matches(pattern) => (!pattern.is_match(seen.answer.body))
                .then(|| format!("expected the body to match `{pattern}`, got {}", seen.body())),
            Self::JsonPath(path, meant) => json_failure(path, meant.as_ref(), seen),
        }
    }
}

/// An answer while it is looked at; its body is parsed once at most.
pub(crate) struct Seen<'a> {
    pub answer: Answer<'a>,
    json: OnceCell<Result<Value, String>>,
}

impl<'a> Seen<'a> {
    pub(crate) fn new(answer: Answer<'a>) -> Self {
        Self {
            answer,
            json: OnceCell::new(),
        }
    }

    /// The body as JSON, or what it is instead.
    pub(crate) fn json(&self) -> Result<&Value, &str> {
        self.json
            .get_or_init(|| {
                serde_json::from_slice(self.answer.body)
                    .map_err(|error| format!("no JSON ({error}): {}", self.body()))
            })
            .as_ref()
            .map_err(String::as_str)
    }

    /// The body, shortened, with what explains it.
    pub(crate) fn body(&self) -> String {
        let body = self.answer.body;
        let mut text = match body.len() {
            0 => "an empty body".to_owned(),
            length => format!("`{}` ({length} bytes)", shown(body)),
        };
        if !self.answer.is_whole {
            _ = write!(text, ", the part of a longer body that is looked at");
        }
        let coding = self.answer.values("content-encoding").next();
        if let Some(coding) = coding.filter(|coding| !coding.eq_ignore_ascii_case(b"identity")) {
            _ = write!(
                text,
                ", encoded as {}; leave out `Accept-Encoding` to have it plain",
                shown(coding)
            );
        }
        text
    }
}

fn status_ranges(ranges: &[(u16, u16)]) -> Result<Box<[(u16, u16)]>, CheckError> {
    let is_range =
        |&(low, high): &(u16, u16)| (100..=599).contains(&low) && (low..=599).contains(&high);
    if ranges.is_empty() || !ranges.iter().all(is_range) {
        return Err(CheckError::Status);
    }
    Ok(ranges.into())
}

fn listed(ranges: &[(u16, u16)]) -> String {
    let range = |&(low, high): &(u16, u16)| match low == high {
        true => low.to_string(),
        false => format!("{low}-{high}"),
    };
    ranges.iter().map(range).collect::<Vec<_>>().join(" or ")
}

fn header_failure(name: &str, part: &Finder<'_>, answer: &Answer<'_>) -> Option<String> {
    if answer.values(name).any(|value| part.find(value).is_some()) {
        return None;
    }
    let expected = match part.needle() {
        [] => format!("expected a header `{name}`"),
        part => format!("expected a header `{name}` with `{}`", shown(part)),
    };
    Some(match answer.values(name).next() {
        Some(value) => format!("{expected}, got `{}`", shown(value)),
        None => format!("{expected}, got none"),
    })
}

fn json_failure(path: &JsonPath, meant: Option<&Meant>, seen: &Seen<'_>) -> Option<String> {
    let expected = match meant {
        Some(meant) => format!(
            "expected {} to be `{}`",
            path.as_str(),
            shown(meant.text.as_bytes())
        ),
        None => format!("expected {} to be there", path.as_str()),
    };
    let found = match seen.json() {
        Ok(json) => path.select(json),
        Err(instead) => return Some(format!("{expected}, got {instead}")),
    };
    let holds = match meant {
        Some(meant) => found.iter().any(|value| equals(value, meant)),
        None => !found.is_empty(),
    };
    (!holds).then(|| match found.first() {
        Some(value) => format!("{expected}, got `{}`", shown(text_of(value).as_bytes())),
        None => format!("{expected}, got nothing there in {}", seen.body()),
    })
}

pub(crate) fn shown(bytes: &[u8]) -> String {
    excerpt(bytes, SHOWN)
}

#[cfg(test)]
mod tests;
