//! The tables of a launch: samples and single requests.

use crate::table::{Cell, table};
use crate::{ErrorKind, Word};
use std::fmt;
use std::io::{self, Write};

table! {
    /// One line of `samples.csv`: what the subject held at one instant. Ten a second.
    #[derive(Copy)]
    pub struct Sample {
        /// Since `exec`, in milliseconds.
        at_ms: f64 [3],
        /// Resident set of the process tree.
        rss_bytes: u64,
        /// Proportional set; absent where it was too costly to read this time.
        pss_bytes: Option<u64>,
        /// Usage of the control group.
        cgroup_bytes: Option<u64>,
        /// Usage less inactive file pages.
        working_set_bytes: Option<u64>,
        /// Processor time since `exec`, in seconds.
        cpu_s: f64 [4],
        /// Threads of the process tree.
        threads: u32,
        /// Requests answered so far in this launch.
        requests: u64,
        /// Time stopped by the CPU quota so far, in seconds.
        throttled_s: Option<f64> [4],
    }
}

table! {
    /// One line of `requests.csv` or `slowest.csv`. Instants in nanoseconds since `exec`.
    pub struct RequestRow {
        /// Index of the phase in the plan, from 0.
        phase: u32,
        /// Index of the request in the mix, from 0.
        request: u32,
        /// When the schedule wanted it sent.
        intended_ns: u64,
        /// When the generator took it up.
        dispatched_ns: u64,
        /// When its first byte went to the socket; 0 when none did.
        sent_ns: u64,
        /// When the first byte of the answer came; 0 when none did.
        first_byte_ns: u64,
        /// When the answer was complete, or the error was known.
        end_ns: u64,
        /// How it ended.
        outcome: RowOutcome,
        /// Local port of the connection that carried it, or should have; where that was asked for.
        port: Option<u32>,
        /// When that connection was established; absent when it never was.
        connected_ns: Option<u64>,
    }
}

impl RequestRow {
    /// end - intended, in milliseconds.
    #[must_use]
    pub fn response_time_ms(&self) -> f64 {
        self.end_ns.saturating_sub(self.intended_ns) as f64 / 1e6
    }
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

impl Cell for RowOutcome {
    fn write(&self, _: usize, to: &mut impl Write) -> io::Result<()> {
        write!(to, "{self}")
    }

    fn read(text: &str) -> Result<Self, String> {
        let known = (!text.is_empty()).then(|| text.into());
        known.ok_or_else(|| "is missing".to_owned())
    }
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
            prop_assert_eq!(Sample::read(&file[..]).unwrap(), vec![sample]);
        }

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = Sample::read(&bytes[..]);
            let _ = RequestRow::read(&bytes[..]);
        }
    }

    #[test]
    fn what_is_missing_in_a_line_is_named_with_its_place() {
        let shorter = format!("{}\n1,0,5\n", RequestRow::HEADER);
        let error = RequestRow::read(shorter.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("line 2: `dispatched_ns` is missing"),
            "{error}"
        );
        let no_number = format!("{}\n1,x\n", RequestRow::HEADER);
        let error = RequestRow::read(no_number.as_bytes())
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("line 2: `request` is no number: `x`"),
            "{error}"
        );
        let no_outcome = b"phase,request,intended_ns,dispatched_ns,sent_ns,first_byte_ns,end_ns\n0,0,1,1,1,1,1\n";
        let error = RequestRow::read(&no_outcome[..]).unwrap_err().to_string();
        assert!(error.starts_with("line 2: `outcome` is missing"), "{error}");
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
        assert_eq!(RequestRow::read(&file[..]).unwrap(), vec![row]);
    }
}
