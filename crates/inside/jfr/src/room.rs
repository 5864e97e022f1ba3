//! Disk space for a recorder. If its recorder can write no more, HotSpot ends the whole JVM ("An
//! irrecoverable error in Jfr. Shutting down VM..."), and with it the service. The `/tmp` of a
//! container is often small. So the recorder is not switched on where that could happen.

use crate::recorder::RecorderError;
use std::io;
use std::path::{Path, PathBuf};
use tacho_attach::Jvm;

const MIB: u64 = 1 << 20;
/// What must be free: a chunk of 12 MiB (the JVM's default), its copy, and something for the
/// service. Ten seconds of samples have a few MiB.
const LEAST_MIB: u64 = 32;
/// Space for the chunk that is being written. It does not count towards `maxsize`, which only
/// covers complete chunks. Includes some reserve.
const KEPT_MIB: u64 = 24;

/// How many MiB a recording may have, at most `most`. When it is stopped, it is on disk twice: in
/// the recorder's own folder and in the requested file.
///
/// # Errors
/// [`RecorderError::NoRoom`].
pub fn most_mib(jvm: &Jvm, said: &str, file: &Path, most: u32) -> Result<u32, RecorderError> {
    let folders = [repository(said), file.parent().map(Path::to_owned)];
    let free = folders
        .into_iter()
        .flatten()
        // If a folder cannot be asked, the recorder itself will report what is wrong.
        .filter_map(|folder| Some((free_mib(jvm, &folder).ok()?, folder)))
        .min();
    match free {
        Some((free_mib, folder)) if free_mib < LEAST_MIB => Err(RecorderError::NoRoom {
            folder,
            free_mib,
            least_mib: LEAST_MIB,
        }),
        Some((free_mib, _)) => Ok(bounded(free_mib, most)),
        None => Ok(most),
    }
}

fn bounded(free_mib: u64, most: u32) -> u32 {
    let fits = free_mib.saturating_sub(KEPT_MIB) / 2;
    u32::try_from(fits).unwrap_or(most).clamp(1, most)
}

/// The folder for data that the recorder has not written out yet, from its answer to
/// `JFR.configure`: `Repository path: /tmp/2026_11_26_19_47_00_1`.
fn repository(said: &str) -> Option<PathBuf> {
    let path = said
        .lines()
        .find_map(|line| line.trim().strip_prefix("Repository path: "))?;
    Some(PathBuf::from(path.trim()))
}

fn free_mib(jvm: &Jvm, folder: &Path) -> io::Result<u64> {
    let free = jvm.as_its_user(|| jvm.root().folder(folder)?.free_bytes());
    free.map_err(io::Error::other)?.map(|bytes| bytes / MIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorder_says_where_it_writes() {
        let said =
            "Current configuration:\n\nRepository path: /tmp/2026_11_26_1\n\nStack depth: 64\n";
        assert_eq!(repository(said), Some(PathBuf::from("/tmp/2026_11_26_1")));
        assert_eq!(repository("Stack depth: 512"), None);
    }

    #[test]
    fn a_recording_fits_twice_beside_a_chunk() {
        assert_eq!(bounded(1 << 20, 1024), 1024);
        assert_eq!(bounded(124, 1024), 50);
        assert_eq!(bounded(LEAST_MIB, 1024), 4);
        assert_eq!(bounded(0, 1024), 1);
    }
}
