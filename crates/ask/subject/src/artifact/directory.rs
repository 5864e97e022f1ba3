//! Finds the one thing in a folder that can be launched.

use super::{ArtifactError, executable};
use std::path::{Path, PathBuf};

/// The tool that builds a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuildTool {
    /// Known by a `pom.xml`.
    Maven,
    /// `build.gradle` or `build.gradle.kts`.
    Gradle,
}

impl BuildTool {
    /// The tool of a project, by its build file.
    #[must_use]
    pub fn of(directory: &Path) -> Option<Self> {
        let has = |name: &str| directory.join(name).is_file();
        if has("pom.xml") {
            Some(Self::Maven)
        } else if has("build.gradle") || has("build.gradle.kts") {
            Some(Self::Gradle)
        } else {
            None
        }
    }

    fn output(self, project: &Path) -> PathBuf {
        match self {
            Self::Maven => project.join("target"),
            Self::Gradle => project.join("build"),
        }
    }

    fn archives(self, project: &Path) -> PathBuf {
        match self {
            Self::Maven => self.output(project),
            Self::Gradle => self.output(project).join("libs"),
        }
    }

    fn build_command(self) -> &'static str {
        match self {
            Self::Maven => "mvn package",
            Self::Gradle => "./gradlew assemble",
        }
    }
}

/// The project in whose output the file lies.
pub(super) fn project_of(file: &Path) -> Option<(PathBuf, BuildTool)> {
    file.ancestors().skip(1).take(DEEPEST).find_map(|folder| {
        let tool = BuildTool::of(folder)?;
        file.starts_with(tool.output(folder))
            .then(|| (folder.to_owned(), tool))
    })
}

/// `target/quarkus-app/quarkus-run.jar`, `build/libs/app.jar`: three folders, the project's own
/// with them.
const DEEPEST: usize = 3;

/// The file in `directory` that is meant: a Quarkus fast-jar, the output of a project's build, or
/// the only jar or WAR. A program has to be named itself.
pub(super) fn resolve(directory: &Path) -> Result<PathBuf, ArtifactError> {
    let fast_jar = directory.join("quarkus-run.jar");
    if fast_jar.is_file() {
        return Ok(fast_jar);
    }
    if let Some(tool) = BuildTool::of(directory) {
        return built(directory, tool);
    }
    let files = files_of(directory)?;
    if let Some(archive) = only(directory, files.iter().filter(|f| is_archive(f)))? {
        return Ok(archive);
    }
    let programs = files.iter().filter(|f| executable::is_program(f));
    Err(match only(directory, programs)? {
        Some(program) => ArtifactError::ProgramInFolder {
            directory: directory.to_owned(),
            program,
        },
        None => ArtifactError::NothingInside(directory.to_owned()),
    })
}

fn built(project: &Path, tool: BuildTool) -> Result<PathBuf, ArtifactError> {
    let fast_jar = tool.output(project).join("quarkus-app/quarkus-run.jar");
    if fast_jar.is_file() {
        return Ok(fast_jar);
    }
    let archives = tool.archives(project);
    let files = if archives.is_dir() {
        files_of(&archives)?
    } else {
        Vec::new()
    };
    let candidates = files.iter().filter(|f| is_archive(f) && !is_by_product(f));
    only(project, candidates)?.ok_or_else(|| ArtifactError::NotBuilt {
        directory: project.to_owned(),
        looked_in: archives.display().to_string(),
        build: tool.build_command(),
    })
}

/// The only one; `None` when there is none.
fn only<'a>(
    directory: &Path,
    candidates: impl Iterator<Item = &'a PathBuf>,
) -> Result<Option<PathBuf>, ArtifactError> {
    let mut candidates: Vec<_> = candidates.cloned().collect();
    if candidates.len() > 1 {
        return Err(ArtifactError::Ambiguous {
            directory: directory.to_owned(),
            candidates,
        });
    }
    Ok(candidates.pop())
}

fn files_of(directory: &Path) -> Result<Vec<PathBuf>, ArtifactError> {
    let entries = std::fs::read_dir(directory).map_err(|e| ArtifactError::io(directory, e))?;
    let mut files: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    Ok(files)
}

fn is_archive(file: &Path) -> bool {
    file.extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("jar") || e.eq_ignore_ascii_case("war"))
}

/// What builds leave beside the application: sources, tests, Gradle's jar without libraries, the
/// jar as it was before shading.
fn is_by_product(file: &Path) -> bool {
    let Some(stem) = file.file_stem().map(|s| s.to_string_lossy()) else {
        return true;
    };
    let endings = ["-sources", "-javadoc", "-tests", "-test-sources", "-plain"];
    endings.iter().any(|e| stem.ends_with(e)) || stem.starts_with("original-")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        dir
    }

    fn resolved(files: &[&str]) -> Result<String, ArtifactError> {
        let dir = folder(files);
        resolve(dir.path()).map(|found| {
            let inside = found.strip_prefix(dir.path()).unwrap();
            inside.display().to_string()
        })
    }

    #[test]
    fn a_projects_application_is_told_from_its_by_products() {
        let maven = ["pom.xml", "target/a-1.jar", "target/a-1-sources.jar"];
        assert_eq!(resolved(&maven).unwrap(), "target/a-1.jar");
        let gradle = [
            "build.gradle.kts",
            "build/libs/a.jar",
            "build/libs/a-plain.jar",
        ];
        assert_eq!(resolved(&gradle).unwrap(), "build/libs/a.jar");
        let quarkus = [
            "pom.xml",
            "target/a.jar",
            "target/quarkus-app/quarkus-run.jar",
        ];
        assert_eq!(
            resolved(&quarkus).unwrap(),
            "target/quarkus-app/quarkus-run.jar"
        );
        assert_eq!(
            resolved(&["quarkus-run.jar", "x.jar"]).unwrap(),
            "quarkus-run.jar"
        );
        assert_eq!(resolved(&["readme.txt", "app.war"]).unwrap(), "app.war");
    }

    #[test]
    fn a_file_in_a_projects_output_belongs_to_it() {
        let dir = folder(&[
            "pom.xml",
            "target/quarkus-app/quarkus-run.jar",
            "lib/other.jar",
            "gradle/build.gradle",
            "gradle/build/libs/a.jar",
        ]);
        let project = |file: &str| project_of(&dir.path().join(file));
        let maven = Some((dir.path().to_owned(), BuildTool::Maven));
        assert_eq!(project("target/a.jar"), maven);
        assert_eq!(project("target/quarkus-app/quarkus-run.jar"), maven);
        let gradle = Some((dir.path().join("gradle"), BuildTool::Gradle));
        assert_eq!(project("gradle/build/libs/a.jar"), gradle);
        assert_eq!(project("lib/other.jar"), None);
    }

    #[test]
    fn what_is_missing_or_unclear_is_named() {
        let not_built = resolved(&["pom.xml"]).unwrap_err().to_string();
        assert!(not_built.contains("`mvn package`"), "{not_built}");
        let two = resolved(&["a.jar", "b.jar"]).unwrap_err().to_string();
        assert!(two.contains("a.jar") && two.contains("b.jar"), "{two}");
        assert!(matches!(
            resolved(&["notes.txt"]),
            Err(ArtifactError::NothingInside(_))
        ));
    }

    #[test]
    fn a_program_is_not_what_a_folder_means() {
        use std::os::unix::fs::PermissionsExt;
        let dir = folder(&["notes.txt"]);
        let program = dir.path().join("service");
        fs::write(&program, "#!/bin/sh\n").unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let refused = resolve(dir.path()).unwrap_err().to_string();
        assert!(
            refused.contains(&program.display().to_string()),
            "{refused}"
        );
    }
}
