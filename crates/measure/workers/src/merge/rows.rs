//! Single requests of all workers: the slowest of each phase, and the first ones.

use super::MergeError;
use std::cmp::Reverse;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use tacho_load::recorder::SLOWEST_REQUESTS;
use tacho_run_folder::RequestRow;

/// The rows that a worker has written since they were last read.
#[derive(Debug)]
pub struct RowTail {
    path: PathBuf,
    seen: usize,
}

impl RowTail {
    /// Nothing is read yet; the file need not be there.
    pub fn of(path: PathBuf) -> Self {
        Self { path, seen: 0 }
    }

    /// Those that came.
    pub fn read_on(&mut self) -> Result<Vec<RequestRow>, MergeError> {
        let mut rows = read(&self.path)?;
        let new = rows.split_off(self.seen.min(rows.len()));
        self.seen += new.len();
        Ok(new)
    }
}

/// Adds the slowest of a phase to the common file. Each worker has its part of the hundred slowest
/// within its own hundred, so that these are exact.
pub fn add_slowest(
    mut rows: Vec<RequestRow>,
    is_first: bool,
    path: &Path,
    to: &mut File,
) -> Result<(), MergeError> {
    rows.sort_by_key(|row| Reverse(row.end_ns.saturating_sub(row.intended_ns)));
    rows.truncate(SLOWEST_REQUESTS);
    let text = text_of(&rows, is_first, path)?;
    to.write_all(&text).map_err(MergeError::file(path))
}

/// Writes the common file of the first requests, at most `most` of them. `workers` gives each
/// worker's file and the number of the phase in which it was lost. Only rows of earlier phases
/// count.
pub fn merge_first(workers: &[(PathBuf, u32)], most: usize, to: &Path) -> Result<(), MergeError> {
    // Of one that was there to the end it is what that one has written, however long.
    if let [(path, u32::MAX)] = workers {
        return std::fs::copy(path, to)
            .map(drop)
            .map_err(MergeError::file(path));
    }
    let mut rows = Vec::new();
    for (path, below) in workers {
        rows.extend(read(path)?.into_iter().filter(|row| row.phase < *below));
    }
    rows.sort_by_key(|row| row.end_ns);
    rows.truncate(most);
    let text = text_of(&rows, true, to)?;
    tacho_files::replace(to, &text).map_err(MergeError::file(to))
}

fn read(path: &Path) -> Result<Vec<RequestRow>, MergeError> {
    let bytes = tacho_files::read(path).map_err(MergeError::file(path))?;
    RequestRow::read(&bytes[..]).map_err(|source| MergeError::Rows {
        path: path.to_owned(),
        source,
    })
}

fn text_of(rows: &[RequestRow], with_head: bool, path: &Path) -> Result<Vec<u8>, MergeError> {
    let mut text = match with_head {
        true => format!("{}\n", RequestRow::HEADER).into_bytes(),
        false => Vec::new(),
    };
    rows.iter()
        .try_for_each(|row| row.write(&mut text))
        .map_err(MergeError::file(path))?;
    Ok(text)
}
