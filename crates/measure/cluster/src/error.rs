//! Why a run is not made on a cluster, and what to do about it.

use std::path::PathBuf;
use tacho_cluster_api::ClusterError;
use tacho_oci::OciError;
use tacho_registry::RegistryError;
use tacho_workers::FleetError;

/// Why a run is not made there.
#[derive(Debug, thiserror::Error)]
pub enum NotThere {
    /// The API.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// An experiment that wants something that is measured on one machine alone.
    #[error("{what} is not measured on a cluster yet: {instead}")]
    NotYet {
        /// What the experiment asks for.
        what: &'static str,
        /// What to do instead.
        instead: &'static str,
    },
    /// Rights that a run needs.
    #[error(
        "you may not do all that a run needs in namespace {namespace} of {server}; missing: {}. `tacho doctor --on kubernetes -n {namespace} --role` writes the Role that gives it, for somebody who may",
        missing.join("; ")
    )]
    MayNot {
        /// The API server.
        server: String,
        /// Where.
        namespace: String,
        /// Verbs and resources.
        missing: Vec<String>,
    },
    /// This machine runs no pods.
    #[error(
        "no pods run on this machine (there is no control group `kubepods`), but pods can be observed only from their own node: run from a pod there (`tacho run ... --run-pod`), or run Tacho there as root; `make cluster` makes a cluster on this machine"
    )]
    NoNode,
    /// Pod Security does not let a pod see its node.
    #[error(
        "the namespace does not admit the pod that carries out the run ({message}): that pod reads the processes and control groups of its node, which needs `privileged`. Use another namespace (`kubectl create namespace measuring`, which has no such rule unless the cluster has one for all), have somebody allow it in this one (`kubectl label namespace NAME pod-security.kubernetes.io/enforce=privileged`), run Tacho as root on the node, or do without what that pod reads (--unprivileged: no memory, no processor time, no throttling, no proofs)"
    )]
    RunPodNotAdmitted {
        /// Which rules, as the API says it.
        message: String,
    },
    /// No ServiceAccount can be made for the pod that carries out the run.
    #[error(
        "the pod that carries out the run needs a service account to make pods, and you may not make one ({doing}): name one with --service-account that has the rights that `tacho doctor --on kubernetes --role` prints"
    )]
    NoAccount {
        /// What is not allowed.
        doing: String,
    },
    /// The pod did not carry out the run.
    #[error(
        "the pod that carries out the run ({pod}) did not finish it: {why}. Launches that ended before that are in the run folder, where `tacho report` reads them"
    )]
    RunPod {
        /// Its name.
        pod: String,
        /// Why.
        why: String,
    },
    /// The user interrupted the run before anything was measured.
    #[error("interrupted before the launches began; what was made in the cluster is deleted")]
    RunInterrupted,
    /// An image could not be written.
    #[error("the image of `{variant}` could not be written: {source}")]
    Image {
        /// Its variant.
        variant: String,
        /// Why.
        source: OciError,
    },
    /// An image could not be pushed.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// A file could not be written.
    #[error("{path} cannot be written: {source}", path = path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A generator did not begin.
    #[error("worker {worker} (pod {pod}) did not begin: {why}")]
    Worker {
        /// Its number, from 1.
        worker: u32,
        /// Its pod.
        pod: String,
        /// Why.
        why: String,
    },
    /// Not all generators began.
    #[error(
        "{running} of {workers} workers run after ten minutes: `kubectl describe job {job}` says what the others wait for"
    )]
    TooFew {
        /// How many do.
        running: usize,
        /// How many were wanted.
        workers: u32,
        /// Their Job.
        job: String,
    },
    /// Generators.
    #[error(transparent)]
    Fleet(#[from] FleetError),
    /// The user interrupted the load before the workers began.
    #[error("interrupted before the workers began; they are deleted")]
    Interrupted,
    /// Neither the user nor the kubeconfig says how images get to the nodes.
    #[error(
        "how images get to the nodes of context `{context}` is not known: name a registry from which they pull (--image registry/team/app), or a command that hands a file to them (--load-image), such as `cluster-box/box load` or `ctr -n k8s.io images import`. The kubeconfig can say it once for all (docs/kubernetes.md, \"How images get there\")"
    )]
    NoImageWay {
        /// The context.
        context: String,
    },
    /// The command that hands an image over.
    #[error("`{command}` did not hand over the image of `{variant}` ({how}): {said}")]
    NotShipped {
        /// As it was given.
        command: String,
        /// Of which variant.
        variant: String,
        /// How it ended.
        how: String,
        /// What it said last.
        said: String,
    },
}
