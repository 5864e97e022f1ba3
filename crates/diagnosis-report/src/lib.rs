//! What is printed, drawn and written of a diagnosis.
//!
//! ```text
//! DiagnosisReport --words--> the conclusion in a sentence
//!                 -> text, json: one module a format
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod document;
pub mod text;
mod words;

pub use document::{Conclusion, Counterfactual, DiagnosisReport, Measured, schema};
pub use words::conclusion;
