//! A protobuf body in which values are filled in. Texts and messages are preceded by their length,
//! so a value that is filled in changes the bytes around it
//! (<https://protobuf.dev/programming-guides/encoding/>).

use serde::{Deserialize, Serialize};
use std::fmt;

/// A part of a body, in the order of the wire.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Piece {
    /// As they are; tags of fields are among them.
    Bytes(Vec<u8>),
    /// Template of a text, which comes behind its length.
    Text(String),
    /// Template of a number.
    Number(Number, String),
    /// A message within another, behind its length.
    Message(Vec<Piece>),
    /// A message of gRPC, behind five bytes that say its length.
    Frame(Vec<Piece>),
}

impl Piece {
    /// Roughly the bytes that it takes.
    #[must_use]
    pub fn weight(&self) -> usize {
        let content = match self {
            Self::Bytes(bytes) => bytes.len(),
            Self::Text(text) | Self::Number(_, text) => text.len(),
            Self::Message(pieces) | Self::Frame(pieces) => pieces.iter().map(Self::weight).sum(),
        };
        size_of::<Self>() + content
    }
}

/// A type of numbers, as `.proto` files name them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Number {
    /// A varint; negative ones take ten bytes.
    Int32,
    /// The same of 64 bits.
    Int64,
    /// A varint.
    Uint32,
    /// The same of 64 bits.
    Uint64,
    /// A varint of a small number, whatever the sign.
    Sint32,
    /// The same of 64 bits.
    Sint64,
    /// Four bytes.
    Fixed32,
    /// Eight bytes.
    Fixed64,
    /// Four bytes with a sign.
    Sfixed32,
    /// Eight bytes with a sign.
    Sfixed64,
    /// Four bytes of IEEE 754.
    Float,
    /// Eight bytes of IEEE 754.
    Double,
}

impl Number {
    /// Writes one; `None` where the text is none of this type.
    pub(crate) fn write(self, text: &str, out: &mut Vec<u8>) -> Option<()> {
        match self {
            Self::Int32 => varint(i64::from(text.parse::<i32>().ok()?).cast_unsigned(), out),
            Self::Int64 => varint(text.parse::<i64>().ok()?.cast_unsigned(), out),
            Self::Uint32 => varint(u64::from(text.parse::<u32>().ok()?), out),
            Self::Uint64 => varint(text.parse().ok()?, out),
            Self::Sint32 => varint(zigzag(i64::from(text.parse::<i32>().ok()?)), out),
            Self::Sint64 => varint(zigzag(text.parse().ok()?), out),
            Self::Fixed32 => out.extend(text.parse::<u32>().ok()?.to_le_bytes()),
            Self::Fixed64 => out.extend(text.parse::<u64>().ok()?.to_le_bytes()),
            Self::Sfixed32 => out.extend(text.parse::<i32>().ok()?.to_le_bytes()),
            Self::Sfixed64 => out.extend(text.parse::<i64>().ok()?.to_le_bytes()),
            Self::Float => out.extend(text.parse::<f32>().ok()?.to_le_bytes()),
            Self::Double => out.extend(text.parse::<f64>().ok()?.to_le_bytes()),
        }
        Some(())
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Int32 => "int32",
            Self::Int64 => "int64",
            Self::Uint32 => "uint32",
            Self::Uint64 => "uint64",
            Self::Sint32 => "sint32",
            Self::Sint64 => "sint64",
            Self::Fixed32 => "fixed32",
            Self::Fixed64 => "fixed64",
            Self::Sfixed32 => "sfixed32",
            Self::Sfixed64 => "sfixed64",
            Self::Float => "float",
            Self::Double => "double",
        })
    }
}

/// Seven bits a byte, the lowest first; all bytes but the last have their highest bit set.
pub fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Small numbers stay small, whatever their sign.
fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// A length of a text or a message, and then itself.
pub(crate) fn behind_its_length(content: &[u8], out: &mut Vec<u8>) {
    varint(content.len() as u64, out);
    out.extend_from_slice(content);
}

/// A message of gRPC: not compressed, behind its length (Length-Prefixed-Message of "gRPC over
/// HTTP/2").
pub fn frame(message: &[u8], out: &mut Vec<u8>) {
    // Bodies are far smaller than this bound.
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    out.push(0);
    out.extend(length.to_be_bytes());
    out.extend_from_slice(message);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(number: Number, text: &str) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        number.write(text, &mut out).map(|()| out)
    }

    /// By the examples of the description of the wire.
    #[test]
    fn numbers_are_written_as_protobuf_writes_them() {
        for (number, text, bytes) in [
            (Number::Int32, "150", &[0x96, 0x01][..]),
            (Number::Uint64, "0", &[0]),
            (
                Number::Int32,
                "-2",
                &[0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
            ),
            (Number::Sint32, "-2", &[3]),
            (
                Number::Sint64,
                "2147483647",
                &[0xfe, 0xff, 0xff, 0xff, 0x0f],
            ),
            (Number::Fixed32, "1", &[1, 0, 0, 0]),
            (Number::Sfixed32, "-1", &[0xff, 0xff, 0xff, 0xff]),
            (Number::Sfixed64, "1", &[1, 0, 0, 0, 0, 0, 0, 0]),
            (Number::Double, "1.5", &[0, 0, 0, 0, 0, 0, 0xf8, 0x3f]),
            (Number::Float, "1.5", &[0, 0, 0xc0, 0x3f]),
        ] {
            assert_eq!(
                written(number, text).as_deref(),
                Some(bytes),
                "{number} {text}"
            );
        }
        for (number, text) in [
            (Number::Int32, "2147483648"),
            (Number::Uint32, "-1"),
            (Number::Fixed64, "1.5"),
            (Number::Double, "much"),
            (Number::Int64, ""),
        ] {
            assert_eq!(written(number, text), None, "{number} {text}");
        }
    }
}
