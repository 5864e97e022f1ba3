//! Server-sent events, counted as their bytes come (WHATWG HTML, 9.2.6). A stream of events has no
//! end of its own, so the caller says for how many it waits.

use std::num::NonZeroU32;

/// The only field that makes an event. A block with only `event`, `id`, `retry` or comments is no
/// event.
const DATA: &[u8] = b"data";

/// Counts down to the last event that is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Events {
    left: u32,
    /// The present block has data, so it is an event once it ends.
    has_data: bool,
    line: Line,
    /// The previous byte was CR. A LF that follows belongs to the same line end.
    after_cr: bool,
}

/// What the bytes of the present line have been so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// This many leading bytes of `data` have matched; with 0 the line is still empty.
    Field(usize),
    /// Another field, or the part of the line after the field name.
    Rest,
}

impl Events {
    /// Waits for this many events.
    #[must_use]
    pub fn awaited(count: NonZeroU32) -> Self {
        Self {
            left: count.get(),
            has_data: false,
            line: Line::Field(0),
            after_cr: false,
        }
    }

    /// Whether all awaited events have come.
    #[must_use]
    pub fn have_come(&self) -> bool {
        self.left == 0
    }

    /// Counts the events that end in these bytes. The bytes follow those of the call before.
    pub fn take(&mut self, data: &[u8]) {
        for &byte in data {
            if self.left == 0 {
                return;
            }
            self.byte(byte);
        }
    }

    fn byte(&mut self, byte: u8) {
        let ends_crlf = self.after_cr && byte == b'\n';
        self.after_cr = byte == b'\r';
        if ends_crlf {
            return;
        }
        match (byte, self.line) {
            (b'\n' | b'\r', line) => self.end_line(line),
            (b':', Line::Field(matched)) => {
                self.has_data |= matched == DATA.len();
                self.line = Line::Rest;
            }
            (_, Line::Field(matched)) if DATA.get(matched) == Some(&byte) => {
                self.line = Line::Field(matched + 1);
            }
            _ => self.line = Line::Rest,
        }
    }

    fn end_line(&mut self, line: Line) {
        match line {
            Line::Field(0) => {
                self.left -= u32::from(self.has_data);
                self.has_data = false;
            }
            // A name without a colon is a field without a value.
            Line::Field(matched) => self.has_data |= matched == DATA.len(),
            Line::Rest => {}
        }
        self.line = Line::Field(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How many events there are in a text.
    fn counted(text: &[u8]) -> u32 {
        let mut events = Events::awaited(NonZeroU32::MAX);
        events.take(text);
        u32::MAX - events.left
    }

    #[test]
    fn an_event_is_a_block_with_data() {
        for (text, events) in [
            ("data: a\n\n", 1),
            ("data: a\ndata: b\n\ndata:c\n\n", 2),
            ("event: tick\nid: 7\ndata: {}\n\n", 1),
            // Fields without a value, and without a colon.
            ("data\n\n", 1),
            ("data:\n\n", 1),
            // What keeps a connection open, and what has no data, is no event.
            (": ping\n\n", 0),
            ("event: tick\nid: 7\n\n", 0),
            ("retry: 100\n\n", 0),
            ("\n\n\n", 0),
            ("database: a\n\ndat: a\n\n data: a\n\n", 0),
            // The last block has not ended.
            ("data: a\n\ndata: b\n", 1),
            // Line ends of all three kinds.
            ("data: a\r\n\r\ndata: b\r\n\r\n", 2),
            ("data: a\r\rdata: b\r\r", 2),
            ("data: a\r\n\ndata: b\n\r", 2),
        ] {
            assert_eq!(counted(text.as_bytes()), events, "{text:?}");
        }
    }

    #[test]
    fn no_more_are_counted_than_are_waited_for() {
        let mut events = Events::awaited(NonZeroU32::MIN);
        assert!(!events.have_come());
        events.take(b"data: a\n\ndata: b\n\n");
        assert!(events.have_come());
    }

    proptest! {
        #[test]
        fn the_count_does_not_depend_on_how_the_bytes_come(
            text in "(data|id|:|\r|\n|\r\n| |x){0,40}",
            at in 0..40_usize,
        ) {
            let bytes = text.as_bytes();
            let (one, two) = bytes.split_at(at.min(bytes.len()));
            let mut events = Events::awaited(NonZeroU32::MAX);
            events.take(one);
            events.take(two);
            prop_assert_eq!(u32::MAX - events.left, counted(bytes));
        }
    }
}
