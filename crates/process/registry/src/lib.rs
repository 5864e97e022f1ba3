//! Images on their way to a registry (OCI Distribution Specification 1.1).
//!
//! ```text
//! name         what an image is called there: registry/repository:tag
//! credentials  by whose right, as Docker and Podman keep it
//! trust        who may have issued its certificate, as they keep it
//! push         each part that is not there yet, and the manifest last
//! patience     how long it is waited for
//! error        why not, and what to do
//! ```
//! The registry protocol is spoken by [oci-client](https://docs.rs/oci-client), the usual Rust
//! client. It is asynchronous, which stays inside this crate.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod credentials;
mod error;
mod name;
mod patience;
mod push;
mod trust;

pub use error::RegistryError;
pub use name::Name;
pub use push::{Pushed, push};
