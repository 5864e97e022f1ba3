//! What is printed, drawn and written of a diagnosis.
//!
//! ```text
//! DiagnosisReport --words--> the conclusion in a sentence
//!                 -> text, html, json, sarif: one module a format
//!                 -> stored: of two runs that were carried out apart
//! Dissection --trace--> the tree of methods and what they call, in both builds
//!            --stacks--> flame (graphs of the page), export (collapsed, speedscope, pprof)
//! Calls -> instruments: text and JSON of `tacho exceptions`, `classes`, `trace`, `watch`
//! ProfileReport -> profile: text and page of `tacho profile`
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod changes;
pub mod counts;
mod document;
pub mod export;
pub mod flame;
pub mod html;
pub mod instruments;
mod pprof;
pub mod profile;
mod remote;
pub mod sarif;
mod stacks;
mod stored;
#[cfg(test)]
mod testkit;
pub mod text;
pub mod trace;
mod words;

pub use changes::change;
pub use document::{DiagnosisReport, ExportedFile, StoredRun, StoredRuns, schema};
pub use tacho_diagnosis::{Conclusion, Counterfactual, Measured};
pub use words::conclusion;
