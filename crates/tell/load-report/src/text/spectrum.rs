//! A small histogram of response times, four bins to a factor of ten.

use crate::records::Distribution;
use crate::run::LoadRun;
use tacho_figures as figures;
use tacho_load::recorder::{BINS, bin_from_ms};
use tacho_report::terminal::style::{DIM, PLAIN};
use tacho_report::terminal::text::Text;

/// More rows would not tell more.
const ROWS: usize = 14;
/// Partial blocks in eighths of a column.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// Prints all bins from the first to the last that hold a request; nothing if there is only one
/// bin.
pub fn print(text: &mut Text, run: &LoadRun) {
    let mut response = Distribution::default();
    for phase in &run.distributions {
        response.merge(&phase.response);
    }
    let bins = bins(&response);
    if bins.len() < 2 {
        return;
    }
    text.heading("Response time", "  of requests that succeeded");
    let most = bins.iter().map(|b| b.count).max().unwrap_or(1);
    let labels: Vec<String> = bins.iter().map(Bin::label).collect();
    let label_width = labels.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let bar_width = text.width().saturating_sub(label_width + 2 + 2 + 22);
    for (bin, label) in bins.iter().zip(&labels) {
        let bar = bar(bin.count, most, bar_width);
        let share = figures::percent(bin.count as f64 / response.count() as f64);
        let counts = format!("{:>9} {:>11}", share, figures::count(bin.count));
        let padding = " ".repeat(bar_width - bar.chars().count());
        text.line(&[
            (DIM, &format!("  {label:>label_width$} ")),
            (PLAIN, &bar),
            (DIM, &format!("{padding}{counts}")),
        ]);
    }
}

struct Bin {
    from_ms: f64,
    to_ms: f64,
    count: u64,
}

impl Bin {
    /// The upper bound of the bin, since readers look for it.
    fn label(&self) -> String {
        if self.to_ms.is_infinite() {
            return format!("> {}", figures::ms(self.from_ms));
        }
        format!("≤ {}", figures::ms(self.to_ms))
    }
}

/// From the first bin that holds a request to the last. If there are too many, the last ones are
/// merged.
fn bins(response: &Distribution) -> Vec<Bin> {
    let up_to = |bin: usize| {
        if bin == BINS {
            response.count()
        } else {
            response.count_up_to((bin_from_ms(bin) * 1e6) as u64)
        }
    };
    let all: Vec<Bin> = (0..BINS)
        .map(|bin| Bin {
            from_ms: bin_from_ms(bin),
            to_ms: if bin + 1 == BINS {
                f64::INFINITY
            } else {
                bin_from_ms(bin + 1)
            },
            count: up_to(bin + 1) - if bin == 0 { 0 } else { up_to(bin) },
        })
        .collect();
    let first = all.iter().position(|b| b.count > 0);
    let last = all.iter().rposition(|b| b.count > 0);
    let (Some(first), Some(last)) = (first, last) else {
        return Vec::new();
    };
    let mut bins: Vec<Bin> = all.into_iter().take(last + 1).skip(first).collect();
    while bins.len() > ROWS {
        if let (Some(end), Some(before)) = (bins.pop(), bins.last_mut()) {
            before.count += end.count;
            before.to_ms = end.to_ms;
        }
    }
    bins
}

/// A bin that holds any request gets a visible bar.
fn bar(count: u64, most: u64, width: usize) -> String {
    let eighths = (count as f64 / most.max(1) as f64 * width as f64 * 8.0).round() as usize;
    let eighths = if count > 0 { eighths.max(1) } else { 0 };
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_its_share_and_never_vanishes() {
        assert_eq!(bar(100, 100, 10), "██████████");
        assert_eq!(bar(50, 100, 10), "█████");
        assert_eq!(bar(1, 1_000_000, 10), "▏");
        assert_eq!(bar(0, 100, 10), "");
    }
}
