//! A Deployment of a run, as the API wants it.

use super::SubjectPod;
use super::behind::{ReadyProbe, all_labels, own, probe, selector};
use super::manifest::{
    amounts, container, escaped, pull, restricted, restricted_container, whole_seconds,
};
use super::run_pod::on_node;
use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Container, Lifecycle, LifecycleHandler, PodSpec, PodTemplateSpec, Probe, ResourceRequirements,
    SleepAction,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use std::time::Duration;

/// A Deployment that is wanted, with a Service of the same name before its pods.
#[derive(Debug, Clone)]
pub struct WantedDeployment {
    /// Its pods. The name is that of the Deployment.
    pub pod: SubjectPod,
    /// How many.
    pub replicas: u32,
    /// The port on which each pod listens, and that of the Service.
    pub port: u16,
    /// How a node asks whether one is ready.
    pub ready: ReadyProbe,
    /// Each sleeps so long before it is told to end, in seconds.
    pub pre_stop_s: Option<u32>,
    /// Without progress for this long, the controller reports that the Deployment is stuck.
    pub patience: Duration,
    /// What warms each pod from a container beside the service. Absent: nobody, or the service
    /// itself.
    pub gate: Option<Gate>,
}

/// A container that warms the one beside it, and is ready when that is warm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gate {
    /// Its image, by the name by which the node finds it.
    pub image: String,
    /// It was loaded into the node, and is not to be pulled.
    pub is_loaded: bool,
    /// Arguments of the program that the image starts.
    pub arguments: Vec<String>,
    /// Where it says whether the service is warm.
    pub port: u16,
}

/// What a gate may have: as much as the manifests of `tacho warmup --emit` give it.
const GATE_CPU: f64 = 0.2;
const GATE_BYTES: u64 = 32 << 20;
/// What a gate requests. It uses processor time only while it warms, and a pod must fit where it
/// would fit without a gate: during a rolling update one pod more than usual.
const GATE_REQUESTED_CPU: f64 = 0.01;
/// Name of its container.
const GATE: &str = "warm";

impl WantedDeployment {
    /// Its pods, as lists take it.
    #[must_use]
    pub fn selector(&self) -> String {
        selector(&self.pod)
    }
}

pub(crate) fn deployment(wanted: &WantedDeployment) -> Deployment {
    let patience = i32::try_from(whole_seconds(wanted.patience)).unwrap_or(i32::MAX);
    Deployment {
        metadata: ObjectMeta {
            name: Some(wanted.pod.name.clone()),
            labels: Some(all_labels(&wanted.pod)),
            owner_references: wanted.pod.owner.clone().map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        spec: Some(DeploymentSpec {
            replicas: Some(i32::try_from(wanted.replicas).unwrap_or(i32::MAX)),
            progress_deadline_seconds: Some(patience.max(1)),
            selector: LabelSelector {
                match_labels: Some(own(&wanted.pod)),
                ..LabelSelector::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(all_labels(&wanted.pod)),
                    ..ObjectMeta::default()
                }),
                spec: Some(PodSpec {
                    // The only one that a Deployment may have.
                    restart_policy: Some("Always".to_owned()),
                    containers: [probed(wanted)]
                        .into_iter()
                        .chain(wanted.gate.as_ref().map(gate))
                        .collect(),
                    affinity: wanted.pod.node.as_deref().map(on_node),
                    ..restricted(grace(wanted))
                }),
            },
            // How old pods are replaced stays at the default of the API: a quarter at a time.
            ..DeploymentSpec::default()
        }),
        status: None,
    }
}

fn grace(wanted: &WantedDeployment) -> Duration {
    wanted.pod.grace + Duration::from_secs(wanted.pre_stop_s.unwrap_or(0).into())
}

fn probed(wanted: &WantedDeployment) -> Container {
    let sleep = |seconds: u32| Lifecycle {
        pre_stop: Some(LifecycleHandler {
            sleep: Some(SleepAction {
                seconds: seconds.into(),
            }),
            ..LifecycleHandler::default()
        }),
        ..Lifecycle::default()
    };
    Container {
        readiness_probe: Some(probe(&wanted.ready, wanted.port)),
        lifecycle: wanted.pre_stop_s.map(sleep),
        ..container(&wanted.pod)
    }
}

fn gate(wanted: &Gate) -> Container {
    let path = ReadyProbe::Path("/ready".to_owned());
    Container {
        name: GATE.to_owned(),
        image: Some(wanted.image.clone()),
        image_pull_policy: Some(pull(wanted.is_loaded).to_owned()),
        args: Some(escaped(&wanted.arguments)),
        readiness_probe: Some(Probe {
            failure_threshold: Some(1),
            ..probe(&path, wanted.port)
        }),
        resources: Some(ResourceRequirements {
            requests: Some(amounts(Some(GATE_REQUESTED_CPU), Some(GATE_BYTES))),
            limits: Some(amounts(Some(GATE_CPU), Some(GATE_BYTES))),
            claims: None,
        }),
        ..restricted_container()
    }
}

#[cfg(test)]
mod tests {
    use super::super::behind::service;
    use super::*;
    use crate::run_label::RunLabel;
    use std::collections::BTreeMap;

    fn wanted() -> WantedDeployment {
        WantedDeployment {
            pod: SubjectPod {
                name: "tacho-r-001".to_owned(),
                run: RunLabel::of("r"),
                owner: None,
                image: "localhost/service:jar".to_owned(),
                is_loaded: true,
                command: Vec::new(),
                directory: None,
                environment: BTreeMap::new(),
                node_stands_for: None,
                port: Some(8080),
                node: None,
                cpu: Some(0.5),
                memory_bytes: Some(256 << 20),
                behind: None,
                grace: Duration::from_secs(30),
                at_most: Duration::from_secs(300),
            },
            replicas: 2,
            port: 8080,
            ready: ReadyProbe::Path("/health".to_owned()),
            pre_stop_s: None,
            patience: Duration::from_secs(90),
            gate: None,
        }
    }

    #[test]
    fn a_service_leads_to_the_pods_of_its_deployment_alone() {
        let deployment = serde_json::to_value(deployment(&wanted())).unwrap();
        let service = serde_json::to_value(service(&wanted().pod, 8080)).unwrap();
        let own = serde_json::json!({
            "tacho/run": "r",
            "app.kubernetes.io/instance": "tacho-r-001",
        });
        assert_eq!(deployment["spec"]["selector"]["matchLabels"], own);
        assert_eq!(service["spec"]["selector"], own);
        let labels = &deployment["spec"]["template"]["metadata"]["labels"];
        assert_eq!(labels["app.kubernetes.io/managed-by"], "tacho");
        assert_eq!(labels["tacho/run"], "r");
        assert_eq!(service["spec"]["ports"][0]["targetPort"], 8080);
        assert_eq!(deployment["spec"]["replicas"], 2);
        assert_eq!(deployment["spec"]["progressDeadlineSeconds"], 90);
    }

    #[test]
    fn its_pods_are_restricted_probed_and_started_anew() {
        let json = serde_json::to_value(deployment(&wanted())).unwrap();
        let pod = &json["spec"]["template"]["spec"];
        // A Deployment takes neither another policy nor an end of its pods by time.
        assert_eq!(pod["restartPolicy"], "Always");
        assert!(pod.get("activeDeadlineSeconds").is_none());
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        let container = &pod["containers"][0];
        let probe = serde_json::json!({
            "httpGet": {"path": "/health", "port": 8080},
            "periodSeconds": 1,
        });
        assert_eq!(container["readinessProbe"], probe);
        assert_eq!(container["resources"]["limits"]["cpu"], "500m");
        assert!(container.get("lifecycle").is_none());
    }

    #[test]
    fn its_pods_are_where_whoever_measures_them_is() {
        let mut pinned = wanted();
        pinned.pod.node = Some("one".to_owned());
        let json = serde_json::to_value(deployment(&pinned)).unwrap();
        assert_eq!(
            json["spec"]["template"]["spec"]["affinity"],
            serde_json::to_value(on_node("one")).unwrap()
        );
        let free = serde_json::to_value(deployment(&wanted())).unwrap();
        let spec = &free["spec"]["template"]["spec"];
        assert!(spec.get("affinity").is_none());
    }

    #[test]
    fn a_gate_stands_beside_the_service_restricted_as_it_is() {
        let words = [
            "warm",
            "--gate",
            "0.0.0.0:9000",
            "http://localhost:8080/$(x)",
        ];
        let warmed = WantedDeployment {
            gate: Some(Gate {
                image: "localhost/tacho:1".to_owned(),
                is_loaded: true,
                arguments: words.map(str::to_owned).to_vec(),
                port: 9000,
            }),
            ..wanted()
        };
        let json = serde_json::to_value(deployment(&warmed)).unwrap();
        let containers = &json["spec"]["template"]["spec"]["containers"];
        assert_eq!(containers[0]["name"], "subject");
        let gate = &containers[1];
        let probe = serde_json::json!({
            "httpGet": {"path": "/ready", "port": 9000},
            "periodSeconds": 1,
            "failureThreshold": 1,
        });
        assert_eq!(gate["readinessProbe"], probe);
        assert_eq!(gate["args"][3], "http://localhost:8080/$$(x)");
        assert_eq!(gate["resources"]["limits"]["cpu"], "200m");
        assert_eq!(gate["resources"]["requests"]["cpu"], "10m");
        assert_eq!(gate["securityContext"]["capabilities"]["drop"][0], "ALL");
    }

    #[test]
    fn a_pod_that_sleeps_before_it_ends_has_the_time_for_it() {
        let sleeping = WantedDeployment {
            pre_stop_s: Some(5),
            ready: ReadyProbe::Port,
            ..wanted()
        };
        let json = serde_json::to_value(deployment(&sleeping)).unwrap();
        let pod = &json["spec"]["template"]["spec"];
        assert_eq!(pod["terminationGracePeriodSeconds"], 35);
        let container = &pod["containers"][0];
        assert_eq!(container["lifecycle"]["preStop"]["sleep"]["seconds"], 5);
        assert_eq!(container["readinessProbe"]["tcpSocket"]["port"], 8080);
    }
}
