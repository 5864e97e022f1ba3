//! Files of protobuf and what they import: below the folders that were named, of bounded size and
//! depth.

use crate::file::{NotBelow, below};
use protox::Error;
use protox::file::{File, FileResolver};
use std::path::{Path, PathBuf};

/// Most levels of nested messages. The parser recurses once for each level.
const DEEPEST: usize = 60;

/// Folders in which files are looked for, in order.
#[derive(Debug)]
pub struct Sources {
    folders: Vec<PathBuf>,
}

impl Sources {
    /// Those that were named, else the folder of each file.
    pub fn of(files: &[PathBuf], import_paths: &[PathBuf]) -> Self {
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let named = import_paths.iter().map(|path| absolute(path));
        let of_files = files
            .iter()
            .filter_map(|file| absolute(file).parent().map(Path::to_owned));
        let mut folders: Vec<PathBuf> = Vec::new();
        for folder in named.chain(of_files) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        Self { folders }
    }
}

impl FileResolver for Sources {
    /// The name by which others import it.
    fn resolve_path(&self, path: &Path) -> Option<String> {
        let path = std::path::absolute(path).ok()?;
        let mut folders = self.folders.iter();
        let below = folders.find_map(|folder| path.strip_prefix(folder).ok())?;
        Some(below.to_str()?.to_owned())
    }

    fn open_file(&self, name: &str) -> Result<File, Error> {
        for folder in &self.folders {
            match below(folder, name) {
                Ok(path) => return File::from_source(name, &source(&path, name)?),
                Err(NotBelow::NotThere) => {}
                Err(error @ NotBelow::Elsewhere) => {
                    return Err(Error::new(format!("`{name}` {error}")));
                }
            }
        }
        Err(Error::file_not_found(name))
    }
}

fn source(path: &Path, name: &str) -> Result<String, Error> {
    let bytes = tacho_files::input::read(path, tacho_files::input::BODY).map_err(Error::new)?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Error::new(format!("`{name}` is no text in UTF-8")))?;
    check(&text, name)?;
    Ok(text)
}

/// A single text, which imports nothing but what comes with protobuf.
#[derive(Debug)]
pub struct Alone {
    pub name: &'static str,
    pub text: String,
}

impl FileResolver for Alone {
    fn open_file(&self, name: &str) -> Result<File, Error> {
        if name != self.name {
            return Err(Error::file_not_found(name));
        }
        check(&self.text, name)?;
        File::from_source(name, &self.text)
    }
}

/// Refuses text that the protobuf parser must not get.
fn check(text: &str, name: &str) -> Result<(), Error> {
    if is_too_deep(text) {
        return Err(Error::new(format!(
            "`{name}` is nested more than {DEEPEST} deep; Tacho refuses to follow"
        )));
    }
    if has_edition(text) {
        return Err(Error::new(format!(
            "`{name}` says an edition, which is not read: what is sent would differ from proto2 and proto3. Give a file with `syntax`"
        )));
    }
    Ok(())
}

fn is_too_deep(text: &str) -> bool {
    let mut depth = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'{' | b'[' | b'(' | b'<' => depth += 1,
            b'}' | b']' | b')' | b'>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return true;
        }
    }
    false
}

/// Whether the first word outside of comments is `edition`.
fn has_edition(text: &str) -> bool {
    let mut rest = text.trim_start_matches('\u{feff}').trim_start();
    loop {
        rest = if let Some(line) = rest.strip_prefix("//") {
            line.split_once('\n').map_or("", |(_, rest)| rest)
        } else if let Some(block) = rest.strip_prefix("/*") {
            block.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            break;
        };
        rest = rest.trim_start();
    }
    let word = rest.strip_prefix("edition");
    word.is_some_and(|rest| rest.trim_start().starts_with('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edition_is_seen_behind_comments_alone() {
        for text in [
            "edition = \"2023\";",
            "// a\n/* b\n */ edition=\"2024\";",
            "\u{feff}\n edition = \"2023\";",
        ] {
            assert!(has_edition(text), "{text}");
        }
        for text in [
            "syntax = \"proto3\";\n// edition = 3",
            "message edition {}",
            "// edition = \"2023\";",
            "",
            "/* ",
        ] {
            assert!(!has_edition(text), "{text}");
        }
    }

    #[test]
    fn what_is_nested_without_end_is_refused() {
        assert!(is_too_deep(&"message A {".repeat(1000)));
        assert!(!is_too_deep(&"message A {}".repeat(1000)));
    }
}
