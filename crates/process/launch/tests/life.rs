//! A process from its start to its end, with real processes.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod common;

use common::{Bench, FAKE, eventually, is_alive, read};
use std::os::unix::fs::PermissionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_clock::monotonic_ns;
use tacho_launch::processes::Process;
use tacho_launch::{Exit, RunError, SpawnError, run_to_end};
use tacho_observe::processors;

/// Only a hang is longer.
const LONG: Duration = Duration::from_secs(120);

#[test]
fn exec_lies_between_the_call_and_its_return() {
    let bench = Bench::new();
    let before = monotonic_ns();
    let child = bench.start(&["sleep", "100"]);
    assert!(before < child.exec_ns() && child.exec_ns() < monotonic_ns());
    let realtime = child.anchor().realtime_ns;
    let wall = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    assert!(Duration::from_nanos(realtime) <= wall);
    assert!(wall - Duration::from_nanos(realtime) < LONG);
}

#[test]
fn both_streams_are_appended_to_the_log_and_input_is_empty() {
    let bench = Bench::new();
    std::fs::write(bench.log(), "earlier\n").unwrap();
    let mut child = bench.start(&["sh", "-c", "echo out; echo err >&2; cat; echo end"]);
    assert_eq!(child.wait_timeout(LONG).unwrap(), Some(Exit::Code(0)));
    assert_eq!(read(&bench.log()), "earlier\nout\nerr\nend\n");
    assert_eq!(child.log_start(), 8);
}

#[test]
fn the_environment_is_added_to_the_inherited_and_marked() {
    let bench = Bench::new();
    let mut spawn = bench.command(&[
        "sh",
        "-c",
        "echo $GREETING $TACHO_LAUNCH ${PATH:+path} $PWD",
    ]);
    spawn.environment.insert("GREETING".into(), "hello".into());
    let id = spawn.lease.id().to_owned();
    let directory = spawn.directory.canonicalize().unwrap();
    let finished = run_to_end(spawn, &AtomicBool::new(false), LONG).unwrap();
    assert_eq!(
        finished.tail,
        [format!("hello {id} path {}", directory.display())]
    );
}

#[test]
fn it_leads_a_session_of_its_own_and_keeps_its_name() {
    let bench = Bench::new();
    let mut child = bench.start(&["sh", "-c", "echo $0; cut -d' ' -f5,6 /proc/self/stat"]);
    child.wait_timeout(LONG).unwrap();
    let pid = child.pid();
    assert_eq!(read(&bench.log()), format!("sh\n{pid} {pid}\n"));
}

#[test]
fn descriptors_of_tacho_are_not_inherited() {
    let bench = Bench::new();
    // Rust opens files close-on-exec; this one is like one that Tacho got from its own parent.
    let file = std::fs::File::create(bench.path("of-tacho")).unwrap();
    rustix::io::fcntl_setfd(&file, rustix::io::FdFlags::empty()).unwrap();
    let mut child = bench.start(&["ls", "-l", "/proc/self/fd"]);
    child.wait_timeout(LONG).unwrap();
    let open = read(&bench.log());
    assert!(open.contains("/dev/null"), "{open}");
    assert!(!open.contains("of-tacho"), "{open}");
}

#[test]
fn exits_are_told_apart() {
    let bench = Bench::new();
    for (script, exit) in [
        ("exit 0", Exit::Code(0)),
        ("exit 7", Exit::Code(7)),
        ("kill -SEGV $$", Exit::Signal(11)),
    ] {
        let mut child = bench.start(&["sh", "-c", script]);
        assert_eq!(child.wait_timeout(LONG).unwrap(), Some(exit));
        // Asked again it says the same, and it can still be ended in order.
        assert_eq!(child.try_wait().unwrap(), Some(exit));
        assert_eq!(child.terminate(LONG).unwrap(), exit);
    }
}

#[test]
fn waiting_ends_with_the_time_or_with_the_process() {
    let bench = Bench::new();
    let mut child = bench.start(&["sleep", "100"]);
    assert_eq!(child.wait_timeout(Duration::from_millis(20)).unwrap(), None);
    let mut short = bench.start(&["sleep", "0.05"]);
    let began = Instant::now();
    assert_eq!(short.wait_timeout(LONG).unwrap(), Some(Exit::Code(0)));
    assert!(began.elapsed() < LONG);
}

#[test]
fn a_subject_that_heeds_sigterm_ends_by_itself() {
    let bench = Bench::new();
    let mut child = bench.start(&[
        "sh",
        "-c",
        "trap 'echo bye; exit 3' TERM; echo up; while :; do sleep 0.01; done",
    ]);
    assert!(eventually(LONG, || read(&bench.log()).contains("up")));
    assert_eq!(child.terminate(LONG).unwrap(), Exit::Code(3));
    assert!(read(&bench.log()).ends_with("bye\n"));
}

#[test]
fn a_subject_that_ignores_sigterm_is_killed_after_the_grace() {
    let bench = Bench::new();
    let mut child = bench.start(&[
        "sh",
        "-c",
        "trap '' TERM; echo up; while :; do sleep 1; done",
    ]);
    assert!(eventually(LONG, || read(&bench.log()).contains("up")));
    let exit = child.terminate(Duration::from_millis(50)).unwrap();
    assert_eq!(exit, Exit::Signal(9));
}

/// The wish comes while the grace goes on.
#[test]
fn a_grace_that_becomes_shorter_is_over_sooner() {
    let bench = Bench::new();
    let mut child = bench.start(&[
        "sh",
        "-c",
        "trap 'echo asked' TERM; echo up; while :; do sleep 0.01; done",
    ]);
    assert!(eventually(LONG, || read(&bench.log()).contains("up")));
    let log = bench.log();
    let grace = || match read(&log).contains("asked") {
        true => Duration::from_millis(50),
        false => LONG,
    };
    let began = Instant::now();
    let exit = child.terminate_within(grace, Vec::new).unwrap();
    assert_eq!(exit, Exit::Signal(9));
    assert!(began.elapsed() < LONG);
}

#[test]
fn the_service_behind_a_wrapper_is_asked_to_end_too() {
    let bench = Bench::new();
    let mut child = bench.start(&[
        "sh",
        "-c",
        "sh -c 'trap \"echo bye; exit 0\" TERM; echo up; while :; do sleep 0.01; done' & wait",
    ]);
    assert!(eventually(LONG, || read(&bench.log()).contains("up")));
    child.terminate(LONG).unwrap();
    assert!(
        read(&bench.log()).ends_with("bye\n"),
        "{}",
        read(&bench.log())
    );
}

#[test]
fn daemons_that_left_the_session_are_ended_with_the_launch() {
    let bench = Bench::new();
    let mut child = bench.start(&[
        "sh",
        "-c",
        "(setsid sleep 1000 & echo $! >daemon); sleep 1000",
    ]);
    let mark = child.lease().id().to_owned();
    // While a program is replaced by another its environment is empty, and with it the mark.
    let sleeps = |pid| {
        Process::read(pid).is_some_and(|process| {
            process.command().as_deref() == Some("sleep 1000") && process.has_mark(&mark)
        })
    };
    let daemon = || read(&bench.path("daemon")).trim().parse::<u32>().ok();
    assert!(eventually(LONG, || daemon().is_some_and(sleeps)));
    let (daemon, pid) = (daemon().unwrap(), child.pid());
    drop(child);
    // The child is waited for; the daemon is not ours to wait for, and dies when the kernel has the
    // time.
    assert!(!is_alive(pid));
    assert!(eventually(LONG, || !is_alive(daemon)));
    // Reaped, not left as a zombie; and the lease is gone.
    assert!(Process::read(pid).is_none());
    assert_eq!(std::fs::read_dir(bench.leases().path()).unwrap().count(), 0);
}

#[test]
fn processes_that_the_caller_names_are_killed_as_well() {
    let bench = Bench::new();
    let mut stranger = std::process::Command::new("sleep")
        .arg("1000")
        .spawn()
        .unwrap();
    let pid = stranger.id();
    let mut child = bench.start(&["sleep", "1000"]);
    child.terminate_with(Duration::ZERO, || vec![pid]).unwrap();
    let status = stranger.wait().unwrap();
    assert!(!status.success());
}

#[test]
fn the_subject_lives_on_when_the_thread_that_asked_for_it_ends() {
    let bench = Bench::new();
    let spawn = bench.command(&["sleep", "1000"]);
    let mut child = std::thread::spawn(move || tacho_launch::spawn(spawn).unwrap())
        .join()
        .unwrap();
    assert_eq!(
        child.wait_timeout(Duration::from_millis(300)).unwrap(),
        None
    );
}

#[test]
fn what_cannot_be_started_says_why() {
    let bench = Bench::new();
    let write = |name: &str, text: &[u8], mode: u32| {
        std::fs::write(bench.path(name), text).unwrap();
        std::fs::set_permissions(bench.path(name), std::fs::Permissions::from_mode(mode)).unwrap();
    };
    write("plain", b"#!/bin/sh\n", 0o644);
    write("no-interpreter", b"#!/no/such/shell\n", 0o755);
    let error = |command: &[&str]| bench.try_start(command).unwrap_err();
    assert!(matches!(error(&[]), SpawnError::EmptyCommand));
    assert!(matches!(
        error(&["no-such-program"]),
        SpawnError::NotFound { .. }
    ));
    assert!(matches!(error(&["./missing"]), SpawnError::NotFound { .. }));
    assert!(matches!(
        error(&["./plain"]),
        SpawnError::NotExecutable { .. }
    ));
    assert!(matches!(
        error(&["./no-interpreter"]),
        SpawnError::InterpreterMissing { .. }
    ));

    let mut spawn = bench.command(&["true"]);
    spawn.directory = bench.path("nowhere");
    assert!(matches!(
        tacho_launch::spawn(spawn),
        Err(SpawnError::Directory { .. })
    ));
    let mut spawn = bench.command(&["true"]);
    spawn.log = bench.path("nowhere/log.txt");
    assert!(matches!(
        tacho_launch::spawn(spawn),
        Err(SpawnError::Log { .. })
    ));
    // Nothing is left on record of what was not started.
    assert_eq!(std::fs::read_dir(bench.leases().path()).unwrap().count(), 0);
}

#[test]
fn groups_are_joined_before_exec_by_the_child_itself() {
    let bench = Bench::new();
    // The kernel takes `0` for the writer; a plain file shows what was written.
    std::fs::write(bench.path("cgroup.procs"), "").unwrap();
    let mut spawn = bench.command(&["sh", "-c", "cat cgroup.procs"]);
    spawn.join = vec![bench.path("cgroup.procs")];
    let finished = run_to_end(spawn, &AtomicBool::new(false), LONG).unwrap();
    assert_eq!(finished.tail, ["0"]);
}

#[test]
fn a_group_that_cannot_be_joined_is_named_and_nothing_runs() {
    let bench = Bench::new();
    let mut spawn = bench.command(&["sh", "-c", "echo ran"]);
    // Opens for writing, but refuses what is written (ENOSPC).
    spawn.join = vec!["/dev/null".into(), "/dev/full".into()];
    match tacho_launch::spawn(spawn) {
        Err(SpawnError::JoinFailed { path, .. }) => assert_eq!(path.to_str(), Some("/dev/full")),
        other => panic!("{other:?}"),
    }
    let mut spawn = bench.command(&["sh", "-c", "echo ran"]);
    spawn.join = vec![bench.path("gone/cgroup.procs")];
    assert!(matches!(
        tacho_launch::spawn(spawn),
        Err(SpawnError::JoinFailed { .. })
    ));
    assert_eq!(read(&bench.log()), "");
}

#[test]
fn a_command_that_runs_to_its_end_gives_its_tail() {
    let bench = Bench::new();
    let spawn = bench.command(&["sh", "-c", "echo one; echo two; exit 4"]);
    let finished = run_to_end(spawn, &AtomicBool::new(false), LONG).unwrap();
    assert_eq!(finished.exit, Exit::Code(4));
    assert_eq!(finished.tail, ["one", "two"]);
    assert!(finished.seconds > 0.0 && finished.seconds < LONG.as_secs_f64());
}

#[test]
fn a_command_is_ended_by_the_stop_flag_and_by_the_timeout() {
    let bench = Bench::new();
    let stop = AtomicBool::new(false);
    let spawn = bench.command(&["sleep", "1000"]);
    let result = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(60));
            stop.store(true, Ordering::Relaxed);
        });
        run_to_end(spawn, &stop, LONG)
    });
    assert!(matches!(result, Err(RunError::Stopped)), "{result:?}");

    // How long it is given to say something, in seconds: not long on a machine that is left alone.
    let said = [0.3, 3.0, 15.0, 75.0]
        .into_iter()
        .any(|seconds| tail_of_what_hangs(&bench, seconds) == ["stuck here"]);
    assert!(said, "it has said nothing");
}

/// What a command has said that is ended after so long.
fn tail_of_what_hangs(bench: &Bench, seconds: f64) -> Vec<String> {
    let spawn = bench.command(&["sh", "-c", "echo stuck here; sleep 1000"]);
    let timeout = Duration::from_secs_f64(seconds);
    match run_to_end(spawn, &AtomicBool::new(false), timeout) {
        Err(RunError::TimedOut { tail, .. }) => tail,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_finished_command_leaves_nothing_in_the_background() {
    let bench = Bench::new();
    let spawn = bench.command(&["sh", "-c", "sleep 1000 & echo $!"]);
    let finished = run_to_end(spawn, &AtomicBool::new(false), LONG).unwrap();
    let pid = finished.tail[0].parse().unwrap();
    assert!(!is_alive(pid));
}

#[test]
fn the_fake_exits_with_the_code_that_it_is_told() {
    let bench = Bench::new();
    let mut child = bench.start(&[FAKE, "exit", "9"]);
    assert_eq!(child.wait_timeout(LONG).unwrap(), Some(Exit::Code(9)));
}

/// Whoever asks is on processors of its own, and so is what it starts, whichever thread forks.
#[test]
fn a_child_runs_where_the_thread_that_asked_for_it_may_run() {
    let bench = Bench::new();
    let Some(two) = processors::halves().unwrap() else {
        return;
    };
    for half in two.halves.iter().chain(&two.halves) {
        let started = processors::on(half, || {
            let asked = std::thread::scope(|scope| {
                let thread = scope.spawn(|| bench.start(&["sleep", "100"]));
                thread.join().unwrap()
            });
            processors::strayed(&[asked.pid()], half)
        });
        assert_eq!(started.unwrap(), 0);
    }
    let free = bench.start(&["sleep", "100"]);
    assert_eq!(processors::strayed(&[free.pid()], &two.halves[0]), 1);
}
