//! Which jars a start script launches. Its text is read; nothing is run.

use super::{Artifact, ArtifactKind};
use std::io::Read;
use std::path::{Path, PathBuf};

/// A longer script is not read.
const LIMIT: u64 = 1 << 20;

impl Artifact {
    /// The text of a script; `None` of a program, a jar, and what is no text.
    #[must_use]
    pub fn script(&self) -> Option<String> {
        if self.kind != ArtifactKind::Executable {
            return None;
        }
        let mut bytes = Vec::new();
        let file = tacho_files::input::open(&self.file).ok()?;
        file.take(LIMIT + 1).read_to_end(&mut bytes).ok()?;
        let text = String::from_utf8(bytes).ok()?;
        (text.starts_with("#!") && text.len() as u64 <= LIMIT && !text.contains('\0'))
            .then_some(text)
    }

    /// The jars that are launched: itself, or those that its script names and that exist.
    #[must_use]
    pub fn jars(&self) -> Vec<PathBuf> {
        match self.kind {
            ArtifactKind::Jar | ArtifactKind::War => vec![self.file.clone()],
            ArtifactKind::Executable => {
                let folder = self.file.parent().unwrap_or(Path::new("."));
                self.script()
                    .map_or_else(Vec::new, |text| named(&text, folder))
            }
        }
    }
}

/// The words that end in `.jar`. The beginning of such a word may be a variable or a command, so
/// the longest ending that names an existing file is used.
fn named(text: &str, folder: &Path) -> Vec<PathBuf> {
    let is_between = |c: char| c.is_whitespace() || "\"'=:;,<>|&()".contains(c);
    let words = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'));
    let words = words.flat_map(|line| line.split(is_between));
    let mut jars = Vec::new();
    for word in words.filter(|word| word.ends_with(".jar")) {
        let absolute = Path::new(word);
        let parts: Vec<&str> = word.split('/').collect();
        let ends = (0..parts.len()).map(|from| folder.join(parts[from..].join("/")));
        let found = match absolute.is_absolute() && absolute.is_file() {
            true => Some(absolute.to_owned()),
            false => ends.into_iter().find(|path| path.is_file()),
        };
        if let Some(found) = found.filter(|found| !jars.contains(found)) {
            jars.push(found);
        }
    }
    jars
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_names_the_jar_that_it_launches() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("target");
        std::fs::create_dir(&target).unwrap();
        std::fs::write(target.join("shop.jar"), "").unwrap();
        let jar = target.join("shop.jar");
        for script in [
            "exec java -jar target/shop.jar",
            "cd \"$(dirname \"$0\")\"\nexec java $OPTS -jar ./target/shop.jar \"$@\"",
            "JAR=${HERE}/target/shop.jar\nexec \"$JAVA_HOME/bin/java\" -jar \"$JAR\"",
            "exec java -cp \"$(dirname \"$0\")/target/shop.jar:lib/none.jar\" com.acme.Main",
        ] {
            let found = named(script, folder.path());
            assert_eq!(found, std::slice::from_ref(&jar), "{script}");
        }
        assert!(named("# java -jar target/shop.jar", folder.path()).is_empty());
    }
}
