//! Temporary folders that do not outlive Tacho, however it ends: each is recorded in a lease before
//! it is made.

use crate::lease::{Lease, LeaseError};
use std::path::{Path, PathBuf};

/// A folder of mode 0700 under a name that nobody can have taken before. It is removed with all
/// that is in it when dropped, when a second signal ends Tacho, and by the next command after a
/// `kill -9`.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    // Dropped with this, it removes the folder.
    _lease: Lease,
}

impl Scratch {
    /// Below the folder for temporary files (`$TMPDIR`, else `/tmp`).
    ///
    /// # Errors
    /// When neither lease nor folder can be made.
    pub fn new() -> Result<Self, LeaseError> {
        Self::within(&std::env::temp_dir())
    }

    /// In a given folder. Something that is later moved to its place in one step has to be made on
    /// the same disk.
    ///
    /// # Errors
    /// When neither lease nor folder can be made.
    pub fn within(folder: &Path) -> Result<Self, LeaseError> {
        let mut lease = Lease::take(&[])?;
        let path = lease.make_scratch(folder)?;
        Ok(Self {
            path,
            _lease: lease,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}
