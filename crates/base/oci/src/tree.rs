//! What a layer contains, and where.

use crate::{ImagePath, OciError, PathProblem};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fs::{self, Metadata};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// Most levels of folders that are followed. The kernel follows forty links (path_resolution(7)).
const DEEPEST: usize = 64;
/// Any of the three rights to execute.
const MAY_RUN: u32 = 0o111;

/// Files, folders and links, sorted by their path inside the image. The folders above an entry are
/// added automatically.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tree(BTreeMap<ImagePath, Node>);

/// An entry of a layer. Owner, time and all rights except the right to execute do not come from the
/// file, because they differ from machine to machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A folder that everybody can read.
    Folder,
    /// A folder to which everybody can write, and from which everybody can delete only their own
    /// files, like `/tmp`.
    Shared,
    /// A file that everybody can read.
    File {
        /// What is in it.
        content: Content,
        /// Whether everybody may execute it.
        runs: bool,
    },
    /// A symbolic link.
    Link {
        /// As it is written, absolute or relative.
        target: String,
    },
}

/// What is in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// In memory.
    Bytes(Vec<u8>),
    /// That of a file of this machine.
    Of {
        /// The file.
        path: PathBuf,
        /// Its size when it was found; bytes.
        bytes: u64,
    },
}

/// What happens to the symbolic links of a folder that is copied into a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// They stay as they are written: the folder is a whole root.
    AsWritten,
    /// Links that stay inside the folder stay links. Other links are replaced by what they lead to,
    /// because that is not in the image: Debian's JDKs have their configuration below `/etc`.
    OutsideFollowed,
}

/// What was copied, and what was left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kept {
    /// Files, folders and links that are in the tree.
    pub nodes: usize,
    /// Sockets, pipes, devices, and links that lead nowhere.
    pub left_out: Vec<PathBuf>,
}

impl Node {
    fn word(&self) -> &'static str {
        match self {
            Self::Folder | Self::Shared => "a folder",
            Self::File { .. } => "a file",
            Self::Link { .. } => "a link",
        }
    }
}

impl Tree {
    /// Puts an entry at a path. Putting the same entry there again is no error.
    ///
    /// # Errors
    /// When something else is there, or a file is where a folder has to be.
    pub fn put(&mut self, path: ImagePath, node: Node) -> Result<(), OciError> {
        for folder in path.folders() {
            let there = self.0.entry(folder.clone()).or_insert(Node::Folder);
            if !matches!(there, Node::Folder | Node::Shared) {
                return Err(twice(&folder, there, &Node::Folder));
            }
        }
        match self.0.entry(path) {
            Entry::Vacant(place) => {
                place.insert(node);
            }
            Entry::Occupied(place) if *place.get() == node => {}
            Entry::Occupied(place) => return Err(twice(place.key(), place.get(), &node)),
        }
        Ok(())
    }

    /// Puts a small file there.
    ///
    /// # Errors
    /// As [`Self::put`].
    pub fn put_text(&mut self, path: &str, text: &str) -> Result<(), OciError> {
        let content = Content::Bytes(text.as_bytes().to_vec());
        let runs = false;
        self.put(ImagePath::parse(path)?, Node::File { content, runs })
    }

    /// Puts a file or a whole folder of this machine there.
    ///
    /// # Errors
    /// When something cannot be read, has a name that no image can have, or lies where something
    /// else is.
    pub fn put_copy(&mut self, at: &ImagePath, of: &Path, links: Links) -> Result<Kept, OciError> {
        let root = fs::canonicalize(of).map_err(|source| OciError::read(of, source))?;
        let mut kept = Kept::default();
        let taking = Taking { root: &root, links };
        taking.take(self, Some(at), &root, 0, &mut kept)?;
        Ok(kept)
    }

    /// Takes a folder of this machine as the root: its links stay as they are written.
    ///
    /// # Errors
    /// As [`Self::put_copy`].
    pub fn put_root(&mut self, of: &Path) -> Result<Kept, OciError> {
        let root = fs::canonicalize(of).map_err(|source| OciError::read(of, source))?;
        let mut kept = Kept::default();
        let taking = Taking {
            root: &root,
            links: Links::AsWritten,
        };
        taking.take_folder(self, None, &root, 0, &mut kept)?;
        Ok(kept)
    }

    /// Removes an entry and everything in it. Removing something that does not exist is no error.
    pub fn remove(&mut self, path: &ImagePath) {
        let inside = format!("{path}/");
        self.0
            .retain(|other, _| other != path && !other.as_str().starts_with(&inside));
    }

    /// Everything, in the order of the paths.
    pub fn nodes(&self) -> impl Iterator<Item = (&ImagePath, &Node)> {
        self.0.iter()
    }

    /// What all files hold; bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.values().map(Node::bytes).sum()
    }

    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Node {
    fn bytes(&self) -> u64 {
        match self {
            Self::File { content, .. } => content.bytes(),
            Self::Folder | Self::Shared | Self::Link { .. } => 0,
        }
    }
}

impl Content {
    /// Its size; bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Of { bytes, .. } => *bytes,
        }
    }
}

fn twice(path: &ImagePath, was: &Node, is: &Node) -> OciError {
    OciError::Twice {
        path: path.to_string(),
        was: was.word(),
        is: is.word(),
    }
}

/// A folder of this machine that is taken over.
struct Taking<'a> {
    /// Without links in its path.
    root: &'a Path,
    links: Links,
}

impl Taking<'_> {
    fn take(
        &self,
        tree: &mut Tree,
        at: Option<&ImagePath>,
        from: &Path,
        depth: usize,
        kept: &mut Kept,
    ) -> Result<(), OciError> {
        let found = fs::symlink_metadata(from).map_err(|source| OciError::read(from, source))?;
        if found.is_dir() {
            return self.take_folder(tree, at, from, depth, kept);
        }
        let Some(at) = at else {
            return Ok(());
        };
        if found.is_symlink() {
            return self.take_link(tree, at, from, depth, kept);
        }
        if !found.is_file() {
            kept.left_out.push(from.to_owned());
            return Ok(());
        }
        kept.nodes += 1;
        tree.put(at.clone(), file(from, &found))
    }

    fn take_folder(
        &self,
        tree: &mut Tree,
        at: Option<&ImagePath>,
        from: &Path,
        depth: usize,
        kept: &mut Kept,
    ) -> Result<(), OciError> {
        if depth > DEEPEST {
            let (path, most) = (from.to_owned(), DEEPEST);
            return Err(OciError::TooDeep { path, most });
        }
        if let Some(at) = at {
            kept.nodes += 1;
            tree.put(at.clone(), Node::Folder)?;
        }
        let failed = |source| OciError::read(from, source);
        for entry in fs::read_dir(from).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let name = name.to_str().ok_or_else(|| OciError::Path {
                path: entry.path().display().to_string(),
                problem: PathProblem::NotText,
            })?;
            let inside = match at {
                Some(at) => at.join(name)?,
                None => ImagePath::parse(&format!("/{name}"))?,
            };
            self.take(tree, Some(&inside), &entry.path(), depth + 1, kept)?;
        }
        Ok(())
    }

    fn take_link(
        &self,
        tree: &mut Tree,
        at: &ImagePath,
        from: &Path,
        depth: usize,
        kept: &mut Kept,
    ) -> Result<(), OciError> {
        let target = fs::read_link(from).map_err(|source| OciError::read(from, source))?;
        let as_text = || {
            let target = target.to_str().ok_or_else(|| OciError::Path {
                path: target.display().to_string(),
                problem: PathProblem::NotText,
            })?;
            Ok::<_, OciError>(Node::Link {
                target: target.to_owned(),
            })
        };
        if self.links == Links::AsWritten {
            kept.nodes += 1;
            return tree.put(at.clone(), as_text()?);
        }
        let Ok(leads_to) = fs::canonicalize(from) else {
            kept.left_out.push(from.to_owned());
            return Ok(());
        };
        if target.is_relative() && leads_to.starts_with(self.root) {
            kept.nodes += 1;
            return tree.put(at.clone(), as_text()?);
        }
        self.take(tree, Some(at), &leads_to, depth + 1, kept)
    }
}

fn file(path: &Path, found: &Metadata) -> Node {
    Node::File {
        content: Content::Of {
            path: path.to_owned(),
            bytes: found.len(),
        },
        runs: found.permissions().mode() & MAY_RUN != 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    fn path(text: &str) -> ImagePath {
        ImagePath::parse(text).unwrap()
    }

    fn names(tree: &Tree) -> Vec<String> {
        tree.nodes()
            .map(|(path, node)| format!("{path} {}", node.word()))
            .collect()
    }

    #[test]
    fn folders_are_there_by_themselves_and_nothing_lies_in_a_file() {
        let mut tree = Tree::default();
        tree.put_text("/etc/passwd", "root").unwrap();
        assert_eq!(names(&tree), ["/etc a folder", "/etc/passwd a file"]);
        tree.put_text("/etc/passwd", "root").unwrap();
        let error = tree.put_text("/etc/passwd", "other").unwrap_err();
        assert!(error.to_string().contains("twice"), "{error}");
        let error = tree.put_text("/etc/passwd/x", "").unwrap_err();
        assert!(error.to_string().contains("/etc/passwd is in"), "{error}");
        assert_eq!(tree.bytes(), 4);
    }

    #[test]
    fn of_a_folder_links_inside_stay_and_those_outside_are_followed() {
        let lab = tempfile::tempdir().unwrap();
        let (jdk, etc) = (lab.path().join("jdk"), lab.path().join("etc"));
        fs::create_dir_all(jdk.join("bin")).unwrap();
        fs::create_dir_all(etc.join("security")).unwrap();
        fs::write(jdk.join("bin/java"), "elf").unwrap();
        fs::set_permissions(jdk.join("bin/java"), fs::Permissions::from_mode(0o700)).unwrap();
        fs::write(etc.join("security/policy"), "grant").unwrap();
        symlink("java", jdk.join("bin/javac")).unwrap();
        symlink(&etc, jdk.join("conf")).unwrap();
        symlink("/nowhere/src.zip", jdk.join("src.zip")).unwrap();
        let _socket = UnixListener::bind(jdk.join("socket")).unwrap();
        let mut tree = Tree::default();
        let kept = tree
            .put_copy(&path("/opt/java"), &jdk, Links::OutsideFollowed)
            .unwrap();
        assert_eq!(
            names(&tree),
            [
                "/opt a folder",
                "/opt/java a folder",
                "/opt/java/bin a folder",
                "/opt/java/bin/java a file",
                "/opt/java/bin/javac a link",
                "/opt/java/conf a folder",
                "/opt/java/conf/security a folder",
                "/opt/java/conf/security/policy a file",
            ]
        );
        let mut left_out: Vec<_> = kept.left_out.iter().filter_map(|p| p.file_name()).collect();
        left_out.sort();
        assert_eq!(left_out, ["socket", "src.zip"]);
        assert_eq!(kept.nodes, 7);
        let runs = |at: &str| match &tree.0[&path(at)] {
            Node::File { runs, .. } => *runs,
            other => panic!("{other:?}"),
        };
        assert!(runs("/opt/java/bin/java") && !runs("/opt/java/conf/security/policy"));
    }

    #[test]
    fn links_in_a_circle_end() {
        let lab = tempfile::tempdir().unwrap();
        let (one, two) = (lab.path().join("one"), lab.path().join("two"));
        fs::create_dir_all(&one).unwrap();
        fs::create_dir_all(&two).unwrap();
        symlink(&two, one.join("two")).unwrap();
        symlink(&one, two.join("one")).unwrap();
        let error = Tree::default()
            .put_copy(&path("/app"), &one, Links::OutsideFollowed)
            .unwrap_err();
        assert!(error.to_string().contains("circle"), "{error}");
    }

    #[test]
    fn a_root_keeps_its_links_as_they_are_written() {
        let lab = tempfile::tempdir().unwrap();
        fs::create_dir_all(lab.path().join("usr/bin")).unwrap();
        symlink("usr/bin", lab.path().join("bin")).unwrap();
        symlink("/etc/alternatives/java", lab.path().join("usr/bin/java")).unwrap();
        let mut tree = Tree::default();
        let kept = tree.put_root(lab.path()).unwrap();
        assert_eq!(kept.nodes, 4);
        let target = "/etc/alternatives/java".to_owned();
        assert_eq!(tree.0[&path("/usr/bin/java")], Node::Link { target });
    }
}
