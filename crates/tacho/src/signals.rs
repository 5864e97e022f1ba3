//! Ctrl-C and SIGTERM: the first ends the run in order, a second one a while later at once. (What was started is ended
//! even then: its parent's death is its own signal, and the next command sweeps.)

use crate::error::Error;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::time::{Duration, Instant};
use tacho_runner::Stop;

/// What comes sooner is the same wish: timeout(1) signals its child, and then the group in which its child is as well.
const SAME_WISH: Duration = Duration::from_millis(300);

/// A stop flag that signals set.
pub fn stop_on_signals() -> Result<Stop, Error> {
    let stop = Stop::new();
    let flag = stop.flag().clone();
    let mut signals = Signals::new([SIGINT, SIGTERM]).map_err(Error::Signals)?;
    let wait = move || {
        let mut first = None;
        for signal in signals.forever() {
            flag.store(true, std::sync::atomic::Ordering::SeqCst);
            let now = Instant::now();
            if now - *first.get_or_insert(now) > SAME_WISH {
                // As a shell would say.
                std::process::exit(128 + signal);
            }
        }
    };
    std::thread::Builder::new()
        .name("tacho-signals".to_owned())
        .spawn(wait)
        .map_err(Error::Signals)?;
    Ok(stop)
}
