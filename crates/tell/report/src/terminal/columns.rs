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

/// How a row is shown, and its cells.
type Row = (Ansi, Vec<String>);

/// Rows in the making.
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
    rows: Vec<Row>,
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

    /// Prints the table without losing a figure. If it is too wide, each figure gets a line of its
    /// own and each row a column, as many beside each other as fit. The first column names rows.
    pub fn print_whole(&self, text: &mut Text) {
        if length(&self.own_widths()) <= text.width() {
            self.print(text);
        } else {
            self.print_turned(text);
        }
    }

    fn print_turned(&self, text: &mut Text) {
        let titles = self.columns.iter().map(|c| c.title.chars().count());
        let widest_title = titles.max().unwrap_or(0);
        let room = text.width().saturating_sub(INDENT + widest_title);
        let mut rest = self.rows.as_slice();
        while !rest.is_empty() {
            let (beside, later) = rest.split_at(fitting(rest, room));
            for (place, column) in self.columns.iter().enumerate() {
                let title = format!("{}{:<widest_title$}", " ".repeat(INDENT), column.title);
                let cells = beside.iter().map(|row| (row.0, turned(row, place, room)));
                let cells: Vec<(Ansi, String)> = cells.collect();
                let mut spans = vec![(DIM, title.as_str())];
                spans.extend(cells.iter().map(|(style, cell)| (*style, cell.as_str())));
                text.line(&spans);
            }
            if !later.is_empty() {
                text.blank();
            }
            rest = later;
        }
    }

    /// Each column as wide as its widest cell.
    fn own_widths(&self) -> Vec<usize> {
        (0..self.columns.len())
            .map(|i| {
                let cells = self.rows.iter().filter_map(|(_, row)| row.get(i));
                let titles = std::iter::once(&self.columns[i].title);
                let lengths = cells.chain(titles).map(|cell| cell.chars().count());
                lengths.max().unwrap_or(0)
            })
            .collect()
    }

    fn widths(&self, room: usize) -> Vec<usize> {
        let mut widths = self.own_widths();
        let words = (0..self.columns.len()).filter(|i| !self.columns[*i].right);
        let words: Vec<usize> = words.collect();
        loop {
            let total = length(&widths);
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

/// Length of a line whose columns have these widths.
fn length(widths: &[usize]) -> usize {
    INDENT + GAP * widths.len().saturating_sub(1) + widths.iter().sum::<usize>()
}

/// How many of the rows fit beside each other, each as a column; one at least.
fn fitting(rows: &[Row], room: usize) -> usize {
    let ends = rows.iter().scan(0, |end, row| {
        *end += GAP + widest(row);
        Some(*end)
    });
    ends.take_while(|end| *end <= room).count().max(1)
}

fn widest((_, cells): &Row) -> usize {
    let lengths = cells.iter().map(|cell| cell.chars().count());
    lengths.max().unwrap_or(0)
}

/// A cell of a row that stands as a column.
fn turned(row: &Row, place: usize, room: usize) -> String {
    let width = widest(row).min(room.saturating_sub(GAP));
    let cell = cut(row.1.get(place).map_or("", String::as_str), width);
    format!("{}{cell:>width$}", " ".repeat(GAP))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terminal::style::PLAIN;

    fn printed(width: usize) -> String {
        let mut table = Table::new(vec![
            Column::left(""),
            Column::right("requests"),
            Column::right("lost"),
            Column::right("p50"),
            Column::right("longest"),
        ]);
        for cells in [
            ["before", "100", "0", "3.00 ms", "9.00 ms"],
            ["first", "200", "1", "4.00 ms", "400 ms"],
            ["second", "300", "0", "5.00 ms", "1.20 s"],
        ] {
            table.row(PLAIN, cells.map(str::to_owned).into());
        }
        let mut text = Text::new(width);
        table.print_whole(&mut text);
        text.finish(false)
    }

    #[test]
    fn a_table_that_fits_has_a_line_a_row() {
        let text = printed(42);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "          requests  lost      p50  longest",
                "  before       100     0  3.00 ms  9.00 ms",
                "  first        200     1  4.00 ms   400 ms",
                "  second       300     0  5.00 ms   1.20 s",
            ]
        );
    }

    #[test]
    fn a_table_that_is_too_wide_has_a_line_a_figure() {
        let text = printed(30);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "             before    first",
                "  requests      100      200",
                "  lost            0        1",
                "  p50       3.00 ms  4.00 ms",
                "  longest   9.00 ms   400 ms",
                "",
                "             second",
                "  requests      300",
                "  lost            0",
                "  p50       5.00 ms",
                "  longest    1.20 s",
            ]
        );
    }
}
