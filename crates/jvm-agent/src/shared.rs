//! Files that a JVM and we both see, wherever it runs: in a container, or as another user.

use crate::error::AgentError;
use std::fs;
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use tacho_attach::Jvm;

/// They separate words of a diagnostic command, or options of an agent.
const SEPARATORS: [char; 5] = [',', ' ', '"', '\'', '\n'];

/// A folder of mode 0700 that is the JVM's user's; removed with all that is in it when dropped.
#[derive(Debug)]
pub struct SharedFolder {
    outside: PathBuf,
    inside: PathBuf,
}

impl SharedFolder {
    /// Makes one, below `folder` where the JVM can see that, else below its `/tmp`. What lay under the name is removed.
    ///
    /// # Errors
    /// When it cannot be made, or others could write to it.
    pub fn make(jvm: &Jvm, folder: &Path, name: &str) -> Result<Self, AgentError> {
        // Another user, or a container, may not be let into our folders.
        let own = jvm.shares_files() && jvm.user() == rustix::process::geteuid().as_raw();
        let plain = |path: &Path| path.to_str().is_some_and(|path| !path.contains(SEPARATORS));
        let inside = match folder.canonicalize() {
            Ok(folder) if own && plain(&folder) => folder.join(name),
            _ => Path::new("/tmp").join(name),
        };
        let outside = jvm.outside(&inside);
        // What a Tacho of the same number has left: it has ended.
        if fs::symlink_metadata(&outside).is_ok() {
            let _ = fs::remove_dir_all(&outside);
        }
        make_folder(&outside, jvm)?;
        Ok(Self { outside, inside })
    }

    /// A file in it, as the JVM names it.
    #[must_use]
    pub fn inside(&self, name: &str) -> PathBuf {
        self.inside.join(name)
    }

    /// The same, as we do.
    #[must_use]
    pub fn outside(&self, name: &str) -> PathBuf {
        self.outside.join(name)
    }

    /// The folder, as the JVM names it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.inside
    }

    /// Writes a file that the JVM may read.
    ///
    /// # Errors
    /// When there is no room.
    pub fn write(&self, name: &str, content: &[u8], jvm: &Jvm) -> Result<(), AgentError> {
        let file = self.outside(name);
        fs::write(&file, content)
            .and_then(|()| give(&file, jvm))
            .map_err(AgentError::file(&file))
    }
}

impl Drop for SharedFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.outside);
    }
}

/// Puts a file where the JVM sees it, to stay: one for all sessions. Gives its path as the JVM sees it.
///
/// # Errors
/// When it cannot be written, or others could change it.
pub fn place(jvm: &Jvm, name: &str, content: &[u8]) -> Result<PathBuf, AgentError> {
    let inside = PathBuf::from(format!("/tmp/.tacho-agent-{}", jvm.user()));
    let outside = jvm.outside(&inside);
    make_folder(&outside, jvm)?;
    let file = outside.join(name);
    if fs::read(&file).is_ok_and(|bytes| bytes == content) {
        return Ok(inside.join(name));
    }
    let half = outside.join(format!("{name}.{}", std::process::id()));
    fs::write(&half, content)
        .and_then(|()| give(&half, jvm))
        .and_then(|()| fs::rename(&half, &file))
        .map_err(AgentError::file(&file))?;
    Ok(inside.join(name))
}

/// A folder that is the JVM's user's alone.
fn make_folder(path: &Path, jvm: &Jvm) -> Result<(), AgentError> {
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
