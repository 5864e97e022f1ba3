//! The description, as the experiment file, the command line and the readers give it.
//!
//! Texts marked *template* may hold placeholders in double braces: `{{counter}}`, `{{uuid}}`,
//! `{{random 1 100}}`, `{{now}}`, `{{feed-name.column}}`, `{{captured-name}}`. Two opening braces
//! that are meant as they stand are written `{{"{{"}}`.

use crate::protobuf::Piece;
use crate::rules;
use crate::template::Template;
use serde::{Deserialize, Serialize};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// All that is sent in a phase.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Workload {
    /// Which of them comes next is a weighted choice.
    pub scenarios: Vec<Scenario>,
    /// Data that templates refer to by name.
    pub feeds: Vec<Feed>,
    /// Keep the cookies that the subject sets, per virtual user.
    pub cookies: bool,
    /// The most redirects to follow for one request; 0: none.
    pub redirects: u32,
}

impl Workload {
    /// One request, over and over.
    #[must_use]
    pub fn of(step: Step) -> Self {
        Self {
            scenarios: vec![Scenario::of(step)],
            ..Self::default()
        }
    }

    /// All requests of all scenarios.
    pub fn steps_mut(&mut self) -> impl Iterator<Item = &mut Step> {
        self.scenarios
            .iter_mut()
            .flat_map(|scenario| &mut scenario.steps)
    }

    /// All steps of all scenarios.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.scenarios.iter().flat_map(|scenario| &scenario.steps)
    }

    /// Masks the secrets of the requests from now on in all that is written. The names of requests
    /// appear in every file.
    pub fn mask(&mut self) {
        tacho_masking::teach(|masking| {
            for step in self.steps_mut() {
                let headers = step.headers.iter();
                masking.learn_pairs(headers.map(|(name, value)| (name.as_str(), value.as_str())));
                masking.learn_text(&step.path);
            }
        });
        let masking = tacho_masking::current();
        for scenario in &mut self.scenarios {
            scenario.name = masking.text(&scenario.name);
            for step in &mut scenario.steps {
                step.name = masking.text(&step.name);
            }
        }
    }
}

/// Steps that one virtual user takes one after another. A single request is a scenario of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scenario {
    /// Name in reports and errors.
    pub name: String,
    /// Relative frequency, above 0.
    pub weight: f64,
    /// At least one.
    pub steps: Vec<Step>,
}

impl Scenario {
    /// A single request, called as it is.
    #[must_use]
    pub fn of(step: Step) -> Self {
        Self {
            name: step.name.clone(),
            weight: 1.0,
            steps: vec![step],
        }
    }
}

/// One request and what is expected of its answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Step {
    /// For people; the kind under which it is counted.
    pub name: String,
    /// `GET`, `POST`, ...
    pub method: String,
    /// Template: path with query, beginning with `/`.
    pub path: String,
    /// Names, and templates of values, in order.
    pub headers: Vec<(String, String)>,
    /// Nothing unless said.
    pub body: Body,
    /// A successful answer is over after this many server-sent events; without a number, after its
    /// last byte.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events: Option<NonZeroU32>,
    /// Sent as a message over a WebSocket, which is opened at the step's path with its headers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub websocket: Option<WebSocket>,
    /// What the answer must be; a status below 400 where nothing is said of the status.
    pub checks: Vec<Check>,
    /// What later steps want from the answer.
    pub captures: Vec<Capture>,
    /// Wait before the next step (or, after the last step of a closed loop, the next scenario).
    pub think: Option<Think>,
}

impl Step {
    /// A step that is named by its method and path. The name appears in every file, so a secret in
    /// the path is masked in it.
    #[must_use]
    pub fn new(method: &str, path: &str) -> Self {
        Self {
            name: tacho_masking::current().text(&format!("{method} {path}")),
            method: method.to_owned(),
            path: path.to_owned(),
            ..Self::default()
        }
    }

    /// `GET` of a path.
    #[must_use]
    pub fn get(path: &str) -> Self {
        Self::new("GET", path)
    }

    /// Reads `GET /ping` or `/ping`.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let (method, path) = match line.split_once(char::is_whitespace) {
            Some((method, path)) if !line.starts_with('/') => (method, path.trim_start()),
            _ => ("GET", line),
        };
        (Self::is_method(method) && Self::is_path(path)).then(|| Self::new(method, path))
    }

    /// A call of gRPC, which goes over HTTP/2 ("gRPC over HTTP/2", Content-Type).
    #[must_use]
    pub fn is_grpc(&self) -> bool {
        let is_content = |name: &str| name.eq_ignore_ascii_case("content-type");
        let mut headers = self.headers.iter();
        headers.any(|(name, value)| {
            let after = value.strip_prefix("application/grpc");
            is_content(name) && after.is_some_and(|after| !after.starts_with('-'))
        })
    }

    /// Can be sent, and is in capitals, as all methods that are known are: `get` is a slip.
    #[must_use]
    pub fn is_method(text: &str) -> bool {
        rules::is_method(text) && !text.contains(|c: char| c.is_ascii_lowercase())
    }

    /// Begins with `/`, and nothing in it would end it. Its placeholders are looked at when it is
    /// compiled.
    #[must_use]
    pub fn is_path(text: &str) -> bool {
        Template::parse(text).map_or(true, |template| template.is_path())
    }
}

/// What has to be known of a WebSocket beside the message itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebSocket {
    /// How many messages the subject sends after the opening, before the client sends one.
    pub greeting: u32,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// The request has no body.
    #[default]
    None,
    /// Bytes, sent as they are.
    Bytes(Vec<u8>),
    /// Text with placeholders.
    Template(String),
    /// Contents of a file, read before the clock starts and sent as they are.
    File(PathBuf),
    /// Contents of a file with placeholders.
    TemplateFile(PathBuf),
    /// Messages of protobuf with placeholders.
    Messages(Vec<Piece>),
}

/// A wait of a virtual user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Think {
    /// Always the same.
    Constant(Duration),
    /// Evenly distributed between the two.
    Uniform(Duration, Duration),
    /// Exponentially distributed with this mean, as independent users would.
    Exponential(Duration),
}

/// What an answer must be. A check that fails makes the request a failed one, of the kind
/// `check`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Check {
    /// One of these ranges of status, bounds included. Replaces the usual rule (below 400).
    Status(Vec<(u16, u16)>),
    /// A header is there, with a value that contains this (empty: any value).
    Header(String, String),
    /// The body contains this text.
    BodyContains(String),
    /// The body does not contain this text.
    BodyLacks(String),
    /// The body matches this regular expression.
    BodyMatches(String),
    /// The JSON path (RFC 9535) selects something; when a value is given, something equal to it.
    JsonPath(String, Option<String>),
}

/// A value that is taken from an answer for later steps of the same virtual user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    /// Templates name it `{{name}}`.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
}

/// Where a captured value comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// First thing that the JSON path (RFC 9535) selects; strings without their quotes.
    JsonPath(String),
    /// A header's value.
    Header(String),
    /// A cookie's value.
    Cookie(String),
    /// The first group of a regular expression over the body (the whole match without groups).
    Regex(String),
}

/// Rows of data for templates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feed {
    /// Templates name its columns `{{name.column}}`.
    pub name: String,
    /// Where the rows are.
    pub path: PathBuf,
    /// How they are written.
    pub format: FeedFormat,
    /// Which row comes next.
    pub order: FeedOrder,
}

/// A feed of an unknown kind.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path} is neither .csv nor .jsonl; rename it so that its name says how it is written")]
pub struct WrongFeed {
    path: PathBuf,
}

impl Feed {
    /// Rows that are written as the file's name says.
    ///
    /// # Errors
    /// When it does not say so.
    pub fn of_file(name: &str, path: &Path, order: FeedOrder) -> Result<Self, WrongFeed> {
        let csv = |delimiter| FeedFormat::Csv {
            delimiter,
            columns: None,
        };
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => csv(b','),
            Some("tsv") => csv(b'\t'),
            Some("jsonl" | "ndjson") => FeedFormat::JsonLines,
            _ => {
                return Err(WrongFeed {
                    path: path.to_owned(),
                });
            }
        };
        Ok(Self {
            name: name.to_owned(),
            path: std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
            format,
            order,
        })
    }
}

/// How the rows of a feed are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FeedFormat {
    /// RFC 4180. Column names from the first line unless given.
    Csv {
        /// `,` unless said.
        delimiter: u8,
        /// When the file has no line of names.
        columns: Option<Vec<String>>,
    },
    /// A JSON object a line.
    JsonLines,
}

/// Which row comes next. Each scenario takes one row when it begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FeedOrder {
    /// One after another, from the front again after the last; streamed, in constant memory.
    Cycle,
    /// One after another; the phase ends after the last.
    Once,
    /// Any, by the seed; the file is indexed before the clock starts.
    Random,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feed_is_read_as_its_name_says() {
        let format = |path: &str| {
            let feed = Feed::of_file("users", Path::new(path), FeedOrder::Once);
            feed.map(|feed| feed.format)
                .map_err(|error| error.to_string())
        };
        let tabs = FeedFormat::Csv {
            delimiter: b'\t',
            columns: None,
        };
        assert_eq!(format("users.tsv"), Ok(tabs));
        assert_eq!(format("users.ndjson"), Ok(FeedFormat::JsonLines));
        let refused = format("users.xls").unwrap_err();
        assert!(refused.contains("users.xls is neither"), "{refused}");
    }

    #[test]
    fn a_line_is_a_method_and_a_path_with_what_its_placeholders_hold() {
        let read = |line: &str| Step::parse(line).map(|step| [step.method, step.path, step.name]);
        for (line, method, path) in [
            ("/ping", "GET", "/ping"),
            ("  PUT \t /a?b=c ", "PUT", "/a?b=c"),
            ("GET /users/{{random 1 9}}", "GET", "/users/{{random 1 9}}"),
            ("/{{now s}}/x", "GET", "/{{now s}}/x"),
        ] {
            let name = format!("{method} {path}");
            assert_eq!(read(line), Some([method.into(), path.into(), name]));
        }
        let wrong = [
            "",
            "ping",
            "GET",
            "get /ping",
            "GET ping",
            "GET /a b",
            "/a b",
            "/a#b",
            "CONNECT /",
            "GET {{counter}}",
            "GET /{{counter}} b",
        ];
        for line in wrong {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn a_secret_in_a_path_is_not_in_what_the_request_is_called() {
        let path = "/orders?api_key=s3cr3t-of-this-test";
        let mut workload = Workload::of(Step {
            name: format!("GET {path}"),
            path: path.to_owned(),
            ..Step::default()
        });
        workload.mask();
        let scenario = &workload.scenarios[0];
        for name in [&scenario.name, &scenario.steps[0].name] {
            assert!(
                name.starts_with("GET /orders?api_key=") && !name.contains("s3cr3t"),
                "{name}"
            );
        }
        assert_eq!(scenario.steps[0].path, path);
    }
}
