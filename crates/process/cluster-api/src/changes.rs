//! Watches all pods of a selector and all endpoints of a Service: each change, with the instant at
//! which it came.

use crate::access::{Access, Reached};
use crate::error::{ClusterError, Doing};
use crate::patience::{AWAY, Heard, PAUSE, SILENCE, WATCH_S, heard};
use crate::thread::Errand;
use futures_util::future::{Either, select};
use k8s_openapi::api::core::v1::Pod;
use k8s_openapi::api::discovery::v1::EndpointSlice;
use kube::api::{Api, ListParams, WatchEvent, WatchParams};
use kube::{Resource, ResourceExt};
use serde::de::DeserializeOwned;
use std::collections::BTreeSet;
use std::fmt::Debug;
use std::net::IpAddr;
use std::pin::pin;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;

/// Changes that may wait to be read; far more than ever do.
const KEPT: usize = 65_536;
/// The label that names the Service of an EndpointSlice.
const SERVICE: &str = "kubernetes.io/service-name";

/// What changed.
#[derive(Debug)]
pub enum Change {
    /// A pod is there, in this state.
    Pod {
        /// Its name.
        name: String,
        /// Identifies the pod among those of the same name.
        uid: String,
        /// Where it is, once it is somewhere.
        node: Option<String>,
        /// Its address, once it has one.
        ip: Option<IpAddr>,
        /// A node was chosen for it.
        is_scheduled: bool,
        /// All of its containers run.
        is_running: bool,
        /// It is ready.
        is_ready: bool,
        /// It was told to end.
        is_ending: bool,
        /// How often its containers were started anew.
        restarts: u32,
    },
    /// A pod is no longer there.
    PodGone(String),
    /// A slice of endpoints names these pods as ready.
    Endpoints(String, BTreeSet<String>),
    /// A slice is no longer there.
    EndpointsGone(String),
    /// The server has been away for too long.
    Lost(ClusterError),
}

/// The watches. Dropping them ends them.
#[derive(Debug)]
pub struct Changes {
    come: Receiver<(u64, Change)>,
    _errand: Errand,
}

impl Changes {
    /// The next change, with its instant (monotonic nanoseconds), if one comes in time.
    #[must_use]
    pub fn next(&self, within: Duration) -> Option<(u64, Change)> {
        match self.come.recv_timeout(within) {
            Ok(change) => Some(change),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                // The watch has ended. A caller in a loop must not keep a processor busy.
                std::thread::sleep(within);
                None
            }
        }
    }

    pub(crate) fn begin(
        access: Access,
        selector: String,
        service: String,
    ) -> Result<Self, ClusterError> {
        let (send, come) = sync_channel(KEPT);
        let errand = Errand::begin("changes", move || async move {
            watch_both(&access, &selector, &service, &send).await;
        })?;
        Ok(Self {
            come,
            _errand: errand,
        })
    }
}

async fn watch_both(
    access: &Access,
    selector: &str,
    service: &str,
    send: &SyncSender<(u64, Change)>,
) {
    let tell = |change| {
        let _ = send.try_send((monotonic_ns(), change));
    };
    let (client, reached) = match access.client().await {
        Ok(reached) => reached,
        Err(error) => return tell(Change::Lost(error)),
    };
    let namespace = reached.namespace.as_ref();
    let pods = Watched {
        all: Api::<Pod>::namespaced(client.clone(), namespace),
        labels: selector.to_owned(),
        doing: Doing::ListPods,
        seen: of_pod,
        gone: Change::PodGone,
    };
    let slices = Watched {
        all: Api::<EndpointSlice>::namespaced(client.clone(), namespace),
        labels: format!("{SERVICE}={service}"),
        doing: Doing::WatchEndpoints,
        seen: of_slice,
        gone: Change::EndpointsGone,
    };
    let pods = pin!(pods.follow(&reached, &tell));
    let slices = pin!(slices.follow(&reached, &tell));
    let error = match select(pods, slices).await {
        Either::Left((error, _)) | Either::Right((error, _)) => error,
    };
    tell(Change::Lost(error));
}

/// All objects of a kind with some labels.
struct Watched<K> {
    all: Api<K>,
    labels: String,
    doing: Doing,
    seen: fn(&K) -> Change,
    gone: fn(String) -> Change,
}

impl<K> Watched<K>
where
    K: Resource + Clone + DeserializeOwned + Debug,
{
    /// Watches until the server has been away for too long.
    async fn follow(&self, reached: &Reached, tell: &dyn Fn(Change)) -> ClusterError {
        let mut known = BTreeSet::new();
        let mut away_since: Option<Instant> = None;
        loop {
            let watched = self.once(reached, tell, &mut known, &mut away_since);
            if let Err(error) = watched.await {
                let since = *away_since.get_or_insert_with(Instant::now);
                if !error.may_pass() || since.elapsed() > AWAY {
                    return error;
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }

    /// Runs one watch, beginning with what is there now. Objects that disappeared between two
    /// watches are reported as gone. A server that says what is there is not away, even if
    /// something between it and us then breaks the watch off.
    async fn once(
        &self,
        reached: &Reached,
        tell: &dyn Fn(Change),
        known: &mut BTreeSet<String>,
        away_since: &mut Option<Instant>,
    ) -> Result<(), ClusterError> {
        let these = ListParams::default().labels(&self.labels);
        let now = crate::answer(self.doing, reached, self.all.list(&these)).await?;
        *away_since = None;
        let there: BTreeSet<String> = now.iter().map(ResourceExt::name_any).collect();
        for name in known.difference(&there) {
            tell((self.gone)(name.clone()));
        }
        now.iter().for_each(|one| tell((self.seen)(one)));
        *known = there;
        let version = now.metadata.resource_version.unwrap_or_default();
        let how = WatchParams::default().labels(&self.labels).timeout(WATCH_S);
        let events = self.all.watch(&how, &version);
        let events = crate::answer(self.doing, reached, events).await?;
        let mut events = pin!(events);
        while let Heard::Event(event) = heard(&mut events, SILENCE).await {
            match event {
                Ok(WatchEvent::Added(one) | WatchEvent::Modified(one)) => {
                    known.insert(one.name_any());
                    tell((self.seen)(&one));
                }
                Ok(WatchEvent::Deleted(one)) => {
                    known.remove(&one.name_any());
                    tell((self.gone)(one.name_any()));
                }
                Ok(WatchEvent::Bookmark(_)) => {}
                // The server no longer has the version at which the watch began (410).
                Ok(WatchEvent::Error(_)) => return Ok(()),
                Err(error) => {
                    let error = ClusterError::of(error, self.doing, reached);
                    return match error.is_expired() {
                        true => Ok(()),
                        false => Err(error),
                    };
                }
            }
        }
        Ok(())
    }
}

fn of_pod(pod: &Pod) -> Change {
    let status = pod.status.as_ref();
    let holds = |name: &str| {
        let mut conditions = status
            .into_iter()
            .flat_map(|it| it.conditions.iter().flatten());
        conditions.any(|condition| condition.type_ == name && condition.status == "True")
    };
    let containers = status.and_then(|status| status.container_statuses.as_deref());
    let containers = containers.unwrap_or_default();
    let runs = |one: &k8s_openapi::api::core::v1::ContainerStatus| {
        one.state
            .as_ref()
            .is_some_and(|state| state.running.is_some())
    };
    let node = pod.spec.as_ref().and_then(|spec| spec.node_name.clone());
    let ip = status.and_then(|status| status.pod_ip.as_deref());
    Change::Pod {
        name: pod.name_any(),
        uid: pod.uid().unwrap_or_default(),
        node: node.filter(|node| !node.is_empty()),
        ip: ip.and_then(|ip| ip.parse().ok()),
        is_scheduled: holds("PodScheduled"),
        is_running: !containers.is_empty() && containers.iter().all(runs),
        is_ready: holds("Ready"),
        is_ending: pod.metadata.deletion_timestamp.is_some(),
        restarts: containers
            .iter()
            .map(|one| u32::try_from(one.restart_count).unwrap_or(0))
            .sum(),
    }
}

/// An endpoint without a `ready` condition is ready (discovery.k8s.io/v1, `conditions.ready`).
fn of_slice(slice: &EndpointSlice) -> Change {
    let ready = slice.endpoints.iter().filter(|endpoint| {
        let conditions = endpoint.conditions.as_ref();
        conditions.and_then(|it| it.ready).unwrap_or(true)
    });
    let pod = ready.filter_map(|endpoint| {
        let target = endpoint.target_ref.as_ref()?;
        let is_pod = target.kind.as_deref() == Some("Pod");
        is_pod.then(|| target.name.clone())?
    });
    Change::Endpoints(slice.name_any(), pod.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::BreakingOff;
    use serde_json::json;

    #[test]
    fn a_slice_names_the_pods_that_are_ready() {
        let endpoint = |pod: &str, ready: Option<bool>| {
            json!({
                "addresses": ["10.0.0.1"],
                "conditions": {"ready": ready},
                "targetRef": {"kind": "Pod", "name": pod},
            })
        };
        let slice = json!({
            "metadata": {"name": "users-abc"},
            "addressType": "IPv4",
            "endpoints": [
                endpoint("a", Some(true)),
                endpoint("b", None),
                endpoint("c", Some(false)),
                {"addresses": ["10.0.0.9"]},
            ],
        });
        let Change::Endpoints(name, pods) = of_slice(&serde_json::from_value(slice).unwrap())
        else {
            panic!("no endpoints");
        };
        assert_eq!(name, "users-abc");
        assert_eq!(pods, BTreeSet::from(["a".to_owned(), "b".to_owned()]));
    }

    #[test]
    fn a_pod_that_ends_is_still_there() {
        let pod = json!({
            "metadata": {"name": "a", "uid": "u-1", "deletionTimestamp": "2026-11-28T02:00:00Z"},
            "spec": {"nodeName": "n", "containers": []},
            "status": {
                "podIP": "10.244.0.7",
                "conditions": [{"type": "PodScheduled", "status": "True"}],
                "containerStatuses": [{
                    "name": "c", "image": "i", "imageID": "", "ready": false, "restartCount": 2,
                    "state": {"running": {}},
                }],
            },
        });
        let seen = of_pod(&serde_json::from_value(pod).unwrap());
        let Change::Pod {
            uid,
            node,
            ip,
            is_ready,
            is_running,
            is_ending,
            restarts,
            ..
        } = seen
        else {
            panic!("no pod");
        };
        assert!(!is_ready && is_running && is_ending);
        assert_eq!(restarts, 2);
        assert_eq!((uid.as_str(), node.as_deref()), ("u-1", Some("n")));
        assert_eq!(ip, Some(IpAddr::from([10, 244, 0, 7])));
    }

    #[test]
    fn a_server_that_answers_is_not_away_although_its_watches_break_off() {
        let there = json!({"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": []});
        let server = BreakingOff::with(&there);
        server.block_on(|client, reached| async move {
            let pods = Watched {
                all: Api::<Pod>::namespaced(client, reached.namespace.as_ref()),
                labels: "app=users".to_owned(),
                doing: Doing::ListPods,
                seen: of_pod,
                gone: Change::PodGone,
            };
            let mut away_since = Some(Instant::now());
            let mut known = BTreeSet::new();
            let tell = |_: Change| {};
            let watched = pods.once(&reached, &tell, &mut known, &mut away_since);
            assert!(watched.await.unwrap_err().may_pass());
            assert_eq!(away_since, None);
        });
    }
}
