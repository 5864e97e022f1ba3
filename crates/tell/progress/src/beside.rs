//! A thread that tells while something else is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// It tells until it is dropped. Without a thread, which the kernel may refuse, nothing is told,
/// and nothing else is lost.
pub struct Beside {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Beside {
    /// `tell` ends soon after the flag is set.
    pub fn start(tell: impl FnOnce(&AtomicBool) + Send + 'static) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        let thread = std::thread::Builder::new().spawn(move || tell(&ended));
        Self {
            over,
            thread: thread.ok(),
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
