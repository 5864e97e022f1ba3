//! How often each variant is launched, what is told of a copy, and two at the same time.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use support::{Lab, port};

/// Each variant: its name, and how long it takes to listen.
fn lab(variants: &[(&str, u32)], launches: &str) -> Lab {
    lab_with("{cold: {requests: 3}}", variants, launches)
}

fn lab_with(phases: &str, variants: &[(&str, u32)], launches: &str) -> Lab {
    let subject = support::subject();
    let variants = variants.iter().map(|(name, delay_ms)| {
        let (subject, port) = (subject.display(), port());
        format!("  - {{name: {name}, kind: exec, command: '{subject} --port {port} --delay-ms {delay_ms}'}}\n")
    });
    let variants: String = variants.collect();
    Lab::new(&format!(
        "tacho: 1\nname: often\nvariants:\n{variants}requests: [GET /ping]\nphases: [{phases}]\nrest: 0ms\n{launches}"
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

/// What the certificate makes of it is the machine's matter; that it was looked at is not.
#[test]
fn a_duet_runs_both_at_the_same_time_on_processors_of_their_own() {
    let phases = "{cold: {requests: 3}}, {closed: {duration: 500ms, connections: 2}}";
    let lab = lab_with(phases, &[("a", 20), ("b", 20)], "launches: 3\n");
    if tacho_processors() < 2 {
        lab.run(&["--duet"]).says("Tacho may use one only");
        return;
    }
    lab.run(&["--duet"])
        .says("duet: both variants run at the same time");
    let plan = lab.json("plan.json");
    let halves = plan["duet"]["halves"].as_array().unwrap();
    assert_ne!(halves[0], halves[1]);
    let first = |block: usize| plan["launches"][2 * block]["cell"].clone();
    assert_ne!(first(0), first(1), "they change places");
    assert_eq!(first(0), first(2));
    let certificate = lab.json("results.json")["certificate"].to_string();
    assert!(certificate.contains(r#""rule":"duet""#), "{certificate}");
    for (index, launch) in lab.launches().iter().enumerate() {
        let record = &launch["duet"];
        assert_eq!(record["processors"], halves[index % 2], "{launch}");
        assert_eq!(record["strayed"], 0);
        let phases = launch["phases"].as_array().unwrap();
        assert_eq!(phases.len(), 2 + 3 * 2);
        assert_eq!(
            phases[1]["processors"]["processors"],
            halves[0].as_array().unwrap().len()
        );
    }
}

fn tacho_processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[test]
fn what_can_be_no_duet_is_refused_with_the_way_out() {
    let three = lab(&[("a", 20), ("b", 20), ("c", 20)], "");
    let told = three.run(&["--duet"]);
    assert_eq!(told.code, Some(2), "{told:#?}");
    told.says("this experiment has 3 (a, b, c)")
        .says("--variants");
    let two = lab(&[("a", 20), ("b", 20)], "duet: true\n");
    let own = std::process::id().to_string();
    let told = two.run(&["--companions", &own]);
    assert_eq!(told.code, Some(2), "{told:#?}");
    told.says("run on the processors of both sides of a duet");
}

#[test]
fn which_of_several_ports_was_measured_is_said() {
    let (own, other) = (port(), port());
    let lab = Lab::scripted(&[("a", &format!("--port {own} --opens-first {other}"))], "");
    lab.run(&["--launches", "1"])
        .says("port (valid): measured on port");
    let results = lab.json("results.json");
    let evidence = results["certificate"]["evidence"].as_array().unwrap();
    let found = evidence.iter().find(|e| e["rule"] == "port").unwrap();
    let said = format!(
        "measured on port {own}, the one that answered the experiment's request (GET /ping); also listening: {other}"
    );
    assert_eq!(found["statement"], said);
    assert_eq!(found["state"], "valid");
}
