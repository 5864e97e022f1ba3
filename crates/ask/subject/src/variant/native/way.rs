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
        let project = artifact.project.as_ref().map(|(path, tool)| (path, *tool));
        match (framework, project) {
            (Some(Framework::SpringBoot), Some((project, BuildTool::Maven))) => Ok(Self::Maven(
                project.clone(),
                &["-Pnative", "native:compile"],
            )),
            (Some(Framework::Quarkus), Some((project, BuildTool::Maven))) => {
                Ok(Self::Maven(project.clone(), &["package", "-Dnative"]))
            }
            (Some(Framework::SpringBoot), _) if facts.processed_for_native => {
                Ok(Self::UnpackedBootJar)
            }
            (Some(Framework::SpringBoot), Some((_, BuildTool::Gradle))) => Err(refused(
                artifact,
                "was built by Gradle without Spring's AOT processing, so no native image can be made of it. Apply the plugin `org.graalvm.buildtools.native` in the build file: then `./gradlew bootJar` makes a jar of which the image is built here. Or build the image with `./gradlew nativeCompile` (GRAALVM_HOME says with which builder) and name build/native/nativeCompile/<name> as `command` and `artifact` of a variant with `kind: exec`",
            )),
            (Some(Framework::SpringBoot), None) => Err(refused(
                artifact,
                "is a Spring Boot jar without Spring's AOT processing, so no native image can be made of it alone. Build it with the `native` profile, or name the folder of the Maven project; or name an executable that is already built with `kind: exec`",
            )),
            (Some(Framework::Quarkus), Some((_, BuildTool::Gradle))) => Err(refused(
                artifact,
                "is a Quarkus application that Gradle builds: its native image is made by that build. Run `./gradlew build -Dquarkus.native.enabled=true` (GRAALVM_HOME says with which builder) and name build/<name>-runner as `command` and `artifact` of a variant with `kind: exec`",
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
