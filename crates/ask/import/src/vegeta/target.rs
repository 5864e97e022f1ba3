//! One target, and what can be wrong with it.

use crate::origin::{Origin, Url, UrlError};
use crate::template::literal_step;
use std::io;
use tacho_workload::rules::{is_header_value, is_method, is_token};
use tacho_workload::{Body, Step};

/// One request of vegeta's.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// Line on which it begins, from 1.
    pub line: u64,
    /// `GET`, `POST`, ...
    pub method: String,
    /// Where it goes; none when its URL is only a path.
    pub origin: Option<Origin>,
    /// Path with query, beginning with `/`.
    pub path: String,
    /// Names and values in the order of the input.
    pub headers: Vec<(String, String)>,
    /// [`Body::None`], [`Body::Bytes`] or [`Body::File`].
    pub body: Body,
    /// Fields of the JSON object that vegeta does not have.
    pub unknown: Vec<String>,
}

impl Target {
    /// A target without headers and body, and the value of `Authorization` that its URL implies.
    pub(super) fn new(
        line: u64,
        method: &str,
        url: &str,
    ) -> Result<(Self, Option<String>), TargetProblem> {
        if !is_method(method) {
            return Err(TargetProblem::Method(method.to_owned()));
        }
        let url = Url::parse(url)?;
        let target = Self {
            line,
            method: method.to_owned(),
            origin: url.origin,
            path: url.target,
            headers: Vec::new(),
            body: Body::None,
            unknown: Vec::new(),
        };
        Ok((target, url.authorization))
    }

    pub(super) fn add_header(&mut self, name: &str, value: &str) -> Result<(), TargetProblem> {
        if !is_token(name) || !is_header_value(value) {
            return Err(TargetProblem::Header(format!("{name}: {value}")));
        }
        self.headers.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// A user name in the URL is used where no header says otherwise.
    pub(super) fn imply_authorization(&mut self, value: Option<String>) {
        let is_given = self
            .headers
            .iter()
            .any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if let Some(value) = value
            && !is_given
        {
            self.headers.push(("Authorization".to_owned(), value));
        }
    }

    /// A field that vegeta does not have, and whose name says that the request is another one
    /// without it: `headers`, `cookie`.
    #[must_use]
    pub fn misnamed(&self) -> Option<&str> {
        let mut unknown = self.unknown.iter();
        unknown
            .find(|field| says_what_is_sent(field))
            .map(String::as_str)
    }

    /// As a step of a workload, counted under its method and path.
    #[must_use]
    pub fn into_step(self) -> Step {
        literal_step(self.method, &self.path, self.headers, self.body)
    }
}

/// Names of fields by which other tools, or a slip, say what is sent; in the plural, too.
const NAMES: [&str; 14] = [
    "method",
    "verb",
    "url",
    "uri",
    "host",
    "path",
    "query",
    "param",
    "parameter",
    "auth",
    "data",
    "payload",
    "form",
    "content",
];
/// The same as parts of longer names.
const PARTS: [&str; 4] = ["header", "body", "cookie", "authorization"];

/// Whether the name of a field says that the request is another one without it. An id, a name or a
/// comment does not.
pub(crate) fn says_what_is_sent(field: &str) -> bool {
    let field = field.to_ascii_lowercase();
    let single = field.strip_suffix('s').unwrap_or(&field);
    NAMES.contains(&single) || PARTS.iter().any(|part| field.contains(part))
}

/// A target that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct TargetError {
    /// Line of the input, counted from 1.
    pub line: u64,
    /// What is wrong.
    pub problem: TargetProblem,
}

/// What is wrong with a target.
#[derive(Debug, thiserror::Error)]
pub enum TargetProblem {
    /// The input itself failed.
    #[error("reading failed: {0}")]
    Io(#[from] io::Error),
    /// Longer than a target may be.
    #[error("this target has more than {limit} bytes; put its body into a file and name it with @")]
    TooLong {
        /// What is read at most.
        limit: usize,
    },
    /// It is no text in UTF-8.
    #[error("this is not UTF-8 text")]
    NotText,
    /// Not `METHOD URL`.
    #[error("`{0}` does not begin a target; write for example `GET http://127.0.0.1:8080/path`")]
    NotATarget(String),
    /// Not a token.
    #[error("`{0}` is no method; write GET, POST or the like")]
    Method(String),
    /// Not a URL that can be called.
    #[error(transparent)]
    Url(#[from] UrlError),
    /// Not `Name: value`.
    #[error("`{0}` is no header; write `Name: value`, without line breaks in it")]
    Header(String),
    /// `@` without a name.
    #[error("`@` must be followed by the name of a file")]
    NoFile,
    /// Not a JSON object with `method` and `url`.
    #[error(
        "this is no target in JSON: {0}; write for example {{\"method\":\"GET\",\"url\":\"http://127.0.0.1:8080/path\"}}"
    )]
    Json(String),
    /// The body is not base64.
    #[error("`body` is not base64: {0}")]
    Base64(String),
}
