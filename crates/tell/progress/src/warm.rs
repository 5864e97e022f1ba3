//! How far a warm-up has come: one line that renews itself on a terminal, a line every few seconds
//! in a log.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tacho_figures as figures;
use tacho_runner::Settling;
use tacho_warm_up::Warming as Seen;

const LOOK: Duration = Duration::from_millis(200);
const LINE: Duration = Duration::from_secs(5);

/// Tells until it is dropped, and clears its line then.
pub struct Warming {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Warming {
    /// Begins to tell.
    #[must_use]
    pub fn start(settling: &Settling) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let (settling, ended) = (settling.clone(), Arc::clone(&over));
        // Without a thread for it there is no progress, and nothing else is lost.
        let thread = std::thread::Builder::new().spawn(move || tell(&settling, &ended));
        Self {
            over,
            thread: thread.ok(),
        }
    }
}

impl Drop for Warming {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
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
