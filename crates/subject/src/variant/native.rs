//! `native`: a GraalVM native image, made by the `native-image` that is installed.

use super::java::text;
use super::layout::{empty, must_exist};
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Prepared, ProofNeeded, Unavailable, Variant, Workshop};
use crate::artifact::JvmFacts;
use crate::host::is_executable;
use crate::{Artifact, BuildTool, Framework, Host, Jdk};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use tacho_experiment::VariantKind;

pub(super) struct Native;

/// How an image is made of an artifact.
#[derive(Debug, PartialEq)]
enum Way {
    /// The project's own build does it, with this command.
    Maven(PathBuf, &'static [&'static str]),
    /// `native-image -jar`: all classes are on the jar's own class path.
    Jar,
    /// A Spring Boot jar whose build ran Spring's AOT processing:
    /// <https://docs.spring.io/spring-boot/how-to/native-image/developing-your-first-application.html>
    UnpackedBootJar,
}

impl Way {
    fn of(artifact: &Artifact, facts: &JvmFacts) -> Result<Self, Unavailable> {
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
                "is a Spring Boot jar without Spring's AOT processing, so no native image can be made of it alone. Build it with the `native` profile, or name the Maven project's folder; or name an executable that is already built with `kind: exec`",
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

/// `native-image` of GRAALVM_HOME, else of the `PATH`.
fn native_image(host: &Host) -> Result<PathBuf, Unavailable> {
    let of_home = host
        .graalvm_home
        .as_ref()
        .map(|h| h.join("bin/native-image"));
    of_home
        .filter(|p| is_executable(p))
        .or_else(|| host.program("native-image"))
        .ok_or(Unavailable::NoNativeImage)
}

impl Variant for Native {
    fn kind(&self) -> VariantKind {
        VariantKind::Native
    }

    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        let (artifact, facts) = context.jvm_artifact()?;
        native_image(context.host)?;
        Way::of(artifact, facts).map(|_| ())
    }

    fn prepare(
        &self,
        context: &Context,
        workshop: &mut dyn Workshop,
    ) -> Result<Prepared, PrepareError> {
        let (artifact, facts) = context.jvm_artifact()?;
        let compiler = native_image(context.host)?;
        let way = Way::of(artifact, facts)?;
        let mut maker = Maker::new(workshop);
        let image = maker.directory().join("application");
        match &way {
            Way::Maven(project, goals) => by_maven(project, goals, &image, &mut maker)?,
            Way::Jar => {
                let jar = text(&artifact.file);
                let command = [
                    text(&compiler),
                    "-jar".into(),
                    jar,
                    "-o".into(),
                    text(&image),
                ];
                maker.run("building the native image", &maker.directory(), &command)?;
            }
            Way::UnpackedBootJar => {
                let jdk = context.jdk_with(&["jar"])?;
                of_boot_jar(artifact, &jdk, &compiler, &image, &mut maker)?;
            }
        }
        must_exist(
            "the native image",
            &image,
            "Look at what native-image printed",
        )?;
        let mut notes = Vec::new();
        if !context.settings.jvm_flags.is_empty() {
            notes.push("JVM flags are not given to a native image".to_owned());
        }
        Finished {
            command: [&[text(&image)][..], &context.settings.arguments].concat(),
            jdk: None,
            runtime: Some(runtime_of(&compiler)),
            proof: ProofNeeded::None,
            application: vec![image],
            runtimes: Vec::new(),
            notes,
        }
        .prepared(context, maker)
    }
}

/// `native image by GraalVM 25.0.1`, as far as the compiler's folder tells.
fn runtime_of(compiler: &Path) -> String {
    let compiler = compiler
        .canonicalize()
        .unwrap_or_else(|_| compiler.to_owned());
    // <home>/bin/native-image, or <home>/lib/svm/bin/native-image behind a link.
    match compiler
        .ancestors()
        .skip(2)
        .take(3)
        .find_map(Jdk::in_folder)
    {
        Some(jdk) => format!("native image by {} {}", jdk.vendor, jdk.version),
        None => "native image".to_owned(),
    }
}

fn by_maven(
    project: &Path,
    goals: &[&str],
    image: &Path,
    maker: &mut Maker<'_>,
) -> Result<(), PrepareError> {
    let wrapper = project.join("mvnw");
    let maven = if is_executable(&wrapper) {
        text(&wrapper)
    } else {
        "mvn".to_owned()
    };
    let mut command = vec![maven, "--batch-mode".to_owned(), "-DskipTests".to_owned()];
    command.extend(goals.iter().map(|&g| g.to_owned()));
    let started = SystemTime::now();
    maker.run("building the native image", project, &command)?;
    let target = project.join("target");
    let built = newest_program(&target, started).ok_or_else(|| PrepareError::NotMade {
        what: "the native image",
        path: target.join("<executable>"),
        hint: "Does the project have native-maven-plugin (Spring Boot: its parent has it in the profile `native`)?",
    })?;
    // A copy stays what it was when the project is built again during the run.
    fs::copy(&built, image).map_err(|e| PrepareError::io(&built, e))?;
    Ok(())
}

/// The newest executable that was made since then.
fn newest_program(folder: &Path, since: SystemTime) -> Option<PathBuf> {
    // File systems keep times to a few milliseconds only.
    let since = since.checked_sub(std::time::Duration::from_secs(2))?;
    let files = fs::read_dir(folder).ok()?.flatten().map(|e| e.path());
    files
        .filter(|path| is_executable(path))
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .filter(|(modified, _)| *modified >= since)
        .max()
        .map(|(_, path)| path)
}

/// As Spring Boot's manual describes it: the unpacked jar as the class path, with the options that
/// its build left in `META-INF/native-image/argfile`.
fn of_boot_jar(
    artifact: &Artifact,
    jdk: &Jdk,
    compiler: &Path,
    image: &Path,
    maker: &mut Maker<'_>,
) -> Result<(), PrepareError> {
    let unpacked = maker.directory().join("unpacked");
    empty(&unpacked)?;
    fs::create_dir_all(&unpacked).map_err(|e| PrepareError::io(&unpacked, e))?;
    let unpack = [text(&jdk.tool("jar")), "-xf".into(), text(&artifact.file)];
    maker.run("unpacking the jar", &unpacked, &unpack)?;
    let libraries = crate::artifact::jars_below(&unpacked.join("BOOT-INF/lib"));
    let class_path: Vec<_> = [unpacked.clone(), unpacked.join("BOOT-INF/classes")]
        .iter()
        .chain(&libraries)
        .map(|p| text(p))
        .collect();
    let command = [
        text(compiler),
        "@META-INF/native-image/argfile".to_owned(),
        "-cp".to_owned(),
        class_path.join(":"),
        "-o".to_owned(),
        text(image),
    ];
    maker.run("building the native image", &unpacked, &command)?;
    Ok(())
}
