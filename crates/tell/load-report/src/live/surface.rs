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
    /// What standard error is, and what the environment asks for.
    #[must_use]
    pub fn of_stderr(quiet: bool) -> Self {
        if quiet {
            return Self::Off;
        }
        let variable = |name| std::env::var_os(name);
        Self::of(
            std::io::stderr().is_terminal(),
            variable("TERM").as_deref(),
            variable("NO_COLOR").as_deref(),
        )
    }

    /// `NO_COLOR` counts when it is set and not empty (no-color.org); a terminal that is `dumb`, or
    /// says nothing of itself, cannot write a line again.
    fn of(is_terminal: bool, term: Option<&OsStr>, no_color: Option<&OsStr>) -> Self {
        let can_move = term.is_some_and(|term| !term.is_empty() && term != "dumb");
        if is_terminal && can_move {
            Self::Terminal {
                colour: no_color.is_none_or(OsStr::is_empty),
            }
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
        let of = |is_terminal, term: Option<&str>, no_color: Option<&str>| {
            Surface::of(is_terminal, term.map(OsStr::new), no_color.map(OsStr::new))
        };
        let coloured = Surface::Terminal { colour: true };
        let plain = Surface::Terminal { colour: false };
        assert_eq!(of(true, Some("xterm"), None), coloured);
        assert_eq!(of(true, Some("xterm"), Some("")), coloured);
        assert_eq!(of(true, Some("xterm"), Some("1")), plain);
        assert_eq!(of(true, Some("dumb"), None), Surface::Lines);
        assert_eq!(of(true, None, None), Surface::Lines);
        assert_eq!(of(false, Some("xterm"), None), Surface::Lines);
    }
}
