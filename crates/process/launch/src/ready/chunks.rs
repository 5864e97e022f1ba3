//! Finding the end of a chunked body (RFC 9112, section 7.1). Pure.

use super::answer::Broken;

/// Longest line between chunks that is taken for HTTP.
const MOST_LINE: usize = 4 * 1024;

/// Where in a chunked body.
#[derive(Debug)]
pub(super) enum Chunks {
    Size(Vec<u8>),
    Data(u64),
    /// The line break after the data.
    Break(Vec<u8>),
    /// Trailer fields, up to an empty line.
    Trailer(Vec<u8>),
}

impl Chunks {
    pub(super) fn new() -> Self {
        Self::Size(Vec::new())
    }

    /// Takes some bytes; true when the body has ended.
    pub(super) fn take<'a>(&mut self, bytes: &'a [u8]) -> Result<(bool, &'a [u8]), Broken> {
        match self {
            Self::Data(left) => {
                let taken = usize::try_from(*left)
                    .unwrap_or(usize::MAX)
                    .min(bytes.len());
                *left -= taken as u64;
                if *left == 0 {
                    *self = Self::Break(Vec::new());
                }
                Ok((false, bytes.get(taken..).unwrap_or_default()))
            }
            Self::Size(line) => {
                let Some(rest) = take_line(line, bytes)? else {
                    return Ok((false, &[]));
                };
                *self = match chunk_size(line)? {
                    0 => Self::Trailer(Vec::new()),
                    size => Self::Data(size),
                };
                Ok((false, rest))
            }
            Self::Break(line) => {
                let Some(rest) = take_line(line, bytes)? else {
                    return Ok((false, &[]));
                };
                if !line.is_empty() {
                    return Err(Broken::NotHttp);
                }
                *self = Self::Size(Vec::new());
                Ok((false, rest))
            }
            Self::Trailer(line) => {
                let Some(rest) = take_line(line, bytes)? else {
                    return Ok((false, &[]));
                };
                let ended = line.is_empty();
                *self = Self::Trailer(Vec::new());
                Ok((ended, rest))
            }
        }
    }
}

/// Collects a line without its break; `None` while it is not complete.
fn take_line<'a>(line: &mut Vec<u8>, bytes: &'a [u8]) -> Result<Option<&'a [u8]>, Broken> {
    let end = bytes.iter().position(|b| *b == b'\n');
    line.extend_from_slice(bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default());
    if line.len() > MOST_LINE {
        return Err(Broken::NotHttp);
    }
    let Some(end) = end else { return Ok(None) };
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    Ok(Some(bytes.get(end + 1..).unwrap_or_default()))
}

/// Hexadecimal, before any extension.
fn chunk_size(line: &[u8]) -> Result<u64, Broken> {
    let text = std::str::from_utf8(line).map_err(|_| Broken::NotHttp)?;
    let digits = text.split(';').next().unwrap_or_default().trim();
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(Broken::NotHttp);
    }
    u64::from_str_radix(digits, 16).map_err(|_| Broken::NotHttp)
}
