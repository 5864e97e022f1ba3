//! The subject breaks: the launch fails with the cause in words, the run ends, and nothing stays.

use crate::house::{House, says_one_of};
use crate::support::Told;
use std::fs;

/// Runs it to its end, and looks after the house.
fn run(house: &House) -> Told {
    let told = house.run(house.tacho("run experiment.yaml --launches 1"));
    println!("exit {:?}\n{}\n{}", told.code, told.out, told.err);
    if let Some(run) = house.run_folder() {
        house.report(&run);
    }
    house.is_clean();
    told
}

fn outcome(house: &House) -> serde_json::Value {
    let run = house.run_folder().expect("a run folder");
    House::launches(&run)[0]["outcome"].clone()
}

/// A launch that fails, and one of the words for its cause in what is printed.
fn fails(life: &str, more: &str, cause: Option<&str>, words: &[&str]) -> House {
    let house = House::with(life, more);
    let told = run(&house);
    assert_eq!(told.code, Some(3), "{told:#?}");
    let outcome = outcome(&house);
    assert_eq!(outcome["state"], "failed", "{outcome:#}");
    if let Some(cause) = cause {
        assert_eq!(outcome["cause"], cause, "{outcome:#}");
    }
    says_one_of(&told, words);
    house
}

/// What is odd, but no fault: the launch is completed. On a busy machine its certificate may be
/// invalid.
fn completes(life: &str, more: &str) -> (House, Told) {
    let house = House::with(life, more);
    let told = run(&house);
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let outcome = outcome(&house);
    assert_eq!(outcome["state"], "completed", "{outcome:#}");
    (house, told)
}

/// Of a subject that does not become ready.
const SHORT_PATIENCE: &str = "subject: {ready: {http: /health, timeout: 3s}}\n";

/// Of one whose requests fail; when it is ready, the machine decides.
const SHORT_REQUESTS: &str =
    "subject: {ready: {http: /health, timeout: 60s}}\nrequest-timeout: 2s\n";

#[test]
fn exits_at_start() {
    fails("exits-at-start", "", Some("exited"), &["exit code 7"]);
}

#[test]
fn exits_when_ready() {
    fails("exits-when-ready", "", Some("exited"), &["exit code 8"]);
}

#[test]
fn exits_under_load_and_what_was_measured_until_then_is_there() {
    let house = fails("exits-under-load 50", "", Some("exited"), &["exit code 9"]);
    let launch = &House::launches(&house.run_folder().unwrap())[0];
    assert_eq!(launch["phases"][0]["succeeded"], 3, "{launch:#}");
}

#[test]
fn hangs_under_load() {
    let words = ["timeout", "timed out", "no answer", "not answered", "hangs"];
    let mut house = House::new();
    let port = house.port();
    let text = house.experiment(&[("it", port, "hangs-under-load 10")], SHORT_REQUESTS);
    house.write(
        "experiment.yaml",
        &text.replace("requests: 200", "requests: 20"),
    );
    let told = run(&house);
    // The launch itself may count as completed, with errors: then they are shown.
    assert_eq!(told.code, Some(3), "{told:#?}");
    says_one_of(&told, &words);
    let launch = &House::launches(&house.run_folder().unwrap())[0];
    assert_eq!(launch["phases"][0]["succeeded"], 3, "{launch:#}");
}

#[test]
fn is_killed_for_memory() {
    let limits = "limits: {memory: 64MiB}\n";
    fails(
        "eats-under-load 50",
        limits,
        Some("out-of-memory"),
        &["its limit", "memory limit"],
    );
}

#[test]
fn forks_and_dies() {
    fails(
        "forks-and-dies",
        "",
        Some("exited"),
        &["background", "foreground"],
    );
}

#[test]
fn listens_late() {
    completes("late 1500", "");
}

#[test]
fn listens_too_late() {
    fails(
        "late 60000",
        SHORT_PATIENCE,
        Some("never-ready"),
        &["listens on no port"],
    );
}

#[test]
fn listens_on_another_port() {
    let mut house = House::new();
    // Two that are neighbours: other tests draw from the same numbers.
    let port = loop {
        let (port, other) = (house.port(), house.port());
        if other == port + 1 {
            break port;
        }
    };
    let more = format!("subject: {{port: {port}, ready: {{http: /health, timeout: 15s}}}}\n");
    let text = house.experiment(&[("it", port, "other-port")], &more);
    house.write("experiment.yaml", &text);
    let told = run(&house);
    assert_eq!(told.code, Some(3), "{told:#?}");
    // Both: where it was looked for, and where it is.
    says_one_of(&told, &[&port.to_string()]);
    says_one_of(&told, &[&(port + 1).to_string()]);
}

#[test]
fn listens_on_no_port() {
    fails(
        "none",
        SHORT_PATIENCE,
        Some("never-ready"),
        &["listens on no port"],
    );
}

#[test]
fn answers_garbage() {
    fails(
        "garbage",
        SHORT_REQUESTS,
        None,
        &["malformed", "no HTTP", "not HTTP"],
    );
}

/// What has no end is read with bounded memory: Tacho itself may not have 2 GiB.
fn endless(life: &str, words: &[&str]) {
    let house = House::with(life, SHORT_REQUESTS);
    let script = "ulimit -v 2000000; exec \"$0\" run experiment.yaml --launches 1";
    let told = house.run(house.shell(script));
    println!("exit {:?}\n{}\n{}", told.code, told.out, told.err);
    assert_eq!(told.code, Some(3), "{told:#?}");
    says_one_of(&told, words);
    house.report(&house.run_folder().unwrap());
    house.is_clean();
}

#[test]
fn answers_with_an_endless_head() {
    endless("endless-head", &["malformed", "head"]);
}

#[test]
fn answers_with_an_endless_body() {
    endless(
        "endless-body",
        &["timeout", "timed out", "too large", "too long", "body"],
    );
}

#[test]
fn answers_one_byte_at_a_time() {
    // 42 bytes.
    let few = "phases: [{cold: {requests: 3}}]\n";
    let mut house = House::new();
    let port = house.port();
    let text = house.experiment(&[("it", port, "trickle 20")], "");
    let text = text.replace(
        "phases:\n  - cold: {requests: 3}\n  - closed: {requests: 200, connections: 4}\n",
        few,
    );
    house.write("experiment.yaml", &text);
    let told = run(&house);
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let launch = &House::launches(&house.run_folder().unwrap())[0];
    assert_eq!(launch["phases"][0]["succeeded"], 3, "{launch:#}");
    // The end of a response is its last byte: 42 rests of 20 ms, which a busy machine only makes
    // longer.
    let p50 = launch["phases"][0]["response_time_ms"]["p50"].as_f64();
    assert!(p50.is_some_and(|ms| ms >= 700.0), "{launch:#}");
}

#[test]
fn answers_too_slowly() {
    let words = ["timeout", "timed out"];
    let house = House::with("trickle 1000", SHORT_PATIENCE);
    let told = run(&house);
    assert_eq!(told.code, Some(3), "{told:#?}");
    says_one_of(&told, &words);
}

#[test]
fn ignores_sigterm() {
    completes("ignores-term", "");
}

/// First and last part are kept, the rest is not, and that is said.
fn writes_log(mib: u64) {
    let (house, told) = completes(
        &format!("logs {mib}"),
        "subject: {ready: {http: /health, timeout: 150s}}\n",
    );
    let run = house.run_folder().unwrap();
    let launch = fs::read_dir(run.join("launches"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap();
    let log = launch.path().join("log.txt");
    let kept = fs::metadata(&log).unwrap().len();
    println!("kept {} of {mib} MiB", kept >> 20);
    // Whatever the bound is: of 200 MiB not the half is kept.
    assert!(kept < 100 << 20, "{kept} bytes of log are kept");
    let text = String::from_utf8_lossy(&fs::read(&log).unwrap()).into_owned();
    let first = text.lines().take(3).any(|l| l.contains("line 0000000000"));
    assert!(first, "the first lines are gone");
    assert!(
        text.contains("the last line of many"),
        "the last lines are gone"
    );
    let said = [
        "left out",
        "cut",
        "not kept",
        "kept the first",
        "dropped",
        "bounded",
        "MiB of log",
    ];
    says_one_of(
        &Told {
            out: told.out + &text.replace("xxxx", ""),
            ..told
        },
        &said,
    );
}

#[test]
fn writes_200_mib_of_log() {
    writes_log(200);
}

#[test]
#[ignore = "long: 10 GiB of log"]
fn writes_10_gib_of_log() {
    writes_log(10 << 10);
}
