//! Several generators in the form of the API: one Indexed Job, whose pods are numbered. A pod is
//! never restarted, because its instants would be past.

use super::WORKER;
use super::manifest::{amounts, deadline, escaped, labels, pull, restricted, restricted_container};
use crate::run_label::RunLabel;
use k8s_openapi::api::batch::v1::{Job, JobSpec};
use k8s_openapi::api::core::v1::{
    Container, ContainerPort, Pod, PodSpec, PodTemplateSpec, ResourceRequirements,
    TopologySpreadConstraint,
};
use k8s_openapi::apimachinery::pkg::api::resource::Quantity;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{LabelSelector, ObjectMeta};
use std::collections::BTreeMap;
use std::time::Duration;

/// The number of a pod of an Indexed Job
/// (<https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode>).
pub(crate) const INDEX: &str = "batch.kubernetes.io/job-completion-index";

/// What each generator requests, so that the scheduler does not put them all where nothing is free.
/// It requests no more than this, and has no limit unless one is given: a throttled generator is
/// late.
const REQUESTED: [(&str, &str); 2] = [("cpu", "100m"), ("memory", "64Mi")];

/// Ended pods are kept for this long for inspection; seconds.
const KEPT_S: i32 = 60;

/// Generators that are wanted.
#[derive(Debug, Clone)]
pub struct WorkersJob {
    /// The run that they belong to.
    pub run: RunLabel,
    /// How many.
    pub workers: u32,
    /// Their image.
    pub image: String,
    /// It was loaded into the node, and is not to be fetched.
    pub is_loaded: bool,
    /// Arguments of the program that the image starts.
    pub arguments: Vec<String>,
    /// Where they listen, on the loopback of the pod.
    pub port: u16,
    /// What each may have at most, where the namespace wants that.
    pub limits: WorkerLimits,
    /// After this time the cluster ends them, should nobody be there to do so.
    pub at_most: Duration,
}

/// Limits of a worker or a run pod. What is limited is requested in the same amount.
#[derive(Debug, Clone, Copy, Default)]
pub struct WorkerLimits {
    /// Processors.
    pub cpu: Option<f64>,
    /// Memory.
    pub memory_bytes: Option<u64>,
}

pub(crate) fn job(wanted: &WorkersJob, metadata: ObjectMeta) -> Job {
    let workers = i32::try_from(wanted.workers).unwrap_or(i32::MAX);
    Job {
        metadata,
        spec: Some(JobSpec {
            completion_mode: Some("Indexed".to_owned()),
            completions: Some(workers),
            parallelism: Some(workers),
            // Stable since 1.33: a pod that ends does not affect the others.
            backoff_limit_per_index: Some(0),
            active_deadline_seconds: Some(deadline(wanted.at_most)),
            ttl_seconds_after_finished: Some(KEPT_S),
            template: template(wanted),
            ..JobSpec::default()
        }),
        status: None,
    }
}

/// One of its pods, by itself.
pub(crate) fn worker(wanted: &WorkersJob) -> Pod {
    let template = template(wanted);
    Pod {
        metadata: ObjectMeta {
            name: Some(wanted.run.name_of("check")),
            ..template.metadata.unwrap_or_default()
        },
        spec: template.spec,
        status: None,
    }
}

fn template(wanted: &WorkersJob) -> PodTemplateSpec {
    PodTemplateSpec {
        metadata: Some(ObjectMeta {
            labels: Some(labels(&wanted.run)),
            ..ObjectMeta::default()
        }),
        spec: Some(PodSpec {
            containers: vec![container(wanted)],
            // Spreads them over as many machines as there are.
            topology_spread_constraints: Some(vec![TopologySpreadConstraint {
                label_selector: Some(LabelSelector {
                    match_labels: Some(labels(&wanted.run)),
                    ..LabelSelector::default()
                }),
                max_skew: 1,
                topology_key: "kubernetes.io/hostname".to_owned(),
                when_unsatisfiable: "ScheduleAnyway".to_owned(),
                ..TopologySpreadConstraint::default()
            }]),
            ..restricted(Duration::from_secs(5))
        }),
    }
}

fn container(wanted: &WorkersJob) -> Container {
    let limits = amounts(wanted.limits.cpu, wanted.limits.memory_bytes);
    let mut requested: BTreeMap<String, Quantity> = REQUESTED
        .into_iter()
        .map(|(name, amount)| (name.to_owned(), Quantity(amount.to_owned())))
        .collect();
    // A request above its limit is refused.
    requested.extend(limits.clone());
    Container {
        name: WORKER.to_owned(),
        image: Some(wanted.image.clone()),
        image_pull_policy: Some(pull(wanted.is_loaded).to_owned()),
        args: Some(escaped(&wanted.arguments)),
        ports: Some(vec![ContainerPort {
            container_port: wanted.port.into(),
            ..ContainerPort::default()
        }]),
        resources: Some(ResourceRequirements {
            requests: Some(requested),
            limits: (!limits.is_empty()).then_some(limits),
            claims: None,
        }),
        ..restricted_container()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted() -> WorkersJob {
        WorkersJob {
            run: RunLabel::of("r"),
            workers: 8,
            image: "localhost/tacho:1".to_owned(),
            is_loaded: true,
            arguments: vec!["load".to_owned()],
            port: 7107,
            limits: WorkerLimits::default(),
            at_most: Duration::from_secs(3600),
        }
    }

    /// A quota may want them of every pod.
    #[test]
    fn a_worker_gets_the_limits_that_are_named() {
        let limits = WorkerLimits {
            cpu: Some(0.05),
            memory_bytes: Some(32 << 20),
        };
        let wanted = WorkersJob { limits, ..wanted() };
        let json = serde_json::to_value(worker(&wanted)).unwrap();
        let resources = &json["spec"]["containers"][0]["resources"];
        assert_eq!(resources["limits"]["cpu"], "50m");
        assert_eq!(resources["limits"]["memory"], "33554432");
        assert_eq!(resources["requests"], resources["limits"]);
    }

    #[test]
    fn workers_are_numbered_restricted_and_not_begun_again() {
        let json = serde_json::to_value(job(&wanted(), ObjectMeta::default())).unwrap();
        let spec = &json["spec"];
        assert_eq!(spec["completionMode"], "Indexed");
        assert_eq!(
            (&spec["completions"], &spec["parallelism"]),
            (&8.into(), &8.into())
        );
        assert_eq!(spec["backoffLimitPerIndex"], 0);
        assert_eq!(spec["activeDeadlineSeconds"], 3600);
        let pod = &spec["template"]["spec"];
        assert_eq!(pod["restartPolicy"], "Never");
        assert_eq!(pod["automountServiceAccountToken"], false);
        assert_eq!(pod["securityContext"]["runAsNonRoot"], true);
        let container = &pod["containers"][0];
        assert_eq!(container["imagePullPolicy"], "Never");
        assert_eq!(container["args"], serde_json::json!(["load"]));
        assert_eq!(
            container["securityContext"]["allowPrivilegeEscalation"],
            false
        );
        // A generator that is throttled is late.
        assert!(container["resources"].get("limits").is_none());
        assert_eq!(spec["template"]["metadata"]["labels"]["tacho/run"], "r");
    }
}
