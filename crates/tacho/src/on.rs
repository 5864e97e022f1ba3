//! Where something is done: on this machine, or on a cluster.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tacho_cluster::{Ship, Way};
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
    /// Its kubeconfig [default: KUBECONFIG, else ~/.kube/config]
    #[arg(long, value_name = "FILE", requires = "on")]
    pub kubeconfig: Option<PathBuf>,
    /// The context in it [default: the current one]
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
    /// Where launches are started, if not as processes of this machine: each is a pod then. They
    /// are carried out from here where this machine is a node of that cluster, else by a pod there
    #[arg(long, value_enum, value_name = "WHERE", requires = "shipped")]
    pub on: Option<On>,
    #[command(flatten)]
    pub images: Images,
    /// Users come through a Service of the launch's own, once it leads to the pod. Its node asks
    /// the pod each second whether it is ready, as in production; without this nobody does
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
    /// A pod carries out the launches, also where this machine is a node. It sees the processes of
    /// its node (privileged); the launches are restricted as ever
    #[arg(long, requires = "on")]
    pub run_pod: bool,
    /// That pod gets no privileges, as a restricted namespace wants it: it sees nothing of its
    /// node. What is then missing (memory, processor time, throttling, proofs) is said, and the
    /// certificate is degraded
    #[arg(long, requires = "on")]
    pub unprivileged: bool,
    /// The node on which that pod and all launches are [default: any]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub node: Option<String>,
    /// A ServiceAccount for that pod, which may do what `tacho doctor --on kubernetes --role`
    /// writes [default: one is made, and deleted with the run]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub service_account: Option<String>,
    /// The image of that pod, from where nodes fetch it: one with this Tacho [default: this
    /// program, handed over as the other images are]
    #[arg(long, value_name = "IMAGE", requires = "on")]
    pub run_pod_image: Option<String>,
    /// Processors that it has at most, where a quota wants that: it sends the load, and is late
    /// where it meets them [default: no limit]
    #[arg(long, value_name = "CPUS", value_parser = cpus, requires = "on")]
    pub run_pod_cpu: Option<f64>,
    /// And memory
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

/// How images get to the node.
#[derive(Debug, Args)]
pub struct Images {
    /// Images go into this repository of a registry, from which the node pulls them, each with a
    /// tag of its own: registry/team/app. Credentials are those of `docker login` or `podman login`
    #[arg(long, value_name = "REPOSITORY", requires = "on", group = "shipped")]
    pub image: Option<Name>,
    /// That registry is asked by HTTP, as one of this machine is anyway
    #[arg(long, requires = "image")]
    pub plain_http: bool,
    /// Hands an image to the node instead: a command, to which the name of a file is added (an OCI
    /// layout in a tar), such as `cluster-box/box load` or `ctr -n k8s.io images import`
    #[arg(long, value_name = "COMMAND", requires = "on", group = "shipped")]
    pub load_image: Option<String>,
}

impl Images {
    /// How images get to the node; `None` if no way was named.
    pub fn ship(&self) -> Option<Ship> {
        let by_registry = self.image.as_ref().map(|repository| Ship::Registry {
            repository: repository.clone(),
            plain_http: self.plain_http,
        });
        by_registry.or_else(|| self.load_image.as_deref().and_then(Ship::of))
    }
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
