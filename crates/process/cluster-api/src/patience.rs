//! Retries while a server is away for some seconds, for example while it is updated, so that the
//! run does not end.

use crate::access::Reached;
use crate::error::{ClusterError, Doing};
use std::future::Future;
use std::time::{Duration, Instant};

/// For how long a server may be away.
pub const AWAY: Duration = Duration::from_secs(60);

/// Between two tries.
pub(crate) const PAUSE: Duration = Duration::from_millis(500);

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
