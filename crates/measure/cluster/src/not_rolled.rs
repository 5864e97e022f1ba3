//! Why a Deployment was not changed, or not to its end, and what to do about it.

use tacho_cluster_api::ClusterError;

/// Why changes were not carried out, or not to their end.
#[derive(Debug, thiserror::Error)]
pub enum NotRolled {
    /// The API.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
    /// There is none of that name.
    #[error(
        "there is no deployment `{name}` in namespace {namespace}; only deployments are changed, no StatefulSet and no DaemonSet. {}",
        listed(there, namespace)
    )]
    NoDeployment {
        /// Its name.
        name: String,
        /// Where it was looked for.
        namespace: String,
        /// Those that there are, where we may look.
        there: Vec<String>,
    },
    /// Another change is under way, or the Deployment cannot be changed now.
    #[error("the deployment `{name}` {how}: {instead}. Nothing was changed")]
    NotNow {
        /// Its name.
        name: String,
        /// In which state it is.
        how: &'static str,
        /// What to do.
        instead: String,
    },
    /// No Service leads to it.
    #[error(
        "no service in namespace {namespace} leads to the pods of `{deployment}`: make one (`kubectl expose deployment {deployment} -n {namespace}`), or say where users come in by --url. Nothing was changed"
    )]
    NoService {
        /// Of which deployment.
        deployment: String,
        /// Where it was looked for.
        namespace: String,
    },
    /// No Service of that name leads to it.
    #[error(
        "no service `{service}` leads to the pods of `{deployment}` ({}). Nothing was changed",
        leading(there)
    )]
    NotThatService {
        /// The one that was named.
        service: String,
        /// Of which deployment.
        deployment: String,
        /// Those that do.
        there: Vec<String>,
    },
    /// Several Services lead to it.
    #[error(
        "several services lead to the pods of `{deployment}` ({}): name one by --service. Nothing was changed",
        leading(there)
    )]
    SeveralServices {
        /// Of which deployment.
        deployment: String,
        /// Their names.
        there: Vec<String>,
    },
    /// The Service has no address of its own.
    #[error(
        "the service `{0}` has no address or no TCP port of its own (is it headless?): give the URL that users call with --url (with --from-cluster, by its name, such as http://{0}:8080/), or make another service for these pods. Nothing was changed"
    )]
    NoAddress(String),
    /// The Service has several ports, and it is not said which one users come by.
    #[error(
        "the service `{service}` has several ports, and not one that is named `http`: say by --url where users come in ({}). Nothing was changed",
        urls.join("; ")
    )]
    SeveralPorts {
        /// Of which service.
        service: String,
        /// Each as it would be said.
        urls: Vec<String>,
    },
    /// It was not over in time.
    #[error(
        "`{step}` was not over after {s} seconds{}: see `kubectl describe deployment {name}`, or wait longer by {longer_by}",
        for_want_of_room(no_room.as_deref())
    )]
    NotOver {
        /// What was done.
        step: String,
        /// Of which deployment.
        name: String,
        /// After how long.
        s: u64,
        /// A pod that no node takes, and what the scheduler says of it.
        no_room: Option<Box<(String, String)>>,
        /// The option that gives it more time.
        longer_by: &'static str,
    },
    /// The controller has given up.
    #[error("`{step}` does not come to its end ({said}): see `kubectl describe deployment {name}`")]
    Stuck {
        /// What was done.
        step: String,
        /// Of which deployment.
        name: String,
        /// Its words.
        said: String,
    },
    /// Somebody else scales it, too.
    #[error(
        "`{step}` asked for {wanted} pods of `{name}`, and it has {is}: something else scales it, probably a HorizontalPodAutoscaler (`kubectl get hpa`). It was left as it is. Remove the autoscaler while it is rolled out, or leave `--change scale` out"
    )]
    ScaledByAnother {
        /// What was done.
        step: String,
        /// Of which deployment.
        name: String,
        /// How many were asked for.
        wanted: u32,
        /// How many it asks for now.
        is: u32,
    },
    /// A temporary change could not be undone.
    #[error(
        "the deployment `{name}` could not be put back, and is left with {changed} ({why}): put it back by {by_hand}, or begin another rollout of it on this machine, which puts it back first"
    )]
    LeftChanged {
        /// Its name.
        name: String,
        /// What was changed.
        changed: String,
        /// The commands that undo it.
        by_hand: String,
        /// What the API said.
        why: String,
    },
    /// There is nothing that a preStop can be compared with.
    #[error("--try-pre-stop compares restarts with and without it: add --change restart")]
    NothingToCompare,
    /// The option is for an existing Deployment or an artifact, and an experiment was given.
    #[error(
        "{0} is for a Deployment that is there, or for an artifact: an experiment has requests of its own, and its run folder has what is written (`tacho report RUN --json -`)"
    )]
    NotOfAnExperiment(&'static str),
    /// `--from-cluster` was given with an experiment; there `--run-pod` does that.
    #[error(
        "--from-cluster is for an existing Deployment; for an experiment, give --run-pod to run all of it in a pod"
    )]
    RunPodInstead,
    /// The option is for an experiment, and an existing Deployment was given; there
    /// `--from-cluster` has a pod send the requests.
    #[error(
        "{0} is for an experiment, whose variants are deployed; for an existing Deployment, give --from-cluster to send requests from a pod"
    )]
    FromClusterInstead(&'static str),
    /// The option is only for Deployments that are made from an experiment.
    #[error(
        "{0} is for an experiment, whose variants are deployed: name a file (.yaml, .jar) in place of a Deployment, or leave it out"
    )]
    OnlyOfAnExperiment(&'static str),
    /// A container beside the pods cannot be told which requests to send.
    #[error(
        "`{variant}` is warmed by a container beside its pods, which sends one request of the experiment: {instead}"
    )]
    NoGate {
        /// The variant.
        variant: String,
        /// What to do.
        instead: &'static str,
    },
    /// Nobody says how many users come.
    #[error(
        "how many requests come a second is not said: name them by --rate, such as --rate 50; in an experiment a phase at a constant rate says it (`open: {{rate: 200/s, duration: 30s}}`)"
    )]
    NoRate,
    /// It is not said where the image of the pod that sends the requests comes from.
    #[error(
        "the image of the pod that sends the requests has to get to a node: by a registry (--image registry/team/tacho), by a command that hands it over (--load-image), or by the name of one that is there (--users-image)"
    )]
    WantsImageOfUsers,
    /// The pod that sent the requests is no more.
    #[error("the pod that sent the requests is gone ({why}), and its results with it; run again")]
    UsersGone {
        /// What the cluster says.
        why: String,
    },
    /// Requests fail even before anything is changed.
    #[error(
        "{failed} of {requests} requests failed before the first change, so nothing was changed. `tacho load {url}` shows why: the path, the method or a body may be wrong. Or the URL is not reachable from here, since a Service has an address only within its cluster (--from-cluster sends the requests from a pod; --url names where users come in, such as an Ingress or a node port)"
    )]
    Failing {
        /// Without a good answer.
        failed: u64,
        /// In all.
        requests: u64,
        /// Where they were sent.
        url: String,
    },
    /// Nobody answers the pod that sends the requests.
    #[error(
        "nobody answered the pod that sends the requests, at {url}, before the first change: nothing was changed. Is it the right port, and does it speak what was sent (HTTP/1, HTTP/2, TLS)? `tacho load --on kubernetes {url}` says how they failed"
    )]
    UnreachedByAPod {
        /// Where requests were sent.
        url: String,
    },
    /// Nobody is reached at all.
    #[error(
        "nobody answered at {url} before the first change: nothing was changed. A Service has an address only within its cluster: send the requests from a pod with --from-cluster, or name with --url where users come in, such as an Ingress or a node port"
    )]
    Unreached {
        /// Where requests were sent.
        url: String,
    },
    /// No pod takes traffic.
    #[error("no pod of `{0}` takes traffic, so none can be removed: check the deployment's pods")]
    NobodyToLeave(String),
    /// The process to be killed is on another machine.
    #[error(
        "the process of container `{container}` of pod `{pod}` is not visible here (it is on node {node}): run `crash` as root on that node, or use `kill`, which deletes a pod from anywhere"
    )]
    ElsewhereToCrash {
        /// The container.
        container: String,
        /// The pod.
        pod: String,
        /// Its node.
        node: String,
    },
    /// The load has ended before the changes.
    #[error("for a minute nobody answered, and the load ended: is the deployment well?")]
    NobodyAnswers,
    /// The user has ended it.
    #[error("interrupted")]
    Interrupted,
}

impl NotRolled {
    /// The change was not begun: the cluster does not allow it.
    #[must_use]
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Cluster(error) => error.is_kept_by_a_budget() || error.is_not_allowed(),
            Self::NobodyToLeave(_) | Self::ElsewhereToCrash { .. } => true,
            _ => false,
        }
    }
}

/// `, since no node takes the pod a (0/1 nodes are available: 1 Insufficient cpu)`
fn for_want_of_room(no_room: Option<&(String, String)>) -> String {
    no_room.map_or_else(String::new, |(pod, why)| {
        format!(", since no node takes the pod {pod} ({why})")
    })
}

fn listed(there: &[String], namespace: &str) -> String {
    match there {
        [] => format!("`kubectl get deployments -n {namespace}` lists them"),
        some => format!("There are: {}", some.join(", ")),
    }
}

fn leading(there: &[String]) -> String {
    match there {
        [] => "none does".to_owned(),
        [one] => format!("`{one}` does"),
        some => format!("{} do", some.join(", ")),
    }
}
