//! The JDKs of a machine, and which of them suits.

mod recordings;
mod release;
mod search;

/// For `fuzz/`: the feature release that a JDK's file `release` tells, or what `java` prints of
/// itself.
#[doc(hidden)]
#[must_use]
pub fn read_release(text: &str) -> [Option<u32>; 2] {
    release::read(text)
}

use crate::Host;
use crate::host::is_executable;
use std::fmt;
use std::path::{Path, PathBuf};

/// A JDK, or a runtime without tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jdk {
    /// Its folder, with links followed.
    pub home: PathBuf,
    /// Feature release: 17, 21, 25.
    pub feature: u32,
    /// Full version: `25.0.3+9`.
    pub version: String,
    /// `Temurin`, `Debian`, ...
    pub vendor: String,
    /// Its modules, where it lists them.
    pub modules: Vec<String>,
}

impl Jdk {
    /// Reads the JDK in a folder; `None` when there is none.
    #[must_use]
    pub fn in_folder(home: &Path) -> Option<Self> {
        let home = home.canonicalize().ok()?;
        if !is_executable(&home.join("bin/java")) {
            return None;
        }
        let release = release::of(&home)?;
        Some(Self {
            feature: release::feature(&release.version)?,
            version: release.version,
            vendor: release.vendor,
            modules: release.modules,
            home,
        })
    }

    /// A program of it, such as `java`, whether it is there or not.
    #[must_use]
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// It has this program: `jlink`, `jcmd`, `javac`, ...
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        is_executable(&self.tool(name))
    }

    /// It has a compiler, so it is more than a runtime.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.has("javac")
    }

    /// `OpenJDK 25.0.3+9 (Temurin)`.
    #[must_use]
    pub fn title(&self) -> String {
        let brand = if self.vendor.contains("Oracle") {
            "JDK"
        } else {
            "OpenJDK"
        };
        format!("{brand} {} ({})", self.version, self.vendor)
    }

    /// Numbers of the version, for comparing two of the same release.
    fn numbers(&self) -> Vec<u32> {
        let parts = self.version.split(|c: char| !c.is_ascii_digit());
        parts.filter_map(|n| n.parse().ok()).collect()
    }
}

impl fmt::Display for Jdk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runtime_only = if self.is_full() { "" } else { ", runtime only" };
        write!(
            f,
            "{} {}{runtime_only} in {}",
            self.vendor,
            self.version,
            self.home.display()
        )
    }
}

/// Why there is no JDK to use. The text says what was found and how to get one.
#[derive(Debug, thiserror::Error)]
pub enum JdkError {
    /// None is new enough.
    #[error("{}; {found}. {}", needed(.release), how_to_get(.release.unwrap_or(NEWEST_LTS)))]
    NoneSuits {
        /// The release of the class files, when known.
        release: Option<u32>,
        /// What was found, for people.
        found: String,
    },
    /// None is of the release that was asked for.
    #[error("no JDK {wanted} was found; {found}. {}", how_to_get(release::feature(.wanted).unwrap_or(NEWEST_LTS)))]
    NoSuchRelease {
        /// As it was asked for.
        wanted: String,
        /// What was found, for people.
        found: String,
    },
    /// A path without a JDK.
    #[error(
        "{path} is no JDK: it has no bin/java that tells its version; {found}. Give the folder that has bin/java in it, or a release such as 25"
    )]
    NotAJdk {
        /// As it was given.
        path: PathBuf,
        /// What was found, for people.
        found: String,
    },
    /// The one that was asked for is too old for the class files.
    #[error(
        "the class files need Java {release}, but {jdk} was asked for; take a newer JDK, or build with `--release {}`", .jdk.feature
    )]
    TooOld {
        /// The release of the class files.
        release: u32,
        /// The one that was asked for.
        jdk: Box<Jdk>,
    },
}

const NEWEST_LTS: u32 = 25;

fn needed(release: &Option<u32>) -> String {
    match release {
        Some(release) => format!("the class files need Java {release} or newer"),
        None => "a JVM is needed".to_owned(),
    }
}

fn how_to_get(release: u32) -> String {
    format!(
        "To get one: `apt-get install openjdk-{release}-jdk-headless` (Debian and Ubuntu, where they have it) or `sdk install java {release}-tem` after `sdk list java` (SDKMAN), or unpack one anywhere and name its folder with --jdk"
    )
}

/// All JDKs that were found, the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Jdks {
    all: Vec<Jdk>,
}

impl Jdks {
    /// Looks for JDKs in `JAVA_HOME`, SDKMAN's folder, the usual folders and the `PATH`.
    #[must_use]
    pub fn discover(host: &Host) -> Self {
        Self::of(
            search::places(host)
                .iter()
                .filter_map(|p| Jdk::in_folder(p)),
        )
    }

    /// Collects JDKs. The same one under two names counts once. The newest comes first; of two of
    /// the same version, the one with tools.
    pub fn of(found: impl IntoIterator<Item = Jdk>) -> Self {
        let mut all: Vec<Jdk> = Vec::new();
        for jdk in found {
            if !all.iter().any(|known| known.home == jdk.home) {
                all.push(jdk);
            }
        }
        all.sort_by_key(|j| std::cmp::Reverse((j.feature, j.numbers(), j.is_full())));
        Self { all }
    }

    /// The newest first.
    #[must_use]
    pub fn all(&self) -> &[Jdk] {
        &self.all
    }

    /// The newest that runs class files of this release.
    ///
    /// # Errors
    /// When none is new enough.
    pub fn newest_that_suits(&self, release: Option<u32>) -> Result<&Jdk, JdkError> {
        let suits = |jdk: &&Jdk| release.is_none_or(|release| jdk.feature >= release);
        self.all
            .iter()
            .find(suits)
            .ok_or_else(|| JdkError::NoneSuits {
                release,
                found: self.found(),
            })
    }

    /// The JDK that a user means by `17`, `25.0.3`, `/path/to/jdk` or `/path/to/jdk/bin/java`.
    ///
    /// # Errors
    /// When there is none.
    pub fn by_spec(&self, spec: &str) -> Result<Jdk, JdkError> {
        if spec.contains('/') {
            return self.by_path(Path::new(spec));
        }
        let exact = |jdk: &&Jdk| {
            jdk.version == spec
                || jdk
                    .version
                    .strip_prefix(spec)
                    .is_some_and(|rest| rest.starts_with(['.', '+', '_', '-']))
        };
        let by_feature = |jdk: &&Jdk| spec.parse() == Ok(jdk.feature);
        self.all
            .iter()
            .find(by_feature)
            .or_else(|| self.all.iter().find(exact))
            .cloned()
            .ok_or_else(|| JdkError::NoSuchRelease {
                wanted: spec.to_owned(),
                found: self.found(),
            })
    }

    fn by_path(&self, path: &Path) -> Result<Jdk, JdkError> {
        Jdk::in_folder(path)
            .or_else(|| Jdk::in_folder(path.canonicalize().ok()?.parent()?.parent()?))
            .ok_or_else(|| JdkError::NotAJdk {
                path: path.to_owned(),
                found: self.found(),
            })
    }

    /// The JDK for a subject: the one asked for, else the newest that suits.
    ///
    /// # Errors
    /// When there is none, or the one asked for is too old for the class files.
    pub fn choose(&self, spec: Option<&str>, release: Option<u32>) -> Result<Jdk, JdkError> {
        let Some(spec) = spec else {
            return self.newest_that_suits(release).cloned();
        };
        let jdk = self.by_spec(spec)?;
        match release {
            Some(release) if jdk.feature < release => Err(JdkError::TooOld {
                release,
                jdk: Box::new(jdk),
            }),
            _ => Ok(jdk),
        }
    }

    /// `found: Temurin 25.0.3+9 in /x, Debian 17.0.15+6 in /y`.
    fn found(&self) -> String {
        if self.all.is_empty() {
            return "found: no JDK at all".to_owned();
        }
        let list: Vec<_> = self.all.iter().map(ToString::to_string).collect();
        format!("found: {}", list.join(", "))
    }
}

#[cfg(test)]
mod tests;
