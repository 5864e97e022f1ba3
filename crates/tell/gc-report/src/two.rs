//! Two logs beside each other: on the terminal and as JSON.

use crate::words;
use schemars::JsonSchema;
use serde::Serialize;
use tacho_figures as figures;
use tacho_gc_conclusions::Reading;
use tacho_gc_conclusions::side_by_side::{Quantity, Row, Verdict};
use tacho_report::RenderError;
use tacho_report::terminal::Style;
use tacho_report::terminal::columns::{Column, Table};
use tacho_report::terminal::style::{BOLD, DIM, PLAIN, YELLOW};
use tacho_report::terminal::text::Text;

/// Version of the format. Fields may be added without changing it, never renamed or removed.
pub const FORMAT: u32 = 1;

/// What the comparison cannot know.
pub const CAUTION: &str = "One log is one launch: no interval here covers differences between launches of the same program, or between different loads. `tacho run` compares builds over several launches.";

/// Two logs.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Two<'a> {
    /// Version of this format.
    pub tacho: u32,
    /// The first log.
    pub old: &'a Reading,
    /// The second log.
    pub new: &'a Reading,
    /// Every quantity that was looked at.
    pub compared: &'a [Row],
}

impl<'a> Two<'a> {
    /// Puts them beside each other.
    #[must_use]
    pub fn new(old: &'a Reading, new: &'a Reading, compared: &'a [Row]) -> Self {
        Self {
            tacho: FORMAT,
            old,
            new,
            compared,
        }
    }

    /// Indented JSON, ending in a newline.
    ///
    /// # Errors
    /// When a value cannot be written as JSON.
    pub fn json(&self) -> Result<String, RenderError> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        Ok(text)
    }

    /// What is printed, ending in a newline.
    #[must_use]
    pub fn text(&self, style: &Style) -> String {
        let mut text = style.text();
        text.line(&[
            (BOLD, "Tacho gc"),
            (PLAIN, " · "),
            (BOLD, &name(self.old)),
            (PLAIN, " and "),
            (BOLD, &name(self.new)),
        ]);
        text.blank();
        text.paragraph("", BOLD, &sentence(self.compared));
        self.table(&mut text);
        text.paragraph("  ", DIM, CAUTION);
        for (reading, which) in [(self.old, "The first"), (self.new, "The second")] {
            one(&mut text, reading, which);
        }
        text.finish(style.colour)
    }

    fn table(&self, text: &mut Text) {
        text.heading("Side by side", "  means of twenty stretches of each log");
        let mut table = Table::new(vec![
            Column::left(""),
            Column::right("first"),
            Column::right("second"),
            Column::right("ratio"),
            Column::left(""),
        ]);
        for cells in rows(self.compared) {
            table.row(PLAIN, cells.to_vec());
        }
        table.print(text);
    }
}

/// The cells of the table: what, first, second, ratio with its interval, verdict.
#[must_use]
pub fn rows(compared: &[Row]) -> Vec<[String; 5]> {
    compared
        .iter()
        .map(|row| {
            let value = |value: Option<f64>| {
                value.map_or_else(|| "–".to_owned(), |v| in_unit(row.quantity, v))
            };
            [
                row.quantity.in_words().to_owned(),
                value(row.old),
                value(row.new),
                row.ratio.map_or_else(
                    || "–".to_owned(),
                    |(ratio, low, high)| {
                        format!(
                            "{} ({} to {})",
                            figures::ratio(ratio),
                            figures::ratio(low),
                            figures::ratio(high)
                        )
                    },
                ),
                in_words(row.verdict).to_owned(),
            ]
        })
        .collect()
}

fn in_unit(quantity: Quantity, value: f64) -> String {
    match quantity {
        Quantity::PauseShare => figures::percent(value),
        Quantity::MeanPause | Quantity::LongestPause => figures::ms(value * 1e3),
        Quantity::Collections => figures::number(value),
        Quantity::Allocation => format!("{}/s", figures::bytes(value)),
        Quantity::AfterCollections => figures::bytes(value),
    }
}

fn in_words(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Lower => "lower",
        Verdict::Higher => "higher",
        Verdict::Alike => "alike",
        Verdict::NotTold => "not told apart",
        Verdict::TooFew => "too little to compare",
    }
}

/// What differs, in a sentence.
#[must_use]
pub fn sentence(compared: &[Row]) -> String {
    let of = |verdict: Verdict| -> Vec<&str> {
        let rows = compared.iter().filter(|row| row.verdict == verdict);
        rows.map(|row| row.quantity.in_words()).collect()
    };
    let parts: Vec<String> = [(Verdict::Higher, "higher"), (Verdict::Lower, "lower")]
        .into_iter()
        .filter_map(|(verdict, word)| {
            let names = of(verdict);
            (!names.is_empty()).then(|| format!("{word}: {}", figures::listed(&names)))
        })
        .collect();
    if !parts.is_empty() {
        return format!("In the second log {}.", parts.join("; "));
    }
    let alike = of(Verdict::Alike);
    if alike.len() == compared.len() {
        return "No difference above 10 % in anything that was compared.".to_owned();
    }
    if alike.is_empty() {
        return "Nothing was told apart, and nothing was shown to be alike: the logs are too short, or vary too much."
            .to_owned();
    }
    format!(
        "Nothing was told apart; alike within 10 %: {}.",
        figures::listed(&alike)
    )
}

/// The name of what was read.
#[must_use]
pub fn name(reading: &Reading) -> String {
    match reading.summary.files.as_slice() {
        [one] => one.clone(),
        [first, ..] => format!("{first} …"),
        [] => String::new(),
    }
}

fn one(text: &mut Text, reading: &Reading, which: &str) {
    text.heading(which, &format!("  {}", name(reading)));
    let set_up = words::set_up(&reading.summary);
    if !set_up.is_empty() {
        text.paragraph("  ", DIM, &set_up.join(", "));
    }
    text.paragraph("  ", PLAIN, &words::sentence(&reading.summary));
    for conclusion in &reading.conclusions.found {
        text.paragraph("  ", YELLOW, &conclusion.summary);
    }
    for note in &reading.summary.notes {
        text.paragraph("  ", DIM, note);
    }
}
