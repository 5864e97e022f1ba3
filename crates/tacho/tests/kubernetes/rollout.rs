//! `tacho rollout --on kubernetes`.

use crate::a_box::Cluster;
use crate::strings::{deployed, tacho_on};
use crate::support::Told;

#[test]
#[ignore = "wants root and a cluster of this machine: make test-kubernetes"]
fn a_deployment_is_restarted_scaled_and_loses_a_pod_while_users_come() {
    let cluster = Cluster::up();
    deployed(&cluster);
    let mut command = tacho_on(&cluster, &["rollout", "strings", "/health", "--rate", "50"]);
    command.args(["--rest", "3s", "--warm-up", "1s"]);
    command.args([
        "--change", "restart", "--change", "scale=3", "--change", "evict",
    ]);
    let told = Told::of(&command.output().unwrap());
    let report = told.json();
    let felt = report["felt"].as_array().unwrap();
    let changes: Vec<&str> = felt
        .iter()
        .filter(|window| window["window"]["is_change"] == true)
        .map(|window| window["window"]["name"].as_str().unwrap())
        .collect();
    assert!(changes.len() >= 3, "{changes:?}");
    for window in felt {
        assert!(window["requests"].as_u64().unwrap() > 0, "{window:#}");
    }
    // Two at first, two new ones, one for the third, one for the evicted.
    let pods = report["pods"].as_array().unwrap();
    assert!(pods.len() >= 6, "{pods:#?}");
    let lost = report["lost"].as_array().unwrap();
    assert!(lost.iter().all(|one| one["suspicion"].is_string()));
    assert_eq!(told.code, Some(i32::from(!lost.is_empty())));
    let replicas = [
        "get",
        "deployment/strings",
        "--output=jsonpath={.spec.replicas}",
    ];
    assert_eq!(cluster.kubectl(&replicas), "2");
}
