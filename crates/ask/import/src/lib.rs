//! Reads existing descriptions of requests into a [`tacho_workload::Workload`]: vegeta targets,
//! curl command lines, JMeter test plans, OpenAPI documents, HAR files, Postman collections, gRPC
//! calls. What is not understood is listed in [`Imported::notes`], never ignored. Input of any kind
//! and size may be refused with an error, but never crashes Tacho or fills the memory.
//!
//! ```
//! use tacho_import::{Format, read};
//! let imported = read(
//!     Format::Curl,
//!     b"curl -H 'Accept: text/plain' http://127.0.0.1:8080/ping",
//!     std::path::Path::new("."),
//! )?;
//! assert_eq!(imported.workload.scenarios[0].steps[0].path, "/ping");
//! # Ok::<(), tacho_import::ImportError>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod allowance;
mod basic;
mod connection_headers;
mod curl;
mod error;
mod file;
mod form;
mod format;
mod given;
mod grpc;
mod har;
mod imported;
mod jmx;
mod note;
mod openapi;
mod origin;
mod postman;
mod script;
mod template;
mod vegeta;

pub use error::ImportError;
pub use format::{Format, UnknownFormat};
pub use given::{Given, GivenError, Wanted, base_of};
pub use grpc::{
    GrpcCall, Messages, NoSchema, NotCalled, Schema, length_prefixed, read_call, read_grpc,
};
pub use har::{HarOptions, read_har};
pub use imported::{Connection, HttpVersion, Imported, LoadPlan};
pub use note::Note;
pub use openapi::{OpenApiOptions, read_openapi};
pub use origin::{Origin, Scheme, UrlError};
pub use postman::{Environment, PostmanOptions, read_postman};
pub use vegeta::{Target, TargetError, TargetProblem, TargetSyntax, Targets};

use std::path::Path;

/// More than any file of these kinds that people keep; beyond it, targets are streamed.
pub const MAX_INPUT_BYTES: usize = 64 << 20;

/// Reads an input. Relative paths in it start at `base_dir`, and the result contains `base_dir`. If
/// that is absolute, the workload can be used from any folder.
///
/// # Errors
/// When it cannot be read as what it is said to be, describes nothing to send, goes to several
/// origins, or is larger than [`MAX_INPUT_BYTES`].
pub fn read(format: Format, input: &[u8], base_dir: &Path) -> Result<Imported, ImportError> {
    match format {
        Format::Vegeta => vegeta::read(TargetSyntax::Text, input, base_dir),
        Format::VegetaJson => vegeta::read(TargetSyntax::Json, input, base_dir),
        Format::Curl => curl::read(input, base_dir),
        Format::Jmx => jmx::read(input, base_dir),
        Format::OpenApi => read_openapi(input, &OpenApiOptions::default()),
        Format::Har => read_har(input, base_dir, &HarOptions::default()),
        Format::Postman => read_postman(input, base_dir, &PostmanOptions::default()),
    }
}
