//! A file that grows line by line.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tacho_run_folder::FolderError;

/// Samples are written to the file at least this often.
const FLUSH: Duration = Duration::from_secs(1);

/// The file, buffered.
pub(super) struct SeriesFile {
    path: PathBuf,
    file: BufWriter<File>,
    flushed: Instant,
}

impl SeriesFile {
    pub(super) fn create(path: &Path, header: &str) -> Result<Self, FolderError> {
        let failed = |e| FolderError::io(path, e);
        let mut file = BufWriter::new(tacho_files::create(path).map_err(failed)?);
        writeln!(file, "{header}")
            .and_then(|()| file.flush())
            .map_err(failed)?;
        Ok(Self {
            path: path.to_owned(),
            file,
            flushed: Instant::now(),
        })
    }

    pub(super) fn append(
        &mut self,
        line: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
    ) -> Result<(), FolderError> {
        line(&mut self.file).map_err(|e| FolderError::io(&self.path, e))?;
        if self.flushed.elapsed() + super::INTERVAL > FLUSH {
            self.flush()?;
        }
        Ok(())
    }

    pub(super) fn flush(&mut self) -> Result<(), FolderError> {
        self.flushed = Instant::now();
        self.file
            .flush()
            .map_err(|e| FolderError::io(&self.path, e))
    }
}
