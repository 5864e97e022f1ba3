//! What Tacho prints and writes about claims that were checked on this machine.
//!
//! ```text
//! [Judged] --> Report --> terminal, a table of Markdown, JSON
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod markdown;
pub mod text;
mod words;

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use tacho_claims::{Article, Judged, Outcome};
use tacho_report::RenderError;

/// Version of the format. Fields may be added without changing it, never renamed or removed.
pub const FORMAT: u32 = 1;

/// Every file of claims that was judged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Report {
    /// Version of this format.
    pub tacho: u32,
    /// The files of claims, in the order in which they were given.
    pub articles: Vec<OfArticle>,
}

/// One file of claims, and what came out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct OfArticle {
    /// The file of claims.
    pub file: String,
    /// The article that makes the claims.
    pub article: Article,
    /// The claims with their results, in the order of the file.
    pub claims: Vec<Judged>,
}

/// How many rows there are of each kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// The same as claimed.
    pub same: usize,
    /// Not the same.
    pub differs: usize,
    /// Not told.
    pub not_told: usize,
    /// Not measured.
    pub not_measured: usize,
    /// Otherwise than the file expects.
    pub contradictions: usize,
}

impl Report {
    /// Of what was judged.
    #[must_use]
    pub fn new(articles: Vec<OfArticle>) -> Self {
        Self {
            tacho: FORMAT,
            articles,
        }
    }

    /// Over all files.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for claim in self.articles.iter().flat_map(|article| &article.claims) {
            *match claim.outcome {
                Outcome::Same => &mut counts.same,
                Outcome::Differs => &mut counts.differs,
                Outcome::NotTold => &mut counts.not_told,
                Outcome::NotMeasured(_) => &mut counts.not_measured,
            } += 1;
            counts.contradictions += usize::from(claim.is_contradiction);
        }
        counts
    }
}

/// The text of `docs/schema/claims.json`, ending in a newline.
///
/// # Errors
/// When the schema cannot be written as JSON.
pub fn schema() -> Result<String, RenderError> {
    let mut text = serde_json::to_string_pretty(&schema_for!(Report))?;
    text.push('\n');
    Ok(text)
}
