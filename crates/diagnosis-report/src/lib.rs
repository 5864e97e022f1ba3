//! What is printed, drawn and written of a diagnosis.
//!
//! ```text
//! DiagnosisReport --words--> the conclusion in a sentence
//!                 -> text, html, json: one module a format
//! Dissection --stacks--> flame (graphs of the page), export (collapsed, speedscope)
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod document;
pub mod export;
pub mod flame;
pub mod html;
mod stacks;
#[cfg(test)]
mod testkit;
pub mod text;
mod words;

pub use document::{Conclusion, Counterfactual, DiagnosisReport, Measured, schema};
pub use words::conclusion;
