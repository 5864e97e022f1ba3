//! Whoever ends Tacho, and however often: it ends what it started, and reports what it has. SIGHUP
//! and a closed terminal are as SIGTERM.

use crate::house::{House, until};
use crate::service::{Server, Service};
use crate::support::Told;
use rustix::process::Signal;
use std::path::Path;
use std::time::Duration;

const LIMITED: &str = "limits: {cpu: 1}\nlaunches: 50\n";

/// What an ordered end of a run leaves.
#[track_caller]
fn was_ended_in_order(house: &House, told: &Told) {
    let run = house.run_folder().unwrap();
    let read = |name: &str| {
        let text =
            std::fs::read(run.join(name)).unwrap_or_else(|e| panic!("{name}: {e}: {told:#?}"));
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()
    };
    assert_eq!(read("run.json")["interrupted"], true, "{told:#?}");
    read("results.json");
    assert!(run.join("report.html").exists());
    house.report(&run);
    house.is_clean();
}

fn ends_a_run(signal: Signal) {
    let house = House::with("well", LIMITED);
    let started = house.start(house.tacho("run experiment.yaml"));
    house.until_measured();
    started.signal(signal);
    let told = started.told();
    assert_eq!(told.code, Some(130), "{told:#?}");
    assert!(told.out.contains("Report:"), "{told:#?}");
    was_ended_in_order(&house, &told);
}

#[test]
fn sigint_ends_a_run_in_order() {
    ends_a_run(Signal::INT);
}

#[test]
fn sigterm_ends_a_run_in_order() {
    ends_a_run(Signal::TERM);
}

#[test]
fn sighup_ends_a_run_in_order() {
    ends_a_run(Signal::HUP);
}

fn ends_a_load(signal: Signal) {
    let mut house = House::new();
    let server = Server::start(&mut house, "well");
    let arguments = format!(
        "load http://127.0.0.1:{}/ping --rate 100 -d 10m --json load.json",
        server.1
    );
    let started = house.start(house.tacho(&arguments));
    until("it hears the signal", || hears(started.pid(), signal));
    started.signal(signal);
    let told = started.told();
    assert_eq!(told.code, Some(130), "{told:#?}");
    let written = std::fs::read(house.work().join("load.json")).expect("load.json");
    let report: serde_json::Value = serde_json::from_slice(&written).unwrap();
    assert!(report["requests"].is_u64(), "{report}");
    house.is_clean();
}

/// Whether the signal has a handler in it: before, it ends by the signal itself.
fn hears(pid: u32, signal: Signal) -> bool {
    let status = tacho_observe::process::Status::of(pid);
    status.is_ok_and(|status| status.catches(signal.as_raw()))
}

#[test]
fn sigterm_ends_a_load_with_its_json() {
    ends_a_load(Signal::TERM);
}

#[test]
fn sighup_ends_a_load_with_its_json() {
    ends_a_load(Signal::HUP);
}

fn ends_a_fit(signal: Signal) {
    let house = House::with("well", "launches: 3\n");
    let started = house
        .start(house.tacho("fit experiment.yaml --only memory --memory 128MiB --json fit.json"));
    until("a trial is under way", || {
        let all = house.run_folders();
        let mut files = all.iter().flat_map(|run| crate::house::below(run));
        files.any(|path| path.ends_with("launch.json"))
    });
    started.signal(signal);
    let told = started.told();
    assert_eq!(told.code, Some(130), "{told:#?}");
    house.report(&house.run_folder().unwrap());
    house.is_clean();
}

#[test]
fn sigterm_ends_a_fit_in_order() {
    ends_a_fit(Signal::TERM);
}

#[test]
fn sighup_ends_a_fit_in_order() {
    ends_a_fit(Signal::HUP);
}

fn ends_an_instrument(signal: Signal, name: &str, rest: &str, is_on: impl Fn(&Service) -> bool) {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let started = house.start(house.tacho(&format!("{name} {} {rest}", service.pid())));
    until("the instrument is in", || is_on(&service));
    started.signal(signal);
    let told = started.told();
    assert_eq!(told.code, Some(130), "{told:#?}");
    assert!(
        !told.out.is_empty(),
        "what was seen is not shown: {told:#?}"
    );
    service.is_as_it_was();
    house.is_clean();
}

fn has_agent(service: &Service) -> bool {
    service.jcmd("Thread.print").contains("\"tacho-agent\"")
}

#[test]
fn sighup_ends_a_trace_in_order() {
    ends_an_instrument(Signal::HUP, "trace", "com.acme.Shop.work -d 10m", has_agent);
}

#[test]
fn sigterm_ends_a_watch_in_order() {
    ends_an_instrument(
        Signal::TERM,
        "watch",
        "com.acme.Shop.work -n 10000 -d 10m",
        has_agent,
    );
}

#[test]
fn sighup_ends_a_profile_in_order() {
    let recorded = |service: &Service| service.is_recorded();
    ends_an_instrument(
        Signal::HUP,
        "profile",
        "-d 10m --recorder --out profile",
        recorded,
    );
}

/// `script` is the terminal; when it is killed, the kernel hangs the terminal up, and every write
/// to it fails (tty(4)).
#[test]
fn a_closed_terminal_ends_a_run_in_order() {
    let house = House::with("well", LIMITED);
    let script = "exec script --quiet --command \"echo \\$\\$ > pid; exec $0 run experiment.yaml\" /dev/null";
    let terminal = house.start(house.shell(script));
    house.until_measured();
    let pid = std::fs::read_to_string(house.work().join("pid")).unwrap();
    terminal.signal(Signal::KILL);
    let told = terminal.kill();
    let process = format!("/proc/{}", pid.trim());
    until("it ends", || !Path::new(&process).exists());
    was_ended_in_order(&house, &told);
}

#[test]
fn a_closed_terminal_takes_the_agent_out() {
    let mut house = House::new();
    let service = Service::start();
    house.welcome(service.pid());
    let script = format!(
        "exec script --quiet --command \"exec $0 trace {} com.acme.Shop.work -d 10m\" /dev/null",
        service.pid()
    );
    let terminal = house.start(house.shell(&script));
    until("the instrument is in", || has_agent(&service));
    terminal.signal(Signal::KILL);
    terminal.kill();
    service.is_as_it_was();
    house.is_clean();
}

/// The second one comes while the first is carried out, and later than what counts as the same
/// wish.
fn twice(first: Signal, second: Signal, life: &str) {
    let house = House::with(life, LIMITED);
    let started = house.start(house.tacho("run experiment.yaml"));
    house.until_measured();
    started.signal(first);
    std::thread::sleep(Duration::from_millis(400));
    let mut started = started;
    if started.is_running() {
        started.signal(second);
    }
    let told = started.told();
    let codes = [130, 128 + first.as_raw(), 128 + second.as_raw()];
    assert!(
        told.code.is_some_and(|code| codes.contains(&code)),
        "{told:#?}"
    );
    house.is_clean();
    house.report(&house.run_folder().unwrap());
    house.is_clean();
}

#[test]
fn sigint_twice_ends_at_once_and_leaves_nothing() {
    twice(Signal::INT, Signal::INT, "ignores-term");
}

#[test]
fn sighup_and_sigterm_end_at_once_and_leave_nothing() {
    twice(Signal::HUP, Signal::TERM, "ignores-term");
}

/// Who has seen enough is no error, and ends nothing.
#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let mut house = House::with("well", "");
    let server = Server::start(&mut house, "well");
    let url = format!("http://127.0.0.1:{}/ping", server.1);
    for (command, codes) in [
        ("run experiment.yaml".to_owned(), "0 3"),
        (format!("load {url} -n 50"), "0 3"),
        (format!("load {url} -n 50 --json -"), "0 3"),
        ("report runs/*".to_owned(), "0 3"),
        ("report runs/* --json -".to_owned(), "0 3"),
        ("schema results".to_owned(), "0"),
        ("--help".to_owned(), "0"),
        ("doctor".to_owned(), "0 4"),
    ] {
        for reader in ["head -1", "true"] {
            let script =
                format!("\"$0\" {command} | {reader} > head.txt; echo \"code ${{PIPESTATUS[0]}}\"");
            let told = house.run(house.shell(&script));
            let code = told.out.trim().rsplit_once("code ").unwrap().1.to_owned();
            assert!(
                codes.split(' ').any(|c| c == code),
                "{command} | {reader}: {told:#?}"
            );
            assert!(!told.err.contains("panicked"), "{told:#?}");
        }
        if command.starts_with("run") {
            let runs = house.run_folders();
            assert!(runs.iter().all(|run| run.join("report.html").exists()));
            // One is enough for those that follow.
            let _ = std::fs::remove_dir_all(&runs[0]);
        }
    }
    house.is_clean();
}

/// Whoever started it with SIGHUP ignored, as nohup(1) does, wants it to go on.
#[test]
fn a_hangup_that_is_ignored_ends_nothing() {
    let house = House::with("well", "launches: 4\nrest: 300ms\n");
    let started = house.start(house.shell("trap '' HUP; exec \"$0\" run experiment.yaml"));
    house.until_measured();
    started.signal(Signal::HUP);
    let told = started.told();
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    assert_eq!(House::launches(&house.run_folder().unwrap()).len(), 4);
    house.is_clean();
}
