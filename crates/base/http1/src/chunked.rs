//! The chunked transfer coding (RFC 9112, 7.1), one byte or one chunk at a time.

use crate::HttpFault;

/// Most bytes of extensions and trailer fields, which are skipped.
const MAX_SKIPPED_BYTES: u32 = 64 * 1024;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Step {
    /// Before the first digit of a size.
    #[default]
    SizeBegin,
    /// Within the digits.
    Size,
    /// After `;` or white space, up to the end of the line.
    Extension,
    /// After the CR of the size line.
    SizeEnd,
    /// Within the data, with this many bytes to go.
    Data(u64),
    /// Before the CR LF that follows the data.
    DataCr,
    DataLf,
    /// At the beginning of a trailer line.
    TrailerBegin,
    /// Within a trailer line.
    Trailer,
    /// After the CR that ends a trailer line.
    TrailerLf,
    /// After the CR of the empty line.
    LastLf,
    Complete,
}

/// Reader of a chunked body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Chunked {
    step: Step,
    size: u64,
    skipped: u32,
}

impl Chunked {
    /// Takes bytes. Returns how many of them belong to the body, and whether it is complete. The
    /// content of the chunks is passed to `data`.
    pub fn take(
        &mut self,
        bytes: &[u8],
        mut data: impl FnMut(&[u8]),
    ) -> Result<(usize, bool), HttpFault> {
        let mut at = 0;
        while self.step != Step::Complete {
            if let Step::Data(left) = &mut self.step {
                let available = (bytes.len() - at) as u64;
                let taken = available.min(*left);
                *left -= taken;
                // No more than what is available, which is a usize.
                data(&bytes[at..at + taken as usize]);
                at += taken as usize;
                if *left > 0 {
                    return Ok((at, false));
                }
                self.step = Step::DataCr;
                continue;
            }
            let Some(&byte) = bytes.get(at) else {
                return Ok((at, false));
            };
            at += 1;
            self.step = self.after(byte)?;
        }
        Ok((at, true))
    }

    fn after(&mut self, byte: u8) -> Result<Step, HttpFault> {
        Ok(match (self.step, byte) {
            (Step::SizeBegin | Step::Size, b'0'..=b'9' | b'a'..=b'f' | b'A'..=b'F') => {
                self.add_digit(byte)?;
                Step::Size
            }
            (Step::SizeBegin, _) => return Err(HttpFault::Chunk("a size has no digit")),
            (Step::Size | Step::Extension, b'\r') => Step::SizeEnd,
            (Step::Size, b';' | b' ' | b'\t') => Step::Extension,
            (Step::Size, _) => return Err(HttpFault::Chunk("a size is no hexadecimal number")),
            (Step::Extension, b'\n') => return Err(HttpFault::Chunk("a line ends without CR")),
            (Step::Extension, _) => {
                self.skip()?;
                Step::Extension
            }
            (Step::SizeEnd, b'\n') => match std::mem::take(&mut self.size) {
                0 => Step::TrailerBegin,
                size => Step::Data(size),
            },
            (Step::DataCr, b'\r') => Step::DataLf,
            (Step::DataLf, b'\n') => Step::SizeBegin,
            (Step::DataCr | Step::DataLf, _) => {
                return Err(HttpFault::Chunk("a chunk is longer than its size"));
            }
            (Step::TrailerBegin, b'\r') => Step::LastLf,
            (Step::Trailer, b'\r') => Step::TrailerLf,
            (Step::TrailerBegin | Step::Trailer, b'\n') => {
                return Err(HttpFault::Chunk("a line ends without CR"));
            }
            (Step::TrailerBegin | Step::Trailer, _) => {
                self.skip()?;
                Step::Trailer
            }
            (Step::TrailerLf, b'\n') => Step::TrailerBegin,
            (Step::LastLf, b'\n') => Step::Complete,
            (Step::SizeEnd | Step::TrailerLf | Step::LastLf, _) => {
                return Err(HttpFault::Chunk("a CR without LF"));
            }
            // Both are handled before a byte is looked at.
            (Step::Data(_) | Step::Complete, _) => self.step,
        })
    }

    fn add_digit(&mut self, byte: u8) -> Result<(), HttpFault> {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            _ => (byte | 0x20) - b'a' + 10,
        };
        self.size = self
            .size
            .checked_mul(16)
            .ok_or(HttpFault::Chunk("a size beyond 64 bits"))?
            + u64::from(digit);
        Ok(())
    }

    fn skip(&mut self) -> Result<(), HttpFault> {
        self.skipped += 1;
        if self.skipped > MAX_SKIPPED_BYTES {
            return Err(HttpFault::Chunk("extensions or trailers without end"));
        }
        Ok(())
    }
}
