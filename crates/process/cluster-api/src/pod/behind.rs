//! What a Service needs: a Service with a pod's name, the labels by which it finds its pods, and
//! how nodes check whether the pods are ready.

use super::manifest::labels;
use super::{RUN_LABEL, SubjectPod};
use k8s_openapi::api::core::v1::{
    HTTPGetAction, Probe, Service, ServicePort, ServiceSpec, TCPSocketAction,
};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use std::collections::BTreeMap;

/// Tells the pods of one Service from those of another of the same run
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

/// How a pod is reached through a Service of its own name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behind {
    /// The port on which it listens, and that of the Service.
    pub port: u16,
    /// How its node asks whether it is ready.
    pub ready: ReadyProbe,
}

pub(crate) fn service(pod: &SubjectPod, port: u16) -> Service {
    Service {
        metadata: ObjectMeta {
            name: Some(pod.name.clone()),
            labels: Some(all_labels(pod)),
            owner_references: pod.owner.clone().map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        spec: Some(ServiceSpec {
            selector: Some(own(pod)),
            ports: Some(vec![ServicePort {
                port: port.into(),
                target_port: Some(IntOrString::Int(port.into())),
                ..ServicePort::default()
            }]),
            ..ServiceSpec::default()
        }),
        status: None,
    }
}

/// Labels of this pod alone: a Service must not lead to other pods.
pub(super) fn own(pod: &SubjectPod) -> BTreeMap<String, String> {
    BTreeMap::from([
        (RUN_LABEL.to_owned(), pod.run.to_string()),
        (INSTANCE.to_owned(), pod.name.clone()),
    ])
}

pub(super) fn all_labels(pod: &SubjectPod) -> BTreeMap<String, String> {
    let mut all = labels(&pod.run);
    all.extend(own(pod));
    all
}

/// Its own pods, as lists take it.
pub(super) fn selector(pod: &SubjectPod) -> String {
    let own = own(pod);
    let labels: Vec<String> = own.iter().map(|(k, v)| format!("{k}={v}")).collect();
    labels.join(",")
}

pub(super) fn probe(ready: &ReadyProbe, port: u16) -> Probe {
    let port = IntOrString::Int(port.into());
    let (http_get, tcp_socket) = match ready {
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
    Probe {
        http_get,
        tcp_socket,
        // The shortest period that Kubernetes allows.
        period_seconds: Some(1),
        ..Probe::default()
    }
}
