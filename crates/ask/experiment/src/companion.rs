//! A companion: a program that the subject needs beside it, such as a database or a stub of a
//! service that it calls. These are the companions that the experiment starts. Companions that
//! already run are named with `--companions`.

use crate::model::{ReadyCondition, ReadySpec};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

/// Placeholder in a subject's command and environment. It stands for the address at which the
/// subject reaches its companions: that of this machine, as the subject sees it.
pub const COMPANIONS: &str = "{companions}";

/// A program that is started beside the subject, outside of the subject's limits.
#[derive(Debug, Clone, PartialEq)]
pub struct CompanionSpec {
    /// Unique among them; letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// Program and arguments; at least one word.
    pub command: Vec<String>,
    /// Port on which it has to listen; else the first that it opens.
    pub port: Option<u16>,
    /// When it counts as ready.
    pub ready: ReadySpec,
    /// Environment beside the inherited one.
    pub environment: BTreeMap<String, String>,
    /// Working directory; else the experiment's folder.
    pub directory: Option<PathBuf>,
    /// Whether each launch gets a new one. Otherwise one companion serves all launches of the run.
    pub fresh: bool,
}

/// Text for people: when it is started, what makes it ready, and its command in shell syntax.
impl fmt::Display for CompanionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let there = match self.fresh {
            true => "started for each launch and ended with it",
            false => "started before the first launch and ended after the last",
        };
        let ready = match (&self.ready.condition, self.port) {
            (ReadyCondition::Http(path), _) => format!("it answers GET {path} with 2xx"),
            (ReadyCondition::Log(pattern), _) => format!("its output says `{pattern}`"),
            (_, Some(port)) => format!("it takes connections on port {port}"),
            (_, None) => "it takes connections".to_owned(),
        };
        let words = self.command.iter().map(String::as_str);
        let command = shlex::try_join(words).unwrap_or_else(|_| self.command.join(" "));
        write!(
            f,
            "companion {}: {there}; ready when {ready}, within {} s: {command}",
            self.name,
            self.ready.timeout.as_secs_f64()
        )
    }
}
