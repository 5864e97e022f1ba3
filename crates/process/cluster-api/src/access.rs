//! Which cluster and namespace are used, and with whose credentials, found as `kubectl` finds them.

use crate::error::ClusterError;
use crate::namespace::Namespace;
use kube::config::{Config, KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::{Client, error::Error};
use std::path::PathBuf;
use std::time::Duration;

/// Shown in place of a kubeconfig and its context when Tacho runs in a pod.
const INSIDE: &str = "the pod's own account";

/// How long a connection to the server may take. A server that does not accept it in this time
/// counts as away.
const CONNECTING: Duration = Duration::from_secs(5);

/// What the user specified of the cluster. The rest comes from the kubeconfig.
#[derive(Debug, Clone, Default)]
pub struct Access {
    /// Its file; else what `KUBECONFIG` names, else `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// The context; absent: the current one of the kubeconfig.
    pub context: Option<String>,
    /// The namespace; absent: that of the context, else `default`.
    pub namespace: Option<Namespace>,
    /// Uses no kubeconfig, but what the cluster gives each of its pods: the token of its
    /// ServiceAccount (<https://kubernetes.io/docs/tasks/run-application/access-api-from-pod/>).
    pub from_inside: bool,
}

/// The cluster and namespace that are used. This value holds no credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reached {
    /// The file that it was found in, as far as there is one.
    pub kubeconfig: String,
    /// The context by its name.
    pub context: String,
    /// Scheme, host and port of the API server.
    pub server: String,
    /// The one namespace that anything is done in.
    pub namespace: Namespace,
}

impl Access {
    /// Makes a client. Nothing is sent to the server yet.
    pub(crate) async fn client(&self) -> Result<(Client, Reached), ClusterError> {
        match self.from_inside {
            true => self.client_inside(),
            false => self.client_outside().await,
        }
    }

    fn client_inside(&self) -> Result<(Client, Reached), ClusterError> {
        let inside = Config::incluster().map_err(|_| ClusterError::NotInside)?;
        self.client_of(inside, INSIDE.to_owned(), INSIDE.to_owned())
    }

    async fn client_outside(&self) -> Result<(Client, Reached), ClusterError> {
        let kubeconfig = self.read()?;
        let context = self.context_in(&kubeconfig);
        let there = contexts(&kubeconfig);
        let options = KubeConfigOptions {
            context: self.context.clone(),
            ..KubeConfigOptions::default()
        };
        let config = Config::from_custom_kubeconfig(kubeconfig, &options).await;
        let config = config.map_err(|error| match error {
            KubeconfigError::LoadContext(_) => ClusterError::NoContext {
                name: context.clone().unwrap_or_default(),
                there,
            },
            error => self.refused(error),
        })?;
        self.client_of(config, self.file(), context.unwrap_or_default())
    }

    fn client_of(
        &self,
        mut config: Config,
        kubeconfig: String,
        context: String,
    ) -> Result<(Client, Reached), ClusterError> {
        config.connect_timeout = Some(CONNECTING);
        // The caller decides whether to try again.
        config.default_retry = false;
        let namespace = match &self.namespace {
            Some(namespace) => namespace.clone(),
            None => config.default_namespace.parse()?,
        };
        let reached = Reached {
            kubeconfig,
            context,
            server: server(&config),
            namespace,
        };
        let client = Client::try_from(config).map_err(|error| match error {
            Error::InferKubeconfig(error) => self.refused(error),
            _ => ClusterError::BadCredentials(reached.context.clone()),
        })?;
        Ok((client, reached))
    }

    /// The kubeconfig; several files as one, as `KUBECONFIG` may name them.
    pub(crate) fn read(&self) -> Result<Kubeconfig, ClusterError> {
        let kubeconfig = match &self.kubeconfig {
            Some(file) => Kubeconfig::read_from(file),
            None => Kubeconfig::read(),
        };
        kubeconfig.map_err(|error| self.refused(error))
    }

    /// Name of the context that is used; `None` if nothing names one.
    pub(crate) fn context_in(&self, kubeconfig: &Kubeconfig) -> Option<String> {
        let context = self.context.clone();
        context.or_else(|| kubeconfig.current_context.clone())
    }

    /// Reports such an error without the library's text, which may show lines of the file with keys
    /// in them.
    fn refused(&self, error: KubeconfigError) -> ClusterError {
        use KubeconfigError as Of;
        let context = || self.context.clone().unwrap_or_default();
        match error {
            Of::FindPath => ClusterError::NoKubeconfig,
            Of::ReadConfig(_, _) if self.kubeconfig.is_none() && !is_named() => {
                ClusterError::NoKubeconfig
            }
            Of::ReadConfig(error, path) => ClusterError::Unread { path, error },
            Of::CurrentContextNotSet => ClusterError::NoCurrentContext,
            Of::LoadCertificateAuthority(_)
            | Of::LoadClientCertificate(_)
            | Of::LoadClientKey(_)
            | Of::ParseCertificates(_) => ClusterError::BadCredentials(context()),
            _ => ClusterError::BadKubeconfig(self.file()),
        }
    }

    pub(crate) fn file(&self) -> String {
        let named = std::env::var("KUBECONFIG").ok();
        match (&self.kubeconfig, named.filter(|files| !files.is_empty())) {
            (Some(file), _) => file.display().to_string(),
            (None, Some(files)) => files,
            (None, None) => "~/.kube/config".to_owned(),
        }
    }
}

/// Names of the contexts of a kubeconfig.
pub(crate) fn contexts(kubeconfig: &Kubeconfig) -> Vec<String> {
    let contexts = kubeconfig.contexts.iter();
    contexts.map(|context| context.name.clone()).collect()
}

fn is_named() -> bool {
    std::env::var_os("KUBECONFIG").is_some_and(|files| !files.is_empty())
}

/// The server's address without a user name and password.
fn server(config: &Config) -> String {
    let of = &config.cluster_url;
    let (scheme, host) = (of.scheme_str().unwrap_or("https"), of.host().unwrap_or("?"));
    match of.port_u16() {
        Some(port) => format!("{scheme}://{host}:{port}"),
        None => format!("{scheme}://{host}"),
    }
}
