//! A pod of a run as the API wants it: restricted, of one container, with requests equal to limits.

use super::CONTAINER;
use super::behind::{Behind, all_labels, probe, selector};
use super::run_pod::on_node;
use crate::run_label::RunLabel;
use k8s_openapi::api::core::v1::{
    Capabilities, Container, ContainerPort, EnvVar, EnvVarSource, ObjectFieldSelector, Pod,
    PodSecurityContext, PodSpec, ResourceRequirements, SeccompProfile, SecurityContext, Toleration,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use std::collections::BTreeMap;
use std::time::Duration;

/// Who made an object
/// (<https://kubernetes.io/docs/concepts/overview/working-with-objects/common-labels/>).
pub(crate) const MANAGED_BY: (&str, &str) = ("app.kubernetes.io/managed-by", "tacho");
/// The run that an object belongs to.
pub(crate) const RUN_LABEL: &str = "tacho/run";

/// A pod that is wanted: one process of a launch.
#[derive(Debug, Clone)]
pub struct SubjectPod {
    /// Its name, unique within the namespace.
    pub name: String,
    /// The run that it belongs to.
    pub run: RunLabel,
    /// The object with which it is deleted.
    pub owner: Option<OwnerReference>,
    /// Its image, by the name by which the node finds it.
    pub image: String,
    /// It was loaded into the node, and is not to be pulled.
    pub is_loaded: bool,
    /// Program and arguments; empty: those of the image.
    pub command: Vec<String>,
    /// Folder in the image; absent: that of the image.
    pub directory: Option<String>,
    /// Beside that of the image.
    pub environment: BTreeMap<String, String>,
    /// This text in the command or the environment is replaced by the address of the pod's node.
    pub node_stands_for: Option<&'static str>,
    /// Where it listens.
    pub port: Option<u16>,
    /// The node that it has to be on; absent: any.
    pub node: Option<String>,
    /// Processors.
    pub cpu: Option<f64>,
    /// Memory.
    pub memory_bytes: Option<u64>,
    /// How its node checks whether it is ready, and that a Service leads to it. Absent: nobody
    /// checks it, and it counts as ready once it runs.
    pub behind: Option<Behind>,
    /// Time between SIGTERM and SIGKILL.
    pub grace: Duration,
    /// After this time the cluster ends it, in case that Tacho no longer can.
    pub at_most: Duration,
}

impl SubjectPod {
    /// The selector of the Service in front of it, as lists and watches take it.
    #[must_use]
    pub fn selector(&self) -> String {
        selector(self)
    }
}

/// Labels of all objects of a run.
pub(crate) fn labels(run: &RunLabel) -> BTreeMap<String, String> {
    let (name, value) = MANAGED_BY;
    BTreeMap::from([
        (name.to_owned(), value.to_owned()),
        (RUN_LABEL.to_owned(), run.to_string()),
    ])
}

pub(crate) fn manifest(pod: &SubjectPod) -> Pod {
    Pod {
        metadata: ObjectMeta {
            name: Some(pod.name.clone()),
            labels: Some(match pod.behind {
                Some(_) => all_labels(pod),
                None => labels(&pod.run),
            }),
            owner_references: pod.owner.clone().map(|owner| vec![owner]),
            ..ObjectMeta::default()
        },
        spec: Some(PodSpec {
            containers: vec![Container {
                readiness_probe: pod.behind.as_ref().map(|it| probe(&it.ready, it.port)),
                ..container(pod)
            }],
            active_deadline_seconds: Some(deadline(pod.at_most)),
            tolerations: Some(vec![
                for_a_moment("node.kubernetes.io/not-ready"),
                for_a_moment("node.kubernetes.io/unreachable"),
            ]),
            affinity: pod.node.as_deref().map(on_node),
            ..restricted(pod.grace)
        }),
        status: None,
    }
}

/// How long a launch stays on a node that is heard of no more. A cluster gives a pod five minutes
/// unless the pod says otherwise
/// (<https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-based-evictions>).
/// A launch is not moved to another node, so nothing is won by waiting.
const A_MOMENT: Duration = Duration::from_secs(5);

fn for_a_moment(taint: &str) -> Toleration {
    Toleration {
        key: Some(taint.to_owned()),
        operator: Some("Exists".to_owned()),
        effect: Some("NoExecute".to_owned()),
        toleration_seconds: Some(whole_seconds(A_MOMENT)),
        value: None,
    }
}

/// What all pods of ours have: Pod Security Standards, restricted
/// (<https://kubernetes.io/docs/concepts/security/pod-security-standards/>).
pub(super) fn restricted(grace: Duration) -> PodSpec {
    PodSpec {
        // A failed start is a result; a restart would hide it.
        restart_policy: Some("Never".to_owned()),
        termination_grace_period_seconds: Some(whole_seconds(grace)),
        // The pod runs a measured service, which needs no access to the cluster.
        automount_service_account_token: Some(false),
        enable_service_links: Some(false),
        security_context: Some(PodSecurityContext {
            run_as_non_root: Some(true),
            seccomp_profile: Some(SeccompProfile {
                type_: "RuntimeDefault".to_owned(),
                localhost_profile: None,
            }),
            ..PodSecurityContext::default()
        }),
        ..PodSpec::default()
    }
}

/// The settings that all containers of Tacho have.
pub(super) fn restricted_container() -> Container {
    Container {
        security_context: Some(SecurityContext {
            allow_privilege_escalation: Some(false),
            capabilities: Some(Capabilities {
                add: None,
                drop: Some(vec!["ALL".to_owned()]),
            }),
            ..SecurityContext::default()
        }),
        ..Container::default()
    }
}

pub(super) fn container(pod: &SubjectPod) -> Container {
    let limits = limits(pod);
    Container {
        name: CONTAINER.to_owned(),
        image: Some(pod.image.clone()),
        image_pull_policy: Some(pull(pod.is_loaded).to_owned()),
        command: (!pod.command.is_empty()).then(|| {
            let words = pod.command.iter();
            words.map(|word| with_node(word, pod)).collect()
        }),
        working_dir: pod.directory.clone(),
        env: Some(variables(pod)).filter(|all| !all.is_empty()),
        ports: pod.port.map(|port| {
            vec![ContainerPort {
                container_port: port.into(),
                ..ContainerPort::default()
            }]
        }),
        // Requests equal limits, so that the pod is Guaranteed and gets exactly the resources with
        // which it is to be measured (https://kubernetes.io/docs/concepts/workloads/pods/pod-qos/).
        resources: limits.map(|limits| ResourceRequirements {
            requests: Some(limits.clone()),
            limits: Some(limits),
            claims: None,
        }),
        ..restricted_container()
    }
}

/// Whether the node may fetch an image. An image that was loaded into the node is in no registry.
pub(super) fn pull(is_loaded: bool) -> &'static str {
    match is_loaded {
        true => "Never",
        false => "IfNotPresent",
    }
}

fn limits(pod: &SubjectPod) -> Option<BTreeMap<String, Quantity>> {
    let limits = amounts(pod.cpu, pod.memory_bytes);
    (!limits.is_empty()).then_some(limits)
}

/// Amounts of processors and of memory, as far as they are given.
pub(super) fn amounts(cpu: Option<f64>, memory_bytes: Option<u64>) -> BTreeMap<String, Quantity> {
    // A thousandth of a processor is the smallest amount.
    let cpu = cpu.map(|cpu| ("cpu", format!("{:.0}m", (cpu * 1000.0).ceil())));
    let memory = memory_bytes.map(|bytes| ("memory", bytes.to_string()));
    cpu.into_iter()
        .chain(memory)
        .map(|(name, amount)| (name.to_owned(), Quantity(amount)))
        .collect()
}

/// Escapes dollar signs. The kubelet expands `$(NAME)`, and reads `$$` as one dollar sign
/// (<https://kubernetes.io/docs/reference/kubernetes-api/workload-resources/pod-v1/#entrypoint>).
pub(super) fn escaped(words: &[String]) -> Vec<String> {
    words.iter().map(|word| word.replace('$', "$$")).collect()
}

/// The variable of the container that holds the address of its node. The kubelet fills it in, so no
/// right to ask for nodes is needed
/// (<https://kubernetes.io/docs/concepts/workloads/pods/downward-api/>).
const NODE: &str = "TACHO_NODE";

/// Escapes dollar signs, and inserts the node's address where it is wanted.
fn with_node(text: &str, pod: &SubjectPod) -> String {
    let text = text.replace('$', "$$");
    match pod.node_stands_for {
        Some(placeholder) => text.replace(placeholder, &format!("$({NODE})")),
        None => text,
    }
}

fn variables(pod: &SubjectPod) -> Vec<EnvVar> {
    let wants_node = |text: &String| pod.node_stands_for.is_some_and(|it| text.contains(it));
    let mut texts = pod.command.iter().chain(pod.environment.values());
    // Before those that refer to it.
    let node = texts.any(wants_node).then(|| EnvVar {
        name: NODE.to_owned(),
        value: None,
        value_from: Some(EnvVarSource {
            field_ref: Some(ObjectFieldSelector {
                api_version: None,
                field_path: "status.hostIP".to_owned(),
            }),
            ..EnvVarSource::default()
        }),
    });
    let given = pod.environment.iter().map(|(name, value)| EnvVar {
        name: name.clone(),
        value: Some(with_node(value, pod)),
        value_from: None,
    });
    node.into_iter().chain(given).collect()
}

/// The seconds after which the cluster ends a pod by itself: from 1 to what 32 bits hold
/// (`validateActiveDeadlineSeconds` of the API server).
pub(super) fn deadline(at_most: Duration) -> i64 {
    whole_seconds(at_most).clamp(1, i64::from(i32::MAX))
}

pub(super) fn whole_seconds(time: Duration) -> i64 {
    let rounded_up = time.as_secs() + u64::from(time.subsec_nanos() > 0);
    i64::try_from(rounded_up).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::super::behind::{ReadyProbe, service};
    use super::*;

    fn pod() -> SubjectPod {
        SubjectPod {
            name: "tacho-r-1".to_owned(),
            run: RunLabel::of("r"),
            owner: None,
            image: "localhost/service:jar".to_owned(),
            is_loaded: true,
            command: vec![
                "/opt/java/bin/java".to_owned(),
                "-Dprice=5$(USD)".to_owned(),
            ],
            directory: Some("/app".to_owned()),
            environment: BTreeMap::from([("PRICE".to_owned(), "$5".to_owned())]),
            node_stands_for: None,
            port: Some(8080),
            node: None,
            cpu: Some(0.25),
            memory_bytes: Some(256 << 20),
            behind: None,
            grace: Duration::from_millis(4_200),
            at_most: Duration::from_secs(300),
        }
    }

    #[test]
    fn a_pod_is_restricted_and_gets_what_it_is_measured_with() {
        let json = serde_json::to_value(manifest(&pod())).unwrap();
        let spec = &json["spec"];
        let container = &spec["containers"][0];
        let limits = serde_json::json!({"cpu": "250m", "memory": "268435456"});
        assert_eq!(container["resources"]["limits"], limits);
        assert_eq!(container["resources"]["requests"], limits);
        assert_eq!(container["imagePullPolicy"], "Never");
        assert_eq!(container["workingDir"], "/app");
        let security = &container["securityContext"];
        assert_eq!(security["allowPrivilegeEscalation"], false);
        assert_eq!(security["capabilities"]["drop"][0], "ALL");
        assert_eq!(spec["securityContext"]["runAsNonRoot"], true);
        assert_eq!(spec["automountServiceAccountToken"], false);
        assert_eq!(spec["restartPolicy"], "Never");
        assert_eq!(spec["terminationGracePeriodSeconds"], 5);
        assert_eq!(spec["activeDeadlineSeconds"], 300);
        let tolerated = spec["tolerations"].as_array().unwrap().iter();
        let seconds = tolerated.map(|one| one["tolerationSeconds"].as_i64());
        assert_eq!(seconds.collect::<Vec<_>>(), [Some(5); 2]);
        assert_eq!(json["metadata"]["labels"]["tacho/run"], "r");
    }

    #[test]
    fn a_pod_is_asked_by_its_node_only_where_a_service_leads_to_it() {
        let alone = serde_json::to_value(manifest(&pod())).unwrap();
        assert!(
            alone["spec"]["containers"][0]
                .get("readinessProbe")
                .is_none()
        );
        let behind = SubjectPod {
            behind: Some(Behind {
                port: 8080,
                ready: ReadyProbe::Path("/health".to_owned()),
            }),
            ..pod()
        };
        let json = serde_json::to_value(manifest(&behind)).unwrap();
        let probe = &json["spec"]["containers"][0]["readinessProbe"];
        assert_eq!(probe["httpGet"]["path"], "/health");
        assert_eq!(probe["periodSeconds"], 1);
        let service = serde_json::to_value(service(&behind, 8080)).unwrap();
        let labels = &json["metadata"]["labels"];
        for (name, value) in service["spec"]["selector"].as_object().unwrap() {
            assert_eq!(&labels[name], value, "{name}");
        }
        assert_eq!(
            behind.selector(),
            "app.kubernetes.io/instance=tacho-r-1,tacho/run=r"
        );
    }

    #[test]
    fn a_pod_is_where_whoever_measures_it_is() {
        let pinned = SubjectPod {
            node: Some("one".to_owned()),
            ..pod()
        };
        let json = serde_json::to_value(manifest(&pinned)).unwrap();
        assert_eq!(
            json["spec"]["affinity"],
            serde_json::to_value(on_node("one")).unwrap()
        );
        let free = serde_json::to_value(manifest(&pod())).unwrap();
        assert!(free["spec"].get("affinity").is_none());
    }

    #[test]
    fn what_a_command_says_reaches_the_process_as_it_is() {
        let json = serde_json::to_value(manifest(&pod())).unwrap();
        let container = &json["spec"]["containers"][0];
        assert_eq!(container["command"][1], "-Dprice=5$$(USD)");
        assert_eq!(container["env"][0]["value"], "$$5");
    }

    #[test]
    fn the_address_of_the_node_stands_where_it_is_wanted() {
        let url = "http://{companions}:9000/$1".to_owned();
        let beside = SubjectPod {
            environment: BTreeMap::from([("PARTNER".to_owned(), url)]),
            node_stands_for: Some("{companions}"),
            ..pod()
        };
        let json = serde_json::to_value(manifest(&beside)).unwrap();
        let env = &json["spec"]["containers"][0]["env"];
        assert_eq!(
            env[0]["valueFrom"]["fieldRef"]["fieldPath"],
            "status.hostIP"
        );
        assert_eq!(env[1]["value"], "http://$(TACHO_NODE):9000/$$1");
        let without = SubjectPod {
            node_stands_for: Some("{companions}"),
            ..pod()
        };
        let json = serde_json::to_value(manifest(&without)).unwrap();
        assert_eq!(json["spec"]["containers"][0]["env"][0]["value"], "$$5");
    }

    #[test]
    fn what_is_in_a_registry_is_pulled_where_it_is_not_there() {
        let pulled = SubjectPod {
            is_loaded: false,
            ..pod()
        };
        let json = serde_json::to_value(manifest(&pulled)).unwrap();
        assert_eq!(
            json["spec"]["containers"][0]["imagePullPolicy"],
            "IfNotPresent"
        );
    }

    #[test]
    fn without_limits_none_are_asked_for() {
        let free = SubjectPod {
            cpu: None,
            memory_bytes: None,
            ..pod()
        };
        let json = serde_json::to_value(manifest(&free)).unwrap();
        assert!(json["spec"]["containers"][0].get("resources").is_none());
    }
}
