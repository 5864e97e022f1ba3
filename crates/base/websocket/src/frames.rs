//! What goes out.

use tungstenite::protocol::frame::FrameHeader;
use tungstenite::protocol::frame::coding::{Control, Data, OpCode};

/// What a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// A whole message: of text where its bytes are UTF-8, else of bytes.
    Message,
    /// The answer to a ping: its bytes go back.
    Pong,
}

/// One frame as a client sends it: masked (RFC 6455, 5.3). The mask keeps what a page sends from
/// looking like HTTP to a proxy on the way; here nobody else chooses what is sent, so it may be the
/// same each time.
#[must_use]
pub fn frame(kind: Frame, payload: &[u8], mask: [u8; 4]) -> Vec<u8> {
    let header = FrameHeader {
        opcode: match kind {
            Frame::Message if std::str::from_utf8(payload).is_ok() => OpCode::Data(Data::Text),
            Frame::Message => OpCode::Data(Data::Binary),
            Frame::Pong => OpCode::Control(Control::Pong),
        },
        mask: Some(mask),
        ..FrameHeader::default()
    };
    let length = payload.len() as u64;
    let mut bytes = Vec::with_capacity(header.len(length) + payload.len());
    // Writing into memory does not fail.
    let _ = header.format(length, &mut bytes);
    let masks = mask.iter().cycle();
    bytes.extend(payload.iter().zip(masks).map(|(byte, mask)| byte ^ mask));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_masked_and_says_what_it_is() {
        // RFC 6455, 5.7: a single-frame masked text message of "Hello".
        let mask = [0x37, 0xfa, 0x21, 0x3d];
        let expected = [
            0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58,
        ];
        assert_eq!(frame(Frame::Message, b"Hello", mask), expected);
        assert_eq!(frame(Frame::Message, &[0xff], mask)[0], 0x82);
        assert_eq!(frame(Frame::Pong, b"Hello", mask)[0], 0x8a);
    }

    #[test]
    fn lengths_take_as_many_bytes_as_they_need() {
        for (length, head) in [(0, 6), (125, 6), (126, 8), (65_535, 8), (65_536, 14)] {
            let bytes = frame(Frame::Message, &vec![b'a'; length], [0; 4]);
            assert_eq!(bytes.len(), head + length);
        }
    }
}
