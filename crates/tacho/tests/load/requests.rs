//! What is sent: from the command line, from targets, from other tools' files.

use crate::command::Load;
use crate::server::{first_lines, ok, remembering, url};
use std::time::Duration;
use tacho_load::testkit::{Act, TestServer};

#[test]
fn placeholders_feeds_headers_and_bodies_arrive() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let users = folder.path().join("users.csv");
    std::fs::write(&users, "id,name\n1,Ann\n2,Bob\n").unwrap();
    let told = Load::json("--closed -c 1 -n 4 --expect json=$.id==7 --feed")
        .with(format!("users={}", users.display()))
        .and("-H")
        .with("Content-Type: application/json")
        .and("-b")
        .with("{\"name\": \"{{users.name}}\", \"n\": {{counter}}}")
        .with(url(&server, "/users/{{users.id}}"))
        .run();
    assert_eq!(told.json()["outcomes"]["2xx"]["count"], 4, "{told:?}");
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
    let targets = format!(
        "GET {}\nX-A: b\n\nDELETE {}\n\nGET {}\n",
        url(&server, "/a"),
        url(&server, "/b"),
        url(&server, "/a?page=2")
    );
    let told = Load::json("--closed -c 1 -d 10m --targets - --format vegeta --check")
        .with("max of GET /a < 60s")
        .with(url(&server, "/"))
        .fed(&targets);
    let report = told.json();
    assert_eq!(report["requests"], 3, "{told:?}");
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
    let targets: String = (0..150)
        .map(|n| format!("GET {}\n\n", url(&server, &format!("/{n}"))))
        .collect();
    let report = Load::json("--closed -c 1 -d 10m --targets - --format vegeta")
        .with(url(&server, "/"))
        .fed(&targets)
        .json();
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
    let told = Load::json("--closed -c 1 -n 3 --targets")
        .with(&path)
        .with(url(&server, "/"))
        .run();
    assert_eq!(told.json()["requests"], 3, "{told:?}");
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
    let told = Load::json("--closed -c 1 -n 2 --format curl --targets")
        .with(&path)
        .run();
    assert_eq!(told.json()["requests"], 2, "{told:?}");
    assert_eq!(first_lines(&seen), ["PUT /x HTTP/1.1", "PUT /x HTTP/1.1"]);
    assert!(told.err.contains("proxy"), "{}", told.err);
}

#[test]
fn a_curl_command_says_how_long_it_waits_unless_a_flag_does() {
    let server = TestServer::start(|_| vec![Act::Wait(Duration::from_secs(2)), Act::ok("late")]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("request.sh");
    std::fs::write(&path, format!("curl -m 0.1 {}\n", url(&server, "/x"))).unwrap();
    for (flag, outcome) in [("", "timeout"), ("--timeout 60s", "2xx")] {
        let command = Load::json("--closed -c 1 -n 1 --format curl").and(flag);
        let told = command.and("--targets").with(&path).run();
        assert_eq!(told.json()["outcomes"][outcome]["count"], 1, "{told:?}");
    }
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
    let told = Load::json("--targets plans/shop.jmx")
        .current_dir(folder.path())
        .run();
    assert_eq!(told.json()["requests"], 2, "{told:?}");
    assert_eq!(
        first_lines(&seen),
        ["GET /users/ann HTTP/1.1", "GET /users/bob HTTP/1.1"]
    );
}

#[test]
fn a_postman_collection_has_its_values_from_files_and_shows_none_that_is_secret() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "shop.json",
        r#"{"info": {"name": "Shop"}, "item": [
            {"name": "Orders", "item": [{"name": "One", "request": {"url": "{{base}}/orders/{{id}}"}}]},
            {"name": "Pay", "request": {"method": "POST", "url": "{{base}}/pay/{{card}}"}}],
            "auth": {"type": "apikey", "apikey": {"key": "k", "value": "{{key}}", "in": "query"}}}"#,
    );
    write(
        "qa.json",
        r#"{"values": [{"key": "key", "value": "s3cr3t-of-postman", "type": "secret"}]}"#,
    );
    write("hand.json", r#"{"id": 7, "key": "hidden by the first"}"#);
    let told = Load::json("--closed -c 1 -n 2 --targets shop.json --environment qa.json")
        .and("--environment hand.json")
        .with(url(&server, "/"))
        .current_dir(folder.path())
        .run();
    let report = told.json();
    assert_eq!(report["requests"], 2, "{told:?}");
    assert_eq!(
        report["requests_by_kind"][0]["name"], "Orders / One",
        "{told:?}"
    );
    let line = "GET /orders/7?k=s3cr3t-of-postman HTTP/1.1";
    assert_eq!(first_lines(&seen), [line, line]);
    assert!(
        told.err.contains("Pay: left out: `card` has no value"),
        "{}",
        told.err
    );
    assert!(
        !format!("{told:?}").contains("s3cr3t-of-postman"),
        "{told:?}"
    );
}

#[test]
fn a_unix_socket_is_a_place_to_load() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("subject.sock");
    let _server = TestServer::start_unix(&socket, |_| vec![Act::ok("ok")]);
    let told = Load::json("--closed -n 5 --unix-socket")
        .with(&socket)
        .with("http://subject/")
        .run();
    assert_eq!(told.json()["outcomes"]["2xx"]["count"], 5, "{told:?}");
    assert!(socket.exists());
}
