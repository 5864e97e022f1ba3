//! From the bytes of a file to UTF-8: gzip, and UTF-16 as some Windows shells write it.

use encoding_rs::{CoderResult, Decoder, UTF_16BE, UTF_16LE};
use flate2::bufread::MultiGzDecoder;
use std::io::{self, BufRead, BufReader, Read};

const GZIP: [u8; 2] = [0x1f, 0x8b];
/// Bytes that are looked at before it is known what a text is.
const BUFFER: usize = 64 * 1024;

/// The text of an input.
///
/// # Errors
/// When its beginning cannot be read.
pub fn of<'a>(input: impl Read + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let mut input = BufReader::with_capacity(BUFFER, input);
    if input.fill_buf()?.starts_with(&GZIP) {
        let inflated = BufReader::with_capacity(BUFFER, MultiGzDecoder::new(input));
        return utf8(inflated);
    }
    utf8(input)
}

fn utf8<'a>(mut input: impl BufRead + 'a) -> io::Result<Box<dyn Read + 'a>> {
    let encoding = match input.fill_buf()? {
        [0xff, 0xfe, ..] | [1..=255, 0, 1..=255, 0, ..] => UTF_16LE,
        [0xfe, 0xff, ..] | [0, 1..=255, 0, 1..=255, ..] => UTF_16BE,
        _ => return Ok(Box::new(input)),
    };
    Ok(Box::new(Utf16 {
        input,
        decoder: encoding.new_decoder_with_bom_removal(),
        text: Vec::new(),
        read: 0,
        ended: false,
    }))
}

/// UTF-16 that is read as UTF-8.
struct Utf16<R> {
    input: R,
    decoder: Decoder,
    /// What is decoded, and how much of it has been read.
    text: Vec<u8>,
    read: usize,
    ended: bool,
}

impl<R: BufRead> Utf16<R> {
    fn decode(&mut self) -> io::Result<()> {
        self.read = 0;
        self.text.resize(BUFFER, 0);
        let from = self.input.fill_buf()?;
        let is_last = from.is_empty();
        let (result, read, written, _) = self.decoder.decode_to_utf8(from, &mut self.text, is_last);
        self.input.consume(read);
        self.text.truncate(written);
        self.ended = is_last && result == CoderResult::InputEmpty;
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        while self.read == self.text.len() && !self.ended {
            self.decode()?;
        }
        let rest = &self.text[self.read..];
        let length = rest.len().min(to.len());
        to[..length].copy_from_slice(&rest[..length]);
        self.read += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::of;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::{Read, Write};

    fn text(bytes: &[u8]) -> String {
        let mut text = String::new();
        of(bytes).unwrap().read_to_string(&mut text).unwrap();
        text
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut to = GzEncoder::new(Vec::new(), Compression::default());
        to.write_all(bytes).unwrap();
        to.finish().unwrap()
    }

    #[test]
    fn whatever_it_is_packed_in() {
        let plain = "[0.6s][info][gc] GC(0) Pause Young\n".repeat(5_000);
        assert_eq!(text(plain.as_bytes()), plain);
        assert_eq!(text(&gzip(plain.as_bytes())), plain);
        let little: Vec<u8> = plain.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(text(&little), plain);
        let marked = [&[0xff, 0xfe], little.as_slice()].concat();
        assert_eq!(text(&gzip(&marked)), plain);
        let big: Vec<u8> = plain.encode_utf16().flat_map(u16::to_be_bytes).collect();
        assert_eq!(text(&[&[0xfe, 0xff], big.as_slice()].concat()), plain);
        assert_eq!(text(b""), "");
    }

    #[test]
    fn what_is_cut_off_is_an_error_or_read_so_far() {
        let whole = gzip("line\n".repeat(10_000).as_bytes());
        let mut read = Vec::new();
        assert!(
            of(&whole[..whole.len() / 2])
                .unwrap()
                .read_to_end(&mut read)
                .is_err()
        );
        assert_eq!(text(&[0xff, 0xfe, b'a', 0, b'b']).chars().next(), Some('a'));
    }
}
