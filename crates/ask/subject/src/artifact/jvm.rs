//! What a jar or WAR tells about itself.

use super::archive::{Archive, ClassSource};
use super::class_file::highest_release;
use super::framework::{self, FrameworkFound, WebStack};
use super::manifest::Manifest;
use super::servlet::{self, Initializers, ServletLevel};
use super::{ArtifactError, ArtifactKind};
use std::collections::HashSet;
use std::io::{Read, Seek};
use std::path::{Path, PathBuf};

/// A manifest is a few kilobytes; one with a signature for each of its entries has megabytes.
const MANIFEST_LIMIT: u64 = 16 << 20;
/// A deployment descriptor's root element stands at its beginning.
const DESCRIPTOR_LIMIT: u64 = 64 << 10;
/// Libraries whose level is looked at, and class files of each.
const LIBRARIES: usize = 300;
const CLASSES_OF_A_LIBRARY: usize = 3;
/// Most bytes of nested jars that are inflated, all together. The libraries of a large service have
/// a quarter of this.
const INFLATED_OF_LIBRARIES: u64 = 1 << 30;
/// Jars that a manifest may name: a manifest of 16 MiB has room for a million.
const ENTRIES_OF_A_CLASS_PATH: usize = 10_000;
/// Class files of the application.
const CLASSES_OF_THE_APPLICATION: usize = 2_000;

/// What a jar or WAR tells about itself.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct JvmFacts {
    /// Its manifest; empty when it has none.
    pub manifest: Manifest,
    /// The framework that it is built with.
    pub framework: Option<FrameworkFound>,
    /// The Java release that its class files need.
    pub java_release: Option<u32>,
    /// How it serves requests; Spring only.
    pub stack: Option<WebStack>,
    /// Servlet level that a WAR was written for; absent for a jar.
    pub servlet: Option<ServletLevel>,
    /// Its libraries: names of nested jars, and paths of jars beside it.
    pub libraries: Vec<String>,
    /// Jars and folders beside it that it needs to run.
    pub beside: Vec<PathBuf>,
    /// Spring's AOT processing was run when it was built, so that a native image can be made
    /// from the jar alone.
    pub processed_for_native: bool,
    /// Its build left options for `native-image` in the jar. It does so when the public metadata is
    /// to take precedence over a library's own.
    pub has_native_options: bool,
}

/// Where Spring Boot's build leaves options for `native-image` in a jar.
pub const NATIVE_OPTIONS: &str = "META-INF/native-image/argfile";

/// Reads a jar or WAR.
pub(super) fn read(path: &Path, kind: ArtifactKind) -> Result<JvmFacts, ArtifactError> {
    of_archive(path, kind, &mut Archive::open(path)?)
}

/// The same for an open archive. Files beside it are looked for beside `path`.
pub(super) fn of_archive<R: Read + Seek>(
    path: &Path,
    kind: ArtifactKind,
    archive: &mut Archive<R>,
) -> Result<JvmFacts, ArtifactError> {
    let manifest = archive
        .read("META-INF/MANIFEST.MF", MANIFEST_LIMIT)?
        .map(|bytes| Manifest::parse(&bytes))
        .unwrap_or_default();
    let beside = beside(path, &manifest);
    let jars = jars_beside(path, &beside);
    let libraries = libraries(archive, &jars);
    let prefix = application_prefix(archive, kind);
    let java_release = highest_release(archive, prefix, CLASSES_OF_THE_APPLICATION)
        .max(release_of_nested(archive))
        .max(
            jars.iter()
                .take(LIBRARIES)
                .filter_map(|jar| release_of_jar(jar))
                .max(),
        );
    let servlet = match kind {
        ArtifactKind::War => {
            let web_xml = archive.read("WEB-INF/web.xml", DESCRIPTOR_LIMIT)?;
            let told = servlet::level(&libraries, web_xml.as_deref(), archive);
            // Without any evidence the WAR has no servlet at all.
            Some(
                told.or_else(|| level_of_nested(archive))
                    .unwrap_or(ServletLevel::Jakarta60),
            )
        }
        _ => None,
    };
    Ok(JvmFacts {
        framework: framework::find(&manifest, archive.names(), &libraries),
        java_release,
        stack: framework::web_stack(&libraries),
        servlet,
        processed_for_native: manifest.spring_boot_native_processed,
        has_native_options: archive.has(NATIVE_OPTIONS),
        manifest,
        libraries,
        beside,
    })
}

/// The folder within the archive that holds the application's own classes.
pub(super) fn application_prefix<R: Read + Seek>(
    archive: &Archive<R>,
    kind: ArtifactKind,
) -> &'static str {
    let boot = archive.names().iter().any(|n| n.starts_with("BOOT-INF/"));
    match kind {
        ArtifactKind::War => "WEB-INF/classes/",
        _ if boot => "BOOT-INF/classes/",
        _ => "",
    }
}

/// What lies beside the jar and belongs to it: the entries of the manifest's class path that exist
/// and are named relative to the jar, each once, and the folders of a Quarkus fast-jar.
fn beside(jar: &Path, manifest: &Manifest) -> Vec<PathBuf> {
    let Some(folder) = jar.parent() else {
        return Vec::new();
    };
    if is_fast_jar(jar) {
        let parts = ["app", "lib", "quarkus"].map(|part| folder.join(part));
        return parts.into_iter().filter(|p| p.exists()).collect();
    }
    let mut named = HashSet::new();
    manifest
        .class_path
        .iter()
        .filter(|entry| !entry.contains(':') && *entry != "." && *entry != "./")
        .filter(|entry| named.insert(entry.as_str()))
        .take(ENTRIES_OF_A_CLASS_PATH)
        .map(|entry| folder.join(entry))
        .filter(|path| path.exists() && !holds(path, folder))
        .collect()
}

/// Whether `path` contains `folder`, as the root of the machine does. Nobody ships such a folder
/// with a jar.
fn holds(path: &Path, folder: &Path) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    real(path)
        .zip(real(folder))
        .is_some_and(|(path, folder)| folder.starts_with(path))
}

/// The jars among what lies beside. A folder in a manifest's class path holds class files, and its
/// jars do not count (JAR File Specification, Class-Path); it may even be the root of the machine.
/// The folders of Quarkus hold jars.
fn jars_beside(jar: &Path, beside: &[PathBuf]) -> Vec<PathBuf> {
    let is_quarkus = is_fast_jar(jar);
    let beside = beside.iter().filter(|c| is_quarkus || c.is_file());
    beside.flat_map(|c| jars_below(c)).collect()
}

pub(super) fn is_fast_jar(jar: &Path) -> bool {
    jar.file_name()
        .is_some_and(|name| name == "quarkus-run.jar")
}

/// Names of nested jars, and of those beside the archive.
fn libraries<R: Read + Seek>(archive: &Archive<R>, beside: &[PathBuf]) -> Vec<String> {
    let nested = archive.names().iter().filter(|n| n.ends_with(".jar"));
    nested
        .cloned()
        .chain(beside.iter().map(|jar| jar.display().to_string()))
        .collect()
}

/// The jar itself, or all jars in a folder and in the folders within it.
pub(crate) fn jars_below(path: &Path) -> Vec<PathBuf> {
    if path.is_file() {
        return vec![path.to_owned()];
    }
    let mut jars = Vec::new();
    let mut folders = vec![(path.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && depth < 3 {
                folders.push((path, depth + 1));
            } else if path.extension().is_some_and(|e| e == "jar") {
                jars.push(path);
            }
        }
    }
    jars.sort();
    jars
}

fn release_of_nested<R: Read + Seek>(archive: &mut Archive<R>) -> Option<u32> {
    let jars = archive.select(|name| name.ends_with(".jar"));
    let mut highest = None;
    let mut left = INFLATED_OF_LIBRARIES;
    for index in jars.into_iter().take(LIBRARIES) {
        archive.nested(index, &mut left, &mut |jar: &mut dyn ClassSource| {
            highest = highest.max(highest_release(jar, "", CLASSES_OF_A_LIBRARY));
        });
    }
    highest
}

/// The servlet level, judged by the container initializers that the libraries bring.
fn level_of_nested<R: Read + Seek>(archive: &mut Archive<R>) -> Option<ServletLevel> {
    let mut initializers = Initializers::default();
    let mut left = INFLATED_OF_LIBRARIES;
    let jars = archive.select(|name| name.ends_with(".jar"));
    for index in jars.into_iter().take(LIBRARIES) {
        archive.nested(index, &mut left, &mut |jar: &mut dyn ClassSource| {
            initializers.see(jar);
        });
    }
    initializers.level()
}

fn release_of_jar(jar: &Path) -> Option<u32> {
    let mut archive = Archive::open(jar).ok()?;
    highest_release(&mut archive, "", CLASSES_OF_A_LIBRARY)
}
