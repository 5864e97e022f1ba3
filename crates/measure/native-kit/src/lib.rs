//! Installs the native kit: the files of the folder `native-kit/` travel inside the program, are
//! unpacked into a temporary folder, and their own installer does the work. What it installs needs
//! no Tacho.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod embedded;
mod error;
mod follow;
mod install;

pub use error::NativeKitError;
pub use install::{Installation, Installed, install};
