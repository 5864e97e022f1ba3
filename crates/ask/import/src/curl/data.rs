//! The body that `-d` and its relatives put together.

use crate::error::ImportError;
use crate::file;
use crate::form::encode;
use std::path::{Path, PathBuf};
use tacho_workload::Body;

/// What one option gives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Datum {
    Bytes(Vec<u8>),
    /// Contents of a file, as they are.
    File(PathBuf),
}

impl Datum {
    /// `--data`: text, or `@file` without its line ends.
    pub fn text(value: &[u8], base: &Path, place: &str) -> Result<Self, ImportError> {
        let [b'@', name @ ..] = value else {
            return Ok(Self::Bytes(value.to_vec()));
        };
        let mut bytes = read(base, name, place)?;
        bytes.retain(|byte| !matches!(byte, b'\r' | b'\n' | 0));
        Ok(Self::Bytes(bytes))
    }

    /// `--data-binary` and `--json`: text, or `@file` as it is.
    pub fn binary(value: &[u8], base: &Path) -> Self {
        match value {
            [b'@', name @ ..] => Self::File(base.join(String::from_utf8_lossy(name).as_ref())),
            _ => Self::Bytes(value.to_vec()),
        }
    }

    /// `--data-urlencode`: `content`, `=content`, `name=content`, `@file`, `name@file`.
    pub fn urlencoded(value: &[u8], base: &Path, place: &str) -> Result<Self, ImportError> {
        let Some(at) = value.iter().position(|byte| matches!(byte, b'=' | b'@')) else {
            return Ok(Self::Bytes(form_encode(value).into_bytes()));
        };
        let (name, content) = (&value[..at], &value[at + 1..]);
        let content = match value[at] {
            b'@' => form_encode(&read(base, content, place)?),
            _ => form_encode(content),
        };
        let mut bytes = name.to_vec();
        if !name.is_empty() {
            bytes.push(b'=');
        }
        bytes.extend(content.bytes());
        Ok(Self::Bytes(bytes))
    }

    pub fn bytes(self, place: &str) -> Result<Vec<u8>, ImportError> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::File(path) => file::read(Path::new(""), &path.to_string_lossy(), place),
        }
    }
}

/// A space as a plus sign, as in forms and as curl has it.
fn form_encode(bytes: &[u8]) -> String {
    encode(bytes).replace("%20", "+")
}

fn read(base: &Path, name: &[u8], place: &str) -> Result<Vec<u8>, ImportError> {
    file::read(base, &String::from_utf8_lossy(name), place)
}

/// What all of them give together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Data {
    /// With what goes before each of them.
    data: Vec<(&'static str, Datum)>,
}

impl Data {
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }

    /// After an ampersand, as fields of a form.
    pub fn push(&mut self, datum: Datum) {
        self.data.push(("&", datum));
    }

    /// Directly after what was there.
    pub fn push_joined(&mut self, datum: Datum) {
        self.data.push(("", datum));
    }

    /// A single file is read when the run begins, everything else is put together now.
    pub fn into_body(mut self, place: &str) -> Result<Body, ImportError> {
        if let [(_, Datum::File(_))] = self.data.as_slice()
            && let Some((_, Datum::File(path))) = self.data.pop()
        {
            return Ok(Body::File(path));
        }
        self.into_bytes(place).map(|bytes| match bytes.as_slice() {
            [] => Body::None,
            _ => Body::Bytes(bytes),
        })
    }

    pub fn into_bytes(self, place: &str) -> Result<Vec<u8>, ImportError> {
        let mut body = Vec::new();
        for (n, (separator, datum)) in self.data.into_iter().enumerate() {
            if n > 0 {
                body.extend(separator.bytes());
            }
            body.extend(datum.bytes(place)?);
        }
        Ok(body)
    }
}
