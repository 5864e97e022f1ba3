//! Tables of rows of one line each: every column as wide as its widest cell.

use super::style::DIM;
use super::text::{Text, cut};
use anstyle::Style as Ansi;

const INDENT: usize = 2;
const GAP: usize = 2;

/// A column and how its cells stand in it.
#[derive(Debug, Clone)]
pub struct Column {
    title: String,
    right: bool,
}

impl Column {
    /// A column of words, aligned to the left.
    #[must_use]
    pub fn left(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            right: false,
        }
    }

    /// A column of numbers, aligned to the right.
    #[must_use]
    pub fn right(title: &str) -> Self {
        Self {
            title: title.to_owned(),
            right: true,
        }
    }
}

/// Rows in the making.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<(Ansi, Vec<String>)>,
}

impl Table {
    /// No row yet.
    #[must_use]
    pub fn new(columns: Vec<Column>) -> Self {
        Self {
            columns,
            rows: Vec::new(),
        }
    }

    /// Adds a row.
    pub fn row(&mut self, style: Ansi, cells: Vec<String>) {
        self.rows.push((style, cells));
    }

    /// Prints the table. If it is too wide, columns of words are cut. Columns of numbers are never
    /// narrowed; if that is not enough, the line is cut at the edge of the terminal.
    pub fn print(&self, text: &mut Text) {
        let widths = self.widths(text.width());
        if self.columns.iter().any(|c| !c.title.is_empty()) && !self.rows.is_empty() {
            let titles: Vec<String> = self.columns.iter().map(|c| c.title.clone()).collect();
            text.line(&[(DIM, &self.line(&titles, &widths))]);
        }
        for (style, cells) in &self.rows {
            text.line(&[(*style, &self.line(cells, &widths))]);
        }
    }

    fn widths(&self, room: usize) -> Vec<usize> {
        let mut widths: Vec<usize> = (0..self.columns.len())
            .map(|i| {
                let cells = self.rows.iter().filter_map(|(_, row)| row.get(i));
                let titles = std::iter::once(&self.columns[i].title);
                let lengths = cells.chain(titles).map(|cell| cell.chars().count());
                lengths.max().unwrap_or(0)
            })
            .collect();
        let gaps = INDENT + GAP * self.columns.len().saturating_sub(1);
        let words = (0..self.columns.len()).filter(|i| !self.columns[*i].right);
        let words: Vec<usize> = words.collect();
        loop {
            let total = gaps + widths.iter().sum::<usize>();
            let widest = words.iter().copied().max_by_key(|i| widths[*i]);
            match widest {
                Some(i) if total > room && widths[i] > 8 => widths[i] -= 1,
                _ => return widths,
            }
        }
    }

    fn line(&self, cells: &[String], widths: &[usize]) -> String {
        let mut line = " ".repeat(INDENT);
        for (i, ((column, cell), width)) in self.columns.iter().zip(cells).zip(widths).enumerate() {
            if i > 0 {
                line.push_str(&" ".repeat(GAP));
            }
            let cell = cut(cell, *width);
            let space = " ".repeat(width - cell.chars().count());
            if column.right {
                line.push_str(&space);
                line.push_str(&cell);
            } else {
                line.push_str(&cell);
                line.push_str(&space);
            }
        }
        line
    }
}
