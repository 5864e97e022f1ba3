//! A part of an image: bytes that are named by their digest.

use crate::OciError;
use oci_spec::image::{Descriptor, Digest, MediaType};
use serde::Serialize;
use sha2::{Digest as _, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// A part of an image, named by its digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blob {
    pub(crate) media_type: MediaType,
    /// SHA-256 of its bytes.
    pub digest: Digest,
    /// Its size; bytes.
    pub bytes: u64,
    pub(crate) held: Held,
}

/// Where the bytes of a blob are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Held {
    InMemory(Vec<u8>),
    In(PathBuf),
}

impl Blob {
    /// A description as JSON with sorted keys: the maps of the specification's types have no order.
    pub(crate) fn json(media_type: MediaType, value: &impl Serialize) -> Result<Self, OciError> {
        let bytes = serde_json::to_vec(&serde_json::to_value(value)?)?;
        Ok(Self {
            media_type,
            digest: digest_of(&bytes),
            bytes: bytes.len() as u64,
            held: Held::InMemory(bytes),
        })
    }

    /// Copies its bytes.
    ///
    /// # Errors
    /// When its file cannot be read, has changed, or `to` does not take them.
    pub fn copy_to(&self, to: &mut impl Write) -> Result<(), OciError> {
        match &self.held {
            Held::InMemory(bytes) => to
                .write_all(bytes)
                .map_err(|source| OciError::write(Path::new("the image"), source)),
            Held::In(path) => copy_file(path, self.bytes, to),
        }
    }

    /// The media type of its bytes.
    #[must_use]
    pub fn media_type(&self) -> &MediaType {
        &self.media_type
    }

    pub(crate) fn descriptor(&self) -> Descriptor {
        Descriptor::new(self.media_type.clone(), self.bytes, self.digest.clone())
    }

    /// Its path in a layout: `blobs/sha256/…`.
    pub(crate) fn in_a_layout(&self) -> String {
        in_a_layout(&self.digest)
    }
}

/// Where a layout has the bytes of a digest.
pub(crate) fn in_a_layout(digest: &Digest) -> String {
    format!("blobs/{}/{}", digest.algorithm(), digest.digest())
}

/// Copies a file, and checks that it still has this size.
pub(crate) fn copy_file(path: &Path, bytes: u64, to: &mut impl Write) -> Result<(), OciError> {
    let failed = |source| OciError::read(path, source);
    let file = File::open(path).map_err(failed)?;
    // Reads one byte more than expected, so that a file that has grown is noticed.
    let copied = io::copy(&mut file.take(bytes.saturating_add(1)), to).map_err(failed)?;
    if copied != bytes {
        let after = fs::metadata(path).map_or(copied, |now| now.len());
        return Err(OciError::Changed {
            path: path.to_owned(),
            before: bytes,
            after,
        });
    }
    Ok(())
}

/// SHA-256.
pub(crate) fn digest_of(bytes: &[u8]) -> Digest {
    named(Sha256::new_with_prefix(bytes))
}

fn named(sum: Sha256) -> Digest {
    let sum = sum.finalize();
    let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    sha256(&hex)
}

/// Sixty-four of these digits are a digest by the specification's own grammar.
#[expect(clippy::expect_used, reason = "a constant form")]
fn sha256(hex: &str) -> Digest {
    Digest::from_str(&format!("sha256:{hex}")).expect("64 hexadecimal digits are a digest")
}

/// A writer that counts the bytes that pass through it, and computes their checksum.
pub(crate) struct Summing<W> {
    inner: W,
    sum: Sha256,
    bytes: u64,
}

impl<W> Summing<W> {
    pub(crate) fn new(inner: W) -> Self {
        let (sum, bytes) = (Sha256::new(), 0);
        Self { inner, sum, bytes }
    }

    /// The digest, the number of bytes, and what they went to.
    pub(crate) fn end(self) -> (Digest, u64, W) {
        (named(self.sum), self.bytes, self.inner)
    }
}

impl<W: Write> Write for Summing<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(buffer)?;
        self.sum.update(&buffer[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_is_the_one_that_everybody_computes() {
        // FIPS 180-2, appendix B.1.
        let abc = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest_of(b"abc").to_string(), abc);
        let mut summing = Summing::new(Vec::new());
        summing.write_all(b"a").unwrap();
        summing.write_all(b"bc").unwrap();
        let (digest, bytes, inner) = summing.end();
        assert_eq!(
            (digest.to_string().as_str(), bytes, inner),
            (abc, 3, b"abc".to_vec())
        );
    }

    #[test]
    fn a_file_that_changed_is_not_packed_in_silence() {
        let lab = tempfile::tempdir().unwrap();
        let path = lab.path().join("app.jar");
        fs::write(&path, "four").unwrap();
        assert!(copy_file(&path, 4, &mut Vec::new()).is_ok());
        for before in [3, 5] {
            let error = copy_file(&path, before, &mut Vec::new()).unwrap_err();
            assert!(error.to_string().contains("then 4"), "{error}");
        }
    }
}
