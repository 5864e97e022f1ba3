//! The ServiceAccount of a pod that carries out a run, and the Role that lets it make pods. Both
//! are for this run alone and are deleted with it.

use crate::access::Reached;
use crate::error::{ClusterError, Doing};
use crate::pod::labels;
use crate::rights::{Purpose, rights};
use crate::run_label::RunLabel;
use k8s_openapi::api::core::v1::ServiceAccount;
use k8s_openapi::api::rbac::v1::{PolicyRule, Role, RoleBinding, RoleRef, Subject};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{ObjectMeta, OwnerReference};
use kube::Client;
use kube::api::{Api, PostParams};

const RBAC: &str = "rbac.authorization.k8s.io";

/// Rights of a run that the pod does not need. It makes no Job, because the Job that its pods
/// belong to exists before it.
const NOT_NEEDED: [&str; 2] = ["jobs", "portforward"];

/// Makes all three, for what is to be done. Gives the name of the account.
pub async fn begin(
    client: &Client,
    reached: &Reached,
    run: &RunLabel,
    owner: &OwnerReference,
    does: &[Purpose],
) -> Result<String, ClusterError> {
    let (namespace, how) = (reached.namespace.as_ref(), PostParams::default());
    let metadata = of_run(run, owner);
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), namespace);
    let account = ServiceAccount {
        metadata: metadata.clone(),
        ..ServiceAccount::default()
    };
    crate::answer(Doing::MakeAccount, reached, accounts.create(&how, &account)).await?;
    let roles: Api<Role> = Api::namespaced(client.clone(), namespace);
    let role = Role {
        metadata: metadata.clone(),
        rules: Some(rules(does)),
    };
    crate::answer(Doing::MakeRole, reached, roles.create(&how, &role)).await?;
    let bindings: Api<RoleBinding> = Api::namespaced(client.clone(), namespace);
    let binding = binding(run, namespace, metadata);
    crate::answer(Doing::MakeRole, reached, bindings.create(&how, &binding)).await?;
    Ok(name(run))
}

fn name(run: &RunLabel) -> String {
    run.name_of("runner")
}

fn of_run(run: &RunLabel, owner: &OwnerReference) -> ObjectMeta {
    ObjectMeta {
        name: Some(name(run)),
        labels: Some(labels(run)),
        owner_references: Some(vec![owner.clone()]),
        ..ObjectMeta::default()
    }
}

fn binding(run: &RunLabel, namespace: &str, metadata: ObjectMeta) -> RoleBinding {
    RoleBinding {
        metadata,
        role_ref: RoleRef {
            api_group: RBAC.to_owned(),
            kind: "Role".to_owned(),
            name: name(run),
        },
        subjects: Some(vec![Subject {
            api_group: None,
            kind: "ServiceAccount".to_owned(),
            name: name(run),
            namespace: Some(namespace.to_owned()),
        }]),
    }
}

/// The rules of the Role. Nobody can grant more rights than they have; the terminal has these
/// rights for a run.
fn rules(does: &[Purpose]) -> Vec<PolicyRule> {
    let of_launches = rights().iter().filter(|right| {
        does.contains(&right.purpose)
            && !NOT_NEEDED.contains(&right.resource)
            && !right
                .subresource
                .is_some_and(|part| NOT_NEEDED.contains(&part))
    });
    of_launches
        .map(|right| PolicyRule {
            api_groups: Some(vec![right.group.to_owned()]),
            resources: Some(vec![right.name()]),
            verbs: right.verbs.iter().map(|verb| (*verb).to_owned()).collect(),
            ..PolicyRule::default()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_may_make_pods_and_nothing_that_outlives_the_run() {
        let rules = rules(&[Purpose::Run]);
        let may = |resource: &str, verb: &str| {
            rules.iter().any(|rule| {
                let resources = rule.resources.iter().flatten();
                resources.into_iter().any(|name| name == resource)
                    && rule.verbs.iter().any(|one| one == verb)
            })
        };
        assert!(may("pods", "create") && may("pods", "watch") && may("pods/log", "get"));
        assert!(may("services", "create") && may("endpointslices", "list"));
        assert!(!may("jobs", "create") && !may("pods/portforward", "get"));
        assert!(!may("roles", "create") && !may("secrets", "create"));
        assert!(!may("deployments", "create"));
    }

    #[test]
    fn the_binding_names_both() {
        let run = RunLabel::of("r");
        let metadata = of_run(&run, &OwnerReference::default());
        let binding = binding(&run, "shop", metadata);
        assert_eq!(binding.role_ref.name, "tacho-r-runner");
        let subjects = binding.subjects.unwrap();
        assert_eq!(subjects[0].name, "tacho-r-runner");
        assert_eq!(subjects[0].namespace.as_deref(), Some("shop"));
    }
}
