//! What is secret is written as `***`.
//!
//! Two ways, since each alone has holes. **By name**: the value of `DB_PASSWORD`, of `--api-key`,
//! of `Authorization`, the password in a URL. **By value**: what was once known as secret is looked
//! for in every text that leaves the program, wherever it has come to: an error that echoes a
//! command, the name of a request, the last lines of a log.
//!
//! ```text
//! experiment, command line, environment --learn--> Masking --json, text, yaml--> files, terminal
//! ```
//!
//! The writers ask [`current`], which the whole process shares: a writer that has to be handed a
//! [`Masking`] can be handed the wrong one, and an error is printed by who knows nothing of the
//! experiment.

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

/// What is secret, and how it is kept out of what is written.
#[derive(Debug, Clone, Default)]
pub struct Masking {
    names: Names,
    values: Values,
}

impl Masking {
    /// The usual names, no values.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Masks the values of these names, too.
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

    /// The value as it may be written beside its name.
    #[must_use]
    pub fn value(&self, name: &str, value: &str) -> String {
        if self.names.hides(name, value) {
            MASK.to_owned()
        } else {
            self.text(value)
        }
    }

    /// Pairs as they may be written.
    #[must_use]
    pub fn pairs(&self, pairs: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| (name.clone(), self.value(name, value)))
            .collect()
    }

    /// The words of a command as they may be written.
    #[must_use]
    pub fn command(&self, words: &[String]) -> Vec<String> {
        command::masked(self, words, &mut |_| {})
            .iter()
            .map(|word| self.values.masked(word))
            .collect()
    }

    /// One text, such as a line or a message, as it may be written.
    #[must_use]
    pub fn text(&self, text: &str) -> String {
        self.values.masked(&text::masked(self, text, &mut |_| {}))
    }

    /// A whole document of any format: only what is known to be secret is masked, so that nothing
    /// else of it changes.
    #[must_use]
    pub fn known(&self, document: &str) -> String {
        self.values.masked(document)
    }

    /// A YAML document as it may be written; its comments, its order and its layout stay.
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
