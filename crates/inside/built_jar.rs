//! Finds a jar that `jvm/` has built, so that it becomes part of the program: what the build
//! scripts of the crates share that carry one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A jar, and how the crate asks for it.
pub struct Jar {
    /// For people: `the agent`.
    pub what: &'static str,
    /// Below `jvm/` of this repository.
    pub place: &'static str,
    /// The variable that names another one.
    pub instead: &'static str,
    /// The variable by which the crate includes it.
    pub known_as: &'static str,
}

impl Jar {
    /// Tells cargo where it is, or what to do.
    pub fn find(&self) -> ExitCode {
        println!("cargo::rerun-if-env-changed={}", self.instead);
        let jar = self.path();
        println!("cargo::rerun-if-changed={}", jar.display());
        match std::fs::read(&jar) {
            Ok(bytes) if bytes.starts_with(b"PK") => {
                println!("cargo::rustc-env={}={}", self.known_as, jar.display());
                ExitCode::SUCCESS
            }
            found => {
                let why = found.map_or_else(|e| e.to_string(), |_| "it is no jar".to_owned());
                println!(
                    "cargo::error={} is not built yet: {} ({why}). Run `make agent` first, or set {} to its jar",
                    self.what,
                    jar.display(),
                    self.instead
                );
                ExitCode::FAILURE
            }
        }
    }

    fn path(&self) -> PathBuf {
        std::env::var_os(self.instead).map_or_else(
            || {
                // Of this run, not of the compilation: one target folder may serve several clones.
                let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
                Path::new(&here).join("../../../jvm").join(self.place)
            },
            PathBuf::from,
        )
    }
}
