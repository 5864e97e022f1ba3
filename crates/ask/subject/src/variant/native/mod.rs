//! `native`: a GraalVM native image, made by the `native-image` that is installed.

mod image_cache;
mod inputs;
mod way;

use super::error::CLASS_PATH;
use super::java::text;
use super::layout::{empty, must_exist};
use super::maker::Maker;
use super::prepared::Finished;
use super::{Context, PrepareError, Unavailable, Variant};
use crate::artifact::{JvmFacts, NATIVE_OPTIONS};
use crate::host::is_executable;
use crate::{Artifact, ImageBuilder, Jdk};
use image_cache::{ImageCache, Making};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use way::Way;

#[derive(Debug)]
pub(super) struct Native;

/// Name of the executable in its folder.
const IMAGE: &str = "application";

impl Variant for Native {
    fn available(&self, context: &Context) -> Result<(), Unavailable> {
        let (artifact, facts) = context.jvm_artifact()?;
        image_builder(context)?;
        Way::of(artifact, facts).map(|_| ())
    }

    fn built(&self, context: &Context) -> Result<(), Unavailable> {
        let (artifact, facts) = context.jvm_artifact()?;
        let builder = image_builder(context)?;
        let way = Way::of(artifact, facts)?;
        // If the inputs cannot be read, no image can have been made of them.
        let options = context.host.native_image_options.as_deref();
        let key = inputs::key(artifact, facts, &way, &builder, options).ok();
        key.and_then(|key| ImageCache::of(context.host).find(&key))
            .map(|_| ())
            .ok_or(Unavailable::NotBuilt)
    }

    fn make(&self, context: &Context, maker: &mut Maker<'_>) -> Result<Finished, PrepareError> {
        let (artifact, facts) = context.jvm_artifact()?;
        let builder = image_builder(context)?;
        let way = Way::of(artifact, facts)?;
        let folder = maker.directory().join("image");
        empty(&folder)?;
        let cache = ImageCache::of(context.host);
        let options = context.host.native_image_options.as_deref();
        let key = inputs::key(artifact, facts, &way, &builder, options)?;
        let mut notes = Vec::new();
        if let Some(options) = options {
            notes.push(format!("built with NATIVE_IMAGE_OPTIONS=\"{options}\""));
        }
        if let Some(kept) = cache.find(&key) {
            kept.place(&folder)?;
            notes.push(format!(
                "the image was built on {} of the same files, and is taken from {}; its build time is of then. Remove that folder to build it again",
                kept.making.built_on,
                kept.folder.display()
            ));
            maker.commands = kept.making.commands;
            maker.took = kept.making.took;
        } else {
            make(&way, artifact, context, &builder, &folder, maker)?;
            let making = Making::now(&maker.commands, maker.took);
            if let Err(error) = cache.keep(&key, &folder, &making) {
                notes.push(format!("the image was not kept for another run: {error}"));
            }
        }
        if !context.settings.jvm_flags.is_empty() {
            notes.push("JVM flags are not given to a native image".to_owned());
        }
        let image = folder.join(IMAGE);
        Ok(Finished {
            command: [&[text(&image)][..], &context.settings.arguments].concat(),
            runtime: Some(format!("native image by {}", builder.title())),
            application: vec![folder],
            notes,
            ..Finished::default()
        })
    }
}

fn image_builder(context: &Context) -> Result<ImageBuilder, Unavailable> {
    ImageBuilder::find(context.host).ok_or(Unavailable::NoNativeImage)
}

/// Makes the image and what lies beside it in the folder.
fn make(
    way: &Way,
    artifact: &Artifact,
    context: &Context,
    builder: &ImageBuilder,
    folder: &Path,
    maker: &mut Maker<'_>,
) -> Result<(), PrepareError> {
    fs::create_dir_all(folder).map_err(|e| PrepareError::io(folder, e))?;
    let image = folder.join(IMAGE);
    match way {
        Way::Maven(project, goals) => by_maven(project, goals, builder, folder, maker)?,
        Way::Jar => {
            let command = [
                text(builder.program()),
                "-jar".into(),
                text(&artifact.file),
                "-o".into(),
                text(&image),
            ];
            maker.run("building the native image", &maker.directory(), &command)?;
        }
        Way::UnpackedBootJar => {
            let jdk = context.jdk_with(&["jar"])?;
            let (_, facts) = context.jvm_artifact()?;
            of_boot_jar(artifact, facts, &jdk, builder.program(), &image, maker)?;
        }
    }
    must_exist(
        "the native image",
        &image,
        "Look at what native-image printed",
    )
}

/// The project's build tool finds the builder by `GRAALVM_HOME`.
fn by_maven(
    project: &Path,
    goals: &[&str],
    builder: &ImageBuilder,
    folder: &Path,
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
    let environment = builder
        .home()
        .map(|home| ("GRAALVM_HOME".to_owned(), text(home)));
    let environment = BTreeMap::from_iter(environment);
    let started = SystemTime::now();
    maker.run_with("building the native image", project, &command, environment)?;
    let target = project.join("target");
    let made = made_since(&target, started);
    let built = made
        .iter()
        .find(|path| is_executable(path) && !is_library(path))
        .ok_or_else(|| PrepareError::NotMade {
            what: "the native image",
            path: target.join("<executable>"),
            hint: "Does the project have native-maven-plugin (Spring Boot: its parent has it in the profile `native`)?",
        })?;
    // A copy stays the same when the project is built again during the run.
    let copy = |from: &Path, name: &std::ffi::OsStr| {
        fs::copy(from, folder.join(name)).map_err(|e| PrepareError::io(from, e))
    };
    copy(built, IMAGE.as_ref())?;
    // AWT's libraries lie beside the executable.
    for library in made.iter().filter(|path| is_library(path)) {
        if let Some(name) = library.file_name() {
            copy(library, name)?;
        }
    }
    Ok(())
}

fn is_library(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "so")
}

/// The files that were made since then, newest first.
fn made_since(folder: &Path, since: SystemTime) -> Vec<PathBuf> {
    // File systems keep times to a few milliseconds only.
    let since = since
        .checked_sub(std::time::Duration::from_secs(2))
        .unwrap_or(since);
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut made: Vec<(SystemTime, PathBuf)> = files
        .map(|entry| entry.path())
        .filter(|path| path.is_file())
        .filter_map(|path| Some((path.metadata().ok()?.modified().ok()?, path)))
        .filter(|(modified, _)| *modified >= since)
        .collect();
    made.sort();
    made.into_iter().rev().map(|(_, path)| path).collect()
}

/// As Spring Boot's manual describes it: the unpacked jar as the class path, with the options that
/// its build left in it where it left any.
fn of_boot_jar(
    artifact: &Artifact,
    facts: &JvmFacts,
    jdk: &Jdk,
    compiler: &Path,
    image: &Path,
    maker: &mut Maker<'_>,
) -> Result<(), PrepareError> {
    let unpacked = maker.directory().join("unpacked");
    PrepareError::unless_one_path(&unpacked, CLASS_PATH)?;
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
    let options = facts
        .has_native_options
        .then(|| format!("@{NATIVE_OPTIONS}"));
    let mut command = vec![text(compiler)];
    command.extend(options);
    command.extend([
        "-cp".to_owned(),
        class_path.join(":"),
        "-o".to_owned(),
        text(image),
    ]);
    maker.run("building the native image", &unpacked, &command)?;
    Ok(())
}
