//! Finds the built charts (`web/dist`), so that they become part of the program.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TACHO_WEB_DIST");
    let dist = dist();
    for (name, variable) in [
        ("report.js", "TACHO_REPORT_JS"),
        ("report.css", "TACHO_REPORT_CSS"),
    ] {
        let path = dist.join(name);
        println!("cargo::rerun-if-changed={}", path.display());
        if let Err(message) = usable(&path) {
            println!("cargo::error={message}");
            return ExitCode::FAILURE;
        }
        println!("cargo::rustc-env={variable}={}", path.display());
    }
    ExitCode::SUCCESS
}

/// `web/dist` of this repository, or what `TACHO_WEB_DIST` says.
fn dist() -> PathBuf {
    std::env::var_os("TACHO_WEB_DIST").map_or_else(
        || {
            // Of this run, not of the compilation: one target folder may serve several clones.
            let here = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
            Path::new(&here).join("../../../web/dist")
        },
        PathBuf::from,
    )
}

/// The file is there and can stand inside a `<script>` or `<style>` element.
fn usable(path: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(path).map_err(|e| {
        format!(
            "the report's charts are not built yet: {} ({e}). Run `make web` first, or set TACHO_WEB_DIST to a folder that holds report.js and report.css",
            path.display()
        )
    })?;
    let lower = text.to_ascii_lowercase();
    if lower.contains("</script") || lower.contains("</style") {
        return Err(format!(
            "{} holds a closing tag that would end its element in the page; build it with `make web`",
            path.display()
        ));
    }
    Ok(())
}
