//! What is gathered while a test plan is read.

use super::element::Place;
use super::variables::Names;
use crate::allowance::Allowance;
use crate::error::ImportError;
use crate::imported::Connection;
use crate::note::Notes;
use crate::origin::OneOrigin;
use crate::template::Template;
use std::fmt::Display;
use std::path::Path;

/// What is gathered, and what is known, at one place of the plan.
pub(super) struct Context<'a> {
    pub base_dir: &'a Path,
    pub names: Names,
    pub notes: Notes,
    pub allowance: Allowance,
    pub origins: OneOrigin,
    pub connection: Connection,
    pub keeps_cookies: bool,
    /// Elements that apply to the samplers around them, each of which is looked at for each
    /// sampler.
    pub scoped: usize,
    /// Samplers that follow redirects, and those that do not.
    pub following: u64,
    pub not_following: u64,
}

impl<'a> Context<'a> {
    pub fn new(base_dir: &'a Path) -> Self {
        Self {
            base_dir,
            names: Names::default(),
            notes: Notes::default(),
            allowance: Allowance::default(),
            origins: OneOrigin::default(),
            connection: Connection::default(),
            keeps_cookies: false,
            scoped: 0,
            following: 0,
            not_following: 0,
        }
    }

    pub fn note(&mut self, place: &Place<'_>, text: impl Display) {
        self.notes.add(place, text);
    }

    /// The text with its variables replaced.
    pub fn template(&mut self, text: &str, place: &Place<'_>) -> Result<Template, ImportError> {
        self.names
            .resolve(text, place, &mut self.notes, &mut self.allowance)
    }

    /// The text with its variables replaced, where none may change during the run.
    pub fn text(&mut self, text: &str, place: &Place<'_>) -> Result<Option<String>, ImportError> {
        let template = self.template(text, place)?;
        Ok(template.as_text().map(str::to_owned))
    }

    /// A number that does not change during the run.
    pub fn number(&mut self, text: &str, place: &Place<'_>) -> Result<Option<f64>, ImportError> {
        let text = self.text(text, place)?;
        let number = text.as_deref().and_then(|text| text.trim().parse().ok());
        Ok(number.filter(|number: &f64| number.is_finite()))
    }
}
