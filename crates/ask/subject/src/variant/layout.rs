//! How the application lies on disk: as it was shipped, or extracted from Spring Boot's jar.

use super::error::CLASS_PATH;
use super::java::text;
use super::maker::Maker;
use super::{Context, PrepareError, Unavailable};
use crate::artifact::JvmFacts;
use crate::{Artifact, Framework, Jdk};
use std::fs;
use std::path::{Path, PathBuf};

/// An application on disk.
pub(super) struct Layout {
    /// What follows the JVM's flags: `-jar app.jar`.
    pub target: Vec<String>,
    /// Everything that it needs.
    pub files: Vec<PathBuf>,
}

/// How a Spring Boot jar can be extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extraction {
    /// Since 3.3: a jar with the application's classes, and its libraries beside it. Such jars
    /// stand on the JVM's own class path, so archives can hold their classes.
    Tools,
    /// Since 2.3: folders of layers, still started by Boot's class loader.
    Layers,
}

/// The jar and what lies beside it.
pub(super) fn as_shipped(artifact: &Artifact, facts: &JvmFacts) -> Result<Layout, PrepareError> {
    PrepareError::unless_one_path(&artifact.file, CLASS_PATH)?;
    let mut files = vec![artifact.file.clone()];
    files.extend(facts.beside.iter().cloned());
    Ok(Layout {
        target: vec!["-jar".to_owned(), text(&artifact.file)],
        files,
    })
}

/// How the artifact can be extracted; `None` when it is no executable Spring Boot jar or WAR.
pub(super) fn extraction(
    artifact: &Artifact,
    facts: &JvmFacts,
) -> Result<Option<Extraction>, Unavailable> {
    let launched_by_boot = facts.manifest.start_class.is_some();
    if !artifact.is(Framework::SpringBoot) || !launched_by_boot {
        return Ok(None);
    }
    let release = artifact.framework().and_then(|f| f.release());
    match release {
        // A jar that names no version is taken for a new one. Boot itself refuses when it is not.
        None => Ok(Some(Extraction::Tools)),
        Some(release) if release >= (3, 3) => Ok(Some(Extraction::Tools)),
        Some(release) if release >= (2, 3) => Ok(Some(Extraction::Layers)),
        Some(_) => Err(Unavailable::OldBoot {
            file: artifact.file.clone(),
            version: version_of(artifact),
        }),
    }
}

/// Says whether archives can hold the application's classes.
pub(super) fn check_archivable(artifact: &Artifact, facts: &JvmFacts) -> Result<(), Unavailable> {
    match extraction(artifact, facts) {
        Ok(None | Some(Extraction::Tools)) => Ok(()),
        Ok(Some(Extraction::Layers)) | Err(_) => Err(Unavailable::NestedClasses {
            file: artifact.file.clone(),
            version: version_of(artifact),
        }),
    }
}

/// Extracts a Spring Boot jar; anything else stays as it was shipped.
pub(super) fn extracted_if_nested(
    context: &Context,
    jdk: &Jdk,
    maker: &mut Maker<'_>,
) -> Result<Layout, PrepareError> {
    let (artifact, facts) = context.runnable()?;
    match extraction(artifact, facts)? {
        Some(how) => extract(context, jdk, maker, how),
        None => as_shipped(artifact, facts),
    }
}

/// Extracts a Spring Boot jar into the workshop.
pub(super) fn extract(
    context: &Context,
    jdk: &Jdk,
    maker: &mut Maker<'_>,
    how: Extraction,
) -> Result<Layout, PrepareError> {
    let (artifact, facts) = context.runnable()?;
    let application = maker.directory().join("application");
    for on_a_class_path in [&artifact.file, &application] {
        PrepareError::unless_one_path(on_a_class_path, CLASS_PATH)?;
    }
    empty(&application)?;
    let target = match how {
        Extraction::Tools => extract_with_tools(artifact, jdk, maker, &application)?,
        Extraction::Layers => {
            merge_layers(artifact, jdk, maker, &application)?;
            // The launcher's name moved in Boot 3.2; the manifest has the right one.
            let launcher = facts.manifest.main_class.clone().unwrap_or_default();
            vec!["-cp".to_owned(), text(&application), launcher]
        }
    };
    Ok(Layout {
        target,
        files: vec![application],
    })
}

fn extract_with_tools(
    artifact: &Artifact,
    jdk: &Jdk,
    maker: &mut Maker<'_>,
    application: &Path,
) -> Result<Vec<String>, PrepareError> {
    let command = boot_mode(
        jdk,
        artifact,
        "tools",
        &["extract", "--destination", &text(application)],
    );
    maker.run("extracting the jar", &maker.directory(), &command)?;
    let name = artifact.file.file_name().unwrap_or_default();
    let jar = application.join(name);
    must_exist(
        "the extracted application",
        &jar,
        "Look at what the command printed",
    )?;
    Ok(vec!["-jar".to_owned(), text(&jar)])
}

fn merge_layers(
    artifact: &Artifact,
    jdk: &Jdk,
    maker: &mut Maker<'_>,
    application: &Path,
) -> Result<(), PrepareError> {
    let directory = maker.directory();
    let layers = directory.join("layers");
    empty(&layers)?;
    let list = boot_mode(jdk, artifact, "layertools", &["list"]);
    let listed = maker.run("listing the layers", &directory, &list)?.stdout;
    let extract = boot_mode(
        jdk,
        artifact,
        "layertools",
        &["extract", "--destination", &text(&layers)],
    );
    maker.run("extracting the layers", &directory, &extract)?;
    fs::create_dir_all(application).map_err(|e| PrepareError::io(application, e))?;
    for layer in listed.lines().map(|l| layers.join(l.trim())) {
        if layer != layers && layer.is_dir() {
            let command = ["cp", "-a", &text(&layer.join(".")), &text(application)];
            maker.run(
                "merging the layers",
                &directory,
                &command.map(str::to_owned),
            )?;
        }
    }
    must_exist(
        "the extracted application",
        &application.join("BOOT-INF"),
        "Look at what the command printed",
    )
}

fn boot_mode(jdk: &Jdk, artifact: &Artifact, mode: &str, words: &[&str]) -> Vec<String> {
    let mut command = vec![
        text(&jdk.tool("java")),
        format!("-Djarmode={mode}"),
        "-jar".to_owned(),
        text(&artifact.file),
    ];
    command.extend(words.iter().map(|&w| w.to_owned()));
    command
}

fn version_of(artifact: &Artifact) -> String {
    let version = artifact.framework().and_then(|f| f.version.clone());
    version.unwrap_or_else(|| "of an unknown version".to_owned())
}

/// Removes what an earlier attempt left.
pub(super) fn empty(folder: &Path) -> Result<(), PrepareError> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(PrepareError::io(folder, e)),
        _ => Ok(()),
    }
}

/// Checks that the file was made. A command may succeed without making anything.
pub(super) fn must_exist(
    what: &'static str,
    path: &Path,
    hint: &'static str,
) -> Result<(), PrepareError> {
    if path.exists() {
        return Ok(());
    }
    Err(PrepareError::NotMade {
        what,
        path: path.to_owned(),
        hint,
    })
}
