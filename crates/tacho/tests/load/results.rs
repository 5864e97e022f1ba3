//! What is said of a load: JSON, files of every format, exit codes.

use crate::command::Load;
use crate::server::{ok, url};
use crate::support::{Told, tacho};
use serde_json::Value;
use std::time::Duration;
use tacho_load::testkit::{Act, TestServer};

#[test]
fn a_rate_gives_the_json_that_scripts_lean_on() {
    let server = ok();
    let report = Load::json("--rate 200 --duration 1s --connections 4")
        .with(url(&server, "/ping?x=1"))
        .run()
        .json();
    assert_eq!(report["requests"], 200);
    assert_eq!(report["outcomes"]["2xx"]["count"], 200);
    assert_eq!(report["intended_rate"], 200.0);
    for time in ["response_time_ms", "service_time_ms", "dispatch_delay_ms"] {
        for key in ["min", "mean", "p50", "p90", "p95", "p99", "p99_9", "max"] {
            assert!(report[time][key].is_number(), "{time} {key}");
        }
    }
    assert!(report["duration_s"].as_f64().unwrap() > 0.9);
    assert!(report["rate"].is_number() && report["certificate"]["state"].is_string());
}

#[test]
fn a_check_that_fails_has_its_exit_code_and_its_junit() {
    let server = TestServer::start(|_| vec![Act::Wait(Duration::from_millis(30)), Act::ok("ok")]);
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("load.xml");
    let told = Load::new("--closed -c 1 -n 5 -q --check max<10ms --check errors<1% --junit")
        .with(&junit)
        .with(url(&server, "/"))
        .run();
    // Of a result that is invalid, because others took the processor meanwhile, no check is
    // believed.
    let stolen = told.out.contains("✗ steal");
    told.exits(if stolen { 3 } else { 1 });
    let xml = std::fs::read_to_string(junit).unwrap();
    assert!(
        xml.contains("max&lt;10ms") && !xml.contains("failures=\"0\""),
        "{xml}"
    );
}

#[test]
fn a_subject_that_is_not_there_is_an_invalid_result() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let told = Load::json("--rate 50 --duration 300ms")
        .with(format!("http://{nobody}/"))
        .run()
        .exits(3);
    let report = told.json();
    assert_eq!(report["outcomes"]["refused"]["count"], report["requests"]);
    assert_eq!(report["certificate"]["state"], "invalid");
}

/// Who measures a redirect to a login measures no service.
#[test]
fn redirects_that_nobody_expects_are_told_by_the_certificate() {
    let server = TestServer::start(|request| match request.head.contains("/login") {
        true => vec![Act::ok("who are you?")],
        false => vec![Act::Send(
            b"HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n".to_vec(),
        )],
    });
    let told = |options: &str| {
        let options = format!("--closed -c 1 -n 20 {options}");
        let report = Load::json(&options).with(url(&server, "/")).run().json();
        let evidence = report["certificate"]["evidence"].as_array().unwrap();
        let mut source = evidence.iter().filter(|it| it["what"] == "source");
        let source = source.next().cloned();
        source.map(|it| (it["state"].to_string(), it["text"].to_string()))
    };
    let (state, statement) = told("").unwrap();
    assert_eq!(state, "\"degraded\"");
    assert!(
        statement.contains("20 of 20 answers were redirects"),
        "{statement}"
    );
    for meant in ["--follow", "--expect status=302"] {
        assert_eq!(told(meant), None, "{meant}");
    }
}

#[test]
fn phases_of_a_file_and_every_output_format() {
    let server = ok();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    std::fs::write(
        file("phases.yaml"),
        "phases:\n  - cold: {requests: 3}\n  - ramp: {from: 50, to: 150, duration: 1s, connections: 4}\n  - rest: 50ms\n  - steps: {rates: [50, 100], each: 500ms}\n",
    )
    .unwrap();
    let told = Load::new("-q --phases phases.yaml --json o.json --csv o.csv --hlog o.hlog")
        .and("--prometheus o.prom --markdown o.md --out kept")
        .with(url(&server, "/"))
        .current_dir(folder.path())
        .run();
    assert!(matches!(told.code, Some(0 | 3)), "{told:?}");
    let read = |name: &str| std::fs::read_to_string(file(name)).unwrap();
    let report: Value = serde_json::from_str(&read("o.json")).unwrap();
    let requests: Vec<u64> = report["phases"]
        .as_array()
        .unwrap()
        .iter()
        .map(|p| p["requests"].as_u64().unwrap())
        .collect();
    assert_eq!(requests, [3, 100, 0, 75]);
    assert!(read("o.csv").starts_with("second,") && read("o.hlog").starts_with('#'));
    assert!(read("o.prom").contains("tacho_load_requests_total") && read("o.md").contains("p99"));
    assert!(file("kept/requests.csv").exists());
    let summary = told.out;
    assert!(
        summary.contains("response time")
            && summary.lines().all(|line| line.chars().count() <= 100),
        "{summary}"
    );
}

#[test]
fn the_schema_of_the_json_is_printed() {
    let told = Told::of(&tacho().args(["schema", "load"]).output().unwrap());
    assert!(told.json()["properties"]["response_time_ms"].is_object());
}

/// A Prometheus asks while it goes on.
#[test]
fn figures_can_be_scraped_while_it_goes_on() {
    use std::io::{BufRead, BufReader, Read, Write};
    use std::net::TcpStream;

    let server = ok();
    let mut load = crate::support::tacho();
    load.args(["load", "--rate", "200", "--duration", "60s", "--quiet"])
        .args(["--prometheus-at", "127.0.0.1:0", &url(&server, "/")])
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::piped());
    let mut child = load.spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let told = lines
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("http://")?.1.to_owned()))
        .unwrap();
    let address = told.trim_end_matches("/metrics").to_owned();
    let scrape = || {
        let mut stream = TcpStream::connect(&address).unwrap();
        stream
            .write_all(b"GET /metrics HTTP/1.1\r\nhost: here\r\n\r\n")
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        let line = text
            .lines()
            .find(|line| line.starts_with("tacho_load_live_succeeded_total{"))
            .unwrap_or_else(|| panic!("{text}"));
        line.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let mut last = 0.0;
    for _ in 0..3 {
        let began = std::time::Instant::now();
        let more = loop {
            let seen = scrape();
            assert!(seen >= last, "a counter fell from {last} to {seen}");
            if seen > last {
                break seen;
            }
            assert!(began.elapsed().as_secs() < 60, "nothing more ended");
            std::thread::sleep(std::time::Duration::from_millis(100));
        };
        last = more;
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// A collector of OpenTelemetry gets the end, also of a load that is shorter than its period.
#[test]
fn figures_are_sent_to_a_collector() {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    let collector = TcpListener::bind("127.0.0.1:0").unwrap();
    let at = format!("http://{}", collector.local_addr().unwrap());
    let taking = std::thread::spawn(move || {
        let (mut stream, _) = collector.accept().unwrap();
        let mut head = String::new();
        let mut byte = [0];
        while !head.ends_with("\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            head.push(byte[0] as char);
        }
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "))
            .unwrap();
        let mut body = vec![0; length.parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}")
            .unwrap();
        body
    });
    let server = ok();
    let load = || {
        Load::new("-n 20 -q --otlp")
            .with(&at)
            .with(url(&server, "/"))
            .run()
    };
    let told = load();
    let body: Value = serde_json::from_slice(&taking.join().unwrap()).unwrap();
    let metrics = &body["resourceMetrics"][0]["scopeMetrics"][0]["metrics"];
    let point = &metrics[0]["sum"]["dataPoints"][0];
    assert_eq!(point["asInt"], "20", "{body:#}");
    assert!(!told.err.contains("were not taken"), "{}", told.err);
    // Nobody listens there any more: said, and the load is what it was.
    let alone = load();
    assert!(
        alone.err.contains("it does not have the end"),
        "{}",
        alone.err
    );
}
