//! How every summary is printed: the width, and the few styles that there are.

use super::text::Text;
use anstyle::{AnsiColor, Style as Ansi};

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
