//! Keeps the log of a process within bounds while it runs.

use std::fs::File;
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use tacho_files::log::Bounded;

/// Interval between two checks of the log. Until the next check a subject can write as much as the
/// disk takes. A check is one system call.
const LOOK: Duration = Duration::from_millis(100);

/// A thread that looks at the log until the process has ended.
#[derive(Debug)]
pub(crate) struct KeptLog {
    path: PathBuf,
    /// Dropped to end the thread.
    going_on: Option<Sender<()>>,
    thread: Option<JoinHandle<Bounded>>,
    left_out: u64,
}

impl KeptLog {
    /// Starts a thread that keeps the log within bounds from this byte on. If the kernel refuses
    /// the thread, the log is kept whole.
    pub(crate) fn begin(file: File, path: PathBuf, begins: u64) -> Self {
        let (going_on, ended) = channel::<()>();
        let mut log = Bounded::new(file, begins);
        let thread = std::thread::Builder::new()
            .name("tacho-log".to_owned())
            .spawn(move || {
                // A file system without holes keeps it whole.
                while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                    let _ = log.look();
                }
                log
            });
        Self {
            path,
            going_on: Some(going_on),
            thread: thread.ok(),
            left_out: 0,
        }
    }

    /// To be called when nobody writes any more.
    pub(crate) fn end(&mut self) {
        self.going_on = None;
        let Some(mut log) = self.thread.take().and_then(|thread| thread.join().ok()) else {
            return;
        };
        let _ = log.look();
        // If the parts cannot be joined, the hole stays, and readers skip it.
        self.left_out = log.close(&self.path).unwrap_or(0);
    }

    pub(crate) fn left_out(&self) -> u64 {
        self.left_out
    }
}
