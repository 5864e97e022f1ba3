//! Images on their way to the node: by a command of the user's, since each cluster has a way of its
//! own (`cluster-box/box load`, `ctr -n k8s.io images import`, `kind load image-archive`,
//! `minikube image load`).

use crate::error::NotThere;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tacho_oci::{Image, layout};

/// What is kept of what the command says.
const LAST: usize = 600;

/// The command, to which the name of a file is added.
#[derive(Debug, Clone)]
pub struct Ship {
    words: Vec<String>,
}

impl Ship {
    /// From one line; words are parted by blanks, and quotes mean nothing. `None` when it is empty.
    #[must_use]
    pub fn of(line: &str) -> Option<Self> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self { words })
    }

    /// Writes an image into a file, hands that over, and removes it.
    pub(crate) fn hand_over(
        &self,
        variant: &str,
        image: &Image,
        name: &str,
    ) -> Result<(), NotThere> {
        let folder = tempfile::tempdir().map_err(|source| NotThere::Write {
            path: std::env::temp_dir(),
            source,
        })?;
        let path = folder.path().join("image.tar");
        write(variant, image, name, &path)?;
        let not_shipped = |how: String, said: String| NotThere::NotShipped {
            command: self.words.join(" "),
            variant: variant.to_owned(),
            how,
            said,
        };
        let (program, words) = self.words.split_at(1);
        let program = program.first().cloned().unwrap_or_default();
        let done = Command::new(program)
            .args(words)
            .arg(&path)
            .stdin(Stdio::null())
            .output()
            .map_err(|error| not_shipped("not started".to_owned(), error.to_string()))?;
        match done.status.success() {
            true => Ok(()),
            false => {
                let said = [done.stdout, done.stderr].concat();
                Err(not_shipped(done.status.to_string(), last(&said)))
            }
        }
    }
}

fn write(variant: &str, image: &Image, name: &str, path: &Path) -> Result<(), NotThere> {
    let failed = |source| NotThere::Write {
        path: path.to_owned(),
        source,
    };
    let mut out = BufWriter::new(File::create(path).map_err(failed)?);
    layout::write(image, Some(name), &mut out).map_err(|source| NotThere::Image {
        variant: variant.to_owned(),
        source,
    })?;
    out.flush().map_err(failed)
}

/// The end of what a program says, for a terminal.
fn last(said: &[u8]) -> String {
    let text = String::from_utf8_lossy(said);
    let plain: Vec<char> = text
        .trim()
        .chars()
        .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
        .collect();
    plain
        .iter()
        .skip(plain.len().saturating_sub(LAST))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_words() {
        let ship = Ship::of(" ctr -n k8s.io  images import ").unwrap();
        assert_eq!(ship.words, ["ctr", "-n", "k8s.io", "images", "import"]);
        assert!(Ship::of("  ").is_none());
    }

    #[test]
    fn what_a_program_says_moves_no_cursor_and_has_an_end() {
        assert_eq!(last(b"a\x1b[2Jb\nc\n"), "a [2Jb\nc");
        assert_eq!(last(&[b'x'; 2000]).len(), LAST);
    }
}
