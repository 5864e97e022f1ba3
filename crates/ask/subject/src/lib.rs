//! The subject: what the artifact is, which JDKs this machine has, and the variants, that is, the
//! ways to ship it, with how each is made and which command starts it. No measured process is
//! started here; a [`Workshop`] runs build tools and training launches.
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod artifact;
mod changes;
mod defaults;
mod host;
mod image_builder;
mod inlined;
mod jdk;
mod putting_back;
mod settings;
mod shell;
mod sizes;
mod source;
mod sum;
mod variant;

pub use artifact::*;
pub use changes::changes;
pub use defaults::{Applicable, LeftOut, applicable};
pub use host::{Host, Surroundings};
pub use image_builder::ImageBuilder;
pub use inlined::{CallSites, call_sites};
#[doc(hidden)]
pub use jdk::read_release;
pub use jdk::{Jdk, JdkError, Jdks};
pub use putting_back::{Part, PutBackError, parts, with_put_back};
#[doc(hidden)]
pub use putting_back::{put_all_back, read_links};
pub use settings::settings_of;
pub use sizes::bytes_of;
pub use source::{Inferred, Source, SourceError};
pub use variant::*;
