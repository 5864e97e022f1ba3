//! How long a registry is waited for: for as long as it takes what it is sent. A large part over a
//! slow line may take hours.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::time::timeout;

/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);

/// Waits for what a registry was asked.
#[derive(Debug)]
pub struct Patience {
    at_most: Duration,
    taken: Arc<AtomicU64>,
}

/// For so long it neither took a piece of what it is sent nor answered.
#[derive(Debug, PartialEq, Eq)]
pub struct Silent;

impl Patience {
    /// With a registry that is silent for so long.
    pub fn new(at_most: Duration) -> Self {
        Self {
            at_most,
            taken: Arc::default(),
        }
    }

    /// Counts the pieces that were taken; whoever sends them adds to it.
    pub fn taken(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.taken)
    }

    /// Waits for an answer.
    pub async fn wait<T>(&self, asked: impl Future<Output = T>) -> Result<T, Silent> {
        let mut asked = pin!(asked);
        let mut seen = self.taken.load(Ordering::Relaxed);
        let mut since = Instant::now();
        loop {
            if let Ok(answer) = timeout(LOOK, asked.as_mut()).await {
                return Ok(answer);
            }
            let taken = self.taken.load(Ordering::Relaxed);
            if taken != seen {
                (seen, since) = (taken, Instant::now());
            }
            if since.elapsed() > self.at_most {
                return Err(Silent);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;
    use tokio::runtime::Builder;
    use tokio::time::sleep;

    #[test]
    fn who_takes_piece_after_piece_is_waited_for_and_who_is_silent_is_not() {
        let runtime = Builder::new_current_thread().enable_time().build().unwrap();
        let patience = Patience::new(Duration::from_secs(1));
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
            assert_eq!(patience.wait(pending::<()>()).await, Err(Silent));
        });
    }
}
