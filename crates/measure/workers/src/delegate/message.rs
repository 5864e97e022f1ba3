//! What goes between the terminal and a worker elsewhere: lines of JSON, some of which are followed
//! by the bytes of a file.

use crate::given_file::GivenFile;
use crate::message::{Order, Report};
use serde::{Deserialize, Serialize};
use tacho_load::recorder::Files;

/// Of this form of the messages.
pub const VERSION: u32 = 1;

/// What the terminal wishes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "wish", content = "is", rename_all = "kebab-case")]
pub enum Wish {
    /// The first of all: what is to be sent. The bytes of each file follow, in their order.
    Begin {
        /// See [`VERSION`].
        version: u32,
        /// The arguments of `tacho load`, as on a command line.
        arguments: Vec<String>,
        /// Which files those name.
        files: Vec<GivenFile>,
    },
    /// What does your clock show?
    Time,
    /// For the worker.
    Order(Order),
    /// Nothing more is wished.
    Over,
}

/// What comes back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "told", content = "is", rename_all = "kebab-case")]
pub enum Told {
    /// The files have come, and the worker is started.
    Begun {
        /// See [`crate::clock::identity`].
        clock: String,
    },
    /// What the clock shows.
    Time {
        /// `CLOCK_MONOTONIC`.
        monotonic_ns: u64,
    },
    /// So many further bytes of a file follow.
    Piece {
        /// Which.
        of: RecordFile,
        /// How many.
        bytes: u64,
    },
    /// Of the worker.
    Report(Report),
    /// It cannot be begun.
    Refused {
        /// Why, for people.
        message: String,
    },
    /// The worker has ended, and this is the last message.
    Ended {
        /// `it ended (signal: 9 (SIGKILL))`.
        how: String,
    },
}

/// A file that a worker writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RecordFile {
    /// Distributions, second by second.
    Histograms,
    /// The first requests, one by one.
    Requests,
    /// The slowest of each phase.
    Slowest,
}

impl RecordFile {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Histograms, Self::Requests, Self::Slowest];

    /// Where it is.
    pub fn of(self, files: &Files) -> &std::path::Path {
        match self {
            Self::Histograms => &files.histograms,
            Self::Requests => &files.requests,
            Self::Slowest => &files.slowest,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{read, write};
    use proptest::prelude::*;

    #[test]
    fn messages_are_read_as_they_were_written() {
        let begin = Wish::Begin {
            version: VERSION,
            arguments: vec!["load".to_owned(), "--rate=5".to_owned()],
            files: vec![GivenFile {
                name: "given-0/a.csv".to_owned(),
                bytes: 17,
            }],
        };
        let wishes = [begin, Wish::Time, Wish::Order(Order::Enough), Wish::Over];
        let told = [
            Told::Begun {
                clock: "b".to_owned(),
            },
            Told::Piece {
                of: RecordFile::Slowest,
                bytes: u64::MAX,
            },
            Told::Report(Report::Opened),
        ];
        let mut bytes = Vec::new();
        wishes
            .iter()
            .for_each(|one| write(one, &mut bytes).unwrap());
        told.iter().for_each(|one| write(one, &mut bytes).unwrap());
        let mut from = &bytes[..];
        for wish in wishes {
            assert_eq!(read(&mut from).unwrap(), Some(wish));
        }
        for one in told {
            assert_eq!(read(&mut from).unwrap(), Some(one));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read::<Wish>(&mut &bytes[..]);
            let _ = read::<Told>(&mut &bytes[..]);
        }
    }
}
