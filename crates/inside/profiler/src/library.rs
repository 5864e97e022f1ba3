//! Finds, unpacks and fetches the library, and checks it each time before a JVM loads it.
//!
//! The library becomes part of a process that others depend on. So a version that Tacho fetches is
//! pinned by its SHA-256, and an unpacked library is only used while nobody else can write to it. A
//! library that the user names is trusted.

use crate::pinned;
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_attach::Jvm;
use tacho_files::input::Bound;
use tacho_files::{Untrusted, trusted};
use tacho_jvm_agent::AgentError;
use tacho_launch::{Lease, LeaseError, RunError, Scratch, Spawn, run_to_end};

/// What `install` fetches: released in July 2026; any version from 2.0 on is used when it is there.
pub const VERSION: &str = "4.5";

const VARIABLE: &str = "TACHO_ASYNC_PROFILER";
const LIBRARY: &str = "libasyncProfiler.so";
/// Beside a library that came from a jar of the user: its SHA-256 when it was unpacked.
const RECORDED_SUM: &str = "libasyncProfiler.so.sha256";
/// The library has 0.6 MB.
const LIBRARY_LIMIT: Bound = Bound::mib(16);
/// Maven over a slow line.
const LONGEST: Duration = Duration::from_secs(10 * 60);

/// Where it may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// Named by the user.
    pub own: Option<PathBuf>,
    /// Tacho's data: one folder a version.
    pub unpacked: PathBuf,
    /// The folder of Maven's local repository with one folder a version.
    pub maven: PathBuf,
}

/// A library that can be loaded into a JVM of this machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AsyncProfiler {
    /// The shared library.
    pub library: PathBuf,
    /// `4.5`; absent for one that the user named.
    pub version: Option<String>,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub enum ProfilerError {
    /// The JVM, or the library in it, refuses.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// File that could not be read or written.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// The jar is damaged, or has no library for this machine.
    #[error(
        "{jar} has no {entry} that can be unpacked: {why}. Delete the jar and run `tacho profiler install` again, or name a {LIBRARY} of your own in {VARIABLE}"
    )]
    NotInJar {
        /// Path of the jar.
        jar: PathBuf,
        /// What was looked for.
        entry: String,
        /// What the reader of the jar said.
        why: String,
    },
    /// Not what is pinned, or not what was unpacked.
    #[error(
        "{path} is not the expected library (SHA-256 {found}, expected {expected}), so it is not loaded. Delete it and run `tacho profiler install`, or name a {LIBRARY} of your own in {VARIABLE}"
    )]
    WrongSum {
        /// The library, or the jar that has it.
        path: PathBuf,
        /// In hexadecimal digits.
        found: String,
        /// SHA-256 that is pinned, or was recorded when it was unpacked.
        expected: String,
    },
    /// Nobody knows what it should be.
    #[error(
        "Tacho did not unpack {path} and has no SHA-256 for its version, so it is not loaded. Run `tacho profiler install`, or name the library in {VARIABLE}"
    )]
    Unknown {
        /// Path of the library.
        path: PathBuf,
    },
    /// Another user could change the library.
    #[error("the library is not loaded: {0}")]
    Untrusted(Untrusted),
    /// The library does not fit the JVM's C library: it would not load, or would end the JVM.
    #[error(
        "process {pid} runs on the C library musl (Alpine), and async-profiler {version} is made for glibc: since 4.0 one library works with both. Run `tacho profiler install` (it installs {VERSION}), or name a build for musl in {VARIABLE}"
    )]
    NotForMusl {
        /// Process id of the JVM.
        pid: u32,
        /// Of the one that is installed.
        version: String,
    },
    /// No lease for Maven's process.
    #[error(transparent)]
    Lease(#[from] LeaseError),
    /// Maven did not run.
    #[error(
        "`mvn` could not be run: {0}. Install Maven, or download the jar tools.profiler:async-profiler:{VERSION} and give it with --from"
    )]
    NotRun(#[from] RunError),
    /// Maven said no.
    #[error(
        "`mvn` could not fetch tools.profiler:async-profiler:{VERSION} ({how}): {tail}\nWhere no repository can be reached, carry the jar over and give it with --from"
    )]
    NotFetched {
        /// Exit code or signal.
        how: String,
        /// The end of what it printed.
        tail: String,
    },
}

impl Places {
    /// The places on this machine for this user.
    #[must_use]
    pub fn here() -> Self {
        let folder = |name| {
            std::env::var_os(name)
                .filter(|v| !v.is_empty())
                .map(PathBuf::from)
        };
        let home = folder("HOME").unwrap_or_else(|| PathBuf::from("/"));
        let data = folder("XDG_DATA_HOME").unwrap_or_else(|| home.join(".local/share"));
        Self {
            own: folder(VARIABLE),
            unpacked: data.join("tacho/async-profiler"),
            maven: home.join(".m2/repository/tools/profiler/async-profiler"),
        }
    }
}

impl AsyncProfiler {
    /// The library to use: the one that the user named; else the newest that is unpacked; else the
    /// jar of [`VERSION`] in Maven's repository, which is then unpacked. Check it before it is
    /// loaded ([`AsyncProfiler::check`]).
    #[must_use]
    pub fn find(places: &Places) -> Option<Self> {
        if let Some(library) = &places.own {
            let library = std::path::absolute(library).unwrap_or_else(|_| library.clone());
            return library.is_file().then_some(Self {
                library,
                version: None,
            });
        }
        let unpacked = newest(&places.unpacked, |version| {
            places.unpacked.join(version).join(LIBRARY)
        });
        if let Some((version, library)) = unpacked {
            return Some(Self {
                library,
                version: Some(version),
            });
        }
        let jar = jar_in(&places.maven, VERSION);
        jar.is_file()
            .then(|| Self::unpack(&jar, VERSION, places).ok())
            .flatten()
    }

    /// Checks that the library is what it should be, and that nobody else can change it. Call this
    /// each time before a JVM loads it.
    ///
    /// # Errors
    /// When it is not, or cannot be read.
    pub fn check(&self) -> Result<(), ProfilerError> {
        self.read().map(|_| ())
    }

    /// The contents of the library, checked as by [`AsyncProfiler::check`]. For a JVM that cannot
    /// see our files.
    ///
    /// # Errors
    /// As [`AsyncProfiler::check`].
    pub fn read(&self) -> Result<Vec<u8>, ProfilerError> {
        let failed = |source| ProfilerError::Io {
            path: self.library.clone(),
            source,
        };
        // A library that the user named is trusted. But root must not load what others can write.
        if self.version.is_some() || rustix::process::geteuid().is_root() {
            trusted(&self.library)
                .map_err(failed)?
                .map_err(ProfilerError::Untrusted)?;
        }
        let bytes = tacho_files::input::read(&self.library, LIBRARY_LIMIT).map_err(failed)?;
        let Some(version) = &self.version else {
            return Ok(bytes);
        };
        let expected = match pinned::sum_of(version) {
            Some(sum) => sum.to_owned(),
            None => self.recorded_sum()?,
        };
        must_be(&self.library, &bytes, &expected)?;
        Ok(bytes)
    }

    /// Checks that it was built for the JVM's C library, as far as that is known. A library that
    /// the user named is trusted.
    pub(crate) fn suits(&self, jvm: &Jvm) -> Result<(), ProfilerError> {
        match &self.version {
            Some(version) if is_for_glibc_alone(version) && jvm.is_musl() => {
                Err(ProfilerError::NotForMusl {
                    pid: jvm.pid(),
                    version: version.clone(),
                })
            }
            _ => Ok(()),
        }
    }

    fn recorded_sum(&self) -> Result<String, ProfilerError> {
        let unknown = || ProfilerError::Unknown {
            path: self.library.clone(),
        };
        let path = self.library.with_file_name(RECORDED_SUM);
        let recorded =
            tacho_files::input::read_text(&path, Bound::mib(1)).map_err(|_| unknown())?;
        trusted(&path)
            .map_err(|_| unknown())?
            .map_err(ProfilerError::Untrusted)?;
        Ok(recorded.trim().to_owned())
    }

    /// Takes it out of a jar, or out of that which Maven fetches.
    ///
    /// # Errors
    /// When Maven cannot fetch it, or the jar has none for this machine.
    pub fn install(
        from: Option<&Path>,
        places: &Places,
        stop: &AtomicBool,
    ) -> Result<Self, ProfilerError> {
        if let Some(jar) = from {
            return Self::unpack(jar, &version_of(jar), places);
        }
        let jar = jar_in(&places.maven, VERSION);
        if !jar.is_file() {
            fetch(stop)?;
        }
        Self::unpack(&jar, VERSION, places)
    }

    fn unpack(jar: &Path, version: &str, places: &Places) -> Result<Self, ProfilerError> {
        let bytes = library_in(jar)?;
        // A pinned version has to have the pinned sum, wherever its jar came from.
        if let Some(expected) = pinned::sum_of(version) {
            must_be(jar, &bytes, expected)?;
        }
        let folder = places.unpacked.join(version);
        let io_error = |path: &Path| {
            let path = path.to_owned();
            move |source| ProfilerError::Io { path, source }
        };
        std::fs::create_dir_all(&folder).map_err(io_error(&folder))?;
        if pinned::sum_of(version).is_none() {
            let recorded = folder.join(RECORDED_SUM);
            std::fs::write(&recorded, pinned::sum(&bytes)).map_err(io_error(&recorded))?;
        }
        let library = folder.join(LIBRARY);
        // Replace it atomically: a JVM may load it at this moment.
        let scratch = Scratch::within(&folder)?;
        let temporary = scratch.path().join(LIBRARY);
        std::fs::write(&temporary, &bytes).map_err(io_error(&library))?;
        // Every user's JVM has to be able to read it.
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(&temporary, mode).map_err(io_error(&library))?;
        std::fs::rename(&temporary, &library).map_err(io_error(&library))?;

        Ok(Self {
            library,
            version: Some(version.to_owned()),
        })
    }

    /// For people: `async-profiler 4.5`.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.version {
            Some(version) => format!("async-profiler {version}"),
            None => format!("async-profiler ({})", self.library.display()),
        }
    }
}

/// The entry of this machine's library.
fn entry() -> String {
    format!("linux-{}/{LIBRARY}", pinned::here())
}

fn must_be(path: &Path, bytes: &[u8], expected: &str) -> Result<(), ProfilerError> {
    let found = pinned::sum(bytes);
    if found == expected {
        return Ok(());
    }
    Err(ProfilerError::WrongSum {
        path: path.to_owned(),
        found,
        expected: expected.to_owned(),
    })
}

fn library_in(jar: &Path) -> Result<Vec<u8>, ProfilerError> {
    let entry = entry();
    let refused = |why: String| ProfilerError::NotInJar {
        jar: jar.to_owned(),
        entry: entry.clone(),
        why,
    };
    let file = tacho_files::input::open(jar).map_err(|e| refused(e.to_string()))?;
    let mut zip = zip::ZipArchive::new(file).map_err(|e| refused(e.to_string()))?;
    let library = zip.by_name(&entry).map_err(|e| refused(e.to_string()))?;
    let mut bytes = Vec::new();
    library
        .take(LIBRARY_LIMIT.bytes())
        .read_to_end(&mut bytes)
        .map_err(|e| refused(e.to_string()))?;
    if !bytes.starts_with(b"\x7fELF") {
        return Err(refused("it is no shared library".to_owned()));
    }
    Ok(bytes)
}

fn fetch(stop: &AtomicBool) -> Result<(), ProfilerError> {
    let folder = Scratch::new()?;
    let command = [
        "mvn",
        "--batch-mode",
        "--quiet",
        "dependency:get",
        &format!("-Dartifact=tools.profiler:async-profiler:{VERSION}:jar"),
        "-Dtransitive=false",
    ];
    let finished = run_to_end(
        Spawn {
            command: command.map(str::to_owned).to_vec(),
            directory: folder.path().to_owned(),
            environment: BTreeMap::new(),
            log: folder.path().join("log"),
            join: Vec::new(),
            user: None,
            lease: Lease::take(&[])?,
        },
        stop,
        LONGEST,
    )?;
    if finished.exit.success() {
        return Ok(());
    }
    Err(ProfilerError::NotFetched {
        how: finished.exit.to_string(),
        tail: finished.tail.join("\n"),
    })
}

fn jar_in(maven: &Path, version: &str) -> PathBuf {
    maven
        .join(version)
        .join(format!("async-profiler-{version}.jar"))
}

/// The version in the name of a jar, or `own`. It is only used as the name of a folder.
fn version_of(jar: &Path) -> String {
    let stem = jar
        .file_stem()
        .map(|stem| stem.to_string_lossy().into_owned());
    let version = stem.and_then(|stem| stem.strip_prefix("async-profiler-").map(str::to_owned));
    version.unwrap_or_else(|| "own".to_owned())
}

/// Whether the release only supports glibc: those before 4.0 (the project's issue 952).
fn is_for_glibc_alone(version: &str) -> bool {
    let major = version.split('.').next().unwrap_or(version);
    major.parse::<u32>().is_ok_and(|major| major < 4)
}

/// The folder with the highest version of which a file is there.
fn newest(folder: &Path, file: impl Fn(&str) -> PathBuf) -> Option<(String, PathBuf)> {
    let versions = std::fs::read_dir(folder).ok()?.flatten();
    versions
        .filter_map(|entry| entry.file_name().into_string().ok())
        .map(|version| (file(&version), version))
        .filter(|(path, _)| path.is_file())
        .max_by_key(|(_, version)| numbers(version))
        .map(|(path, version)| (version, path))
}

fn numbers(version: &str) -> Vec<u32> {
    version
        .split(['.', '-'])
        .map(|part| part.parse().unwrap_or(0))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use zip::write::SimpleFileOptions;

    fn places(root: &Path) -> Places {
        Places {
            own: None,
            unpacked: root.join("data"),
            maven: root.join("maven"),
        }
    }

    fn jar(places: &Places, version: &str, library: &[u8]) -> PathBuf {
        let path = jar_in(&places.maven, version);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let mut zip = zip::ZipWriter::new(File::create(&path).unwrap());
        zip.start_file(entry(), SimpleFileOptions::default())
            .unwrap();
        zip.write_all(library).unwrap();
        zip.finish().unwrap();
        path
    }

    #[test]
    fn a_jar_of_the_user_is_his_word_until_what_was_unpacked_changes() {
        let root = tempfile::tempdir().unwrap();
        let places = places(root.path());
        assert_eq!(AsyncProfiler::find(&places), None);
        // Of Maven's jars no other than the pinned one is taken.
        let jar = jar(&places, "3.0", b"\x7fELF mine");
        assert_eq!(AsyncProfiler::find(&places), None);
        let stop = AtomicBool::new(false);
        let installed = AsyncProfiler::install(Some(&jar), &places, &stop).unwrap();
        assert_eq!(installed.title(), "async-profiler 3.0");
        assert_eq!(installed.read().unwrap(), b"\x7fELF mine");
        std::fs::remove_dir_all(&places.maven).unwrap();
        assert_eq!(AsyncProfiler::find(&places), Some(installed.clone()));
        std::fs::write(&installed.library, b"\x7fELF other").unwrap();
        let error = installed.check().unwrap_err();
        assert!(error.to_string().contains("not loaded"), "{error}");
        let mut unknown = installed;
        std::fs::remove_file(unknown.library.with_file_name(RECORDED_SUM)).unwrap();
        assert!(matches!(
            unknown.check(),
            Err(ProfilerError::Unknown { .. })
        ));
        unknown.version = None;
        unknown.check().unwrap();
    }

    #[test]
    fn what_others_may_write_is_never_loaded() {
        let root = tempfile::tempdir().unwrap();
        let places = places(root.path());
        let jar = jar(&places, "3.0", b"\x7fELF mine");
        let stop = AtomicBool::new(false);
        let mut installed = AsyncProfiler::install(Some(&jar), &places, &stop).unwrap();
        let folder = installed.library.parent().unwrap();
        let everybody = std::fs::Permissions::from_mode(0o777);
        std::fs::set_permissions(folder, everybody).unwrap();
        let error = installed.check().unwrap_err().to_string();
        assert!(error.contains("may be written by other users"), "{error}");
        // One of the user's own: for root the same.
        installed.version = None;
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(installed.check().is_err(), is_root);
    }

    #[test]
    fn what_is_not_the_pinned_library_is_never_loaded() {
        let root = tempfile::tempdir().unwrap();
        let places = places(root.path());
        // In Maven's repository, which anything that the user builds may write.
        jar(&places, VERSION, b"\x7fELF planted");
        assert!(AsyncProfiler::find(&places).is_none_or(|found| found.check().is_err()));
        let stop = AtomicBool::new(false);
        let jar = jar_in(&places.maven, VERSION);
        let error = AsyncProfiler::install(Some(&jar), &places, &stop).unwrap_err();
        assert!(matches!(error, ProfilerError::WrongSum { .. }), "{error}");
        // In the cached place.
        let folder = places.unpacked.join(VERSION);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(LIBRARY), b"\x7fELF planted").unwrap();
        assert!(AsyncProfiler::find(&places).is_none_or(|found| found.check().is_err()));
    }

    #[test]
    fn a_jar_without_a_library_is_refused_and_nothing_is_left() {
        let root = tempfile::tempdir().unwrap();
        let places = places(root.path());
        let jar = jar(&places, "3.0", b"text");
        let stop = AtomicBool::new(false);
        let error = AsyncProfiler::install(Some(&jar), &places, &stop).unwrap_err();
        assert!(error.to_string().contains("no shared library"), "{error}");
        assert!(!places.unpacked.exists());
        let nothing =
            AsyncProfiler::install(Some(Path::new("/no.jar")), &places, &stop).unwrap_err();
        assert!(
            nothing.to_string().contains("TACHO_ASYNC_PROFILER"),
            "{nothing}"
        );
    }

    #[test]
    fn releases_before_the_fourth_are_for_glibc_alone() {
        for (version, alone) in [("2.9", true), ("3.0", true), ("4.0", false), ("own", false)] {
            assert_eq!(is_for_glibc_alone(version), alone, "{version}");
        }
        assert!(!is_for_glibc_alone(VERSION));
    }

    #[test]
    fn the_users_own_comes_first() {
        let root = tempfile::tempdir().unwrap();
        let own = root.path().join("mine.so");
        std::fs::write(&own, b"\x7fELF").unwrap();
        let places = Places {
            own: Some(own.clone()),
            ..places(root.path())
        };
        assert_eq!(AsyncProfiler::find(&places).unwrap().library, own);
    }
}
