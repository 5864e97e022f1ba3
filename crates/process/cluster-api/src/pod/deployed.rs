//! A Deployment of a run and the Service before its pods, as the API wants them.

use super::manifest::{container, labels, restricted, whole_seconds};
use super::{RUN_LABEL, SubjectPod};
use k8s_openapi::api::apps::v1::{Deployment, DeploymentSpec};
use k8s_openapi::api::core::v1::{
    Container, HTTPGetAction, Lifecycle, LifecycleHandler, PodSpec, PodTemplateSpec, Probe,
    Service, ServicePort, ServiceSpec, SleepAction, TCPSocketAction,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use std::collections::BTreeMap;
use std::time::Duration;

/// Tells the pods of one Deployment from those of another of the same run
/// (<https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/>).
const INSTANCE: &str = "app.kubernetes.io/instance";

/// How a node asks a pod whether it is ready, once a second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadyProbe {
    /// This path answers 2xx or 3xx.
    Path(String),
    /// A connection is accepted.
    Port,
}

/// A Deployment that is wanted, with a Service of the same name before its pods.
#[derive(Debug, Clone)]
pub struct WantedDeployment {
    /// Its pods. The name is that of the Deployment.
    pub pod: SubjectPod,
    /// How many.
    pub replicas: u32,
    /// Where each listens, and the Service, too.
    pub port: u16,
    /// How a node asks whether one is ready.
    pub ready: ReadyProbe,
    /// Each sleeps so long before it is told to end, in seconds.
    pub pre_stop_s: Option<u32>,
    /// Without progress for so long, the controller says that it is stuck.
    pub patience: Duration,
}

impl WantedDeployment {
    /// Its pods, as lists take it.
    #[must_use]
    pub fn selector(&self) -> String {
        let own = own(self);
        let labels: Vec<String> = own.iter().map(|(k, v)| format!("{k}={v}")).collect();
        labels.join(",")
    }
}

pub(crate) fn deployment(wanted: &WantedDeployment) -> Deployment {
    let patience = i32::try_from(whole_seconds(wanted.patience)).unwrap_or(i32::MAX);
    Deployment {
        metadata: metadata(wanted),
        spec: Some(DeploymentSpec {
            replicas: Some(i32::try_from(wanted.replicas).unwrap_or(i32::MAX)),
            progress_deadline_seconds: Some(patience.max(1)),
            selector: LabelSelector {
                match_labels: Some(own(wanted)),
                ..LabelSelector::default()
            },
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(all_labels(wanted)),
                    ..ObjectMeta::default()
                }),
                spec: Some(PodSpec {
                    // The only one that a Deployment may have.
                    restart_policy: Some("Always".to_owned()),
                    containers: vec![probed(wanted)],
                    ..restricted(grace(wanted))
                }),
            },
            // How old pods make room for new ones is as the API has it by default: a quarter.
            ..DeploymentSpec::default()
        }),
        status: None,
    }
}

pub(crate) fn service(wanted: &WantedDeployment) -> Service {
    Service {
        metadata: metadata(wanted),
        spec: Some(ServiceSpec {
            selector: Some(own(wanted)),
            ports: Some(vec![ServicePort {
                port: wanted.port.into(),
                target_port: Some(IntOrString::Int(wanted.port.into())),
                ..ServicePort::default()
            }]),
            ..ServiceSpec::default()
        }),
        status: None,
    }
}

fn metadata(wanted: &WantedDeployment) -> ObjectMeta {
    ObjectMeta {
        name: Some(wanted.pod.name.clone()),
        labels: Some(all_labels(wanted)),
        owner_references: wanted.pod.owner.clone().map(|owner| vec![owner]),
        ..ObjectMeta::default()
    }
}

/// Its own alone: a Service must not lead to another's pods.
fn own(wanted: &WantedDeployment) -> BTreeMap<String, String> {
    BTreeMap::from([
        (RUN_LABEL.to_owned(), wanted.pod.run.to_string()),
        (INSTANCE.to_owned(), wanted.pod.name.clone()),
    ])
}

fn all_labels(wanted: &WantedDeployment) -> BTreeMap<String, String> {
    let mut all = labels(&wanted.pod.run);
    all.extend(own(wanted));
    all
}

fn grace(wanted: &WantedDeployment) -> Duration {
    wanted.pod.grace + Duration::from_secs(wanted.pre_stop_s.unwrap_or(0).into())
}

fn probed(wanted: &WantedDeployment) -> Container {
    let port = IntOrString::Int(wanted.port.into());
    let (http_get, tcp_socket) = match &wanted.ready {
        ReadyProbe::Path(path) => {
            let get = HTTPGetAction {
                path: Some(path.clone()),
                port,
                ..HTTPGetAction::default()
            };
            (Some(get), None)
        }
        ReadyProbe::Port => {
            let socket = TCPSocketAction {
                port,
                ..TCPSocketAction::default()
            };
            (None, Some(socket))
        }
    };
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
        readiness_probe: Some(Probe {
            http_get,
            tcp_socket,
            period_seconds: Some(1),
            ..Probe::default()
        }),
        lifecycle: wanted.pre_stop_s.map(sleep),
        ..container(&wanted.pod)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_label::RunLabel;

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
                cpu: Some(0.5),
                memory_bytes: Some(256 << 20),
                grace: Duration::from_secs(30),
                at_most: Duration::from_secs(300),
            },
            replicas: 2,
            port: 8080,
            ready: ReadyProbe::Path("/health".to_owned()),
            pre_stop_s: None,
            patience: Duration::from_secs(90),
        }
    }

    #[test]
    fn a_service_leads_to_the_pods_of_its_deployment_alone() {
        let deployment = serde_json::to_value(deployment(&wanted())).unwrap();
        let service = serde_json::to_value(service(&wanted())).unwrap();
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
