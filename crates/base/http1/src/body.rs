//! Where a body ends (RFC 9112, 6.3).

use crate::HttpFault;
use crate::chunked::Chunked;
use crate::head::{Coding, Parsed};

/// What is left of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// This many bytes, from `Content-Length`.
    Length(u64),
    /// Chunks, the last of them empty.
    Chunked(Chunked),
    /// Everything until the peer closes.
    UntilClose,
}

impl Body {
    /// The body that a head announces.
    pub fn of(head: &Parsed, to_head_request: bool) -> Result<Self, HttpFault> {
        if to_head_request || head.status == 204 || head.status == 304 {
            return Ok(Self::Length(0));
        }
        Ok(match (head.coding, head.content_length) {
            // A coding overrides the length.
            (Some(Coding::Chunked), _) => Self::Chunked(Chunked::default()),
            (Some(Coding::Other), _) => Self::UntilClose,
            (None, Some(length)) => Self::Length(length),
            (None, None) => Self::UntilClose,
        })
    }

    /// Takes bytes. Returns how many of them belong to the body, and whether it is complete. The
    /// data is passed to `data`, without the framing of the transfer coding.
    #[inline]
    pub fn take(
        &mut self,
        bytes: &[u8],
        mut data: impl FnMut(&[u8]),
    ) -> Result<(usize, bool), HttpFault> {
        match self {
            Self::Length(left) => {
                let taken = usize::try_from(*left).map_or(bytes.len(), |l| l.min(bytes.len()));
                *left -= taken as u64;
                data(&bytes[..taken]);
                Ok((taken, *left == 0))
            }
            Self::Chunked(chunked) => chunked.take(bytes, data),
            Self::UntilClose => {
                data(bytes);
                Ok((bytes.len(), false))
            }
        }
    }
}
