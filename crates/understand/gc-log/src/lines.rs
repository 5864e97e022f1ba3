//! How many lines were what: nothing is passed over without being counted.

use crate::foreign::Foreign;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use tacho_foreign::is_command;

/// Shapes of lines that are kept as examples.
const MOST_EXAMPLES: usize = 20;
/// Bytes of an example that are kept.
const LONGEST_EXAMPLE: usize = 200;

/// The lines of a log by what became of them; `events + details + unknown + other_tags + no_log` is
/// all.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lines {
    /// All of them.
    pub all: u64,
    /// Bytes of all of them.
    pub bytes: u64,
    /// Lines that were understood and are part of the numbers.
    pub events: u64,
    /// Lines about collections that hold nothing to count: beginnings, workers, parts of pauses.
    pub details: u64,
    /// Lines about collections with figures that were not understood: what they say is missing in
    /// the numbers.
    pub unknown: u64,
    /// Lines of the JVM's log with a tag that is not about collections.
    pub other_tags: u64,
    /// Lines that are no log lines: output of the program itself.
    pub no_log: u64,
    /// Lines longer than 64 KiB, of which only the beginning was read.
    pub too_long: u64,
    /// Inputs that end in the middle of a line or of a record: cut off, or still being written. One
    /// whose last line lacks nothing but its line end is not among them.
    pub cut_off: u64,
    /// Messages of an asynchronous log (`-Xlog:async`) that the JVM says it has dropped: what they
    /// say is missing in the numbers.
    #[serde(default)]
    pub dropped: u64,
    /// The first of each shape that was not understood, at most 20.
    pub examples: Vec<Example>,
    /// Kinds of other files that some lines look like; if there are any, the input may not be a
    /// collection log.
    #[serde(default)]
    pub foreign: BTreeSet<Foreign>,
}

impl Lines {
    /// Of the lines with figures, the share that was not understood.
    #[must_use]
    pub fn unknown_share(&self) -> f64 {
        self.unknown as f64 / (self.unknown + self.events).max(1) as f64
    }
}

/// Lines that were not understood and differ in their numbers only.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Example {
    /// Number of such lines.
    pub count: u64,
    /// The first of them, cut at 200 bytes.
    pub line: String,
}

/// Shapes under way.
#[derive(Debug, Clone, Default)]
pub struct Unknown {
    /// Same order as the examples.
    shapes: Vec<Vec<u8>>,
}

impl Unknown {
    /// Counts a line that was not understood, and keeps the first of its shape.
    pub fn count(&mut self, lines: &mut Lines, line: &[u8]) {
        lines.unknown += 1;
        let cut = &line[..line.len().min(LONGEST_EXAMPLE)];
        let known = self.shapes.iter().position(|shape| same(shape, cut));
        if let Some(example) = known.and_then(|i| lines.examples.get_mut(i)) {
            example.count += 1;
        } else if lines.examples.len() < MOST_EXAMPLES {
            self.shapes.push(cut.to_vec());
            lines.examples.push(Example {
                count: 1,
                line: String::from_utf8_lossy(cut).replace(is_command, "\u{fffd}"),
            });
        }
    }
}

/// Alike but for the digits.
fn same(a: &[u8], b: &[u8]) -> bool {
    fn letters(text: &[u8]) -> impl Iterator<Item = &u8> {
        text.iter()
            .filter(|byte| !byte.is_ascii_digit() && **byte != b' ')
    }
    letters(a).eq(letters(b))
}
