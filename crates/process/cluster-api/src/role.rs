//! The rights as a Role, for whoever may give it.

use crate::namespace::Namespace;
use crate::rights::{Purpose, rights};
use std::fmt::Write;

/// What `kubectl apply -f -` takes.
#[must_use]
pub fn role(namespace: &Namespace) -> String {
    let mut role = format!(
        "# What `tacho --on kubernetes` does, in this namespace alone. It is given to somebody by
#   kubectl create rolebinding tacho --role=tacho --user=WHO --namespace={namespace}
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: tacho
  namespace: {namespace}
rules:
"
    );
    let mut purpose = None;
    for right in rights() {
        if purpose != Some(right.purpose) {
            purpose = Some(right.purpose);
            let _ = writeln!(role, "  # {}", because(right.purpose));
        }
        let _ = writeln!(
            role,
            "  - {{apiGroups: [\"{}\"], resources: [{}], verbs: [{}]}}",
            right.group,
            right.name(),
            right.verbs.join(", ")
        );
    }
    role
}

fn because(purpose: Purpose) -> &'static str {
    match purpose {
        Purpose::Run => "run: the Job of the run, its folder, the pods that are measured",
        Purpose::Account => "account: the run's own Role; leave out with --service-account",
        Purpose::Rollout => "rollout: only for `tacho rollout`",
        Purpose::Variants => "variants: only for `tacho rollout EXPERIMENT`, which deploys them",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_right_has_its_line() {
        let role = role(&"team-a".parse().unwrap());
        assert!(role.contains("  namespace: team-a\n"));
        assert_eq!(role.matches("apiGroups").count(), rights().len());
        assert!(role.contains("  - {apiGroups: [\"\"], resources: [pods/log], verbs: [get]}\n"));
    }
}
