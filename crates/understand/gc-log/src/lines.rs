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
    /// Understood, and part of the numbers.
    pub events: u64,
    /// Of garbage collection, but with nothing that is counted: beginnings, workers, parts of
    /// pauses.
    pub details: u64,
    /// Of garbage collection and with figures, but not understood: what they say is missing in the
    /// numbers.
    pub unknown: u64,
    /// Of another tag of the JVM's log.
    pub other_tags: u64,
    /// No log lines: what the program itself has written.
    pub no_log: u64,
    /// Of all of them, those longer than 64 KiB, of which the beginning was read.
    pub too_long: u64,
    /// Inputs whose last line has no end: cut off, or still being written. That line counts when it
    /// is whole nevertheless.
    pub cut_off: u64,
    /// The first of each shape that was not understood, at most 20.
    pub examples: Vec<Example>,
    /// What else was found that no collection log holds: the input may be something else.
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

/// Lines alike but for their numbers that were not understood.
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
