//! What warm-ups buy.

use crate::overview::LimitsOverview;
use crate::words::{self, Stretch};
use serde::Serialize;

/// The view of one set of limits.
#[derive(Debug, Serialize)]
pub struct WarmUpView {
    phase: String,
    titles: Vec<String>,
    rows: Vec<RowView>,
    sentence: Vec<Stretch>,
    notes: Vec<Vec<Stretch>>,
}

#[derive(Debug, Serialize)]
struct RowView {
    variant: String,
    how: String,
    course: Option<String>,
    cells: Vec<CellView>,
}

#[derive(Debug, Serialize)]
struct CellView {
    value: String,
    interval: Option<String>,
}

/// Nothing for runs that did not ask.
pub fn warm_up(limits: &LimitsOverview<'_>) -> Option<WarmUpView> {
    let table = limits.warm_up.as_ref()?;
    let rows = table.rows.iter().map(|row| RowView {
        variant: row.variant.clone(),
        how: row.how.clone(),
        course: row.course.clone(),
        cells: row
            .cells
            .iter()
            .map(|(value, interval)| CellView {
                value: value.clone(),
                interval: interval.clone(),
            })
            .collect(),
    });
    Some(WarmUpView {
        phase: table.phase.clone(),
        titles: table
            .titles
            .iter()
            .map(|title| title.text.clone())
            .collect(),
        rows: rows.collect(),
        sentence: table
            .sentence
            .as_deref()
            .map(words::prose)
            .unwrap_or_default(),
        notes: table.notes.iter().map(|note| words::prose(note)).collect(),
    })
}
