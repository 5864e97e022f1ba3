//! Watches a pod while it lives: each state that the API reports, with the instant at which it
//! came.

use crate::access::{Access, Reached};
use crate::error::{ClusterError, Doing};
use crate::patience::{AWAY, Heard, SILENCE, WATCH_S, heard};
use crate::pod::PodState;
use crate::thread::Errand;
use k8s_openapi::api::core::v1::Pod;
use kube::ResourceExt;
use kube::api::{Api, WatchEvent, WatchParams};
use std::pin::pin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;

/// Between two tries to watch.
const PAUSE: Duration = Duration::from_millis(200);
/// Most states that wait to be read. A pod has fewer states.
const KEPT: usize = 1024;

/// What is told of a pod.
#[derive(Debug)]
pub enum News {
    /// Its state.
    State {
        /// When it came, in nanoseconds of the monotonic clock.
        at_ns: u64,
        /// Set when this state was asked for after a gap in the watch. It may have come at any
        /// instant since this one. `None` when the watch reported it.
        missed_since_ns: Option<u64>,
        /// The state.
        state: Box<PodState>,
    },
    /// It is no longer there.
    Gone,
    /// The server has been away for too long.
    Lost(ClusterError),
}

/// The watch of one pod. Dropping it ends the watch.
#[derive(Debug)]
pub struct Following {
    news: Receiver<News>,
    _errand: Errand,
}

impl Following {
    /// The next news, if it comes in time. `None` as well when no more will come.
    #[must_use]
    pub fn next(&self, within: Duration) -> Option<News> {
        match self.news.recv_timeout(within) {
            Ok(news) => Some(news),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // The watch has ended. A caller in a loop must not keep a processor busy.
                std::thread::sleep(within);
                None
            }
        }
    }

    /// The news that has already come, without waiting.
    #[must_use]
    pub fn come(&self) -> Option<News> {
        self.news.try_recv().ok()
    }

    pub(crate) fn begin(access: Access, name: String) -> Result<Self, ClusterError> {
        let (send, news) = sync_channel(KEPT);
        let errand = Errand::begin("pod", move || async move {
            watch(&access, &name, &send).await;
        })?;
        Ok(Self {
            news,
            _errand: errand,
        })
    }
}

async fn watch(access: &Access, name: &str, send: &SyncSender<News>) {
    // A receiver that is gone means that the watch was dropped.
    let tell = |news| {
        let _ = send.try_send(news);
    };
    let (client, reached) = match access.client().await {
        Ok(reached) => reached,
        Err(error) => return tell(News::Lost(error)),
    };
    let mut watching = Watching {
        pods: Api::namespaced(client, reached.namespace.as_ref()),
        reached,
        name,
        heard_ns: monotonic_ns(),
        away_since: None,
        last: None,
        tell: &tell,
    };
    loop {
        match watching.once().await {
            Ok(End::Gone) => return tell(News::Gone),
            Ok(End::Anew) => {}
            Err(error) => {
                let since = *watching.away_since.get_or_insert_with(Instant::now);
                if !error.may_pass() || since.elapsed() > AWAY {
                    return tell(News::Lost(error));
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Why one watch ended.
enum End {
    Gone,
    /// Its time was over, nothing came for longer than that, or the server no longer has the
    /// version at which it began (410).
    Anew,
}

struct Watching<'a> {
    pods: Api<Pod>,
    reached: Reached,
    name: &'a str,
    heard_ns: u64,
    /// A server that says how the pod is is not away, even if something between it and us then
    /// breaks the watch off.
    away_since: Option<Instant>,
    last: Option<PodState>,
    tell: &'a dyn Fn(News),
}

impl Watching<'_> {
    /// Runs one watch, beginning with the present state.
    async fn once(&mut self) -> Result<End, ClusterError> {
        let now = self.pods.get_opt(self.name);
        let Some(pod) = crate::answer(Doing::WatchPod, &self.reached, now).await? else {
            return Ok(End::Gone);
        };
        self.away_since = None;
        let version = pod.resource_version().unwrap_or_default();
        self.state(&pod, Some(self.heard_ns));
        let how = WatchParams::default()
            .fields(&format!("metadata.name={}", self.name))
            .timeout(WATCH_S);
        let events = self.pods.watch(&how, &version);
        let events = crate::answer(Doing::WatchPod, &self.reached, events).await?;
        let mut events = pin!(events);
        loop {
            let event = match heard(&mut events, SILENCE).await {
                Heard::Event(event) => event,
                Heard::Ended => {
                    self.heard_ns = monotonic_ns();
                    return Ok(End::Anew);
                }
                // What came in the meantime is not known.
                Heard::Silent => return Ok(End::Anew),
            };
            match event {
                Ok(WatchEvent::Added(pod) | WatchEvent::Modified(pod)) => self.state(&pod, None),
                Ok(WatchEvent::Deleted(pod)) => {
                    self.state(&pod, None);
                    return Ok(End::Gone);
                }
                Ok(WatchEvent::Bookmark(_)) => self.heard_ns = monotonic_ns(),
                Ok(WatchEvent::Error(_)) => return Ok(End::Anew),
                Err(error) => {
                    let error = ClusterError::of(error, Doing::WatchPod, &self.reached);
                    return match error.is_expired() {
                        true => Ok(End::Anew),
                        false => Err(error),
                    };
                }
            }
        }
    }

    fn state(&mut self, pod: &Pod, missed_since_ns: Option<u64>) {
        let state = PodState::of(pod);
        let at_ns = monotonic_ns();
        self.heard_ns = at_ns;
        if self.last.as_ref() == Some(&state) {
            return;
        }
        self.last = Some(state.clone());
        (self.tell)(News::State {
            at_ns,
            missed_since_ns,
            state: Box::new(state),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::BreakingOff;
    use serde_json::json;

    #[test]
    fn a_server_that_answers_is_not_away_although_its_watches_break_off() {
        let pod = json!({
            "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"},
            "spec": {"containers": []}, "status": {},
        });
        let server = BreakingOff::with(&pod);
        server.block_on(|client, reached| async move {
            let tell = |_: News| {};
            let mut watching = Watching {
                pods: Api::namespaced(client, reached.namespace.as_ref()),
                reached,
                name: "p",
                heard_ns: 0,
                away_since: Some(Instant::now()),
                last: None,
                tell: &tell,
            };
            assert!(matches!(watching.once().await, Err(error) if error.may_pass()));
            assert_eq!(watching.away_since, None);
        });
    }
}
