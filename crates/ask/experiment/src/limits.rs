//! Names for sets of limits.

use tacho_run_folder::Limits;

/// No limits at all.
#[must_use]
pub fn none() -> Limits {
    Limits {
        name: name(None, None),
        cpu: None,
        memory_bytes: None,
    }
}

/// `1cpu-256MiB`, `0.25cpu`, `none`.
#[must_use]
pub fn name(cpu: Option<f64>, memory_bytes: Option<u64>) -> String {
    let parts: Vec<String> = [
        cpu.map(|cpu| format!("{cpu}cpu")),
        memory_bytes.map(|bytes| tacho_quantity::Bytes(bytes).to_string()),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return "none".to_owned();
    }
    parts.join("-")
}
