//! Workers that are reached over a connection, as those of a cluster are: the program itself, and
//! the terminal's side of it.

use crate::command::Load;
use crate::server::{first_lines, remembering, url};
use crate::support::tacho;
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::BufReader;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};
use tacho_load::recorder::Files;
use tacho_load::{Control, Engine};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord};
use tacho_workers::remote::{Given, Way, join};
use tacho_workers::{Fleet, FleetError};

/// Such a worker, and where it listens.
struct Worker {
    process: Child,
    port: u16,
}

impl Worker {
    fn begin() -> Self {
        Self::of(tacho())
    }

    /// One whose monotonic clock differs by so many seconds, as that of another machine does
    /// (time_namespaces(7)).
    fn ahead(seconds: i32) -> Self {
        let tacho = tacho();
        let mut command = Command::new("unshare");
        command
            .args(["--time", "--fork", "--kill-child", "--monotonic"])
            .arg(seconds.to_string())
            .arg(tacho.get_program())
            .args(tacho.get_args());
        let environment = tacho.get_envs();
        command.envs(environment.filter_map(|(name, value)| Some((name, value?))));
        Self::of(command)
    }

    fn of(mut command: Command) -> Self {
        // Free a moment ago.
        let port = {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            listener.local_addr().unwrap().port()
        };
        let process = command
            .args(["load", "--as-worker", &format!("127.0.0.1:{port}")])
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        Self { process, port }
    }

    fn way(&self) -> Way {
        let since = Instant::now();
        loop {
            match TcpStream::connect(("127.0.0.1", self.port)) {
                Ok(stream) => return Way::try_from(stream).unwrap(),
                Err(error) => assert!(since.elapsed().as_secs() < 60, "{error}"),
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn gathered(workers: &[Worker], folder: &Path, given: &Given) -> Result<Fleet, FleetError> {
    let (to_fleet, heard) = channel();
    let mut members = Vec::new();
    for (worker, number) in workers.iter().zip(1..) {
        let why = Box::new(|| Some("its machine is gone".to_owned()));
        members.push(join(number, worker.way(), folder, given, why, &to_fleet)?);
    }
    drop(to_fleet);
    Fleet::gather(members, heard, Files::in_folder(folder), Control::new())
}

fn given(arguments: &[&str]) -> Given {
    Given {
        arguments: arguments.iter().map(|&one| one.to_owned()).collect(),
        files: Vec::new(),
    }
}

fn open(rate: f64, duration_s: f64) -> PhasePlan {
    PhasePlan {
        label: "open".to_owned(),
        kind: PhaseKind::Open {
            rate,
            duration_s,
            connections: 8,
        },
    }
}

fn parts(record: &PhaseRecord) -> Vec<u64> {
    record.workers.iter().map(|part| part.requests).collect()
}

/// How many requests a histogram log holds.
fn in_log(path: &Path) -> u64 {
    let mut log = tacho_histogram_log::LogReader::new();
    let mut count = 0;
    let text = std::fs::read(path).unwrap();
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if let Some(tacho_histogram_log::LogLine::Interval(interval)) = log.line(line)
            && interval.ok
            && matches!(interval.clock, tacho_histogram_log::Clock::Response)
        {
            count += interval.histogram.len();
        }
    }
    count
}

#[test]
fn workers_elsewhere_send_one_load_and_hand_over_all_that_they_recorded() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("users.csv"), "name\nann\nbob\ncid\n").unwrap();
    let given = Given {
        arguments: vec![
            "--header=X-Run: elsewhere".to_owned(),
            "--feed=users=feed-0/users.csv".to_owned(),
            url(&server, "/{{counter}}/{{users.name}}"),
        ],
        files: vec![(
            "feed-0/users.csv".to_owned(),
            folder.path().join("users.csv"),
        )],
    };
    let workers = [Worker::begin(), Worker::begin()];
    let mut fleet = gathered(&workers, folder.path(), &given).unwrap();
    let first = fleet.run(0, &open(200.0, 1.0)).unwrap();
    let second = fleet.run(1, &open(100.0, 1.0)).unwrap();
    assert_eq!((first.requests, second.requests), (200, 100));
    assert_eq!(parts(&first), [100, 100]);
    // Of one machine, so that there is one clock.
    assert_eq!(fleet.clocks_within_ns(), 0);
    assert!(fleet.lost().is_empty());
    fleet.finish().unwrap();
    let sent = first_lines(&seen);
    assert_eq!(sent.len(), 300);
    assert!(sent.contains(&"GET /1/ann HTTP/1.1".to_owned()), "{sent:?}");
    let heads = seen.lock().unwrap();
    assert!(
        heads
            .iter()
            .all(|one| one.head.contains("X-Run: elsewhere"))
    );
    // Nothing of the two is missing in the one.
    let all = in_log(&folder.path().join("phases.hlog"));
    let each = [1, 2].map(|n| in_log(&folder.path().join(format!("worker-{n}/phases.hlog"))));
    assert_eq!(all, each.iter().sum::<u64>());
    assert_eq!(all, 300);
    let rows = File::open(folder.path().join("requests.csv")).unwrap();
    let rows = tacho_run_folder::RequestRow::read(BufReader::new(rows)).unwrap();
    assert_eq!(rows.len(), 300);
}

/// Each worker knows its own clock alone: one is three seconds ahead of the terminal, one behind.
#[test]
fn workers_whose_clocks_are_three_seconds_apart_send_at_the_same_instants() {
    let unshared = Command::new("unshare")
        .args(["--time", "--fork", "true"])
        .status();
    if !unshared.is_ok_and(|status| status.success()) {
        println!("skipped: unshare(1) may not make a time namespace here; run it as root");
        return;
    }
    let (server, _) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let workers = [Worker::ahead(3), Worker::begin(), Worker::ahead(-3)];
    let mut fleet = gathered(&workers, folder.path(), &given(&[&url(&server, "/")])).unwrap();
    let first = fleet.clocks_within_ns();
    let record = fleet.run(0, &open(300.0, 1.0)).unwrap();
    // They were compared, and not taken for one.
    let second = fleet.clocks_within_ns();
    assert!(first > 0 && second > 0);
    assert_eq!(parts(&record), [100; 3]);
    fleet.finish().unwrap();
    let rows = File::open(folder.path().join("requests.csv")).unwrap();
    let rows = tacho_run_folder::RequestRow::read(BufReader::new(rows)).unwrap();
    let mut wanted: Vec<u64> = rows.iter().map(|row| row.intended_ns).collect();
    wanted.sort_unstable();
    assert_eq!(wanted.len(), 300);
    // By the terminal's clock they are as far apart as the rate says, as well as clocks are known.
    for (number, at) in wanted.iter().enumerate() {
        let expected = wanted[0] + number as u64 * 1_000_000_000 / 300;
        let known = 2 * (first + second) + 1_000;
        assert!(at.abs_diff(expected) <= known, "{number}: {at}, {expected}");
    }
}

#[test]
fn one_that_is_killed_is_named_with_the_reason() {
    let (server, seen) = remembering();
    let folder = tempfile::tempdir().unwrap();
    let workers = [Worker::begin(), Worker::begin()];
    let given = given(&[&url(&server, "/")]);
    let mut fleet = gathered(&workers, folder.path(), &given).unwrap();
    let pid = workers[1].process.id();
    let killer = std::thread::spawn({
        let seen = seen.clone();
        move || {
            while seen.lock().unwrap().len() < 50 {
                std::thread::sleep(Duration::from_millis(5));
            }
            kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL).unwrap();
        }
    });
    let record = fleet.run(0, &open(200.0, 600.0)).unwrap();
    killer.join().unwrap();
    assert!(record.interrupted);
    let lost = record.workers[1].lost.as_deref();
    assert_eq!(lost, Some("its machine is gone"));
    assert!(record.workers[0].lost.is_none());
    assert_eq!(fleet.lost(), [(2, "its machine is gone".to_owned())]);
    fleet.finish().unwrap();
}

#[test]
fn what_a_worker_does_not_understand_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let workers = [Worker::begin()];
    let given = given(&["--no-such-option", "http://127.0.0.1:1/"]);
    let Err(FleetError::NotReady { worker: 1, message }) =
        gathered(&workers, folder.path(), &given)
    else {
        panic!("it was ready");
    };
    assert!(message.contains("it ended (exit status: 2)"), "{message}");
}

#[test]
fn a_worker_ends_with_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut worker = [Worker::begin()];
    let given = given(&["http://127.0.0.1:1/"]);
    let fleet = gathered(&worker, folder.path(), &given).unwrap();
    drop(fleet);
    assert!(worker[0].process.wait().unwrap().success());
}

#[test]
fn on_a_cluster_its_kubeconfig_is_read_and_what_is_of_this_machine_refused() {
    // Where no image is named: it may say how one gets there.
    Load::new("--on kubernetes --kubeconfig /nowhere/config --workers 2 http://there/")
        .run()
        .exits(4)
        .says("/nowhere/config cannot be read");
    Load::new("--on kubernetes --image r/tacho --unix-socket /run/a.sock http://there/")
        .run()
        .exits(2)
        .says("leave it out, or load without --on");
    Load::new("--image r/tacho http://there/")
        .run()
        .exits(2)
        .says("--on");
}
