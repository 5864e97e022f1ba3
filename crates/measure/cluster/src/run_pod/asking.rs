//! A line to a run pod, seen to be alive.

use super::message::Wish;
use std::io;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_clock::wall_ns;
use tacho_runner::Stop;
use tacho_workers::write_line;

/// Between two looks whether the user wishes to end.
const LOOK: Duration = Duration::from_millis(200);
/// Between two questions for the pod's time.
const ASKING: Duration = Duration::from_secs(10);
/// On a working connection something arrives within this time.
pub const SILENT: Duration = Duration::from_secs(40);

/// Asks the pod for its time again and again: a connection over which no answer comes is known to
/// be broken. It also tells the pod when the user wishes to end.
pub struct Asking {
    /// When it was asked last.
    pub asked_ns: Arc<AtomicU64>,
    is_over: Arc<AtomicBool>,
}

impl Asking {
    /// Until it is dropped.
    pub fn begin(stop: &Stop, to: &UnixStream) -> io::Result<Self> {
        let asking = Self {
            asked_ns: Arc::new(AtomicU64::new(0)),
            is_over: Arc::new(AtomicBool::new(false)),
        };
        let (stop, mut to) = (stop.clone(), to.try_clone()?);
        let (asked_ns, is_over) = (Arc::clone(&asking.asked_ns), Arc::clone(&asking.is_over));
        let mut ask = move || -> io::Result<()> {
            let mut is_told = false;
            let mut asked: Option<Instant> = None;
            while !is_over.load(Ordering::SeqCst) {
                if stop.is_set() && !std::mem::replace(&mut is_told, true) {
                    write_line(&Wish::Stop, &mut to)?;
                }
                if asked.is_none_or(|asked| asked.elapsed() > ASKING) {
                    asked = Some(Instant::now());
                    asked_ns.store(wall_ns(), Ordering::SeqCst);
                    write_line(&Wish::Time, &mut to)?;
                }
                sleep(LOOK);
            }
            Ok(())
        };
        let thread = std::thread::Builder::new().name("tacho-asking".to_owned());
        // Where the line is broken, whoever reads from it knows, and the next one is told all.
        thread.spawn(move || drop(ask()))?;
        Ok(asking)
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}
