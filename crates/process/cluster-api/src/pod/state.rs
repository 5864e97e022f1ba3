//! What the API reports of a pod, as far as a launch needs it.

use super::{CONTAINER, RUNNER, WORKER};
use k8s_openapi::api::core::v1::{ContainerState, ContainerStatus, Pod, PodStatus};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// The latest that is known of a pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PodState {
    /// Identifies this pod. Another pod of the same name has another uid.
    pub uid: String,
    /// Where it is, once it is scheduled.
    pub node: Option<String>,
    /// Where it is reached.
    pub address: Option<IpAddr>,
    /// Why it was not scheduled so far.
    pub unschedulable: Option<String>,
    /// What keeps it from the scheduler, by name: whoever set such a gate removes it
    /// (<https://kubernetes.io/docs/concepts/scheduling-eviction/pod-scheduling-readiness/>).
    pub gates: Vec<String>,
    /// Its node has taken notice of it (`startTime`), which takes a node that works a second.
    pub is_acknowledged: bool,
    /// Its sandbox and network are there (`PodReadyToStartContainers`).
    pub has_sandbox: bool,
    /// What its container does.
    pub container: Container,
    /// Ids of its containers, by their names: `containerd://` and what its node names the control
    /// group of the container after.
    pub ids: BTreeMap<String, String>,
    /// The image that runs, by digest.
    pub image_id: Option<String>,
    /// It is ready for traffic, by its conditions.
    pub is_ready: bool,
    /// Somebody has deleted it, and it ends.
    pub is_deleted: bool,
    /// It has ended as a whole (`Failed`), with the reason and the message of the pod.
    pub failed: Option<(String, String)>,
    /// The cluster is about to end it, or has (`DisruptionTarget`), with reason and message.
    pub disrupted: Option<(String, String)>,
}

/// What a container does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Container {
    /// Nothing is said of it yet.
    Unknown,
    /// It waits to be started.
    Waiting {
        /// One word, such as `ContainerCreating` or `ImagePullBackOff`.
        reason: String,
        /// What the kubelet or the runtime says.
        message: String,
    },
    /// It runs.
    Running {
        /// Its start, in whole seconds, as RFC 3339.
        started_at: Option<String>,
    },
    /// It has ended.
    Terminated {
        /// One word, such as `OOMKilled` or `Error`.
        reason: String,
        /// Exit code; 128 and the signal where it was killed.
        code: i32,
    },
}

impl PodState {
    pub(crate) fn of(pod: &Pod) -> Self {
        let none = PodStatus::default();
        let status = pod.status.as_ref().unwrap_or(&none);
        let condition = |name: &str| {
            let mut all = status.conditions.iter().flatten();
            all.find(|condition| condition.type_ == name)
        };
        let holds = |name: &str| condition(name).is_some_and(|it| it.status == "True");
        let mut containers = status.container_statuses.iter().flatten();
        let container =
            containers.find(|container| [CONTAINER, WORKER, RUNNER].contains(&&*container.name));
        let own = container.map_or(Container::Unknown, Container::of_status);
        let may_begin = matches!(own, Container::Unknown | Container::Waiting { .. });
        let before = may_begin.then(|| waiting_before(status)).flatten();
        let has_failed = status.phase.as_deref() == Some("Failed");
        let said = |text: &Option<String>| text.clone().unwrap_or_default();
        Self {
            uid: pod.metadata.uid.clone().unwrap_or_default(),
            node: pod.spec.as_ref().and_then(|spec| spec.node_name.clone()),
            address: status.pod_ip.as_deref().and_then(|ip| ip.parse().ok()),
            unschedulable: condition("PodScheduled")
                .filter(|it| it.status == "False" && it.reason.as_deref() == Some("Unschedulable"))
                .map(|it| it.message.clone().unwrap_or_default()),
            gates: gates(pod),
            is_acknowledged: status.start_time.is_some(),
            has_sandbox: holds("PodReadyToStartContainers"),
            container: before.unwrap_or(own),
            ids: status
                .container_statuses
                .iter()
                .flatten()
                .filter_map(|container| {
                    let id = container.container_id.clone().filter(|id| !id.is_empty());
                    Some((container.name.clone(), id?))
                })
                .collect(),
            image_id: container
                .map(|container| container.image_id.clone())
                .filter(|id| !id.is_empty()),
            is_ready: holds("Ready"),
            is_deleted: pod.metadata.deletion_timestamp.is_some(),
            failed: has_failed.then(|| {
                let message = Some(said(&status.message)).filter(|said| !said.is_empty());
                let message = message.or_else(|| ended_before(status));
                (said(&status.reason), message.unwrap_or_default())
            }),
            disrupted: condition("DisruptionTarget")
                .filter(|it| it.status == "True")
                .map(|it| (said(&it.reason), said(&it.message))),
        }
    }

    /// The id of the container that is measured, in a pod of a launch.
    #[must_use]
    pub fn subject_id(&self) -> Option<&str> {
        self.ids.get(CONTAINER).map(String::as_str)
    }

    /// Its container has ended, whatever the reason.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.failed.is_some() || matches!(self.container, Container::Terminated { .. })
    }
}

fn gates(pod: &Pod) -> Vec<String> {
    let gates = pod.spec.iter().flat_map(|spec| &spec.scheduling_gates);
    gates.flatten().map(|gate| gate.name.clone()).collect()
}

/// An init container that waits, and which all others wait for. A cluster may put one into each
/// pod, also a proxy that begins before the others.
fn waiting_before(status: &PodStatus) -> Option<Container> {
    let mut before = status.init_container_statuses.iter().flatten();
    before.find_map(|one| {
        let waiting = one.state.as_ref()?.waiting.as_ref()?;
        let reason = waiting.reason.clone().filter(|reason| reason != OTHERS)?;
        let said = waiting.message.as_deref().unwrap_or_default();
        Some(Container::Waiting {
            reason,
            message: format!("init container `{}` {said}", one.name),
        })
    })
}

/// The reason of a container that waits for those before it.
const OTHERS: &str = "PodInitializing";

/// Which init container has failed, where the pod says nothing itself.
fn ended_before(status: &PodStatus) -> Option<String> {
    let mut before = status.init_container_statuses.iter().flatten();
    before.find_map(|one| {
        let code = one.state.as_ref()?.terminated.as_ref()?.exit_code;
        let name = &one.name;
        (code != 0).then(|| format!("init container `{name}` ended with exit code {code}"))
    })
}

/// The reason of a container that waits to be started anew, since it ended again and again.
const LOOPS: &str = "CrashLoopBackOff";

impl Container {
    /// What it does. One that waits since it ended again and again is as it was when it ended last:
    /// that says why.
    fn of_status(status: &ContainerStatus) -> Self {
        let now = status.state.as_ref().map_or(Self::Unknown, Self::of);
        let loops = matches!(&now, Self::Waiting { reason, .. } if reason == LOOPS);
        match status.last_state.as_ref().map(Self::of) {
            Some(ended @ Self::Terminated { .. }) if loops => ended,
            _ => now,
        }
    }

    fn of(state: &ContainerState) -> Self {
        if let Some(ended) = &state.terminated {
            return Self::Terminated {
                reason: ended.reason.clone().unwrap_or_default(),
                code: ended.exit_code,
            };
        }
        if let Some(running) = &state.running {
            return Self::Running {
                started_at: running.started_at.as_ref().map(|at| at.0.to_string()),
            };
        }
        match &state.waiting {
            Some(waiting) => Self::Waiting {
                reason: waiting.reason.clone().unwrap_or_default(),
                message: waiting.message.clone().unwrap_or_default(),
            },
            None => Self::Unknown,
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// A pod with such a status.
    pub fn with(status: Value) -> PodState {
        let pod = json!({
            "metadata": {"name": "p", "uid": "u-1"},
            "spec": {"containers": [], "nodeName": "one"},
            "status": status,
        });
        PodState::of(&serde_json::from_value(pod).unwrap())
    }

    /// A container with such a state.
    pub fn container(state: &Value) -> Value {
        json!([
            {"name": "beside", "image": "b", "imageID": "b", "ready": true, "restartCount": 0,
             "state": {"running": {}}, "containerID": "containerd://of-another"},
            {"name": "subject", "image": "i", "imageID": "sha256:1", "ready": false,
             "restartCount": 0, "state": state, "containerID": "containerd://abc"},
        ])
    }

    #[test]
    fn a_pod_that_runs_says_where_and_what() {
        let state = with(json!({
            "phase": "Running",
            "podIP": "10.231.1.7",
            "conditions": [
                {"type": "PodScheduled", "status": "True"},
                {"type": "PodReadyToStartContainers", "status": "True"},
                {"type": "Ready", "status": "False"},
            ],
            "containerStatuses": container(&json!({"running": {"startedAt": "2026-11-27T20:00:01Z"}})),
        }));
        assert_eq!(state.node.as_deref(), Some("one"));
        assert_eq!(state.address, Some("10.231.1.7".parse().unwrap()));
        assert!(state.has_sandbox && !state.is_ready && !state.has_ended());
        assert_eq!(state.image_id.as_deref(), Some("sha256:1"));
        let expected = Container::Running {
            started_at: Some("2026-11-27T20:00:01Z".to_owned()),
        };
        assert_eq!(state.container, expected);
        assert_eq!(state.subject_id(), Some("containerd://abc"));
        assert_eq!(state.ids["beside"], "containerd://of-another");
    }

    #[test]
    fn a_pod_of_which_nothing_is_said_yet_is_one() {
        let state = with(json!({}));
        assert_eq!(state.container, Container::Unknown);
        assert_eq!(state.subject_id(), None);
        assert_eq!((state.address, state.unschedulable), (None, None));
        let pod: Pod = serde_json::from_value(json!({"metadata": {}})).unwrap();
        assert_eq!(PodState::of(&pod).node, None);
    }

    #[test]
    fn an_address_that_is_none_is_none() {
        assert_eq!(with(json!({"podIP": "nowhere"})).address, None);
    }
}
