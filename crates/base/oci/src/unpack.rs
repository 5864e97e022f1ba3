//! Unpacks layers on top of each other into a folder, as for the root of a container.

use crate::blob::Held;
use crate::{Layer, OciError};
use flate2::read::MultiGzDecoder;
use oci_spec::image::MediaType;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};
use tar::Archive;

/// Prefix of a whiteout: a file that removes an entry of lower layers (image-spec, "whiteouts").
const WHITEOUT: &str = ".wh.";
/// Removes everything that lower layers have in its folder.
const OPAQUE: &str = ".wh..wh..opq";
/// The owner's rights to a folder that is to be filled, and removed.
const OWN: u32 = 0o700;

impl Layer {
    /// Unpacks the layer on top of what is in the folder: its files with their times and rights are
    /// added, and what it removes is removed. Nothing is written outside of the folder. Whoever
    /// unpacks it may write to all of its folders.
    ///
    /// # Errors
    /// When the layer cannot be read, is compressed in a way that is not known here (zstd), or the
    /// folder cannot be written.
    pub fn unpack(&self, root: &Path) -> Result<(), OciError> {
        let Held::In(path) = &self.blob.held else {
            return Ok(());
        };
        let failed = |source| OciError::read(path, source);
        let file = File::open(path).map_err(failed)?;
        let tar: Box<dyn Read> = match self.blob.media_type {
            MediaType::ImageLayer => Box::new(file),
            MediaType::ImageLayerGzip => Box::new(MultiGzDecoder::new(file)),
            _ => {
                let why = "one of its layers is compressed by zstd, which cannot be unpacked here";
                return Err(OciError::no_base(path, why));
            }
        };
        let mut archive = Archive::new(tar);
        for entry in archive.entries().map_err(failed)? {
            let mut entry = entry.map_err(failed)?;
            let name = entry.path().map_err(failed)?.into_owned();
            match taken_away(&name) {
                Some(gone) => take_away(root, &gone).map_err(failed)?,
                None => {
                    let is_folder = entry.header().entry_type().is_dir();
                    make_room(root, &name, is_folder).map_err(failed)?;
                    entry.set_preserve_permissions(true);
                    entry.set_preserve_mtime(true);
                    // It refuses names that lead outside, also by a link that was unpacked before.
                    entry.unpack_in(root).map_err(failed)?;
                    if is_folder {
                        let_in(root, &name).map_err(failed)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Makes room for an entry, as containerd does when it unpacks one layer on top of another. An
/// existing entry is removed, unless both are folders. So a folder replaces a link.
fn make_room(root: &Path, name: &Path, is_folder: bool) -> io::Result<()> {
    let Some(path) = inside(root, name) else {
        return Ok(());
    };
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() && is_folder => Ok(()),
        Ok(_) => remove(&path),
        Err(_) => Ok(()),
    }
}

/// Gives the owner all rights to a folder, which need not have them in the layer: `/usr` of Fedora
/// has 0555. Only root could unpack what is in there, or remove it afterwards.
fn let_in(root: &Path, name: &Path) -> io::Result<()> {
    let Some(path) = inside(root, name) else {
        return Ok(());
    };
    let found = match fs::symlink_metadata(&path) {
        Ok(found) if found.is_dir() => found,
        // Its name leads outside, and it was not unpacked.
        _ => return Ok(()),
    };
    let mode = found.permissions().mode() & 0o7777;
    match mode & OWN {
        OWN => Ok(()),
        _ => fs::set_permissions(&path, fs::Permissions::from_mode(mode | OWN)),
    }
}

/// What a whiteout of this name removes.
#[derive(Debug, PartialEq, Eq)]
enum Gone {
    /// The file or folder that the whiteout names, without the whiteout's prefix.
    One(PathBuf),
    /// All that is in the folder.
    AllIn(PathBuf),
}

fn taken_away(name: &Path) -> Option<Gone> {
    let file = name.file_name()?.to_str()?;
    let folder = name.parent().unwrap_or(Path::new(""));
    if file == OPAQUE {
        return Some(Gone::AllIn(folder.to_owned()));
    }
    let other = file.strip_prefix(WHITEOUT)?;
    let is_name = !matches!(other, "" | "." | "..");
    is_name.then(|| Gone::One(folder.join(other)))
}

fn take_away(root: &Path, gone: &Gone) -> io::Result<()> {
    match gone {
        Gone::One(path) => match inside(root, path) {
            Some(path) => remove(&path),
            None => Ok(()),
        },
        Gone::AllIn(folder) => {
            let Some(folder) = inside(root, &folder.join("any")) else {
                return Ok(());
            };
            let folder = folder.parent().unwrap_or(root).to_owned();
            let Ok(entries) = fs::read_dir(&folder) else {
                return Ok(());
            };
            for entry in entries {
                remove(&entry?.path())?;
            }
            Ok(())
        }
    }
}

/// The path below the root; `None` when its name, or a link on the way, leads outside.
fn inside(root: &Path, path: &Path) -> Option<PathBuf> {
    let plain = path
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let root = fs::canonicalize(root).ok()?;
    let folder = fs::canonicalize(root.join(path).parent()?).ok()?;
    let name = path.file_name()?;
    (plain && folder.starts_with(&root)).then(|| folder.join(name))
}

fn remove(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blob::{Blob, digest_of};
    use crate::{SourceDate, Tree};
    use std::os::unix::fs::symlink;
    use tar::{Builder, EntryType, Header};

    fn layer(files: &[&str], folder: &Path) -> Layer {
        let mut tree = Tree::default();
        for path in files {
            tree.put_text(path, path).unwrap();
        }
        Layer::write("layer", &tree, SourceDate(9), folder).unwrap()
    }

    fn below(root: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.push(path.strip_prefix(root).unwrap().display().to_string());
                }
            }
        }
        found.sort();
        found
    }

    #[test]
    fn an_upper_layer_replaces_and_takes_away() {
        let lab = tempfile::tempdir().unwrap();
        let root = lab.path().join("root");
        fs::create_dir(&root).unwrap();
        layer(&["/a/one", "/a/two", "/b/three", "/b/c/four"], lab.path())
            .unpack(&root)
            .unwrap();
        layer(&["/a/.wh.one", "/b/.wh..wh..opq"], lab.path())
            .unpack(&root)
            .unwrap();
        assert_eq!(below(&root), ["a/two"]);
        let modified = fs::metadata(root.join("a/two"))
            .unwrap()
            .modified()
            .unwrap();
        let since = modified.duration_since(std::time::UNIX_EPOCH).unwrap();
        assert_eq!(since.as_secs(), 9);
    }

    #[test]
    fn a_folder_to_which_nobody_may_write_can_be_filled_and_removed() {
        let lab = tempfile::tempdir().unwrap();
        let (root, path) = (lab.path().join("root"), lab.path().join("layer.tar"));
        fs::create_dir(&root).unwrap();
        let mut tar = Builder::new(Vec::new());
        for (name, kind, mode) in [
            ("usr/", EntryType::Directory, 0o555),
            ("usr/one", EntryType::Regular, 0o444),
        ] {
            let mut header = Header::new_gnu();
            header.set_entry_type(kind);
            header.set_mode(mode);
            header.set_size(0);
            tar.append_data(&mut header, name, io::empty()).unwrap();
        }
        let bytes = tar.into_inner().unwrap();
        fs::write(&path, &bytes).unwrap();
        let digest = digest_of(&bytes);
        let layer = Layer {
            role: "base".to_owned(),
            diff_id: digest.clone(),
            blob: Blob {
                media_type: MediaType::ImageLayer,
                digest,
                bytes: bytes.len() as u64,
                held: Held::In(path),
            },
            unpacked_bytes: None,
        };
        layer.unpack(&root).unwrap();
        // Root would not be kept out by them.
        let rights = |name: &str| {
            let found = fs::metadata(root.join(name)).unwrap();
            found.permissions().mode() & 0o777
        };
        assert_eq!([rights("usr"), rights("usr/one")], [0o755, 0o444]);
    }

    #[test]
    fn nothing_is_taken_away_or_written_outside() {
        let lab = tempfile::tempdir().unwrap();
        let root = lab.path().join("root");
        let outside = lab.path().join("outside");
        fs::create_dir(&root).unwrap();
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("kept"), "kept").unwrap();
        symlink(&outside, root.join("link")).unwrap();
        for gone in ["link/.wh.kept", "link/.wh..wh..opq"] {
            let gone = taken_away(Path::new(gone)).unwrap();
            take_away(&root, &gone).unwrap();
        }
        assert_eq!(below(&outside), ["kept"]);
        // A folder over a link is a folder of its own.
        layer(&["/link/planted"], lab.path()).unpack(&root).unwrap();
        assert_eq!(below(&root), ["link/planted"]);
        assert_eq!(below(&outside), ["kept"]);
        assert_eq!(taken_away(Path::new("a/.wh...")), None);
        assert_eq!(taken_away(Path::new("a/.wh.")), None);
    }
}
