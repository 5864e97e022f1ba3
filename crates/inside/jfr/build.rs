//! Finds the reader's jar (`jvm/jfr-reader/target`), so that it becomes part of the program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TACHO_JFR_READER");
    let jar = jar();
    println!("cargo::rerun-if-changed={}", jar.display());
    match std::fs::read(&jar) {
        Ok(bytes) if bytes.starts_with(b"PK") => {
            println!("cargo::rustc-env=TACHO_JFR_READER_JAR={}", jar.display());
            ExitCode::SUCCESS
        }
        found => {
            let why = found.map_or_else(|e| e.to_string(), |_| "it is no jar".to_owned());
            println!(
                "cargo::error=the reader of recordings is not built yet: {} ({why}). Run `make agent` first, or set TACHO_JFR_READER to its jar",
                jar.display()
            );
            ExitCode::FAILURE
        }
    }
}

/// The jar of this repository, or what `TACHO_JFR_READER` says.
fn jar() -> PathBuf {
    std::env::var_os("TACHO_JFR_READER").map_or_else(
        || {
            // Of this run, not of the compilation: one target folder may serve several clones.
            let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
            Path::new(&here).join("../../../jvm/jfr-reader/target/tacho-jfr-reader.jar")
        },
        PathBuf::from,
    )
}
