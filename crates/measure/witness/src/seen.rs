//! What was seen of one request, and how that gets from one process to another.

use std::io::{self, Read, Write};

/// One request. All instants are of the monotonic clock, in nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// When its last byte arrived, by the kernel's stamp; the instant after the read where the
    /// kernel gave none.
    pub arrived: u64,
    /// Whether the kernel gave a stamp.
    pub is_stamped: bool,
    /// Just before its answer was handed to the kernel.
    pub answer_begun: u64,
    /// Just after that. Over loopback the answer arrives in between.
    pub answer_ended: u64,
}

/// Bytes of one request in the form that is written.
const BYTES: usize = 32;

/// What was to be read is not what a witness wrote.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// It could not be read.
    #[error("what the witness saw could not be read: {0}")]
    Io(io::Error),
    /// It ends within a request, after so many whole ones.
    #[error(
        "the witness's record ends within a request, after {0} whole ones; the witness was ended before it had written everything"
    )]
    CutOff(usize),
}

impl Seen {
    /// Writes all of them, 32 bytes each, little-endian.
    ///
    /// # Errors
    /// As the writer has them.
    pub fn write_all(seen: &[Self], to: &mut impl Write) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(seen.len() * BYTES);
        for one in seen {
            for field in [
                one.arrived,
                u64::from(one.is_stamped),
                one.answer_begun,
                one.answer_ended,
            ] {
                bytes.extend(field.to_le_bytes());
            }
        }
        to.write_all(&bytes)?;
        to.flush()
    }

    /// Reads all that [`Seen::write_all`] wrote.
    ///
    /// # Errors
    /// When it cannot be read, or is cut off.
    pub fn read_all(from: &mut impl Read) -> Result<Vec<Self>, ReadError> {
        let mut bytes = Vec::new();
        from.read_to_end(&mut bytes).map_err(ReadError::Io)?;
        let (whole, rest) = bytes.as_chunks::<BYTES>();
        if !rest.is_empty() {
            return Err(ReadError::CutOff(whole.len()));
        }
        Ok(whole.iter().map(Self::of_bytes).collect())
    }

    fn of_bytes(bytes: &[u8; BYTES]) -> Self {
        let (fields, _) = bytes.as_chunks::<8>();
        let field = |n: usize| fields.get(n).map_or(0, |field| u64::from_le_bytes(*field));
        Self {
            arrived: field(0),
            is_stamped: field(1) != 0,
            answer_begun: field(2),
            answer_ended: field(3),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_and_a_cut_is_noticed() {
        let seen = [5, 7].map(|arrived| Seen {
            arrived,
            is_stamped: arrived == 5,
            answer_begun: arrived + 1,
            answer_ended: u64::MAX,
        });
        let mut bytes = Vec::new();
        Seen::write_all(&seen, &mut bytes).unwrap();
        assert_eq!(Seen::read_all(&mut &bytes[..]).unwrap(), seen);
        let cut = Seen::read_all(&mut &bytes[..63]).unwrap_err();
        assert!(cut.to_string().contains("after 1 whole ones"), "{cut}");
    }
}
