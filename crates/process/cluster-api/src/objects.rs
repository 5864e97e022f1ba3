//! Objects of a run: made, ended, and never left behind.

use crate::access::Reached;
use crate::deployment::ServiceSeen;
use crate::error::{ClusterError, Doing};
use crate::patience::{AWAY, PAUSE, patiently};
use crate::pod::{
    INDEX, MANAGED_BY, PodState, RUN_LABEL, RunPod, SubjectPod, WantedDeployment, WorkersJob,
    deployment, job, labels, manifest, run_pod, service, worker,
};
use crate::run_label::RunLabel;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::batch::v1::{Job, JobSpec};
use k8s_openapi::api::core::v1::{Container, Pod, PodSpec, PodTemplateSpec, Service};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use kube::api::{Api, DeleteParams, ListParams, PostParams, PropagationPolicy};
use kube::{Client, ResourceExt};
use serde::{Deserialize, Serialize};
use std::time::Instant;
use tacho_clock::monotonic_ns;

/// A pod that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Made {
    /// Identifies this pod among those of the same name.
    pub uid: String,
    /// It has one container, and none that runs before that. A cluster may put others into each
    /// pod, such as a proxy.
    pub is_alone: bool,
    /// When the API answered that it was made; monotonic nanoseconds.
    pub answered_ns: u64,
}

/// A generator's pod.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerPod {
    /// Its number, from 0.
    pub index: u32,
    /// Its name.
    pub name: String,
    /// What is known of it.
    pub state: PodState,
}

/// What the objects of a run are made, found and ended with.
pub(crate) struct Objects<'a> {
    pub client: &'a Client,
    pub reached: &'a Reached,
}

impl Objects<'_> {
    fn pods(&self) -> Api<Pod> {
        Api::namespaced(self.client.clone(), self.reached.namespace.as_ref())
    }

    fn deployments(&self) -> Api<Deployment> {
        Api::namespaced(self.client.clone(), self.reached.namespace.as_ref())
    }

    fn services(&self) -> Api<Service> {
        Api::namespaced(self.client.clone(), self.reached.namespace.as_ref())
    }

    fn jobs(&self) -> Api<Job> {
        Api::namespaced(self.client.clone(), self.reached.namespace.as_ref())
    }

    /// Makes the owner of all objects of a run. Deleting it deletes all of them.
    pub async fn begin(
        &self,
        run: &RunLabel,
        runner: &Runner,
    ) -> Result<OwnerReference, ClusterError> {
        let (jobs, how, wanted) = (self.jobs(), PostParams::default(), owner(run, runner));
        let made = patiently(Doing::MakeOwner, self.reached, || {
            jobs.create(&how, &wanted)
        })
        .await?;
        Ok(OwnerReference {
            api_version: "batch/v1".to_owned(),
            kind: "Job".to_owned(),
            name: made.name_any(),
            uid: made.uid().unwrap_or_default(),
            controller: Some(false),
            block_owner_deletion: Some(false),
        })
    }

    /// Makes generators. Here the Job that makes them also owns the objects of the run.
    pub async fn begin_workers(
        &self,
        wanted: &WorkersJob,
        runner: &Runner,
    ) -> Result<(), ClusterError> {
        let (jobs, how) = (self.jobs(), PostParams::default());
        let wanted = job(wanted, of_run(&wanted.run, runner));
        let made = patiently(Doing::MakeOwner, self.reached, || {
            jobs.create(&how, &wanted)
        });
        made.await.map(|_| ())
    }

    /// Checks whether the cluster would accept the pods of such generators. When a Job's pods are
    /// refused, the Job exists all the same, and nothing runs.
    pub async fn would_make_worker(&self, wanted: &WorkersJob) -> Result<(), ClusterError> {
        let dry = PostParams {
            dry_run: true,
            ..PostParams::default()
        };
        let (pods, worker) = (self.pods(), worker(wanted));
        let made = crate::answer(Doing::MakePod, self.reached, pods.create(&dry, &worker));
        made.await.map(|_| ())
    }

    /// Makes the pod that carries out a run; with `is_dry` only checks whether it would be
    /// accepted.
    pub async fn make_run_pod(&self, wanted: &RunPod, is_dry: bool) -> Result<(), ClusterError> {
        let how = PostParams {
            dry_run: is_dry,
            ..PostParams::default()
        };
        let (pods, wanted) = (self.pods(), run_pod(wanted));
        let made = crate::answer(Doing::MakePod, self.reached, pods.create(&how, &wanted));
        made.await.map(|_| ())
    }

    /// Generators of a run that are there, with their numbers from 0.
    pub async fn workers(&self, run: &RunLabel) -> Result<Vec<WorkerPod>, ClusterError> {
        let pods = self.pods();
        let of_run = ListParams::default().labels(&format!("{RUN_LABEL}={run}"));
        let pods = patiently(Doing::ListPods, self.reached, || pods.list(&of_run)).await?;
        let of = |pod: &Pod| {
            Some(WorkerPod {
                index: pod.annotations().get(INDEX)?.parse().ok()?,
                name: pod.name_any(),
                state: PodState::of(pod),
            })
        };
        let mut workers: Vec<WorkerPod> = pods.iter().filter_map(of).collect();
        workers.sort_by_key(|worker| worker.index);
        Ok(workers)
    }

    /// Makes a pod. The request is repeated when the server was away. Where the first request
    /// arrived and only its answer was lost, the pod exists already.
    pub async fn make(&self, pod: &SubjectPod) -> Result<Made, ClusterError> {
        let began = Instant::now();
        let mut is_again = false;
        loop {
            let made = match self.create(pod, &PostParams::default()).await {
                Ok(made) => Some(made),
                Err(ClusterError::Refused { code: 409, .. }) if is_again => {
                    self.found(&pod.name).await?
                }
                Err(error) if error.may_pass() && began.elapsed() < AWAY => {
                    is_again = true;
                    tokio::time::sleep(PAUSE).await;
                    continue;
                }
                Err(error) => return Err(error),
            };
            return Ok(Made {
                uid: made.as_ref().and_then(ResourceExt::uid).unwrap_or_default(),
                is_alone: made.as_ref().is_some_and(is_alone),
                answered_ns: monotonic_ns(),
            });
        }
    }

    /// Whether the cluster would take such a pod: quota, Pod Security, admission. None is made.
    pub async fn would_make(&self, pod: &SubjectPod) -> Result<(), ClusterError> {
        let dry = PostParams {
            dry_run: true,
            ..PostParams::default()
        };
        self.create(pod, &dry).await.map(|_| ())
    }

    async fn create(&self, pod: &SubjectPod, how: &PostParams) -> Result<Pod, ClusterError> {
        let (pods, wanted) = (self.pods(), manifest(pod));
        crate::answer(Doing::MakePod, self.reached, pods.create(how, &wanted)).await
    }

    /// A Service of a pod's name, which leads to it.
    pub async fn lead_to(&self, pod: &SubjectPod, port: u16) -> Result<ServiceSeen, ClusterError> {
        let (services, how) = (self.services(), PostParams::default());
        let wanted = service(pod, port);
        let made = services.create(&how, &wanted);
        let made = crate::answer(Doing::MakeService, self.reached, made).await?;
        Ok(ServiceSeen::of(&made))
    }

    /// Ends a Service; one that is not there has ended.
    pub async fn end_service(&self, name: &str) -> Result<(), ClusterError> {
        let (services, how) = (self.services(), DeleteParams::default());
        let ended = patiently(Doing::EndService, self.reached, || {
            services.delete(name, &how)
        });
        absent_is_done(ended.await.map(|_| ()))
    }

    /// A Deployment, with the Service before its pods.
    pub async fn deploy(&self, wanted: &WantedDeployment) -> Result<(), ClusterError> {
        self.lead_to(&wanted.pod, wanted.port).await?;
        let how = PostParams::default();
        let (deployments, wanted) = (self.deployments(), deployment(wanted));
        let made = crate::answer(
            Doing::MakeDeployment,
            self.reached,
            deployments.create(&how, &wanted),
        );
        made.await.map(|_| ())
    }

    /// Ends a Deployment of a run, its Service and its pods; what is not there has ended.
    pub async fn undeploy(&self, name: &str) -> Result<(), ClusterError> {
        let how = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            ..DeleteParams::default()
        };
        let deployments = self.deployments();
        let ended = patiently(Doing::EndDeployment, self.reached, || {
            deployments.delete(name, &how)
        });
        let ended = absent_is_done(ended.await.map(|_| ()));
        ended.and(self.end_service(name).await)
    }

    /// Pods with these labels, by their names.
    pub async fn pods_of(&self, selector: &str) -> Result<Vec<(String, PodState)>, ClusterError> {
        let pods = self.pods();
        let own = ListParams::default().labels(selector);
        let pods = patiently(Doing::ListPods, self.reached, || pods.list(&own)).await?;
        let of = |pod: &Pod| (pod.name_any(), PodState::of(pod));
        Ok(pods.iter().map(of).collect())
    }

    /// The state of a pod; `None` when there is none of that name.
    pub async fn state(&self, name: &str) -> Result<Option<PodState>, ClusterError> {
        Ok(self.found(name).await?.as_ref().map(PodState::of))
    }

    async fn found(&self, name: &str) -> Result<Option<Pod>, ClusterError> {
        let pods = self.pods();
        patiently(Doing::WatchPod, self.reached, || pods.get_opt(name)).await
    }

    /// Ends a pod within its grace; one that is not there has ended.
    pub async fn end(&self, name: &str, grace_s: u32) -> Result<(), ClusterError> {
        let pods = self.pods();
        let how = DeleteParams {
            grace_period_seconds: Some(grace_s),
            ..DeleteParams::default()
        };
        let ended = patiently(Doing::EndPod, self.reached, || pods.delete(name, &how)).await;
        absent_is_done(ended.map(|_| ()))
    }

    /// Ends all that belongs to a run.
    pub async fn end_all(&self, run: &RunLabel) -> Result<(), ClusterError> {
        for name in self.left(run).await? {
            self.end(&name, 0).await?;
        }
        let jobs = self.jobs();
        let how = DeleteParams {
            propagation_policy: Some(PropagationPolicy::Background),
            ..DeleteParams::default()
        };
        let name = owner_name(run);
        let ended = patiently(Doing::EndOwner, self.reached, || jobs.delete(&name, &how)).await;
        absent_is_done(ended.map(|_| ()))
    }

    /// Runs that have objects in the namespace, with who carries them out. The API is asked only
    /// once: a run begins with this, and a user who named the wrong cluster should not have to
    /// wait.
    pub async fn runs(&self) -> Result<Vec<(RunLabel, Runner)>, ClusterError> {
        let jobs = self.jobs();
        let (name, value) = MANAGED_BY;
        let ours = ListParams::default().labels(&format!("{name}={value}"));
        let jobs = crate::answer(Doing::ListRuns, self.reached, jobs.list(&ours)).await?;
        let of = |job: &Job| {
            let run = RunLabel::of(job.labels().get(RUN_LABEL)?);
            let said = |name: &str| job.annotations().get(name).cloned().unwrap_or_default();
            let runner = Runner {
                machine: said(MACHINE),
                process: said(PROCESS),
            };
            Some((run, runner))
        };
        Ok(jobs.iter().filter_map(of).collect())
    }

    /// Pods of a run that are still there.
    pub async fn left(&self, run: &RunLabel) -> Result<Vec<String>, ClusterError> {
        let pods = self.pods();
        let of_run = ListParams::default().labels(&format!("{RUN_LABEL}={run}"));
        let pods = patiently(Doing::ListPods, self.reached, || pods.list(&of_run)).await?;
        Ok(pods.iter().map(ResourceExt::name_any).collect())
    }
}

fn is_alone(pod: &Pod) -> bool {
    let before = |spec: &PodSpec| spec.init_containers.iter().flatten().count();
    let is_alone = |spec: &PodSpec| spec.containers.len() == 1 && before(spec) == 0;
    pod.spec.as_ref().is_some_and(is_alone)
}

fn owner_name(run: &RunLabel) -> String {
    run.name_of("run")
}

/// Annotations that say who carries out a run.
const MACHINE: &str = "tacho/machine";
const PROCESS: &str = "tacho/process";

/// Who carries out a run. A later process can tell by it whether the run is still going on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runner {
    /// Identifies the machine until it is booted again.
    pub machine: String,
    /// Identifies the process on that machine, even after its number was reused.
    pub process: String,
}

/// A suspended Job that makes no pods. It only owns the pods of a run, which needs no further
/// right.
fn owner(run: &RunLabel, runner: &Runner) -> Job {
    Job {
        metadata: of_run(run, runner),
        spec: Some(JobSpec {
            suspend: Some(true),
            template: PodTemplateSpec {
                metadata: Some(ObjectMeta {
                    labels: Some(labels(run)),
                    ..ObjectMeta::default()
                }),
                spec: Some(PodSpec {
                    restart_policy: Some("Never".to_owned()),
                    containers: vec![Container {
                        name: "none".to_owned(),
                        image: Some("none".to_owned()),
                        ..Container::default()
                    }],
                    ..PodSpec::default()
                }),
            },
            ..JobSpec::default()
        }),
        status: None,
    }
}

/// What the Job of a run says of it.
fn of_run(run: &RunLabel, runner: &Runner) -> ObjectMeta {
    let said = [(MACHINE, &runner.machine), (PROCESS, &runner.process)];
    let annotations = said.map(|(name, text)| (name.to_owned(), text.clone()));
    ObjectMeta {
        name: Some(owner_name(run)),
        labels: Some(labels(run)),
        annotations: Some(annotations.into()),
        ..ObjectMeta::default()
    }
}

fn absent_is_done(ended: Result<(), ClusterError>) -> Result<(), ClusterError> {
    match ended {
        Err(ClusterError::Refused { code: 404, .. }) => Ok(()),
        ended => ended,
    }
}
