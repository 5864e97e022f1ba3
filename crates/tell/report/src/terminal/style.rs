//! How every summary is printed: the width, and the few styles that there are.

use super::text::Text;
use crate::words;
use anstyle::{AnsiColor, Style as Ansi};
use tacho_run_folder::CertificateState;

/// As it comes.
pub const PLAIN: Ansi = Ansi::new();
/// Titles, and the sentence that counts.
pub const BOLD: Ansi = Ansi::new().bold();
/// For what only explains a number.
pub const DIM: Ansi = Ansi::new().dimmed();
/// For what is better, or passed.
pub const GREEN: Ansi = AnsiColor::Green.on_default();
/// For what is worse, or failed.
pub const RED: Ansi = AnsiColor::Red.on_default();
/// To be looked at.
pub const YELLOW: Ansi = AnsiColor::Yellow.on_default();

/// Whether an objective holds.
#[must_use]
pub fn sign(holds: bool) -> (&'static str, Ansi) {
    if holds { ("✓", GREEN) } else { ("✗", RED) }
}

/// How far the numbers may be believed.
#[must_use]
pub fn of_certificate(state: CertificateState) -> Ansi {
    match state {
        CertificateState::Valid => GREEN,
        CertificateState::Degraded => YELLOW,
        CertificateState::Invalid => RED,
    }
}

/// The line with which the certificate begins, and an empty one before it.
pub fn certificate_line(text: &mut Text, state: CertificateState) {
    text.blank();
    text.line(&[
        (BOLD, "Certificate: "),
        (of_certificate(state), words::certificate(state)),
        (PLAIN, &format!(", {}", words::certificate_meaning(state))),
    ]);
}

/// How a summary is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Style {
    /// Escape sequences for colours are allowed.
    pub colour: bool,
    /// Columns of the terminal; a summary needs 60 at least and uses no more than 100.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            colour: false,
            width: 100,
        }
    }
}

impl Style {
    /// An empty text as wide as a summary may be here.
    #[must_use]
    pub fn text(&self) -> Text {
        Text::new(self.width.clamp(60, 100))
    }
}
