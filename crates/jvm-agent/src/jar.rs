//! The agent's jar where a JVM can read it: one file for each version and user, so that a JVM that is looked into a thousand times has one entry
//! more on its class path and not a thousand.

use crate::error::AgentError;
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use tacho_attach::Jvm;

/// Built from `jvm/agent`.
const JAR: &[u8] = include_bytes!(env!("TACHO_AGENT_JAR"));

/// Puts the jar where the JVM sees it; gives its path as the JVM sees it.
pub fn install(jvm: &Jvm) -> Result<PathBuf, AgentError> {
    let inside = PathBuf::from(format!("/tmp/.tacho-agent-{}", jvm.user()));
    let outside = jvm.outside(&inside);
    make_folder(&outside, jvm)?;
    let name = format!("tacho-agent-{}.jar", &hash()[..16]);
    let file = outside.join(&name);
    if fs::read(&file).is_ok_and(|bytes| bytes == JAR) {
        return Ok(inside.join(name));
    }
    let half = outside.join(format!("{name}.{}", std::process::id()));
    fs::write(&half, JAR)
        .and_then(|()| give(&half, jvm))
        .and_then(|()| fs::rename(&half, &file))
        .map_err(AgentError::file(&file))?;
    Ok(inside.join(name))
}

/// A folder that is the JVM's user's alone.
pub fn make_folder(path: &Path, jvm: &Jvm) -> Result<(), AgentError> {
    match fs::DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => give(path, jvm).map_err(AgentError::file(path)),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => match is_trusted(path, jvm.user()) {
            true => Ok(()),
            false => Err(AgentError::Untrusted {
                path: path.to_owned(),
                user: jvm.user(),
            }),
        },
        Err(e) => Err(AgentError::file(path)(e)),
    }
}

fn is_trusted(path: &Path, user: u32) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| {
        metadata.is_dir()
            && metadata.uid() == user
            && metadata.permissions().mode() & 0o7777 == 0o700
    })
}

/// What root makes for the JVM of another user is that user's.
pub fn give(path: &Path, jvm: &Jvm) -> io::Result<()> {
    match fs::symlink_metadata(path)?.uid() == jvm.user() {
        true => Ok(()),
        false => chown(path, Some(jvm.user()), Some(jvm.group())),
    }
}

fn hash() -> String {
    Sha256::digest(JAR)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
