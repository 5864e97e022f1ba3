//! Where JDKs are found.

use crate::Host;
use std::path::{Path, PathBuf};

/// Where version managers keep them, below the home: asdf, mise, jenv, jabba, and Gradle's
/// toolchains. What they put on the PATH is a script or their own program, which does not lead to a
/// JDK.
const MANAGED: [&str; 5] = [
    ".asdf/installs/java",
    ".local/share/mise/installs/java",
    ".jenv/versions",
    ".jabba/jdk",
    ".gradle/jdks",
];

/// Folders that may be JDKs, those that the user chose first. They may be links to each other.
pub(super) fn places(host: &Host) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = host.java_home.iter().cloned().collect();
    places.extend(host.graalvm_home.iter().cloned());
    places.extend(on_the_path(host));
    places.extend(folders_in(&host.sdkman.join("candidates/java")));
    places.extend(folders_in(&host.home.join(".jdks")));
    for managed in MANAGED {
        places.extend(folders_in(&host.home.join(managed)));
    }
    for folder in &host.jdk_folders {
        places.extend(folders_in(folder));
    }
    places.retain(|home| !is_native_kit(home));
    places
}

/// Whether this is a native kit. Its JDK is a copy of another one on this machine, for the builder
/// to run on.
fn is_native_kit(home: &Path) -> bool {
    let release = std::fs::read_to_string(home.join("release"));
    release.is_ok_and(|text| text.contains("NATIVE_IMAGE_ASSEMBLED_BY="))
}

/// `/usr/bin/java` is a chain of links to `<JDK>/bin/java`.
fn on_the_path(host: &Host) -> Option<PathBuf> {
    let java = host.program("java")?.canonicalize().ok()?;
    Some(java.parent()?.parent()?.to_owned())
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries.map(|e| e.path()).filter(|p| p.is_dir()).collect();
    folders.sort();
    folders
}
