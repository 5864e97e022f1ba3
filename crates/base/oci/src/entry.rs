//! Entries of a tar whose headers depend on nothing of the machine: no owner, one fixed time, few
//! rights.

use crate::OciError;
use std::io::Write;
use std::path::Path;
use tar::{EntryType, Header};

/// Size of a block; a tar consists of blocks (POSIX ustar).
const BLOCK: usize = 512;

/// A head without a name.
pub(crate) fn head(kind: EntryType, mode: u32, bytes: u64, seconds: u64) -> Header {
    let mut head = Header::new_ustar();
    head.set_entry_type(kind);
    head.set_mode(mode);
    head.set_uid(0);
    head.set_gid(0);
    head.set_mtime(seconds);
    head.set_size(bytes);
    head
}

/// Writes a header, what `content` writes, and padding to a whole block. It does not use
/// [`tar::Builder::append`], which would not notice fewer bytes than the header says.
pub(crate) fn write<W: Write>(
    out: &mut W,
    mut head: Header,
    bytes: u64,
    to: &Path,
    content: impl FnOnce(&mut W) -> Result<(), OciError>,
) -> Result<(), OciError> {
    let failed = |source| OciError::write(to, source);
    head.set_cksum();
    out.write_all(head.as_bytes()).map_err(failed)?;
    content(out)?;
    let rest = (bytes % BLOCK as u64) as usize;
    if rest > 0 {
        out.write_all(&[0; BLOCK][rest..]).map_err(failed)?;
    }
    Ok(())
}
