//! The files of classes among the sources of a project, by their names alone.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::DirEntry;
use std::path::{Path, PathBuf};

/// More files and folders are not looked at.
const MOST: usize = 100_000;
/// Deeper ones are not, either.
const DEEPEST: usize = 32;
/// A folder with fetched files, not with sources.
const FETCHED: &str = "node_modules";
/// Folders with the output of a build, where a build has its place: elsewhere these are packages,
/// such as `com.acme.build`.
const OUTPUT: [&str; 3] = ["target", "build", "out"];
/// What stands beside the output of a build.
const OF_A_BUILD: [&str; 8] = [
    "src",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "build.xml",
    "build.sbt",
];
const LANGUAGES: [&str; 4] = ["java", "kt", "scala", "groovy"];

/// What was found below one folder.
pub struct Sources {
    /// Below the folder, with `/`, by their own names.
    by_name: HashMap<String, Vec<String>>,
}

impl Sources {
    /// Looks at names below a folder; links are not followed.
    pub fn below(root: &Path) -> Self {
        let mut sources = Self {
            by_name: HashMap::new(),
        };
        let (mut left, mut folders) = (MOST, vec![(root.to_owned(), 0)]);
        while left > 0
            && let Some((folder, depth)) = folders.pop()
        {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let entries: Vec<_> = entries.take(left).collect();
            left -= entries.len();
            let names = || entries.iter().map(DirEntry::file_name);
            let is_built_here = names().any(|name| OF_A_BUILD.iter().any(|of| name == *of));
            let is_of_ours = |name: &OsStr| may_have_sources(name, is_built_here);
            for (entry, name) in entries.iter().zip(names()) {
                let path = entry.path();
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() && depth < DEEPEST && is_of_ours(&name) => {
                        folders.push((path, depth + 1));
                    }
                    Ok(kind) if kind.is_file() => sources.add(root, &path),
                    _ => {}
                }
            }
        }
        sources
    }

    fn add(&mut self, root: &Path, path: &Path) {
        let is_source = path
            .extension()
            .is_some_and(|extension| LANGUAGES.iter().any(|language| extension == *language));
        let below: Option<PathBuf> = path.strip_prefix(root).ok().map(Path::to_owned);
        let name = path.file_stem().and_then(OsStr::to_str);
        if let (true, Some(below), Some(name)) = (is_source, below, name)
            && let Some(below) = below.to_str()
        {
            let of_name = self.by_name.entry(name.to_owned()).or_default();
            of_name.push(below.to_owned());
        }
    }

    /// The one file of a class by its full name; `None` where there is none, or more than one.
    pub fn of(&self, class: &str) -> Option<String> {
        let (package, class) = class.rsplit_once('.').unwrap_or(("", class));
        let outermost = class.split('$').next()?;
        // Top-level functions of a Kotlin file are in a class whose name ends in `Kt`.
        [Some(outermost), outermost.strip_suffix("Kt")]
            .into_iter()
            .flatten()
            .find_map(|name| self.only(package, name))
    }

    fn only(&self, package: &str, name: &str) -> Option<String> {
        let folder = package.replace('.', "/");
        let is_in_it = |file: &&String| {
            let of_file = file.rsplit_once('/').map_or("", |(folder, _)| folder);
            of_file == folder
                || folder.is_empty()
                || of_file
                    .strip_suffix(&folder)
                    .is_some_and(|before| before.ends_with('/'))
        };
        let mut files = self.by_name.get(name)?.iter().filter(is_in_it);
        match (files.next(), files.next()) {
            (Some(file), None) => Some(file.clone()),
            _ => None,
        }
    }
}

fn may_have_sources(folder: &OsStr, is_built_here: bool) -> bool {
    let Some(name) = folder.to_str() else {
        return false;
    };
    let is_output = is_built_here && OUTPUT.contains(&name);
    !name.starts_with('.') && name != FETCHED && !is_output
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_class_is_found_by_package_and_name_and_never_guessed() {
        let root = tempfile::TempDir::new().unwrap();
        for file in [
            "app/src/main/java/shop/Prices.java",
            "app/src/main/kotlin/shop/Taxes.kt",
            "app/src/main/java/shop/old/Prices.java",
            "app/src/main/java/Plain.java",
            "app/target/generated/shop/Made.java",
            "app/.git/shop/Hidden.java",
            "app/src/main/java/shop/build/Built.java",
            "library/build.gradle",
            "library/java/shop/out/target/Sent.java",
            "library/build/generated/shop/Generated.java",
            "app/node_modules/shop/Fetched.java",
            "app/src/main/java/shop/Prices.class",
            "one/src/twice/Twice.java",
            "two/src/twice/Twice.java",
            "three/src/workshop/Other.java",
        ] {
            let file = root.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        std::os::unix::fs::symlink(root.path(), root.path().join("app/again")).unwrap();
        let sources = Sources::below(root.path());
        let of = |class: &str| sources.of(class);
        let prices = Some("app/src/main/java/shop/Prices.java".to_owned());
        assert_eq!(of("shop.Prices"), prices);
        assert_eq!(of("shop.Prices$Sum$1"), prices);
        assert_eq!(
            of("shop.TaxesKt").as_deref(),
            Some("app/src/main/kotlin/shop/Taxes.kt")
        );
        assert_eq!(of("Plain").as_deref(), Some("app/src/main/java/Plain.java"));
        // A package may be called as the output of a build is.
        assert_eq!(
            of("shop.build.Built").as_deref(),
            Some("app/src/main/java/shop/build/Built.java")
        );
        assert_eq!(
            of("shop.out.target.Sent").as_deref(),
            Some("library/java/shop/out/target/Sent.java")
        );
        for absent in [
            "shop.Made",
            "shop.Generated",
            "shop.Fetched",
            "shop.Hidden",
            "twice.Twice",
            "shop.Other",
            "shop.Nowhere",
            "../shop.Prices",
            "",
        ] {
            assert_eq!(of(absent), None, "{absent}");
        }
    }
}
