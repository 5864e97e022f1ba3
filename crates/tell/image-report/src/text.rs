//! An image on the terminal: a line a layer.

use crate::{LayerMade, Report};
use tacho_figures::bytes;
use tacho_report::terminal::Style;
use tacho_report::terminal::style::{BOLD, DIM, PLAIN, YELLOW};

/// Everything, ending in a newline.
#[must_use]
pub fn render(report: &Report, style: &Style) -> String {
    let mut text = style.text();
    let Report {
        variant,
        platform,
        digest,
        ..
    } = report;
    text.blank();
    text.paragraph("", BOLD, &format!("`{variant}` for {platform}, {digest}"));
    text.blank();
    text.line(&[(DIM, &row("layer", "to fetch", "unpacked"))]);
    for layer in &report.layers {
        text.line(&[(PLAIN, &of(layer))]);
    }
    let all = row(
        "all",
        &bytes(report.compressed_bytes as f64),
        &known(report.unpacked_bytes),
    );
    text.line(&[(BOLD, &all)]);
    for note in &report.notes {
        text.blank();
        text.paragraph("", YELLOW, note);
    }
    text.finish(style.colour)
}

fn of(layer: &LayerMade) -> String {
    row(
        &layer.role,
        &bytes(layer.compressed_bytes as f64),
        &known(layer.unpacked_bytes),
    )
}

fn row(layer: &str, fetched: &str, unpacked: &str) -> String {
    format!("  {layer:<14} {fetched:>10} {unpacked:>10}")
}

fn known(size: Option<u64>) -> String {
    size.map_or_else(|| "not known".to_owned(), |size| bytes(size as f64))
}
