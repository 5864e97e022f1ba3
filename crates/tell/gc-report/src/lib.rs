//! What is printed, drawn and written of a garbage collection log.
//!
//! ```text
//! GcSummary --words--> sentence, what stands out
//!           -> text, html, json: one module a format
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod html;
pub mod json;
pub mod schema;
pub mod text;
pub mod words;

/// Why a report of a garbage collection log could not be made.
#[derive(Debug, thiserror::Error)]
pub enum GcReportError {
    /// A value could not be written as JSON: a fault of Tacho, not of the log.
    #[error("the summary could not be written as JSON: {0}; please report this")]
    Json(#[from] serde_json::Error),
    /// The page's template failed: a fault of Tacho, not of the log.
    #[error("the page could not be made: {0}; please report this")]
    Template(#[from] minijinja::Error),
}
