//! Fills in the variables of one request, and remembers which have no value.

use super::made::{is_made, is_postmans};
use super::scripts::Scripts;
use super::tokens::{Token, tokens};
use super::variables::Variables;
use crate::allowance::Allowance;
use crate::error::ImportError;
use crate::note::shorten;
use std::collections::BTreeSet;

/// Variables that are named in one note.
const NAMED: usize = 6;

/// A variable without a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Missing {
    #[error("`{0}` has no value")]
    NotGiven(String),
    #[error("`{0}` is empty")]
    Empty(String),
    #[error("`{0}` has no value: the script of {1} sets it, and scripts are not run")]
    SetByScript(String, String),
    #[error("`{0}` refers to itself, or is nested too deep")]
    Endless(String),
    #[error("`{0}` is made by Postman only")]
    Postmans(String),
    #[error("`{0}` is no variable that Postman makes")]
    NoSuch(String),
}

/// What is known while one request is read.
pub(super) struct Filling<'f, 'a> {
    variables: &'f Variables<'a>,
    scripts: &'f Scripts,
    pub allowance: &'f mut Allowance,
    pub place: &'f str,
    missing: Vec<Missing>,
    /// Their names.
    names: Vec<String>,
    /// The host is a variable without a value.
    lacks_host: Option<String>,
    /// Variables with a value in the file that a script would set as well.
    stale: BTreeSet<String>,
}

impl<'f, 'a> Filling<'f, 'a> {
    pub fn new(
        variables: &'f Variables<'a>,
        scripts: &'f Scripts,
        allowance: &'f mut Allowance,
        place: &'f str,
    ) -> Self {
        Self {
            variables,
            scripts,
            allowance,
            place,
            missing: Vec::new(),
            names: Vec::new(),
            lacks_host: None,
            stale: BTreeSet::new(),
        }
    }

    /// The text with its variables filled in.
    pub fn fill(&mut self, text: &str) -> Result<String, ImportError> {
        let filled = self.fill_as_far(text)?;
        self.miss(&filled);
        Ok(filled)
    }

    /// The same, where a variable without a value may stay.
    pub fn fill_as_far(&mut self, text: &str) -> Result<String, ImportError> {
        for token in tokens(text) {
            if let Token::Variable(name) = token
                && self.scripts.setter(name).is_some()
                && !self.stale.contains(name)
                && matches!(self.variables.look_up(name), Some(Some(_)))
            {
                self.stale.insert(name.to_owned());
            }
        }
        self.variables.fill(text, self.allowance, self.place)
    }

    /// Remembers what has no value in a text.
    pub fn miss(&mut self, filled: &str) {
        for token in tokens(filled) {
            if self.missing.len() == NAMED {
                break;
            }
            if let Token::Variable(name) = token
                && !is_made(name)
                && !self.names.iter().any(|known| known == name)
            {
                self.names.push(name.to_owned());
                self.missing.push(self.why(name));
            }
        }
    }

    fn why(&self, name: &str) -> Missing {
        let short = shorten(name.trim(), 60);
        let setter = self.scripts.setter(name.trim());
        match (self.variables.look_up(name), setter) {
            (Some(Some(_)), _) => Missing::Endless(short),
            (_, Some(place)) => Missing::SetByScript(short, shorten(place, 80)),
            (Some(None), None) => Missing::Empty(short),
            (None, None) if is_postmans(name) => Missing::Postmans(short),
            (None, None) if name.starts_with('$') => Missing::NoSuch(short),
            (None, None) => Missing::NotGiven(short),
        }
    }

    /// Remembers what has no value in the place of a host.
    pub fn miss_host(&mut self, filled: &str) {
        self.miss(filled);
        self.lacks_host = Some(shorten(filled, 60));
    }

    /// The host, as it is written, where it has no value.
    pub fn lacks_host(self) -> Option<String> {
        self.lacks_host
    }

    /// Variables that were filled in with the value of the file, although a script sets another.
    pub fn stale(&self) -> impl Iterator<Item = &str> {
        self.stale.iter().map(String::as_str)
    }

    /// What had no value so far.
    pub fn missing(&self) -> &[Missing] {
        &self.missing
    }
}

/// Whether a text has a variable without a value.
pub(super) fn has_missing(filled: &str) -> bool {
    tokens(filled).any(|token| matches!(token, Token::Variable(name) if !is_made(name)))
}
