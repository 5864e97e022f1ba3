//! What warm-ups gain.

use crate::overview::LimitsOverview;
use crate::words::{self, Stretch, WarmUpRow};
use serde::Serialize;

/// The view of one set of limits.
#[derive(Debug, Serialize)]
pub struct WarmUpView {
    phase: String,
    titles: Vec<String>,
    rows: Vec<WarmUpRow>,
    sentence: Vec<Stretch>,
    notes: Vec<Vec<Stretch>>,
}

/// `None` for runs that did not ask about warm-ups.
pub fn warm_up(limits: &LimitsOverview<'_>) -> Option<WarmUpView> {
    let table = limits.warm_up.as_ref()?;
    Some(WarmUpView {
        phase: table.phase.clone(),
        titles: table
            .titles
            .iter()
            .map(|title| title.text.clone())
            .collect(),
        rows: table.rows.clone(),
        sentence: table
            .sentence
            .as_deref()
            .map(words::prose)
            .unwrap_or_default(),
        notes: table.notes.iter().map(|note| words::prose(note)).collect(),
    })
}
