//! Progress of a warm-up: a line that is rewritten on a terminal, or a line every few seconds in a
//! log.

use crate::beside::Beside;
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
    let is_terminal = std::io::stderr().is_terminal();
    let began = Instant::now();
    let mut next_line = LINE;
    while !over.load(Ordering::SeqCst) {
        std::thread::sleep(LOOK);
        let line = line(&settling.now(), began.elapsed());
        if is_terminal {
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        } else if began.elapsed() >= next_line {
            next_line += LINE;
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
    if is_terminal {
        let _ = write!(std::io::stderr(), "\r\x1b[K");
    }
}

fn line(warming: &Seen, elapsed: Duration) -> String {
    let mut line = format!(
        "warming for {:.0} s: {} requests answered",
        elapsed.as_secs_f64(),
        figures::count(warming.answered())
    );
    if warming.failed() > 0 {
        line += &format!(", {} failed", figures::count(warming.failed()));
    }
    if let Some(ms) = warming.last_ms() {
        line += &format!(", the last in {}", figures::ms(ms));
    }
    line
}
