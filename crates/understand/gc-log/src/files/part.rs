//! One text of a log: a file, or a member of an archive.

use flate2::bufread::DeflateDecoder;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use tacho_files::input;
use zip::{CompressionMethod, ZipArchive};

/// Files of a directory, and members of an archive, that are read: a rotation has no more.
const MOST: usize = 1_000;
/// Directories in each other that are looked into: a bundle for support has two or three.
const DEEPEST: usize = 4;
const ZIP: [u8; 4] = *b"PK\x03\x04";

/// One text of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    path: PathBuf,
    /// Its place and its name in the archive that the path is.
    member: Option<(usize, String)>,
}

impl Part {
    /// What a path holds.
    ///
    /// # Errors
    /// When it cannot be read, or holds too much.
    pub fn all_of(path: &Path) -> io::Result<Vec<Self>> {
        if !path.is_dir() {
            return Self::of_file(path);
        }
        let mut files = Vec::new();
        files_in(path, DEEPEST, &mut files)?;
        files.sort();
        let mut parts = Vec::new();
        for file in files {
            parts.extend(Self::of_file(&file)?);
        }
        Ok(parts)
    }

    fn of_file(path: &Path) -> io::Result<Vec<Self>> {
        let mut file = input::open(path)?;
        let mut begin = [0; ZIP.len()];
        let part = |member| Self {
            path: path.to_owned(),
            member,
        };
        if !read_begin(&mut file, &mut begin)? || begin != ZIP {
            return Ok(vec![part(None)]);
        }
        let mut archive = ZipArchive::new(input::open(path)?)?;
        bounded(archive.len())?;
        let mut members = Vec::new();
        for index in 0..archive.len() {
            let member = archive.by_index_raw(index)?;
            if member.is_file() {
                members.push(part(Some((index, member.name()?.into_owned()))));
            }
        }
        Ok(members)
    }

    /// Path of the file, or of the archive.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// As it is called in reports: `gc.log`, `logs.zip: gc.log.0`.
    #[must_use]
    pub fn name(&self) -> String {
        match &self.member {
            Some((_, member)) => format!("{}: {member}", self.path.display()),
            None => self.path.display().to_string(),
        }
    }

    /// The file's own name, without where it is.
    pub(super) fn file_name(&self) -> String {
        let member = self.member.as_ref().map(|(_, name)| Path::new(name));
        let path = member.unwrap_or(&self.path);
        path.file_name()
            .map(|name| name.to_string_lossy().into_owned())
            .unwrap_or_default()
    }

    /// Its bytes.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Read>> {
        let file = input::open(&self.path)?;
        match self.member {
            Some((index, _)) => member(file, index),
            None => Ok(Box::new(file)),
        }
    }
}

/// The bytes of a member, as a stream that owns its file.
fn member(file: File, index: usize) -> io::Result<Box<dyn Read>> {
    let mut archive = ZipArchive::new(file)?;
    let (begin, length, method) = {
        let member = archive.by_index_raw(index)?;
        if member.encrypted() {
            return Err(io::Error::other("its members are encrypted"));
        }
        let begin = member
            .data_start()
            .ok_or_else(|| io::Error::other("a member has no data"))?;
        (begin, member.compressed_size(), member.compression())
    };
    let mut file = archive.into_inner();
    file.seek(SeekFrom::Start(begin))?;
    let packed = file.take(length);
    match method {
        CompressionMethod::Stored => Ok(Box::new(packed)),
        CompressionMethod::Deflated => Ok(Box::new(DeflateDecoder::new(BufReader::new(packed)))),
        other => Err(io::Error::other(format!(
            "a member is compressed by {other}, which is not read; unpack it first"
        ))),
    }
}

/// The regular files of a directory and of those in it; links are not followed.
fn files_in(directory: &Path, deep: usize, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_file() {
            found.push(entry.path());
            bounded(found.len())?;
        } else if kind.is_dir() && deep > 0 {
            files_in(&entry.path(), deep - 1, found)?;
        }
    }
    Ok(())
}

/// Whether the file is long enough to have its beginning read.
fn read_begin(file: &mut File, begin: &mut [u8]) -> io::Result<bool> {
    match file.read_exact(begin) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

fn bounded(count: usize) -> io::Result<()> {
    if count > MOST {
        return Err(io::Error::other(format!(
            "it holds {count} files, more than the {MOST} of any rotation"
        )));
    }
    Ok(())
}
