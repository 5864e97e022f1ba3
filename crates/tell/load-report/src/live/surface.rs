//! Where the view is drawn.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// How standard error takes what is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// A terminal, whose lines can be written again.
    Terminal {
        /// Colours are wanted.
        colour: bool,
    },
    /// Whole lines, one each few seconds.
    Lines,
    /// Nothing at all.
    Off,
}

impl Surface {
    /// Decides from the kind of standard error and from the environment. With `colour`, a terminal
    /// whose lines can be rewritten gets colours.
    #[must_use]
    pub fn of_stderr(quiet: bool, colour: bool) -> Self {
        if quiet {
            return Self::Off;
        }
        let term = std::env::var_os("TERM");
        Self::of(std::io::stderr().is_terminal(), term.as_deref(), colour)
    }

    /// A terminal that is `dumb`, or has no `TERM`, cannot rewrite a line.
    fn of(is_terminal: bool, term: Option<&OsStr>, colour: bool) -> Self {
        let can_move = term.is_some_and(|term| !term.is_empty() && term != "dumb");
        if is_terminal && can_move {
            Self::Terminal { colour }
        } else {
            Self::Lines
        }
    }

    /// Columns and rows of the terminal on standard error; those of a VT100 where it does not
    /// say.
    pub(super) fn size() -> (usize, usize) {
        match rustix::termios::tcgetwinsize(std::io::stderr()) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => {
                (usize::from(size.ws_col), usize::from(size.ws_row))
            }
            _ => (80, 24),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_decides() {
        let of = |is_terminal, term: Option<&str>, colour| {
            Surface::of(is_terminal, term.map(OsStr::new), colour)
        };
        let coloured = Surface::Terminal { colour: true };
        let plain = Surface::Terminal { colour: false };
        assert_eq!(of(true, Some("xterm"), true), coloured);
        assert_eq!(of(true, Some("xterm"), false), plain);
        assert_eq!(of(true, Some("dumb"), true), Surface::Lines);
        assert_eq!(of(true, None, true), Surface::Lines);
        assert_eq!(of(false, Some("xterm"), true), Surface::Lines);
    }
}
