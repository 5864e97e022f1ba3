//! Signals and terminals that go away: Tacho stops in order, writes what there is, and leaves
//! nothing on.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rustix::process::Signal;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use support::{Lab, Told, groups_of, hearing_hangups, port, signal, tacho};
use tempfile::TempDir;

/// Guards against a hang, no more.
const PATIENCE: Duration = Duration::from_secs(120);
/// Of the 6 s that a phase lasts. Only then is its median late by the stop: what is due after it is
/// answered at once.
const TWO_THIRDS_OF_THE_PHASE: Duration = Duration::from_secs(4);

/// Answers everything with nothing, and counts.
struct Server {
    port: u16,
    answered: Arc<AtomicUsize>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let answered = Arc::new(AtomicUsize::new(0));
        let count = answered.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let count = count.clone();
                std::thread::spawn(move || {
                    let mut stream = stream;
                    let mut bytes = [0; 4096];
                    while stream.read(&mut bytes).is_ok_and(|read| read > 0) {
                        count.fetch_add(1, Ordering::SeqCst);
                        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
                        if stream.write_all(answer).is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Self { port, answered }
    }

    fn url(&self) -> String {
        format!("http://127.0.0.1:{}/", self.port)
    }

    fn wait_for(&self, requests: usize) {
        eventually("requests", || {
            self.answered.load(Ordering::SeqCst) >= requests
        });
    }
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "no {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// A load that would take an hour.
fn long_load(server: &Server, json: &Path) -> Command {
    let mut command = tacho();
    command
        .args(["load", "--rate", "50", "--duration", "1h", "--json"])
        .arg(json)
        .arg(server.url());
    command
}

fn piped(mut command: Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn requests_in(json: &Path) -> u64 {
    let bytes = std::fs::read(json).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    report["requests"].as_u64().unwrap()
}

#[test]
fn a_hangup_ends_a_load_in_order_and_its_result_is_written() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let json = folder.path().join("load.json");
    let child = piped(long_load(&server, &json));
    server.wait_for(20);
    signal(&child, Signal::HUP);
    Told::of(&child.wait_with_output().unwrap()).exits(130);
    assert!(requests_in(&json) >= 20);
}

#[test]
fn a_hangup_that_was_ignored_by_nohup_stays_ignored() {
    let server = Server::start();
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' HUP; exec \"$@\"", "sh"])
        .arg(assert_cmd::cargo::cargo_bin("tacho"))
        .args(["load", "--rate", "100", "--duration", "3s", "--json", "-"])
        .arg(server.url());
    let child = piped(command);
    server.wait_for(10);
    signal(&child, Signal::HUP);
    let told = Told::of(&child.wait_with_output().unwrap());
    assert_eq!(told.json()["requests"], 300, "{told:#?}");
    assert_ne!(told.code, Some(130));
}

/// A terminal whose window is closed: the kernel says SIGHUP, and whatever is written then fails
/// with EIO.
#[test]
fn a_closed_terminal_ends_a_load_in_order_and_its_result_is_written() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let json = folder.path().join("load.json");
    let (code, load) = (folder.path().join("code"), long_load(&server, &json));
    let words: Vec<_> = std::iter::once(load.get_program())
        .chain(load.get_args())
        .map(|word| word.to_str().unwrap())
        .collect();
    // As an interactive shell does, this one passes the hangup on to its job; a wait ends with the
    // signal, and the next with the job.
    let line = format!(
        "{} & trap \"kill -HUP $!\" HUP; wait $!; wait $!; echo $? >{code}.half; mv {code}.half {code}",
        words.join(" "),
        code = code.display()
    );
    let mut window = hearing_hangups("script")
        .args(["--quiet", "--command", &line, "/dev/null"])
        .env("SHELL", "/bin/sh")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    server.wait_for(20);
    window.kill().unwrap();
    window.wait().unwrap();
    eventually("end of the load", || code.exists());
    assert_eq!(std::fs::read_to_string(&code).unwrap().trim(), "130");
    assert!(requests_in(&json) >= 20);
}

/// A pipe whose reader has seen enough.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    writer.into()
}

/// No byte can be written to it.
fn full() -> Stdio {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    full.unwrap().into()
}

#[test]
fn nobody_who_reads_is_no_reason_not_to_write_the_result() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let markdown = folder.path().join("load.md");
    let status = tacho()
        .args(["load", "--requests", "5", "--json", "-", "--markdown"])
        .arg(&markdown)
        // Said on standard error before anything is sent.
        .env("http_proxy", "http://127.0.0.1:1")
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .arg(server.url())
        .stdout(closed_pipe())
        .stderr(full())
        .status()
        .unwrap();
    assert!(matches!(status.code(), Some(0 | 3)), "{status:?}");
    assert!(markdown.exists());
}

#[test]
fn an_error_that_nobody_reads_still_has_its_exit_code() {
    for gone in [closed_pipe, full] {
        let status = tacho()
            .args(["run", "/no/such/experiment.yaml"])
            .stdout(gone())
            .stderr(gone())
            .status()
            .unwrap();
        assert_eq!(status.code(), Some(2));
    }
}

/// Starts a run with a control group, and waits until the group is there.
fn run_with_group(lab: &Lab) -> (Child, String) {
    let child = piped(lab.command(&["--launches", "50"]));
    let mine = format!("scripted-{}-", child.id());
    // That of a launch; before, one is made to see whether it can be, which is called otherwise.
    eventually("control group", || {
        !groups_of(&format!("{mine}0")).is_empty()
    });
    (child, mine)
}

#[test]
fn a_hangup_ends_a_run_in_order_and_reports_what_was_measured() {
    let port = port();
    let lab = Lab::scripted(&[("a", &format!("--port {port}"))], "limits: {cpu: 1}\n");
    let (child, mine) = run_with_group(&lab);
    signal(&child, Signal::HUP);
    Told::of(&child.wait_with_output().unwrap()).exits(130);
    assert_eq!(lab.json("run.json")["interrupted"], true);
    assert_eq!(groups_of(&mine), Vec::<String>::new());
    assert!(TcpListener::bind(("127.0.0.1", port)).is_ok());
}

#[test]
fn a_second_signal_ends_at_once_and_leaves_no_group_all_the_same() {
    let port = port();
    let subject = format!("--port {port} --ignore-term");
    let lab = Lab::scripted(&[("stubborn", &subject)], "limits: {cpu: 1}\n");
    let (child, mine) = run_with_group(&lab);
    signal(&child, Signal::TERM);
    // Later than what is taken for the same wish. The subject ignores SIGTERM, so that ending it in
    // order takes longer than this.
    std::thread::sleep(Duration::from_millis(600));
    signal(&child, Signal::TERM);
    Told::of(&child.wait_with_output().unwrap()).exits(130);
    assert_eq!(groups_of(&mine), Vec::<String>::new());
    assert!(TcpListener::bind(("127.0.0.1", port)).is_ok());
}

/// A disk that is full takes no summary, but what goes elsewhere is written, and the cause is told.
#[test]
fn a_full_standard_output_keeps_no_other_file_from_being_written() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let markdown = folder.path().join("load.md");
    let output = tacho()
        .args(["load", "-q", "--requests", "5", "--json", "-", "--markdown"])
        .arg(&markdown)
        .arg(server.url())
        .stdout(full())
        .output()
        .unwrap();
    Told::of(&output).exits(4).says("standard output");
    assert!(markdown.exists());
}

/// With as few descriptors as this, every step of a launch is in turn the first that has none.
#[test]
fn a_run_without_file_descriptors_says_so_at_once_and_names_the_remedy() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    for most in [12, 14, 16, 18, 20, 22, 24, 26] {
        let output = Command::new("sh")
            .args(["-c", "ulimit -n $0; exec \"$@\"", &most.to_string()])
            .arg(assert_cmd::cargo::cargo_bin("tacho"))
            .args(["run", "experiment.yaml"])
            .env("NO_COLOR", "1")
            .current_dir(lab.path())
            .output()
            .unwrap();
        let told = Told::of(&output);
        // How many are open at once depends on what its threads look at just then: as many may do.
        if most > 22 && matches!(told.code, Some(0 | 3)) && told.out.contains("Certificate") {
            continue;
        }
        let told = told.exits(4).says("file descriptors");
        let told = told.says(&most.to_string()).says("ulimit -");
        assert!(!told.err.contains("listens on no port"), "{told:#?}");
    }
}

/// Where files may not grow beyond a limit, the kernel sends SIGXFSZ, which ends a program that
/// does not expect it.
#[test]
fn a_limit_on_the_size_of_files_is_told_as_the_cause() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let limited = |arguments: &[&str]| {
        let output = Command::new("sh")
            .args(["-c", "ulimit -f 1; exec \"$@\"", "sh"])
            .arg(assert_cmd::cargo::cargo_bin("tacho"))
            .args(arguments)
            .env("NO_COLOR", "1")
            .current_dir(folder.path())
            .output();
        Told::of(&output.unwrap())
    };
    let url = server.url();
    limited(&["load", "--requests", "2000", "--out", "out", &url])
        .exits(4)
        .says("File too large")
        .says("ulimit -f");
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let file = lab.path().join("experiment.yaml");
    limited(&["run", file.to_str().unwrap()])
        .exits(4)
        .says("File too large")
        .says("ulimit -f");
}

/// The limit is the subject's as well, and so is what the kernel does then.
#[test]
fn a_subject_that_meets_the_limit_on_the_size_of_files_is_told_so() {
    let subject = "sh -c \"exec dd if=/dev/zero of=big bs=1M count=999 2>/dev/null\"";
    let lab = Lab::new(&format!(
        "tacho: 1\nname: big\nvariants:\n  - {{name: a, kind: exec, command: '{subject}'}}\nrequests: [GET /ping]\nphases:\n  - cold: {{requests: 3}}\nlaunches: 1\nrest: 0ms\n"
    ));
    let run = lab.command(&[]);
    let output = Command::new("sh")
        .args(["-c", "ulimit -f 20000; exec \"$@\"", "sh"])
        .arg(run.get_program())
        .args(run.get_args())
        .env("NO_COLOR", "1")
        .current_dir(lab.path())
        .output();
    Told::of(&output.unwrap())
        .exits(3)
        .says("SIGXFSZ")
        .says("ulimit -f");
}

/// The names in a folder.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().flatten();
    entries
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect()
}

/// A load that writes temporary files, once it has.
fn load_with_temporary_files(server: &Server, folder: &Path) -> Child {
    let mut load = long_load(server, Path::new("-"));
    load.env("TMPDIR", folder);
    let child = piped(load);
    server.wait_for(5);
    assert_ne!(names_in(folder), Vec::<String>::new());
    child
}

#[test]
fn the_temporary_files_of_a_killed_load_are_gone_after_the_next_command() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let mut child = load_with_temporary_files(&server, folder.path());
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let output = tacho().args(["schema", "run"]).output().unwrap();
    assert!(output.status.success());
    assert_eq!(names_in(folder.path()), Vec::<String>::new());
}

#[test]
fn the_temporary_files_are_for_their_owner_alone_and_go_with_a_signal() {
    use std::os::unix::fs::PermissionsExt;
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let child = load_with_temporary_files(&server, folder.path());
    for name in names_in(folder.path()) {
        let mode = std::fs::metadata(folder.path().join(name))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    signal(&child, Signal::HUP);
    Told::of(&child.wait_with_output().unwrap()).exits(130);
    assert_eq!(names_in(folder.path()), Vec::<String>::new());
}

/// Whoever can write to the folder for temporary files may put a link where ours was.
#[test]
fn a_link_in_the_place_of_a_temporary_folder_is_not_followed() {
    let (server, folder) = (Server::start(), TempDir::new().unwrap());
    let elsewhere = TempDir::new().unwrap();
    std::fs::write(elsewhere.path().join("precious"), "").unwrap();
    let mut child = load_with_temporary_files(&server, folder.path());
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    for name in names_in(folder.path()) {
        let path = folder.path().join(name);
        std::fs::remove_dir_all(&path).unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), &path).unwrap();
    }
    assert!(
        tacho()
            .args(["schema", "run"])
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(elsewhere.path().join("precious").exists());
}

/// Nothing that both write has one name: run folder, control groups, leases, temporary folders.
#[test]
fn two_runs_that_are_started_at_the_same_instant_are_never_mixed() {
    let ports = [port(), port()];
    let labs =
        ports.map(|port| Lab::scripted(&[("a", &format!("--port {port}"))], "limits: {cpu: 1}\n"));
    // Both write their run folders into that of the first, under one name and in one second.
    let runs = labs[0].path().join("runs");
    let children = labs.each_ref().map(|lab| {
        let mut command = lab.command(&["--runs"]);
        command.arg(&runs);
        piped(command)
    });
    for child in children {
        let told = Told::of(&child.wait_with_output().unwrap());
        assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
        assert!(!told.err.contains("FAILED"), "{told:#?}");
    }
    let folders: Vec<_> = std::fs::read_dir(&runs).unwrap().flatten().collect();
    assert_eq!(folders.len(), 2);
    let mut seen: Vec<String> = Vec::new();
    for folder in folders {
        let mut ports_of_run: Vec<String> = Vec::new();
        for launch in std::fs::read_dir(folder.path().join("launches"))
            .unwrap()
            .flatten()
        {
            let record = std::fs::read(launch.path().join("launch.json")).unwrap();
            let record: serde_json::Value = serde_json::from_slice(&record).unwrap();
            assert_eq!(record["outcome"]["state"], "completed");
            assert_eq!(record["phases"][1]["requests"], 200);
            ports_of_run.push(record["command"].to_string());
        }
        assert_eq!(ports_of_run.len(), 2);
        ports_of_run.dedup();
        seen.extend(ports_of_run);
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 2, "{seen:?}");
}

/// Both want the same port: whoever comes second is refused it, and measures nothing of the other's
/// subject.
#[test]
fn of_two_runs_on_one_port_each_measures_its_own_subject_or_none() {
    let port = port();
    let labs = [(); 2].map(|()| Lab::scripted(&[("a", &format!("--port {port}"))], ""));
    let children = labs
        .each_ref()
        .map(|lab| piped(lab.command(&["--launches", "4"])));
    for (child, lab) in children.into_iter().zip(&labs) {
        Told::of(&child.wait_with_output().unwrap());
        for launch in lab.launches() {
            let outcome = &launch["outcome"];
            match outcome["state"].as_str().unwrap() {
                "completed" => assert_eq!(launch["phases"][1]["succeeded"], 200),
                _ => assert_eq!(outcome["cause"], "port-taken", "{outcome}"),
            }
        }
    }
}

/// What was due while the generator could not run was late, and the result says so.
#[test]
fn a_load_that_was_itself_stopped_has_an_invalid_certificate() {
    let server = Server::start();
    let mut command = tacho();
    command
        .args([
            "load",
            "--rate",
            "100",
            "--duration",
            "6s",
            "-q",
            "--json",
            "-",
        ])
        .arg(server.url());
    let child = piped(command);
    server.wait_for(50);
    signal(&child, Signal::STOP);
    std::thread::sleep(TWO_THIRDS_OF_THE_PHASE);
    signal(&child, Signal::CONT);
    let told = Told::of(&child.wait_with_output().unwrap()).exits(3);
    let report = told.json();
    assert_eq!(report["certificate"]["state"], "invalid", "{report:#}");
    let evidence = report["certificate"]["evidence"].to_string();
    assert!(
        evidence.contains("generator") || evidence.contains("late"),
        "{evidence}"
    );
}

#[test]
fn a_run_that_was_itself_stopped_has_an_invalid_certificate() {
    let lab = Lab::new(&format!(
        "tacho: 1\nname: stopped\nvariants:\n  - {{name: a, kind: exec, command: '{} --port {}'}}\nrequests: [GET /ping]\nphases:\n  - open: {{rate: 50, duration: 12s, connections: 2}}\nlaunches: 1\nrest: 0ms\n",
        support::subject().display(),
        port()
    ));
    let child = piped(lab.command(&[]));
    eventually("request", || support::is_loaded(lab.path()));
    signal(&child, Signal::STOP);
    std::thread::sleep(2 * TWO_THIRDS_OF_THE_PHASE);
    signal(&child, Signal::CONT);
    let told = Told::of(&child.wait_with_output().unwrap()).exits(3);
    let results = lab.json("results.json");
    assert_eq!(results["certificate"]["state"], "invalid", "{told:#?}");
    let evidence = results["certificate"]["evidence"].as_array().unwrap();
    let lag = evidence
        .iter()
        .find(|e| e["rule"] == "dispatch-delay" || e["rule"] == "generator-lag");
    assert_eq!(lag.unwrap()["state"], "invalid", "{evidence:#?}");
}
