//! Where something is done: on this machine, or on a cluster.

use clap::{Args, ValueEnum};
use std::path::PathBuf;
use tacho_cluster_api::{Access, Namespace};

/// Where something is done, if not on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum On {
    /// On a cluster, in one namespace
    Kubernetes,
}

/// Which cluster, and which namespace of it.
#[derive(Debug, Args)]
pub struct ClusterArguments {
    /// Its kubeconfig [default: KUBECONFIG, else ~/.kube/config]
    #[arg(long, value_name = "FILE", requires = "on")]
    pub kubeconfig: Option<PathBuf>,
    /// The context in it [default: the current one]
    #[arg(long, value_name = "NAME", requires = "on")]
    pub context: Option<String>,
    /// The namespace; nothing outside it is touched [default: that of the context]
    #[arg(short, long, value_name = "NAME", requires = "on")]
    pub namespace: Option<Namespace>,
}

impl From<&ClusterArguments> for Access {
    fn from(arguments: &ClusterArguments) -> Self {
        Self {
            kubeconfig: arguments.kubeconfig.clone(),
            context: arguments.context.clone(),
            namespace: arguments.namespace.clone(),
        }
    }
}
