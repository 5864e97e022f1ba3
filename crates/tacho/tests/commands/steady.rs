//! Services that have to be warm first.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use support::{Lab, Told, port, tacho};

/// 40 answers of 60 ms, which are over before anything can be told, then 20 ms each.
const COLD_THEN_WARM: &str = "--cold 40 --cold-ms 60 --warm-ms 20";
/// Each answer is faster than the one before it, for 600 answers.
const FALLS: &str = "--cold 600 --cold-ms 60 --falls";

fn lab(life: &str, phases: &str) -> Lab {
    let subject = support::subject();
    Lab::new(&format!(
        "tacho: 1\nname: steady\nvariants:\n  - {{name: a, kind: exec, command: '{} --port {} {life}'}}\nrequests: [GET /ping]\nphases: {phases}\nlaunches: 1\nrest: 0ms\n",
        subject.display(),
        port()
    ))
}

fn metric<'a>(results: &'a serde_json::Value, id: &str) -> &'a serde_json::Value {
    let metrics = results["cells"][0]["metrics"].as_array().unwrap();
    let of_id = metrics.iter().find(|metric| metric["id"] == id);
    of_id.unwrap_or_else(|| panic!("no {id} in {metrics:#?}"))
}

/// Its cold part has its own figures, and what follows is that of the warm service.
#[test]
fn a_settle_phase_ends_when_throughput_is_steady() {
    let phases =
        "[{settle: {within: 10m, connections: 4}}, {closed: {duration: 3s, connections: 4}}]";
    let lab = lab(COLD_THEN_WARM, phases);
    let told = lab
        .run(&[])
        .says("until throughput is steady")
        .says("steady after");
    let results = lab.json("results.json");
    let value = |id: &str| metric(&results, id)["estimate"]["value"].as_f64().unwrap();
    // The first look is after twenty windows of a tenth of a second.
    let settled_s = value("settle.settled_after_s");
    assert!((2.0..600.0).contains(&settled_s), "{told:#?}");
    assert!(value("settle.throughput") > 0.0);
    let closed = metric(&results, "closed.throughput");
    // Whether three seconds of it are steady is the machine's affair; that they are said to be what
    // they are is ours.
    let is_unsteady = closed.get("unsteady").is_some();
    assert_eq!(is_unsteady, told.out.contains(" ~"), "{told:#?}");
}

/// Its throughput is marked.
#[test]
fn a_phase_that_was_never_steady_is_said_to_be_so_where_its_figure_stands() {
    let lab = lab(FALLS, "[{closed: {requests: 590, connections: 4}}]");
    let told = lab.run(&[]).says(" ~").says("not shown to be steady");
    let results = lab.json("results.json");
    let throughput = metric(&results, "closed.throughput");
    assert_eq!(throughput["unsteady"], serde_json::json!([1]), "{told:#?}");
    let page = std::fs::read_to_string(lab.run_folder().join("report.html")).unwrap();
    assert!(page.contains("~ not shown to be steady"));
}

#[test]
fn a_load_settles_as_well() {
    let lab = lab(FALLS, "[{rest: 1ms}]");
    let port = port();
    let mut subject = std::process::Command::new(support::subject())
        .args(["--port", &port.to_string()])
        .args(COLD_THEN_WARM.split(' '))
        .spawn()
        .unwrap();
    let phases = lab.path().join("phases.yaml");
    std::fs::write(
        &phases,
        "phases: [{settle: {within: 10m, connections: 4}}]\n",
    )
    .unwrap();
    let url = format!("http://127.0.0.1:{port}/ping");
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let output = tacho()
        .args(["load", &url, "-q", "--json", "-", "--phases"])
        .arg(&phases)
        .output();
    subject.kill().unwrap();
    subject.wait().unwrap();
    let report = Told::of(&output.unwrap()).json();
    let requests = report["requests"].as_u64().unwrap();
    assert!((40..100_000).contains(&requests), "{report:#}");
}
