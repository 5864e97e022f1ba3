//! What is wrong with a pod, in one sentence that also says what to do.

use super::state::{Container, PodState};
use crate::error::line;
use std::fmt;

/// What ended a pod, or keeps it from starting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    /// The kind of trouble.
    pub kind: TroubleKind,
    /// What the cluster says, in one line; may be empty.
    pub said: String,
}

/// The kinds that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TroubleKind {
    /// The node cannot get its image.
    ImageNotPulled,
    /// Its container could not be made or started.
    NotStarted,
    /// No node takes it.
    NotScheduled,
    /// No node is looked for, since gates keep it from the scheduler.
    Gated,
    /// The kernel killed it for memory.
    OutOfMemory,
    /// It was evicted: its node was drained, or needed the room.
    Evicted,
    /// Its node is gone, or no longer answers.
    NodeLost,
    /// It reached its deadline.
    DeadlineExceeded,
    /// It ended by itself.
    Ended {
        /// Exit code; 128 and the signal where it was killed.
        code: i32,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            TroubleKind::ImageNotPulled => {
                "the node does not get its image; is its name right, and may the node pull it (`imagePullSecrets`)?"
            }
            TroubleKind::NotStarted => "its container could not be started",
            TroubleKind::NotScheduled => {
                "no node takes it; ask for less, or free a node (`kubectl describe nodes`)"
            }
            TroubleKind::Gated => {
                "scheduling gates keep it from every node; let whoever sets them (a queue such as Kueue, a quota) admit it, or use a namespace in which nobody does"
            }
            TroubleKind::OutOfMemory => {
                "the kernel killed it for memory: it needs more than its limit; raise the limit or lower the heap (-Xmx, -XX:MaxRAMPercentage)"
            }
            TroubleKind::Evicted => {
                "it was evicted: somebody drained its node, or that wanted its room; measure on a node that has more, or alone"
            }
            TroubleKind::NodeLost => "its node is gone, or no longer answers the cluster",
            TroubleKind::DeadlineExceeded => {
                "the cluster ended it, since it was there for longer than a launch may take"
            }
            TroubleKind::Ended { code } => return self.ended(code, f),
        };
        f.write_str(what)?;
        self.say(f)
    }
}

impl Trouble {
    fn ended(&self, code: i32, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match code {
            0 => f.write_str(
                "it ended with exit code 0: it has no server that keeps it running, or it went into the background",
            ),
            code if code > 128 => write!(f, "it was ended by signal {}", code - 128),
            code => write!(f, "it ended with exit code {code}; the end of its log says why"),
        }?;
        self.say(f)
    }

    fn say(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.said.as_str() {
            "" => Ok(()),
            said => write!(f, " (the cluster says: {said})"),
        }
    }
}

/// Reasons to wait after which a launch has no hope. `ErrImagePull` is not among them: the kubelet
/// tries again, and says `ImagePullBackOff` when that fails, too.
const NO_IMAGE: [&str; 4] = [
    "ImagePullBackOff",
    "ErrImageNeverPull",
    "InvalidImageName",
    "ImageInspectError",
];
const NO_START: [&str; 5] = [
    "CreateContainerConfigError",
    "CreateContainerError",
    "RunContainerError",
    "CrashLoopBackOff",
    "PreCreateHookError",
];

/// A pod that the node controller deletes has this in its condition
/// (<https://kubernetes.io/docs/concepts/workloads/pods/disruptions/#pod-disruption-conditions>).
const OF_NODE: [&str; 3] = ["NodeLost", "NodeShutdown", "Shutdown"];

/// Reasons of `DisruptionTarget`, from the same page: the pod has to make room, or its node is
/// lost.
const WANTS_ROOM: [&str; 3] = [
    "EvictionByEvictionAPI",
    "PreemptionByScheduler",
    "TerminationByKubelet",
];
const LOST_NODE: [&str; 2] = ["DeletionByTaintManager", "DeletionByPodGC"];

impl PodState {
    /// What is wrong with the pod, where that is certain. It is certain that no node takes it only
    /// after some waiting: see [`PodState::not_scheduled`].
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        if let Some((reason, message)) = &self.failed {
            let kind = match reason.as_str() {
                "Evicted" => Some(TroubleKind::Evicted),
                "DeadlineExceeded" => Some(TroubleKind::DeadlineExceeded),
                reason if OF_NODE.contains(&reason) => Some(TroubleKind::NodeLost),
                _ => None,
            };
            if let Some(kind) = kind {
                return Some(trouble(kind, message));
            }
        }
        // A container that was told to end only reports its exit code.
        if let Some((reason, message)) = &self.disrupted
            && (self.is_deleted || self.has_ended())
        {
            let is_one_of = |reasons: &[&str]| reasons.contains(&reason.as_str());
            if is_one_of(&WANTS_ROOM) {
                return Some(trouble(TroubleKind::Evicted, message));
            }
            if is_one_of(&LOST_NODE) {
                return Some(trouble(TroubleKind::NodeLost, message));
            }
        }
        match &self.container {
            Container::Terminated { reason, code } => Some(match reason.as_str() {
                "OOMKilled" => trouble(TroubleKind::OutOfMemory, ""),
                "ContainerCannotRun" | "StartError" => trouble(TroubleKind::NotStarted, reason),
                _ => trouble(TroubleKind::Ended { code: *code }, ""),
            }),
            Container::Waiting { reason, message } => {
                let is_one_of = |reasons: &[&str]| reasons.contains(&reason.as_str());
                let kind = if is_one_of(&NO_IMAGE) {
                    TroubleKind::ImageNotPulled
                } else if is_one_of(&NO_START) {
                    TroubleKind::NotStarted
                } else {
                    return self.failed_before();
                };
                let said = match message.as_str() {
                    "" => reason.clone(),
                    message => format!("{reason}: {message}"),
                };
                Some(trouble(kind, &said))
            }
            Container::Unknown | Container::Running { .. } => self.failed_before(),
        }
    }

    /// The pod failed, and its container never began, or nothing is reported of it.
    fn failed_before(&self) -> Option<Trouble> {
        let (reason, message) = self.failed.as_ref()?;
        let said = format!("{reason} {message}");
        Some(trouble(TroubleKind::NotStarted, &said))
    }

    /// That its node says nothing of it, once it has waited long enough. A cluster of which no
    /// other node is left deletes no pod of a node that is gone, and so says nothing either.
    #[must_use]
    pub fn not_acknowledged(&self) -> Option<Trouble> {
        let is_given = self.node.is_some() && !self.is_acknowledged;
        is_given.then(|| trouble(TroubleKind::NodeLost, ""))
    }

    /// That no node takes it, or may, once it has waited long enough.
    #[must_use]
    pub fn not_scheduled(&self) -> Option<Trouble> {
        if !self.gates.is_empty() {
            let gates = format!("gated by {}", self.gates.join(", "));
            return Some(trouble(TroubleKind::Gated, &gates));
        }
        let why = self.unschedulable.as_ref()?;
        Some(trouble(TroubleKind::NotScheduled, why))
    }
}

fn trouble(kind: TroubleKind, said: &str) -> Trouble {
    Trouble {
        kind,
        said: line(said.trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::{container, with};
    use super::*;
    use serde_json::json;

    fn of_container(state: serde_json::Value) -> Option<TroubleKind> {
        let status = json!({"phase": "Running", "containerStatuses": container(&state)});
        with(status).trouble().map(|trouble| trouble.kind)
    }

    #[test]
    fn each_end_has_its_name() {
        let ended = |reason: &str, code: i32| {
            of_container(json!({"terminated": {"exitCode": code, "reason": reason}}))
        };
        assert_eq!(ended("OOMKilled", 137), Some(TroubleKind::OutOfMemory));
        assert_eq!(ended("Error", 1), Some(TroubleKind::Ended { code: 1 }));
        assert_eq!(ended("Completed", 0), Some(TroubleKind::Ended { code: 0 }));
        assert_eq!(ended("StartError", 128), Some(TroubleKind::NotStarted));
    }

    /// Its node starts it anew, later each time.
    #[test]
    fn one_that_ends_again_and_again_has_the_name_of_its_last_end() {
        let last_ended = |reason: &str, code: i32| {
            let mut all = container(&json!({"waiting": {"reason": "CrashLoopBackOff"}}));
            all[1]["lastState"] = json!({"terminated": {"exitCode": code, "reason": reason}});
            let status = json!({"phase": "Running", "containerStatuses": all});
            with(status).trouble().map(|trouble| trouble.kind)
        };
        assert_eq!(last_ended("Error", 7), Some(TroubleKind::Ended { code: 7 }));
        assert_eq!(last_ended("OOMKilled", 137), Some(TroubleKind::OutOfMemory));
        assert_eq!(last_ended("StartError", 128), Some(TroubleKind::NotStarted));
    }

    #[test]
    fn only_what_has_no_hope_is_trouble_while_it_waits() {
        let waits = |reason: &str| of_container(json!({"waiting": {"reason": reason}}));
        for reason in ["ContainerCreating", "PodInitializing", "ErrImagePull", ""] {
            assert_eq!(waits(reason), None, "{reason}");
        }
        for reason in NO_IMAGE {
            assert_eq!(waits(reason), Some(TroubleKind::ImageNotPulled), "{reason}");
        }
        for reason in NO_START {
            assert_eq!(waits(reason), Some(TroubleKind::NotStarted), "{reason}");
        }
    }

    #[test]
    fn a_pod_that_the_cluster_ended_says_so_before_its_container_does() {
        let failed = |reason: &str| {
            let state = json!({"terminated": {"exitCode": 137, "reason": "Error"}});
            let status = json!({
                "phase": "Failed", "reason": reason, "message": "low on\u{1b}[2J memory",
                "containerStatuses": container(&state),
            });
            with(status).trouble().unwrap()
        };
        let evicted = failed("Evicted");
        assert_eq!(evicted.kind, TroubleKind::Evicted);
        assert!(
            evicted.to_string().contains("low on [2J memory"),
            "{evicted}"
        );
        assert_eq!(failed("NodeLost").kind, TroubleKind::NodeLost);
        assert_eq!(
            failed("DeadlineExceeded").kind,
            TroubleKind::DeadlineExceeded
        );
        assert_eq!(failed("").kind, TroubleKind::Ended { code: 137 });
    }

    #[test]
    fn a_pod_that_was_drained_says_so_and_not_that_it_ended_by_a_signal() {
        let disrupted = |reason: &str, state: serde_json::Value| {
            let status = json!({
                "phase": "Running",
                "conditions": [{"type": "DisruptionTarget", "status": "True", "reason": reason,
                                "message": "Eviction API: evicting"}],
                "containerStatuses": container(&state),
            });
            with(status).trouble().map(|trouble| trouble.kind)
        };
        let ended = || json!({"terminated": {"exitCode": 143, "reason": "Error"}});
        for (reason, kind) in [
            ("EvictionByEvictionAPI", TroubleKind::Evicted),
            ("TerminationByKubelet", TroubleKind::Evicted),
            ("DeletionByTaintManager", TroubleKind::NodeLost),
            ("somethingNew", TroubleKind::Ended { code: 143 }),
        ] {
            assert_eq!(disrupted(reason, ended()), Some(kind), "{reason}");
        }
        // It was chosen, and may still be spared.
        let runs = json!({"running": {}});
        assert_eq!(disrupted("EvictionByEvictionAPI", runs), None);
    }

    /// A cluster has put one before the container, as meshes and vaults do.
    #[test]
    fn an_init_container_that_fails_or_cannot_start_is_named() {
        let behind = |phase: &str, state: serde_json::Value| {
            let init = json!([{
                "name": "mesh-init", "image": "m", "imageID": "", "ready": false,
                "restartCount": 0, "state": state,
            }]);
            let waits = json!({"waiting": {"reason": "PodInitializing"}});
            let status = json!({
                "phase": phase, "initContainerStatuses": init,
                "containerStatuses": container(&waits),
            });
            with(status).trouble()
        };
        let runs = json!({"running": {"startedAt": "2026-11-27T20:00:01Z"}});
        assert_eq!(behind("Pending", runs), None);
        let ended = json!({"terminated": {"exitCode": 0, "reason": "Completed"}});
        assert_eq!(behind("Pending", ended), None);
        let failed = json!({"terminated": {"exitCode": 1, "reason": "Error"}});
        let failed = behind("Failed", failed).unwrap();
        assert_eq!(failed.kind, TroubleKind::NotStarted);
        let told = failed.to_string();
        assert!(
            told.contains("init container `mesh-init` ended with exit code 1"),
            "{told}"
        );
        let pulls = json!({"waiting": {"reason": "ImagePullBackOff", "message": "of mesh:9"}});
        let pulls = behind("Pending", pulls).unwrap();
        assert_eq!(pulls.kind, TroubleKind::ImageNotPulled);
        let told = pulls.to_string();
        assert!(
            told.contains("ImagePullBackOff: init container `mesh-init` of mesh:9"),
            "{told}"
        );
    }

    #[test]
    fn a_pod_that_waits_for_a_node_is_no_trouble_until_somebody_has_waited() {
        let state = with(json!({
            "phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable",
                            "message": "0/1 nodes are available: 1 Insufficient cpu."}],
        }));
        assert_eq!(state.trouble(), None);
        let trouble = state.not_scheduled().unwrap();
        assert_eq!(trouble.kind, TroubleKind::NotScheduled);
        assert!(
            trouble.to_string().contains("Insufficient cpu"),
            "{trouble}"
        );
    }

    #[test]
    fn a_pod_that_gates_keep_from_the_scheduler_says_which() {
        let pod = json!({
            "metadata": {"name": "p", "uid": "u-1"},
            "spec": {"containers": [], "schedulingGates": [{"name": "kueue.x-k8s.io/admission"}]},
            "status": {
                "phase": "Pending",
                "conditions": [{
                    "type": "PodScheduled", "status": "False", "reason": "SchedulingGated",
                    "message": "Scheduling is blocked due to non-empty scheduling gates",
                }],
            },
        });
        let state = PodState::of(&serde_json::from_value(pod).unwrap());
        assert_eq!((state.trouble(), &state.unschedulable), (None, &None));
        let trouble = state.not_scheduled().unwrap();
        assert_eq!(trouble.kind, TroubleKind::Gated);
        let told = trouble.to_string();
        assert!(told.contains("gated by kueue.x-k8s.io/admission"), "{told}");
    }

    #[test]
    fn a_node_that_says_nothing_of_a_pod_is_lost_and_one_that_has_is_not() {
        let silent = with(json!({"phase": "Pending"}));
        assert_eq!(silent.trouble(), None);
        let trouble = silent.not_acknowledged().unwrap();
        assert_eq!(trouble.kind, TroubleKind::NodeLost);
        let taken = with(json!({"phase": "Pending", "startTime": "2026-11-29T21:05:03Z"}));
        assert_eq!(taken.not_acknowledged(), None);
    }

    #[test]
    fn a_pod_that_runs_has_no_trouble() {
        assert_eq!(of_container(json!({"running": {}})), None);
    }
}
