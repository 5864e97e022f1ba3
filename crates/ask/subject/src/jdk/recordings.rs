//! Which JDK reads flight recordings that others made.

use super::{Jdk, Jdks};
use std::path::Path;

/// The first release whose library of recordings is the one that is used.
const OLDEST: u32 = 17;

impl Jdks {
    /// The newest JDK that can read recordings. What a process claims to run on is not asked: its
    /// user could choose any folder.
    #[must_use]
    pub fn reader_of_recordings(&self) -> Option<&Jdk> {
        let reads = |jdk: &&Jdk| jdk.feature >= OLDEST && jdk.is_full();
        let mut able = self.all().iter().filter(reads);
        able.find(|jdk| is_trusted(&jdk.tool("java")))
    }
}

/// For root, a program has to be one that nobody else can change, and that a user without rights,
/// who reads the recording, can run. Other users risk only their own files.
fn is_trusted(program: &Path) -> bool {
    !rustix::process::geteuid().is_root()
        || matches!(tacho_files::trusted(program), Ok(Ok(())))
            && tacho_files::others_can_run(program)
}
