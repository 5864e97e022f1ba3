//! Where something is done: on this machine, or on a cluster.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tacho_cluster::{NotThere, Ship, Way};
use tacho_cluster_api::{Access, Namespace, Privileges};
use tacho_quantity::flags::{bytes, cpus};
use tacho_registry::Name;

/// Where something is done, if not on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum On {
    /// On a cluster, in one namespace
    Kubernetes,
}

/// Which cluster, and which namespace of it.
#[derive(Debug, Default, Args)]
pub struct ClusterArguments {
    /// Kubeconfig of the cluster [default: KUBECONFIG, else ~/.kube/config]
    #[arg(long, value_name = "FILE", requires = "on")]
    pub kubeconfig: Option<PathBuf>,
    /// Context in the kubeconfig [default: the current one]
    #[arg(
        long,
        value_name = "NAME",
        requires = "on",
        env = "TACHO_CONTEXT",
        hide_env_values = true
    )]
    pub context: Option<String>,
    /// The namespace; nothing outside it is touched [default: that of the context]
    #[arg(
        short,
        long,
        value_name = "NAME",
        requires = "on",
        env = "TACHO_NAMESPACE",
        hide_env_values = true
    )]
    pub namespace: Option<Namespace>,
}

/// Where launches are started.
#[derive(Debug, Args)]
#[command(next_help_heading = "On a cluster")]
pub struct Elsewhere {
    /// Where to start launches, if not as processes on this machine: each is then a pod. This
    /// machine carries them out if it is a node of that cluster, otherwise a pod there does
    #[arg(long, value_enum, value_name = "WHERE")]
    pub on: Option<On>,
    #[command(flatten)]
    pub images: Images,
    /// Send requests through each launch's own Service, once it leads to the pod. The node probes
    /// the pod's readiness every second, as in production; without this option nothing does
    #[arg(long, requires = "on")]
    pub through_service: bool,
    #[command(flatten)]
    pub carried: Carried,
    #[command(flatten)]
    pub cluster: ClusterArguments,
}

/// Who carries out launches on a cluster.
#[derive(Debug, Default, Clone, Args)]
pub struct Carried {
    /// Let a pod carry out the launches even if this machine is a node. It sees the processes of
    /// its node (privileged); the launches stay restricted as always
    #[arg(long, requires = "on")]
    pub run_pod: bool,
    /// Give that pod no privileges, as a restricted namespace requires: it sees nothing of its
    /// node. What is then missing (memory, CPU time, throttling, proofs) is reported, and the
    /// certificate is degraded
    #[arg(long, requires = "on")]
    pub unprivileged: bool,
    /// Node on which that pod and all launches run [default: any]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub node: Option<String>,
    /// ServiceAccount for that pod, with the rights that `tacho doctor --on kubernetes --role`
    /// prints [default: one is created, and deleted with the run]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub service_account: Option<String>,
    /// Image of that pod, by the name under which nodes pull it; it must contain this Tacho
    /// [default: this program, delivered as the other images are]
    #[arg(long, value_name = "IMAGE", requires = "on")]
    pub run_pod_image: Option<String>,
    /// CPU limit of that pod, if a quota requires one: it sends the load, and sends late when it
    /// reaches the limit [default: no limit]
    #[arg(long, value_name = "CPUS", value_parser = cpus, requires = "on")]
    pub run_pod_cpu: Option<f64>,
    /// Its memory limit
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "on")]
    pub run_pod_memory: Option<u64>,
}

impl Carried {
    /// Whether a pod carries out the launches: if asked for, or if pods cannot be seen from here.
    pub fn is_by_a_pod(&self) -> bool {
        self.run_pod || self.unprivileged || self.node.is_some() || !tacho_cluster::is_node()
    }

    /// What that pod may do on its node.
    pub fn privileges(&self) -> Privileges {
        match self.unprivileged {
            true => Privileges::None,
            false => Privileges::SeeTheNode,
        }
    }
}

impl Elsewhere {
    /// How requests reach a launch there.
    pub fn way(&self) -> Way {
        match self.through_service {
            true => Way::ThroughService,
            false => Way::Straight,
        }
    }
}

/// How images get to the node. Without either option the context in the kubeconfig says it, or is
/// that of a cluster on this machine (kind, k3d, minikube, cluster-box).
#[derive(Debug, Args)]
pub struct Images {
    /// Push images to this repository of a registry, from which the node pulls them, each with its
    /// own tag: registry/team/app. Credentials are those of `docker login` or `podman login`
    /// [default: what the kubeconfig says; kind, k3d, minikube and cluster-box are known]
    #[arg(long, value_name = "REPOSITORY", requires = "on", group = "shipped")]
    pub image: Option<Name>,
    /// Use HTTP for that registry (one on this machine always uses it)
    #[arg(long, requires = "image")]
    pub plain_http: bool,
    /// Command that loads an image onto the node instead; the name of a file (an OCI layout in a
    /// tar) is appended to it, such as `cluster-box/box load` or `ctr -n k8s.io images import`
    #[arg(long, value_name = "COMMAND", requires = "on", group = "shipped")]
    pub load_image: Option<String>,
}

impl Images {
    /// How images get to the nodes of this cluster: as was said, else as its context tells.
    pub fn ship_to(&self, access: &Access) -> Result<Ship, NotThere> {
        match self.said() {
            Some(ship) => Ok(ship),
            None => told_by(access),
        }
    }

    /// The way that was named, if one was.
    fn said(&self) -> Option<Ship> {
        let by_registry = self.image.as_ref().map(|repository| Ship::Registry {
            repository: repository.clone(),
            plain_http: self.plain_http,
        });
        by_registry.or_else(|| self.load_image.as_deref().and_then(Ship::of))
    }
}

/// The way that the cluster's context tells, and says so.
pub fn told_by(access: &Access) -> Result<Ship, NotThere> {
    let ship = Ship::told_by(access)?;
    crate::tell!("Images get to this cluster by {ship}, as its context in the kubeconfig tells");
    Ok(ship)
}

impl From<&ClusterArguments> for Access {
    fn from(arguments: &ClusterArguments) -> Self {
        Self {
            kubeconfig: arguments.kubeconfig.clone(),
            context: arguments.context.clone(),
            namespace: arguments.namespace.clone(),
            from_inside: false,
        }
    }
}
