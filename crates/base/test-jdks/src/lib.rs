//! The JDKs with which tests compile, and the JVMs that they run. For tests only: when one is
//! missing, it panics and says how to get it.
//!
//! By default both are the JDKs of release 17 and newer in /usr/lib/jvm. `TACHO_TEST_JVMS` names
//! other JVMs to run, separated by colons: homes of JDKs or of plain runtimes, of any release. So
//! tests of features for old JVMs can run on an old JVM.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// The oldest JDK that counts.
const OLDEST: u32 = 17;
const OTHER_JVMS: &str = "TACHO_TEST_JVMS";

/// A JDK, or a mere runtime.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Jdk {
    /// Feature release: 17, 25; 8 for 1.8.
    pub release: u32,
    /// The folder with `bin` in it.
    pub home: PathBuf,
}

impl Jdk {
    fn at(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        let facts = std::fs::read_to_string(home.join("release")).ok()?;
        let version = facts.split("JAVA_VERSION=\"").nth(1)?;
        let version = version.strip_prefix("1.").unwrap_or(version);
        let release = version.split(['.', '"', '-', '_']).next()?.parse().ok()?;
        Some(Self { release, home })
    }

    /// Path of one of its programs: `bin/NAME`.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// A command with `bin/NAME`. Java compilers and packers live for a second only: an optimising
    /// JIT compiler would cost their JVM more time than it saves.
    #[must_use]
    pub fn tool(&self, name: &str) -> Command {
        let mut command = Command::new(self.path(name));
        if ["javac", "jar"].contains(&name) {
            command.args(["-J-XX:TieredStopAtLevel=1", "-J-XX:+UseSerialGC"]);
        }
        command
    }

    fn compiles(&self) -> bool {
        self.path("javac").exists() && self.path("jcmd").exists()
    }
}

/// The JDKs of 17 and newer of this machine, the oldest first, each once; at least one.
#[must_use]
pub fn jdks() -> &'static [Jdk] {
    static JDKS: OnceLock<Vec<Jdk>> = OnceLock::new();
    JDKS.get_or_init(|| {
        let entries = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
        let mut found: Vec<Jdk> = entries
            .flatten()
            .filter_map(|entry| Jdk::at(&entry.path()))
            .filter(|jdk| jdk.release >= OLDEST && jdk.compiles())
            .collect();
        found.sort();
        found.dedup();
        assert!(
            !found.is_empty(),
            "these tests need a JDK of 17 or newer in /usr/lib/jvm: `apt-get install openjdk-17-jdk-headless`"
        );
        found
    })
}

/// The oldest JDK: all JVMs can run what it compiles.
#[must_use]
pub fn oldest() -> &'static Jdk {
    &jdks()[0]
}

/// The newest JDK, which has all new features.
#[must_use]
pub fn newest() -> &'static Jdk {
    &jdks()[jdks().len() - 1]
}

/// The JVMs to run: those that `TACHO_TEST_JVMS` names, else [`jdks`].
#[must_use]
pub fn jvms() -> &'static [Jdk] {
    static JVMS: OnceLock<Vec<Jdk>> = OnceLock::new();
    JVMS.get_or_init(|| match std::env::var_os(OTHER_JVMS) {
        None => jdks().to_vec(),
        Some(homes) => std::env::split_paths(&homes)
            .map(|home| {
                Jdk::at(&home)
                    .unwrap_or_else(|| panic!("{OTHER_JVMS}: there is no JVM in {home:?}"))
            })
            .collect(),
    })
}

/// The oldest and the newest of the JVMs to run, which differ most; only one where there is only
/// one.
pub fn extremes() -> impl Iterator<Item = &'static Jdk> {
    let jvms = jvms();
    let newest = jvms.last().filter(|_| jvms.len() > 1);
    jvms.first().into_iter().chain(newest)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn releases_are_told_by_their_names_of_any_age() {
        let folder = std::env::temp_dir().join(format!("tacho-test-jdks-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let release = |text: &str| {
            std::fs::write(folder.join("release"), text).unwrap();
            Jdk::at(&folder).map(|jdk| jdk.release)
        };
        let told = [
            release("IMPLEMENTOR=\"Acme\"\nJAVA_VERSION=\"25.0.3\"\n"),
            release("JAVA_VERSION=\"26-ea\"\n"),
            release("JAVA_VERSION=\"1.8.0_402\"\n"),
            release("MODULES=\"java.base\"\n"),
        ];
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(told, [Some(25), Some(26), Some(8), None]);
    }
}
