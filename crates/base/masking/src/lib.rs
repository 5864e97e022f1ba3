//! Secrets are written as `***`.
//!
//! They are found in two ways, because each alone has gaps. **By name**: the value of
//! `DB_PASSWORD`, of `--api-key`, of `Authorization`, the password in a URL. **By value**: a value
//! that is known to be secret is masked in every text that leaves the program, wherever it appears:
//! in an error that echoes a command, in the name of a request, in the last lines of a log.
//!
//! ```text
//! experiment, command line, environment --learn--> Masking --json, text, yaml--> files, terminal
//! ```
//!
//! All writers use [`current`], which the whole process shares. A [`Masking`] that is passed as an
//! argument could be the wrong one, and the code that prints an error does not know the experiment.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod clients;
mod command;
mod json;
mod names;
mod shared;
mod text;
mod values;
mod yaml;

pub use names::Names;
pub use shared::{current, teach};

use std::collections::BTreeMap;
use values::Values;

/// What stands in the place of a secret.
pub const MASK: &str = "***";

/// Knows what is secret, and masks it in all that is written.
#[derive(Debug, Clone, Default)]
pub struct Masking {
    names: Names,
    values: Values,
}

impl Masking {
    /// The usual names, and no known values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also masks the values of these names.
    pub fn add_names(&mut self, names: impl IntoIterator<Item = impl AsRef<str>>) {
        for name in names {
            self.names.add(name.as_ref());
        }
    }

    /// The names whose values are secret.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Takes over what is secret in an experiment file, and the names that its key `mask` adds.
    pub fn learn_yaml(&mut self, document: &str) {
        self.add_names(yaml::added_names(document));
        let mut found = Vec::new();
        yaml::masked(self, document, &mut |secret| found.push(secret.to_owned()));
        self.values.extend(found);
    }

    /// Takes over what is secret in a command.
    pub fn learn_command(&mut self, words: &[String]) {
        let mut found = Vec::new();
        command::masked(self, words, &mut |secret| found.push(secret.to_owned()));
        self.values.extend(found);
    }

    /// Takes over what is secret in a text, such as a URL.
    pub fn learn_text(&mut self, text: &str) {
        let mut found = Vec::new();
        text::masked(self, text, &mut |secret| found.push(secret.to_owned()));
        self.values.extend(found);
    }

    /// Takes over the values of pairs whose name says that they are secret: headers, variables of
    /// the environment.
    pub fn learn_pairs<'a>(&mut self, pairs: impl IntoIterator<Item = (&'a str, &'a str)>) {
        for (name, value) in pairs {
            if self.names.hides(name, value) {
                self.values.extend([value.to_owned()]);
            } else {
                self.learn_text(value);
            }
        }
    }

    /// The value with secrets masked, given its name.
    #[must_use]
    pub fn value(&self, name: &str, value: &str) -> String {
        if self.names.hides(name, value) {
            MASK.to_owned()
        } else {
            self.text(value)
        }
    }

    /// Pairs with secrets masked.
    #[must_use]
    pub fn pairs(&self, pairs: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), self.value(name, value)))
            .collect()
    }

    /// The words of a command with secrets masked.
    #[must_use]
    pub fn command(&self, words: &[String]) -> Vec<String> {
        command::masked(self, words, &mut |_| {})
            .iter()
            .map(|word| self.values.masked(word))
            .collect()
    }

    /// A text with secrets masked, such as a line or a message.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.values.masked(&text::masked(self, text, &mut |_| {}))
    }

    /// A whole document of any format. Only known secret values are masked, so that nothing else
    /// changes.
    #[must_use]
    pub fn known(&self, document: &str) -> String {
        self.values.masked(document)
    }

    /// A YAML document with secrets masked. Its comments, its order and its layout stay.
    #[must_use]
    pub fn yaml(&self, document: &str) -> String {
        self.values
            .masked(&yaml::masked(self, document, &mut |_| {}))
    }

    /// A value as JSON for people, as it may be written.
    ///
    /// # Errors
    /// When the value cannot be JSON.
    pub fn json<T: serde::Serialize + ?Sized>(&self, value: &T) -> serde_json::Result<Vec<u8>> {
        json::pretty(self, value)
    }

    /// The same on one line.
    ///
    /// # Errors
    /// When the value cannot be JSON.
    pub fn compact_json<T: serde::Serialize + ?Sized>(
        &self,
        value: &T,
    ) -> serde_json::Result<String> {
        json::compact(self, value)
    }
}
