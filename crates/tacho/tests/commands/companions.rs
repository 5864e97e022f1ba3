//! What the experiment starts beside the subject, with the real program: a stub that the subject
//! calls for each of its answers.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Lab, Told, groups_of, is_loaded, port, signal, subject, tacho};

const SECRET: &str = "correct-horse-battery-staple";

/// A subject that calls a stub, and the stub; `more` are keys of the companion.
fn lab(stub: u16, options: &str, more: &str) -> Lab {
    let companion = format!("{} --port {stub} {options}", subject().display());
    with_companion(stub, &format!("command: '{companion}', port: {stub}{more}"))
}

fn with_companion(stub: u16, keys: &str) -> Lab {
    called("stub", stub, keys)
}

fn called(name: &str, stub: u16, keys: &str) -> Lab {
    Lab::scripted(
        &[("a", &format!("--port {} --calls {stub}", port()))],
        &format!("companions: [{{name: {name}, {keys}}}]\n"),
    )
}

/// Whether a process runs whose command says `--port PORT`.
fn is_there(port: u16) -> bool {
    let wanted = format!("--port\0{port}\0");
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|line| String::from_utf8_lossy(&line).contains(&wanted))
}

/// A minute is not a measurement; it turns a hang into an error.
#[track_caller]
fn wait(what: &str, until: impl Fn() -> bool) {
    let began = Instant::now();
    while !until() {
        assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => files_below(&path),
            false => vec![path],
        })
        .collect()
}

fn states(lab: &Lab) -> Vec<String> {
    let state =
        |launch: &serde_json::Value| launch["outcome"]["state"].as_str().unwrap().to_owned();
    lab.launches().iter().map(state).collect()
}

fn evidence(lab: &Lab, rule: &str) -> serde_json::Value {
    let results = lab.json("results.json");
    let all = results["certificate"]["evidence"].as_array().unwrap();
    let found = all.iter().find(|e| e["rule"] == rule);
    found.unwrap_or_else(|| panic!("{all:#?}")).clone()
}

#[test]
fn it_is_there_for_the_subject_its_part_is_told_and_it_goes_with_the_run() {
    let stub = port();
    let command = format!("{} --port {stub} --work 30", subject().display());
    let keys =
        format!("command: '{command}', port: {stub}, environment: {{STUB_PASSWORD: {SECRET}}}");
    // Other tests have companions at the same time: its control groups are told by its name.
    let lab = called("alone", stub, &keys);
    let told = lab.run(&[]);
    assert!(!is_there(stub), "{told:#?}");
    assert_eq!(groups_of("companion-alone"), Vec::<String>::new());
    // The subject fails without it.
    assert_eq!(states(&lab), ["completed", "completed"], "{told:#?}");
    for launch in lab.launches() {
        let [companion] = launch["companions"].as_array().unwrap().as_slice() else {
            panic!("{launch:#}");
        };
        assert_eq!(
            (&companion["name"], &companion["starts"]),
            (&"alone".into(), &1.into())
        );
        assert!(companion["cpu_s"].as_f64().unwrap() > 0.0, "{companion:#}");
        assert!(
            companion["ready_ms"].as_f64().unwrap() > 0.0,
            "{companion:#}"
        );
        let phases = launch["phases"].as_array().unwrap();
        let of = |phase: &serde_json::Value| phase["processors"]["companions_cpu_s"].as_f64();
        assert!(
            phases.iter().filter_map(of).sum::<f64>() > 0.0,
            "{phases:#?}"
        );
        assert!(
            phases
                .iter()
                .all(|phase| phase["errors"] == serde_json::json!({}))
        );
        let log = std::fs::read_to_string(lab.run_folder().join("companions/alone.txt"));
        assert!(log.unwrap().contains(&format!("listening on {stub}")));
    }
    assert_eq!(evidence(&lab, "companions-lost")["state"], "valid");
    for file in files_below(&lab.run_folder()) {
        let text = std::fs::read(&file).unwrap();
        let text = String::from_utf8_lossy(&text);
        assert!(!text.contains(SECRET), "{}", file.display());
    }
}

#[test]
fn a_fresh_one_belongs_to_its_launch() {
    let stub = port();
    let lab = lab(stub, "", ", fresh: true");
    let told = lab.run(&[]);
    assert!(!is_there(stub));
    assert_eq!(states(&lab), ["completed", "completed"], "{told:#?}");
    let launches = lab.launches();
    let starts: Vec<_> = launches
        .iter()
        .map(|l| &l["companions"][0]["starts"])
        .collect();
    assert_eq!(starts, [1, 2]);
    let files = files_below(&lab.run_folder().join("launches"));
    let logs = files
        .iter()
        .filter(|file| file.ends_with("companion-stub.txt"));
    for log in logs.clone() {
        let text = std::fs::read_to_string(log).unwrap();
        assert_eq!(text.matches("listening on").count(), 1, "{text}");
    }
    assert_eq!(logs.count(), 2);
    assert!(!lab.run_folder().join("companions").exists());
}

/// In the second launch: the first asks it 203 times.
#[test]
fn a_launch_in_which_it_dies_is_invalid_and_the_next_has_it_again() {
    let stub = port();
    let lab = lab(stub, "--exit-after 250", "");
    let told = lab.run(&["--launches", "3"]);
    assert!(!is_there(stub));
    assert_eq!(
        states(&lab),
        ["completed", "invalid", "completed"],
        "{told:#?}"
    );
    let said = "companion stub ended by itself with exit code 3 in phase `closed`";
    let second = &lab.launches()[1];
    let reason = second["outcome"]["reason"].as_str().unwrap();
    assert!(reason.starts_with(said), "{reason}");
    assert!(reason.contains("ended with: that is enough"), "{reason}");
    assert_eq!(lab.launches()[2]["companions"][0]["starts"], 2);
    let lost = evidence(&lab, "companions-lost");
    assert_eq!(
        (&lost["state"], &lost["launches"]),
        (&"degraded".into(), &serde_json::json!([2]))
    );
    told.says("1 of 3 launches lost a companion that they needed");
}

#[test]
fn one_that_is_never_ready_ends_the_run_with_what_it_said() {
    let stub = port();
    let lab = lab(stub, "--delay-ms 600000", ", ready: {timeout: 500ms}");
    lab.run(&[])
        .exits(3)
        .says("companion stub: it was not ready after 0.5 s: it listens on no port")
        .says("Its output ended with\nscripted subject begins")
        .says("companions/stub.txt");
    assert!(!is_there(stub));
    assert_eq!(lab.launches(), Vec::<serde_json::Value>::new());
}

#[test]
fn one_that_ends_at_once_or_cannot_be_started_is_told_so() {
    let stub = port();
    lab(stub, "--exit-ms 1", "")
        .run(&[])
        .exits(3)
        .says("companion stub: it ended by itself with exit code 7 before it was ready")
        .says("nothing to do, good bye");
    with_companion(stub, "command: no-such-program-anywhere")
        .run(&[])
        .exits(3)
        .says("companion stub: there is no program `no-such-program-anywhere`");
}

/// A shell with two of them; one is ready by what it writes, and nothing has to listen.
fn wrapped(first: u16, second: u16, more: &str) -> Lab {
    let subject = subject();
    let subject = subject.display();
    let script = format!("{subject} --port {first} & {subject} --port {second}; wait");
    with_companion(
        first,
        &format!("command: [sh, -c, '{script}'], ready: {{log: listening on {first}}}{more}"),
    )
}

/// Lets a run begin, and ends Tacho by a signal.
fn ended_by(lab: &Lab, by: Signal) -> Told {
    let phases = ["--launches", "50"];
    let mut command = lab.command(&phases);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().unwrap();
    wait("requests", || is_loaded(lab.path()));
    signal(&child, by);
    Told::of(&child.wait_with_output().unwrap())
}

#[test]
fn ctrl_c_ends_all_of_it() {
    for more in ["", ", fresh: true"] {
        let (first, second) = (port(), port());
        let lab = wrapped(first, second, more);
        ended_by(&lab, Signal::INT).exits(130);
        assert!(!is_there(first) && !is_there(second), "{more}");
    }
}

/// `kill -9`: the next command finds what is left.
#[test]
fn a_tacho_that_is_killed_leaves_none_to_the_next_command() {
    let (first, second) = (port(), port());
    let lab = wrapped(first, second, "");
    ended_by(&lab, Signal::KILL);
    let next = tacho().args(["schema", "run"]).output().unwrap();
    assert!(next.status.success(), "{next:?}");
    assert!(!is_there(first) && !is_there(second), "{next:?}");
}

#[test]
fn nothing_else_is_ended() {
    let stub = port();
    let lab = lab(stub, "", "");
    // Of the same name, and started by somebody else.
    let other = port();
    let mut stranger = std::process::Command::new(subject())
        .args(["--port", &other.to_string()])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    lab.run(&["--launches", "1"]);
    assert!(!is_there(stub));
    assert!(stranger.try_wait().unwrap().is_none());
    // Nor one that has its port.
    let companion = format!(
        "command: '{} --port {other}', port: {other}",
        subject().display()
    );
    wait("the stranger listens", || {
        std::net::TcpStream::connect(("127.0.0.1", other)).is_ok()
    });
    with_companion(other, &companion)
        .run(&[])
        .exits(3)
        .says(&format!("companion stub: port {other} is taken by"));
    assert!(stranger.try_wait().unwrap().is_none());
    stranger.kill().unwrap();
    stranger.wait().unwrap();
}

#[test]
fn a_dry_run_shows_it_and_no_secret() {
    let stub = port();
    let lab = lab(stub, &format!("--password {SECRET}"), "");
    let told = lab.run(&["--dry-run"]).exits(0).says(&format!(
        "note: companion stub: started before the first launch and ended after the last; ready when it takes connections on port {stub}, within 60 s: "
    ));
    assert!(told.out.contains("--password"), "{told:#?}");
    assert!(
        !told.out.contains(SECRET) && !told.err.contains(SECRET),
        "{told:#?}"
    );
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn a_duet_has_none() {
    let (stub, text) = (port(), "--duet");
    let lab = lab(stub, "", "");
    lab.run(&[text, "--aa"])
        .exits(2)
        .says("companions run on the processors of both sides of a duet");
    assert!(!is_there(stub));
}

/// Without its configuration there is no service, not even for a training.
const NEEDS_A_STUB: &str = r#"
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

public class Main {
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]), stub = Integer.parseInt(arguments[1]);
        ask(stub);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 100);
        server.createContext("/", exchange -> {
            byte[] answer = ask(stub);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    static byte[] ask(int port) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", port)) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: stub\r\n\r\n".getBytes());
            byte[] answer = new byte[64];
            int read = socket.getInputStream().read(answer);
            return java.util.Arrays.copyOf(answer, read);
        }
    }
}
"#;

#[test]
fn launches_that_train_or_diagnose_have_it_too() {
    let (own, stub) = (port(), port());
    let lab = Lab::new(&format!(
        "tacho: 1\nname: needs\nsubject: {{artifact: app.jar, port: {own}, arguments: ['{own}', '{stub}']}}\nvariants: [cds]\nrequests: [GET /x]\nphases: [{{cold: {{requests: 3}}}}]\nlaunches: 1\nrest: 0ms\ndiagnose: memory\ncompanions: [{{name: stub, command: '{} --port {stub}', port: {stub}, fresh: true}}]\n",
        subject().display()
    ));
    let tool = |tool: &str, arguments: &str| {
        let mut command = tacho_test_jdks::newest().tool(tool);
        command.current_dir(lab.path()).args(arguments.split(' '));
        assert!(command.status().unwrap().success(), "{command:?}");
    };
    std::fs::write(lab.path().join("Main.java"), NEEDS_A_STUB).unwrap();
    tool("javac", "--release 17 -d classes Main.java");
    tool(
        "jar",
        "--create --file app.jar --main-class Main -C classes .",
    );
    let told = lab.run(&[]);
    assert!(!is_there(stub));
    let folder = lab.run_folder();
    let files = files_below(&folder);
    let logs = files
        .iter()
        .filter(|file| file.ends_with("companion-stub.txt"));
    let of: Vec<_> = logs
        .map(|log| log.strip_prefix(&folder).unwrap().iter().next().unwrap())
        .collect();
    for kind in ["build", "launches", "diagnosis"] {
        assert!(of.iter().any(|part| *part == kind), "{of:?} {told:#?}");
    }
    let succeeded = &lab.launches()[0]["phases"][0]["succeeded"];
    assert_eq!(*succeeded, 3, "{told:#?}");
}
