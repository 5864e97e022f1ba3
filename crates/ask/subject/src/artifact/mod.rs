//! What a path is: a jar, a WAR, a folder with one of them, or a program.

mod archive;
mod class_file;
mod directory;
mod error;
mod executable;
mod framework;
mod fuzzing;
mod jvm;
mod manifest;
mod own_packages;
mod script;
mod seen;
mod servlet;
#[cfg(test)]
mod tests;

pub(crate) use archive::Archive;
pub use directory::BuildTool;
pub use error::ArtifactError;
pub use framework::{Framework, FrameworkFound, ReadyHints, WebStack, ready_hints};
#[doc(hidden)]
pub use fuzzing::{read_archive, read_class};
pub use jvm::JvmFacts;
pub(crate) use jvm::NATIVE_OPTIONS;
pub(crate) use jvm::jars_below;
pub use manifest::Manifest;
pub use own_packages::{own_packages, packages_of_loader};
pub use servlet::ServletLevel;

use std::path::{Path, PathBuf};
use tacho_run_folder::SubjectFacts;

/// What is launched in the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArtifactKind {
    /// A jar, run by `java -jar`.
    Jar,
    /// A WAR, executable or not.
    War,
    /// An ELF file or a script.
    Executable,
}

/// A service as it was given, with what was found out about it. Nothing was started for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The path that the user named, absolute.
    pub given: PathBuf,
    /// The file that is launched; the same unless a folder was named.
    pub file: PathBuf,
    /// What the file is.
    pub kind: ArtifactKind,
    /// The project that it was built in: whose folder was named, or in whose output the file lies.
    pub project: Option<(PathBuf, BuildTool)>,
    /// What a jar or WAR tells about itself; `None` for executables.
    pub jvm: Option<JvmFacts>,
}

impl Artifact {
    /// Finds out what `path` is.
    ///
    /// # Errors
    /// When there is nothing that could be launched, or the file is damaged or encrypted.
    pub fn read(path: &Path) -> Result<Self, ArtifactError> {
        let given = std::path::absolute(path).map_err(|e| ArtifactError::io(path, e))?;
        if !given.exists() {
            return Err(ArtifactError::Missing(given));
        }
        let (file, project) = if given.is_dir() {
            let project = BuildTool::of(&given).map(|tool| (given.clone(), tool));
            (directory::resolve(&given)?, project)
        } else {
            (given.clone(), directory::project_of(&given))
        };
        if file.to_str().is_none() {
            return Err(ArtifactError::NotUtf8(file));
        }
        let kind = kind_of(&file)?;
        let jvm = match kind {
            ArtifactKind::Executable => None,
            ArtifactKind::Jar | ArtifactKind::War => Some(jvm::read(&file, kind)?),
        };
        Ok(Self {
            given,
            file,
            kind,
            project,
            jvm,
        })
    }

    /// The framework, when it was recognised.
    #[must_use]
    pub fn framework(&self) -> Option<&FrameworkFound> {
        self.jvm.as_ref()?.framework.as_ref()
    }

    /// The Java release that it needs.
    #[must_use]
    pub fn java_release(&self) -> Option<u32> {
        self.jvm.as_ref()?.java_release
    }

    /// Default port, readiness paths and requests to try.
    #[must_use]
    pub fn ready_hints(&self) -> ReadyHints {
        ready_hints(self.framework())
    }

    /// What goes into the head of the run folder.
    #[must_use]
    pub fn facts(&self) -> SubjectFacts {
        let kind = match self.kind {
            _ if self.given != self.file => "directory",
            ArtifactKind::Jar => "jar",
            ArtifactKind::War => "war",
            ArtifactKind::Executable => "executable",
        };
        SubjectFacts {
            artifact: Some(self.given.display().to_string()),
            kind: Some(kind.to_owned()),
            framework: self.framework().map(ToString::to_string),
            java_release: self.java_release(),
        }
    }

    /// Places in which a class is looked for where libraries are packed into the artifact: each
    /// library, and one for its own classes. `None` where none are.
    #[must_use]
    pub fn packed_places(&self) -> Option<usize> {
        const FOLDERS: [&str; 2] = ["BOOT-INF/lib/", "WEB-INF/lib/"];
        let libraries = self.jvm.as_ref()?.libraries.iter();
        let packed = libraries.filter(|name| FOLDERS.iter().any(|folder| name.starts_with(folder)));
        Some(packed.count()).filter(|&n| n > 0).map(|n| n + 1)
    }

    pub(crate) fn is(&self, framework: Framework) -> bool {
        self.framework().is_some_and(|f| f.framework == framework)
    }
}

fn kind_of(file: &Path) -> Result<ArtifactKind, ArtifactError> {
    let extension = file
        .extension()
        .map(|e| e.to_string_lossy().to_ascii_lowercase());
    match extension.as_deref() {
        Some("jar") => Ok(ArtifactKind::Jar),
        Some("war") => Ok(ArtifactKind::War),
        _ => executable::check(file).map(|()| ArtifactKind::Executable),
    }
}
