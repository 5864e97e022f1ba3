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

/// Without `ready`: its port is asked, since a server of gRPC need not answer a GET.
#[test]
fn an_experiment_may_call_methods_of_grpc() {
    let subject = support::subject().with_file_name("grpc_subject");
    let lab = |requests: &str| {
        let lab = Lab::new(&format!(
            "tacho: 1\nname: orders\nvariants:\n  - {{name: a, kind: exec, command: '{} --port {}'}}\n{requests}phases: [{{cold: {{requests: 3}}}}, {{closed: {{requests: 40, connections: 4}}}}]\nlaunches: 1\nrest: 0ms\n",
            subject.display(),
            port()
        ));
        let proto = "syntax = \"proto3\"; package shop.v1; message Asked { string id = 1; } service Orders { rpc Get (Asked) returns (Asked); }";
        std::fs::write(lab.path().join("orders.proto"), proto).unwrap();
        lab
    };
    let said = lab(
        "requests: [{call: shop.v1.Orders/Get, proto: orders.proto, message: '{\"id\": \"C-17\"}'}]\n",
    );
    let typed = lab("");
    let proto = typed.path().join("orders.proto");
    let by_flags = [
        "--call",
        "shop.v1.Orders/Get={\"id\": \"C-17\"}",
        "--proto",
        proto.to_str().unwrap(),
    ];
    let mut sums = Vec::new();
    for (lab, flags) in [(&said, &[][..]), (&typed, &by_flags[..])] {
        let told = lab.run(flags);
        let launch = &lab.launches()[0];
        for (phase, requests) in [(0, 3), (1, 40)] {
            assert_eq!(launch["phases"][phase]["succeeded"], requests, "{told:#?}");
        }
        let sent = &lab.json("plan.json")["requests"][0];
        assert_eq!(sent["name"], "shop.v1.Orders/Get", "{sent:#}");
        sums.push(sent["sha256"].clone());
    }
    assert_eq!(sums[0], sums[1]);
}

/// It speaks no HTTP besides, greets whoever comes, and says back what it is told.
#[test]
fn an_experiment_may_send_messages_over_websockets() {
    let subject = support::subject().with_file_name("websocket_subject");
    let lab = Lab::new(&format!(
        "tacho: 1\nname: quotes\nvariants:\n  - {{name: a, kind: exec, command: '{} --port {}'}}\nrequests: [{{websocket: '/quotes?of=EUR', greeting: 1, template: '{{\"id\": {{{{counter}}}}}}'}}]\nphases: [{{cold: {{requests: 3}}}}, {{closed: {{requests: 40, connections: 4}}}}]\nlaunches: 1\nrest: 0ms\n",
        subject.display(),
        port()
    ));
    let told = lab.run(&[]);
    let launch = &lab.launches()[0];
    for (phase, messages) in [(0, 3), (1, 40)] {
        assert_eq!(launch["phases"][phase]["succeeded"], messages, "{told:#?}");
    }
    let sent = &lab.json("plan.json")["requests"][0];
    assert_eq!(sent["name"], "message to /quotes", "{sent:#}");
    // It says only that one closes its connection.
    assert!(sent.get("closes").is_none(), "{sent:#}");
}
