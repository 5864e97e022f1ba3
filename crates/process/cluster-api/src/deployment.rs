//! A Deployment that somebody runs: it is read, and changed in the same way as by `kubectl`.

use crate::access::Reached;
use crate::error::{ClusterError, Doing};
use crate::for_a_while::{self, PutBack, TemporaryChange};
use crate::patience::patiently;
use k8s_openapi::api::apps::v1::{Deployment, DeploymentCondition};
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec, Service};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use kube::api::{Api, EvictParams, ListParams, Patch, PatchParams};
use kube::{Client, ResourceExt};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::IpAddr;
use tacho_clock::wall_ns;

/// What a Deployment says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeploymentState {
    /// Its name.
    pub name: String,
    /// How many pods are wanted.
    pub replicas: u32,
    /// Selector of its pods, in the form that lists and watches take.
    pub selector: String,
    /// What its pods are labelled with.
    pub labels: BTreeMap<String, String>,
    /// The container that is meant where none is named, as `kubectl` has it: the one that an
    /// annotation of the template names, or the first. A gate that warms another is not meant.
    #[serde(default)]
    pub container: String,
    /// A container says by a probe whether it is ready.
    pub has_readiness_probe: bool,
    /// A container waits before it is told to end.
    pub has_pre_stop: bool,
    /// How long a pod has to end, in seconds.
    pub grace_s: u32,
    /// What each container does before it is told to end, by the container's name, in the form of
    /// the API; `null` where it does nothing.
    pub pre_stops: BTreeMap<String, Value>,
    /// The wanted number of pods is there, all of them new and available, and there are no others.
    pub is_settled: bool,
    /// It has given up (`ProgressDeadlineExceeded`), with its words.
    pub stuck: Option<String>,
    /// Its pods are not taken (`ReplicaFailure`), such as by a quota, with the server's words.
    pub refused: Option<String>,
    /// Somebody has paused it: no change is carried out.
    pub is_paused: bool,
    /// A temporary change that was not undone yet.
    pub put_back: Option<PutBack>,
}

/// The annotation of a pod that names its container for whoever names none
/// (<https://kubernetes.io/docs/reference/labels-annotations-taints/#kubectl-kubernetes-io-default-container>).
const DEFAULT_CONTAINER: &str = "kubectl.kubernetes.io/default-container";

/// A Service in front of pods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceSeen {
    /// Its name.
    pub name: String,
    /// Its address within the cluster; `None` where the Service is headless.
    pub address: Option<IpAddr>,
    /// Its TCP ports.
    pub ports: Vec<ServicePort>,
}

/// A port of a Service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServicePort {
    /// What it is called; empty where the only one has no name.
    pub name: String,
    /// Its number.
    pub number: u16,
}

impl ServiceSeen {
    /// The port that users use: the only port, or the only one that is named after HTTP (`http`,
    /// `http-api`).
    #[must_use]
    pub fn users_port(&self) -> Option<u16> {
        let is_http = |port: &&ServicePort| port.name == "http" || port.name.starts_with("http-");
        let named: Vec<_> = self.ports.iter().filter(is_http).collect();
        match (self.ports.as_slice(), named.as_slice()) {
            ([one], _) => Some(one.number),
            (_, [one]) => Some(one.number),
            _ => None,
        }
    }
}

pub(crate) struct Deployments<'a> {
    pub client: &'a Client,
    pub reached: &'a Reached,
}

impl Deployments<'_> {
    fn all(&self) -> Api<Deployment> {
        Api::namespaced(self.client.clone(), self.reached.namespace.as_ref())
    }

    /// `None` when there is none of that name.
    pub async fn state(&self, name: &str) -> Result<Option<DeploymentState>, ClusterError> {
        let all = self.all();
        let found = patiently(Doing::ReadDeployment, self.reached, || all.get_opt(name)).await?;
        Ok(found.as_ref().map(DeploymentState::of))
    }

    /// Names of Deployments. The API is asked only once, because the names are for an error
    /// message.
    pub async fn names(&self) -> Result<Vec<String>, ClusterError> {
        let (all, some) = (self.all(), ListParams::default().limit(10));
        let found = crate::answer(Doing::ReadDeployment, self.reached, all.list(&some)).await?;
        Ok(found.iter().map(ResourceExt::name_any).collect())
    }

    /// Replaces all pods by new ones, as `kubectl rollout restart` does: it changes an annotation
    /// of the template.
    pub async fn restart(&self, name: &str) -> Result<(), ClusterError> {
        let at = json!({"tacho/restarted-at-ns": wall_ns().to_string()});
        let patch = json!({"spec": {"template": {"metadata": {"annotations": at}}}});
        self.patch(name, Patch::Merge(patch)).await
    }

    /// Changes it temporarily. The Deployment itself records what is to be undone, and by whom.
    pub async fn change_for_a_while(
        &self,
        name: &str,
        put_back: &PutBack,
    ) -> Result<(), ClusterError> {
        self.patch(name, for_a_while::there(put_back)).await
    }

    /// Undoes that change, and nothing else.
    pub async fn put_back(
        &self,
        name: &str,
        changed: &TemporaryChange,
    ) -> Result<(), ClusterError> {
        self.patch(name, for_a_while::back(changed)).await
    }

    /// Leaves the Deployment as it is, and removes the record of the change.
    pub async fn leave(&self, name: &str) -> Result<(), ClusterError> {
        self.patch(name, for_a_while::left()).await
    }

    async fn patch(&self, name: &str, patch: Patch<Value>) -> Result<(), ClusterError> {
        let (all, how) = (self.all(), PatchParams::default());
        let change = || all.patch(name, &how, &patch);
        patiently(Doing::ChangeDeployment, self.reached, change).await?;
        Ok(())
    }

    /// Evicts a pod, as draining its node would. Refused (429) while a PodDisruptionBudget protects
    /// the pod. A pod that is no longer there has left: an answer may have been lost.
    pub async fn evict(&self, pod: &str) -> Result<(), ClusterError> {
        let pods: Api<Pod> = Api::namespaced(self.client.clone(), self.reached.namespace.as_ref());
        let how = EvictParams::default();
        let evicted = patiently(Doing::EvictPod, self.reached, || pods.evict(pod, &how)).await;
        match evicted {
            Ok(_) | Err(ClusterError::Refused { code: 404, .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Services that lead to pods with these labels.
    pub async fn services(
        &self,
        labels: &BTreeMap<String, String>,
    ) -> Result<Vec<ServiceSeen>, ClusterError> {
        let services: Api<Service> =
            Api::namespaced(self.client.clone(), self.reached.namespace.as_ref());
        let all = ListParams::default();
        let found = patiently(Doing::ListServices, self.reached, || services.list(&all)).await?;
        let leads = |service: &&Service| {
            let selector = service
                .spec
                .as_ref()
                .and_then(|spec| spec.selector.as_ref());
            selector.is_some_and(|selector| {
                !selector.is_empty()
                    && selector
                        .iter()
                        .all(|(key, value)| labels.get(key) == Some(value))
            })
        };
        Ok(found.iter().filter(leads).map(ServiceSeen::of).collect())
    }
}

impl ServiceSeen {
    pub(crate) fn of(service: &Service) -> Self {
        let spec = service.spec.as_ref();
        let address = spec.and_then(|spec| spec.cluster_ip.as_deref());
        let ports = spec.and_then(|spec| spec.ports.as_ref());
        let is_tcp = |protocol: &Option<String>| protocol.as_deref().is_none_or(|it| it == "TCP");
        Self {
            name: service.name_any(),
            address: address.and_then(|address| address.parse().ok()),
            ports: ports
                .into_iter()
                .flatten()
                .filter(|port| is_tcp(&port.protocol))
                .filter_map(|port| {
                    Some(ServicePort {
                        name: port.name.clone().unwrap_or_default(),
                        number: u16::try_from(port.port).ok()?,
                    })
                })
                .collect(),
        }
    }
}

impl DeploymentState {
    /// How long a container sleeps before it is told to end, in seconds: the one that does so for
    /// the longest. `None` where none does, or none says how long.
    #[must_use]
    pub fn pre_stop_s(&self) -> Option<u32> {
        self.pre_stops.values().filter_map(slept_s).max()
    }

    fn of(deployment: &Deployment) -> Self {
        let spec = deployment.spec.clone().unwrap_or_default();
        let status = deployment.status.clone().unwrap_or_default();
        let template = spec.template.metadata.unwrap_or_default();
        let pod = spec.template.spec.unwrap_or_default();
        let any = |holds: fn(&Container) -> bool| pod.containers.iter().any(holds);
        // The API's defaults are 1 replica and 30 seconds.
        let replicas = spec.replicas.unwrap_or(1);
        let grace_s = pod.termination_grace_period_seconds.unwrap_or(30);
        let generation = deployment.metadata.generation.unwrap_or_default();
        let is_seen = status
            .observed_generation
            .is_some_and(|seen| seen >= generation);
        let counts = [
            status.replicas,
            status.updated_replicas,
            status.available_replicas,
        ];
        let said = |condition: &DeploymentCondition| {
            crate::error::line(condition.message.as_deref().unwrap_or(""))
        };
        let conditions = || status.conditions.iter().flatten();
        let stuck = conditions().find(|condition| {
            condition.type_ == "Progressing"
                && condition.reason.as_deref() == Some("ProgressDeadlineExceeded")
        });
        let refused = conditions()
            .find(|condition| condition.type_ == "ReplicaFailure" && condition.status == "True");
        Self {
            name: deployment.name_any(),
            replicas: u32::try_from(replicas).unwrap_or(0),
            selector: selector(&spec.selector),
            container: container(&template, &pod),
            labels: template.labels.unwrap_or_default(),
            has_readiness_probe: any(|container| container.readiness_probe.is_some()),
            has_pre_stop: any(|container| {
                let lifecycle = container.lifecycle.as_ref();
                lifecycle.is_some_and(|lifecycle| lifecycle.pre_stop.is_some())
            }),
            grace_s: u32::try_from(grace_s).unwrap_or(0),
            pre_stops: pod.containers.iter().map(pre_stop).collect(),
            is_settled: is_seen
                && counts.iter().all(|count| count.unwrap_or(0) == replicas)
                && status.terminating_replicas.unwrap_or(0) == 0,
            stuck: stuck.filter(|_| is_seen).map(said),
            refused: refused.filter(|_| is_seen).map(said),
            is_paused: spec.paused.unwrap_or(false),
            put_back: for_a_while::said(deployment.annotations()),
        }
    }
}

fn container(template: &ObjectMeta, pod: &PodSpec) -> String {
    let annotations = template.annotations.as_ref();
    let named = annotations.and_then(|all| all.get(DEFAULT_CONTAINER));
    let containers = pod.containers.iter();
    let mut names = containers.clone().map(|container| &container.name);
    let found = named.filter(|named| names.clone().any(|name| name == *named));
    let mut services = containers.filter(|container| !is_gate(container));
    let first = services.next().map(|container| &container.name);
    let found = found.or(first).or_else(|| names.next());
    found.cloned().unwrap_or_default()
}

/// `tacho warm --gate`, which patches of Kustomize put before the container that it warms.
fn is_gate(container: &Container) -> bool {
    let words = container.command.iter().chain(&container.args).flatten();
    let words: Vec<&str> = words.map(String::as_str).collect();
    words.contains(&"warm") && words.iter().any(|word| word.starts_with("--gate"))
}

fn pre_stop(container: &Container) -> (String, Value) {
    let handler = container.lifecycle.as_ref();
    let handler = handler.and_then(|lifecycle| lifecycle.pre_stop.as_ref());
    let handler = handler.and_then(|handler| serde_json::to_value(handler).ok());
    (container.name.clone(), handler.unwrap_or(Value::Null))
}

/// How long a handler sleeps, by its own `sleep` or by commands in it that sleep for whole seconds.
fn slept_s(handler: &Value) -> Option<u32> {
    if let Some(seconds) = handler["sleep"]["seconds"].as_u64() {
        return u32::try_from(seconds).ok();
    }
    let command = handler["exec"]["command"].as_array()?;
    let between = |c: char| c.is_whitespace() || ";&|".contains(c);
    let words = command.iter().filter_map(Value::as_str);
    let words: Vec<&str> = words
        .flat_map(|word| word.split(between))
        .filter(|word| !word.is_empty())
        .collect();
    let sleeps = |pair: &[&str]| match pair {
        [program, seconds] if program.rsplit('/').next() == Some("sleep") => {
            seconds.trim_end_matches('s').parse::<u32>().ok()
        }
        _ => None,
    };
    let slept = words.windows(2).filter_map(sleeps);
    slept.reduce(u32::saturating_add)
}

/// Writes labels and expressions in the syntax of list requests (kubernetes.io/docs, "Labels and
/// Selectors").
fn selector(selector: &LabelSelector) -> String {
    let labels = selector.match_labels.iter().flatten();
    let labels = labels.map(|(key, value)| format!("{key}={value}"));
    let expressions = selector.match_expressions.iter().flatten();
    let expressions = expressions.map(|one| {
        let values = one.values.clone().unwrap_or_default().join(",");
        match one.operator.as_str() {
            "In" => format!("{} in ({values})", one.key),
            "NotIn" => format!("{} notin ({values})", one.key),
            "DoesNotExist" => format!("!{}", one.key),
            _ => one.key.clone(),
        }
    });
    labels.chain(expressions).collect::<Vec<String>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(status: Value) -> DeploymentState {
        let deployment = json!({
            "apiVersion": "apps/v1",
            "kind": "Deployment",
            "metadata": {"name": "users", "generation": 3},
            "spec": {
                "replicas": 2,
                "selector": {
                    "matchLabels": {"app": "users"},
                    "matchExpressions": [
                        {"key": "tier", "operator": "In", "values": ["a", "b"]},
                        {"key": "old", "operator": "DoesNotExist"},
                    ],
                },
                "template": {
                    "metadata": {"labels": {"app": "users"}},
                    "spec": {"containers": [
                        {"name": "users", "readinessProbe": {"httpGet": {"port": 80}}},
                    ]},
                },
            },
            "status": status,
        });
        DeploymentState::of(&serde_json::from_value(deployment).unwrap())
    }

    #[test]
    fn it_is_settled_when_all_pods_are_new_and_no_others_are_left() {
        let done = json!({
            "observedGeneration": 3, "replicas": 2, "updatedReplicas": 2, "availableReplicas": 2,
        });
        let state = with(done.clone());
        assert!(state.is_settled && state.has_readiness_probe && !state.has_pre_stop);
        assert_eq!(state.selector, "app=users,tier in (a,b),!old");
        assert_eq!((state.replicas, state.grace_s), (2, 30));
        for (field, value) in [
            ("observedGeneration", 2),
            ("replicas", 3),
            ("updatedReplicas", 1),
            ("terminatingReplicas", 1),
        ] {
            let mut other = done.clone();
            other[field] = json!(value);
            assert!(!with(other).is_settled, "{field}");
        }
    }

    /// What a cluster puts into each pod, such as a proxy, is not in the template.
    #[test]
    fn its_container_is_the_first_unless_an_annotation_names_another() {
        let of = |annotation: &str| {
            let template = json!({
                "metadata": {"annotations": {DEFAULT_CONTAINER: annotation}},
                "spec": {"containers": [{"name": "ships-logs"}, {"name": "users"}]},
            });
            let deployment = json!({
                "metadata": {"name": "users"},
                "spec": {"selector": {}, "template": template},
            });
            DeploymentState::of(&serde_json::from_value(deployment).unwrap()).container
        };
        assert_eq!(of("users"), "users");
        assert_eq!(of("gone"), "ships-logs");
        assert_eq!(with(json!({})).container, "users");
    }

    #[test]
    fn a_pre_stop_takes_as_long_as_it_sleeps() {
        assert_eq!(slept_s(&json!({"sleep": {"seconds": 5}})), Some(5));
        let command = |words: &[&str]| slept_s(&json!({"exec": {"command": words}}));
        assert_eq!(command(&["sleep", "10"]), Some(10));
        let script = "/bin/sleep 10s; nginx -s quit && sleep 2";
        assert_eq!(command(&["/bin/sh", "-c", script]), Some(12));
        assert_eq!(command(&["/drain", "sleep"]), None);
        let asked = json!({"httpGet": {"path": "/sleep/10", "port": 80}});
        assert_eq!(slept_s(&asked), None);
        let mut state = with(json!({}));
        assert_eq!(state.pre_stop_s(), None);
        for (name, seconds) in [("users", 3), ("proxy", 15)] {
            let sleeps = json!({"sleep": {"seconds": seconds}});
            state.pre_stops.insert(name.to_owned(), sleeps);
        }
        assert_eq!(state.pre_stop_s(), Some(15));
    }

    #[test]
    fn it_is_changed_as_long_as_nobody_has_changed_it_since() {
        let mut state = with(json!({}));
        assert_eq!(state.pre_stops["users"], Value::Null);
        let more = TemporaryChange::replicas(&state, 4);
        let slept = TemporaryChange::pre_stop(&state, 3);
        assert!(!more.is_seen_in(&state) && !slept.is_seen_in(&state));
        state.replicas = 4;
        assert!(more.is_seen_in(&state));
        let sleep = |seconds: u32| json!({"sleep": {"seconds": seconds}});
        state.pre_stops.insert("users".to_owned(), sleep(3));
        assert!(slept.is_seen_in(&state));
        state.pre_stops.insert("users".to_owned(), sleep(5));
        assert!(!slept.is_seen_in(&state));
    }

    #[test]
    fn one_that_has_given_up_says_so() {
        let condition = json!({
            "type": "Progressing", "status": "False", "reason": "ProgressDeadlineExceeded",
            "message": "ReplicaSet \"users-1\" has timed out progressing.",
        });
        let state = with(json!({"observedGeneration": 3, "conditions": [condition]}));
        assert!(state.stuck.unwrap().contains("timed out"));
    }

    #[test]
    fn a_headless_service_has_no_address() {
        let service = |ip: &str, ports: Value| {
            let service = json!({
                "metadata": {"name": "users"},
                "spec": {"clusterIP": ip, "ports": ports},
            });
            ServiceSeen::of(&serde_json::from_value(service).unwrap())
        };
        let plain = json!([{"port": 80}, {"port": 53, "protocol": "UDP"}]);
        assert_eq!(service("None", plain.clone()).address, None);
        let seen = service("10.96.0.7", plain);
        assert_eq!(seen.address, Some("10.96.0.7".parse().unwrap()));
        assert_eq!(seen.users_port(), Some(80));
        // What is measured by others is no port of users.
        let port = |name: &str, number: u16| json!({"name": name, "port": number});
        let of = |ports: &[Value]| service("10.96.0.7", json!(ports)).users_port();
        let metrics = port("metrics", 9090);
        assert_eq!(of(&[metrics.clone(), port("http", 80)]), Some(80));
        assert_eq!(
            of(&[port("https", 443), port("http-api", 8080)]),
            Some(8080)
        );
        assert_eq!(of(&[metrics.clone(), port("grpc", 50051)]), None);
        assert_eq!(of(&[metrics]), Some(9090));
    }
}
