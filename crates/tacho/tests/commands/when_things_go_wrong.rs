//! Each thing that can go wrong, once, with the real program.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::net::TcpListener;
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Lab, Told, groups_of, port, signal, tacho};

fn states(lab: &Lab) -> Vec<String> {
    lab.launches()
        .iter()
        .map(|l| {
            let outcome = &l["outcome"];
            let cause = outcome["cause"]
                .as_str()
                .map_or(String::new(), |c| format!(" {c}"));
            format!(
                "{}: {}{cause}",
                l["cell"].as_str().unwrap(),
                outcome["state"].as_str().unwrap()
            )
        })
        .collect()
}

fn count(states: &[String], what: &str) -> usize {
    states.iter().filter(|s| *s == what).count()
}

#[test]
fn an_unknown_key_is_named_with_its_place_and_nothing_is_started() {
    let lab = Lab::new("tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar]\nlaunchs: 3\n");
    lab.run(&[])
        .exits(2)
        .says("experiment.yaml:4:1: unknown key `launchs`")
        .says("did you mean `launches`?");
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn a_request_that_cannot_be_filled_is_named_and_nothing_is_started() {
    let lab = Lab::new(
        "tacho: 1\nvariants: [{kind: exec, command: ./a}]\nrequests: [/ping, '/{{user.id}}']\n",
    );
    let says =
        "request `GET /{{user.id}}`, path: `user.id` at line 1, column 2 is neither built in";
    lab.run(&[])
        .exits(2)
        .says(&format!("experiment.yaml:3:19: {says}"));
    lab.run(&["--request", "/{{user.id}}"]).exits(2).says(says);
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn a_check_that_is_not_understood_stops_before_anything_is_started() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    lab.run(&["--check", "p99<<50ms"])
        .exits(2)
        .says("p99<<50ms");
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn a_subject_that_exits_is_a_failed_launch_and_the_run_goes_on() {
    let port = port();
    let lab = Lab::scripted(
        &[
            ("good", &format!("--port {port}")),
            ("exits", "--exit-ms 30"),
        ],
        "",
    );
    let told = lab.run(&[]).exits(3).says("exit code 7");
    // The last thing that is printed, and the first on the page: what it logged, and where.
    let (_, last) = told.out.split_once("Its log ended with").unwrap();
    assert!(last.contains("\n  nothing to do, good bye\n"), "{told:#?}");
    let last_line = last.trim_end().lines().last().unwrap();
    assert!(last_line.ends_with("-exits/log.txt"), "{told:#?}");
    let page = std::fs::read_to_string(lab.run_folder().join("report.html")).unwrap();
    let at = |text: &str| page.find(text).unwrap_or_else(|| panic!("no {text}"));
    assert!(at("nothing to do, good bye") < at("class=\"advice\""));
    let states = states(&lab);
    assert_eq!(count(&states, "good: completed"), 2, "{states:?}");
    assert_eq!(count(&states, "exits: failed exited"), 2, "{states:?}");
    let log = lab
        .launches()
        .iter()
        .find(|l| l["cell"] == "exits")
        .map(|l| l["outcome"]["last_log_lines"].to_string())
        .unwrap();
    assert!(log.contains("nothing to do, good bye"), "{log}");
    let results = lab.json("results.json");
    assert_ne!(results["certificate"]["state"], "valid");
}

#[test]
fn more_processors_than_the_machine_has_are_refused_before_anything_is_started() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    lab.run(&["--cpu", "999"])
        .exits(4)
        .says("999 processors were asked for");
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn a_subject_that_is_never_ready_says_what_was_seen_of_it() {
    let more = format!(
        "subject: {{port: {}, ready: {{http: /health, timeout: 1s}}}}\n",
        port()
    );
    let lab = Lab::scripted(&[("mute", "--port 1 --exit-ms 60000")], &more);
    lab.run(&["--launches", "1"])
        .exits(3)
        .says("not ready after 1 s");
    assert_eq!(states(&lab), ["mute: failed never-ready"]);
}

#[test]
fn a_subject_that_needs_more_memory_than_its_limit_is_told_so() {
    let more = "limits: {memory: 48MiB}\n";
    let lab = Lab::scripted(
        &[("eater", &format!("--port {} --eat-mib 200", port()))],
        more,
    );
    lab.run(&["--launches", "1"]).exits(3).says("memory");
    assert_eq!(states(&lab), ["eater: failed out-of-memory"]);
    assert!(lab.launches()[0]["limits"]["oom_kills"].as_u64().unwrap() >= 1);
}

#[test]
fn a_subject_that_dies_under_load_is_a_failed_launch_with_what_was_measured() {
    let lab = Lab::scripted(
        &[("dies", &format!("--port {} --exit-after 100", port()))],
        "",
    );
    lab.run(&["--launches", "1"]).exits(3).says("exit code 3");
    let launch = &lab.launches()[0];
    assert_eq!(launch["outcome"]["cause"], "exited");
    assert_eq!(launch["phases"][0]["succeeded"], 3);
}

#[test]
fn a_taken_port_names_who_has_it() {
    let port = port();
    let _taken = TcpListener::bind(("127.0.0.1", port)).unwrap();
    let lab = Lab::scripted(
        &[("a", &format!("--port {port}"))],
        &format!("subject: {{port: {port}}}\n"),
    );
    let me = std::process::id();
    lab.run(&["--launches", "1"])
        .exits(3)
        .says(&format!("port {port} is taken by process {me}"));
    assert_eq!(states(&lab), ["a: failed port-taken"]);
}

#[test]
fn a_missing_jdk_is_named_with_those_that_are_there() {
    let lab = Lab::new("tacho: 1\nsubject: {artifact: app.jar}\nvariants: [jar]\nrequests: [/]\n");
    std::fs::write(lab.path().join("app.jar"), minimal_jar()).unwrap();
    lab.run(&["--jdk", "99"]).exits(4).says("99").says("JDK");
}

/// An empty zip with a manifest that names a main class, stored without compression.
pub fn minimal_jar() -> Vec<u8> {
    let name = b"META-INF/MANIFEST.MF";
    let body = b"Manifest-Version: 1.0\r\nMain-Class: A\r\n\r\n";
    let crc = crc32(body);
    let sizes = |out: &mut Vec<u8>| {
        out.extend(crc.to_le_bytes());
        out.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        out.extend(u32::try_from(body.len()).unwrap().to_le_bytes());
        out.extend(u16::try_from(name.len()).unwrap().to_le_bytes());
    };
    let mut zip = b"PK\x03\x04\x0a\0\0\0\0\0\0\0\0\0".to_vec();
    sizes(&mut zip);
    zip.extend([0, 0]);
    zip.extend(name);
    zip.extend(body);
    let directory = u32::try_from(zip.len()).unwrap();
    zip.extend(b"PK\x01\x02\x0a\0\x0a\0\0\0\0\0\0\0\0\0");
    sizes(&mut zip);
    zip.extend([0; 12]);
    zip.extend(0u32.to_le_bytes());
    zip.extend(name);
    let size = u32::try_from(zip.len()).unwrap() - directory;
    zip.extend(b"PK\x05\x06\0\0\0\0\x01\0\x01\0");
    zip.extend(size.to_le_bytes());
    zip.extend(directory.to_le_bytes());
    zip.extend([0, 0]);
    zip
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| {
            if c & 1 == 1 {
                (c >> 1) ^ 0xEDB8_8320
            } else {
                c >> 1
            }
        })
    })
}

#[test]
fn broken_http_is_counted_by_kind() {
    let more = "subject: {ready: {http: /health}}\n";
    let lab = Lab::scripted(
        &[("garbage", &format!("--port {} --answer garbage", port()))],
        more,
    );
    lab.run(&["--launches", "1"]).exits(3).says("malformed");
    let launch = &lab.launches()[0];
    assert_eq!(launch["outcome"]["cause"], "no-responses");
    assert_eq!(launch["phases"][0]["errors"]["malformed"]["count"], 3);
}

#[test]
fn errors_of_the_service_are_counted_by_status() {
    let more = "subject: {ready: {http: /health}}\n";
    let lab = Lab::scripted(
        &[("fails", &format!("--port {} --answer 500", port()))],
        more,
    );
    lab.run(&["--launches", "1"]).exits(3).says("status-5xx");
}

#[test]
fn a_check_that_does_not_hold_is_exit_code_1_and_a_failure_in_junit() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let told = lab.run(&[
        "--check",
        "ready<1us",
        "--check",
        "ready<60s",
        "--junit",
        "junit.xml",
    ]);
    // On a machine that is too busy the certificate may be invalid, which weighs more.
    assert!(matches!(told.code, Some(1 | 3)), "{told:#?}");
    let checks = lab.json("results.json")["checks"].clone();
    assert_eq!(checks[0]["passed"], false);
    assert_eq!(checks[1]["passed"], true);
    let junit = std::fs::read_to_string(lab.path().join("junit.xml")).unwrap();
    assert!(
        junit.contains("ready&lt;1us") && junit.contains("<failure"),
        "{junit}"
    );
}

/// Ended with the test, whatever becomes of it.
struct Neighbours(Vec<std::process::Child>);

impl Neighbours {
    /// One for each processor, doing nothing but that.
    fn everywhere() -> Self {
        let processors = std::thread::available_parallelism().unwrap().get();
        let busy = |_| {
            std::process::Command::new("sh")
                .args(["-c", "while :; do :; done"])
                .spawn()
                .unwrap()
        };
        Self((0..processors).map(busy).collect())
    }

    fn are_busy(&mut self) -> bool {
        self.0
            .iter_mut()
            .all(|one| one.try_wait().unwrap().is_none())
    }
}

impl Drop for Neighbours {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn shared_machine() -> Lab {
    let arguments = format!("--port {}", port());
    Lab::new(&format!(
        "tacho: 1\nname: shared\nvariants:\n  - {{name: a, kind: exec, command: '{} {arguments}'}}\nrequests: [GET /ping]\nphases:\n  - open: {{rate: 50, duration: 1500ms, connections: 2}}\nlaunches: 1\nrest: 0ms\n",
        support::subject().display()
    ))
}

#[test]
fn a_companion_is_no_foreign_load_but_has_to_leave_room() {
    let lab = shared_machine();
    let neighbours = Neighbours::everywhere();
    let pids: Vec<String> = neighbours.0.iter().map(|n| n.id().to_string()).collect();
    lab.run(&["--companions", &pids.join(",")])
        .says("the subject's companions took up to");
    drop(neighbours);
    let run = lab.json("results.json");
    let state = |rule: &str| {
        let evidence = run["certificate"]["evidence"].as_array().unwrap();
        let found = evidence.iter().find(|e| e["rule"] == rule);
        found.unwrap_or_else(|| panic!("{evidence:#?}"))["state"].clone()
    };
    // They keep all processors busy, and that alone is said of them: no foreign load, unless
    // some were there, too.
    assert_eq!(state("companions"), "degraded");
    let used = &lab.launches()[0]["phases"][0]["processors"];
    let of = |name: &str| used[name].as_f64().unwrap();
    // Not how much: what else runs here meanwhile takes its part from them.
    let companions = of("companions_cpu_s");
    assert!(companions > 0.0, "{used:#}");
}

#[test]
fn a_companion_that_is_not_there_is_named_before_anything_is_started() {
    let lab = shared_machine();
    lab.run(&["--companions", "4194304"])
        .exits(2)
        .says("there is no process 4194304 to be a companion");
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn a_busy_neighbour_makes_the_numbers_doubtful() {
    let lab = shared_machine();
    let mut neighbours = Neighbours::everywhere();
    let told = lab.run(&[]);
    // Whoever reads of a failure wants to know whether they were there, and what was seen of them.
    assert!(neighbours.are_busy(), "one of them has ended by itself");
    drop(neighbours);
    let used = lab.launches()[0]["phases"][0]["processors"].clone();
    assert!(
        told.out.contains("other processes took up to"),
        "{used:#} {told:#?}"
    );
    let results = lab.json("results.json");
    let evidence = results["certificate"]["evidence"].as_array().unwrap();
    let others = evidence.iter().find(|e| e["rule"] == "other-processes");
    assert_ne!(others.unwrap()["state"], "valid", "{evidence:#?}");
}

/// Starts a long run and waits until its first launch is loaded.
fn long_run(lab: &Lab) -> std::process::Child {
    let child = lab
        .command(&["--launches", "50"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !lab.path().join("runs").exists() || lab_phases(lab) == 0 {
        assert!(
            began.elapsed() < Duration::from_secs(180),
            "no launch began"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn lab_phases(lab: &Lab) -> usize {
    let Ok(runs) = std::fs::read_dir(lab.path().join("runs")) else {
        return 0;
    };
    runs.flatten()
        .filter_map(|run| std::fs::read_dir(run.path().join("launches")).ok())
        .flatten()
        .flatten()
        .filter_map(|launch| std::fs::read(launch.path().join("launch.json")).ok())
        .filter_map(|bytes| serde_json::from_slice::<serde_json::Value>(&bytes).ok())
        .filter(|record| record["phases"].as_array().is_some_and(|p| !p.is_empty()))
        .count()
}

const LONG: &str = "limits: {cpu: 1}\n";

#[test]
fn ctrl_c_ends_the_run_in_order_and_reports_what_was_measured() {
    let port = port();
    let lab = Lab::scripted(&[("a", &format!("--port {port}"))], LONG);
    let child = long_run(&lab);
    signal(&child, Signal::INT);
    let told = Told::of(&child.wait_with_output().unwrap()).exits(130);
    assert!(told.out.contains("Report:"), "{told:#?}");
    assert_eq!(lab.json("run.json")["interrupted"], true);
    assert!(lab.run_folder().join("report.html").exists());
    assert!(
        TcpListener::bind(("127.0.0.1", port)).is_ok(),
        "the subject is still there"
    );
}

#[test]
fn after_kill_9_the_next_command_leaves_no_process_and_no_group() {
    let port = port();
    let lab = Lab::scripted(
        &[("stubborn", &format!("--port {port} --ignore-term"))],
        LONG,
    );
    let mut child = long_run(&lab);
    let mine = format!("scripted-{}-", child.id());
    assert!(!groups_of(&mine).is_empty(), "no group was made");
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    assert!(tacho().arg("doctor").output().unwrap().status.success());
    assert_eq!(groups_of(&mine), Vec::<String>::new());
    assert!(
        TcpListener::bind(("127.0.0.1", port)).is_ok(),
        "the subject is still there"
    );
    // What was written is readable.
    let report = tacho()
        .arg("report")
        .arg(lab.run_folder())
        .output()
        .unwrap();
    assert!(lab.run_folder().join("report.html").exists(), "{report:?}");
}

#[test]
fn a_full_disk_is_a_clear_error_and_what_was_written_stays_readable() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let disk = lab.path().join("runs");
    std::fs::create_dir(&disk).unwrap();
    let mounted = std::process::Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=96k", "tacho-test"])
        .arg(&disk)
        .status()
        .unwrap();
    assert!(
        mounted.success(),
        "mounting a small disk takes root, as CI has it"
    );
    let told = lab.run(&["--launches", "9"]);
    let plan = lab.run_folder().join("plan.json").exists();
    let header = std::fs::read(lab.run_folder().join("run.json")).unwrap();
    let unmounted = std::process::Command::new("umount")
        .arg(&disk)
        .status()
        .unwrap();
    assert!(unmounted.success());
    assert!(plan);
    assert!(serde_json::from_slice::<serde_json::Value>(&header).is_ok());
    assert_eq!(told.code, Some(4), "{told:#?}");
    assert!(
        told.err.contains("disk is full") || told.err.contains("No space left"),
        "{told:#?}"
    );
}

#[test]
fn limits_that_cannot_be_had_stop_the_run_with_the_remedy() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], LONG);
    // As a user who owns nothing here, and so may make no groups.
    let output = std::process::Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups", "--"])
        .arg(copy_for_everyone(&lab))
        .args(["run", "experiment.yaml", "--runs", "/tmp"])
        .current_dir(lab.path())
        .env("XDG_RUNTIME_DIR", lab.path())
        .output()
        .unwrap();
    Told::of(&output)
        .exits(4)
        .says("limits cannot be applied")
        .says("tacho doctor");
}

/// The program at a place that everybody may enter.
fn copy_for_everyone(lab: &Lab) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt;
    let copy = lab.path().join("tacho");
    std::fs::copy(assert_cmd::cargo::cargo_bin("tacho"), &copy).unwrap();
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(lab.path(), open).unwrap();
    copy
}

/// Who listens at a port.
fn listener(port: u16) -> Option<rustix::process::Pid> {
    let owner = tacho_launch::sockets::who_listens(port).unwrap()?;
    rustix::process::Pid::from_raw(owner.pid?.cast_signed())
}

/// A run whose subject is stopped when it is time.
fn stopped(lab: &Lab, port: u16, is_time: impl Fn() -> bool) -> Told {
    let child = lab
        .command(&[])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while !is_time() {
        assert!(began.elapsed() < Duration::from_secs(180), "it never was");
        std::thread::sleep(Duration::from_millis(10));
    }
    rustix::process::kill_process(listener(port).unwrap(), Signal::STOP).unwrap();
    Told::of(&child.wait_with_output().unwrap()).exits(3)
}

#[test]
fn a_subject_that_is_stopped_is_told_so_and_not_blamed_on_the_connections() {
    let port = port();
    let arguments = format!("--port {port}");
    let lab = Lab::new(&format!(
        "tacho: 1\nname: stopped\nvariants:\n  - {{name: a, kind: exec, command: '{} {arguments}'}}\nrequests: [GET /ping]\nrequest-timeout: 1s\nphases:\n  - open: {{rate: 50, duration: 20s, connections: 2}}\nlaunches: 1\nrest: 0ms\n",
        support::subject().display()
    ));
    let told = stopped(&lab, port, || {
        let listens = listener(port).is_some();
        if listens {
            // In the middle of the phase, or before it is ready: both are told.
            std::thread::sleep(Duration::from_secs(1));
        }
        listens
    });
    assert!(!told.out.contains("give the phase more"), "{told:#?}");
    told.says("was stopped (state T)");
}

/// Its requests would end by their timeouts, one after another, for days.
#[test]
fn a_subject_that_is_stopped_in_a_loop_of_many_requests_ends_it() {
    let port = port();
    let lab = Lab::new(&format!(
        "tacho: 1\nname: stopped\nvariants:\n  - {{name: a, kind: exec, command: '{} --port {port}'}}\nrequests: [GET /ping]\nrequest-timeout: 10m\nphases:\n  - closed: {{requests: 1000000000, connections: 2}}\nlaunches: 1\nrest: 0ms\n",
        support::subject().display()
    ));
    let told = stopped(&lab, port, || support::is_loaded(lab.path()));
    told.says("was stopped (state T) in phase");
}

#[test]
fn a_program_in_a_folder_is_started_only_when_it_is_named() {
    use std::os::unix::fs::PermissionsExt;
    let lab = Lab::new("");
    let script = lab.path().join("clean-up.sh");
    std::fs::write(&script, "#!/bin/sh\ntouch started\n").unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = tacho()
        .current_dir(lab.path())
        .args(["run", ".", "--launches", "1"])
        .output()
        .unwrap();
    Told::of(&output).exits(2).says("clean-up.sh");
    assert!(!lab.path().join("started").exists());
}

#[test]
fn what_is_run_of_a_folder_is_said() {
    let lab = Lab::new("");
    std::fs::create_dir(lab.path().join("target")).unwrap();
    std::fs::write(lab.path().join("pom.xml"), "<project/>").unwrap();
    std::fs::write(lab.path().join("target/app.jar"), minimal_jar()).unwrap();
    let output = tacho()
        .current_dir(lab.path())
        .args(["run", ".", "--dry-run"])
        .output()
        .unwrap();
    Told::of(&output)
        .exits(0)
        .says("target/app.jar is what is run");
}

#[test]
fn a_dry_run_looks_whether_the_run_can_begin() {
    let lab = Lab::new("");
    std::fs::write(lab.path().join("app.jar"), minimal_jar()).unwrap();
    let run = |arguments: &[&str]| {
        let output = tacho()
            .current_dir(lab.path())
            .args(["run", "app.jar", "--request", "/", "--dry-run"])
            .args(arguments)
            .output()
            .unwrap();
        Told::of(&output)
    };
    let told = run(&["--variants", "jar"]).exits(0).says("jar can be made");
    assert!(
        told.out.contains("in all if a start takes 3 s: 3 launches"),
        "{told:#?}"
    );
    // Of an artifact by itself: a first look, unless it is said how often.
    assert!(told.out.contains("\n3 launches"), "{told:#?}");
    assert!(told.out.contains("A first look"), "{told:#?}");
    let decided = run(&["--variants", "jar", "--launches", "auto"]).exits(0);
    assert!(decided.out.contains("at most 20 launches"), "{decided:#?}");
    assert!(!decided.out.contains("A first look"), "{decided:#?}");
    run(&["--variants", "jar", "--jdk", "99"])
        .exits(4)
        .says("99");
    run(&["--cpu", "4096"]).exits(4).says("processors");
    run(&["--memory", "99999GiB"])
        .exits(4)
        .says("of memory were asked for")
        .says("this machine has");
    // A node may have more than the machine of who asks.
    let elsewhere = ["--memory", "99999GiB", "--on", "kubernetes"];
    run(&[
        &elsewhere[..],
        &["--image", "localhost/app", "--variants", "jar"],
    ]
    .concat())
    .exits(0)
    .says("jar can be made");
    std::fs::write(
        lab.path().join("absent.yaml"),
        "tacho: 1\nsubject: {artifact: absent.jar}\nvariants: [jar]\nrequests: [{method: GET, path: /}]\nphases: [{cold: {requests: 1}}]\n",
    )
    .unwrap();
    let output = tacho()
        .current_dir(lab.path())
        .args(["run", "absent.yaml", "--dry-run"])
        .output()
        .unwrap();
    Told::of(&output).exits(2).says("absent.jar");
    assert!(!lab.path().join("runs").exists());
}

/// No JDK of a test machine has CRaC; one that has is in `tacho-subject`'s `variant/crac.rs`.
#[test]
fn a_variant_that_this_jvm_cannot_be_shipped_as_is_refused_with_the_reason() {
    let lab = Lab::new("");
    std::fs::write(lab.path().join("app.jar"), minimal_jar()).unwrap();
    let run = |arguments: &[&str]| {
        let output = tacho()
            .current_dir(lab.path())
            .args(["run", "app.jar", "--request", "/"])
            .args(arguments)
            .output()
            .unwrap();
        Told::of(&output)
    };
    run(&["--variants", "crac"])
        .exits(4)
        .says("`crac`")
        .says("has no CRaC (Coordinated Restore at Checkpoint)")
        .says("Tacho does not restore from checkpoints yet")
        .says("compare `cds`, `aot` or `native` instead");
    // What nobody asked for is neither compared nor spoken of.
    let usual = run(&["--dry-run"]).exits(0).says("jar");
    assert!(
        !usual.out.contains("crac") && !usual.err.contains("crac"),
        "{usual:#?}"
    );
}
