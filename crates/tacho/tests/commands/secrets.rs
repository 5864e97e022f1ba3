//! No secret of an experiment stands in anything that Tacho writes or prints.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Lab, Told, files, port, subject, tacho};

/// In every secret, so that one search finds them all.
const MARK: &str = "hunter2";

/// A secret that can be told from the others.
fn secret(of: &str) -> String {
    format!("{MARK}-{of}-Zq9")
}

/// Lines of files in which a secret stands.
fn leaks(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for file in files(folder) {
        let bytes = std::fs::read(&file).unwrap();
        for line in String::from_utf8_lossy(&bytes).lines() {
            if let Some(at) = line.find(MARK) {
                let from = line[..at]
                    .char_indices()
                    .rev()
                    .nth(60)
                    .map_or(0, |(i, _)| i);
                let context: String = line[from..].chars().take(100).collect();
                found.push(format!("{}: {context}", file.display()));
            }
        }
    }
    found
}

#[track_caller]
fn tells_nothing(told: &Told) {
    assert!(!told.out.contains(MARK), "{}", told.out);
    assert!(!told.err.contains(MARK), "{}", told.err);
}

/// With a secret in every place where one can stand.
fn lab() -> Lab {
    let s = secret;
    let port = port();
    Lab::new(&format!(
        r#"tacho: 1
name: secretive
mask: [licence, X-Tenant]
subject:
  ready: {{http: /health}}
  port: {port}
  environment:
    DB_PASSWORD: {environment}
    API_KEY: '{key}'
    ACME_LICENCE: "{licence}"
    AMQP_URL: amqp://guest:{amqp}@localhost/
    SPRING_DATASOURCE_URL: jdbc:postgresql://localhost/shop?user=me&password={jdbc}&ssl=true
    SERVICE_TOKEN: |
      {block}
variants:
  - name: open
    kind: exec
    command: [{subject}, --port, '{port}', --db-password, {word}, --api-token={joined}, -Dmy.secret={property}]
    environment: {{OTHER_CREDENTIALS: {flow}, MONKEY: business}}
  - name: closed
    kind: exec
    command: '{subject} --port 1 --exit-ms 20 --keystore-password {line} --url http://u:{url}@h/'
requests:
  - path: /ping?access_token={query}
    headers: {{Authorization: Bearer {bearer}, Cookie: sid={cookie}, x-api-key: {header}, X-Tenant: {tenant}}}
  - name: sends
    method: POST
    path: /orders
    headers: {{Proxy-Authorization: Basic {basic}}}
    body: '{{"user": "me", "password": "{body}"}}'
phases:
  - cold: {{requests: 4}}
  - closed: {{requests: 50, connections: 2}}
launches: 1
rest: 0ms
seed: 1
# DB_PASSWORD: {comment}
"#,
        subject = subject().display(),
        environment = s("environment"),
        key = s("key"),
        licence = s("licence"),
        amqp = s("amqp"),
        jdbc = s("jdbc"),
        block = s("block"),
        word = s("word"),
        joined = s("joined"),
        property = s("property"),
        flow = s("flow"),
        line = s("line"),
        url = s("url"),
        query = s("query"),
        bearer = s("bearer"),
        cookie = s("cookie"),
        header = s("header"),
        tenant = s("tenant"),
        basic = s("basic"),
        body = s("body"),
        comment = s("comment"),
    ))
}

#[test]
fn no_secret_of_a_run_is_written_or_printed() {
    let lab = lab();
    let more = ["--junit", "runs/junit.xml", "--markdown", "runs/summary.md"];
    std::fs::create_dir(lab.path().join("runs")).unwrap();
    let told = Told::of(&lab.command(&more).output().unwrap()).exits(3);
    assert_eq!(leaks(&lab.path().join("runs")), Vec::<String>::new());
    tells_nothing(&told);

    // The true values were used: the subject that needs them came up, and what was said stays to be
    // read.
    let folder = std::fs::read_dir(lab.path().join("runs")).unwrap();
    let folder = folder
        .map(|e| e.unwrap().path())
        .find(|p| p.is_dir())
        .unwrap();
    let variant = std::fs::read_to_string(folder.join("variants/open.json")).unwrap();
    assert!(
        variant.contains("--db-password") && variant.contains("\"MONKEY\": \"business\""),
        "{variant}"
    );
    let copy = std::fs::read_to_string(folder.join("experiment.yaml")).unwrap();
    assert!(
        copy.contains("DB_PASSWORD: '***'") && copy.contains("name: secretive"),
        "{copy}"
    );

    // Everything is analysed again from what was written.
    let again = tacho()
        .arg("report")
        .arg(&folder)
        .args(["--json", "-"])
        .output()
        .unwrap();
    let told = Told::of(&again);
    assert!(
        told.json()["cells"]
            .as_array()
            .is_some_and(|cells| cells.len() == 2),
        "{told:#?}"
    );
    tells_nothing(&told);
    assert_eq!(leaks(&folder), Vec::<String>::new());
}

#[test]
fn the_subject_gets_the_true_values() {
    let port = port();
    let lab = Lab::new(&format!(
        "tacho: 1\nname: true\nvariants:\n  - name: a\n    kind: exec\n    environment: {{DB_PASSWORD: {}}}\n    command: [sh, -c, 'test $DB_PASSWORD = {} && exec {} --port {port}']\nrequests: [GET /ping]\nphases: [{{cold: {{requests: 2}}}}]\nlaunches: 1\nrest: 0ms\n",
        secret("true"),
        secret("true"),
        subject().display()
    ));
    lab.run(&[]);
    assert_eq!(lab.launches()[0]["outcome"]["state"], "completed");
}

#[test]
fn a_broken_experiment_does_not_echo_a_secret() {
    let lab = Lab::new(&format!(
        "tacho: 1\nsubject: {{environment: {{DB_PASSWORD: [{}]}}}}\nvariants: [{{name: a, kind: exec, command: 'x --password {}\n",
        secret("list"),
        secret("broken")
    ));
    let told = lab.run(&[]).exits(2);
    tells_nothing(&told);
}

#[test]
fn nobody_else_may_look_into_a_run_folder() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    // Whatever the umask is.
    let mut command = Command::new("sh");
    command
        .args(["-c", "umask 000; exec \"$0\" \"$@\""])
        .arg(assert_cmd::cargo::cargo_bin("tacho"))
        .args(["run", "experiment.yaml", "--launches", "1"])
        .current_dir(lab.path());
    command.output().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let runs = lab.path().join("runs");
    assert_eq!(mode(&runs), 0o700);
    let open = |path: &PathBuf| mode(path) & 0o077 != 0;
    let mut open: Vec<_> = files(&runs).into_iter().filter(open).collect();
    let folders = Command::new("find")
        .arg(&runs)
        .args(["-type", "d", "-perm", "/077"])
        .output()
        .unwrap();
    open.extend(
        String::from_utf8_lossy(&folders.stdout)
            .lines()
            .map(PathBuf::from),
    );
    assert_eq!(open, Vec::<PathBuf>::new());
}

#[test]
fn a_load_tells_no_secret() {
    let lab = Lab::scripted(&[], "");
    let port = port();
    let mut server = Command::new(subject())
        .args(["--port", &port.to_string()])
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let out = lab.path().join("out");
    std::fs::create_dir(&out).unwrap();
    let file = |name: &str| out.join(name).display().to_string();
    let output = tacho()
        .current_dir(lab.path())
        .args([
            "load",
            &format!("http://127.0.0.1:{port}/ping?api_key={}", secret("query")),
        ])
        .args(["-H", &format!("Authorization: Bearer {}", secret("bearer"))])
        .args([
            "-H",
            &format!("X-Tenant: {}", secret("tenant")),
            "--mask",
            "x-tenant",
        ])
        .args([
            "-n",
            "20",
            "-c",
            "2",
            "--out",
            &file("engine"),
            "--json",
            &file("j"),
            "--csv",
            &file("c"),
            "--markdown",
            &file("m"),
            "--junit",
            &file("x"),
            "--prometheus",
            &file("p"),
            "--hlog",
            &file("h"),
        ])
        .output();
    let curl = lab.path().join("targets.curl");
    std::fs::write(&curl, format!("curl -u me:{} --unknown-thing {} -H 'X-Auth-Token: {}' 'http://127.0.0.1:{port}/ping?password={}'\n", secret("user"), secret("odd"), secret("header"), secret("in-url"))).unwrap();
    let imported = tacho()
        .current_dir(lab.path())
        .args(["load", "--targets"])
        .arg(&curl)
        .args(["-n", "20", "-c", "2", "--json", &file("imported")])
        .output();
    let _ = server.kill();
    let _ = server.wait();
    let told = Told::of(&output.unwrap());
    assert!(out.join("j").exists(), "{told:#?}");
    tells_nothing(&told);
    let told = Told::of(&imported.unwrap());
    assert!(
        !told.err.contains(&secret("user"))
            && !told.err.contains(&secret("header"))
            && !told.err.contains(&secret("in-url")),
        "{told:#?}"
    );
    assert_eq!(leaks(&out), Vec::<String>::new());
}
