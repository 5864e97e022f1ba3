//! What a claim is.

use crate::region::Region;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// A file of claims.
#[derive(Debug, Clone, PartialEq)]
pub struct Claims {
    /// Who claims.
    pub article: Article,
    /// What gives the figures, in the order of the file.
    pub runs: Vec<Run>,
    /// In the order of the file.
    pub claims: Vec<Claim>,
}

/// The article that makes the claims.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Article {
    /// Its title.
    pub title: String,
    /// Who wrote it, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The year in which it came out, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<u32>,
    /// What it asks, in a sentence.
    pub question: String,
}

impl Article {
    /// `A. Writer, "Title", 2021`.
    #[must_use]
    pub fn cited(&self) -> String {
        let author = self.author.iter().map(|author| format!("{author}, "));
        let year = self.year.iter().map(|year| format!(", {year}"));
        let title = std::iter::once(format!("\"{}\"", self.title));
        author.chain(title).chain(year).collect()
    }
}

/// Something that gives figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// By which claims name it.
    pub name: String,
    /// How it is made.
    pub made: Made,
}

impl Run {
    /// Whether it can be made shorter.
    #[must_use]
    pub fn has_short(&self) -> bool {
        match &self.made {
            Made::Experiment { short, .. } => short.is_some(),
            Made::Command { short, .. } => short.is_some(),
        }
    }
}

/// How figures are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Made {
    /// By an experiment.
    Experiment {
        /// The file.
        whole: PathBuf,
        /// A shorter one, for a first look.
        short: Option<PathBuf>,
    },
    /// By a command that prints a document of JSON; it runs in the folder of the file.
    Command {
        /// The command.
        whole: Vec<Word>,
        /// Another one, for a first look.
        short: Option<Vec<Word>>,
    },
}

impl Made {
    /// The command of this length, if figures are made by one.
    #[must_use]
    pub fn command(&self, length: Length) -> Option<&[Word]> {
        match self {
            Made::Experiment { .. } => None,
            Made::Command { whole, short } => Some(match (length, short) {
                (Length::Short, Some(short)) => short,
                _ => whole,
            }),
        }
    }
}

/// A word of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// As it stands.
    Literal(String),
    /// `{load}`: the folder of a run, as its place in [`Claims::runs`]. It stands above the
    /// command, so it is made before.
    FolderOf(usize),
}

/// A claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The claim as a sentence, with its figures.
    pub says: String,
    /// The run that gives the figure, as its place in [`Claims::runs`].
    pub run: usize,
    /// What is looked at.
    pub figure: Figure,
    /// Figures that count as the same.
    pub same: Region,
    /// What is known to come out on the machine of whoever wrote the file.
    pub here: Expected,
    /// What comes out in the run's short form, where that is something else: a short form serves
    /// fewer requests, of which the cold ones are a larger part.
    pub here_short: Option<Expected>,
    /// Why it is the same or not; empty where nobody knows.
    pub why: String,
}

impl Claim {
    /// What is known to come out of runs of this length.
    #[must_use]
    pub fn expected(&self, length: Length) -> Expected {
        match length {
            Length::Whole => self.here,
            Length::Short => self.here_short.unwrap_or(self.here),
        }
    }
}

/// Which of its two files an experiment is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// The one by which the claims are judged in a lab's README.
    Whole,
    /// The shorter one, where there is one.
    Short,
}

/// What is looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figure {
    /// A metric of a variant.
    Metric {
        /// As in `results.json`: `ready_ms`.
        id: String,
        /// The variant.
        of: String,
        /// By that of another one.
        to: Option<String>,
        /// The limits that both have; absent where the run has one set of limits.
        limits: Option<String>,
    },
    /// A number of a document, or a list of one number a launch.
    Pointer(String),
}

/// What is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// The claim holds here, too.
    Same,
    /// The claim does not hold here.
    Differs,
    /// There are too few launches to decide.
    NotTold,
}
