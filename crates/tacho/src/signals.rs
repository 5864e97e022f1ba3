//! Ctrl-C, SIGTERM and a terminal that was closed: the first signal ends the run in order, a second
//! one a while later at once. What was started is ended even then.
//!
//! Whatever is written meanwhile may find nobody who reads: see [`crate::tell!`] and
//! [`crate::print`].

use crate::error::Error;
use crate::exit::Exit;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_launch::threads::NoThread;
use tacho_runner::{RunError, Stop};

/// What comes sooner is the same wish: timeout(1) signals its child, and then the group in which
/// its child is as well.
const SAME_WISH: Duration = Duration::from_millis(300);

/// A stop flag that signals set.
pub fn stop_on_signals() -> Result<Stop, Error> {
    let stop = Stop::new();
    let flag = stop.flag().clone();
    let mut wanted = vec![SIGINT, SIGTERM];
    // nohup(1) ignores it, so that what it starts outlives the terminal: it stays ignored.
    if !is_ignored(SIGHUP) {
        wanted.push(SIGHUP);
    }
    let mut signals = Signals::new(wanted).map_err(Error::Signals)?;
    let wait = move || {
        let mut first = None;
        for _ in signals.forever() {
            flag.store(true, Ordering::SeqCst);
            let now = Instant::now();
            if now - *first.get_or_insert(now) > SAME_WISH {
                // Nothing is reported any more, but nothing is left on either.
                tacho_launch::end_all_held();
                std::process::exit(Exit::Interrupted.code());
            }
        }
    };
    std::thread::Builder::new()
        .name("tacho-signals".to_owned())
        .spawn(wait)
        .map_err(|refused| RunError::from(NoThread(refused)))?;
    Ok(stop)
}

/// A file that grows beyond the limit (RLIMIT_FSIZE, `ulimit -f`) ends the process by SIGXFSZ,
/// unless the signal is caught: then the write fails with EFBIG (setrlimit(2)), which is told as
/// any other cause. Caught, not ignored: what is ignored stays so in the subject.
pub fn survive_file_size_limit() {
    // Without it the kernel ends the program, as it did before.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Whether this program was started with the signal ignored: see proc_pid_status(5), SigIgn.
fn is_ignored(signal: i32) -> bool {
    tacho_observe::process::Status::own().is_ok_and(|own| own.ignores(signal))
}
