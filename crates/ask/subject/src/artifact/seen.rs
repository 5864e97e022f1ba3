//! Whether a build is still the one that was launched.

use super::Artifact;
use super::jvm::jars_below;
use crate::sum::{add_all, hexadecimal};
use sha2::{Digest, Sha256};
use std::io;
use std::path::PathBuf;
use tacho_run_folder::ArtifactSeen;

impl Artifact {
    /// Its file as it is now, with the jars that it is launched with: those beside it, and those
    /// that a script names.
    ///
    /// # Errors
    /// When one of them cannot be read.
    pub fn seen(&self) -> io::Result<ArtifactSeen> {
        let mut sum = Sha256::new();
        add_all(&mut sum, tacho_files::input::open(&self.file)?)?;
        for jar in self.launched_with() {
            // Separates the files, so that moving a file from one jar into another changes the sum.
            sum.update([0]);
            add_all(&mut sum, tacho_files::input::open(&jar)?)?;
        }
        Ok(ArtifactSeen {
            path: self.file.display().to_string(),
            bytes: std::fs::metadata(&self.file)?.len(),
            sha256: hexadecimal(sum),
        })
    }

    fn launched_with(&self) -> Vec<PathBuf> {
        let beside = self.jvm.iter().flat_map(|jvm| &jvm.beside);
        let mut jars: Vec<PathBuf> = beside.flat_map(|beside| jars_below(beside)).collect();
        jars.extend(self.jars());
        jars.retain(|jar| *jar != self.file);
        jars.sort();
        jars.dedup();
        jars
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_script_is_another_when_a_jar_that_it_launches_is() {
        let lab = tempfile::tempdir().unwrap();
        let script = lab.path().join("start.sh");
        let text = "#!/bin/sh\nexec java -jar app.jar\n";
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
        let seen = || Artifact::read(&script).unwrap().seen().unwrap();
        std::fs::write(lab.path().join("app.jar"), "one").unwrap();
        let first = seen();
        assert_eq!(seen(), first);
        assert_eq!((first.bytes, first.sha256.len()), (text.len() as u64, 64));
        std::fs::write(lab.path().join("app.jar"), "two").unwrap();
        assert_ne!(seen().sha256, first.sha256);
    }
}
