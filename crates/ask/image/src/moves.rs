//! Paths of this machine, translated into paths of the image.

use crate::ImageError;
use std::path::{Path, PathBuf};
use tacho_oci::ImagePath;

/// What every container has, or what its runtime provides.
const EVERYWHERE: [&str; 7] = ["/dev", "/proc", "/sys", "/tmp", "/var/tmp", "/run", "/etc"];
/// Characters that may stand before or after a path in a word: `-Dfile=/a`, `/a:/b`,
/// `-Xlog:file="/a"`.
const AROUND: [char; 7] = ['=', ':', ',', ';', '"', '\'', '@'];

/// Files and folders of this machine, each with its place in the image.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moves(Vec<(String, String)>);

impl Moves {
    /// Adds a file or folder and its place in the image. A path deeper in it may have another
    /// place, so deeper paths are tried first. Experiments may name relative paths, while commands
    /// have absolute ones.
    pub(crate) fn add(&mut self, from: &Path, to: &ImagePath) {
        let from = std::path::absolute(from).unwrap_or_else(|_| from.to_owned());
        let pair = (from.display().to_string(), to.to_string());
        self.0.push(pair);
        self.0
            .sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    }

    /// A word with its paths moved.
    ///
    /// # Errors
    /// When a path of this machine is left in it.
    pub(crate) fn moved(&self, word: &str) -> Result<String, ImageError> {
        let mut moved = String::with_capacity(word.len());
        let mut rest = word;
        let mut before = None;
        while let Some(next) = rest.chars().next() {
            let begins = next == '/' && before.is_none_or(|c| AROUND.contains(&c));
            if !begins {
                moved.push(next);
                rest = &rest[next.len_utf8()..];
                before = Some(next);
                continue;
            }
            let end = rest.find(AROUND).unwrap_or(rest.len());
            let (path, after) = rest.split_at(end);
            moved.push_str(&self.path(path).ok_or_else(|| ImageError::LeftOver {
                word: word.to_owned(),
                path: path.to_owned(),
            })?);
            rest = after;
            before = Some('/');
        }
        Ok(moved)
    }

    /// Where a path lies in the image; `None` when it exists only on this machine. A path that does
    /// not exist here is the path of a request, or a folder to be made later: it stays as it is.
    fn path(&self, path: &str) -> Option<String> {
        // `/work/./app`: the same file, written as the experiment has it.
        let path = path.replace("/./", "/");
        let path = path.as_str();
        for (from, to) in &self.0 {
            if let Some(below) = path.strip_prefix(from.as_str())
                && (below.is_empty() || below.starts_with('/'))
            {
                return Some(format!("{to}{below}"));
            }
        }
        let is_everywhere = EVERYWHERE
            .iter()
            .any(|folder| Path::new(path).starts_with(folder));
        let is_here = PathBuf::from(path).exists() && path != "/";
        (is_everywhere || !is_here).then(|| path.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Moves {
        let mut moves = Moves::default();
        let at = |text| ImagePath::parse(text).unwrap();
        moves.add(Path::new("/usr/lib/jvm/jdk-25"), &at("/opt/java"));
        moves.add(Path::new("/work/app"), &at("/app"));
        moves.add(Path::new("/work/app/made/a.jsa"), &at("/app/a.jsa"));
        moves
    }

    #[test]
    fn paths_are_moved_wherever_they_stand_in_a_word() {
        for (word, wanted) in [
            ("/usr/lib/jvm/jdk-25/bin/java", "/opt/java/bin/java"),
            ("-jar", "-jar"),
            ("/work/app/orders.jar", "/app/orders.jar"),
            (
                "/work/app/a.jar:/work/app/lib/b.jar",
                "/app/a.jar:/app/lib/b.jar",
            ),
            (
                "-XX:SharedArchiveFile=/work/app/made/a.jsa",
                "-XX:SharedArchiveFile=/app/a.jsa",
            ),
            (
                "-Xlog:gc:file=\"/work/app/gc.log\":time",
                "-Xlog:gc:file=\"/app/gc.log\":time",
            ),
            ("@/work/app/arguments", "@/app/arguments"),
            // Another folder that begins alike, a URL, a path of requests.
            ("/work/application/x", "/work/application/x"),
            (
                "--url=http://localhost:8080/work/app",
                "--url=http://localhost:8080/work/app",
            ),
            ("--path=/api/users", "--path=/api/users"),
            (
                "-Djava.security.egd=file:/dev/urandom",
                "-Djava.security.egd=file:/dev/urandom",
            ),
            ("a/work/app", "a/work/app"),
            ("/work/./app/x", "/app/x"),
        ] {
            assert_eq!(moves().moved(word).unwrap(), wanted);
        }
    }

    #[test]
    fn what_was_named_from_where_one_stands_is_found_by_its_whole_path() {
        let mut moves = Moves::default();
        let at = ImagePath::parse("/app").unwrap();
        moves.add(Path::new("./lab/bin"), &at);
        let here = std::env::current_dir().unwrap();
        let word = format!("{}/lab/./bin/service", here.display());
        assert_eq!(moves.moved(&word).unwrap(), "/app/service");
    }

    #[test]
    fn a_path_of_this_machine_alone_is_named() {
        let lab = tempfile::tempdir_in("/var").unwrap();
        let file = lab.path().join("agent.jar");
        std::fs::write(&file, "").unwrap();
        let word = format!("-javaagent:{}=x", file.display());
        let error = moves().moved(&word).unwrap_err().to_string();
        assert!(error.contains(&file.display().to_string()), "{error}");
    }
}
