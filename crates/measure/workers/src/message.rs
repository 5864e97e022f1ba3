//! What the terminal orders and what a worker reports: JSON, one a line.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead, Read, Write};
use tacho_load::recorder::Second;
use tacho_run_folder::{ErrorKind, PhasePlan, PhaseRecord, Word};

/// Of this form of the messages. A worker of another version is refused.
pub const VERSION: u32 = 1;

/// No message is longer: a plan, or a record with an example of each error.
const LONGEST: u64 = 1 << 20;

/// What a worker is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "order", rename_all = "kebab-case")]
pub enum Order {
    /// The first of all: what all instants count from, on the clocks of the worker's machine.
    Begin {
        /// See [`VERSION`].
        version: u32,
        /// `CLOCK_MONOTONIC`.
        monotonic_ns: u64,
        /// `CLOCK_REALTIME` at the same instant.
        realtime_ns: u64,
    },
    /// Make ready for your part of this phase, and say when all connections are open.
    Run {
        /// Place of the phase in the plan.
        index: u32,
        /// The whole of it.
        phase: PhasePlan,
        /// Place of the part, from 0.
        nth: u32,
        /// How many parts there are.
        of: u32,
    },
    /// Start the clock of the phase at this instant of `CLOCK_MONOTONIC`.
    Start {
        /// It may be still to come.
        at_ns: u64,
    },
    /// A phase that goes on until something is reached is to end.
    Enough,
    /// End whatever you do, in order.
    Stop,
    /// There is no further phase.
    End,
}

/// What a worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "report", rename_all = "kebab-case")]
pub enum Report {
    /// It knows what to send and can write its records.
    Ready {
        /// See [`VERSION`].
        version: u32,
        /// Names of the kinds of request.
        kinds: Vec<String>,
    },
    /// All connections of the phase are open.
    Opened,
    /// Its counters, over all phases.
    Counts {
        /// Requests whose intended instant has come.
        intended: u64,
        /// Requests answered, whatever the status.
        answered: u64,
        /// Requests that failed.
        failed: u64,
        /// Requests that are not concluded yet.
        in_flight: u64,
    },
    /// One second of a phase, to be shown.
    Second(LiveSecond),
    /// Its part of the phase is over and in its files.
    Phase {
        /// What came of it.
        record: Box<PhaseRecord>,
        /// When its loop was entered, on `CLOCK_MONOTONIC`; absent of a phase in which nothing is
        /// sent.
        began_ns: Option<u64>,
        /// The first instant at which one of its requests was intended.
        first_intended_ns: Option<u64>,
        /// When the last one was concluded.
        last_end_ns: u64,
        /// What went wrong with the source of its requests so far.
        trouble: Vec<String>,
    },
    /// It cannot go on.
    Failed {
        /// Why, for people.
        message: String,
    },
}

/// A second of a phase. Instants on `CLOCK_MONOTONIC`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveSecond {
    /// When it began.
    pub began_ns: u64,
    /// When it ended.
    pub ended_ns: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Those, by kind of error.
    pub errors: Vec<(Word<ErrorKind>, u64)>,
    /// Response times of those that succeeded, as in a histogram log.
    pub response: String,
    /// Counts of all response times, by bin.
    pub bins: Vec<u64>,
}

impl LiveSecond {
    /// `None` when the library cannot write its histogram.
    pub fn of(second: Second) -> Option<Self> {
        Some(Self {
            began_ns: second.began_at,
            ended_ns: second.ended_at,
            failed: second.failed,
            response: tacho_histogram_log::encode(&second.response)?,
            errors: second
                .errors
                .into_iter()
                .map(|(kind, count)| (kind.into(), count))
                .collect(),
            bins: second.bins.to_vec(),
        })
    }

    /// `None` when it is damaged.
    pub fn read(self) -> Option<Second> {
        let mut response = tacho_histogram_log::decode_text(&self.response)?;
        response.auto(true);
        let known = |(kind, count): (Word<ErrorKind>, u64)| Some((kind.known()?, count));
        Some(Second {
            began_at: self.began_ns,
            ended_at: self.ended_ns,
            succeeded: response.len(),
            failed: self.failed,
            errors: self.errors.into_iter().filter_map(known).collect(),
            response,
            bins: self.bins.try_into().ok()?,
        })
    }
}

/// Writes a message, and sees that it goes.
///
/// # Errors
/// When nobody takes it.
pub fn write(message: &impl Serialize, to: &mut (impl Write + ?Sized)) -> io::Result<()> {
    let mut line = serde_json::to_vec(message).map_err(io::Error::other)?;
    line.push(b'\n');
    to.write_all(&line)?;
    to.flush()
}

/// The next message; `None` at the end.
///
/// # Errors
/// When what comes is no message.
pub fn read<M: DeserializeOwned>(from: &mut impl BufRead) -> io::Result<Option<M>> {
    let mut line = Vec::new();
    Read::by_ref(from)
        .take(LONGEST)
        .read_until(b'\n', &mut line)?;
    if line.last() != Some(&b'\n') {
        // A message that was cut off in the middle counts as no message.
        return Ok(None);
    }
    serde_json::from_slice(&line)
        .map(Some)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tacho_run_folder::PhaseKind;

    #[test]
    fn orders_are_read_as_they_were_written() {
        let phase = PhasePlan {
            label: "open".to_owned(),
            kind: PhaseKind::Open {
                rate: 1234.5,
                duration_s: 10.0,
                connections: 64,
            },
        };
        let orders = [
            Order::Begin {
                version: VERSION,
                monotonic_ns: u64::MAX,
                realtime_ns: 1,
            },
            Order::Run {
                index: 3,
                phase,
                nth: 1,
                of: 8,
            },
            Order::Start { at_ns: 17 },
            Order::Enough,
            Order::Stop,
            Order::End,
        ];
        let mut bytes = Vec::new();
        for order in &orders {
            write(order, &mut bytes).unwrap();
        }
        let mut from = &bytes[..];
        for order in orders {
            assert_eq!(read(&mut from).unwrap(), Some(order));
        }
        assert_eq!(read::<Order>(&mut from).unwrap(), None);
    }

    #[test]
    fn half_a_message_is_none() {
        assert_eq!(
            read::<Report>(&mut &b"{\"report\":\"opened\"}"[..]).unwrap(),
            None
        );
        assert!(read::<Report>(&mut &b"opened\n"[..]).is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read::<Order>(&mut &bytes[..]);
            let _ = read::<Report>(&mut &bytes[..]);
        }
    }
}
