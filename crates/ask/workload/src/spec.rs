//! The description, as the experiment file, the command line and the readers give it.
//!
//! Texts marked *template* may hold placeholders in double braces: `{{counter}}`, `{{uuid}}`,
//! `{{random 1 100}}`, `{{now}}`, `{{feed-name.column}}`, `{{captured-name}}`. Two opening braces
//! that are meant as they stand are written `{{"{{"}}`.

use std::path::PathBuf;
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

/// Steps that one virtual user takes one after another. A single request is a scenario of one step.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// Name in reports and errors.
    pub name: String,
    /// Relative frequency, above 0.
    pub weight: f64,
    /// At least one.
    pub steps: Vec<Step>,
}

/// One request and what is expected of its answer.
#[derive(Debug, Clone, PartialEq, Default)]
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
    /// What the answer must be; a status below 400 where nothing is said of the status.
    pub checks: Vec<Check>,
    /// What later steps want from the answer.
    pub captures: Vec<Capture>,
    /// Wait before the next step (or, after the last step of a closed loop, the next scenario).
    pub think: Option<Think>,
}

/// The body of a request.
#[derive(Debug, Clone, PartialEq, Default)]
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
}

/// A wait of a virtual user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
#[derive(Debug, Clone, PartialEq)]
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capture {
    /// Templates name it `{{name}}`.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
}

/// Where a captured value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
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
