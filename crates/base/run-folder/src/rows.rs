//! The CSV files of a launch: samples and single requests.

use crate::{ErrorKind, Word};
use std::fmt;
use std::io::{BufRead, Write};
use tacho_files::input::{Lines, ROW, WHOLE};

/// One line of `samples.csv`: what the subject held at one instant. Ten a second.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Sample {
    /// Since `exec`, in milliseconds.
    pub at_ms: f64,
    /// Resident set of the process tree.
    pub rss_bytes: u64,
    /// Proportional set; absent where it was too costly to read this time.
    pub pss_bytes: Option<u64>,
    /// Usage of the control group.
    pub cgroup_bytes: Option<u64>,
    /// Usage less inactive file pages.
    pub working_set_bytes: Option<u64>,
    /// Processor time since `exec`, in seconds.
    pub cpu_s: f64,
    /// Threads of the process tree.
    pub threads: u32,
    /// Requests answered so far in this launch.
    pub requests: u64,
    /// Time stopped by the CPU quota so far, in seconds.
    pub throttled_s: Option<f64>,
}

/// One line of `requests.csv` or `slowest.csv`. Instants in nanoseconds since `exec`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RequestRow {
    /// Index of the phase in the plan, from 0.
    pub phase: u32,
    /// Index of the request in the mix, from 0.
    pub request: u32,
    /// When the schedule wanted it sent.
    pub intended_ns: u64,
    /// When the generator took it up.
    pub dispatched_ns: u64,
    /// When its first byte went to the socket; 0 when none did.
    pub sent_ns: u64,
    /// When the first byte of the answer came; 0 when none did.
    pub first_byte_ns: u64,
    /// When the answer was complete, or the error was known.
    pub end_ns: u64,
    /// How it ended.
    pub outcome: RowOutcome,
}

/// `200`, or the kind of error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RowOutcome {
    /// A complete answer with this status.
    Answered(u16),
    /// None, or not the one that was asked for: `timeout`.
    Failed(Word<ErrorKind>),
}

impl RowOutcome {
    /// A status below 400, as [`crate::PhaseRecord::succeeded`] counts it.
    #[must_use]
    pub fn is_good(&self) -> bool {
        matches!(self, Self::Answered(..400))
    }
}

impl Default for RowOutcome {
    fn default() -> Self {
        Self::from("")
    }
}

impl From<&str> for RowOutcome {
    fn from(text: &str) -> Self {
        let status = text.parse().map(Self::Answered);
        status.unwrap_or_else(|_| Self::Failed(text.into()))
    }
}

impl fmt::Display for RowOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Answered(status) => write!(f, "{status}"),
            Self::Failed(kind) => kind.fmt(f),
        }
    }
}

/// A line that could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RowError {
    /// The file could not be read to its end.
    #[error("cannot read on: {0}")]
    Io(#[from] std::io::Error),
    /// A field is missing or is no number.
    #[error("line {line}: {what}; the file was damaged after it was written")]
    Field {
        /// Line of the file, counted from 1; its header is the first.
        line: usize,
        /// Which field, and what is wrong with it.
        what: String,
    },
}

fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or_else(String::new, |v| v.to_string())
}

impl Sample {
    /// First line of the file.
    pub const HEADER: &'static str = "at_ms,rss_bytes,pss_bytes,cgroup_bytes,working_set_bytes,cpu_s,threads,requests,throttled_s";

    /// Appends the line, newline included.
    pub fn write(&self, to: &mut impl Write) -> std::io::Result<()> {
        writeln!(
            to,
            "{:.3},{},{},{},{},{:.4},{},{},{}",
            self.at_ms,
            self.rss_bytes,
            optional(self.pss_bytes),
            optional(self.cgroup_bytes),
            optional(self.working_set_bytes),
            self.cpu_s,
            self.threads,
            self.requests,
            self.throttled_s
                .map_or_else(String::new, |v| format!("{v:.4}")),
        )
    }
}

impl RequestRow {
    /// First line of the file.
    pub const HEADER: &'static str =
        "phase,request,intended_ns,dispatched_ns,sent_ns,first_byte_ns,end_ns,outcome";

    /// Appends the line, newline included.
    pub fn write(&self, to: &mut impl Write) -> std::io::Result<()> {
        writeln!(
            to,
            "{},{},{},{},{},{},{},{}",
            self.phase,
            self.request,
            self.intended_ns,
            self.dispatched_ns,
            self.sent_ns,
            self.first_byte_ns,
            self.end_ns,
            self.outcome
        )
    }

    /// end - intended, in milliseconds.
    #[must_use]
    pub fn response_time_ms(&self) -> f64 {
        self.end_ns.saturating_sub(self.intended_ns) as f64 / 1e6
    }
}

/// The fields of one line, taken from left to right.
struct Fields<'a> {
    line: usize,
    fields: std::str::Split<'a, char>,
}

impl<'a> Fields<'a> {
    fn text(&mut self, name: &str) -> Result<&'a str, RowError> {
        self.fields
            .next()
            .ok_or_else(|| self.error(name, "is missing"))
    }

    fn error(&self, name: &str, what: &str) -> RowError {
        RowError::Field {
            line: self.line,
            what: format!("`{name}` {what}"),
        }
    }

    fn number<T: std::str::FromStr>(&mut self, name: &str) -> Result<T, RowError> {
        let text = self.text(name)?;
        text.parse()
            .map_err(|_| self.error(name, &format!("is no number: `{text}`")))
    }

    fn optional<T: std::str::FromStr>(&mut self, name: &str) -> Result<Option<T>, RowError> {
        let text = self.text(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        text.parse()
            .map(Some)
            .map_err(|_| self.error(name, &format!("is no number: `{text}`")))
    }
}

/// Reads every line below the header. A last line without its newline was cut off when Tacho was
/// killed or the disk was full; it is left out.
fn read<T>(
    from: impl BufRead,
    parse: impl Fn(&mut Fields<'_>) -> Result<T, RowError>,
) -> Result<Vec<T>, RowError> {
    let mut rows = Vec::new();
    let mut text = String::new();
    let mut line = 0;
    let mut lines = Lines::new(from, ROW, WHOLE);
    while lines.next_into(&mut text)? {
        line += 1;
        if let Some(whole) = text.strip_suffix('\n')
            && line > 1
        {
            rows.push(parse(&mut Fields {
                line,
                fields: whole.split(','),
            })?);
        }
    }
    Ok(rows)
}

/// Reads `samples.csv` whole; an error names the first line that is damaged.
pub fn read_samples(from: impl BufRead) -> Result<Vec<Sample>, RowError> {
    read(from, |f| {
        Ok(Sample {
            at_ms: f.number("at_ms")?,
            rss_bytes: f.number("rss_bytes")?,
            pss_bytes: f.optional("pss_bytes")?,
            cgroup_bytes: f.optional("cgroup_bytes")?,
            working_set_bytes: f.optional("working_set_bytes")?,
            cpu_s: f.number("cpu_s")?,
            threads: f.number("threads")?,
            requests: f.number("requests")?,
            throttled_s: f.optional("throttled_s")?,
        })
    })
}

/// Reads `requests.csv` or `slowest.csv`.
pub fn read_requests(from: impl BufRead) -> Result<Vec<RequestRow>, RowError> {
    read(from, |f| {
        Ok(RequestRow {
            phase: f.number("phase")?,
            request: f.number("request")?,
            intended_ns: f.number("intended_ns")?,
            dispatched_ns: f.number("dispatched_ns")?,
            sent_ns: f.number("sent_ns")?,
            first_byte_ns: f.number("first_byte_ns")?,
            end_ns: f.number("end_ns")?,
            outcome: f.text("outcome")?.into(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_sample_is_read_as_it_was_written(
            at in 0u32..10_000_000, rss in any::<u32>(), pss in any::<Option<u32>>(), threads in any::<u32>(),
        ) {
            let sample = Sample {
                at_ms: f64::from(at) / 8.0, rss_bytes: rss.into(), pss_bytes: pss.map(u64::from), threads,
                throttled_s: Some(0.25), ..Sample::default()
            };
            let mut file = format!("{}\n", Sample::HEADER).into_bytes();
            sample.write(&mut file).unwrap();
            prop_assert_eq!(read_samples(&file[..]).unwrap(), vec![sample]);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = read_samples(&bytes[..]);
            let _ = read_requests(&bytes[..]);
        }
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out() {
        let mut file = format!("{}\n", RequestRow::HEADER).into_bytes();
        let row = RequestRow {
            outcome: "200".into(),
            end_ns: 5,
            ..RequestRow::default()
        };
        row.write(&mut file).unwrap();
        file.extend_from_slice(b"0,0,17");
        assert_eq!(read_requests(&file[..]).unwrap(), vec![row]);
    }
}
