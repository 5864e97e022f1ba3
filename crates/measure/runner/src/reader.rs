//! Who reads flight recordings: a JDK that was found on this machine, and nothing else.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tacho_jfr::Reading;
use tacho_subject::{Host, Jdks, Prepared};

/// `bin/java` of the JDK that a variant was made with; for root, who has a user without rights read
/// what comes from outside, of another one if such a user cannot run that. No command of a variant
/// becomes one, whatever its first word is: a start script would be run a second time, beside the
/// service that it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    java: PathBuf,
}

/// Nobody can read the recordings of a variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoReader {
    /// No JDK is known for it.
    #[error(
        "could not look: no JDK is known for `{variant}` (kind `{kind}`), and only a JDK that Tacho found may read its recordings; use a variant that Tacho starts on a JDK, such as `jar`"
    )]
    Unknown {
        /// The variant.
        variant: String,
        /// Its kind.
        kind: String,
    },
    /// Its JDK lets nobody else through, and there is no other.
    #[error(
        "could not look: root's recordings are read by a user without rights, who cannot run {}; install a JDK where everybody can, such as below /usr/lib/jvm, or run Tacho as another user", java.display()
    )]
    Hidden {
        /// `bin/java` of that JDK.
        java: PathBuf,
    },
}

impl Reader {
    /// The JDK of a variant.
    pub fn of(prepared: &Prepared) -> Result<Self, NoReader> {
        let home = prepared.jdk_home.as_ref();
        let home = home.ok_or_else(|| NoReader::Unknown {
            variant: prepared.record.name.clone(),
            kind: prepared.record.kind.clone(),
        })?;
        let java = home.join("bin/java");
        match is_hidden(&java) {
            false => Ok(Self { java }),
            true => another().ok_or(NoReader::Hidden { java }),
        }
    }

    /// What reads a recording until `stop` is set.
    pub fn reading<'r>(&'r self, recording: &'r Path, stop: &'r AtomicBool) -> Reading<'r> {
        Reading {
            recording,
            java: &self.java,
            stop,
        }
    }
}

/// Whether a JDK is root's alone. What is not there is not hidden: its own error says so later.
fn is_hidden(java: &Path) -> bool {
    rustix::process::geteuid().is_root() && java.exists() && !tacho_files::others_can_run(java)
}

/// Another JDK of this machine.
fn another() -> Option<Reader> {
    let found = Jdks::discover(&Host::here());
    let java = found.reader_of_recordings()?.tool("java");
    Some(Reader { java })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::prepared;

    /// As one that a version manager puts below `/root`.
    #[test]
    fn a_jdk_that_is_roots_alone_reads_nothing() {
        use std::fs::{Permissions, set_permissions};
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let java = home.path().join("bin/java");
        std::fs::create_dir(home.path().join("bin")).unwrap();
        std::fs::write(&java, "").unwrap();
        set_permissions(&java, Permissions::from_mode(0o755)).unwrap();
        set_permissions(home.path(), Permissions::from_mode(0o700)).unwrap();
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(is_hidden(&java), is_root);
        let of = Prepared {
            jdk_home: Some(home.path().to_owned()),
            ..prepared("jar", &["java", "-jar", "a.jar"])
        };
        match Reader::of(&of) {
            Ok(reader) => assert_eq!(reader.java == java, !is_root),
            Err(none) => assert_eq!(none, NoReader::Hidden { java }),
        }
    }

    #[test]
    fn a_jdk_that_was_found_reads_and_no_command_of_a_variant_does() {
        let found = Prepared {
            jdk_home: Some("/opt/jdk".into()),
            ..prepared("jar", &["java", "-jar", "a.jar"])
        };
        let stop = AtomicBool::new(false);
        let reader = Reader::of(&found).unwrap();
        let reading = reader.reading(Path::new("a.jfr"), &stop);
        assert_eq!(reading.java, Path::new("/opt/jdk/bin/java"));
        for command in [
            &["/app/start.sh"][..],
            &["java", "-jar", "a.jar"],
            &["/usr/bin/java"],
        ] {
            let said = Reader::of(&prepared("exec", command))
                .unwrap_err()
                .to_string();
            assert!(
                said.starts_with("could not look: no JDK is known"),
                "{said}"
            );
            assert!(!said.contains(command[0]), "{said}");
        }
    }
}
