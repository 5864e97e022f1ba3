//! Answers of one subject mostly begin alike, to the byte: the head that was parsed last is
//! compared before another is parsed.

use crate::head::Parsed;

/// A longer head is parsed each time.
const LONGEST: usize = 1024;

/// The head that was parsed last, and what came of it.
///
/// What is parsed depends on the bytes of a head alone, and a head ends with its first empty line:
/// bytes that begin with a whole head known from before say what that one said.
#[derive(Debug, Default)]
pub struct RecentHead {
    bytes: Vec<u8>,
    parsed: Option<Parsed>,
}

impl RecentHead {
    /// What the head says, and how long it is, when `bytes` begin with the same one.
    #[inline]
    pub(super) fn matching(&self, bytes: &[u8]) -> Option<(Parsed, usize)> {
        let parsed = self.parsed?;
        bytes
            .starts_with(&self.bytes)
            .then_some((parsed, self.bytes.len()))
    }

    /// Takes the place of the one before.
    pub(super) fn remember(&mut self, head: &[u8], parsed: Parsed) {
        if head.len() <= LONGEST {
            self.bytes.clear();
            self.bytes.extend_from_slice(head);
            self.parsed = Some(parsed);
        }
    }
}
