//! Workloads that cannot be sent.

use crate::check::CheckError;
use crate::feed::FeedError;
use crate::template::TemplateError;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Which step of which scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// Name of the scenario.
    pub scenario: String,
    /// Name of the step.
    pub step: String,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.scenario == self.step {
            write!(f, "request `{}`", self.step)
        } else {
            write!(f, "scenario `{}`, step `{}`", self.scenario, self.step)
        }
    }
}

/// Which text of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// The path with its query.
    Path,
    /// The value of a header.
    Header(String),
    /// The body of the request.
    Body,
    /// The body, from this file.
    BodyFile(PathBuf),
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path => f.write_str("path"),
            Self::Header(name) => write!(f, "header `{}`", name.escape_debug()),
            Self::Body => f.write_str("body"),
            Self::BodyFile(path) => write!(f, "body {}", path.display()),
        }
    }
}

/// A workload that cannot be sent as it is.
#[derive(Debug, thiserror::Error)]
pub enum WorkloadError {
    /// The workload has no scenario, so that there is nothing to send.
    #[error("there is nothing to send; give at least one request")]
    Nothing,
    /// A scenario without steps.
    #[error("scenario `{scenario}` has no steps; give at least one request")]
    NoSteps {
        /// Name of the scenario.
        scenario: String,
    },
    /// Not above 0, or beyond all numbers.
    #[error("scenario `{scenario}`: a weight of {weight} means nothing; give a number above 0")]
    Weight {
        /// Name of the scenario.
        scenario: String,
        /// As it was given.
        weight: f64,
    },
    /// Not host and port.
    #[error("`{origin}` is no origin to send requests to: {reason}")]
    Origin {
        /// As it was given.
        origin: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Not a token, or CONNECT.
    #[error("{at}: `{}` is no method that can be sent; use GET, POST or the like", method.escape_debug())]
    Method {
        /// Scenario and step.
        at: At,
        /// As it was given.
        method: String,
    },
    /// Does not begin with `/`, or holds white space, control characters or a fragment.
    #[error(
        "{at}: the path `{}` must begin with `/` and hold no spaces, control characters or `#`; write a space as %20, and a captured path as `{{{{raw name}}}}`",
        path.escape_debug()
    )]
    Path {
        /// Scenario and step.
        at: At,
        /// As it was given.
        path: String,
    },
    /// A line break in a header would be a header of its own.
    #[error(
        "{at}: the header `{}` holds a character that ends or breaks a header line; remove it",
        header.escape_debug()
    )]
    Header {
        /// Scenario and step.
        at: At,
        /// Name of the header as it was given.
        header: String,
    },
    /// The peer would wait for bytes that never come.
    #[error(
        "{at}: Content-Length is given as `{given}`, but the body has {}; leave it out, it is added",
        actual.map_or_else(|| "another length in each request".to_owned(), |bytes| format!("{bytes} bytes"))
    )]
    ContentLength {
        /// Scenario and step.
        at: At,
        /// As it was given.
        given: String,
        /// Bytes of the body; `None` when they differ from request to request.
        actual: Option<usize>,
    },
    /// A template that means nothing.
    #[error("{at}, {part}: {source}")]
    Template {
        /// Scenario and step.
        at: At,
        /// In which text.
        part: Part,
        /// What is wrong with it.
        source: Box<TemplateError>,
    },
    /// A body file that cannot be read.
    #[error("{at}: the body {} cannot be read: {source}", path.display())]
    BodyFile {
        /// Scenario and step.
        at: At,
        /// Where it was looked for.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A check that means nothing.
    #[error("{at}: {source}")]
    Check {
        /// Scenario and step.
        at: At,
        /// What is wrong with it.
        source: Box<CheckError>,
    },
    /// A capture that means nothing.
    #[error("{at}, capture `{name}`: {source}")]
    Capture {
        /// Scenario and step.
        at: At,
        /// Name of the captured value.
        name: String,
        /// What is wrong with it.
        source: Box<CheckError>,
    },
    /// A name that templates could not tell from others.
    #[error(
        "{at}: a captured value is named `{}`; give it a name without spaces, braces or quotes that is neither built in (counter, random, uuid, now, raw) nor begins with the name of a feed and a dot",
        name.escape_debug()
    )]
    CaptureName {
        /// Scenario and step.
        at: At,
        /// As it was given.
        name: String,
    },
    /// A think time whose lower bound is above the upper one.
    #[error(
        "{at}: the wait after the step has its bounds in the wrong order; give the shorter one first"
    )]
    Think {
        /// Scenario and step.
        at: At,
    },
    /// A feed that cannot be used.
    #[error(transparent)]
    Feed(#[from] FeedError),
}
