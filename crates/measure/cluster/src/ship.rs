//! Images on their way to the node: by a registry, from which it pulls; or by a command, since each
//! cluster has a way of its own (`cluster-box/box load`, `ctr -n k8s.io images import`, `kind load
//! image-archive`, `minikube image load`). The user names one, or the context of the cluster does.

use crate::error::NotThere;
use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use tacho_cluster_api::{Access, ImageWay, RunLabel};
use tacho_oci::{Image, layout};
use tacho_registry::Name;
use tacho_runner::Stop;

/// What is kept of what the command says.
const LAST: usize = 600;

/// How an image gets to the node.
#[derive(Debug, Clone)]
pub enum Ship {
    /// By a command, to which the name of a file is added.
    Command(Loading),
    /// By a registry.
    Registry {
        /// The repository; each image has a tag of its own.
        repository: Name,
        /// It is asked without TLS.
        plain_http: bool,
    },
}

/// A command that hands an image to the node.
#[derive(Debug, Clone)]
pub struct Loading {
    words: Vec<String>,
}

impl Ship {
    /// By a command, from one line; words are parted by blanks, and quotes mean nothing. `None`
    /// when it is empty.
    #[must_use]
    pub fn of(line: &str) -> Option<Self> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self::Command(Loading { words }))
    }

    /// The way that the context of this cluster tells.
    ///
    /// # Errors
    ///
    /// It tells none, or the kubeconfig is not understood.
    pub fn told_by(access: &Access) -> Result<Self, NotThere> {
        let told = access.image_way()?;
        match told.way {
            Some(ImageWay::Command(words)) => Ok(Self::Command(Loading { words })),
            Some(ImageWay::Repository(repository)) => Ok(Self::Registry {
                repository: repository.parse()?,
                plain_http: false,
            }),
            None => Err(NotThere::NoImageWay {
                context: told.context,
            }),
        }
    }

    /// It is in the node then, and nothing is to be pulled.
    pub(crate) fn is_loaded(&self) -> bool {
        matches!(self, Self::Command(_))
    }

    /// Brings an image of a run where the node finds it. Gives the name by which it does.
    pub(crate) fn hand_over(
        &self,
        run: &RunLabel,
        variant: &str,
        image: &Image,
        stop: &Stop,
    ) -> Result<String, NotThere> {
        let tag = RunLabel::of(variant);
        match self {
            Self::Command(loading) => {
                let name = format!("localhost/tacho-{run}:{tag}");
                loading.hand_over(variant, image, &name)?;
                Ok(name)
            }
            Self::Registry {
                repository,
                plain_http,
            } => {
                // Both together are shorter than the 128 characters that a tag may have.
                let name = repository.tagged(&format!("{run}-{tag}"));
                let pushed = tacho_registry::push(&name, image, *plain_http, stop.flag())?;
                Ok(name.by_digest(&pushed.digest))
            }
        }
    }
}

impl fmt::Display for Ship {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Command(loading) => write!(f, "`{}`", loading.words.join(" ")),
            Self::Registry { repository, .. } => write!(f, "the registry, as {repository}"),
        }
    }
}

impl Loading {
    /// Writes an image into a file, hands that over, and removes it.
    fn hand_over(&self, variant: &str, image: &Image, name: &str) -> Result<(), NotThere> {
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
        let Some(Ship::Command(loading)) = Ship::of(" ctr -n k8s.io  images import ") else {
            panic!("a command is one");
        };
        assert_eq!(loading.words, ["ctr", "-n", "k8s.io", "images", "import"]);
        assert!(Ship::of("  ").is_none());
    }

    #[test]
    fn what_a_program_says_moves_no_cursor_and_has_an_end() {
        assert_eq!(last(b"a\x1b[2Jb\nc\n"), "a [2Jb\nc");
        assert_eq!(last(&[b'x'; 2000]).len(), LAST);
    }
}
