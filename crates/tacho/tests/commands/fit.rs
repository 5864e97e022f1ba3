//! `tacho fit` on a subject whose need of memory is known.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use serde_json::Value;
use support::{Lab, Told, port, tacho};

const MIB: u64 = 1 << 20;

fn fit(lab: &Lab, arguments: &[&str]) -> (Told, Value) {
    let output = tacho()
        .current_dir(lab.path())
        .args([
            "fit",
            "experiment.yaml",
            "--only",
            "memory",
            "--launches",
            "1",
            "--json",
            "fit.json",
        ])
        .args(arguments)
        .output()
        .unwrap();
    let json = std::fs::read(lab.path().join("fit.json")).unwrap_or_else(|_| b"null".to_vec());
    (Told::of(&output), serde_json::from_slice(&json).unwrap())
}

#[test]
fn what_eats_96_mib_needs_a_step_more() {
    let lab = Lab::scripted(&[("eater", &format!("--port {} --eat-mib 96", port()))], "");
    let (told, json) = fit(&lab, &["--memory", "192MiB", "--memory-step", "16MiB"]);
    let told = told
        .exits(0)
        .says("memory is enough, one step less is not (killed by the kernel");
    // 96 MiB, and the program itself with the pages of its files: one or two steps.
    let found = json["memory"]["limit"].as_u64().unwrap();
    assert!(
        (112 * MIB..=128 * MIB).contains(&found),
        "{} MiB",
        found / MIB
    );
    assert_eq!(json["memory"]["end"], "found");
    let trials = json["memory"]["trials"].as_array().unwrap();
    let confirmed = trials
        .iter()
        .filter(|t| t["limit"] == found && t["held"] == true);
    assert!(confirmed.count() >= 2, "{trials:#?}");
    let below = trials
        .iter()
        .find(|t| t["limit"] == found - 16 * MIB)
        .unwrap();
    assert_eq!(below["walls"][0]["wall"], "container");
    let quantity = format!("memory: {}Mi", found / MIB);
    let pasted = json["paste"]["kubernetes"].as_str().unwrap();
    assert!(pasted.contains(&quantity), "{pasted}");
    told.says(&quantity);
}

#[test]
fn when_nothing_is_enough_it_says_so() {
    let lab = Lab::scripted(&[("eater", &format!("--port {} --eat-mib 96", port()))], "");
    let (told, json) = fit(&lab, &["--memory", "64MiB"]);
    told.exits(1)
        .says("no memory limit that was tried is enough");
    assert_eq!(json["memory"]["end"], "nothing-holds");
    assert!(json["paste"].is_null(), "{json}");
}

/// Before the launches that have none.
#[test]
fn limits_that_the_machine_does_not_have_are_refused_before_anything_is_launched() {
    for (limit, said) in [("--memory=900000GiB", "900000GiB"), ("--cpu=4096", "4,096")] {
        let lab = Lab::scripted(&[("quick", &format!("--port {}", port()))], "");
        let (told, _) = fit(&lab, &[limit]);
        let told = told.exits(4);
        assert!(told.err.contains(said), "{told:#?}");
        assert!(!lab.path().join("runs").exists());
    }
}

#[test]
fn a_range_without_room_is_wrong_usage() {
    let lab = Lab::scripted(&[("quick", &format!("--port {}", port()))], "");
    let (told, _) = fit(&lab, &["--memory", "32MiB", "--memory-from", "32MiB"]);
    told.exits(2)
        .says("say the highest limit to try with --memory");
}
