//! A table whose entries take two lines: the number, and below it what it means.

use super::style::{BOLD, DIM, PLAIN};
use super::text::{Text, cut};
use anstyle::Style as Ansi;

/// One entry of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The number with its unit.
    pub value: String,
    /// Its interval, beside it where there is room, else on a line of its own.
    pub beside: Option<String>,
    /// The comparison with the baseline.
    pub below: String,
    /// The same with a sign in place of the word, for narrow terminals.
    pub short: String,
    /// Of the line below.
    pub style: Ansi,
}

impl Cell {
    /// Nothing was measured.
    pub fn empty() -> Self {
        Self {
            value: "–".to_owned(),
            beside: None,
            below: String::new(),
            short: String::new(),
            style: PLAIN,
        }
    }

    fn interval(&self) -> &str {
        self.beside.as_deref().unwrap_or_default()
    }
}

/// Rows of entries.
#[derive(Debug)]
pub struct Table {
    titles: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

/// How a table is printed.
#[derive(Debug)]
struct Layout {
    widths: Vec<usize>,
    /// The interval stands beside its value.
    beside: bool,
    /// Verdicts are words, not signs alone.
    words: bool,
}

const GAP: usize = 2;
const INDENT: usize = 2;

impl Table {
    /// A first column for the variant, then columns with these titles.
    pub fn titled<'t>(titles: impl IntoIterator<Item = &'t str>) -> Self {
        Self {
            titles: std::iter::once("variant")
                .chain(titles)
                .map(str::to_owned)
                .collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, variant: Cell, mut cells: Vec<Cell>) {
        cells.insert(0, variant);
        self.rows.push(cells);
    }

    /// Prints it with the interval beside the value; below it when that is too wide; with signs
    /// in place of words when that is too wide as well.
    pub fn print(&self, text: &mut Text) {
        let stacked = |cell: &Cell| length(&cell.value).max(length(cell.interval()));
        let layouts = [
            Layout {
                widths: self.widths(|cell| beside(cell).max(length(&cell.below))),
                beside: true,
                words: true,
            },
            Layout {
                widths: self.widths(|cell| stacked(cell).max(length(&cell.below))),
                beside: false,
                words: true,
            },
            Layout {
                widths: fit(
                    self.widths(|cell| stacked(cell).max(length(&cell.short))),
                    text.width(),
                ),
                beside: false,
                words: false,
            },
        ];
        let fits = |layout: &&Layout| total(&layout.widths) <= text.width();
        let chosen = layouts.iter().find(fits).unwrap_or(&layouts[2]);
        self.print_rows(text, chosen);
    }

    fn widths(&self, of: impl Fn(&Cell) -> usize) -> Vec<usize> {
        (0..self.titles.len())
            .map(|i| {
                self.rows
                    .iter()
                    .filter_map(|row| row.get(i))
                    .map(&of)
                    .chain([length(&self.titles[i])])
                    .max()
                    .unwrap_or(0)
            })
            .collect()
    }

    fn print_rows(&self, text: &mut Text, layout: &Layout) {
        let Layout {
            widths,
            beside,
            words,
        } = layout;
        let titles: Vec<_> = self
            .titles
            .iter()
            .map(|t| vec![(DIM, t.as_str())])
            .collect();
        print_line(text, widths, &titles);
        for row in &self.rows {
            let first: Vec<_> = row
                .iter()
                .enumerate()
                .map(|(i, cell)| {
                    let style = if i == 0 { BOLD } else { PLAIN };
                    let mut spans = vec![(style, cell.value.as_str())];
                    if *beside && cell.beside.is_some() {
                        spans.push((PLAIN, " "));
                        spans.push((DIM, cell.interval()));
                    }
                    spans
                })
                .collect();
            print_line(text, widths, &first);
            let intervals: Vec<_> = row.iter().map(|c| vec![(DIM, c.interval())]).collect();
            if !beside && row.iter().any(|cell| cell.beside.is_some()) {
                print_line(text, widths, &intervals);
            }
            let below: Vec<_> = row
                .iter()
                .map(|c| vec![(c.style, if *words { &c.below } else { &c.short }.as_str())])
                .collect();
            if row.iter().any(|cell| !cell.below.is_empty()) {
                print_line(text, widths, &below);
            }
        }
    }
}

fn beside(cell: &Cell) -> usize {
    match cell.interval() {
        "" => length(&cell.value),
        interval => length(&cell.value) + 1 + length(interval),
    }
}

/// Narrows the widest columns until the table fits.
fn fit(mut widths: Vec<usize>, room: usize) -> Vec<usize> {
    while total(&widths) > room {
        match widths.iter_mut().max() {
            Some(widest) if *widest > 4 => *widest -= 1,
            _ => break,
        }
    }
    widths
}

fn total(widths: &[usize]) -> usize {
    INDENT + widths.iter().sum::<usize>() + GAP * widths.len().saturating_sub(1)
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn print_line(text: &mut Text, widths: &[usize], cells: &[Vec<(Ansi, &str)>]) {
    let mut owned: Vec<(Ansi, String)> = vec![(PLAIN, " ".repeat(INDENT))];
    for (cell, &width) in cells.iter().zip(widths) {
        let mut room = width;
        for (style, span) in cell {
            let span = cut(span, room);
            room -= length(&span);
            owned.push((*style, span));
        }
        owned.push((PLAIN, " ".repeat(room + GAP)));
    }
    // The gap after the last column does not count against the width.
    if let Some((_, last)) = owned.last_mut() {
        last.clear();
    }
    let spans: Vec<(Ansi, &str)> = owned.iter().map(|(s, t)| (*s, t.as_str())).collect();
    text.line(&spans);
}
