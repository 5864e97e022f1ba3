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
