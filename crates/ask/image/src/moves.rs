//! Paths of this machine, translated into paths of the image.

use crate::ImageError;
use crate::placing::APPLICATION;
use std::collections::BTreeMap;
use std::path::Path;
use tacho_oci::{ImagePath, Node, Tree};

/// What every container has, or what its runtime provides.
const EVERYWHERE: [&str; 7] = ["/dev", "/proc", "/sys", "/tmp", "/var/tmp", "/run", "/etc"];
/// Characters that may stand before or after a path in a word: `-Dfile=/a`, `/a:/b`,
/// `-Xlog:file="/a"`. They may also stand in a name: `workspace/shop@2`.
const AROUND: [char; 7] = ['=', ':', ',', ';', '"', '\'', '@'];
/// Options of the JVM that name what it writes. The file may be there since a launch on this
/// machine.
const WRITTEN: [&str; 5] = [
    "-Xlog",
    "-XX:StartFlightRecording",
    "-XX:HeapDumpPath",
    "-XX:ErrorFile",
    "-XX:LogFile",
];
/// Nothing longer is a path (`PATH_MAX` of Linux).
const LONGEST_PATH: usize = 4096;
/// What may stand behind a file or folder of the variant: the same, or what is below it.
const BEHIND: [char; 8] = ['/', '=', ':', ',', ';', '"', '\'', '@'];

/// Files and folders of this machine, each with its place in the image.
#[derive(Debug, Clone, Default)]
pub(crate) struct Moves(Vec<(String, String)>);

impl Moves {
    /// Adds a file or folder and its place in the image. A path deeper in it may have another
    /// place, so deeper paths are tried first. Experiments may name relative paths, while commands
    /// have absolute ones.
    pub(crate) fn add(&mut self, from: &Path, to: &ImagePath) {
        let pair = (absolute(from), to.to_string());
        self.0.push(pair);
        self.0
            .sort_by_key(|(from, _)| std::cmp::Reverse(from.len()));
    }

    /// The deepest of them that a text begins with, and its place.
    fn beginning(&self, text: &str, behind: &[char]) -> Option<(&str, &str)> {
        let is_it = |from: &str| {
            let rest = text.strip_prefix(from);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(behind))
        };
        let found = self.0.iter().find(|(from, _)| is_it(from));
        found.map(|(from, to)| (from.as_str(), to.as_str()))
    }

    /// The place of a path, if it is one of them or below one.
    fn place(&self, path: &str) -> Option<String> {
        let (from, to) = self.beginning(path, &['/'])?;
        Some(format!("{to}{}", &path[from.len()..]))
    }
}

/// The same path without `.`, `..` and empty names.
fn straight(path: &str) -> String {
    let mut names = Vec::new();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// Without `.` in it.
fn absolute(path: &Path) -> String {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.display().to_string()
}

/// Translates the words by which a variant is started.
#[derive(Debug)]
pub(crate) struct Translation<'a> {
    moves: &'a Moves,
    /// What is in the image.
    nodes: BTreeMap<&'a str, &'a Node>,
    /// In which it is started on this machine. In the image that is the application's folder.
    directory: &'a Path,
}

impl<'a> Translation<'a> {
    /// For an image of these trees.
    pub(crate) fn new(
        moves: &'a Moves,
        trees: impl Iterator<Item = &'a Tree>,
        directory: &'a Path,
    ) -> Self {
        let nodes = trees.flat_map(|tree| tree.nodes());
        Self {
            moves,
            nodes: nodes.map(|(path, node)| (path.as_str(), node)).collect(),
            directory,
        }
    }

    /// A word with its paths moved.
    ///
    /// # Errors
    /// When it names a file of this machine that is not in the image.
    pub(crate) fn moved(&self, word: &str) -> Result<String, ImageError> {
        let is_written = WRITTEN.iter().any(|option| word.starts_with(option));
        let mut moved = String::with_capacity(word.len());
        let mut rest = word;
        while !rest.is_empty() {
            let (part, after) = rest.split_at(self.end_of_part(rest));
            let there = match part.starts_with('/') {
                true => self.path(part, is_written),
                false if is_written => Some(part.to_owned()),
                false => self.relative(part),
            };
            moved.push_str(&there.ok_or_else(|| ImageError::LeftOver {
                word: word.to_owned(),
                path: part.to_owned(),
            })?);
            let next = after.trim_start_matches(AROUND);
            moved.push_str(&after[..after.len() - next.len()]);
            rest = next;
        }
        Ok(moved)
    }

    /// Where the first part of a text ends: behind the longest file that exists on this machine, as
    /// names may have the characters that stand around paths; else at the first of these.
    fn end_of_part(&self, text: &str) -> usize {
        let known = self.moves.beginning(text, &BEHIND);
        let known = known.map_or(0, |(from, _)| from.len());
        let ends = text.match_indices(AROUND).map(|(at, _)| at);
        let ends = ends.filter(|at| *at >= known).chain([text.len()]);
        let first = ends.clone().next();
        let ends: Vec<usize> = ends.take_while(|end| *end <= LONGEST_PATH).collect();
        let longest = ends.into_iter().rfind(|end| self.is_here(&text[..*end]));
        longest.or(first).unwrap_or(text.len())
    }

    /// A relative name counts if it is that of a file and looks like one: `start` and `prod` may be
    /// words, with a script and a folder of that name beside them.
    fn is_here(&self, part: &str) -> bool {
        match part.starts_with('/') {
            true => Path::new(part).exists(),
            false => part.contains(['.', '/']) && self.directory.join(part).is_file(),
        }
    }

    /// Where a path lies in the image; `None` when it exists only on this machine. A path that does
    /// not exist here is the path of a request, or a folder to be made later: it stays as it is.
    fn path(&self, path: &str, is_written: bool) -> Option<String> {
        // `/work/./app`: the same file, written as the experiment has it.
        let path = path.replace("/./", "/");
        let is_here = self.is_here(&path);
        if let Some(moved) = self.moves.place(&path) {
            return (!is_here || is_written || self.has(&moved)).then_some(moved);
        }
        let is_everywhere = EVERYWHERE
            .iter()
            .any(|folder| Path::new(&path).starts_with(folder));
        (is_everywhere || !is_here || path == "/").then_some(path)
    }

    /// The same for what is no absolute path. A file that lies elsewhere in the image is named by
    /// its whole path there.
    fn relative(&self, part: &str) -> Option<String> {
        if !self.is_here(part) {
            return Some(part.to_owned());
        }
        let moved = self.moves.place(&absolute(&self.directory.join(part)))?;
        let is_found = absolute(&Path::new(APPLICATION).join(part)) == moved;
        let has = self.has(&moved);
        has.then(|| if is_found { part.to_owned() } else { moved })
    }

    /// Whether the image has it. What is behind a link that the image has is taken to be there.
    fn has(&self, path: &str) -> bool {
        let path = straight(path);
        let path = path.as_str();
        let is_link = |folder: &str| matches!(self.nodes.get(folder), Some(Node::Link { .. }));
        let mut folders = Path::new(path).ancestors().skip(1);
        self.nodes.contains_key(path) || folders.any(|folder| folder.to_str().is_some_and(is_link))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> ImagePath {
        ImagePath::parse(text).unwrap()
    }

    /// Of a machine that has none of the files.
    fn moved(word: &str) -> String {
        let mut moves = Moves::default();
        moves.add(Path::new("/work/jdk-25"), &at("/opt/java"));
        moves.add(Path::new("/work/app"), &at("/app"));
        moves.add(Path::new("/work/app/made/a.jsa"), &at("/app/a.jsa"));
        let directory = Path::new("/work/app");
        let translation = Translation::new(&moves, std::iter::empty(), directory);
        translation.moved(word).unwrap()
    }

    #[test]
    fn paths_are_moved_wherever_they_stand_in_a_word() {
        for (word, wanted) in [
            ("/work/jdk-25/bin/java", "/opt/java/bin/java"),
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
            ("", ""),
            ("a==b:", "a==b:"),
        ] {
            assert_eq!(moved(word), wanted);
        }
    }

    #[test]
    fn what_was_named_from_where_one_stands_is_found_by_its_whole_path() {
        let mut moves = Moves::default();
        moves.add(Path::new("./lab/bin"), &at("/app"));
        let here = std::env::current_dir().unwrap();
        let word = format!("{}/lab/./bin/service", here.display());
        let translation = Translation::new(&moves, std::iter::empty(), &here);
        assert_eq!(translation.moved(&word).unwrap(), "/app/service");
    }

    /// A folder with some files, of which the image has these: `app.jar`, and `current`, a link.
    struct Lab {
        folder: tempfile::TempDir,
        /// Of the service.
        service: std::path::PathBuf,
        moves: Moves,
        tree: Tree,
    }

    impl Lab {
        fn new(name: &str) -> Self {
            let folder = tempfile::tempdir_in("/var").unwrap();
            let service = folder.path().join(name);
            std::fs::create_dir_all(service.join("prod")).unwrap();
            for file in ["app.jar", "config.yml", "start", "prod/a.yml"] {
                std::fs::write(service.join(file), "").unwrap();
            }
            std::os::unix::fs::symlink("prod", service.join("current")).unwrap();
            std::fs::write(folder.path().join("agent@2.jar"), "").unwrap();
            let mut moves = Moves::default();
            moves.add(&service, &at("/app"));
            let mut tree = Tree::default();
            tree.put_text("/app/app.jar", "").unwrap();
            let target = "prod".to_owned();
            tree.put(at("/app/current"), Node::Link { target }).unwrap();
            Self {
                folder,
                service,
                moves,
                tree,
            }
        }

        fn moved(&self, directory: &Path, word: &str) -> Result<String, ImageError> {
            let service = self.service.display().to_string();
            let word = word.replace("SERVICE", &service);
            Translation::new(&self.moves, [&self.tree].into_iter(), directory).moved(&word)
        }

        fn is_refused(&self, word: &str, file: &str) {
            let error = self.moved(&self.service, word).unwrap_err().to_string();
            assert!(error.contains(&format!("names {file},")), "{error}");
        }
    }

    #[test]
    fn a_path_of_this_machine_alone_is_named() {
        let lab = Lab::new("service");
        let agent = lab.folder.path().join("agent@2.jar").display().to_string();
        lab.is_refused(&format!("-javaagent:{agent}=x"), &agent);
    }

    #[test]
    fn a_file_beside_the_artifact_is_no_part_of_it() {
        let lab = Lab::new("service");
        let config = lab.service.join("config.yml").display().to_string();
        for word in ["SERVICE/config.yml", "--config=SERVICE/config.yml"] {
            lab.is_refused(word, &config);
        }
        for word in [
            "config.yml",
            "--config=config.yml",
            "-javaagent:config.yml=x",
        ] {
            lab.is_refused(word, "config.yml");
        }
        lab.is_refused("./config.yml", "./config.yml");
        for (word, wanted) in [
            ("SERVICE", "/app"),
            ("SERVICE/", "/app/"),
            ("SERVICE/app.jar", "/app/app.jar"),
            ("app.jar", "app.jar"),
            ("-javaagent:./app.jar", "-javaagent:./app.jar"),
            ("SERVICE/current/a.yml", "/app/current/a.yml"),
            // The same, written in another way.
            ("SERVICE/prod/../app.jar", "/app/prod/../app.jar"),
            ("SERVICE//app.jar", "/app//app.jar"),
            // It is written, not read.
            (
                "-XX:HeapDumpPath=SERVICE/config.yml",
                "-XX:HeapDumpPath=/app/config.yml",
            ),
            ("-Xlog:gc:file=config.yml", "-Xlog:gc:file=config.yml"),
            // It is made later, or is a word.
            ("SERVICE/logs/new.log", "/app/logs/new.log"),
            ("--profile=prod", "--profile=prod"),
            ("start", "start"),
        ] {
            assert_eq!(lab.moved(&lab.service, word).unwrap(), wanted);
        }
        let above = lab.folder.path();
        assert_eq!(lab.moved(above, "service/app.jar").unwrap(), "/app/app.jar");
        assert!(lab.moved(above, "service/config.yml").is_err());
    }

    #[test]
    fn names_may_have_what_stands_around_paths() {
        for name in ["shop@2", "a,b", "x=y:z"] {
            let lab = Lab::new(name);
            for (word, wanted) in [
                ("SERVICE/app.jar", "/app/app.jar"),
                ("SERVICE/app.jar:SERVICE/b.jar", "/app/app.jar:/app/b.jar"),
                (
                    "-Xlog:gc:file=SERVICE/gc.log:time",
                    "-Xlog:gc:file=/app/gc.log:time",
                ),
            ] {
                assert_eq!(lab.moved(&lab.service, word).unwrap(), wanted, "{name}");
            }
            let config = lab.service.join("config.yml").display().to_string();
            lab.is_refused("--config=SERVICE/config.yml", &config);
        }
    }
}
