//! Why an input cannot be used.

use crate::grpc::NoSchema;
use crate::origin::{Origin, UrlError};
use crate::vegeta::TargetError;

/// Why an input cannot be used as a workload.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// Larger than what is read as a whole.
    #[error(
        "the input has {bytes} bytes, and at most {limit} are read at once; give less of it, or stream vegeta targets with `--targets -`"
    )]
    TooLarge {
        /// Of the input.
        bytes: usize,
        /// What is read.
        limit: usize,
    },
    /// A small input that describes a huge workload.
    #[error(
        "{place}: the input describes more than {limit}; is something repeated or referred to far too often? Give a smaller part of it, or stream vegeta targets with `--targets -`"
    )]
    TooMuch {
        /// Where the bound was passed.
        place: String,
        /// What is kept at most.
        limit: &'static str,
    },
    /// Nested beyond reason.
    #[error("line {line}: nested more than {limit} deep; Tacho refuses to follow")]
    TooDeep {
        /// Line of the input, from 1.
        line: u64,
        /// Deepest that is read.
        limit: usize,
    },
    /// It is no text in UTF-8.
    #[error(
        "the input is not UTF-8 text (byte {offset} is not); save it as UTF-8, or name its format with --format"
    )]
    NotText {
        /// The first wrong byte, from 0.
        offset: usize,
    },
    /// Not what it is said to be.
    #[error("line {line}: this cannot be read as {format}: {problem}")]
    Syntax {
        /// Line of the input, from 1.
        line: u64,
        /// What it was read as.
        format: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// A file with nothing in it.
    #[error("{what} is empty; {way_out}")]
    Empty {
        /// What it was read as.
        what: &'static str,
        /// What to do.
        way_out: &'static str,
    },
    /// A relative of a known format.
    #[error("{what}; {way_out}")]
    Unsupported {
        /// What it is.
        what: &'static str,
        /// What to do.
        way_out: &'static str,
    },
    /// A vegeta target.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// A URL that cannot be called.
    #[error("{place}: {problem}")]
    Url {
        /// Where in the input the URL stands.
        place: String,
        /// What is wrong.
        problem: UrlError,
    },
    /// A file that the input names.
    #[error("{place}: the file `{path}` cannot be used: {problem}")]
    File {
        /// Where it is named.
        place: String,
        /// The path as the input names it.
        path: String,
        /// What is wrong, and what to do.
        problem: String,
    },
    /// Decision 0005: throughput and response times of two servers in one distribution have no
    /// meaning.
    #[error(
        "the input sends to several origins: {}; a run has one: give the requests of one of them",
        list(origins)
    )]
    SeveralOrigins {
        /// The first few.
        origins: Vec<Origin>,
    },
    /// Methods of gRPC that are not known.
    #[error(transparent)]
    Schema(#[from] NoSchema),
    /// Where most of the requests go is not known.
    #[error(
        "{requests} of the requests go to `{host}`, which has no value; give it one with --environment FILE, or give the URL to send to"
    )]
    NoHost {
        /// How many.
        requests: usize,
        /// As it is written.
        host: String,
    },
    /// It was understood, but nothing of it can be sent as intended.
    #[error("none of the {all} requests can be sent; the first one, {place}: {reason}. {way_out}")]
    AllLeftOut {
        /// How many there are.
        all: usize,
        /// The first of them.
        place: String,
        /// Why it is left out.
        reason: String,
        /// What to do.
        way_out: &'static str,
    },
    /// Understood, but empty.
    #[error("there is nothing to send in it: {hint}")]
    Nothing {
        /// What was looked for.
        hint: &'static str,
    },
}

fn list(origins: &[Origin]) -> String {
    let names: Vec<String> = origins.iter().map(ToString::to_string).collect();
    names.join(", ")
}

/// The input as text.
pub(crate) fn text(input: &[u8], limit: usize) -> Result<&str, ImportError> {
    if input.len() > limit {
        return Err(ImportError::TooLarge {
            bytes: input.len(),
            limit,
        });
    }
    let input = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input);
    std::str::from_utf8(input).map_err(|error| ImportError::NotText {
        offset: error.valid_up_to(),
    })
}
