//! How an image is made of an artifact.

use super::super::Unavailable;
use crate::artifact::JvmFacts;
use crate::{Artifact, BuildTool, Framework};
use std::path::PathBuf;

/// How an image is made of an artifact.
#[derive(Debug, PartialEq)]
pub enum Way {
    /// The project's own build does it, with these goals.
    Maven(PathBuf, &'static [&'static str]),
    /// `native-image -jar`: all classes are on the jar's own class path.
    Jar,
    /// A Spring Boot jar whose build ran Spring's AOT processing:
    /// <https://docs.spring.io/spring-boot/how-to/native-image/developing-your-first-application.html>
    UnpackedBootJar,
}

impl Way {
    /// The one for this artifact.
    ///
    /// # Errors
    /// Why there is none, and what would change it.
    pub fn of(artifact: &Artifact, facts: &JvmFacts) -> Result<Self, Unavailable> {
        let framework = artifact.framework().map(|f| f.framework);
        let maven = artifact
            .project
            .as_ref()
            .filter(|(_, tool)| *tool == BuildTool::Maven);
        match (framework, maven) {
            (Some(Framework::SpringBoot), Some((project, _))) => Ok(Self::Maven(
                project.clone(),
                &["-Pnative", "native:compile"],
            )),
            (Some(Framework::Quarkus), Some((project, _))) => {
                Ok(Self::Maven(project.clone(), &["package", "-Dnative"]))
            }
            (Some(Framework::SpringBoot), None) if facts.processed_for_native => {
                Ok(Self::UnpackedBootJar)
            }
            (Some(Framework::SpringBoot), None) => Err(refused(
                artifact,
                "is a Spring Boot jar without Spring's AOT processing, so no native image can be made of it alone. Build it with the `native` profile, or name the folder of the Maven project; or name an executable that is already built with `kind: exec`",
            )),
            (Some(Framework::Quarkus), None) => Err(refused(
                artifact,
                "is a Quarkus application: its native image is made when it is built. Name the Maven project's folder; or build it with `mvn package -Dnative` and name target/*-runner with `kind: exec`",
            )),
            (_, _) if facts.manifest.main_class.is_none() => Err(refused(
                artifact,
                "has no Main-Class, so native-image does not know where to begin",
            )),
            (_, _) => Ok(Self::Jar),
        }
    }
}

fn refused(artifact: &Artifact, why: &str) -> Unavailable {
    Unavailable::NotForNative(format!("{} {why}", artifact.file.display()))
}
