//! What Tacho needs to be allowed, in one namespace.
//!
//! By decision 0028 the terminal makes a Job and hands it a run; the run makes the pods. Whoever
//! grants a Role must have the rights in it (`rbac.authorization.k8s.io`, privilege escalation
//! prevention), so the terminal needs both kinds of rights.

use std::fmt;

macro_rules! purposes {
    ($($(#[doc = $doc:literal])* $purpose:ident = $name:literal,)*) => {
        /// What a right is needed for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Purpose {
            $($(#[doc = $doc])* $purpose,)*
        }

        impl Purpose {
            /// All of them, in the order in which they are told.
            pub const ALL: &[Self] = &[$(Self::$purpose),*];

            /// `run`: the word in texts.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$purpose => $name,)*
                }
            }
        }
    };
}

purposes! {
    /// `tacho run` and `tacho load --on kubernetes`: the Job, and its pods.
    Run = "run",
    /// A Role and a ServiceAccount for it; not needed with `--service-account`.
    Account = "account",
    /// `tacho rollout DEPLOYMENT --on kubernetes`.
    Rollout = "rollout",
    /// `tacho rollout EXPERIMENT --on kubernetes`, beside what a run and a rollout need.
    Variants = "variants",
}

impl fmt::Display for Purpose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Verbs on one resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Right {
    /// What it is needed for.
    pub purpose: Purpose,
    /// API group; empty for the core.
    pub group: &'static str,
    /// Plural name.
    pub resource: &'static str,
    /// A part of it, such as its log.
    pub subresource: Option<&'static str>,
    /// What is done with it.
    pub verbs: &'static [&'static str],
}

impl Right {
    /// The resource in the syntax of Roles.
    #[must_use]
    pub fn name(&self) -> String {
        match self.subresource {
            Some(part) => format!("{}/{part}", self.resource),
            None => self.resource.to_owned(),
        }
    }
}

/// All of them, in the order of their purposes.
#[must_use]
pub fn rights() -> &'static [Right] {
    const MADE: &[&str] = &["create", "get", "list", "watch", "delete"];
    const fn right(
        purpose: Purpose,
        (group, resource): (&'static str, &'static str),
        subresource: Option<&'static str>,
        verbs: &'static [&'static str],
    ) -> Right {
        Right {
            purpose,
            group,
            resource,
            subresource,
            verbs,
        }
    }
    const PODS: (&str, &str) = ("", "pods");
    const RBAC: &str = "rbac.authorization.k8s.io";
    const MADE_AND_UNMADE: &[&str] = &["create", "get", "delete"];
    const RIGHTS: &[Right] = &[
        right(Purpose::Run, ("batch", "jobs"), None, MADE),
        right(Purpose::Run, PODS, None, MADE),
        right(Purpose::Run, PODS, Some("log"), &["get"]),
        // Since 1.35 a stream needs `create` instead of `get` (kubernetes/kubernetes#134577).
        right(Purpose::Run, PODS, Some("portforward"), &["get", "create"]),
        right(Purpose::Run, ("", "services"), None, MADE_AND_UNMADE),
        right(
            Purpose::Run,
            ("discovery.k8s.io", "endpointslices"),
            None,
            &["list", "watch"],
        ),
        right(
            Purpose::Account,
            ("", "serviceaccounts"),
            None,
            MADE_AND_UNMADE,
        ),
        right(Purpose::Account, (RBAC, "roles"), None, MADE_AND_UNMADE),
        right(
            Purpose::Account,
            (RBAC, "rolebindings"),
            None,
            MADE_AND_UNMADE,
        ),
        right(
            Purpose::Rollout,
            ("apps", "deployments"),
            None,
            &["get", "patch"],
        ),
        right(Purpose::Rollout, ("", "services"), None, &["list"]),
        // The last two are for `--change kill` and `evict` or `drain` alone.
        right(Purpose::Rollout, PODS, None, &["list", "watch", "delete"]),
        right(Purpose::Rollout, PODS, Some("eviction"), &["create"]),
        right(
            Purpose::Rollout,
            ("discovery.k8s.io", "endpointslices"),
            None,
            &["list", "watch"],
        ),
        right(
            Purpose::Variants,
            ("apps", "deployments"),
            None,
            &["create", "delete"],
        ),
    ];
    RIGHTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_whole_cluster_and_no_wildcard_is_asked() {
        for right in rights() {
            // What is not used is not asked: nothing makes or reads a Secret.
            assert!(!["nodes", "namespaces", "secrets"].contains(&right.resource));
            assert!(!right.verbs.contains(&"*") && right.resource != "*");
            // The right to run anything in every pod.
            assert_ne!(right.subresource, Some("exec"));
        }
        assert!(rights().is_sorted_by_key(|right| right.purpose));
    }

    /// One without rights would be said to be allowed, whatever is.
    #[test]
    fn each_purpose_has_rights() {
        for purpose in Purpose::ALL {
            assert!(
                rights().iter().any(|right| right.purpose == *purpose),
                "{purpose}"
            );
        }
    }
}
