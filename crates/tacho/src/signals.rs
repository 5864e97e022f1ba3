//! Ctrl-C, SIGTERM and a closed terminal. The first signal ends the run in an orderly way; another
//! one more than 300 ms later ends it at once. Either way, everything that was started is ended.
//!
//! Output may have no reader any more at that time: see [`crate::tell!`] and [`crate::print`].

use crate::error::Error;
use crate::exit::Exit;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::iterator::Signals;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_launch::threads::NoThread;
use tacho_runner::{RunError, Stop};

/// A second signal within this time counts as the same one. timeout(1), for example, signals its
/// child and then the process group, which contains the child as well.
const SAME_WISH: Duration = Duration::from_millis(300);

/// A stop flag that signals set.
pub fn stop_on_signals() -> Result<Stop, Error> {
    let stop = Stop::new();
    let flag = stop.flag().clone();
    let mut wanted = vec![SIGINT, SIGTERM];
    // nohup(1) ignores SIGHUP, so that its command outlives the terminal. Keep it ignored.
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
                // Nothing is reported any more, but nothing that was started stays behind.
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

/// A file that grows beyond the limit (RLIMIT_FSIZE, `ulimit -f`) ends the process by SIGXFSZ. If
/// the signal is caught, the write fails with EFBIG instead (setrlimit(2)), which is reported like
/// any other error. It is caught and not ignored, because the subject would inherit an ignored
/// signal.
pub fn survive_file_size_limit() {
    // If this fails, the kernel ends the program, as it would without it.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Whether this program was started with the signal ignored: see proc_pid_status(5), SigIgn.
fn is_ignored(signal: i32) -> bool {
    tacho_observe::process::Status::own().is_ok_and(|own| own.ignores(signal))
}
