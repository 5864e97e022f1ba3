//! What is gathered while a test plan is read.

use super::element::Node;
use super::variables::Names;
use crate::allowance::Allowance;
use crate::error::ImportError;
use crate::imported::Connection;
use crate::note::{Notes, shorten};
use crate::origin::OneOrigin;
use std::fmt::{self, Display};
use std::path::Path;
use std::time::Duration;
use tacho_workload::Feed;

/// Where an element stands: the names above it and its own.
#[derive(Debug, Default)]
pub(super) struct Place {
    names: Vec<String>,
}

impl Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names.join(" > "))
    }
}

/// What is collected, and what is known, at one place of the plan.
pub(super) struct Context<'a> {
    /// The element that is looked at.
    pub place: Place,
    pub base_dir: &'a Path,
    pub names: Names,
    pub notes: Notes,
    pub allowance: Allowance,
    pub origins: OneOrigin,
    pub feeds: Vec<Feed>,
    pub connection: Connection,
    pub timeouts: Timeouts,
    pub keeps_cookies: bool,
    /// How many times scoped elements were handled: elements that apply to the samplers around them
    /// are handled once for each sampler.
    pub scoped: usize,
    /// Samplers that follow redirects, and those that do not.
    pub following: u64,
    pub not_following: u64,
}

/// Of all samplers so far.
#[derive(Debug, Default)]
pub(super) struct Timeouts {
    pub connect: Longest,
    pub answer: Longest,
}

/// The longest timeout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Longest {
    /// No sampler was seen.
    #[default]
    Unseen,
    /// Each has one.
    Limited(Duration),
    /// A sampler has none, and waits without end.
    Unlimited,
}

impl Longest {
    /// Takes that of one more sampler; zero is none. Returns whether it differs from those before.
    pub fn differs_with(&mut self, timeout: Duration) -> bool {
        let before = *self;
        let this = match timeout.is_zero() {
            true => Self::Unlimited,
            false => Self::Limited(timeout),
        };
        *self = match (before, this) {
            (Self::Unseen, this) => this,
            (Self::Limited(one), Self::Limited(other)) => Self::Limited(one.max(other)),
            _ => Self::Unlimited,
        };
        before != Self::Unseen && before != this
    }

    /// `None` where there is none, or a sampler has none.
    pub fn limit(self) -> Option<Duration> {
        match self {
            Self::Limited(timeout) => Some(timeout),
            Self::Unseen | Self::Unlimited => None,
        }
    }
}

impl<'a> Context<'a> {
    pub fn new(base_dir: &'a Path) -> Self {
        Self {
            place: Place::default(),
            base_dir,
            names: Names::default(),
            notes: Notes::default(),
            allowance: Allowance::default(),
            origins: OneOrigin::default(),
            feeds: Vec::new(),
            connection: Connection::default(),
            timeouts: Timeouts::default(),
            keeps_cookies: false,
            scoped: 0,
            following: 0,
            not_following: 0,
        }
    }

    /// Looks at an element, as the one that notes and errors are about.
    pub fn look_at<'n, T>(
        &mut self,
        node: &'n Node<'n>,
        look: impl FnOnce(&'n Node<'n>, &mut Self) -> T,
    ) -> T {
        self.place.names.push(shorten(node.name(), 60));
        let seen = look(node, self);
        self.place.names.pop();
        seen
    }

    /// Looks at those of the elements that are enabled, one after another.
    pub fn look_at_each<'n>(
        &mut self,
        nodes: &'n [Node<'n>],
        mut look: impl FnMut(&'n Node<'n>, &mut Self) -> Result<(), ImportError>,
    ) -> Result<(), ImportError> {
        let mut enabled = nodes.iter().filter(|node| node.is_enabled());
        enabled.try_for_each(|node| self.look_at(node, &mut look))
    }

    pub fn note(&mut self, text: impl Display) {
        self.notes.add(&self.place, text);
    }

    /// The error when the present element asks for more than is kept.
    pub fn too_much(&self, limit: &'static str) -> ImportError {
        ImportError::TooMuch {
            place: self.place.to_string(),
            limit,
        }
    }

    /// The text with its variables replaced, where none may change during the run.
    pub fn text(&mut self, text: &str) -> Result<Option<String>, ImportError> {
        let template = self.template(text)?;
        Ok(template.as_text().map(str::to_owned))
    }

    /// A number that does not change during the run.
    pub fn number(&mut self, text: &str) -> Result<Option<f64>, ImportError> {
        let text = self.text(text)?;
        let number = text.as_deref().and_then(|text| text.trim().parse().ok());
        Ok(number.filter(|number: &f64| number.is_finite()))
    }
}
