//! SHA-256 of what is built and fetched.

use sha2::{Digest, Sha256};
use std::io::{self, Read};

/// Adds all that is left to read.
pub(crate) fn add_all(sum: &mut Sha256, mut from: impl Read) -> io::Result<()> {
    let mut piece = vec![0; 64 << 10];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(()),
            length => sum.update(&piece[..length]),
        }
    }
}

/// As `sha256sum` prints it.
pub(crate) fn hexadecimal(sum: Sha256) -> String {
    let bytes = sum.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
