//! The pod that carries out a run, on the node whose pods are measured. Like a program on that
//! node, it sees the node's processes and control groups.
//!
//! The Pod Security Standards call such a pod privileged
//! (<https://kubernetes.io/docs/concepts/security/pod-security-standards/>). Only this pod is; the
//! measured pods stay restricted. Without its privileges it is restricted as well, and what it
//! cannot see is missing in the run.

use super::RUNNER;
use super::manifest::{amounts, deadline, escaped, labels, pull, restricted, restricted_container};
use super::workers::WorkerLimits;
use crate::run_label::RunLabel;
use k8s_openapi::api::core::v1::{
    Affinity, Container, EnvVar, EnvVarSource, HostPathVolumeSource, NodeAffinity, NodeSelector,
    NodeSelectorRequirement, NodeSelectorTerm, ObjectFieldSelector, Pod, PodSecurityContext,
    PodSpec, ResourceRequirements, SecurityContext, Volume, VolumeMount,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// Where control groups are.
const CONTROL_GROUPS: &str = "/sys/fs/cgroup";

/// In this variable the pod finds the name of its node.
pub const NODE_NAME: &str = "TACHO_NODE_NAME";

/// Time between SIGTERM and SIGKILL, in which it ends a launch properly.
const GRACE: Duration = Duration::from_secs(30);

/// What it requests at least. It sends the load, and would be late without processor time.
const REQUESTED: [(&str, &str); 2] = [("cpu", "100m"), ("memory", "64Mi")];

/// What a run pod may do on its node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Privileges {
    /// See its processes and control groups.
    #[default]
    SeeTheNode,
    /// Nothing: it is restricted like the measured pods.
    None,
}

/// The pod that is wanted.
#[derive(Debug, Clone)]
pub struct RunPod {
    /// The run that it carries out.
    pub run: RunLabel,
    /// Deleted with what owns it.
    pub owner: OwnerReference,
    /// Its image, by the name by which the node finds it.
    pub image: String,
    /// It was loaded into the node, and is not to be pulled.
    pub is_loaded: bool,
    /// Arguments of the program that the image starts.
    pub arguments: Vec<String>,
    /// The ServiceAccount by which it makes pods.
    pub account: String,
    /// The node; absent: any.
    pub node: Option<String>,
    /// What it may have at most, where the namespace wants that.
    pub limits: WorkerLimits,
    /// What it may do on its node.
    pub privileges: Privileges,
    /// After this time the cluster ends it by itself.
    pub at_most: Duration,
}

impl RunPod {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> String {
        self.run.name_of("runner")
    }
}

pub(crate) fn run_pod(wanted: &RunPod) -> Pod {
    let limits = amounts(wanted.limits.cpu, wanted.limits.memory_bytes);
    let mut requested: BTreeMap<String, Quantity> = REQUESTED
        .into_iter()
        .map(|(name, amount)| (name.to_owned(), Quantity(amount.to_owned())))
        .collect();
    // A request above its limit is refused.
    requested.extend(limits.clone());
    let container = Container {
        name: RUNNER.to_owned(),
        image: Some(wanted.image.clone()),
        image_pull_policy: Some(pull(wanted.is_loaded).to_owned()),
        args: Some(escaped(&wanted.arguments)),
        env: Some(vec![EnvVar {
            name: NODE_NAME.to_owned(),
            value: None,
            value_from: Some(EnvVarSource {
                field_ref: Some(ObjectFieldSelector {
                    api_version: None,
                    field_path: "spec.nodeName".to_owned(),
                }),
                ..EnvVarSource::default()
            }),
        }]),
        resources: Some(ResourceRequirements {
            requests: Some(requested),
            limits: (!limits.is_empty()).then_some(limits),
            claims: None,
        }),
        ..restricted_container()
    };
    let spec = PodSpec {
        containers: vec![container],
        service_account_name: Some(wanted.account.clone()),
        automount_service_account_token: Some(true),
        active_deadline_seconds: Some(deadline(wanted.at_most)),
        affinity: wanted.node.as_deref().map(on_node),
        ..restricted(GRACE)
    };
    Pod {
        metadata: ObjectMeta {
            name: Some(wanted.name()),
            labels: Some(labels(&wanted.run)),
            owner_references: Some(vec![wanted.owner.clone()]),
            ..ObjectMeta::default()
        },
        spec: Some(match wanted.privileges {
            Privileges::SeeTheNode => seeing_the_node(spec),
            Privileges::None => spec,
        }),
        status: None,
    }
}

/// The same pod, with access to the processes and the control groups of its node.
fn seeing_the_node(spec: PodSpec) -> PodSpec {
    let sees = |container: Container| Container {
        security_context: Some(SecurityContext {
            privileged: Some(true),
            run_as_user: Some(0),
            run_as_non_root: Some(false),
            ..SecurityContext::default()
        }),
        volume_mounts: Some(vec![VolumeMount {
            name: "control-groups".to_owned(),
            mount_path: CONTROL_GROUPS.to_owned(),
            ..VolumeMount::default()
        }]),
        ..container
    };
    PodSpec {
        containers: spec.containers.into_iter().map(sees).collect(),
        host_pid: Some(true),
        security_context: Some(PodSecurityContext {
            run_as_user: Some(0),
            ..PodSecurityContext::default()
        }),
        volumes: Some(vec![Volume {
            name: "control-groups".to_owned(),
            host_path: Some(HostPathVolumeSource {
                path: CONTROL_GROUPS.to_owned(),
                type_: Some("Directory".to_owned()),
            }),
            ..Volume::default()
        }]),
        ..spec
    }
}

/// Puts a pod on this node, by the node's name, as DaemonSets do. A label with the same text could
/// be set by anybody. `nodeName` would bypass the scheduler, which counts free resources.
pub(super) fn on_node(node: &str) -> Affinity {
    Affinity {
        node_affinity: Some(NodeAffinity {
            required_during_scheduling_ignored_during_execution: Some(NodeSelector {
                node_selector_terms: vec![NodeSelectorTerm {
                    match_fields: Some(vec![NodeSelectorRequirement {
                        key: "metadata.name".to_owned(),
                        operator: "In".to_owned(),
                        values: Some(vec![node.to_owned()]),
                    }]),
                    match_expressions: None,
                }],
            }),
            preferred_during_scheduling_ignored_during_execution: None,
        }),
        ..Affinity::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(node: Option<&str>) -> RunPod {
        RunPod {
            run: RunLabel::of("r"),
            owner: OwnerReference::default(),
            image: "registry/tacho@sha256:1".to_owned(),
            is_loaded: false,
            arguments: vec!["run".to_owned(), "$HOME".to_owned()],
            account: "tacho-r-run".to_owned(),
            node: node.map(str::to_owned),
            limits: WorkerLimits::default(),
            privileges: Privileges::SeeTheNode,
            at_most: Duration::from_secs(3600),
        }
    }

    /// As a namespace takes it that enforces the strictest standard.
    #[test]
    fn without_privileges_it_is_restricted_and_sees_nothing() {
        let wanted = RunPod {
            privileges: Privileges::None,
            ..wanted(None)
        };
        let json = serde_json::to_value(run_pod(&wanted)).unwrap();
        let (spec, container) = (&json["spec"], &json["spec"]["containers"][0]);
        assert!(spec.get("hostPID").is_none() && spec.get("volumes").is_none());
        assert!(container.get("volumeMounts").is_none());
        assert_eq!(spec["securityContext"]["runAsNonRoot"], true);
        let security = &container["securityContext"];
        assert_eq!(security["allowPrivilegeEscalation"], false);
        assert_eq!(security["capabilities"]["drop"][0], "ALL");
        assert!(security.get("privileged").is_none());
        // It makes pods all the same.
        assert_eq!(spec["automountServiceAccountToken"], true);
    }

    /// A quota may want them of every pod.
    #[test]
    fn it_gets_the_limits_that_are_named() {
        let limits = WorkerLimits {
            cpu: Some(0.05),
            memory_bytes: Some(128 << 20),
        };
        let wanted = RunPod {
            limits,
            ..wanted(None)
        };
        let json = serde_json::to_value(run_pod(&wanted)).unwrap();
        let resources = &json["spec"]["containers"][0]["resources"];
        assert_eq!(resources["limits"]["memory"], "134217728");
        assert_eq!(resources["requests"], resources["limits"]);
    }

    #[test]
    fn it_sees_its_node_and_knows_which_one_that_is() {
        let json = serde_json::to_value(run_pod(&wanted(None))).unwrap();
        let spec = &json["spec"];
        assert_eq!(spec["hostPID"], true);
        // Its own network: nobody but the API leads to where it listens.
        assert!(spec.get("hostNetwork").is_none() && spec.get("affinity").is_none());
        assert_eq!(spec["restartPolicy"], "Never");
        assert_eq!(spec["serviceAccountName"], "tacho-r-run");
        let container = &spec["containers"][0];
        assert_eq!(container["securityContext"]["privileged"], true);
        assert_eq!(container["args"][1], "$$HOME");
        assert_eq!(container["volumeMounts"][0]["mountPath"], "/sys/fs/cgroup");
        assert_eq!(container["env"][0]["name"], NODE_NAME);
        // A generator that is throttled is late.
        assert!(container["resources"].get("limits").is_none());
        assert_eq!(json["metadata"]["labels"]["tacho/run"], "r");
    }

    #[test]
    fn a_node_is_named_by_its_name() {
        let json = serde_json::to_value(run_pod(&wanted(Some("one")))).unwrap();
        let affinity = &json["spec"]["affinity"]["nodeAffinity"];
        let terms =
            &affinity["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"];
        let field = &terms[0]["matchFields"][0];
        assert_eq!(
            (&field["key"], &field["values"][0]),
            (&"metadata.name".into(), &"one".into())
        );
    }
}
