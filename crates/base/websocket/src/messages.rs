//! What comes in: frames, as their bytes come, and the messages that they make.

use std::io::Cursor;
use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

/// The most bytes that a control frame may carry (RFC 6455, 5.5).
pub const MAX_CONTROL_BYTES: usize = 125;

/// The longest head that a server sends: two bytes, and a length of eight. A mask makes four more.
const HEAD_BYTES: usize = 14;

/// How many of the given bytes were read, and what they made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Took {
    /// How many bytes it took: all of them, unless something was complete before their end.
    pub consumed: usize,
    /// What is complete now.
    pub came: Option<Came>,
}

/// Something that has come completely.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Came {
    /// A message, in any number of frames.
    Message,
    /// A ping: these bytes are wanted back.
    Ping(Vec<u8>),
    /// The peer closes, with this code where it says one.
    Close(Option<u16>),
}

/// Why bytes are no frames that a server may send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MessageFault {
    /// A frame of an unknown kind.
    #[error("a frame of the WebSocket has a kind that there is not")]
    Kind,
    /// A server's frames are not masked (RFC 6455, 5.1).
    #[error("a frame of the WebSocket is masked, which a server's is not")]
    Masked,
    /// Bits of an extension that was not offered.
    #[error("a frame of the WebSocket uses an extension that was not offered")]
    Extension,
    /// A control frame that is fragmented, or longer than [`MAX_CONTROL_BYTES`].
    #[error("a control frame of the WebSocket is longer than it may be, or comes in parts")]
    Control,
    /// A continuation without a beginning, or a new message within another one.
    #[error("the parts of a message of the WebSocket are out of order")]
    Order,
}

/// Reads frame after frame from one connection. Of messages it keeps no more than it is told to.
#[derive(Debug, Default)]
pub struct Messages {
    head: [u8; HEAD_BYTES],
    head_length: usize,
    frame: Option<Coming>,
    /// The beginning of a message has come, and not its end.
    within_message: bool,
    control: Vec<u8>,
    keep: usize,
    kept: Vec<u8>,
    truncated: bool,
}

/// A frame whose head has come.
#[derive(Debug, Clone, Copy)]
struct Coming {
    left: u64,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Part { is_last: bool },
    Ping,
    Pong,
    Close,
}

impl Messages {
    /// Sets how many bytes of messages are kept from now on, over all messages.
    pub fn keep(&mut self, bytes: usize) {
        self.keep = bytes;
        self.kept = Vec::new();
        self.truncated = false;
    }

    /// What was kept, and whether there was more.
    pub fn take_kept(&mut self) -> (Vec<u8>, bool) {
        (std::mem::take(&mut self.kept), self.truncated)
    }

    /// Reads the next bytes of the stream, up to the end of the first message or control frame that
    /// is complete.
    ///
    /// # Errors
    /// When they are nothing that a server may send; the connection is of no use any more.
    pub fn read(&mut self, bytes: &[u8]) -> Result<Took, MessageFault> {
        let mut at = 0;
        loop {
            let coming = match self.frame {
                Some(coming) => coming,
                None => {
                    let Some(&byte) = bytes.get(at) else {
                        return Ok(Took {
                            consumed: at,
                            came: None,
                        });
                    };
                    at += 1;
                    match self.head_byte(byte)? {
                        Some(coming) => coming,
                        None => continue,
                    }
                }
            };
            let available = &bytes[at..];
            let taken = usize::try_from(coming.left)
                .map_or(available.len(), |left| left.min(available.len()));
            self.payload(coming.what, &available[..taken]);
            at += taken;
            let left = coming.left - taken as u64;
            if left > 0 {
                self.frame = Some(Coming { left, ..coming });
                return Ok(Took {
                    consumed: at,
                    came: None,
                });
            }
            self.frame = None;
            if let Some(came) = self.whole(coming.what) {
                return Ok(Took {
                    consumed: at,
                    came: Some(came),
                });
            }
        }
    }

    fn head_byte(&mut self, byte: u8) -> Result<Option<Coming>, MessageFault> {
        if let Some(place) = self.head.get_mut(self.head_length) {
            *place = byte;
            self.head_length += 1;
        }
        let mut cursor = Cursor::new(&self.head[..self.head_length]);
        let parsed = FrameHeader::parse(&mut cursor).map_err(|_| MessageFault::Kind)?;
        let Some((header, length)) = parsed else {
            return Ok(None);
        };
        self.head_length = 0;
        let what = self.what(&header, length)?;
        Ok(Some(Coming { left: length, what }))
    }

    fn what(&mut self, header: &FrameHeader, length: u64) -> Result<What, MessageFault> {
        if header.mask.is_some() {
            return Err(MessageFault::Masked);
        }
        if header.rsv1 || header.rsv2 || header.rsv3 {
            return Err(MessageFault::Extension);
        }
        let control = match header.opcode {
            OpCode::Data(data) => {
                if (data == Data::Continue) != self.within_message {
                    return Err(MessageFault::Order);
                }
                self.within_message = !header.is_final;
                return Ok(What::Part {
                    is_last: header.is_final,
                });
            }
            OpCode::Control(control) => control,
        };
        if !header.is_final || length > MAX_CONTROL_BYTES as u64 {
            return Err(MessageFault::Control);
        }
        self.control.clear();
        Ok(match control {
            Control::Close => What::Close,
            Control::Ping => What::Ping,
            Control::Pong | Control::Reserved(_) => What::Pong,
        })
    }

    fn payload(&mut self, what: What, bytes: &[u8]) {
        match what {
            What::Part { .. } => {
                let room = self.keep.saturating_sub(self.kept.len());
                self.kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
                self.truncated |= bytes.len() > room;
            }
            What::Ping | What::Close => self.control.extend_from_slice(bytes),
            What::Pong => {}
        }
    }

    fn whole(&mut self, what: What) -> Option<Came> {
        match what {
            What::Part { is_last } => is_last.then_some(Came::Message),
            What::Ping => Some(Came::Ping(std::mem::take(&mut self.control))),
            What::Pong => None,
            What::Close => {
                let code = self.control.first_chunk().copied();
                Some(Came::Close(code.map(u16::from_be_bytes)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// All that comes of bytes that come in pieces of these sizes, then whole.
    fn read(bytes: &[u8], pieces: &[usize]) -> Result<(Vec<Came>, Vec<u8>), MessageFault> {
        let mut messages = Messages::default();
        messages.keep(1_000);
        let mut came = Vec::new();
        let mut pieces = pieces.iter();
        let mut left = bytes;
        while !left.is_empty() {
            let size = pieces.next().map_or(left.len(), |size| *size);
            let (mut piece, rest) = left.split_at(size.clamp(1, left.len()));
            left = rest;
            while !piece.is_empty() {
                let took = messages.read(piece)?;
                piece = &piece[took.consumed..];
                came.extend(took.came);
            }
        }
        Ok((came, messages.take_kept().0))
    }

    fn came(bytes: &[u8]) -> Vec<Came> {
        read(bytes, &[]).unwrap().0
    }

    #[test]
    fn the_examples_of_the_standard() {
        // RFC 6455, 5.7.
        let hello = [0x81, 0x05, b'H', b'e', b'l', b'l', b'o'];
        assert_eq!(
            read(&hello, &[]),
            Ok((vec![Came::Message], b"Hello".to_vec()))
        );
        let parts = [0x01, 0x03, b'H', b'e', b'l', 0x80, 0x02, b'l', b'o'];
        assert_eq!(
            read(&parts, &[]),
            Ok((vec![Came::Message], b"Hello".to_vec()))
        );
        let ping = [0x89, 0x05, b'H', b'e', b'l', b'l', b'o'];
        assert_eq!(came(&ping), [Came::Ping(b"Hello".to_vec())]);
        for (length, head) in [
            (256_usize, vec![0x82, 0x7e, 0x01, 0x00]),
            (65_536, vec![0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] {
            let mut bytes = head;
            bytes.resize(bytes.len() + length, 7);
            let (came, kept) = read(&bytes, &[]).unwrap();
            assert_eq!((came, kept.len()), (vec![Came::Message], length.min(1_000)));
        }
    }

    #[test]
    fn control_frames_may_come_between_the_parts_of_a_message() {
        let bytes = [
            0x01, 0x01, b'a', 0x89, 0x00, 0x8a, 0x01, b'x', 0x80, 0x01, b'b', 0x88, 0x02, 0x03,
            0xe8,
        ];
        let expected = vec![Came::Ping(vec![]), Came::Message, Came::Close(Some(1000))];
        assert_eq!(read(&bytes, &[]), Ok((expected, b"ab".to_vec())));
        assert_eq!(came(&[0x88, 0x00]), [Came::Close(None)]);
        assert_eq!(came(&[0x81, 0x00]), [Came::Message], "an empty one is one");
    }

    #[test]
    fn what_a_server_may_not_send_is_a_fault() {
        for (bytes, fault) in [
            (&[0x83, 0x00][..], MessageFault::Kind),
            (&[0x81, 0x80, 0, 0, 0, 0], MessageFault::Masked),
            (&[0xc1, 0x00], MessageFault::Extension),
            (&[0x09, 0x00], MessageFault::Control),
            (&[0x89, 0x7e, 0x00, 0x7e], MessageFault::Control),
            (&[0x80, 0x00], MessageFault::Order),
            (&[0x01, 0x00, 0x01, 0x00], MessageFault::Order),
        ] {
            assert_eq!(read(bytes, &[]), Err(fault), "{bytes:x?}");
        }
    }

    proptest! {
        #[test]
        fn how_the_bytes_come_makes_no_difference(
            bytes in proptest::collection::vec(
                prop_oneof![Just(0x81_u8), Just(0x01), Just(0x80), Just(0x89), Just(0x7e), 0..6_u8, any::<u8>()],
                0..60,
            ),
            pieces in proptest::collection::vec(1..9_usize, 0..20),
        ) {
            prop_assert_eq!(read(&bytes, &pieces), read(&bytes, &[]));
        }
    }
}
