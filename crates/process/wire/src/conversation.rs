//! Segments of a connection as questions and answers.
//!
//! A question begins with the caller's first data after an answer. An answer begins with the
//! callee's first data after a question. This holds for every protocol with one request at a time:
//! HTTP/1, Redis, most of SQL. Over HTTP/2 several are under way at once, so an instant cannot be
//! assigned to one of them.

use crate::segment::Segment;
use std::collections::HashMap;
use std::net::SocketAddr;

/// Most exchanges that are kept, at 48 bytes each. This is enough for any window that is examined.
const MOST_EXCHANGES: usize = 500_000;
/// Most connections that are tracked. A caller that opens one for each call has many.
const MOST_CONNECTIONS: usize = 65_536;
/// Bytes of the header of a frame of HTTP/2 (RFC 9113, section 4.1).
const HTTP2_FRAME: usize = 9;

/// The protocol, as far as the first bytes of a question show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Protocol {
    /// One question at a time.
    Http1,
    /// Several at a time: its exchanges cannot be told apart.
    Http2,
    /// Encrypted: its content cannot be seen.
    Tls,
    /// Something else.
    Other,
}

/// A question and its answer, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exchange {
    /// What was spoken.
    pub protocol: Protocol,
    /// From the question's first segment to its last.
    pub sending: u64,
    /// From the question's last segment to the answer's first.
    pub waiting: u64,
    /// From the answer's first segment to its last.
    pub receiving: u64,
    /// Bytes of the question.
    pub sent: u64,
    /// Bytes of the answer.
    pub received: u64,
}

impl Exchange {
    /// From the first segment to the last.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.sending + self.waiting + self.receiving
    }
}

/// All connections to some addresses.
#[derive(Debug)]
pub struct Conversations {
    callees: Vec<SocketAddr>,
    connections: HashMap<(SocketAddr, SocketAddr), Conversation>,
    told: Told,
}

/// What was captured of all callees.
#[derive(Debug, Default)]
pub struct Told {
    /// Whole exchanges, each with the callee's place in the list.
    pub exchanges: Vec<(usize, Exchange)>,
    /// Questions whose answer did not begin before the end.
    pub unanswered: u64,
    /// Exchanges that were not kept, because there are too many.
    pub beyond: u64,
}

/// One direction of a connection: which bytes were seen.
#[derive(Debug, Clone, Copy, Default)]
struct Direction(Option<u32>);

impl Direction {
    /// Whether the segment has data that was not seen before. A retransmission has none.
    fn is_new(&mut self, segment: &Segment<'_>) -> bool {
        // The segment that opens a connection counts as a byte.
        let end = segment
            .sequence
            .wrapping_add(segment.length)
            .wrapping_add(u32::from(segment.opens));
        let is_new = match self.0 {
            Some(seen) if !segment.opens => (end.wrapping_sub(seen) as i32) > 0,
            _ => true,
        };
        if is_new {
            self.0 = Some(end);
        }
        is_new && segment.length > 0
    }
}

#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// No question is under way: after an answer, or at the beginning of a capture.
    #[default]
    Quiet,
    Asked(Question),
    Answered(Question, Answer),
}

#[derive(Debug, Clone, Copy)]
struct Question {
    protocol: Protocol,
    first: u64,
    last: u64,
    bytes: u64,
}

#[derive(Debug, Clone, Copy)]
struct Answer {
    first: u64,
    last: u64,
    bytes: u64,
}

#[derive(Debug, Default)]
struct Conversation {
    state: State,
    asking: Direction,
    answering: Direction,
}

impl Conversations {
    /// Starts with these callees.
    #[must_use]
    pub fn with(callees: Vec<SocketAddr>) -> Self {
        Self {
            callees,
            connections: HashMap::new(),
            told: Told::default(),
        }
    }

    /// Takes a segment that passed at this instant, in nanoseconds of any clock.
    pub fn take(&mut self, at: u64, segment: &Segment<'_>) {
        let callee = |address| self.callees.iter().position(|callee| *callee == address);
        let (place, key, is_question) = match (callee(segment.to), callee(segment.from)) {
            (Some(place), _) => (place, (segment.from, segment.to), true),
            (None, Some(place)) => (place, (segment.to, segment.from), false),
            (None, None) => return,
        };
        if self.connections.len() >= MOST_CONNECTIONS && !self.connections.contains_key(&key) {
            self.told.beyond += 1;
            return;
        }
        let conversation = self.connections.entry(key).or_default();
        if segment.opens {
            conversation.state = State::Quiet;
        }
        let done = if is_question {
            conversation.ask(at, segment)
        } else {
            conversation.answer(at, segment);
            None
        };
        let done = match (done, segment.ends) {
            (None, true) => conversation.end(&mut self.told),
            (done, _) => done,
        };
        self.told.keep(place, done);
        if segment.ends {
            self.connections.remove(&key);
        }
    }

    /// Ends what is under way.
    #[must_use]
    pub fn end(mut self) -> Told {
        for ((_, callee), conversation) in &mut self.connections {
            let done = conversation.end(&mut self.told);
            if let Some(place) = self.callees.iter().position(|one| one == callee) {
                self.told.keep(place, done);
            }
        }
        self.told
    }
}

impl Told {
    fn keep(&mut self, place: usize, exchange: Option<Exchange>) {
        let Some(exchange) = exchange else { return };
        if self.exchanges.len() < MOST_EXCHANGES {
            self.exchanges.push((place, exchange));
        } else {
            self.beyond += 1;
        }
    }
}

impl Conversation {
    /// Handles data of the caller. Returns the previous exchange, if this data begins another.
    fn ask(&mut self, at: u64, segment: &Segment<'_>) -> Option<Exchange> {
        if !self.asking.is_new(segment) {
            return None;
        }
        let bytes = u64::from(segment.length);
        if let State::Asked(question) = &mut self.state {
            question.last = at;
            question.bytes += bytes;
            return None;
        }
        let before = self.exchange();
        self.state = State::Asked(Question {
            protocol: protocol(segment.data),
            first: at,
            last: at,
            bytes,
        });
        before
    }

    fn answer(&mut self, at: u64, segment: &Segment<'_>) {
        if !self.answering.is_new(segment) {
            return;
        }
        let bytes = u64::from(segment.length);
        match &mut self.state {
            // No question was seen: this is the rest of an answer that began before the capture.
            State::Quiet => {}
            // The callee asks for the rest of the question (RFC 9110, section 15.2.1).
            State::Asked(_) if segment.data.starts_with(b"HTTP/1.1 100") => {}
            State::Asked(question) => {
                let answer = Answer {
                    first: at,
                    last: at,
                    bytes,
                };
                self.state = State::Answered(*question, answer);
            }
            State::Answered(_, answer) => {
                answer.last = at;
                answer.bytes += bytes;
            }
        }
    }

    fn end(&mut self, told: &mut Told) -> Option<Exchange> {
        let exchange = self.exchange();
        if matches!(self.state, State::Asked(_)) {
            told.unanswered += 1;
        }
        self.state = State::Quiet;
        exchange
    }

    fn exchange(&self) -> Option<Exchange> {
        let State::Answered(question, answer) = self.state else {
            return None;
        };
        Some(Exchange {
            protocol: question.protocol,
            sending: question.last.saturating_sub(question.first),
            waiting: answer.first.saturating_sub(question.last),
            receiving: answer.last.saturating_sub(answer.first),
            sent: question.bytes,
            received: answer.bytes,
        })
    }
}

fn protocol(question: &[u8]) -> Protocol {
    const METHODS: [&[u8]; 9] = [
        b"GET ",
        b"POST ",
        b"PUT ",
        b"DELETE ",
        b"HEAD ",
        b"PATCH ",
        b"OPTIONS ",
        b"TRACE ",
        b"CONNECT ",
    ];
    if METHODS.iter().any(|method| question.starts_with(method)) {
        Protocol::Http1
    } else if question.starts_with(b"PRI * HTTP/2") || is_http2_frame(question) {
        Protocol::Http2
    } else if matches!(question, [0x14..=0x17, 3, ..]) {
        Protocol::Tls
    } else {
        Protocol::Other
    }
}

/// Whether this is a frame in the middle of a connection: its length is below the default limit,
/// its type exists, and no reserved bit is set.
fn is_http2_frame(bytes: &[u8]) -> bool {
    let Some(header) = bytes.get(..HTTP2_FRAME) else {
        return false;
    };
    let length = usize::from(header[1]) << 8 | usize::from(header[2]);
    header[0] == 0 && length <= 16_384 && header[3] <= 9 && header[5] & 0x80 == 0 && {
        // SETTINGS, PING and GOAWAY are of the connection, stream 0; data and headers of another.
        let is_stream = header[5..9] != [0, 0, 0, 0];
        match header[3] {
            0..=3 | 5 | 9 => is_stream,
            4 | 6 | 7 => !is_stream,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CALLEE: &str = "127.0.0.1:8080";
    const CALLER: &str = "127.0.0.1:50000";

    /// A connection whose two directions count their bytes.
    struct Line {
        heard: Conversations,
        next: [u32; 2],
    }

    impl Line {
        fn new() -> Self {
            Self {
                heard: Conversations::with(vec![CALLEE.parse().unwrap()]),
                next: [7, 900],
            }
        }

        fn send(&mut self, at: u64, is_question: bool, data: &[u8], ends: bool) {
            let (from, to) = if is_question {
                (CALLER, CALLEE)
            } else {
                (CALLEE, CALLER)
            };
            let sequence = &mut self.next[usize::from(!is_question)];
            let segment = Segment {
                from: from.parse().unwrap(),
                to: to.parse().unwrap(),
                sequence: *sequence,
                opens: false,
                ends,
                length: data.len() as u32,
                data,
            };
            *sequence = sequence.wrapping_add(data.len() as u32);
            self.heard.take(at, &segment);
        }

        fn ask(&mut self, at: u64, data: &[u8]) {
            self.send(at, true, data, false);
        }

        fn answer(&mut self, at: u64, data: &[u8]) {
            self.send(at, false, data, false);
        }
    }

    #[test]
    fn a_question_in_two_segments_and_an_answer_in_three() {
        let mut line = Line::new();
        line.ask(100, b"POST /prices HTTP/1.1\r\n");
        line.ask(110, b"{}");
        line.answer(410, b"HTTP/1.1 200 OK\r\n");
        line.answer(415, b"[");
        line.answer(430, b"]");
        line.ask(1000, b"GET / HTTP/1.1\r\n");
        let told = line.heard.end();
        assert_eq!(
            told.exchanges,
            [(
                0,
                Exchange {
                    protocol: Protocol::Http1,
                    sending: 10,
                    waiting: 300,
                    receiving: 20,
                    sent: 25,
                    received: 19
                }
            )]
        );
        assert_eq!(told.unanswered, 1);
    }

    #[test]
    fn an_answer_that_ends_the_connection_is_whole() {
        let mut line = Line::new();
        line.ask(1, b"GET / HTTP/1.0\r\n\r\n");
        line.answer(5, b"HTTP/1.0 200 OK\r\n");
        line.send(9, false, b"bye", true);
        let told = line.heard.end();
        assert_eq!(told.exchanges.len(), 1);
        assert_eq!(told.exchanges[0].1.receiving, 4);
    }

    #[test]
    fn what_is_sent_again_changes_nothing() {
        let mut line = Line::new();
        line.ask(1, b"GET / HTTP/1.1\r\n\r\n");
        line.next[0] -= 18;
        line.ask(50, b"GET / HTTP/1.1\r\n\r\n");
        line.answer(60, b"HTTP/1.1 200 OK\r\n\r\n");
        let told = line.heard.end();
        assert_eq!(told.exchanges[0].1.sending, 0);
        assert_eq!(told.exchanges[0].1.sent, 18);
        assert_eq!(told.exchanges[0].1.waiting, 59);
    }

    #[test]
    fn a_call_to_go_on_is_no_answer() {
        let mut line = Line::new();
        line.ask(1, b"PUT / HTTP/1.1\r\n\r\n");
        line.answer(2, b"HTTP/1.1 100 Continue\r\n\r\n");
        line.ask(3, b"body");
        line.answer(13, b"HTTP/1.1 200 OK\r\n\r\n");
        let told = line.heard.end();
        assert_eq!(told.exchanges.len(), 1);
        assert_eq!(
            (told.exchanges[0].1.sending, told.exchanges[0].1.waiting),
            (2, 10)
        );
    }

    #[test]
    fn the_rest_of_an_older_answer_is_passed_over() {
        let mut line = Line::new();
        line.answer(1, b"...}");
        line.ask(2, b"GET / HTTP/1.1\r\n\r\n");
        line.answer(4, b"HTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(line.heard.end().exchanges.len(), 1);
    }

    #[test]
    fn numbers_that_wrap_around_go_on() {
        let mut line = Line::new();
        line.next = [u32::MAX - 3, u32::MAX];
        for at in [10, 20, 30] {
            line.ask(at, b"question");
            line.answer(at + 1, b"answer");
        }
        assert_eq!(line.heard.end().exchanges.len(), 3);
    }

    #[test]
    fn a_connection_that_opens_with_the_last_number_is_no_overflow() {
        let mut heard = Conversations::with(vec![CALLEE.parse().unwrap()]);
        let opening = Segment {
            from: CALLER.parse().unwrap(),
            to: CALLEE.parse().unwrap(),
            sequence: u32::MAX,
            opens: true,
            ends: false,
            length: 0,
            data: b"",
        };
        heard.take(1, &opening);
        assert!(heard.end().exchanges.is_empty());
    }

    #[test]
    fn protocols_by_their_first_bytes() {
        for (first, is) in [
            (&b"DELETE /x HTTP/1.1"[..], Protocol::Http1),
            (b"PRI * HTTP/2.0\r\n\r\nSM", Protocol::Http2),
            (b"\0\0\x1c\x01\x05\0\0\0\x03..", Protocol::Http2),
            (b"\x17\x03\x03\0\x20", Protocol::Tls),
            (b"*2\r\n$3\r\nGET\r\n", Protocol::Other),
            (b"Q\0\0\0\x20select 1", Protocol::Other),
            (b"\x09\0\0\0\x03select 1", Protocol::Other),
        ] {
            assert_eq!(protocol(first), is, "{first:?}");
        }
    }

    proptest! {
        /// However segments are cut, the first and the last instants are those that were sent.
        #[test]
        fn exchanges_are_those_that_were_made(
            made in proptest::collection::vec((1_u64..50, 1_u64..500, 1_u64..50, 1_usize..6, 1_usize..6), 1..40)
        ) {
            let mut line = Line::new();
            let mut at = 1_u64;
            let mut expected = Vec::new();
            for (step, waiting, gap, questions, answers) in made {
                let begin = at;
                for i in 0..questions {
                    at += if i > 0 { step } else { 0 };
                    line.ask(at, b"xx");
                }
                let asked = at;
                at += waiting;
                let answered = at;
                for i in 0..answers {
                    at += if i > 0 { step } else { 0 };
                    line.answer(at, b"yyy");
                }
                expected.push((asked - begin, waiting, at - answered));
                at += gap;
            }
            let told = line.heard.end();
            let heard: Vec<_> = told
                .exchanges
                .iter()
                .map(|(_, one)| (one.sending, one.waiting, one.receiving))
                .collect();
            prop_assert_eq!(heard, expected);
        }
    }
}
