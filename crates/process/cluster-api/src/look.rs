//! What a run would find: looked at, never changed.

use crate::access::Reached;
use crate::answer;
use crate::error::{ClusterError, Doing};
use crate::rights::{Right, rights};
use k8s_openapi::api::authorization::v1::{
    ResourceAttributes, SelfSubjectAccessReview, SelfSubjectAccessReviewSpec,
};
use k8s_openapi::api::core::v1::{Namespace, Node as ApiNode};
use kube::api::{Api, ListParams, PostParams};
use kube::{Client, ResourceExt};

/// What was seen of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// As the API server says it, such as `v1.34.1`.
    pub version: String,
    /// What the namespace enforces.
    pub namespace: Seen<PodSecurity>,
    /// The nodes.
    pub nodes: Seen<Vec<Node>>,
    /// Each right with the verbs of it that are missing.
    pub rights: Vec<(Right, Vec<&'static str>)>,
}

/// What a look found. It may be forbidden, which is a result, too.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Seen<T> {
    /// It is there.
    Found(T),
    /// It is not.
    Absent,
    /// We may not look.
    Forbidden,
}

/// What the namespace enforces of the Pod Security Standards
/// (<https://kubernetes.io/docs/concepts/security/pod-security-standards/>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PodSecurity {
    /// Nothing, which is the default.
    Privileged,
    /// No `hostPID`, no paths of the host.
    Baseline,
    /// As [`Self::Baseline`], and no root.
    Restricted,
    /// A level that is newer than this code.
    Unknown,
}

impl PodSecurity {
    /// Whether the pod that reads control groups may exist.
    #[must_use]
    pub fn allows_the_eye(self) -> bool {
        self == Self::Privileged
    }

    fn of(namespace: &Namespace) -> Self {
        let labels = namespace.labels();
        match labels
            .get("pod-security.kubernetes.io/enforce")
            .map(String::as_str)
        {
            None | Some("privileged") => Self::Privileged,
            Some("baseline") => Self::Baseline,
            Some("restricted") => Self::Restricted,
            Some(_) => Self::Unknown,
        }
    }
}

/// A node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// Processors that pods may have, as the API writes them.
    pub cpu: String,
    /// Memory that pods may have, as the API writes it.
    pub memory: String,
    /// `amd64`, `arm64` and so on.
    pub architecture: String,
    /// It takes pods: it is ready, not cordoned, and without a taint that keeps them away.
    pub takes_pods: bool,
}

/// Effects of taints, such as those of a control plane, that pods of Tacho do not tolerate
/// (<https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/>).
const KEEPS_AWAY: [&str; 2] = ["NoSchedule", "NoExecute"];

impl Node {
    fn of(node: &ApiNode) -> Self {
        let status = node.status.as_ref();
        let of_pods = |what: &str| {
            let amounts = status.and_then(|status| status.allocatable.as_ref());
            let amount = amounts.and_then(|amounts| amounts.get(what));
            amount.map_or_else(String::new, |amount| amount.0.clone())
        };
        let conditions = status.and_then(|status| status.conditions.as_ref());
        let is_ready = conditions.is_some_and(|conditions| {
            conditions
                .iter()
                .any(|condition| condition.type_ == "Ready" && condition.status == "True")
        });
        let spec = node.spec.as_ref();
        let is_cordoned = spec.and_then(|spec| spec.unschedulable) == Some(true);
        let taints = spec.and_then(|spec| spec.taints.as_ref());
        let mut taints = taints.into_iter().flatten();
        let is_tainted = taints.any(|taint| KEEPS_AWAY.contains(&taint.effect.as_str()));
        Self {
            name: node.name_any(),
            cpu: of_pods("cpu"),
            memory: of_pods("memory"),
            architecture: status
                .and_then(|status| status.node_info.as_ref())
                .map_or_else(String::new, |info| info.architecture.clone()),
            takes_pods: is_ready && !is_cordoned && !is_tainted,
        }
    }
}

pub(crate) async fn look(client: &Client, reached: &Reached) -> Result<Look, ClusterError> {
    let version = answer(Doing::AskVersion, reached, client.apiserver_version()).await?;
    Ok(Look {
        version: version.git_version,
        rights: missing(client, reached).await?,
        namespace: namespace(client, reached).await?,
        nodes: nodes(client, reached).await?,
    })
}

async fn namespace(client: &Client, reached: &Reached) -> Result<Seen<PodSecurity>, ClusterError> {
    let all: Api<Namespace> = Api::all(client.clone());
    let asked = all.get_opt(reached.namespace.as_ref());
    match answer(Doing::ReadNamespace, reached, asked).await {
        Ok(Some(namespace)) => Ok(Seen::Found(PodSecurity::of(&namespace))),
        Ok(None) => Ok(Seen::Absent),
        Err(error) if error.is_not_allowed() => Ok(Seen::Forbidden),
        Err(error) => Err(error),
    }
}

async fn nodes(client: &Client, reached: &Reached) -> Result<Seen<Vec<Node>>, ClusterError> {
    let all: Api<ApiNode> = Api::all(client.clone());
    // More are not needed to know that there are enough.
    let some = ListParams::default().limit(100);
    match answer(Doing::ListNodes, reached, all.list(&some)).await {
        Ok(nodes) => Ok(Seen::Found(nodes.iter().map(Node::of).collect())),
        Err(error) if error.is_not_allowed() => Ok(Seen::Forbidden),
        Err(error) => Err(error),
    }
}

/// The nodes by name, each with the id of its machine's boot; empty where it says none.
pub(crate) async fn boots(
    client: &Client,
    reached: &Reached,
) -> Result<Vec<(String, String)>, ClusterError> {
    let all: Api<ApiNode> = Api::all(client.clone());
    let mut boots = Vec::new();
    let mut page = ListParams::default().limit(100);
    loop {
        let nodes = answer(Doing::ListNodes, reached, all.list(&page)).await?;
        boots.extend(nodes.iter().map(boot));
        match nodes.metadata.continue_.filter(|token| !token.is_empty()) {
            Some(token) => page = page.continue_token(&token),
            None => return Ok(boots),
        }
    }
}

fn boot(node: &ApiNode) -> (String, String) {
    let status = node.status.as_ref();
    let info = status.and_then(|status| status.node_info.as_ref());
    let boot = info.map_or_else(String::new, |info| info.boot_id.clone());
    (node.name_any(), boot)
}

/// Each verb is asked for separately. A list of all rights may be incomplete where a webhook
/// decides (`SelfSubjectRulesReview`, field `incomplete`).
async fn missing(
    client: &Client,
    reached: &Reached,
) -> Result<Vec<(Right, Vec<&'static str>)>, ClusterError> {
    let mut missing = Vec::new();
    for right in rights() {
        let mut verbs = Vec::new();
        for verb in right.verbs {
            if !is_allowed(client, reached, right, verb).await? {
                verbs.push(*verb);
            }
        }
        missing.push((*right, verbs));
    }
    Ok(missing)
}

async fn is_allowed(
    client: &Client,
    reached: &Reached,
    right: &Right,
    verb: &str,
) -> Result<bool, ClusterError> {
    let review = SelfSubjectAccessReview {
        spec: SelfSubjectAccessReviewSpec {
            resource_attributes: Some(ResourceAttributes {
                group: Some(right.group.to_owned()),
                namespace: Some(reached.namespace.to_string()),
                resource: Some(right.resource.to_owned()),
                subresource: right.subresource.map(str::to_owned),
                verb: Some(verb.to_owned()),
                ..ResourceAttributes::default()
            }),
            ..SelfSubjectAccessReviewSpec::default()
        },
        ..SelfSubjectAccessReview::default()
    };
    let reviews: Api<SelfSubjectAccessReview> = Api::all(client.clone());
    let how = PostParams::default();
    let review = answer(Doing::AskRights, reached, reviews.create(&how, &review)).await?;
    Ok(review.status.is_some_and(|status| status.allowed))
}
