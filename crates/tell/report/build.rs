//! Finds the built charts (`web/dist`), so that they become part of the program: the script is
//! compressed in it, to a third of its size.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-env-changed=TACHO_WEB_DIST");
    let dist = dist();
    let (script, style) = (dist.join("report.js"), dist.join("report.css"));
    match usable(&style).and_then(|_| compressed(&usable(&script)?)) {
        Ok(compressed) => {
            println!("cargo::rustc-env=TACHO_REPORT_JS={}", compressed.display());
            println!("cargo::rustc-env=TACHO_REPORT_CSS={}", style.display());
            ExitCode::SUCCESS
        }
        Err(message) => {
            println!("cargo::error={message}");
            ExitCode::FAILURE
        }
    }
}

/// The script by the side of what is compiled.
fn compressed(script: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(std::env::var_os("OUT_DIR").unwrap_or_default());
    let path = path.join("report.js.deflate");
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    let written = encoder
        .write_all(script.as_bytes())
        .and_then(|()| std::fs::write(&path, encoder.finish()?));
    written.map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
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

/// A file that is there and can stand inside a `<script>` or `<style>` element.
fn usable(path: &Path) -> Result<String, String> {
    println!("cargo::rerun-if-changed={}", path.display());
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
    Ok(text)
}
