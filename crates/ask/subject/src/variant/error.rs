//! Why a variant cannot be made.

use super::StepError;
use crate::{Jdk, JdkError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Why a variant cannot be made of this artifact on this machine, and what would change it.
#[derive(Debug, thiserror::Error)]
pub enum Unavailable {
    /// There is nothing to ship.
    #[error("no artifact was named; set `artifact` to a jar, a WAR, a folder or an executable")]
    NoArtifact,
    /// An executable cannot be shipped in a way that is made for JVMs.
    #[error("{0} is not for a JVM; use `kind: exec`")]
    NotForAJvm(PathBuf),
    /// The jar has no main class: it is a library. Its path.
    #[error(
        "{0} has no Main-Class in its manifest, so `java -jar` cannot start it; is it a library, or the jar before it was repackaged?"
    )]
    NoMainClass(PathBuf),
    /// A WAR that only a container can run.
    #[error("{0} is a plain WAR: `java -jar` cannot start it; use `kind: war`")]
    PlainWar(PathBuf),
    /// Only a WAR can be deployed.
    #[error(
        "{0} is no WAR; build one (Spring Boot: <packaging>war</packaging> and SpringBootServletInitializer) and name it as this variant's `artifact`"
    )]
    NotAWar(PathBuf),
    /// No JDK, or none that suits.
    #[error(transparent)]
    Jdk(#[from] JdkError),
    /// The JDK is too old.
    #[error(
        "{what} needs JDK {release} or newer, and this variant would run on {jdk}; name a newer one with `jdk`"
    )]
    OldJdk {
        /// What needs the newer JDK, such as an AOT cache.
        what: &'static str,
        /// The release that has it.
        release: u32,
        /// The one that was chosen.
        jdk: Box<Jdk>,
    },
    /// The JDK lacks a program.
    #[error("{jdk} has no `{tool}`; install the full JDK, not only its runtime")]
    NoTool {
        /// Name of the program in the JDK's `bin`.
        tool: &'static str,
        /// The one that was chosen.
        jdk: Box<Jdk>,
    },
    /// A dynamic archive needs the JDK's own below it.
    #[error("{jdk} has no CDS archive of its own to build on; make it once with `{} -Xshare:dump`", .jdk.tool("java").display())]
    NoBaseArchive {
        /// The one that was chosen.
        jdk: Box<Jdk>,
    },
    /// Only Spring Boot can extract its jars.
    #[error(
        "{0} is no Spring Boot jar; its classes are not packed into nested jars, so there is nothing to extract"
    )]
    NothingToExtract(PathBuf),
    /// The layout that archives need came with Boot 3.3.
    #[error(
        "{file} was built with Spring Boot {version}: classes in nested jars cannot be archived, and the extracted layout that helps came with Spring Boot 3.3; update to it"
    )]
    NestedClasses {
        /// Path of the jar.
        file: PathBuf,
        /// Its Boot version.
        version: String,
    },
    /// Boot could not extract jars before 2.3.
    #[error(
        "{file} was built with Spring Boot {version}; jars can be extracted since 2.3, update to it"
    )]
    OldBoot {
        /// Path of the jar.
        file: PathBuf,
        /// Its Boot version.
        version: String,
    },
    /// Tomcat cannot be got.
    #[error(
        "Apache Tomcat {version} is neither in the cache ({}) nor in Maven's local repository, and there is no `mvn` on the PATH to get it with; install Maven (`apt-get install maven`)", .cache.display()
    )]
    NoTomcat {
        /// Version of Tomcat that suits the WAR's servlet level.
        version: &'static str,
        /// Where it would be.
        cache: PathBuf,
    },
    /// There is no `native-image`.
    #[error(
        "there is no native-image: GRAALVM_HOME is not set and the PATH has none. `tacho native-kit install` makes one from Maven Central's parts; or get GraalVM (`sdk install java 25-graalce`, or Mandrel for Quarkus) and set GRAALVM_HOME; or name an executable that is already built with `kind: exec`"
    )]
    NoNativeImage,
    /// Making it would take minutes.
    #[error(
        "its image is not built yet, and building takes minutes; name this variant with --variants to build and keep it"
    )]
    NotBuilt,
    /// A native image cannot be made of this artifact.
    #[error("{0}")]
    NotForNative(String),
    /// An `exec` variant without a command.
    #[error("an exec variant needs `command`, or an executable as its artifact")]
    NoCommand,
    /// A program that is not there.
    #[error(
        "the program {program} was found neither as {} nor on the PATH; build it first, or give its path", .tried.display()
    )]
    NoProgram {
        /// As it was given.
        program: String,
        /// Where it was looked for.
        tried: PathBuf,
    },
    /// A reason that only one kind has. Its text is in the code that makes that kind.
    #[error(transparent)]
    OfKind(Box<dyn std::error::Error + Send + Sync>),
}

/// Why making a variant failed.
#[derive(Debug, thiserror::Error)]
pub enum PrepareError {
    /// It cannot be made here.
    #[error(transparent)]
    Unavailable(#[from] Unavailable),
    /// A command or a training launch failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Path of the file that could not be read or written.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// A JVM would take a path for two.
    #[error(
        "{path} has a colon, at which a JVM splits {what}: it would find neither part. Use a path without one (`artifact` for what is shipped, --runs for what is made)",
        path = path.display()
    )]
    Splits {
        /// The path.
        path: PathBuf,
        /// Where it is to stand: `a class path`.
        what: &'static str,
    },
    /// A file is not the one that was released.
    #[error(
        "{what} {version} in {} is not what was released (SHA-256 {found}, expected {expected}); it is not run. Remove it, and it is fetched again", .path.display()
    )]
    WrongSum {
        /// What was fetched: `Apache Tomcat`.
        what: &'static str,
        /// Which was expected.
        version: &'static str,
        /// The file or folder.
        path: Box<Path>,
        /// In hexadecimal digits.
        found: Box<str>,
        /// SHA-256 of the release, in hexadecimal.
        expected: &'static str,
    },
    /// Another user could change what is run.
    #[error("what is cached is not run: {0}")]
    Untrusted(tacho_files::Untrusted),
    /// The commands ended well, but what they ought to have made is not there.
    #[error("{what} was not made: {path} does not exist. {hint}")]
    NotMade {
        /// `the CDS archive`.
        what: &'static str,
        /// Where it ought to be.
        path: PathBuf,
        /// What to look at.
        hint: &'static str,
    },
}

/// What a jar of `java -jar` is as well.
pub(super) const CLASS_PATH: &str = "a class path";

impl PrepareError {
    /// Checks that a JVM takes this path for one where it accepts several.
    pub(super) fn unless_one_path(path: &Path, what: &'static str) -> Result<(), Self> {
        match path.as_os_str().as_bytes().contains(&b':') {
            true => Err(Self::Splits {
                path: path.to_owned(),
                what,
            }),
            false => Ok(()),
        }
    }

    pub(super) fn io(path: &Path, source: io::Error) -> Self {
        Self::Io {
            path: path.to_owned(),
            source,
        }
    }
}
