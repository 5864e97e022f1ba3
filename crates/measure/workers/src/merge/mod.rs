//! What several workers recorded, added up.
//!
//! Histograms have one layout and are added bucket for bucket; no quantile is ever made of
//! quantiles. What each worker wrote stays in its own files as well.

mod log;
mod record;
mod rows;

pub use log::{LogTail, Sums, add_to_log};
pub use record::{Finished, merged};
pub use rows::{RowTail, add_slowest, merge_first};

use std::io;
use std::path::PathBuf;

/// What workers recorded cannot be put together.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// A file of a worker, or the common one.
    #[error("{path}: {source}; the files of the workers are kept where --out says")]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// A worker wrote rows that are none.
    #[error("{path}: {source}; please report this")]
    Rows {
        /// Path of the file.
        path: PathBuf,
        /// Where and what.
        source: tacho_run_folder::RowError,
    },
    /// The common log cannot be made.
    #[error(transparent)]
    Log(#[from] tacho_load::RecorderError),
}

impl MergeError {
    pub(crate) fn file(path: &std::path::Path) -> impl Fn(io::Error) -> Self {
        |source| Self::File {
            path: path.to_owned(),
            source,
        }
    }
}
