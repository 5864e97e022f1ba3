//! What is printed, drawn and written of a garbage collection log.
//!
//! ```text
//! GcSummary --words--> sentence, what stands out
//!           -> text, html, json: one module a format; two logs beside each other: two
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod charts;
pub mod html;
pub mod json;
pub mod schema;
pub mod text;
pub mod two;
pub mod words;
