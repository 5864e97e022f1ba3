//! What was measured, as Markdown.

mod document;
mod figures;
mod surroundings;

use crate::scenario::Extent;
pub use document::write_section;
pub use figures::{at_least, at_most, at_most_percent, percent, ratio};
use std::fmt;
pub use surroundings::Surroundings;

/// A scenario's results.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    pub title: String,
    pub bars: Vec<Bar>,
    pub table: Option<Table>,
    pub notes: Vec<String>,
}

/// A promise of the project, and what was seen.
#[derive(Debug, Clone, PartialEq)]
pub struct Bar {
    what: String,
    bar: String,
    seen: String,
    verdict: Verdict,
}

/// Whether a bar is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    Met,
    NotMet,
    /// The reason for which it was not measured.
    NotMeasured(String),
}

impl Verdict {
    pub fn of(is_met: bool) -> Self {
        if is_met { Self::Met } else { Self::NotMet }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Met => f.write_str("met"),
            Self::NotMet => f.write_str("**not met**"),
            Self::NotMeasured(why) => write!(f, "not measured: {why}"),
        }
    }
}

/// A bar in words.
pub fn bar(what: &str, bar: &str, seen: &str, verdict: Verdict) -> Bar {
    Bar {
        what: what.to_owned(),
        bar: bar.to_owned(),
        seen: seen.to_owned(),
        verdict,
    }
}

/// Rows under headings.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(headings: &[&str]) -> Self {
        Self {
            headings: headings.iter().map(|&h| h.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_row(f, &self.headings)?;
        writeln!(f, "|{}", "---|".repeat(self.headings.len()))?;
        self.rows.iter().try_for_each(|row| write_row(f, row))
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, cells: &[String]) -> fmt::Result {
    let cells: Vec<String> = cells
        .iter()
        .map(|c| c.replace('|', "\\|").replace('\n', " "))
        .collect();
    writeln!(f, "| {} |", cells.join(" | "))
}

/// One scenario as a section of Markdown.
pub fn section_as_markdown(section: &Section) -> String {
    let mut bars = Table::new(&["", "bar", "seen", ""]);
    for bar in &section.bars {
        bars.row([
            bar.what.clone(),
            bar.bar.clone(),
            bar.seen.clone(),
            bar.verdict.to_string(),
        ]);
    }
    let mut text = format!("### {}\n\n{bars}", capitalised(&section.title));
    if let Some(table) = &section.table {
        text += &format!("\n{table}");
    }
    if !section.notes.is_empty() {
        text.push('\n');
    }
    for note in &section.notes {
        text += &format!("- {note}\n");
    }
    text
}

/// The whole benchmark.
pub fn as_markdown(surroundings: &str, extent: &Extent, sections: &[Section]) -> String {
    let all = || sections.iter().flat_map(|section| &section.bars);
    let met = all().filter(|bar| bar.verdict == Verdict::Met).count();
    let mut text = format!(
        "## `make bench-load{}`\n\n{surroundings}\n\n{met} of {} bars met. Medians over the rounds, in parentheses the extremes; \
         ratios are of the same round.\n",
        if extent.is_quick { "-quick" } else { "" },
        all().count(),
    );
    for section in sections {
        text += &format!("\n{}", section_as_markdown(section));
    }
    text
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(chars).collect()
    })
}

#[cfg(test)]
mod tests;
