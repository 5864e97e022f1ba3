//! The files of classes among the sources of a project, by their names alone.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// More files and folders are not looked at.
const MOST: usize = 100_000;
/// Deeper ones are not, either.
const DEEPEST: usize = 32;
/// Folders with build output or fetched files, not with sources.
const NO_SOURCES: [&str; 4] = ["target", "build", "out", "node_modules"];
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
        while let Some((folder, depth)) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if left == 0 {
                    return sources;
                }
                left -= 1;
                let (path, name) = (entry.path(), entry.file_name());
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

fn is_of_ours(folder: &OsStr) -> bool {
    let is_hidden = folder.to_str().is_none_or(|name| name.starts_with('.'));
    !is_hidden && !NO_SOURCES.iter().any(|name| folder == *name)
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
        for absent in [
            "shop.Made",
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
