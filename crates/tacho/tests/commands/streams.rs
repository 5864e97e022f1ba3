//! Services whose answers have no end of their own.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use support::{Lab, port};

/// It sends an event every 5 ms for as long as somebody listens.
#[test]
fn an_answer_of_an_experiment_is_over_with_its_last_awaited_event() {
    let (subject, port) = (support::subject(), port());
    let lab = Lab::new(&format!(
        "tacho: 1\nname: prices\nvariants:\n  - {{name: a, kind: exec, command: '{} --port {port} --answer events'}}\nsubject: {{ready: {{http: /health}}}}\nrequests: [{{path: /prices, events: 4}}]\nphases: [{{cold: {{requests: 3}}}}, {{closed: {{requests: 20, connections: 4}}}}]\nlaunches: 1\nrest: 0ms\n",
        subject.display()
    ));
    let told = lab.run(&[]);
    let results = lab.json("results.json");
    let metrics = results["cells"][0]["metrics"].as_array().unwrap();
    let value = |id: &str| {
        let metric = metrics.iter().find(|metric| metric["id"] == id).unwrap();
        metric["estimate"]["value"].as_f64().unwrap()
    };
    assert!(value("closed.response_p50_ms") >= 20.0, "{told:#?}");
    let requests = &lab.json("plan.json")["requests"][0];
    assert_eq!(requests["closes"], true, "{requests:#}");
}
