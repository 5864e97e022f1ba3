//! Who reads flight recordings: a JDK that was found on this machine, and nothing else.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tacho_jfr::Reading;
use tacho_subject::Prepared;

/// `bin/java` of the JDK that a variant was made with. No command of a variant becomes one,
/// whatever its first word is: a start script would be run a second time, beside the service that
/// it starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reader {
    java: PathBuf,
}

/// No JDK is known for a variant.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "could not look: no JDK is known for `{variant}` (kind `{kind}`), and only a JDK that Tacho found may read its recordings; use a variant that Tacho starts on a JDK, such as `jar`"
)]
pub struct NoReader {
    variant: String,
    kind: String,
}

impl Reader {
    /// The JDK of a variant.
    pub fn of(prepared: &Prepared) -> Result<Self, NoReader> {
        prepared.jdk_home.as_ref().map_or_else(
            || {
                Err(NoReader {
                    variant: prepared.record.name.clone(),
                    kind: prepared.record.kind.clone(),
                })
            },
            |home| {
                Ok(Self {
                    java: home.join("bin/java"),
                })
            },
        )
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::prepared;

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
