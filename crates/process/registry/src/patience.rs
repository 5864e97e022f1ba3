//! How long a registry is waited for: for as long as it takes what it is sent, and the user wants
//! that. A large part over a slow line may take hours.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// Waits for what a registry was asked.
#[derive(Debug)]
pub struct Patience<'s> {
    at_most: Duration,
    stop: &'s AtomicBool,
    taken: Arc<AtomicU64>,
}

/// Why it is waited for no longer.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// For so long it neither took a piece of what it is sent nor answered.
    Silent,
    /// The user wishes to end.
    Stopped,
}

impl<'s> Patience<'s> {
    /// With a registry that is silent for so long, until the flag is set.
    pub fn new(at_most: Duration, stop: &'s AtomicBool) -> Self {
        Self {
            at_most,
            stop,
            taken: Arc::default(),
        }
    }

    /// Counts the pieces that were taken; whoever sends them adds to it.
    pub fn taken(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.taken)
    }

    /// Waits for an answer.
    pub async fn wait<T>(&self, asked: impl Future<Output = T>) -> Result<T, Ended> {
        let mut asked = pin!(asked);
        let mut seen = self.taken.load(Ordering::Relaxed);
        let mut since = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            if let Ok(answer) = timeout(LOOK, asked.as_mut()).await {
                return Ok(answer);
            }
            let taken = self.taken.load(Ordering::Relaxed);
            if taken != seen {
                (seen, since) = (taken, Instant::now());
            }
            if since.elapsed() > self.at_most {
                return Err(Ended::Silent);
            }
        }
        Err(Ended::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::runtime::Builder;
    use tokio::time::sleep;

    #[test]
    fn who_is_to_stop_waits_for_nobody() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let stop = AtomicBool::new(false);
        let patience = Patience::new(Duration::from_secs(600), &stop);
        let answer = runtime.block_on(patience.wait(async {
            stop.store(true, Ordering::SeqCst);
            pending::<()>().await;
        }));
        assert_eq!(answer, Err(Ended::Stopped));
        let answer = runtime.block_on(patience.wait(async { "at once" }));
        assert_eq!(answer, Err(Ended::Stopped));
    }

    #[test]
    fn who_takes_piece_after_piece_is_waited_for_and_who_is_silent_is_not() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let stop = AtomicBool::new(false);
        let patience = Patience::new(Duration::from_secs(1), &stop);
        let taken = patience.taken();
        runtime.block_on(async {
            let longer_than_that = async {
                for _ in 0..30 {
                    sleep(Duration::from_millis(50)).await;
                    taken.fetch_add(1, Ordering::Relaxed);
                }
                "it is there"
            };
            let answer = patience.wait(longer_than_that).await;
            assert_eq!(answer, Ok("it is there"));
            assert_eq!(patience.wait(pending::<()>()).await, Err(Ended::Silent));
        });
    }
}
