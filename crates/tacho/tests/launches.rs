//! How often each variant is launched, and what is told of a copy.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use support::{Lab, port};

/// Each variant: its name, and how long it takes to listen.
fn lab(variants: &[(&str, u32)], launches: &str) -> Lab {
    let subject = support::subject();
    let variants = variants.iter().map(|(name, delay_ms)| {
        let (subject, port) = (subject.display(), port());
        format!("  - {{name: {name}, kind: exec, command: '{subject} --port {port} --delay-ms {delay_ms}'}}\n")
    });
    let variants: String = variants.collect();
    Lab::new(&format!(
        "tacho: 1\nname: often\nvariants:\n{variants}requests: [GET /ping]\nphases: [{{cold: {{requests: 3}}}}]\nrest: 0ms\n{launches}"
    ))
}

/// Launches that were made, but for what was run again because the machine had disturbed it.
fn made(lab: &Lab) -> u64 {
    let plan = lab.json("plan.json");
    let planned = plan["launches"].as_array().unwrap();
    let again = planned.iter().filter(|launch| !launch["again"].is_null());
    (lab.launches().len() - again.count()) as u64
}

#[test]
fn one_variant_has_nothing_to_decide_and_five_launches() {
    let lab = lab(&[("a", 20)], "");
    let told = lab.run(&[]).says("at most 20 launches");
    assert!(
        told.err
            .contains("decided after 5 launches of each, of at most 20"),
        "{told:#?}"
    );
    let plan = lab.json("plan.json");
    assert_eq!(plan["looks"], serde_json::json!([5, 7, 10, 14, 20]));
    assert_eq!(plan["launches_per_cell"], 5);
    assert_eq!(made(&lab), 5);
}

/// Whether it is decided, and when, the machine says; whoever reads the folder later is told so.
#[test]
fn launches_go_on_until_the_advice_is_decided_or_cannot_be() {
    let lab = lab(&[("slow", 900), ("quick", 20)], "launches: auto:10\n");
    let told = lab.run(&[]);
    let plan = lab.json("plan.json");
    let each = plan["launches_per_cell"].as_u64().unwrap();
    assert!([5, 7, 10].contains(&each), "{told:#?}");
    assert_eq!(made(&lab), 2 * each);
    let said = told.err.contains("no more were made");
    assert_eq!(said, each < 10, "{told:#?}");
    assert_eq!(
        plan["notes"].to_string().contains("no more were made"),
        said
    );
    let certificate = lab.json("results.json")["certificate"].to_string();
    assert!(
        !certificate.contains(r#""rule":"interrupted","state":"degraded""#),
        "{certificate}"
    );
}

#[test]
fn a_number_is_kept_whatever_is_decided() {
    let lab = lab(&[("a", 20)], "launches: 6\n");
    lab.run(&[]);
    assert_eq!(made(&lab), 6);
    assert!(lab.json("plan.json").get("looks").is_none());
}

#[test]
fn a_copy_of_the_baseline_is_measured_judged_and_never_advised() {
    let lab = lab(&[("a", 20), ("b", 400)], "launches: 3\n");
    lab.run(&["--aa"]).says("a-aa").says("baseline again");
    let results = lab.json("results.json");
    let certificate = results["certificate"].to_string();
    assert!(
        certificate.contains("a second copy of `a` was told apart"),
        "{certificate}"
    );
    let cells = results["cells"].as_array().unwrap();
    let names: Vec<_> = cells
        .iter()
        .map(|cell| cell["cell"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["a", "b", "a-aa"]);
    assert_ne!(results["advice"]["by_limits"][0]["pick"], "a-aa");
    assert!(!results["advice"]["sentence"].to_string().contains("a-aa"));
    assert_eq!(lab.json("plan.json")["aa"], "a-aa");
}
