//! What a load run prints, draws and writes.
//!
//! ```text
//! PhaseRecords, phases.hlog, slowest.csv -> records   the seconds, read one at a time
//!                                        -> LoadRun   LoadReport with its distributions
//! LoadRun -> text, and json, csv, hlog, prometheus, junit, markdown, html: one module a format, in
//!            FORMATS
//! Live    -> live      what is seen while it goes on
//! ```
//! Nothing here is measured: everything comes from what the engine recorded, so that the outputs of
//! a run can be made again from its files. Quantiles are those of merged histograms, never
//! averages.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod assemble;
pub mod certificate;
pub mod check;
pub mod csv;
pub mod gatling;
pub mod hlog;
pub mod html;
pub mod json;
pub mod junit;
pub mod live;
pub mod markdown;
mod model;
pub mod prometheus;
pub mod records;
mod run;
pub mod schema;
pub mod text;
pub mod warm;

pub use check::Check;
pub use tacho_report::Exporter;

pub use live::{
    Collector, LiveView, NoCollector, Pace, PhaseView, Pushed, Pushes, Scraped, SearchView, Surface,
};

pub use model::{
    Certificate, CheckReport, Evidence, FORMAT, KindReport, LoadReport, OutcomeCount, PhaseReport,
    Search, SearchTry, SlowRequest, WorkerLag,
};
pub use run::{LoadRun, Phase, Run};

use std::io;
use std::path::{Path, PathBuf};

/// A load run that is over, with the files that the engine wrote.
pub struct LoadResult {
    /// What came of it.
    pub run: LoadRun,
    /// A histogram for each second.
    pub histograms: PathBuf,
    /// The wall clock of its beginning, RFC 3339.
    pub started_at: String,
}

/// A format of a load run.
pub type Format = Exporter<LoadResult, LoadReportError>;

/// What a load run is handed on in, in the order of the options.
pub const FORMATS: [Format; 8] = [
    json::JSON,
    csv::CSV,
    hlog::HLOG,
    prometheus::PROMETHEUS,
    junit::JUNIT,
    gatling::GATLING,
    markdown::MARKDOWN,
    html::HTML,
];

/// Why the outputs of a load run could not be made.
#[derive(Debug, thiserror::Error)]
pub enum LoadReportError {
    /// A file that the engine wrote cannot be read.
    #[error(
        "cannot read {path}: {source}; the run's files are needed to report it, keep them until it is done"
    )]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Why the system could not read it.
        source: io::Error,
    },
    /// A file of rows holds something else.
    #[error("{path}: {source}")]
    Rows {
        /// Path of the file.
        path: PathBuf,
        /// Where and what.
        source: tacho_run_folder::RowError,
    },
    /// An output could not be written.
    #[error("cannot write the {format}: {source}; check that the place exists and has room")]
    Write {
        /// Name of the format: `CSV`, ...
        format: &'static str,
        /// Why the system refused.
        source: io::Error,
    },
    /// The page could not be made.
    #[error(transparent)]
    Page(#[from] tacho_report::RenderError),
    /// A value could not be written as JSON: a fault of Tacho, not of the run.
    #[error("the report could not be written as JSON: {0}; please report this")]
    Json(#[from] serde_json::Error),
}

impl LoadReportError {
    fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self {
        |source| Self::Read {
            path: path.to_owned(),
            source,
        }
    }
}
