//! `tacho load` as scripts use it, against servers whose answers are known.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tacho_load::testkit::{Act, Seen, TestServer};

fn tacho(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tacho"));
    command
        .arg("load")
        .args(arguments)
        .env_remove("http_proxy")
        .env_remove("HTTP_PROXY")
        .env_remove("no_proxy")
        .env_remove("NO_PROXY");
    command
}

fn run(arguments: &[&str]) -> Output {
    tacho(arguments).output().unwrap()
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {output:?}");
    })
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn ok() -> TestServer {
    TestServer::start(|_| vec![Act::ok("ok")])
}

fn url(server: &TestServer, path: &str) -> String {
    format!("http://{}{path}", server.address())
}

/// A server that remembers what it was asked.
fn remembering() -> (TestServer, Arc<Mutex<Vec<Seen>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let server = TestServer::start({
        let seen = Arc::clone(&seen);
        move |request| {
            seen.lock().unwrap().push(request.clone());
            vec![Act::ok("{\"id\": 7}")]
        }
    });
    (server, seen)
}

fn first_lines(seen: &Mutex<Vec<Seen>>) -> Vec<String> {
    let seen = seen.lock().unwrap();
    seen.iter()
        .map(|s| s.head.lines().next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_rate_gives_the_json_that_scripts_lean_on() {
    let server = ok();
    let output = run(&[
        "--rate",
        "200",
        "--duration",
        "1s",
        "--connections",
        "4",
        "--json",
        "-",
        "-q",
        &url(&server, "/ping?x=1"),
    ]);
    let report = json(&output);
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
fn a_closed_loop_sends_as_many_as_it_is_told() {
    let (server, seen) = remembering();
    let output = run(&[
        "--closed",
        "--connections",
        "3",
        "--requests",
        "50",
        "--json",
        "-",
        "-q",
        &url(&server, "/"),
    ]);
    assert_eq!(json(&output)["requests"], 50);
    assert_eq!(seen.lock().unwrap().len(), 50);
    assert_eq!(server.connections(), 3);
}

#[test]
fn placeholders_feeds_headers_and_bodies_arrive() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let users = folder.path().join("users.csv");
    std::fs::write(&users, "id,name\n1,Ann\n2,Bob\n").unwrap();
    let feed = format!("users={}", users.display());
    let output = run(&[
        "--closed",
        "-c",
        "1",
        "-n",
        "4",
        "-q",
        "--json",
        "-",
        "--feed",
        &feed,
        "-H",
        "Content-Type: application/json",
        "-b",
        "{\"name\": \"{{users.name}}\", \"n\": {{counter}}}",
        "--expect",
        "json=$.id==7",
        &url(&server, "/users/{{users.id}}"),
    ]);
    assert_eq!(json(&output)["outcomes"]["2xx"]["count"], 4, "{output:?}");
    let seen = seen.lock().unwrap();
    let sent: Vec<String> = seen
        .iter()
        .map(|s| {
            format!(
                "{} {}",
                s.head.lines().next().unwrap(),
                String::from_utf8_lossy(&s.body)
            )
        })
        .collect();
    assert_eq!(
        sent,
        [
            "POST /users/1 HTTP/1.1 {\"name\": \"Ann\", \"n\": 1}",
            "POST /users/2 HTTP/1.1 {\"name\": \"Bob\", \"n\": 2}",
            "POST /users/1 HTTP/1.1 {\"name\": \"Ann\", \"n\": 3}",
            "POST /users/2 HTTP/1.1 {\"name\": \"Bob\", \"n\": 4}",
        ]
    );
}

#[test]
fn vegeta_targets_come_from_standard_input() {
    let (server, seen) = remembering();
    let mut child = tacho(&[
        "--closed",
        "-c",
        "1",
        "--targets",
        "-",
        "--check",
        "max of GET /a < 60s",
        "--format",
        "vegeta",
        "-q",
        "--json",
        "-",
        &url(&server, "/"),
    ])
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    let targets = format!(
        "GET {}\nX-A: b\n\nDELETE {}\n\nGET {}\n",
        url(&server, "/a"),
        url(&server, "/b"),
        url(&server, "/a?page=2")
    );
    child
        .stdin
        .take()
        .unwrap()
        .write_all(targets.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let report = json(&output);
    assert_eq!(report["requests"], 3, "{output:?}");
    assert_eq!(
        first_lines(&seen),
        [
            "GET /a HTTP/1.1",
            "DELETE /b HTTP/1.1",
            "GET /a?page=2 HTTP/1.1"
        ]
    );
    let kinds: Vec<(&str, u64)> = report["requests_by_kind"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| {
            (
                kind["name"].as_str().unwrap(),
                kind["requests"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(kinds, [("GET /a", 2), ("DELETE /b", 1)]);
    assert_eq!(report["checks"][0]["passed"], true, "{report}");
}

#[test]
fn kinds_of_a_stream_are_bounded() {
    let server = ok();
    let mut child = tacho(&[
        "--closed",
        "-c",
        "1",
        "--targets",
        "-",
        "--format",
        "vegeta",
        "-q",
        "--json",
        "-",
        &url(&server, "/"),
    ])
    .stdin(Stdio::piped())
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let targets: String = (0..150)
        .map(|n| format!("GET {}\n\n", url(&server, &format!("/{n}"))))
        .collect();
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(targets.as_bytes()).unwrap();
    drop(stdin);
    let report = json(&child.wait_with_output().unwrap());
    let kinds = report["requests_by_kind"].as_array().unwrap();
    assert_eq!(kinds.len(), 101);
    assert_eq!(kinds[99]["name"], "GET /99");
    assert_eq!(
        (&kinds[100]["name"], &kinds[100]["requests"]),
        (&"others".into(), &50.into())
    );
}

#[test]
fn a_file_of_targets_names_the_origin_and_is_sent_over_and_over() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("targets.txt");
    std::fs::write(
        &path,
        format!("GET {}\n\nGET {}\n", url(&server, "/a"), url(&server, "/b")),
    )
    .unwrap();
    let output = run(&[
        "--closed",
        "-c",
        "1",
        "-n",
        "3",
        "--targets",
        path.to_str().unwrap(),
        "-q",
        "--json",
        "-",
        &url(&server, "/"),
    ]);
    assert_eq!(json(&output)["requests"], 3, "{output:?}");
    assert_eq!(
        first_lines(&seen),
        ["GET /a HTTP/1.1", "GET /b HTTP/1.1", "GET /a HTTP/1.1"]
    );
}

#[test]
fn a_curl_command_needs_no_url_and_says_what_it_does_not_do() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("request.sh");
    std::fs::write(
        &path,
        format!(
            "curl -X PUT -d a=b --proxy http://p:1 '{}'\n",
            url(&server, "/x")
        ),
    )
    .unwrap();
    let output = run(&[
        "--closed",
        "-c",
        "1",
        "-n",
        "2",
        "--targets",
        path.to_str().unwrap(),
        "--format",
        "curl",
        "-q",
        "--json",
        "-",
    ]);
    assert_eq!(json(&output)["requests"], 2, "{output:?}");
    assert_eq!(first_lines(&seen), ["PUT /x HTTP/1.1", "PUT /x HTTP/1.1"]);
    assert!(stderr(&output).contains("proxy"), "{}", stderr(&output));
}

#[test]
fn a_check_that_fails_has_its_exit_code_and_its_junit() {
    let server = TestServer::start(|_| vec![Act::Wait(Duration::from_millis(30)), Act::ok("ok")]);
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("load.xml");
    let output = run(&[
        "--closed",
        "-c",
        "1",
        "-n",
        "5",
        "-q",
        "--check",
        "max<10ms",
        "--check",
        "errors<1%",
        "--junit",
        junit.to_str().unwrap(),
        &url(&server, "/"),
    ]);
    // Of a result that is invalid, because others took the processor meanwhile, no check is believed.
    let stolen = String::from_utf8_lossy(&output.stdout).contains("✗ steal");
    let expected = if stolen { 3 } else { 1 };
    assert_eq!(output.status.code(), Some(expected), "{output:?}");
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
    let output = run(&[
        "--rate",
        "50",
        "--duration",
        "300ms",
        "-q",
        "--json",
        "-",
        &format!("http://{nobody}/"),
    ]);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let report = json(&output);
    assert_eq!(report["outcomes"]["refused"]["count"], report["requests"]);
    assert_eq!(report["certificate"]["state"], "invalid");
}

#[test]
fn wrong_usage_says_what_to_do_and_sends_nothing() {
    let server = ok();
    let address = url(&server, "/");
    for (arguments, way_out) in [
        (vec![], "give a URL"),
        (vec!["localhost:80"], "http://localhost:80"),
        (vec!["--rate", "0", &address], "such as 2000"),
        (vec!["--targets", "-", &address], "--format"),
        (vec!["--check", "p99", &address], "p99<"),
        (vec!["--search", "fast", &address], "p99<50ms"),
        (vec!["--insecure", &address], "https://"),
        (vec!["-H", "X: {{users.id}}", &address], "users"),
        (
            vec!["--sine", "100,200,5s", &address],
            "between 0 and the mean",
        ),
        (
            vec!["--search", "p99<5ms", "--between", "9..3", &address],
            "the lower one first",
        ),
        (
            vec!["--rate", "5", "--think", "5ms", &address],
            "cannot be used with",
        ),
        (
            vec!["--steps", "5,9", "-n", "7", &address],
            "cannot be used with",
        ),
        (vec!["--replay", "/nonexistent", &address], "cannot read"),
        (vec!["--ca", "/nonexistent", "https://localhost:1"], "PEM"),
        (
            vec!["--rate", "5", "--closed", &address],
            "cannot be used with",
        ),
    ] {
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {output:?}");
        assert!(
            stderr(&output).contains(way_out),
            "{arguments:?}: {}",
            stderr(&output)
        );
    }
    assert_eq!(server.requests(), 0);
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
    let path = |name: &str| file(name).display().to_string();
    let output = run(&[
        "--phases",
        &path("phases.yaml"),
        "-q",
        "--json",
        &path("o.json"),
        "--csv",
        &path("o.csv"),
        "--hlog",
        &path("o.hlog"),
        "--prometheus",
        &path("o.prom"),
        "--markdown",
        &path("o.md"),
        "--out",
        &path("kept"),
        &url(&server, "/"),
    ]);
    assert!(
        output
            .status
            .code()
            .is_some_and(|code| code == 0 || code == 3),
        "{output:?}"
    );
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
    let summary = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        summary.contains("response time")
            && summary.lines().all(|line| line.chars().count() <= 100),
        "{summary}"
    );
}

#[test]
fn an_interrupted_load_reports_what_it_has() {
    let server = ok();
    let child = tacho(&[
        "--rate",
        "100",
        "--duration",
        "60s",
        "-q",
        "--json",
        "-",
        &url(&server, "/"),
    ])
    .stdout(Stdio::piped())
    .stderr(Stdio::piped())
    .spawn()
    .unwrap();
    while server.requests() < 20 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let requests = json(&output)["requests"].as_u64().unwrap();
    assert!((20..6_000).contains(&requests), "{requests}");
}

/// As timeout(1) does: its child, then the group.
#[test]
fn two_signals_at_once_are_one_wish() {
    let server = ok();
    let child = tacho(&[
        "--search",
        "p99<60s",
        "-d",
        "60s",
        "--between",
        "50..100",
        "-q",
        "--json",
        "-",
        &url(&server, "/"),
    ])
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    while server.requests() < 10 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let pid = rustix::process::Pid::from_child(&child);
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        rustix::process::kill_process(pid, signal).unwrap();
    }
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    // What was sent in the first trial of a search is reported as well.
    let report = json(&output);
    assert!(report["requests"].as_u64().unwrap() >= 10, "{report}");
    assert_eq!(report["search"]["tries"].as_array().unwrap().len(), 0);
}

#[test]
fn a_file_that_cannot_be_written_is_named_before_anything_is_sent() {
    let server = ok();
    let output = run(&[
        "-n",
        "5",
        "--json",
        "/nonexistent/load.json",
        &url(&server, "/"),
    ]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
    assert!(
        stderr(&output).contains("/nonexistent/load.json"),
        "{}",
        stderr(&output)
    );
    assert_eq!(server.requests(), 0);
}

#[test]
fn recorded_instants_are_replayed_with_their_unit() {
    let server = ok();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log.csv");
    std::fs::write(&path, "status,at\n200,1000\n200,1040\n404,1100\n").unwrap();
    let path = path.to_str().unwrap();
    let address = url(&server, "/");
    let refused = run(&["--replay", path, "--replay-column", "at", &address]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        stderr(&refused).contains("--replay-unit"),
        "{}",
        stderr(&refused)
    );
    let report = json(&run(&[
        "--replay",
        path,
        "--replay-column",
        "at",
        "--replay-unit",
        "ms",
        "-q",
        "--json",
        "-",
        &address,
    ]));
    assert_eq!(report["requests"], 3);
    assert!(report["duration_s"].as_f64().unwrap() >= 0.1, "{report}");
}

#[test]
fn a_dry_run_shows_the_plan_and_sends_nothing() {
    let server = ok();
    let output = run(&[
        "--ramp",
        "10..100",
        "--duration",
        "5s",
        "--warm-up",
        "2s",
        "--dry-run",
        &url(&server, "/a"),
    ]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        text.contains("warm-up") && text.contains("GET /a"),
        "{text}"
    );
    assert_eq!((output.status.code(), server.requests()), (Some(0), 0));
}

#[test]
fn a_proxy_of_the_environment_is_named_and_not_used() {
    let server = ok();
    let output = tacho(&["--closed", "-n", "1", "--json", "-", &url(&server, "/")])
        .env("http_proxy", "http://127.0.0.1:1")
        .output()
        .unwrap();
    let report = json(&output);
    assert_eq!(report["outcomes"]["2xx"]["count"], 1);
    let note = report["notes"][0].as_str().unwrap();
    assert!(note.contains("http_proxy is set and not used"), "{report}");
    assert!(
        stderr(&output).contains("http_proxy is set and not used"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_unix_socket_is_a_place_to_load() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("subject.sock");
    let _server = TestServer::start_unix(&socket, |_| vec![Act::ok("ok")]);
    let output = run(&[
        "--closed",
        "-n",
        "5",
        "-q",
        "--json",
        "-",
        "--unix-socket",
        socket.to_str().unwrap(),
        "http://subject/",
    ]);
    assert_eq!(json(&output)["outcomes"]["2xx"]["count"], 5, "{output:?}");
    assert!(Path::new(&socket).exists());
}

#[test]
fn the_schema_of_the_json_is_printed() {
    let output = Command::new(env!("CARGO_BIN_EXE_tacho"))
        .args(["schema", "load"])
        .output()
        .unwrap();
    assert!(json(&output)["properties"]["response_time_ms"].is_object());
}

#[test]
fn files_that_a_jmeter_plan_names_count_from_its_folder() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let address = server.address();
    std::fs::create_dir(folder.path().join("plans")).unwrap();
    std::fs::write(folder.path().join("plans/users.csv"), "ann\nbob\n").unwrap();
    std::fs::write(
        folder.path().join("plans/shop.jmx"),
        format!(
            r#"<jmeterTestPlan version="1.2"><hashTree><TestPlan testname="p"/><hashTree>
<ThreadGroup testname="users"><stringProp name="ThreadGroup.num_threads">1</stringProp>
<elementProp name="ThreadGroup.main_controller" elementType="LoopController"><stringProp name="LoopController.loops">2</stringProp></elementProp></ThreadGroup><hashTree>
<CSVDataSet testname="csv"><stringProp name="filename">users.csv</stringProp><stringProp name="variableNames">name</stringProp></CSVDataSet><hashTree/>
<HTTPSamplerProxy testname="user"><stringProp name="HTTPSampler.domain">{}</stringProp><stringProp name="HTTPSampler.port">{}</stringProp>
<stringProp name="HTTPSampler.path">/users/${{name}}</stringProp><stringProp name="HTTPSampler.method">GET</stringProp></HTTPSamplerProxy><hashTree/>
</hashTree></hashTree></hashTree></jmeterTestPlan>"#,
            address.ip(),
            address.port()
        ),
    )
    .unwrap();
    let output = tacho(&["--targets", "plans/shop.jmx", "-q", "--json", "-"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(json(&output)["requests"], 2, "{output:?}");
    assert_eq!(
        first_lines(&seen),
        ["GET /users/ann HTTP/1.1", "GET /users/bob HTTP/1.1"]
    );
}
