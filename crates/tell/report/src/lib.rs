//! The reports of a run, made from the run folder alone.
//!
//! One module a format: [`terminal`], [`html`], [`markdown`], [`json`], [`junit`], [`csv`],
//! [`schema`]. Those that are a file for others are in [`FORMATS`].
//! All of them show the same [`overview`], in the same [`words`] and numbers of `tacho-figures`;
//! none of them computes a statistic: that is the analysis's part. (Hyperfine's form has a mean.)
//!
//! [`series`] reads the recorded histograms and samples and thins them out for the charts.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod csv;
mod exporter;
pub mod html;
pub mod hyperfine;
pub mod jmh;
pub mod json;
pub mod junit;
pub mod markdown;
pub mod overview;
pub mod schema;
pub mod series;
pub mod terminal;
pub mod words;

pub use exporter::Exporter;
pub use html::RenderError;

use tacho_run_folder::{Results, RunData};

/// A run and what the analysis says of it.
pub struct Analysed {
    /// What was measured.
    pub run: RunData,
    /// What it says.
    pub results: Results,
}

/// A format of a run.
pub type Format = Exporter<Analysed, ReportError>;

/// What a run is handed on in, in the order of the options.
pub const FORMATS: [Format; 6] = [
    junit::JUNIT,
    markdown::MARKDOWN,
    csv::CSV,
    hyperfine::HYPERFINE,
    jmh::JMH,
    json::JSON,
];

/// Why a report could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The run folder could not be read or written.
    #[error(transparent)]
    Folder(#[from] tacho_run_folder::FolderError),
    /// The page could not be made.
    #[error(transparent)]
    Page(#[from] RenderError),
    /// A value could not be written as JSON: a fault of Tacho, not of the run.
    #[error(
        "the results could not be written as JSON: {0}; please report this with the run folder"
    )]
    Json(#[from] serde_json::Error),
    /// A value could not be written as CSV: a fault of Tacho, not of the run.
    #[error("the results could not be written as CSV: {0}; please report this with the run folder")]
    Csv(#[from] ::csv::Error),
}
