//! Why something could not be done on a cluster, and what to do about it.

use crate::access::Reached;
use crate::namespace::{BadNamespace, Namespace};
use std::fmt;
use std::path::PathBuf;

/// Why a cluster could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// There is no kubeconfig.
    #[error(
        "there is no kubeconfig: KUBECONFIG is not set, and there is no ~/.kube/config; name one by --kubeconfig FILE or KUBECONFIG (a job has to write it first), or bring a cluster up on this machine by `make cluster`"
    )]
    NoKubeconfig,
    /// This process runs in no pod of a cluster: it has no token of a ServiceAccount.
    #[error(
        "this process has no token of a cluster: this command runs only in a pod that `tacho run --on kubernetes` makes; use that command instead"
    )]
    NotInside,
    /// The kubeconfig that was named cannot be read.
    #[error("the kubeconfig {path} cannot be read: {error}", path = path.display())]
    Unread {
        /// Its name.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// The file is not a kubeconfig.
    #[error("{0} is not understood: `kubectl config view` says where it is wrong")]
    BadKubeconfig(String),
    /// It has several contexts, or none, and says of none that it is the current one.
    #[error(
        "the kubeconfig names no current context: name one by --context (`kubectl config get-contexts` lists them)"
    )]
    NoCurrentContext,
    /// There is no such context.
    #[error("the kubeconfig has no context `{name}`: {}", contexts(there))]
    NoContext {
        /// Its name.
        name: String,
        /// Those that there are.
        there: Vec<String>,
    },
    /// The context says how images get to its nodes, and it is not understood.
    #[error(
        "the extension `tacho` of context `{context}` in {kubeconfig} is not understood: it has one key, `image: registry/team/app` or `load-image: COMMAND` (docs/kubernetes.md)"
    )]
    BadExtension {
        /// The context.
        context: String,
        /// Where it was read.
        kubeconfig: String,
    },
    /// A key or a certificate cannot be read.
    #[error(
        "the credentials of context `{0}` cannot be used: a certificate, key or program that the kubeconfig names is missing or not one"
    )]
    BadCredentials(String),
    /// The context names a namespace with an invalid name.
    #[error(transparent)]
    Namespace(#[from] BadNamespace),
    /// There is no connection.
    #[error(
        "no connection to {server}: {why}; is the cluster up, and is this the right context (`kubectl cluster-info`)?"
    )]
    Unreachable {
        /// The API server.
        server: String,
        /// What the system, or TLS, said.
        why: String,
    },
    /// Another server answers than the one of the kubeconfig: its certificate was issued by another
    /// authority.
    #[error(
        "the server at {server} is not the cluster that context `{context}` of {kubeconfig} names ({why}): its certificate is from another authority. Fetch the kubeconfig again; the cluster may have been recreated at the same address"
    )]
    NotTrusted {
        /// The API server.
        server: String,
        /// The context whose authority was expected.
        context: String,
        /// The kubeconfig in which the authority is named.
        kubeconfig: String,
        /// What TLS said.
        why: String,
    },
    /// The API server does not answer in time.
    #[error(
        "{server} does not answer within {s} seconds: see with `kubectl get --raw /readyz` whether the API server is well",
        s = crate::PATIENCE.as_secs()
    )]
    Silent {
        /// The API server.
        server: String,
    },
    /// 401.
    #[error(
        "{server} does not know who you are (401): the credentials of context `{context}` have expired or are of another cluster; log in again"
    )]
    Unknown {
        /// The API server.
        server: String,
        /// Whose credentials were used.
        context: String,
    },
    /// 403, for want of a right.
    #[error(
        "{server} does not allow you {doing} in namespace {namespace} (403): `tacho doctor --on kubernetes -n {namespace}` lists all rights that are missing there; with --role it prints a Role for an administrator to apply"
    )]
    Forbidden {
        /// The API server.
        server: String,
        /// The namespace in which it was refused.
        namespace: Namespace,
        /// What was asked.
        doing: Doing,
    },
    /// 403, by the quota of the namespace.
    #[error(
        "the quota of the namespace leaves no room ({message}): ask for less, end what else runs there, or raise it (`kubectl describe quota`)"
    )]
    Quota {
        /// What it said, in one line.
        message: String,
    },
    /// 403, by a quota that requires limits for every pod.
    #[error(
        "the quota of the namespace requires limits that these pods do not have ({message}): set them for launches (--cpu, --memory), workers (--worker-cpu, --worker-memory; in a rollout --users-cpu, --users-memory) or the run pod (--run-pod-cpu, --run-pod-memory). Workers and run pods have none by default, because a generator that reaches its limit is late. Or use another namespace"
    )]
    QuotaWantsLimits {
        /// What it said, in one line.
        message: String,
    },
    /// 429, by a PodDisruptionBudget.
    #[error(
        "a PodDisruptionBudget keeps the pod where it is ({message}), and would keep a drain of its node waiting: have one more pod (`kubectl scale`), or a budget that lets one go (maxUnavailable: 1)"
    )]
    KeptByABudget {
        /// What it said, in one line.
        message: String,
    },
    /// 403, by Pod Security or another admission.
    #[error(
        "{server} does not take such a pod ({message}): measure in a namespace that does, or ask who set this"
    )]
    NotAdmitted {
        /// The API server.
        server: String,
        /// What it said, in one line.
        message: String,
    },
    /// Another refusal.
    #[error("{server} refused {doing}: {code} {message}")]
    Refused {
        /// The API server.
        server: String,
        /// What was asked.
        doing: Doing,
        /// HTTP status.
        code: u16,
        /// What it said, in one line.
        message: String,
    },
    /// The server answers with something that is no answer of the API.
    #[error("{server} did not answer like Kubernetes when asked {doing}; check the kubeconfig")]
    NotKubernetes {
        /// The server.
        server: String,
        /// What was asked.
        doing: Doing,
    },
    /// The machine gives no thread or descriptor.
    #[error("the machine has no room for another thread: {0}")]
    NoThread(std::io::Error),
}

/// What is asked of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Doing {
    /// Its version.
    AskVersion,
    /// A namespace.
    ReadNamespace,
    /// Nodes.
    ListNodes,
    /// What we may do.
    AskRights,
    /// What objects of a run belong to.
    MakeOwner,
    /// A ServiceAccount for the pod that carries out a run.
    MakeAccount,
    /// What it may.
    MakeRole,
    /// A pod.
    MakePod,
    /// Its state.
    WatchPod,
    /// Its log.
    ReadLog,
    /// One of its ports.
    ReachPod,
    /// Its end.
    EndPod,
    /// The end of all that belongs to a run.
    EndOwner,
    /// The pods of a run.
    ListPods,
    /// The jobs that runs belong to.
    ListRuns,
    /// A Deployment.
    ReadDeployment,
    /// Its replicas, or its pods anew.
    ChangeDeployment,
    /// A Deployment of a run.
    MakeDeployment,
    /// Its end.
    EndDeployment,
    /// The Service before its pods.
    MakeService,
    /// Its end.
    EndService,
    /// A pod that leaves as at a drain.
    EvictPod,
    /// Services.
    ListServices,
    /// Endpoints of a Service.
    WatchEndpoints,
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AskVersion => "to ask for its version",
            Self::ReadNamespace => "to read the namespace",
            Self::ListNodes => "to list nodes",
            Self::AskRights => "to ask what you may do",
            Self::MakeOwner => "to make a job",
            Self::MakeAccount => "to make a service account",
            Self::MakeRole => "to make a role and its binding",
            Self::MakePod => "to make a pod",
            Self::WatchPod => "to watch a pod",
            Self::ReadLog => "to read a pod's log",
            Self::ReachPod => "to reach a port of a pod",
            Self::EndPod => "to delete a pod",
            Self::EndOwner => "to delete a job",
            Self::ListPods => "to list pods",
            Self::ListRuns => "to list jobs",
            Self::ReadDeployment => "to read a deployment",
            Self::ChangeDeployment => "to patch a deployment",
            Self::MakeDeployment => "to make a deployment",
            Self::EndDeployment => "to delete a deployment",
            Self::MakeService => "to make a service",
            Self::EndService => "to delete a service",
            Self::EvictPod => "to evict a pod",
            Self::ListServices => "to list services",
            Self::WatchEndpoints => "to watch endpoint slices",
        })
    }
}

impl ClusterError {
    pub(crate) fn of(error: kube::Error, doing: Doing, reached: &Reached) -> Self {
        use kube::Error as Of;
        let server = reached.server.clone();
        match error {
            Of::Api(status) => match status.code {
                401 => Self::Unknown {
                    server,
                    context: reached.context.clone(),
                },
                403 if status.message.contains("exceeded quota") => Self::Quota {
                    message: line(&status.message),
                },
                403 if status.message.contains("must specify limits")
                    || status.message.contains("must specify requests") =>
                {
                    Self::QuotaWantsLimits {
                        message: line(&status.message),
                    }
                }
                429 if doing == Doing::EvictPod && is_of_a_budget(&status) => Self::KeptByABudget {
                    message: line(&cause(&status)),
                },
                403 if is_of_rights(&status.message) => Self::Forbidden {
                    server,
                    namespace: reached.namespace.clone(),
                    doing,
                },
                403 if doing == Doing::MakePod => Self::NotAdmitted {
                    server,
                    message: line(&status.message),
                },
                code => Self::Refused {
                    server,
                    doing,
                    code,
                    message: line(&status.message),
                },
            },
            Of::SerdeError(_) | Of::FromUtf8(_) => Self::NotKubernetes { server, doing },
            Of::Auth(_) => Self::BadCredentials(reached.context.clone()),
            error => match innermost(&error) {
                // As rustls says it.
                why if why.contains("invalid peer certificate") => Self::NotTrusted {
                    server,
                    context: reached.context.clone(),
                    kubeconfig: reached.kubeconfig.clone(),
                    why,
                },
                why => Self::Unreachable { server, why },
            },
        }
    }
}

impl ClusterError {
    /// Whether a PodDisruptionBudget protects the pod for now (429 of an eviction).
    #[must_use]
    pub fn is_kept_by_a_budget(&self) -> bool {
        matches!(self, Self::KeptByABudget { .. })
    }

    /// Whether the cluster does not allow it (403): for want of a right, or by somebody's rule,
    /// whose own words the error has.
    #[must_use]
    pub fn is_not_allowed(&self) -> bool {
        matches!(
            self,
            Self::Forbidden { .. } | Self::Refused { code: 403, .. }
        )
    }

    /// Whether the server no longer has the version at which a watch was to begin (410). Servers
    /// say so in the watch or instead of it
    /// (<https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses>).
    pub(crate) fn is_expired(&self) -> bool {
        matches!(self, Self::Refused { code: 410, .. })
    }

    /// Whether the server has too much to do for now, or something before it asks for patience
    /// (429).
    #[must_use]
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Refused { code: 429, .. })
    }

    /// Whether the server may only be away for a moment, so that it is worth asking again.
    #[must_use]
    pub fn may_pass(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::Silent { .. } => true,
            // 429: too many requests. 5xx: what is behind the server is away.
            Self::Refused { code, message, .. } => {
                *code == 429 || (*code >= 500 && !message.contains(SEVERAL_BUDGETS))
            }
            _ => false,
        }
    }
}

/// Of an eviction that no time makes possible, told as an error of the server (500)
/// (`pkg/registry/core/pod/storage/eviction.go` of Kubernetes).
const SEVERAL_BUDGETS: &str = "more than one PodDisruptionBudget";

fn contexts(there: &[String]) -> String {
    match there {
        [] => "it has none".to_owned(),
        some => format!("it has {}", some.join(", ")),
    }
}

/// Whether a 403 is for want of a right: whoever authorizes says who cannot do what
/// (`forbiddenMessage` in
/// staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters/errors.go), or that somebody
/// grants what he may not do himself. An admission controller or webhook gives its own reason.
fn is_of_rights(message: &str) -> bool {
    let cannot = message.split_once("forbidden: User \"");
    cannot.is_some_and(|(_, user)| user.contains("\" cannot "))
        || message.contains("is attempting to grant RBAC permissions")
}

/// Whether a 429 of an eviction is by a PodDisruptionBudget: the answer names the budget among its
/// causes (pkg/registry/core/pod/storage/eviction.go). A busy server answers 429, too.
fn is_of_a_budget(status: &kube::core::Status) -> bool {
    let details = status.details.as_ref();
    let mut causes = details.into_iter().flat_map(|details| &details.causes);
    causes.any(|cause| cause.reason == "DisruptionBudget")
        || status.message.contains("disruption budget")
}

/// The first of the causes that it names, else its message.
fn cause(status: &kube::core::Status) -> String {
    let details = status.details.as_ref();
    let mut causes = details.into_iter().flat_map(|details| &details.causes);
    let named = causes.find(|cause| !cause.message.is_empty());
    named.map_or_else(|| status.message.clone(), |cause| cause.message.clone())
}

/// The last of the causes, which is what the system or TLS said.
fn innermost(error: &dyn std::error::Error) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    line(&error.to_string())
}

/// What a server says, in one line that a terminal can show.
pub(crate) fn line(text: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let all: Vec<char> = text.chars().map(plain).collect();
    if all.len() <= LINE {
        return all.into_iter().collect();
    }
    // The beginning says what it is about, and the end has the last cause.
    let part = |chars: &[char]| chars.iter().collect::<String>();
    let (begin, end) = (&all[..LINE / 2], &all[all.len() - LINE / 2..]);
    format!("{} ... {}", part(begin), part(end))
}

/// Characters of what a server says that are kept.
const LINE: usize = 400;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_right_is_told_from_a_rule_of_somebody() {
        for of_rights in [
            r#"deployments.apps "users" is forbidden: User "a" cannot patch resource "deployments" in API group "apps" in the namespace "shop""#,
            r#"pods is forbidden: User "system:serviceaccount:shop:a" cannot list resource "pods" in API group "" in the namespace "shop": RBAC: role "x" not found"#,
            r#"forbidden: User "system:anonymous" cannot get path "/version""#,
            r#"roles.rbac.authorization.k8s.io "tacho" is forbidden: user "a" (groups=["b"]) is attempting to grant RBAC permissions not currently held:"#,
        ] {
            assert!(is_of_rights(of_rights), "{of_rights}");
        }
        for of_somebody in [
            r#"admission webhook "validation.gatekeeper.sh" denied the request: [owner] you must provide labels: {"owner"}"#,
            r#"admission webhook "w" denied the request: User "a" cannot deploy on Fridays"#,
            r#"pods "x" is forbidden: violates PodSecurity "restricted:latest""#,
            r#"jobs.batch "x" is forbidden: unable to create new content in namespace shop because it is being terminated"#,
            "",
        ] {
            assert!(!is_of_rights(of_somebody), "{of_somebody}");
        }
    }

    #[test]
    fn what_a_server_says_moves_no_cursor_and_has_an_end() {
        assert_eq!(line("a\u{1b}[31mb\nc"), "a [31mb c");
        let long = line(&format!("begins{}ends", "x".repeat(1000)));
        assert_eq!(long.len(), 405);
        assert!(long.starts_with("begins") && long.ends_with("ends"));
    }
}
