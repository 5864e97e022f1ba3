//! What is said of a cluster.

use crate::fake::{self, Fake, allowed, cluster, refused};
use serde_json::json;
use tacho_cluster_api::{Access, Cluster, ClusterError, Look, PodSecurity, Seen, rights};

fn look(fake: &Fake) -> Result<Look, ClusterError> {
    Cluster::of(&fake.access()).unwrap().look()
}

#[test]
fn a_cluster_that_allows_all_is_seen_whole() {
    let fake = Fake::answering(cluster);
    let look = look(&fake).unwrap();
    assert_eq!(look.version, "v1.34.1");
    assert_eq!(look.namespace, Seen::Found(PodSecurity::Baseline));
    let Seen::Found(nodes) = look.nodes else {
        panic!("{:?}", look.nodes)
    };
    let told: Vec<_> = nodes
        .iter()
        .map(|node| (node.name.as_str(), node.takes_pods))
        .collect();
    let expected = [
        ("one", true),
        ("cordoned", false),
        ("lost", false),
        ("control", false),
    ];
    assert_eq!(told, expected);
    assert_eq!(
        (nodes[0].cpu.as_str(), nodes[0].memory.as_str()),
        ("2", "24Gi")
    );
    assert_eq!(nodes[0].architecture, "amd64");
    assert!(look.rights.iter().all(|(_, missing)| missing.is_empty()));
    // Each verb of each right, in the one namespace.
    let asked = fake.asked();
    let verbs: usize = rights().iter().map(|right| right.verbs.len()).sum();
    let of_rights = asked.iter().filter(|asked| asked.contains("accessreviews"));
    assert_eq!(of_rights.clone().count(), verbs);
    assert!(
        of_rights
            .clone()
            .all(|asked| asked.contains(r#""namespace":"team-a""#))
    );
    // Nothing was made or changed.
    for asked in &asked {
        let looks = asked.starts_with("GET ") || asked.contains("selfsubjectaccessreviews");
        assert!(looks, "{asked}");
    }
}

#[test]
fn what_is_not_allowed_is_named() {
    let fake = Fake::answering(|method, path, body| {
        if path.contains("selfsubjectaccessreviews") {
            let refused =
                body.contains(r#""resource":"jobs""#) && body.contains(r#""verb":"delete""#);
            return allowed(!refused);
        }
        if path.starts_with("/api/v1/") {
            return (
                403,
                json!({"kind": "Status", "status": "Failure", "code": 403, "reason": "Forbidden", "message": "no"}),
            );
        }
        cluster(method, path, body)
    });
    let look = look(&fake).unwrap();
    assert_eq!(look.namespace, Seen::Forbidden);
    assert_eq!(look.nodes, Seen::Forbidden);
    let missing: Vec<_> = look
        .rights
        .iter()
        .filter(|(_, verbs)| !verbs.is_empty())
        .map(|(right, verbs)| (right.name(), verbs.clone()))
        .collect();
    assert_eq!(missing, [("jobs".to_owned(), vec!["delete"])]);
}

#[test]
fn nodes_are_told_with_the_boots_of_their_machines_page_by_page() {
    let fake = Fake::answering(|_, path, _| {
        let (name, more) = match path.contains("continue=rest") {
            true => ("two", ""),
            false => ("one", "rest"),
        };
        let node = json!({
            "metadata": {"name": name},
            "status": {"nodeInfo": {"bootID": format!("boot of {name}")}},
        });
        let nodes = json!({
            "apiVersion": "v1", "kind": "NodeList", "metadata": {"continue": more},
            "items": [node],
        });
        (200, nodes)
    });
    let boots = Cluster::of(&fake.access()).unwrap().boots().unwrap();
    let told = ["one", "two"].map(|name| (name.to_owned(), format!("boot of {name}")));
    assert_eq!(boots, told);
}

/// A Role of one namespace cannot give the right to list nodes.
#[test]
fn who_may_not_list_nodes_is_told_no_boots() {
    let fake = Fake::answering(|_, _, _| refused(403, "no"));
    let error = Cluster::of(&fake.access()).unwrap().boots().unwrap_err();
    assert!(error.is_not_allowed(), "{error:?}");
}

#[test]
fn a_namespace_that_is_not_there_is_no_error() {
    let fake = Fake::answering(|method, path, body| {
        if path.starts_with("/api/v1/namespaces/") {
            return (
                404,
                json!({"kind": "Status", "status": "Failure", "code": 404, "reason": "NotFound", "message": "not found"}),
            );
        }
        cluster(method, path, body)
    });
    assert_eq!(look(&fake).unwrap().namespace, Seen::Absent);
}

#[test]
fn who_is_not_known_is_told_so() {
    let fake = Fake::answering(|_, _, _| {
        (
            401,
            json!({"kind": "Status", "status": "Failure", "code": 401, "reason": "Unauthorized", "message": "Unauthorized"}),
        )
    });
    let error = look(&fake).unwrap_err();
    assert!(matches!(error, ClusterError::Unknown { .. }), "{error:?}");
    let said = error.to_string();
    assert!(
        said.contains("log in again") && said.contains("`there`"),
        "{said}"
    );
    assert!(!said.contains(fake::TOKEN), "{said}");
}

#[test]
fn a_server_of_something_else_is_no_kubernetes() {
    let fake = Fake::answering(|_, _, _| (200, json!("<html>")));
    let error = look(&fake).unwrap_err();
    assert!(
        matches!(error, ClusterError::NotKubernetes { .. }),
        "{error:?}"
    );
}

#[test]
fn words_of_a_server_move_no_cursor() {
    let fake = Fake::answering(|_, _, _| {
        (
            500,
            json!({"kind": "Status", "status": "Failure", "code": 500, "reason": "", "message": "\u{1b}[2Jgone\nnow"}),
        )
    });
    let said = look(&fake).unwrap_err().to_string();
    assert!(
        said.contains("500") && said.contains("gone now"),
        "{said:?}"
    );
    assert!(!said.contains('\u{1b}'), "{said:?}");
}

#[test]
fn nobody_listens() {
    let fake = Fake::that_has_gone();
    let error = look(&fake).unwrap_err();
    assert!(
        matches!(error, ClusterError::Unreachable { .. }),
        "{error:?}"
    );
    assert!(error.to_string().contains("refused"), "{error}");
}

/// It takes the connection, and says nothing.
#[test]
fn silence_has_an_end() {
    let fake = Fake::silent();
    let error = look(&fake).unwrap_err();
    assert!(matches!(error, ClusterError::Silent { .. }), "{error:?}");
}

#[test]
fn a_kubeconfig_is_looked_for_and_its_text_is_never_shown() {
    let fake = Fake::answering(cluster);
    let of = |access: &Access| Cluster::of(access).unwrap_err();

    let absent = Access {
        kubeconfig: Some("/nonexistent/config".into()),
        ..Access::default()
    };
    assert!(matches!(of(&absent), ClusterError::Unread { .. }));

    let no_such = Access {
        context: Some("elsewhere".to_owned()),
        ..fake.access()
    };
    assert!(
        matches!(of(&no_such), ClusterError::NoContext { name, there } if name == "elsewhere" && !there.is_empty())
    );

    for text in [
        "token: s3cr3t\n  x: [",
        "current-context: a\ncontexts: [{name: a, context: {cluster: s3cr3t, user: b}}]\n",
        "current-context: a\nclusters: s3cr3t\n",
        "apiVersion: v1\nusers: [{name: s3cr3t}]\n",
        "",
    ] {
        let file = fake.kubeconfig(text);
        let error = of(&Access {
            kubeconfig: Some(file),
            ..Access::default()
        });
        let said = error.to_string();
        assert!(!said.contains("s3cr3t"), "{text:?}: {said}");
        assert!(said.contains("kube"), "{text:?}: {said}");
    }
}

#[test]
fn the_namespace_is_that_which_is_named_else_that_of_the_context() {
    let fake = Fake::answering(cluster);
    let reached = |access: &Access| Cluster::of(access).unwrap().reached().clone();
    let of_context = reached(&fake.access());
    assert_eq!(of_context.namespace.as_ref(), "team-a");
    assert_eq!(of_context.context, "there");
    // Without the name and the password that stand in it.
    assert_eq!(of_context.server, fake.address());
    let named = Access {
        namespace: Some("other".parse().unwrap()),
        ..fake.access()
    };
    assert_eq!(reached(&named).namespace.as_ref(), "other");
}
