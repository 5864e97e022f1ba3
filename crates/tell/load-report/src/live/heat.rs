//! The heat strip: a column a second, a row a bin of response time, the darker the more requests.

use anstyle::{Ansi256Color, Style as Ansi};
use tacho_figures as figures;
use tacho_load::recorder::{BINS, LiveSecond, bin_from_ms};

/// More rows would be more than a glance.
const ROWS: usize = 6;
/// More columns than are kept make no sense, and these are enough.
const COLUMNS: usize = 40;
/// Width of the times on the left.
const LABEL: usize = 9;

/// From few to many, as signs and as colours of the 256-colour palette, from dark blue to yellow.
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
    // As many bins to a row as it takes.
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

/// What is shown of a second in a row: the share of the second's requests that fell there.
fn cell(seconds: &[&LiveSecond], column: i64, bins: std::ops::Range<usize>) -> (Ansi, String) {
    let blank = || (Ansi::new(), " ".to_owned());
    // A second that took longer is drawn in all of its columns.
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
    // By factors of ten: one slow request among a thousand is what one looks for.
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
