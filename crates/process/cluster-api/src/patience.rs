//! Retries while a server is away for some seconds, for example while it is updated, so that the
//! run does not end.

use crate::access::Reached;
use crate::error::{ClusterError, Doing};
use futures_util::{Stream, StreamExt};
use std::future::Future;
use std::time::{Duration, Instant};

/// For how long a server may be away.
pub const AWAY: Duration = Duration::from_secs(60);

/// Between two tries.
pub(crate) const PAUSE: Duration = Duration::from_millis(500);

/// A watch without news is begun anew after this time, in seconds. Servers end watches after some
/// minutes anyway.
pub(crate) const WATCH_S: u32 = 60;

/// For how long a watch may be silent: the server ends each after [`WATCH_S`]. A server that is
/// gone without a word would leave its watch open for ever.
pub(crate) const SILENCE: Duration = Duration::from_secs(WATCH_S as u64 + 10);

/// What came of a watch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Heard<T> {
    /// An event.
    Event(T),
    /// Its end.
    Ended,
    /// Nothing, for too long.
    Silent,
}

/// Waits for what comes next of a watch.
pub(crate) async fn heard<S: Stream + Unpin>(events: &mut S, at_most: Duration) -> Heard<S::Item> {
    match tokio::time::timeout(at_most, events.next()).await {
        Ok(Some(event)) => Heard::Event(event),
        Ok(None) => Heard::Ended,
        Err(_) => Heard::Silent,
    }
}

/// Asks again while the server is away.
pub(crate) async fn patiently<T, F: Future<Output = kube::Result<T>>>(
    doing: Doing,
    reached: &Reached,
    mut question: impl FnMut() -> F,
) -> Result<T, ClusterError> {
    let began = Instant::now();
    loop {
        match crate::answer(doing, reached, question()).await {
            Err(error) if error.may_pass() && began.elapsed() < AWAY => {
                tokio::time::sleep(PAUSE).await;
            }
            answer => return answer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream::{empty, iter, pending};
    use tokio::runtime::Builder;

    #[test]
    fn a_watch_whose_server_says_nothing_is_not_waited_for_without_end() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let at_most = Duration::from_millis(20);
        runtime.block_on(async {
            assert_eq!(heard(&mut pending::<u8>(), at_most).await, Heard::Silent);
            assert_eq!(heard(&mut iter([7]), at_most).await, Heard::Event(7));
            assert_eq!(heard(&mut empty::<u8>(), at_most).await, Heard::Ended);
        });
        // The server ends its watches before.
        assert!(SILENCE > Duration::from_secs(WATCH_S.into()));
    }
}
