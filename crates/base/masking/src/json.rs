//! Secrets in JSON, masked while it is written. The order of the fields and the digits of the
//! numbers stay.

use crate::text::Found;
use crate::{MASK, Masking, Names, command};
use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::{CharEscape, CompactFormatter, Formatter, PrettyFormatter};
use std::io::{self, Write};

pub(crate) fn pretty<T: Serialize + ?Sized>(
    masking: &Masking,
    value: &T,
) -> serde_json::Result<Vec<u8>> {
    write(masking, value, PrettyFormatter::new())
}

pub(crate) fn compact<T: Serialize + ?Sized>(
    masking: &Masking,
    value: &T,
) -> serde_json::Result<String> {
    let bytes = write(masking, value, CompactFormatter)?;
    // serde_json writes nothing but UTF-8.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn write<T: Serialize + ?Sized>(
    masking: &Masking,
    value: &T,
    inner: impl Formatter,
) -> serde_json::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let formatter = MaskingFormatter {
        masking,
        inner,
        around: Vec::new(),
        is_key: false,
        text: String::new(),
    };
    value.serialize(&mut Serializer::with_formatter(&mut bytes, formatter))?;
    Ok(bytes)
}

/// What a value is inside of.
enum Around {
    /// An object: the key of the next value, the value of a sibling field `name`, and whether
    /// everything in the object is secret.
    Object {
        key: String,
        name: String,
        is_secret: bool,
        /// Whether its keys are names from outside, as in `environment` and `headers`, and not
        /// fields of Tacho's format.
        is_foreign: bool,
    },
    /// An array: the strings so far, and whether everything in the array is secret.
    Array {
        before: command::Line,
        is_secret: bool,
    },
}

struct MaskingFormatter<'a, F> {
    masking: &'a Masking,
    inner: F,
    around: Vec<Around>,
    is_key: bool,
    /// The string that is being written, which comes in pieces.
    text: String,
}

impl<F> MaskingFormatter<'_, F> {
    /// Whether a value that begins here is secret as a whole.
    fn is_secret_here(&self) -> bool {
        match self.around.last() {
            None => false,
            Some(Around::Array { is_secret, .. }) => *is_secret,
            Some(Around::Object {
                key,
                name,
                is_secret,
                is_foreign,
            }) => {
                let names = self.masking.names();
                *is_secret
                    // `key` is a field of Tacho's own format, which tells the rows of a ledger
                    // apart.
                    || names.covers(key) && (*is_foreign || key != "key")
                    || key == "value" && !name.is_empty() && names.covers(name)
            }
        }
    }

    /// Whether a string that stands here is secret.
    fn is_secret_string(&self, text: &str) -> bool {
        let names = self.masking.names();
        match self.around.last() {
            Some(Around::Object { is_secret, key, .. }) if *is_secret => !Names::is_about(key),
            Some(Around::Object {
                key,
                name,
                is_foreign,
                ..
            }) => {
                names.hides(key, text) && (*is_foreign || key != "key")
                    || key == "value" && names.hides(name, text)
            }
            _ => self.is_secret_here(),
        }
    }

    fn key_here(&self) -> &str {
        match self.around.last() {
            Some(Around::Object { key, .. }) => key,
            _ => "",
        }
    }

    fn masked(&mut self) -> String {
        let text = std::mem::take(&mut self.text);
        if self.is_key {
            if let Some(Around::Object { key, .. }) = self.around.last_mut() {
                key.clone_from(&text);
            }
            return self.masking.known(&text);
        }
        if self.is_secret_string(&text) {
            return MASK.to_owned();
        }
        let nobody: &mut Found<'_> = &mut |_| {};
        let masked = match self.around.last_mut() {
            Some(Around::Array { before, .. }) => before.word(self.masking, &text, nobody),
            Some(Around::Object { key, name, .. }) => {
                let masked = command::word(self.masking, None, &text, nobody);
                if key == "name" {
                    *name = text;
                }
                masked
            }
            None => command::word(self.masking, None, &text, nobody),
        };
        self.masking.known(&masked)
    }
}

impl<F: Formatter> Formatter for MaskingFormatter<'_, F> {
    fn begin_string<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.text.clear();
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(
        &mut self,
        _: &mut W,
        part: &str,
    ) -> io::Result<()> {
        self.text.push_str(part);
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(
        &mut self,
        _: &mut W,
        it: CharEscape,
    ) -> io::Result<()> {
        self.text.push(match it {
            CharEscape::Quote => '"',
            CharEscape::ReverseSolidus => '\\',
            CharEscape::Solidus => '/',
            CharEscape::Backspace => '\u{8}',
            CharEscape::FormFeed => '\u{c}',
            CharEscape::LineFeed => '\n',
            CharEscape::CarriageReturn => '\r',
            CharEscape::Tab => '\t',
            CharEscape::AsciiControl(byte) => char::from(byte),
        });
        Ok(())
    }

    fn end_string<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        let masked = self.masked();
        to.write_all(serde_json::to_string(&masked)?.as_bytes())
    }

    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.around.push(Around::Array {
            before: command::Line::default(),
            is_secret: self.is_secret_here(),
        });
        self.inner.begin_array(to)
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.around.pop();
        self.inner.end_array(to)
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.inner.begin_array_value(to, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.inner.end_array_value(to)
    }

    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.around.push(Around::Object {
            key: String::new(),
            name: String::new(),
            is_secret: self.is_secret_here(),
            is_foreign: matches!(self.key_here(), "environment" | "headers"),
        });
        self.inner.begin_object(to)
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.around.pop();
        self.inner.end_object(to)
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.is_key = true;
        self.inner.begin_object_key(to, first)
    }

    fn end_object_key<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.is_key = false;
        self.inner.end_object_key(to)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.inner.begin_object_value(to)
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.inner.end_object_value(to)
    }
}
