//! Progress of a warm-up: a line that is rewritten on a terminal, or a line every few seconds in a
//! log.

use crate::beside::Beside;
use std::ffi::OsStr;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_figures as figures;
use tacho_runner::Settling;
use tacho_warm_up::Warming as Seen;

const LOOK: Duration = Duration::from_millis(200);
const LINE: Duration = Duration::from_secs(5);

/// Reports until it is dropped, then clears its line.
pub struct Warming {
    // Dropped with this, it ends.
    _teller: Beside,
}

impl Warming {
    /// Begins to tell.
    #[must_use]
    pub fn start(settling: &Settling) -> Self {
        let settling = settling.clone();
        Self {
            _teller: Beside::start(move |over| tell(&settling, over)),
        }
    }
}

fn tell(settling: &Settling, over: &AtomicBool) {
    let can_rewrite = can_rewrite_lines();
    let began = Instant::now();
    let mut next_line = LINE;
    while !over.load(Ordering::SeqCst) {
        std::thread::sleep(LOOK);
        let line = line(&settling.now(), began.elapsed());
        if can_rewrite {
            // A wrapped line could not be rewritten: its end is cut off instead.
            let _ = write!(std::io::stderr(), "\r\x1b[?7l\x1b[K{line}\x1b[?7h");
        } else if began.elapsed() >= next_line {
            next_line += LINE;
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
    if can_rewrite {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

/// Whether lines on standard error can be rewritten.
pub(crate) fn can_rewrite_lines() -> bool {
    let term = std::env::var_os("TERM");
    can_rewrite(std::io::stderr().is_terminal(), term.as_deref())
}

/// A terminal that is `dumb`, or has no `TERM`, cannot.
fn can_rewrite(is_terminal: bool, term: Option<&OsStr>) -> bool {
    is_terminal && term.is_some_and(|term| !term.is_empty() && term != "dumb")
}

fn line(warming: &Seen, elapsed: Duration) -> String {
    let mut line = format!(
        "warming for {:.0} s: {} answered",
        elapsed.as_secs_f64(),
        figures::counted(warming.answered(), "1 request", "requests")
    );
    if warming.failed() > 0 {
        line += &format!(", {} failed", figures::count(warming.failed()));
    }
    if let Some(ms) = warming.last_ms() {
        line += &format!(", the last in {}", figures::ms(ms));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_terminal_that_can_do_so_rewrites_its_line() {
        let of = |is_terminal, term: Option<&str>| can_rewrite(is_terminal, term.map(OsStr::new));
        assert!(of(true, Some("xterm")));
        assert!(!of(true, Some("dumb")));
        assert!(!of(true, None));
        assert!(!of(false, Some("xterm")));
    }
}
