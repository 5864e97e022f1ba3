//! Messages of protobuf that are ready to be filled in.

use crate::protobuf::{Number, behind_its_length, frame};
use crate::template::{Bound, RenderFault, Scope};
use bytes::Bytes;

/// A part of a body; see [`crate::protobuf::Piece`].
#[derive(Debug)]
pub(super) enum Piece {
    Bytes(Bytes),
    Text(Bound),
    Number(Number, Bound),
    Message(Box<[Piece]>),
    Frame(Box<[Piece]>),
}

pub(super) fn render(pieces: &[Piece], scope: &mut Scope<'_>) -> Result<Vec<u8>, RenderFault> {
    let mut out = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Bytes(bytes) => out.extend_from_slice(bytes),
            Piece::Text(text) => behind_its_length(text.render(scope)?.as_bytes(), &mut out),
            Piece::Number(kind, text) => {
                let value = text.render(scope)?;
                let written = kind.write(&value, &mut out);
                written.ok_or(RenderFault::NoNumber { value, kind: *kind })?;
            }
            Piece::Message(pieces) => behind_its_length(&render(pieces, scope)?, &mut out),
            Piece::Frame(pieces) => frame(&render(pieces, scope)?, &mut out),
        }
    }
    Ok(out)
}
