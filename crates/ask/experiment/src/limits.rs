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
    let parts: Vec<String> = [cpu.map(|cpu| format!("{cpu}cpu")), memory_bytes.map(size)]
        .into_iter()
        .flatten()
        .collect();
    if parts.is_empty() {
        return "none".to_owned();
    }
    parts.join("-")
}

fn size(bytes: u64) -> String {
    const MIB: u64 = 1 << 20;
    const GIB: u64 = 1 << 30;
    match bytes {
        b if b % GIB == 0 => format!("{}GiB", b / GIB),
        b if b % MIB == 0 => format!("{}MiB", b / MIB),
        b if b % 1_000_000 == 0 => format!("{}MB", b / 1_000_000),
        b => format!("{b}B"),
    }
}
