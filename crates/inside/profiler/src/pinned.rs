//! The checksums of known libraries.

use sha2::{Digest, Sha256};
use std::fmt::Write;

/// SHA-256 of `libasyncProfiler.so` in `tools.profiler:async-profiler`, by version and the
/// architecture in the entry's name. A new version is entered here, from the jar that Maven fetched
/// and whose sum is that of the project's release.
const SUMS: [(&str, &str, &str); 2] = [
    (
        "4.5",
        "x64",
        "3c03ce90c8c34332480d14cb0a5b9eb380c0dbc0da915486b3348bcfaf026d61",
    ),
    (
        "4.5",
        "arm64",
        "387d881ea5569ac0d138e024144efecfed8b760031b156404a16fc5ee782c4b1",
    ),
];

/// The pinned sum of a version for this machine; `None` if Tacho does not know the version.
pub(crate) fn sum_of(version: &str) -> Option<&'static str> {
    SUMS.iter()
        .find(|(known, architecture, _)| *known == version && *architecture == here())
        .map(|(_, _, sum)| *sum)
}

/// As the entries of the jar name it.
pub(crate) fn here() -> &'static str {
    match std::env::consts::ARCH {
        "aarch64" => "arm64",
        _ => "x64",
    }
}

/// In hexadecimal digits.
pub(crate) fn sum(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .fold(String::new(), |mut text, byte| {
            // Writing into a text does not fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::VERSION;

    #[test]
    fn the_version_that_is_installed_is_known_for_both_architectures() {
        for architecture in ["x64", "arm64"] {
            let known =
                |(version, of, _): &(&str, &str, &str)| *version == VERSION && *of == architecture;
            assert!(SUMS.iter().any(known), "{architecture}");
        }
        assert!(SUMS.iter().all(|(_, _, sum)| sum.len() == 64));
    }

    #[test]
    fn the_sum_is_that_of_fips_180_4() {
        assert_eq!(
            sum(b"abc"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }
}
