//! A layer: a tree as a tar, compressed.

use crate::blob::{Blob, Held, Summing, copy_file};
use crate::entry;
use crate::tree::{Content, Node, Tree};
use crate::{ImagePath, OciError};
use flate2::{Compression, GzBuilder, write::GzEncoder};
use oci_spec::image::{Digest, MediaType};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

/// Operating system `unknown`, so that the gzip header does not depend on the system (RFC 1952,
/// 2.3.1).
const NO_SYSTEM: u8 = 255;
/// zlib's default level. Higher levels take twice the time and save a hundredth of the size.
const LEVEL: u32 = 6;
/// Longest name in the header of a tar. A longer name is in a record before it (POSIX pax).
const LONGEST_IN_A_HEAD: usize = 100;

/// The time of all files of an image; seconds since 1970. The default is 1, because some tools read
/// 0 as "none".
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceDate(pub u64);

impl Default for SourceDate {
    fn default() -> Self {
        Self(1)
    }
}

/// A part of an image's root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layer {
    /// What is in it, for people: `dependencies`.
    pub role: String,
    /// SHA-256 of the tar before it is compressed.
    pub diff_id: Digest,
    /// The compressed tar.
    pub blob: Blob,
    /// The tar before it is compressed; bytes. Absent where this version cannot unpack it (zstd).
    pub unpacked_bytes: Option<u64>,
}

impl Layer {
    /// Packs a tree into a file of this folder.
    ///
    /// # Errors
    /// When a file of the tree cannot be read or has changed, or the folder cannot be written.
    pub fn write(
        role: &str,
        tree: &Tree,
        date: SourceDate,
        folder: &Path,
    ) -> Result<Self, OciError> {
        let unfinished = folder.join(format!("{role}.tar.gz.part"));
        let failed = |source| OciError::write(&unfinished, source);
        let file = BufWriter::new(File::create(&unfinished).map_err(failed)?);
        let gzip = GzBuilder::new()
            .mtime(0)
            .operating_system(NO_SYSTEM)
            .write(Summing::new(file), Compression::new(LEVEL));
        let mut tar = Packing {
            tar: Builder::new(Summing::new(gzip)),
            date,
            to: &unfinished,
        };
        for (path, node) in tree.nodes() {
            tar.append(path, node)?;
        }
        let (diff_id, unpacked, gzip) = tar.tar.into_inner().map_err(failed)?.end();
        let (digest, bytes, file) = end_of(gzip, &unfinished)?;
        file.into_inner()
            .map_err(|error| failed(error.into_error()))?;
        let path = folder.join(format!("{role}.tar.gz"));
        fs::rename(&unfinished, &path).map_err(failed)?;
        Ok(Self {
            role: role.to_owned(),
            diff_id,
            blob: Blob {
                media_type: MediaType::ImageLayerGzip,
                digest,
                bytes,
                held: Held::In(path),
            },
            unpacked_bytes: Some(unpacked),
        })
    }

    /// The compressed tar on this machine.
    #[must_use]
    pub fn file(&self) -> Option<&PathBuf> {
        match &self.blob.held {
            Held::In(path) => Some(path),
            Held::InMemory(_) => None,
        }
    }
}

type Gzip = GzEncoder<Summing<BufWriter<File>>>;

fn end_of(gzip: Gzip, path: &Path) -> Result<(Digest, u64, BufWriter<File>), OciError> {
    let ended = gzip.finish().map_err(|e| OciError::write(path, e))?;
    Ok(ended.end())
}

struct Packing<'a> {
    tar: Builder<Summing<Gzip>>,
    date: SourceDate,
    to: &'a Path,
}

impl Packing<'_> {
    fn append(&mut self, path: &ImagePath, node: &Node) -> Result<(), OciError> {
        let head = |kind, mode, bytes| entry::head(kind, mode, bytes, self.date.0);
        match node {
            Node::Folder => self.empty(path, head(EntryType::Directory, 0o755, 0)),
            Node::Shared => self.empty(path, head(EntryType::Directory, 0o1777, 0)),
            Node::Link { target } => {
                let mut head = head(EntryType::Symlink, 0o777, 0);
                if target.len() > LONGEST_IN_A_HEAD {
                    self.record("linkpath", target)?;
                } else {
                    head.set_link_name_literal(target)
                        .map_err(|e| OciError::write(self.to, e))?;
                }
                self.empty(path, head)
            }
            Node::File { content, runs } => {
                let mode = if *runs { 0o755 } else { 0o644 };
                let mut head = head(EntryType::Regular, mode, content.bytes());
                self.name(&mut head, path.in_a_tar())?;
                self.file(head, content)
            }
        }
    }

    fn empty(&mut self, path: &ImagePath, mut head: Header) -> Result<(), OciError> {
        let is_folder = head.entry_type() == EntryType::Directory;
        let slash = if is_folder { "/" } else { "" };
        self.name(&mut head, &format!("{}{slash}", path.in_a_tar()))?;
        head.set_cksum();
        let failed = |source| OciError::write(self.to, source);
        self.tar.append(&head, std::io::empty()).map_err(failed)
    }

    fn file(&mut self, head: Header, content: &Content) -> Result<(), OciError> {
        let to = self.to;
        entry::write(
            self.tar.get_mut(),
            head,
            content.bytes(),
            to,
            |out| match content {
                Content::Bytes(bytes) => {
                    let failed = |source| OciError::write(to, source);
                    out.write_all(bytes).map_err(failed)
                }
                Content::Of { path, bytes } => copy_file(path, *bytes, out),
            },
        )
    }

    fn name(&mut self, head: &mut Header, name: &str) -> Result<(), OciError> {
        // The name is not split into prefix and name, as a header would allow: one way is enough.
        let short = if name.len() <= LONGEST_IN_A_HEAD {
            name
        } else {
            self.record("path", name)?;
            cut(name)
        };
        let failed = |source| OciError::write(self.to, source);
        head.set_path(short).map_err(failed)
    }

    fn record(&mut self, key: &str, value: &str) -> Result<(), OciError> {
        let failed = |source| OciError::write(self.to, source);
        let records = [(key, value.as_bytes())];
        self.tar.append_pax_extensions(records).map_err(failed)
    }
}

/// The name for the tar header when a PAX record has the full name: its beginning, cut at a whole
/// character.
fn cut(name: &str) -> &str {
    let end = (0..=LONGEST_IN_A_HEAD).rfind(|&at| name.is_char_boundary(at));
    name[..end.unwrap_or(0)].trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Links;
    use flate2::read::GzDecoder;
    use std::io::Read;
    use std::os::unix::fs::PermissionsExt;
    use tar::Archive;

    fn tree() -> Tree {
        let mut tree = Tree::default();
        let long = format!("/app/{}/{}", "lib".repeat(60), "name".repeat(30));
        tree.put_text(&long, "deep").unwrap();
        tree.put_text("/app/empty", "").unwrap();
        tree.put_text("/app/block", &"b".repeat(512)).unwrap();
        tree.put_text("/app/überall/ü", "text").unwrap();
        let target = format!("../{}", "x".repeat(120));
        let link = ImagePath::parse("/app/link").unwrap();
        tree.put(link, Node::Link { target }).unwrap();
        tree.put(ImagePath::parse("/tmp").unwrap(), Node::Shared)
            .unwrap();
        tree
    }

    #[derive(Debug, PartialEq)]
    struct Seen {
        path: String,
        kind: EntryType,
        mode: u32,
        owner: (u64, u64),
        mtime: u64,
        link: Option<String>,
        content: String,
    }

    fn seen(layer: &Layer) -> Vec<Seen> {
        let file = File::open(layer.file().unwrap()).unwrap();
        let mut archive = Archive::new(GzDecoder::new(file));
        let entries = archive.entries().unwrap();
        entries
            .map(|entry| {
                let mut entry = entry.unwrap();
                let mut content = String::new();
                entry.read_to_string(&mut content).unwrap();
                let head = entry.header().clone();
                let text = |path: std::borrow::Cow<'_, Path>| path.to_str().unwrap().to_owned();
                Seen {
                    path: text(entry.path().unwrap()),
                    kind: head.entry_type(),
                    mode: head.mode().unwrap(),
                    owner: (head.uid().unwrap(), head.gid().unwrap()),
                    mtime: head.mtime().unwrap(),
                    link: entry.link_name().unwrap().map(text),
                    content,
                }
            })
            .collect()
    }

    #[test]
    fn another_reader_finds_what_was_packed() {
        let lab = tempfile::tempdir().unwrap();
        let layer = Layer::write("application", &tree(), SourceDate(7), lab.path()).unwrap();
        let seen = seen(&layer);
        let all: Vec<(&str, EntryType, u32)> = seen
            .iter()
            .map(|s| (s.path.as_str(), s.kind, s.mode))
            .collect();
        let lib = format!("app/{}", "lib".repeat(60));
        let (folder, file) = (EntryType::Directory, EntryType::Regular);
        let (lib_slash, deep) = (format!("{lib}/"), format!("{lib}/{}", "name".repeat(30)));
        assert_eq!(
            all,
            [
                ("app/", folder, 0o755),
                ("app/block", file, 0o644),
                ("app/empty", file, 0o644),
                (&lib_slash, folder, 0o755),
                (&deep, file, 0o644),
                ("app/link", EntryType::Symlink, 0o777),
                ("app/überall/", folder, 0o755),
                ("app/überall/ü", file, 0o644),
                ("tmp/", folder, 0o1777),
            ]
        );
        assert!(seen.iter().all(|s| s.owner == (0, 0) && s.mtime == 7));
        assert_eq!(seen[1].content, "b".repeat(512));
        assert_eq!(seen[4].content, "deep");
        assert_eq!(seen[5].link, Some(format!("../{}", "x".repeat(120))));
        assert_eq!(tree().bytes(), 4 + 512 + 4);
        // Heads, records, padding and two blocks at the end come on top.
        assert_eq!(layer.unpacked_bytes.unwrap() % 512, 0);
        assert!(layer.unpacked_bytes.unwrap() > 10 * 512);
        let bytes = fs::read(layer.file().unwrap()).unwrap();
        assert_eq!(crate::blob::digest_of(&bytes), layer.blob.digest);
        assert_eq!(bytes.len() as u64, layer.blob.bytes);
        // No time, no system.
        assert_eq!(&bytes[4..10], [0, 0, 0, 0, 0, 255]);
    }

    #[test]
    fn rights_owner_and_time_of_the_machine_are_not_in_it() {
        let lab = tempfile::tempdir().unwrap();
        let layer_of = |name: &str, mode: u32| {
            let source = lab.path().join(name);
            fs::create_dir_all(source.join("lib")).unwrap();
            let files = ["b.jar", "a.jar"];
            for file in files.iter().rev().take(2) {
                let path = source.join("lib").join(file);
                fs::write(&path, file).unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
                let long_ago = std::time::UNIX_EPOCH + std::time::Duration::from_secs(mode.into());
                let open = File::options().write(true).open(&path).unwrap();
                open.set_modified(long_ago).unwrap();
            }
            let mut tree = Tree::default();
            let at = ImagePath::parse("/app").unwrap();
            tree.put_copy(&at, &source, Links::OutsideFollowed).unwrap();
            Layer::write(name, &tree, SourceDate::default(), lab.path()).unwrap()
        };
        let (one, two) = (layer_of("one", 0o600), layer_of("two", 0o666));
        assert_eq!(one.diff_id, two.diff_id);
        assert_eq!(one.blob.digest, two.blob.digest);
        // Whether it runs is in it.
        assert_ne!(layer_of("three", 0o700).diff_id, one.diff_id);
    }
}
