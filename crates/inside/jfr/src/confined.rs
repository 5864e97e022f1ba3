//! The place where a recording is read. A crafted recording might take over its reader. So root's
//! recordings are read by a separate user with no other rights.

use crate::reader::{JfrError, io_error};
use rand::RngExt;
use std::fs::{File, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use tacho_foreign::Identity;
use tacho_launch::Scratch;

/// User ids that no distribution assigns. (Debian Policy 9.2.2 leaves 65536 to 4294967293 to the
/// administrator. Subordinate users of containers begin at 100000 and end far below this.)
const FIRST: u32 = 0x7000_0000;
const NOBODY: u32 = 65_534;
const JAR: &str = "reader.jar";
const RECORDING: &str = "recording.jfr";
const LINES: &str = "events.jsonl.gz";
const LOG: &str = "log";

/// A folder with all that a reader needs; removed when dropped.
pub struct Confined {
    folder: Scratch,
    reader: Option<Identity>,
    recording: PathBuf,
}

impl Confined {
    /// For root, the reader gets a copy of the recording. Other users read as themselves and need
    /// no copy.
    pub fn make(jar: &[u8], recording: &Path) -> Result<Self, JfrError> {
        let reader = reader();
        let place = match reader {
            Some(_) => place_for_others(),
            None => std::env::temp_dir(),
        };
        let folder = Scratch::within(&place)?;
        let failed = |source| io_error(&place, source);
        let confined = Self {
            recording: std::path::absolute(recording).map_err(failed)?,
            folder,
            reader,
        };
        confined.fill(jar).map_err(failed)
    }

    fn fill(mut self, jar: &[u8]) -> io::Result<Self> {
        std::fs::write(self.jar(), jar)?;
        if let Some(reader) = self.reader {
            let copy = self.path(RECORDING);
            std::fs::copy(&self.recording, &copy)?;
            self.recording = copy;
            self.give(&self.recording, reader, 0o400)?;
            File::create_new(self.lines())?;
            self.give(&self.lines(), reader, 0o600)?;
            std::fs::set_permissions(self.jar(), Permissions::from_mode(0o644))?;
            // The reader may pass through the folder, but neither list nor change it.
            let through = Permissions::from_mode(0o711);
            std::fs::set_permissions(self.folder.path(), through)?;
        }
        Ok(self)
    }

    fn give(&self, path: &Path, reader: Identity, mode: u32) -> io::Result<()> {
        std::fs::set_permissions(path, Permissions::from_mode(mode))?;
        chown(path, Some(reader.user), Some(reader.group))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The reader's user; absent if it is ours.
    pub fn reader(&self) -> Option<Identity> {
        self.reader
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn jar(&self) -> PathBuf {
        self.path(JAR)
    }

    pub fn recording(&self) -> &Path {
        &self.recording
    }

    pub fn lines(&self) -> PathBuf {
        self.path(LINES)
    }

    pub fn log(&self) -> PathBuf {
        self.path(LOG)
    }

    /// What the reader has written. Opens only the file that was given to it, never a link.
    pub fn written(&self) -> io::Result<File> {
        std::fs::OpenOptions::new()
            .read(true)
            .custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed())
            .open(self.lines())
    }
}

/// The folder for temporary files, or `/tmp` if another user may not pass through that folder.
fn place_for_others() -> PathBuf {
    let usual = std::env::temp_dir();
    let lets_through = |folder: &Path| {
        std::fs::metadata(folder).is_ok_and(|metadata| metadata.permissions().mode() & 0o001 != 0)
    };
    match usual.canonicalize() {
        Ok(real) if real.ancestors().all(lets_through) => usual,
        _ => PathBuf::from("/tmp"),
    }
}

/// A user id that nobody else has, or `nobody` if this user namespace does not contain it. Absent
/// if it contains neither, or if we are not root.
fn reader() -> Option<Identity> {
    if Identity::own().user != 0 {
        return None;
    }
    let number = FIRST + u32::from(rand::rng().random::<u16>());
    let is_mapped = |number: u32| {
        let here = |file: &str| std::fs::read_to_string(file).is_ok_and(|map| has(&map, number));
        here("/proc/self/uid_map") && here("/proc/self/gid_map")
    };
    [number, NOBODY]
        .into_iter()
        .find(|number| is_mapped(*number))
        .map(|number| Identity {
            user: number,
            group: number,
        })
}

/// Whether a user id belongs to this namespace (user_namespaces(7)). Lines are `first outside
/// length`.
fn has(map: &str, number: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().map(str::parse::<u64>);
        let (Some(Ok(first)), Some(Ok(_)), Some(Ok(length))) =
            (numbers.next(), numbers.next(), numbers.next())
        else {
            return false;
        };
        (first..first.saturating_add(length)).contains(&u64::from(number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn numbers_of_a_namespace_are_told() {
        let all = "         0          0 4294967295\n";
        assert!(has(all, FIRST) && has(all, NOBODY));
        let container = "0 100000 65536\n";
        assert!(!has(container, FIRST) && has(container, NOBODY));
        assert!(!has("0 1000 1\n", NOBODY) && !has("x", 1));
    }

    #[test]
    fn roots_reader_is_nobody_else_and_sees_a_copy() {
        let scratch = tempfile::tempdir().unwrap();
        let recording = scratch.path().join("a.jfr");
        std::fs::write(&recording, "FLR").unwrap();
        let confined = Confined::make(b"PK", &recording).unwrap();
        let Some(reader) = confined.reader() else {
            assert_eq!(confined.recording(), recording);
            println!("skipped: only root has a reader without rights");
            return;
        };
        assert!(reader.user >= FIRST || reader.user == NOBODY);
        let copy = std::fs::metadata(confined.recording()).unwrap();
        assert_eq!((copy.uid(), copy.mode() & 0o777), (reader.user, 0o400));
        let folder = std::fs::metadata(confined.folder()).unwrap();
        assert_eq!((folder.uid(), folder.mode() & 0o777), (0, 0o711));
        // Neither the original nor anything beside it was touched.
        assert_eq!(std::fs::metadata(&recording).unwrap().uid(), 0);
    }
}
