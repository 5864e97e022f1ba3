//! Decodes the chunked coding (RFC 9112, section 7.1) byte by byte: what it holds, and where it
//! ends.

/// The longest line of a size or a trailer.
const LONGEST_LINE: usize = 8 * 1024;

/// What a byte was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Of the frame.
    Frame,
    /// Of the content.
    Content,
    /// The last one of the body.
    End,
    /// Not of this coding.
    Broken,
}

/// Where in a body we are.
#[derive(Debug, Clone, Default)]
pub struct Chunks {
    state: State,
    line: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Size,
    Data(u64),
    /// The end of line behind the data.
    AfterData,
    Trailer,
}

impl Chunks {
    /// Takes one byte.
    pub fn take(&mut self, byte: u8) -> Step {
        match self.state {
            State::Data(left) => {
                self.state = match left {
                    1 => State::AfterData,
                    left => State::Data(left - 1),
                };
                Step::Content
            }
            State::Size | State::AfterData | State::Trailer => self.of_a_line(byte),
        }
    }

    fn of_a_line(&mut self, byte: u8) -> Step {
        if byte != b'\n' {
            self.line.push(byte);
            return match self.line.len() > LONGEST_LINE {
                true => Step::Broken,
                false => Step::Frame,
            };
        }
        let line = std::mem::take(&mut self.line);
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
        match self.state {
            State::Size => match size(line) {
                None => return Step::Broken,
                Some(0) => self.state = State::Trailer,
                Some(size) => self.state = State::Data(size),
            },
            State::AfterData if line.is_empty() => self.state = State::Size,
            State::Trailer if line.is_empty() => return Step::End,
            State::Trailer => {}
            State::AfterData | State::Data(_) => return Step::Broken,
        }
        Step::Frame
    }
}

/// The size of a chunk: the hexadecimal digits before any extension.
fn size(line: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(line).ok()?;
    let digits = text.split(';').next()?.trim();
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain
        .then(|| u64::from_str_radix(digits, 16).ok())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The content, and how many bytes the body has.
    fn read(bytes: &[u8]) -> Option<(Vec<u8>, usize)> {
        let mut chunks = Chunks::default();
        let mut content = Vec::new();
        for (at, byte) in bytes.iter().enumerate() {
            match chunks.take(*byte) {
                Step::Content => content.push(*byte),
                Step::End => return Some((content, at + 1)),
                Step::Frame => {}
                Step::Broken => return None,
            }
        }
        None
    }

    #[test]
    fn content_is_told_from_its_frame() {
        let body = b"4;x=y\r\nWiki\r\n6\r\npedia \r\n0\r\nA: b\r\n\r\nGET";
        let (content, length) = read(body).unwrap();
        assert_eq!(content, b"Wikipedia ");
        assert_eq!(&body[length..], b"GET");
    }

    #[test]
    fn what_is_no_such_coding_is_broken() {
        for body in [
            &b"x\r\n"[..],
            b"2\r\nabc\r\n",
            b"-1\r\n",
            b"\r\n",
            b"ffffffffffffffffff\r\n",
        ] {
            assert_eq!(read(body), None);
        }
        assert_eq!(read(&[b'1'; 10_000]), None);
    }
}
