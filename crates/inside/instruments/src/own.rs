//! Finds the application's own packages of a running JVM, from its command line and class path.

use crate::error::InstrumentError;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use tacho_attach::{AttachError, Jvm};
use tacho_diagnosis::Own;
use tacho_foreign::{Folder, Root};
use tacho_subject::{Artifact, ArtifactKind, own_packages};

/// Folders are searched at most this deep.
const DEEPEST: usize = 20;
/// Limits for folders and class path entries, because a process can claim any number of them.
const MOST_FOLDERS: usize = 20_000;
const MOST_ENTRIES: usize = 2_000;
/// A jar may be a link to another link: `app.jar`, `app-1.2.jar`.
const MOST_LINKS: usize = 8;
/// Main classes of servers. The application itself is elsewhere.
const SERVERS: [&str; 3] = [
    "org.apache.catalina.",
    "org.eclipse.jetty.",
    "org.springframework.boot.loader.",
];

/// The packages that the user named, or else those found in the JVM. Adds a note if none are found.
pub(crate) fn chosen(
    named: &[String],
    jvm: &Jvm,
    notes: &mut Vec<String>,
) -> Result<Vec<String>, InstrumentError> {
    let own = match named {
        [] => of(jvm)?,
        named => named.iter().map(|package| Own::prefix(package)).collect(),
    };
    if own.is_empty() {
        notes.push("which packages are the application's own could not be told from its command line; say so with --own".to_owned());
    }
    Ok(own)
}

/// Prefixes that end in a dot; an empty one stands for the unnamed package. Empty if they cannot be
/// found.
fn of(jvm: &Jvm) -> Result<Vec<String>, AttachError> {
    let properties = jvm.properties()?;
    // Read files as the JVM's user, so that nothing is read that this user may not read.
    jvm.as_its_user(|| in_files(&properties, jvm.root()))
}

fn in_files(properties: &BTreeMap<String, String>, root: &Root) -> Vec<String> {
    let property = |name: &str| properties.get(name).map_or("", String::as_str);
    let folder = Path::new(property("user.dir"));
    let seen = |path: &str| Seen::of(root, &folder.join(path));
    let main = property("sun.java.command").split(' ').next();
    let main = main.unwrap_or_default();
    if let Some(Seen::File(file, _within)) =
        Some(main).filter(|main| !main.is_empty()).and_then(seen)
    {
        return of_artifact(&file);
    }
    let mut own: BTreeSet<String> = BTreeSet::new();
    let entries = property("java.class.path")
        .split(':')
        .filter(|entry| !entry.is_empty())
        .take(MOST_ENTRIES);
    let is_server = SERVERS.iter().any(|server| main.starts_with(server));
    for entry in entries.filter_map(seen) {
        match entry {
            Seen::Folder(folder) => own.extend(of_folder(&folder.as_path())),
            Seen::File(jar, _within) if !is_server && holds(&jar, main) => {
                own.extend(own_packages(&jar, ArtifactKind::Jar));
            }
            Seen::File(..) => {}
        }
    }
    for base in ["catalina.base", "jetty.base"]
        .map(property)
        .iter()
        .filter(|base| !base.is_empty())
    {
        let Some(Seen::Folder(webapps)) = seen(&format!("{base}/webapps")) else {
            continue;
        };
        for name in webapps.names().unwrap_or_default() {
            let path = webapps.as_path().join(&name);
            match name.ends_with(".war") {
                true if webapps.open(&name).is_ok() => own.extend(of_artifact(&path)),
                true => {}
                false => own.extend(of_folder(&path.join("WEB-INF/classes"))),
            }
        }
    }
    own.into_iter().collect()
}

/// What a path of the JVM leads to, in the file tree that the JVM sees.
enum Seen {
    Folder(Folder),
    /// A regular file, and its folder, which is kept open while the file is read.
    File(PathBuf, Folder),
}

impl Seen {
    fn of(root: &Root, path: &Path) -> Option<Self> {
        if let Ok(folder) = root.folder(path) {
            return Some(Self::Folder(folder));
        }
        let mut path = path.to_owned();
        for _ in 0..MOST_LINKS {
            let above = path.parent()?.to_owned();
            let within = root.folder(&above).ok()?;
            let name = path.file_name()?.to_str()?.to_owned();
            if let Some(target) = within.link(&name) {
                path = above.join(target);
                continue;
            }
            within.open(&name).ok()?;
            let path = within.as_path().join(name);
            return Some(Self::File(path, within));
        }
        None
    }
}

fn of_artifact(path: &Path) -> Vec<String> {
    let artifact = Artifact::read(path).ok();
    artifact.map_or_else(Vec::new, |artifact| {
        own_packages(&artifact.file, artifact.kind)
    })
}

/// Whether this jar of the class path contains the package of the main class. All packages of a jar
/// without a manifest's main class count, unless they belong to several families.
fn holds(path: &Path, main: &str) -> bool {
    let package = main.rsplit_once('.').map_or("", |(package, _)| package);
    own_packages(path, ArtifactKind::Jar).iter().any(|own| {
        own.trim_end_matches('.') == package || package.starts_with(own.as_str()) && !own.is_empty()
    })
}

/// The packages of the classes in a folder, as few and as long prefixes as cover them all.
fn of_folder(folder: &Path) -> Vec<String> {
    let mut packages: BTreeSet<String> = BTreeSet::new();
    let mut to_visit: Vec<(PathBuf, String, usize)> = vec![(folder.to_owned(), String::new(), 0)];
    let mut visited = 0;
    while let Some((path, package, depth)) = to_visit.pop() {
        visited += 1;
        if visited > MOST_FOLDERS {
            break;
        }
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                if depth < DEEPEST && name != "META-INF" {
                    to_visit.push((entry.path(), format!("{package}{name}."), depth + 1));
                }
            } else if name.ends_with(".class") && name != "module-info.class" {
                packages.insert(package.clone());
            }
        }
    }
    // Packages are sorted. So the common prefix of the first and the last of a family is common to
    // all.
    let mut families: BTreeMap<Vec<&str>, (&str, &str)> = BTreeMap::new();
    for package in &packages {
        let family = package.split('.').take(2).collect();
        families.entry(family).or_insert((package, package)).1 = package;
    }
    let common = |(first, last): (&str, &str)| {
        let parts = first.split_inclusive('.').zip(last.split_inclusive('.'));
        let same = parts.take_while(|(one, other)| one == other);
        same.map(|(part, _)| part).collect()
    };
    families.into_values().map(common).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_classes_is_named_by_the_longest_packages_that_hold_them() {
        let folder = tempfile::tempdir().unwrap();
        for class in [
            "com/acme/shop/Web",
            "com/acme/shop/db/Rows",
            "de/other/a/A",
            "META-INF/versions/9/com/x/X",
        ] {
            let path = folder.path().join(class).with_extension("class");
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        assert_eq!(of_folder(folder.path()), ["com.acme.shop.", "de.other.a."]);
        fs::write(folder.path().join("Main.class"), "").unwrap();
        assert!(of_folder(folder.path()).contains(&String::new()));
        assert!(of_folder(&folder.path().join("none")).is_empty());
    }
}
