//! A Kubernetes cluster as seen from outside: which user Tacho is there, what it may do in one
//! namespace, and what exists there.
//!
//! ```text
//! kubeconfig -> access   which cluster, which namespace, by whose credentials
//!            -> image_way  how images get to its nodes, where its context tells
//!            -> rights   what Tacho needs, one verb at a time; `role` writes it as a Role
//!            -> look     version, namespace, Pod Security, nodes, rights
//!            -> objects  what a run makes there and ends again; `pod` is one of its processes
//!            -> account  what the pod of a run may do, where a pod carries it out
//!            -> follow   a pod's states as the API tells them, with their instants
//!            -> log      what a pod writes, into a file
//!            -> tunnel   a connection to a port of a pod
//!            -> deployment  somebody's own: read, and changed as `kubectl` does
//!            -> for_a_while  what is put back of it, also where whoever changed it is killed
//!            -> changes  its pods and the endpoints of a Service, as they change
//!            -> error    why not, and what to do
//! ```
//! [kube](https://kube.rs), the usual Rust library, speaks to the API. It is the only
//! asynchronous code of Tacho and does not leave this crate: each runtime belongs to one thread,
//! and every function here waits for its answer. An answer may take [`PATIENCE`]. While a run goes
//! on, the server may be away for [`AWAY`].

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod access;
mod account;
mod changes;
mod deployment;
mod error;
mod follow;
mod for_a_while;
mod image_way;
mod log;
mod look;
mod namespace;
mod objects;
mod patience;
mod pod;
mod rights;
mod role;
mod run_label;
#[cfg(test)]
mod testkit;
mod thread;
mod tunnel;

pub use access::{Access, Reached};
pub use changes::{Change, Changes};
pub use deployment::{DeploymentState, ServicePort, ServiceSeen};
pub use error::ClusterError;
pub use follow::{Following, News};
pub use for_a_while::{PutBack, TemporaryChange};
pub use image_way::{ImageWay, ImageWayOf};
/// What objects of a run belong to.
pub use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference as Owner;
pub use log::Logging;
pub use look::{Look, Node, PodSecurity, Seen};
pub use namespace::{BadNamespace, Namespace};
pub use objects::{Made, Runner, WorkerPod};
pub use patience::AWAY;
pub use pod::{
    Behind, Container, Gate, NODE_NAME, PodState, Privileges, ReadyProbe, RunPod, SubjectPod,
    Trouble, TroubleKind, WantedDeployment, WorkerLimits, WorkersJob,
};
pub use rights::{Purpose, Right, rights};
pub use role::role;
pub use run_label::RunLabel;
pub use tunnel::{Carrier, Tunnel};

use deployment::Deployments;
use error::Doing;
use kube::Client;
use objects::Objects;
use std::fmt;
use std::fs::File;
use std::future::Future;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// How long an answer of the API is waited for.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// A cluster, and one namespace in it.
pub struct Cluster {
    access: Access,
    client: Client,
    reached: Reached,
    runtime: Runtime,
}

/// Without the client, which holds credentials.
impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Cluster").field(&self.reached).finish()
    }
}

impl Cluster {
    /// Reads the kubeconfig. Nothing is sent yet.
    ///
    /// # Errors
    /// Fails when there is none, when it is not understood, or has no such context.
    pub fn of(access: &Access) -> Result<Self, ClusterError> {
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(ClusterError::NoThread)?;
        let (client, reached) = runtime.block_on(access.client())?;
        Ok(Self {
            access: access.clone(),
            client,
            reached,
            runtime,
        })
    }

    /// Makes the object that owns all other objects of a run.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn begin(&self, run: &RunLabel, runner: &Runner) -> Result<Owner, ClusterError> {
        self.runtime.block_on(self.objects().begin(run, runner))
    }

    /// Makes generators, with the object that owns them.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn begin_workers(&self, wanted: &WorkersJob, by: &Runner) -> Result<(), ClusterError> {
        let made = self.objects();
        self.runtime.block_on(made.begin_workers(wanted, by))
    }

    /// Whether the API would take the pods of such generators; nothing is made (`dryRun=All`).
    ///
    /// # Errors
    /// Fails when it would not: no right, a quota, Pod Security.
    pub fn would_make_worker(&self, wanted: &WorkersJob) -> Result<(), ClusterError> {
        self.runtime
            .block_on(self.objects().would_make_worker(wanted))
    }

    /// Generators of a run that are there.
    ///
    /// # Errors
    /// Fails when the API does not say.
    pub fn workers(&self, run: &RunLabel) -> Result<Vec<WorkerPod>, ClusterError> {
        self.runtime.block_on(self.objects().workers(run))
    }

    /// Makes a ServiceAccount that may do what launches need, with its Role. Gives its name.
    ///
    /// # Errors
    /// Fails when the API does not take one of them: no right.
    pub fn begin_account(
        &self,
        run: &RunLabel,
        owner: &Owner,
        does: &[Purpose],
    ) -> Result<String, ClusterError> {
        let made = account::begin(&self.client, &self.reached, run, owner, does);
        self.runtime.block_on(made)
    }

    /// Makes the pod that carries out a run.
    ///
    /// # Errors
    /// Fails when the API does not take it: no right, Pod Security.
    pub fn make_run_pod(&self, wanted: &RunPod) -> Result<(), ClusterError> {
        self.runtime
            .block_on(self.objects().make_run_pod(wanted, false))
    }

    /// Checks whether the API would accept this pod; nothing is made (`dryRun=All`).
    ///
    /// # Errors
    /// As [`Self::make_run_pod`].
    pub fn would_make_run_pod(&self, wanted: &RunPod) -> Result<(), ClusterError> {
        self.runtime
            .block_on(self.objects().make_run_pod(wanted, true))
    }

    /// A connection to a port of a pod, on a thread and through a connection to the API of its own.
    ///
    /// # Errors
    /// Fails when the API does not open it.
    pub fn reach(&self, pod: &str, port: u16) -> Result<Tunnel, ClusterError> {
        Tunnel::begin(self.access.clone(), pod.to_owned(), port)
    }

    /// Runs that have objects in the namespace, each with the process that carries it out.
    ///
    /// # Errors
    /// Fails when the API does not say.
    pub fn runs(&self) -> Result<Vec<(RunLabel, Runner)>, ClusterError> {
        self.runtime.block_on(self.objects().runs())
    }

    /// Makes a pod.
    ///
    /// # Errors
    /// Fails when the API does not take it: no right, a quota, Pod Security.
    pub fn make(&self, pod: &SubjectPod) -> Result<Made, ClusterError> {
        self.runtime.block_on(self.objects().make(pod))
    }

    /// Checks whether the API would accept the pod; nothing is made (`dryRun=All`).
    ///
    /// # Errors
    /// As [`Self::make`].
    pub fn would_make(&self, pod: &SubjectPod) -> Result<(), ClusterError> {
        self.runtime.block_on(self.objects().would_make(pod))
    }

    /// Makes a Service of a pod's name that leads to it, once it is ready.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn lead_to(&self, pod: &SubjectPod, port: u16) -> Result<ServiceSeen, ClusterError> {
        self.runtime.block_on(self.objects().lead_to(pod, port))
    }

    /// Ends a Service. One that is not there has ended.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn end_service(&self, name: &str) -> Result<(), ClusterError> {
        self.runtime.block_on(self.objects().end_service(name))
    }

    /// Makes a Deployment, and the Service before its pods.
    ///
    /// # Errors
    /// Fails when the API does not take them.
    pub fn deploy(&self, wanted: &WantedDeployment) -> Result<(), ClusterError> {
        self.runtime.block_on(self.objects().deploy(wanted))
    }

    /// Ends a Deployment of a run with its Service. Its pods are told to end then.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn undeploy(&self, name: &str) -> Result<(), ClusterError> {
        self.runtime.block_on(self.objects().undeploy(name))
    }

    /// Pods with these labels, by their names.
    ///
    /// # Errors
    /// Fails when the API does not say.
    pub fn pods_of(&self, selector: &str) -> Result<Vec<(String, PodState)>, ClusterError> {
        self.runtime.block_on(self.objects().pods_of(selector))
    }

    /// The state of a pod; `None` when there is none of that name.
    ///
    /// # Errors
    /// Fails when the API does not say.
    pub fn state(&self, pod: &str) -> Result<Option<PodState>, ClusterError> {
        self.runtime.block_on(self.objects().state(pod))
    }

    /// Watches a pod from now on, on a thread and a connection of its own.
    ///
    /// # Errors
    /// Fails when the machine has no thread for it.
    pub fn follow(&self, pod: &str) -> Result<Following, ClusterError> {
        Following::begin(self.access.clone(), pod.to_owned())
    }

    /// Copies a pod's output into a file from now on, at most so many bytes, on a thread and a
    /// connection of its own.
    ///
    /// # Errors
    /// Fails when the machine has no thread for it.
    pub fn log(&self, pod: &str, file: File, at_most: u64) -> Result<Logging, ClusterError> {
        Logging::begin(self.access.clone(), pod.to_owned(), file, at_most)
    }

    /// Ends a pod: SIGTERM, then SIGKILL after so many seconds. A pod that does not exist counts as
    /// ended.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn end(&self, pod: &str, grace_s: u32) -> Result<(), ClusterError> {
        self.runtime.block_on(self.objects().end(pod, grace_s))
    }

    /// Deletes all objects of a run, the owner included.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn end_all(&self, run: &RunLabel) -> Result<(), ClusterError> {
        self.runtime.block_on(self.objects().end_all(run))
    }

    /// A Deployment; `None` when there is none of that name.
    ///
    /// # Errors
    /// Fails when the API does not say.
    pub fn deployment(&self, name: &str) -> Result<Option<DeploymentState>, ClusterError> {
        self.runtime.block_on(self.deployments().state(name))
    }

    /// Names of Deployments that are there, ten at the most; none where we may not look.
    #[must_use]
    pub fn some_deployments(&self) -> Vec<String> {
        let names = self.runtime.block_on(self.deployments().names());
        names.unwrap_or_default()
    }

    /// Replaces all pods of a Deployment by new ones.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn restart(&self, deployment: &str) -> Result<(), ClusterError> {
        self.runtime
            .block_on(self.deployments().restart(deployment))
    }

    /// Changes a Deployment temporarily. The Deployment records what is to be undone, and by whom.
    ///
    /// # Errors
    /// Fails when the API does not take it, as a server before 1.30 does not take
    /// [`TemporaryChange::PreStop`] (`sleep` of a lifecycle handler).
    pub fn change_for_a_while(
        &self,
        deployment: &str,
        put_back: &PutBack,
    ) -> Result<(), ClusterError> {
        let changed = self.deployments();
        self.runtime
            .block_on(changed.change_for_a_while(deployment, put_back))
    }

    /// Undoes that change of a Deployment, and nothing else.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn put_back(
        &self,
        deployment: &str,
        changed: &TemporaryChange,
    ) -> Result<(), ClusterError> {
        let deployments = self.deployments();
        self.runtime
            .block_on(deployments.put_back(deployment, changed))
    }

    /// Leaves a Deployment as it is, and removes the record of the change.
    ///
    /// # Errors
    /// Fails when the API does not take it.
    pub fn leave(&self, deployment: &str) -> Result<(), ClusterError> {
        self.runtime.block_on(self.deployments().leave(deployment))
    }

    /// Evicts a pod, as draining its node would.
    ///
    /// # Errors
    /// Fails when the API does not take it, as while a PodDisruptionBudget keeps the pod (429).
    pub fn evict(&self, pod: &str) -> Result<(), ClusterError> {
        self.runtime.block_on(self.deployments().evict(pod))
    }

    /// The Services that lead to pods of a Deployment.
    ///
    /// # Errors
    /// Fails when the API does not say.
    pub fn services(&self, deployment: &DeploymentState) -> Result<Vec<ServiceSeen>, ClusterError> {
        let leading = self.deployments();
        self.runtime.block_on(leading.services(&deployment.labels))
    }

    /// Watches pods and the endpoints of a Service from now on, on a thread and a connection of its
    /// own.
    ///
    /// # Errors
    /// Fails when the machine has no thread for it.
    pub fn changes(&self, selector: &str, service: &str) -> Result<Changes, ClusterError> {
        Changes::begin(self.access.clone(), selector.to_owned(), service.to_owned())
    }

    fn deployments(&self) -> Deployments<'_> {
        Deployments {
            client: &self.client,
            reached: &self.reached,
        }
    }

    fn objects(&self) -> Objects<'_> {
        Objects {
            client: &self.client,
            reached: &self.reached,
        }
    }

    /// The cluster and the namespace.
    #[must_use]
    pub fn reached(&self) -> &Reached {
        &self.reached
    }

    /// The nodes by name, each with the id of its machine's boot, which that machine has in
    /// `/proc/sys/kernel/random/boot_id`.
    ///
    /// # Errors
    /// Fails when the API does not say, as where we may not list nodes.
    pub fn boots(&self) -> Result<Vec<(String, String)>, ClusterError> {
        self.runtime
            .block_on(look::boots(&self.client, &self.reached))
    }

    /// Looks at all that a run there would need. Nothing is made or changed.
    ///
    /// # Errors
    /// Fails when the API does not answer, or refuses our credentials. Something that we may not
    /// look at is no error, but part of the result.
    pub fn look(&self) -> Result<Look, ClusterError> {
        self.runtime
            .block_on(look::look(&self.client, &self.reached))
    }
}

/// The answer, when it comes in time.
async fn answer<T>(
    doing: Doing,
    reached: &Reached,
    question: impl Future<Output = kube::Result<T>>,
) -> Result<T, ClusterError> {
    match tokio::time::timeout(PATIENCE, question).await {
        Ok(answer) => answer.map_err(|error| ClusterError::of(error, doing, reached)),
        Err(_) => Err(ClusterError::Silent {
            server: reached.server.clone(),
        }),
    }
}
