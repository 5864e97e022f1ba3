//! Temporary changes of somebody's Deployment. The patch that makes a change also records in the
//! Deployment what is to be undone, and by which process. If that process is killed, a later one
//! can undo the change.

use crate::deployment::DeploymentState;
use crate::objects::Runner;
use kube::api::Patch;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;

/// The annotation that holds this record, as JSON.
const PUT_BACK: &str = "tacho/put-back";

/// The record of a temporary change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBack {
    /// The process that will undo it.
    pub by: Runner,
    /// What was changed.
    pub changed: TemporaryChange,
}

/// A temporary change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TemporaryChange {
    /// How many pods are wanted.
    Replicas {
        /// The number before the change.
        was: u32,
        /// The number during the change.
        is: u32,
    },
    /// What containers do before they are told to end. Both the change and undoing it replace all
    /// pods.
    PreStop {
        /// Before, as [`DeploymentState::pre_stops`] has it.
        was: BTreeMap<String, Value>,
        /// How long a pod had to end before, in seconds.
        grace_s: u32,
        /// How long each container sleeps during the change, in seconds. The pod's grace period is
        /// extended accordingly.
        sleep_s: u32,
    },
}

impl TemporaryChange {
    /// Changes the number of pods.
    #[must_use]
    pub fn replicas(deployment: &DeploymentState, is: u32) -> Self {
        let was = deployment.replicas;
        Self::Replicas { was, is }
    }

    /// Makes each container sleep for so many seconds before it is told to end.
    #[must_use]
    pub fn pre_stop(deployment: &DeploymentState, sleep_s: u32) -> Self {
        Self::PreStop {
            was: deployment.pre_stops.clone(),
            grace_s: deployment.grace_s,
            sleep_s,
        }
    }

    /// Whether a Deployment still is as this change made it. If not, somebody has changed it since.
    #[must_use]
    pub fn is_seen_in(&self, deployment: &DeploymentState) -> bool {
        match self {
            Self::Replicas { is, .. } => deployment.replicas == *is,
            Self::PreStop { was, sleep_s, .. } => {
                let slept = sleep(*sleep_s);
                let mut names = was.keys();
                names.all(|name| deployment.pre_stops.get(name) == Some(&slept))
            }
        }
    }

    fn patch(&self) -> Patch<Value> {
        match self {
            Self::Replicas { is, .. } => replicas(*is),
            Self::PreStop {
                was,
                grace_s,
                sleep_s,
            } => {
                let slept = was.keys().map(|name| (name.clone(), sleep(*sleep_s)));
                stopping(&slept.collect(), grace_s.saturating_add(*sleep_s))
            }
        }
    }

    fn patch_back(&self) -> Patch<Value> {
        match self {
            Self::Replicas { was, .. } => replicas(*was),
            Self::PreStop { was, grace_s, .. } => stopping(was, *grace_s),
        }
    }
}

impl fmt::Display for TemporaryChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Replicas { was, is } => write!(f, "{is} pods in place of {was}"),
            Self::PreStop { sleep_s, .. } => write!(f, "a preStop of {sleep_s} s"),
        }
    }
}

/// The patch that makes the change and records it.
pub(crate) fn there(put_back: &PutBack) -> Patch<Value> {
    saying(put_back.changed.patch(), Some(put_back))
}

/// The patch that undoes the change and removes the record.
pub(crate) fn back(changed: &TemporaryChange) -> Patch<Value> {
    saying(changed.patch_back(), None)
}

/// The patch that keeps the change and removes the record.
pub(crate) fn left() -> Patch<Value> {
    saying(Patch::Merge(json!({})), None)
}

/// Reads the record from the annotations of a Deployment. One that is not understood is somebody
/// else's.
pub(crate) fn said(annotations: &BTreeMap<String, String>) -> Option<PutBack> {
    serde_json::from_str(annotations.get(PUT_BACK)?).ok()
}

fn saying(patch: Patch<Value>, put_back: Option<&PutBack>) -> Patch<Value> {
    // `null` removes the annotation (RFC 7386).
    let text = put_back.and_then(|put_back| serde_json::to_string(put_back).ok());
    let with = |mut patch: Value| {
        patch["metadata"] = json!({"annotations": {PUT_BACK: text}});
        patch
    };
    match patch {
        Patch::Strategic(patch) => Patch::Strategic(with(patch)),
        Patch::Merge(patch) => Patch::Merge(with(patch)),
        other => other,
    }
}

fn replicas(number: u32) -> Patch<Value> {
    Patch::Merge(json!({"spec": {"replicas": number}}))
}

fn sleep(seconds: u32) -> Value {
    json!({"sleep": {"seconds": seconds}})
}

/// The kinds of lifecycle handler. A handler has one kind, so the other keys are removed.
const KINDS: [&str; 4] = ["exec", "httpGet", "tcpSocket", "sleep"];

/// A strategic merge patch finds containers by name and leaves everything that it does not name.
fn stopping(pre_stops: &BTreeMap<String, Value>, grace_s: u32) -> Patch<Value> {
    let of = |(name, pre_stop): (&String, &Value)| {
        let pre_stop = match pre_stop {
            Value::Object(handler) => {
                let kind = |kind: &&str| ((*kind).to_owned(), handler.get(*kind).cloned());
                let kinds = KINDS.iter().map(kind);
                Value::Object(kinds.map(|(k, v)| (k, v.unwrap_or(Value::Null))).collect())
            }
            _ => Value::Null,
        };
        json!({"name": name, "lifecycle": {"preStop": pre_stop}})
    };
    let containers: Vec<Value> = pre_stops.iter().map(of).collect();
    let pod = json!({"terminationGracePeriodSeconds": grace_s, "containers": containers});
    Patch::Strategic(json!({"spec": {"template": {"spec": pod}}}))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(patch: Patch<Value>) -> Value {
        match patch {
            Patch::Strategic(patch) | Patch::Merge(patch) => patch,
            other => panic!("{other:?}"),
        }
    }

    fn pre_stop(own: Value) -> TemporaryChange {
        TemporaryChange::PreStop {
            was: BTreeMap::from([("users".to_owned(), own)]),
            grace_s: 30,
            sleep_s: 3,
        }
    }

    #[test]
    fn a_pre_stop_takes_the_place_of_another_and_is_put_back() {
        let own = json!({"exec": {"command": ["sleep", "1"]}});
        let of = |patch: Patch<Value>, grace_s: u32| {
            let patch = body(patch);
            let pod = &patch["spec"]["template"]["spec"];
            assert_eq!(pod["terminationGracePeriodSeconds"], grace_s);
            assert_eq!(pod["containers"][0]["name"], "users");
            pod["containers"][0]["lifecycle"]["preStop"].clone()
        };
        let changed = pre_stop(own.clone());
        let ours = of(changed.patch(), 33);
        assert_eq!(ours["sleep"]["seconds"], 3);
        assert!(ours["exec"].is_null() && ours.get("exec").is_some());
        let back = of(changed.patch_back(), 30);
        assert_eq!(back["exec"], own["exec"]);
        assert!(back["sleep"].is_null() && back.get("sleep").is_some());
        assert!(of(pre_stop(Value::Null).patch_back(), 30).is_null());
    }

    #[test]
    fn a_change_says_what_is_to_be_put_back_until_it_is() {
        let put_back = PutBack {
            by: Runner {
                machine: "m".to_owned(),
                process: "1/2".to_owned(),
            },
            changed: pre_stop(Value::Null),
        };
        let of = |patch: Patch<Value>| body(patch)["metadata"]["annotations"][PUT_BACK].clone();
        let written = of(there(&put_back));
        let read = |text: &str| said(&BTreeMap::from([(PUT_BACK.to_owned(), text.to_owned())]));
        assert_eq!(read(written.as_str().unwrap()), Some(put_back.clone()));
        assert!(of(back(&put_back.changed)).is_null() && of(left()).is_null());
        // Of somebody else's.
        assert_eq!(read("{}"), None);
        assert_eq!(read(r#"{"by": 3}"#), None);
        assert_eq!(said(&BTreeMap::new()), None);
    }
}
