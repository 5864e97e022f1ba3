//! An OCI image as a file, made without a container engine.
//!
//! The same files give the same bytes, on any machine and at any time. Names are sorted; owner,
//! permissions and time do not come from the files; JSON has its keys in order. So the digest of an
//! image identifies its content. Formats: <https://github.com/opencontainers/image-spec>.
//!
//! A [`Tree`] says which file lies where, [`Layer::write`] packs it, [`Image::of`] makes an image
//! of layers, and [`layout::write`] writes it into one tar. A [`Base`] is read from such a tar, or
//! from a folder of the same form. It comes from outside, so its size is bounded, and only what
//! matches its digests is trusted.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod base;
mod blob;
mod entry;
mod error;
mod image;
mod layer;
pub mod layout;
mod path;
mod tree;
mod unpack;

pub use base::Base;
pub use blob::Blob;
pub use error::OciError;
pub use image::{Image, Platform, Process};
pub use layer::{Layer, SourceDate};
pub use oci_spec::image::{Arch, Digest};
pub use path::{ImagePath, PathProblem};
pub use tree::{Content, Kept, Links, Node, Tree};
