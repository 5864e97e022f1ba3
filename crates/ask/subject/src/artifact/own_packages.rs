//! Which packages of an artifact are the application's own, so that a cost can be assigned to the
//! application or to a library.

use super::archive::Archive;
use super::jvm::{application_prefix, is_fast_jar, jars_below};
use super::{ArtifactKind, Manifest};
use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::path::Path;

/// Prefixes of class names: `com.acme.shop.`; an empty text for the default package. Empty for
/// anything that is no jar.
///
/// Spring Boot and WARs keep their own classes apart from libraries. In a jar that was merged with
/// its libraries, packages count that share the first two parts of the main class's package
/// (`com.acme`).
#[must_use]
pub fn own_packages(file: &Path, kind: ArtifactKind) -> Vec<String> {
    if kind == ArtifactKind::Executable {
        return Vec::new();
    }
    if is_fast_jar(file) {
        let jars = file.parent().map(|folder| jars_below(&folder.join("app")));
        let of_jar = |jar: &Path| {
            Archive::open(jar).map_or_else(|_| BTreeSet::new(), |jar| packages(&jar, ""))
        };
        let all = jars
            .into_iter()
            .flatten()
            .flat_map(|jar| of_jar(&jar))
            .collect();
        return as_prefixes(all);
    }
    match Archive::open(file) {
        Ok(mut archive) => of_archive(&mut archive, kind),
        Err(_) => Vec::new(),
    }
}

/// Packages outside of the place in which an artifact keeps its own classes. They belong to what
/// loads those classes, such as Spring Boot's launcher. Empty where there is no such place.
#[must_use]
pub fn packages_of_loader(file: &Path, kind: ArtifactKind) -> Vec<String> {
    const PLACES: [&str; 2] = ["BOOT-INF", "WEB-INF"];
    let archive = match kind {
        ArtifactKind::Executable => return Vec::new(),
        _ => Archive::open(file),
    };
    let Ok(archive) = archive else {
        return Vec::new();
    };
    if application_prefix(&archive, kind).is_empty() {
        return Vec::new();
    }
    let mut all = packages(&archive, "");
    all.retain(|package| !PLACES.iter().any(|place| package.starts_with(place)));
    as_prefixes(all)
}

pub(super) fn of_archive<R: Read + Seek>(
    archive: &mut Archive<R>,
    kind: ArtifactKind,
) -> Vec<String> {
    let prefix = application_prefix(archive, kind);
    let mut all = packages(archive, prefix);
    if prefix.is_empty()
        && let Some(main) = main_class(archive)
    {
        let own = family(main.rsplit_once('.').map_or("", |(package, _)| package)).to_owned();
        all.retain(|package| family(package) == own);
    }
    as_prefixes(all)
}

fn main_class<R: Read + Seek>(archive: &mut Archive<R>) -> Option<String> {
    const LIMIT: u64 = 1 << 20;
    let bytes = archive.read("META-INF/MANIFEST.MF", LIMIT).ok()??;
    let manifest = Manifest::parse(&bytes);
    manifest.main_class
}

/// The first two parts.
fn family(package: &str) -> &str {
    let mut dots = package.match_indices('.').map(|(place, _)| place);
    dots.nth(1).map_or(package, |place| &package[..place])
}

fn packages<R: Read + Seek>(archive: &Archive<R>, prefix: &str) -> BTreeSet<String> {
    let names = archive.names().iter().filter_map(|name| {
        let name = name.strip_prefix(prefix)?.strip_suffix(".class")?;
        // Other releases' classes are in META-INF/versions, and a module's description has no
        // package.
        (!name.starts_with("META-INF/") && name != "module-info").then_some(name)
    });
    let folders = names.map(|name| name.rsplit_once('/').map_or("", |(folder, _)| folder));
    folders.map(|folder| folder.replace('/', ".")).collect()
}

/// The packages as prefixes, without those that lie below another one.
fn as_prefixes(packages: BTreeSet<String>) -> Vec<String> {
    let in_order: BTreeSet<String> = packages
        .into_iter()
        .map(|package| match package.is_empty() {
            true => package,
            false => package + ".",
        })
        .collect();
    let mut prefixes: Vec<String> = Vec::new();
    // In sorted order with their dots, subpackages follow their package directly.
    for prefix in in_order {
        let is_below = |known: &String| !known.is_empty() && prefix.starts_with(known.as_str());
        if !prefixes.last().is_some_and(is_below) {
            prefixes.push(prefix);
        }
    }
    prefixes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    fn jar(name: &str, entries: &[(&str, &str)]) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        let mut zip = ZipWriter::new(std::fs::File::create(&path).unwrap());
        for (entry, text) in entries {
            zip.start_file(*entry, SimpleFileOptions::default())
                .unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap();
        (folder, path)
    }

    #[test]
    fn a_boot_jar_keeps_its_own_apart() {
        let (_folder, path) = jar(
            "app.jar",
            &[
                ("BOOT-INF/classes/com/acme/shop/Web.class", ""),
                ("BOOT-INF/classes/com/acme/shop/db/Rows.class", ""),
                ("BOOT-INF/classes/com/acme/billing/Bill.class", ""),
                ("org/springframework/boot/loader/Launcher.class", ""),
            ],
        );
        assert_eq!(
            own_packages(&path, ArtifactKind::Jar),
            ["com.acme.billing.", "com.acme.shop."]
        );
        let loader = packages_of_loader(&path, ArtifactKind::Jar);
        assert_eq!(loader, ["org.springframework.boot.loader."]);
        let (_folder, path) = jar("plain.jar", &[("com/acme/shop/Web.class", "")]);
        assert!(packages_of_loader(&path, ArtifactKind::Jar).is_empty());
    }

    #[test]
    fn of_a_merged_jar_those_of_the_main_class() {
        let (_folder, path) = jar(
            "app.jar",
            &[
                (
                    "META-INF/MANIFEST.MF",
                    "Manifest-Version: 1.0\r\nMain-Class: com.acme.shop.Main\r\n\r\n",
                ),
                ("META-INF/versions/11/com/acme/Other.class", ""),
                ("com/acme/shop/Main.class", ""),
                ("com/acme/common/Text.class", ""),
                ("com/fasterxml/jackson/ObjectMapper.class", ""),
            ],
        );
        assert_eq!(
            own_packages(&path, ArtifactKind::Jar),
            ["com.acme.common.", "com.acme.shop."]
        );
    }

    #[test]
    fn packages_below_another_are_found_without_comparing_each_with_all() {
        let named = ["a", "a-b", "a.b", "a.b.c", "ab", ""].map(str::to_owned);
        assert_eq!(
            as_prefixes(named.into_iter().collect()),
            ["", "a-b.", "a.", "ab."]
        );
        // As many as a jar may have entries.
        let many: BTreeSet<String> = (0..1 << 18).map(|n| format!("p{n}.x")).collect();
        let (done, is_done) = std::sync::mpsc::channel();
        // A thread, so that what would go on for ever ends with the test.
        std::thread::spawn(move || done.send(as_prefixes(many).len()));
        let patience = std::time::Duration::from_secs(60);
        assert_eq!(is_done.recv_timeout(patience), Ok(1 << 18));
    }

    #[test]
    fn wars_and_the_default_package() {
        let (_folder, path) = jar(
            "app.war",
            &[("WEB-INF/classes/shop/Web.class", ""), ("Start.class", "")],
        );
        assert_eq!(own_packages(&path, ArtifactKind::War), ["shop."]);
        let (_folder, path) = jar(
            "app.jar",
            &[
                ("META-INF/MANIFEST.MF", "Main-Class: Shop\r\n"),
                ("Shop.class", ""),
                ("org/lib/A.class", ""),
            ],
        );
        assert_eq!(own_packages(&path, ArtifactKind::Jar), [""]);
    }
}
