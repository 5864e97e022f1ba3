//! The heat strip: one column per second, one row per range of response times. The darker a cell,
//! the more requests.

use anstyle::{Ansi256Color, Style as Ansi};
use tacho_figures as figures;
use tacho_load::recorder::{BINS, LiveSecond, bin_from_ms};

/// More rows cannot be read at a glance.
const ROWS: usize = 6;
/// At most this many columns, one per second. (The recorder keeps more seconds.)
const COLUMNS: usize = 40;
/// Width of the times on the left.
const LABEL: usize = 9;

/// Few to many requests, as characters and as colours of the 256-colour palette, from dark blue to
/// yellow.
const SHADES: [(char, u8); 4] = [('░', 25), ('▒', 73), ('▓', 178), ('█', 226)];

/// Lines of spans, slowest row first; none when nothing has ended yet or there is no room.
pub fn strip(seconds: &[&LiveSecond], now_s: f64, width: usize) -> Vec<Vec<(Ansi, String)>> {
    let columns = width.saturating_sub(LABEL + 4).min(COLUMNS);
    let used = |bin: usize| seconds.iter().any(|s| s.bins[bin] > 0);
    let first = (0..BINS).find(|bin| used(*bin));
    let last = (0..BINS).rfind(|bin| used(*bin));
    let (Some(first), Some(last)) = (first, last) else {
        return Vec::new();
    };
    if columns < 8 {
        return Vec::new();
    }
    // Combine bins so that they fit into the rows.
    let bins_a_row = (last - first + 1).div_ceil(ROWS);
    let rows = (last - first + 1).div_ceil(bins_a_row);
    let newest = now_s.floor() as i64;
    let oldest = newest - columns as i64;
    let mut lines = Vec::new();
    for row in (0..rows).rev() {
        let from = first + row * bins_a_row;
        let label = figures::ms(bin_from_ms(from));
        let mut line = vec![(Ansi::new().dimmed(), format!("{label:>LABEL$} ┤"))];
        for column in oldest..newest {
            line.push(cell(seconds, column, from..(from + bins_a_row).min(BINS)));
        }
        lines.push(line);
    }
    let axis = format!(
        "{:>LABEL$}  {:<half$}{:>rest$}",
        "",
        format!("-{columns} s"),
        "now",
        half = columns / 2,
        rest = columns - columns / 2
    );
    lines.push(vec![(Ansi::new().dimmed(), axis)]);
    lines
}

/// One cell: the share of the second's requests that fell into this row.
fn cell(seconds: &[&LiveSecond], column: i64, bins: std::ops::Range<usize>) -> (Ansi, String) {
    let blank = || (Ansi::new(), " ".to_owned());
    // A second that took longer than a second covers several columns.
    let covers = |s: &&&LiveSecond| {
        let from = s.from_s.round() as i64;
        let length = (s.length_s.round() as i64).max(1);
        (from..from + length).contains(&column)
    };
    let Some(second) = seconds.iter().find(covers) else {
        return blank();
    };
    let all: u64 = second.bins.iter().sum();
    let here: u64 = second.bins[bins].iter().sum();
    if here == 0 {
        return blank();
    }
    // Shades are steps of about a factor of ten, so that one slow request in a thousand is visible.
    let share = here as f64 / all.max(1) as f64;
    let (sign, colour) = match share {
        s if s >= 0.3 => SHADES[3],
        s if s >= 0.03 => SHADES[2],
        s if s >= 0.003 => SHADES[1],
        _ => SHADES[0],
    };
    let style = Ansi::new().fg_color(Some(Ansi256Color(colour).into()));
    (style, sign.to_string())
}
