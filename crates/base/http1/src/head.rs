//! The head of an answer, as far as it says where the answer ends and whether the connection stays
//! open.

use crate::HttpFault;
use crate::kept::Keeper;
use crate::recent::RecentHead;
use std::mem::MaybeUninit;

/// A head that is larger is refused, so that a peer cannot fill our memory.
pub const MAX_HEAD_BYTES: usize = 64 * 1024;

/// More header fields than this are refused.
pub const MAX_HEADERS: usize = 128;

/// What the reader needs from a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parsed {
    /// 100 to 599.
    pub status: u16,
    /// Whether the connection stays open, by the version and `Connection`.
    pub keep_alive: bool,
    /// Bytes of the body by `Content-Length`; absent when it is not given.
    pub content_length: Option<u64>,
    /// `Transfer-Encoding`, if any.
    pub coding: Option<Coding>,
}

/// The last transfer coding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Chunked: the body itself says where it ends.
    Chunked,
    /// Any other coding: the body ends with the connection.
    Other,
}

/// Parses a head from `bytes`, or from `partial` and `bytes` together. Returns it with the number
/// of `bytes` that belong to it, or `None` when it has not come whole; then `partial` keeps them.
///
/// At most [`MAX_HEAD_BYTES`] are ever looked at, so the result depends on the bytes alone and
/// not on how they were split. `keeper` gets the fields of a whole head, if it wants any.
#[inline]
pub fn take(
    partial: &mut Vec<u8>,
    bytes: &[u8],
    keeper: Option<&mut Keeper>,
    recent: &mut RecentHead,
) -> Result<Option<(Parsed, usize)>, HttpFault> {
    if partial.is_empty()
        && keeper.is_none()
        && let Some(found) = recent.matching(bytes)
    {
        return Ok(Some(found));
    }
    take_unknown(partial, bytes, keeper, recent)
}

fn take_unknown(
    partial: &mut Vec<u8>,
    bytes: &[u8],
    keeper: Option<&mut Keeper>,
    recent: &mut RecentHead,
) -> Result<Option<(Parsed, usize)>, HttpFault> {
    if partial.is_empty() {
        let window = &bytes[..bytes.len().min(MAX_HEAD_BYTES)];
        if let Some((head, length)) = parse(window, keeper)? {
            recent.remember(&bytes[..length], head);
            return Ok(Some((head, length)));
        }
        if bytes.len() >= MAX_HEAD_BYTES {
            return Err(HttpFault::HeadTooLarge);
        }
        partial.extend_from_slice(bytes);
        return Ok(None);
    }
    let before = partial.len();
    let room = MAX_HEAD_BYTES - before;
    partial.extend_from_slice(&bytes[..bytes.len().min(room)]);
    match parse(partial, keeper)? {
        Some((head, length)) => {
            partial.clear();
            Ok(Some((head, length.saturating_sub(before))))
        }
        None if partial.len() >= MAX_HEAD_BYTES => Err(HttpFault::HeadTooLarge),
        None => Ok(None),
    }
}

fn parse(bytes: &[u8], keeper: Option<&mut Keeper>) -> Result<Option<(Parsed, usize)>, HttpFault> {
    // Not initialised on purpose: 4 KiB of zeros for each answer would be the costliest part of it.
    let mut fields = [const { MaybeUninit::uninit() }; MAX_HEADERS];
    let mut response = httparse::Response::new(&mut []);
    let parsed = httparse::ParserConfig::default().parse_response_with_uninit_headers(
        &mut response,
        bytes,
        &mut fields,
    );
    let length = match parsed {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(HttpFault::HeadTooLarge),
        Err(error) => return Err(HttpFault::Head(error)),
    };
    let status = response.code.unwrap_or(0);
    if !(100..600).contains(&status) {
        return Err(HttpFault::Status(status));
    }
    let mut head = Parsed {
        status,
        // HTTP/1.1 stays open unless it says otherwise, HTTP/1.0 the other way round.
        keep_alive: response.version == Some(1),
        content_length: None,
        coding: None,
    };
    for field in response.headers.iter() {
        head.take_field(field.name, field.value)?;
    }
    if let Some(keeper) = keeper {
        keeper.head(status, response.headers.iter().map(|f| (f.name, f.value)));
    }
    Ok(Some((head, length)))
}

impl Parsed {
    fn take_field(&mut self, name: &str, value: &[u8]) -> Result<(), HttpFault> {
        // Compares by length first: most fields are none of the three.
        match name.len() {
            10 if name.eq_ignore_ascii_case("connection") => {
                for option in elements(value) {
                    if option.eq_ignore_ascii_case(b"close") {
                        self.keep_alive = false;
                        break;
                    }
                    if option.eq_ignore_ascii_case(b"keep-alive") {
                        self.keep_alive = true;
                    }
                }
            }
            14 if name.eq_ignore_ascii_case("content-length") => {
                // A list of equal numbers is allowed (RFC 9112, 6.3).
                for element in elements(value) {
                    let length = decimal(element).ok_or(HttpFault::ContentLength)?;
                    if self.content_length.is_some_and(|known| known != length) {
                        return Err(HttpFault::ContentLength);
                    }
                    self.content_length = Some(length);
                }
                if self.content_length.is_none() {
                    return Err(HttpFault::ContentLength);
                }
            }
            17 if name.eq_ignore_ascii_case("transfer-encoding") => {
                if let Some(last) = elements(value).last() {
                    self.coding = Some(if last.eq_ignore_ascii_case(b"chunked") {
                        Coding::Chunked
                    } else {
                        Coding::Other
                    });
                }
            }
            _ => {}
        }
        Ok(())
    }
}

/// The non-empty elements of a comma-separated list.
fn elements(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value
        .split(|&b| b == b',')
        .map(<[u8]>::trim_ascii)
        .filter(|element| !element.is_empty())
}

/// Digits only: `str::parse` would take a plus sign.
fn decimal(digits: &[u8]) -> Option<u64> {
    digits.iter().try_fold(0u64, |number, byte| {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        number.checked_mul(10)?.checked_add(digit)
    })
}
