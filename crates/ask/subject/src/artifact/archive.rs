//! Reading jars and WARs with bounds: their bytes come from outside.

use super::ArtifactError;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, Write as _};
use std::path::{Path, PathBuf};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};
// Lists entries one at a time. The library calls it unstable: Cargo.lock pins it.
use zip::unstable::read::ZipIterable;

/// A nested jar that is compressed has to be read whole; larger ones are passed over.
const NESTED_LIMIT: u64 = 32 << 20;
/// The library keeps all entries in memory, 150 bytes and a name each. It takes their number from
/// the file before it has read them. The largest jars of applications with all their libraries have
/// a third of this.
const MOST_ENTRIES: usize = 1 << 18;
/// Most bytes of all names and what is stored beside them, which may be 64 KiB an entry each.
const NAMES_LIMIT: usize = 64 << 20;

/// A jar or WAR, or a jar within one.
pub(crate) struct Archive<R> {
    path: PathBuf,
    zip: ZipArchive<R>,
    names: Vec<String>,
}

impl Archive<BufReader<File>> {
    /// Opens a file. Only its directory of entries is read.
    pub(crate) fn open(path: &Path) -> Result<Self, ArtifactError> {
        let file = tacho_files::input::open(path).map_err(|e| ArtifactError::io(path, e))?;
        Self::new(path, BufReader::new(file))
    }
}

impl<R: Read + Seek> Archive<R> {
    /// Reads the directory of entries; `path` is for messages.
    pub(crate) fn new(path: &Path, mut from: R) -> Result<Self, ArtifactError> {
        check_directory(&mut from).map_err(|e| explain(path, e))?;
        let zip = ZipArchive::new(from).map_err(|e| explain(path, e))?;
        let names = zip
            .file_names_raw()
            .map(|raw| String::from_utf8_lossy(raw).into_owned())
            .collect();
        Ok(Self {
            path: path.to_owned(),
            zip,
            names,
        })
    }

    /// Names of all entries, in the order of the file.
    pub(crate) fn names(&self) -> &[String] {
        &self.names
    }

    /// True when there is an entry of exactly this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|n| n == name)
    }

    /// Indices of the entries whose name is accepted.
    pub(crate) fn select(&self, accept: impl Fn(&str) -> bool) -> Vec<usize> {
        let accepted = self.names.iter().enumerate().filter(|(_, n)| accept(n));
        accepted.map(|(index, _)| index).collect()
    }

    /// CRC-32 and size of an entry, as its jar has them.
    pub(crate) fn sum(&mut self, index: usize) -> Option<(u32, u64)> {
        let entry = self.zip.by_index_raw(index).ok()?;
        Some((entry.crc32(), entry.size()))
    }

    /// The first `limit` bytes of an entry, by index.
    pub(crate) fn head(&mut self, index: usize, limit: u64) -> Result<Vec<u8>, ArtifactError> {
        let path = self.path.clone();
        let entry = self.zip.by_index(index).map_err(|e| explain(&path, e))?;
        let mut bytes = Vec::new();
        entry
            .take(limit)
            .read_to_end(&mut bytes)
            .map_err(|e| explain(&path, ZipError::Io(e)))?;
        Ok(bytes)
    }

    /// The first `limit` bytes of an entry, by name; `None` when there is no such entry.
    pub(crate) fn read(
        &mut self,
        name: &str,
        limit: u64,
    ) -> Result<Option<Vec<u8>>, ArtifactError> {
        match self.names.iter().position(|n| n == name) {
            Some(index) => self.head(index, limit).map(Some),
            None => Ok(None),
        }
    }

    /// Writes the archive anew with some entries changed: `None` leaves one out. What is not
    /// named is copied as it is, compressed or not.
    pub(crate) fn with<W: io::Write + Seek>(
        &mut self,
        changed: &BTreeMap<String, Option<Vec<u8>>>,
        to: W,
    ) -> Result<W, ZipError> {
        let mut writer = ZipWriter::new(to);
        let mut left: BTreeMap<&String, &Option<Vec<u8>>> = changed.iter().collect();
        for (index, name) in self.names.iter().enumerate() {
            let entry = self.zip.by_index_raw(index)?;
            match left.remove(name).or_else(|| changed.get(name)) {
                None => writer.raw_copy_file(entry)?,
                Some(None) => {}
                Some(Some(bytes)) => {
                    let method = entry.compression();
                    let options = SimpleFileOptions::default().compression_method(method);
                    writer.start_file(name.as_str(), options)?;
                    writer.write_all(bytes)?;
                }
            }
        }
        for (name, bytes) in left {
            let Some(bytes) = bytes else { continue };
            // A jar within one has to be stored for Spring Boot's loader.
            let method = match name.ends_with(".jar") {
                true => CompressionMethod::Stored,
                false => CompressionMethod::Deflated,
            };
            let options = SimpleFileOptions::default().compression_method(method);
            writer.start_file(name.as_str(), options)?;
            writer.write_all(bytes)?;
        }
        writer.finish()
    }

    /// Passes a nested jar to `visit`. A stored jar (as Spring Boot packs them) is read in place; a
    /// compressed one is inflated into memory. A jar that is too large or damaged is skipped: this
    /// may spoil a guess, but must not stop the user. `left` is how much may still be inflated;
    /// jars beyond it are skipped, too, because a jar of 10 MB may hold hundreds of 32 MiB each.
    pub(crate) fn nested(
        &mut self,
        index: usize,
        left: &mut u64,
        visit: &mut dyn FnMut(&mut dyn ClassSource),
    ) {
        let path = self.path.clone();
        if let Ok(stored) = self.zip.by_index_seek(index) {
            if let Ok(mut inner) = Archive::new(&path, stored) {
                visit(&mut inner);
            }
            return;
        }
        let most = NESTED_LIMIT.min(*left);
        if most == 0 {
            return;
        }
        let read = self.head(index, most + 1);
        // A damaged jar may have been inflated up to the limit.
        let inflated = read.as_ref().map_or(most, |bytes| bytes.len() as u64);
        *left = left.saturating_sub(inflated);
        let Ok(bytes) = read else {
            return;
        };
        if bytes.len() as u64 <= most
            && let Ok(mut inner) = Archive::new(&path, Cursor::new(bytes))
        {
            visit(&mut inner);
        }
    }
}

/// A source of class files, whatever the archive is read from.
pub(crate) trait ClassSource {
    /// Indices of the entries whose name is accepted.
    fn entries(&self, accept: &dyn Fn(&str) -> bool) -> Vec<usize>;
    /// The first `limit` bytes of an entry; empty when it cannot be read.
    fn bytes(&mut self, index: usize, limit: u64) -> Vec<u8>;
}

impl<R: Read + Seek> ClassSource for Archive<R> {
    fn entries(&self, accept: &dyn Fn(&str) -> bool) -> Vec<usize> {
        self.select(accept)
    }

    fn bytes(&mut self, index: usize, limit: u64) -> Vec<u8> {
        self.head(index, limit).unwrap_or_default()
    }
}

/// Checks whether the directory of entries fits into memory, by reading it one entry at a time.
fn check_directory(from: &mut (impl Read + Seek)) -> Result<(), ZipError> {
    let mut directory = ZipIterable::try_new(from, Default::default())?;
    if directory.len() > MOST_ENTRIES {
        return Err(too_large(format!(
            "more than {MOST_ENTRIES} entries, {} are declared",
            directory.len()
        )));
    }
    let mut names = 0;
    for entry in directory.files()? {
        names += entry?.name_raw().len();
        if names > NAMES_LIMIT {
            return Err(too_large(format!(
                "names of more than {} MiB",
                NAMES_LIMIT >> 20
            )));
        }
    }
    Ok(())
}

fn too_large(why: String) -> ZipError {
    ZipError::Io(io::Error::new(io::ErrorKind::FileTooLarge, why))
}

fn explain(path: &Path, error: ZipError) -> ArtifactError {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => {
            ArtifactError::Encrypted(path.to_owned())
        }
        ZipError::Io(source) if source.kind() == io::ErrorKind::PermissionDenied => {
            ArtifactError::io(path, source)
        }
        other => ArtifactError::Corrupt {
            path: path.to_owned(),
            why: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    /// A zip of a few hundred bytes (the rest is holes) that says it has as many entries
    /// (APPNOTE.TXT of PKWARE, 4.3.12 to 4.3.16).
    fn declaring(entries: u64) -> File {
        let mut file = tempfile::tempfile().unwrap();
        // The library believes what the length of the file could hold, and holes are cheap.
        let start = entries + 1;
        file.seek(io::SeekFrom::Start(start)).unwrap();
        let mut end = b"PK\x01\x02".to_vec();
        end.extend([0; 42]);
        file.write_all(&end).unwrap();
        let zip64 = start + entries * 46;
        file.seek(io::SeekFrom::Start(zip64)).unwrap();
        end.clear();
        end.extend(b"PK\x06\x06");
        end.extend(44_u64.to_le_bytes());
        end.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        for number in [entries, entries, entries * 46, start] {
            end.extend(number.to_le_bytes());
        }
        end.extend(b"PK\x06\x07\0\0\0\0");
        end.extend(zip64.to_le_bytes());
        end.extend(1_u32.to_le_bytes());
        end.extend(b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
        file.write_all(&end).unwrap();
        file
    }

    #[test]
    fn nested_jars_are_inflated_up_to_a_bound_for_all_of_them() {
        use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};
        let zip = |method, entries: &[(String, Vec<u8>)]| {
            let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
            let options = SimpleFileOptions::default().compression_method(method);
            for (name, bytes) in entries {
                writer.start_file(name, options).unwrap();
                writer.write_all(bytes).unwrap();
            }
            writer.finish().unwrap().into_inner()
        };
        let zeros = [("a".to_owned(), vec![0; 1 << 20])];
        let library = zip(CompressionMethod::Stored, &zeros);
        let libraries = (0..9).map(|n| (format!("{n}.jar"), library.clone()));
        let jar = zip(CompressionMethod::Deflated, &libraries.collect::<Vec<_>>());
        assert!(jar.len() < 100 << 10);
        let mut jar = Archive::new(Path::new("a.jar"), Cursor::new(jar)).unwrap();
        let (mut left, mut visited) = (5 << 19, 0);
        for index in 0..9 {
            jar.nested(index, &mut left, &mut |_| visited += 1);
        }
        assert_eq!((visited, left), (2, 0));
    }

    #[test]
    fn a_jar_that_declares_entries_without_number_takes_no_memory() {
        const CHILD: &str = "TACHO_JAR_IN_LITTLE_MEMORY";
        if std::env::var_os(CHILD).is_some() {
            let Err(error) = Archive::new(Path::new("a.jar"), declaring(20_000_000)) else {
                panic!("20 million entries were taken");
            };
            assert!(error.to_string().contains("262144"), "{error}");
            return;
        }
        let child = std::process::Command::new("sh")
            .args(["-c", "ulimit -v 524288 && exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .arg("a_jar_that_declares_entries_without_number_takes_no_memory")
            .args(["--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
        assert!(
            child.status.success(),
            "within 512 MiB: {}: {said}",
            child.status
        );
        assert!(said.contains("1 passed"), "{said}");
    }
}
