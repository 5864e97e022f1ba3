//! The last parsed head. Answers of one subject mostly begin with the same bytes, so each head is
//! compared with the last one before it is parsed.

use crate::head::Parsed;

/// A longer head is parsed each time.
const LONGEST: usize = 1024;

/// The head that was parsed last, and the result.
///
/// The result depends only on the bytes of the head, and a head ends with its first empty line. So
/// bytes that begin with the whole known head have the same result.
#[derive(Debug, Default)]
pub struct RecentHead {
    bytes: Vec<u8>,
    parsed: Option<Parsed>,
}

impl RecentHead {
    /// The parsed head and its length, when `bytes` begin with the last head.
    #[inline]
    pub(super) fn matching(&self, bytes: &[u8]) -> Option<(Parsed, usize)> {
        let parsed = self.parsed?;
        bytes
            .starts_with(&self.bytes)
            .then_some((parsed, self.bytes.len()))
    }

    /// Replaces the last head.
    pub(super) fn remember(&mut self, head: &[u8], parsed: Parsed) {
        if head.len() <= LONGEST {
            self.bytes.clear();
            self.bytes.extend_from_slice(head);
            self.parsed = Some(parsed);
        }
    }
}
