//! Server-sent events, counted as their bytes come (WHATWG HTML, 9.2.6). A stream of events has no
//! end of its own, so the caller says for how many it waits.

use std::num::NonZeroU32;

/// The only field that makes an event. A block with only `event`, `id`, `retry` or comments is no
/// event.
const DATA: &[u8] = b"data";

/// The byte order mark of UTF-8. One at the start of a stream is no part of its first line.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Counts down to the last event that is waited for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Events {
    left: u32,
    /// The present block has data, so it is an event once it ends.
    has_data: bool,
    line: Line,
    /// The previous byte was CR. A LF that follows belongs to the same line end.
    after_cr: bool,
    /// This many bytes of a mark have come; all, once it is known whether there is one.
    mark: u8,
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
            mark: 0,
        }
    }

    /// Whether all awaited events have come.
    #[must_use]
    pub fn have_come(&self) -> bool {
        self.left == 0
    }

    /// Counts the events that end in these bytes. The bytes follow those of the call before.
    pub fn take(&mut self, data: &[u8]) {
        for &byte in self.without_mark(data) {
            if self.left == 0 {
                return;
            }
            self.byte(byte);
        }
    }

    /// The bytes without those of a mark at the start of the stream.
    fn without_mark<'d>(&mut self, data: &'d [u8]) -> &'d [u8] {
        let mut rest = data;
        while let Some(wanted) = MARK.get(usize::from(self.mark))
            && let Some((first, after)) = rest.split_first()
        {
            if first != wanted {
                // What has come of a mark is the beginning of a line.
                if self.mark > 0 {
                    self.line = Line::Rest;
                }
                self.mark = MARK.len() as u8;
                break;
            }
            self.mark += 1;
            rest = after;
        }
        rest
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

    /// How many events there are in a text that comes in these pieces.
    fn counted<'t>(pieces: impl IntoIterator<Item = &'t [u8]>) -> u32 {
        let mut events = Events::awaited(NonZeroU32::MAX);
        for piece in pieces {
            events.take(piece);
        }
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
            assert_eq!(counted([text.as_bytes()]), events, "{text:?}");
        }
    }

    #[test]
    fn a_byte_order_mark_at_the_start_is_passed_over() {
        let streams: [(&[u8], u32); 6] = [
            (b"\xef\xbb\xbfdata: a\n\n", 1),
            // Only one, and only there: elsewhere it belongs to the name of a field.
            (b"\xef\xbb\xbf\xef\xbb\xbfdata: a\n\n", 0),
            (b"data: a\n\n\xef\xbb\xbfdata: b\n\n", 1),
            // A part of it is none.
            (b"\xefdata: a\n\n", 0),
            (b"\xef\xbbdata: a\n\ndata: b\n\n", 1),
            (b"\xef\xbb\ndata: a\n\n", 1),
        ];
        for (stream, events) in streams {
            for size in 1..=stream.len() {
                assert_eq!(counted(stream.chunks(size)), events, "{stream:?} by {size}");
            }
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
            marked in 0..=MARK.len(),
            text in "(data|id|:|\r|\n|\r\n| |x){0,40}",
            at in 0..40_usize,
            size in 1..5_usize,
        ) {
            let bytes = [&MARK[..marked], text.as_bytes()].concat();
            let whole = counted([bytes.as_slice()]);
            let (one, two) = bytes.split_at(at.min(bytes.len()));
            prop_assert_eq!(counted([one, two]), whole);
            prop_assert_eq!(counted(bytes.chunks(size)), whole);
            if marked == MARK.len() {
                prop_assert_eq!(counted([text.as_bytes()]), whole);
            }
        }
    }
}
