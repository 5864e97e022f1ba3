//! Several workers are one generator: the same requests at the same instants, and one record of
//! them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::io::{self, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tacho_histogram_log::{Clock, LogLine, OverallTime, intervals};
use tacho_load::recorder::{Files, SINGLE_REQUESTS};
use tacho_load::testkit::{Act, Seen, TestServer};
use tacho_load::{Control, Endpoint, Engine, Generator, LoadError, Options, Scripted};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, Quantiles, RequestRow};
use tacho_workers::{Fleet, Heard, Link, Member, Order, work};
use tacho_workload::{Feed, FeedOrder, Step, Workload};
use tempfile::TempDir;

/// A worker on a thread of this process.
#[derive(Debug)]
struct Thread {
    orders: UnixStream,
}

impl Link for Thread {
    fn send(&mut self, order: &Order) -> io::Result<()> {
        let mut line = serde_json::to_vec(order)?;
        line.push(b'\n');
        self.orders.write_all(&line)
    }

    fn ended(&mut self) -> String {
        "it was cut off".to_owned()
    }
}

impl Drop for Thread {
    fn drop(&mut self) {
        let _ = self.orders.shutdown(Shutdown::Both);
    }
}

struct Rig {
    server: TestServer,
    /// What came, in the order in which it came.
    seen: Arc<Mutex<Vec<Seen>>>,
    folder: TempDir,
    control: Control,
    singles: usize,
}

impl Rig {
    fn new() -> Self {
        Self::answering(|_| vec![Act::ok("ok")])
    }

    fn answering(act: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static) -> Self {
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let keep = Arc::clone(&seen);
        let server = TestServer::start(move |request| {
            keep.lock().unwrap().push(request.clone());
            act(request)
        });
        Self {
            server,
            seen,
            folder: TempDir::new().unwrap(),
            control: Control::new(),
            singles: SINGLE_REQUESTS,
        }
    }

    fn files(&self) -> Files {
        Files::in_folder(self.folder.path())
    }

    fn worker_files(&self, worker: u32) -> Files {
        Files::in_folder(&self.folder.path().join(format!("worker-{worker}")))
    }

    /// So many workers that send this, and ends to cut them off by.
    fn fleet(&self, workers: u32, workload: &Workload) -> (Fleet, Vec<UnixStream>) {
        let (to_fleet, heard) = channel::<(usize, Heard)>();
        let (mut members, mut knives) = (Vec::new(), Vec::new());
        for worker in 1..=workers {
            let files = self.worker_files(worker);
            std::fs::create_dir_all(files.requests.parent().unwrap()).unwrap();
            let endpoint = Endpoint::new(self.server.address());
            let source = Scripted::of(workload, self.folder.path(), &endpoint, 1).unwrap();
            let generator = Generator::new(endpoint, Box::new(source), Options::default()).unwrap();
            let (here, there) = UnixStream::pair().unwrap();
            let reports = there.try_clone().unwrap();
            let own = files.clone();
            let singles = self.singles;
            std::thread::spawn(move || work(generator, &own, singles, there, reports));
            knives.push(here.try_clone().unwrap());
            let (index, to_fleet) = (worker as usize - 1, to_fleet.clone());
            let mut incoming = BufReader::new(here.try_clone().unwrap());
            std::thread::spawn(move || {
                let mut line = String::new();
                while io::BufRead::read_line(&mut incoming, &mut line).unwrap_or(0) > 0 {
                    let report = serde_json::from_str(&line).unwrap();
                    if to_fleet.send((index, Heard::Report(report))).is_err() {
                        return;
                    }
                    line.clear();
                }
                let _ = to_fleet.send((index, Heard::Nothing));
            });
            members.push(Member::new(Box::new(Thread { orders: here }), files));
        }
        let fleet = Fleet::gather(members, heard, self.files(), self.control.clone()).unwrap();
        (fleet.keeping_singles(self.singles), knives)
    }

    fn paths(&self) -> Vec<String> {
        let seen = self.seen.lock().unwrap();
        let path = |seen: &Seen| seen.head.split(' ').nth(1).unwrap().to_owned();
        let mut paths: Vec<String> = seen.iter().map(path).collect();
        paths.sort_by_key(|path| (path.len(), path.clone()));
        paths
    }
}

fn counting() -> Workload {
    Workload::of(Step::get("/{{counter}}"))
}

fn open(rate: f64, duration_s: f64) -> PhasePlan {
    let kind = PhaseKind::Open {
        rate,
        duration_s,
        connections: 12,
    };
    plan("open", kind)
}

fn closed(requests: u64, connections: u32) -> PhasePlan {
    let kind = PhaseKind::Closed {
        requests: Some(requests),
        duration_s: None,
        connections,
        ramp_s: 0.0,
        think: None,
    };
    plan("closed", kind)
}

fn plan(label: &str, kind: PhaseKind) -> PhasePlan {
    PhasePlan {
        label: label.to_owned(),
        kind,
    }
}

fn numbers(to: u64) -> Vec<String> {
    (1..=to).map(|n| format!("/{n}")).collect()
}

fn rows(path: &Path) -> Vec<RequestRow> {
    RequestRow::read(&std::fs::read(path).unwrap()[..]).unwrap()
}

/// Fewer here than else, so that the test is short.
#[test]
fn so_many_requests_are_kept_one_by_one_as_are_asked_for() {
    for (workers, singles, kept) in [(1, 20, 20), (2, 20, 20), (1, 1000, 60), (2, 1000, 60)] {
        let rig = Rig {
            singles,
            ..Rig::new()
        };
        let (mut fleet, _) = rig.fleet(workers, &counting());
        fleet.run(0, &closed(60, 2)).unwrap();
        fleet.finish().unwrap();
        let rows = rows(&rig.files().requests);
        assert_eq!(rows.len(), kept, "{workers} workers, {singles} kept");
    }
}

#[test]
fn an_open_loop_sends_the_same_requests_at_the_same_instants_whatever_the_number_of_workers() {
    for workers in [1, 3, 5] {
        let rig = Rig::new();
        let (mut fleet, _) = rig.fleet(workers, &counting());
        let record = fleet.run(0, &open(300.0, 1.0)).unwrap();
        fleet.finish().unwrap();
        assert_eq!(record.requests, 300, "{record:?}");
        assert_eq!(record.intended_rate, Some(300.0));
        assert_eq!(rig.paths(), numbers(300));
        let mut instants: Vec<u64> = rows(&rig.files().requests)
            .iter()
            .map(|row| row.intended_ns)
            .collect();
        instants.sort_unstable();
        assert_eq!(instants.len(), 300);
        for pair in instants.windows(2) {
            let apart = pair[1] - pair[0];
            assert!((3_333_333..=3_333_334).contains(&apart), "{apart}");
        }
        let shares: Vec<u64> = record.workers.iter().map(|part| part.requests).collect();
        assert_eq!(shares.len(), workers as usize);
        assert!(
            shares
                .iter()
                .all(|share| *share == 300 / u64::from(workers))
        );
        // Each says what it saw itself, by which the certificate holds it to be late or not.
        for part in &record.workers {
            let count = |times: Option<Quantiles>| times.unwrap().count;
            assert_eq!(count(part.response_time_ms), part.succeeded);
            assert_eq!(count(part.on_time_response_ms), part.succeeded);
        }
    }
}

#[test]
fn a_closed_loop_sends_each_request_once_and_only_who_has_work_takes_part() {
    let rig = Rig::new();
    let (mut fleet, _) = rig.fleet(4, &counting());
    let record = fleet.run(0, &closed(101, 7)).unwrap();
    assert_eq!(
        (record.requests, record.succeeded),
        (101, 101),
        "{record:?}"
    );
    assert_eq!(rig.paths(), numbers(101));
    // The first requests of a service are one worker's.
    let cold = fleet
        .run(1, &plan("cold", PhaseKind::Cold { requests: 5 }))
        .unwrap();
    assert_eq!((cold.requests, cold.workers.len()), (5, 1));
    let rest = fleet
        .run(2, &plan("rest", PhaseKind::Rest { duration_s: 0.01 }))
        .unwrap();
    assert_eq!(rest.requests, 0);
    let few = fleet.run(3, &closed(2, 7)).unwrap();
    assert_eq!((few.requests, few.workers.len()), (2, 2));
    fleet.finish().unwrap();
}

/// Histograms of a log by tag, over all of its seconds.
fn by_tag(path: &Path) -> BTreeMap<String, Histogram<u64>> {
    let mut sums: BTreeMap<String, Histogram<u64>> = BTreeMap::new();
    for line in intervals(BufReader::new(std::fs::File::open(path).unwrap())) {
        let (tag, histogram) = match line {
            LogLine::Interval(one) => {
                let clock = one.clock == Clock::Response;
                (format!("{} {} {clock}", one.request, one.ok), one.histogram)
            }
            LogLine::Overall(one) => {
                let time = match one.time {
                    OverallTime::DispatchDelay => "delay",
                    OverallTime::GeneratorLag => "lag",
                    OverallTime::OnTime => "on time",
                };
                (time.to_owned(), one.histogram)
            }
            LogLine::Unreadable => panic!("a line of {} is unreadable", path.display()),
        };
        let sum = sums
            .entry(tag)
            .or_insert_with(|| Histogram::new(3).unwrap());
        sum.add(&histogram).unwrap();
    }
    sums
}

fn buckets(of: &BTreeMap<String, Histogram<u64>>) -> BTreeMap<String, Vec<(u64, u64)>> {
    let counts = |histogram: &Histogram<u64>| {
        histogram
            .iter_recorded()
            .map(|value| (value.value_iterated_to(), value.count_at_value()))
            .collect()
    };
    let tags = of.iter();
    tags.map(|(tag, histogram)| (tag.clone(), counts(histogram)))
        .collect()
}

#[test]
fn what_is_merged_is_the_union_of_theirs_bucket_for_bucket() {
    // Some fail, and some take their time.
    let rig = Rig::answering(|seen| match seen.number % 7 {
        0 => vec![Act::status(500, "")],
        1 => vec![Act::Wait(Duration::from_millis(3)), Act::ok("late")],
        _ => vec![Act::ok("ok")],
    });
    let (mut fleet, _) = rig.fleet(3, &counting());
    let first = fleet.run(0, &open(400.0, 1.5)).unwrap();
    let second = fleet.run(1, &closed(500, 6)).unwrap();
    fleet.finish().unwrap();

    let mut union: BTreeMap<String, Histogram<u64>> = BTreeMap::new();
    for worker in 1..=3 {
        for (tag, histogram) in by_tag(&rig.worker_files(worker).histograms) {
            let sum = union
                .entry(tag)
                .or_insert_with(|| Histogram::new(3).unwrap());
            sum.add(&histogram).unwrap();
        }
    }
    let merged = by_tag(&rig.files().histograms);
    assert_eq!(buckets(&merged), buckets(&union));

    let recorded: u64 = [&first, &second].iter().map(|r| r.requests).sum();
    let failed = |r: &PhaseRecord| r.errors.values().map(|e| e.count).sum::<u64>();
    assert_eq!(recorded, 600 + 500);
    let ok = merged["0 true true"].len();
    assert_eq!(ok, first.succeeded + second.succeeded);
    assert_eq!(
        merged["0 false true"].len(),
        failed(&first) + failed(&second)
    );
    let counted = first.response_time_ms.unwrap().count + second.response_time_ms.unwrap().count;
    assert_eq!(counted, ok);
    // The slowest of each phase are the slowest of all.
    let slowest = rows(&rig.files().slowest);
    assert_eq!(slowest.len(), 200);
    for phase in 0..2 {
        let mut all: Vec<u64> = (1..=3)
            .flat_map(|worker| rows(&rig.worker_files(worker).slowest))
            .filter(|row| row.phase == phase)
            .map(|row| row.end_ns - row.intended_ns)
            .collect();
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.truncate(100);
        let kept: Vec<u64> = slowest
            .iter()
            .filter(|row| row.phase == phase)
            .map(|row| row.end_ns - row.intended_ns)
            .collect();
        assert_eq!(kept, all);
    }
}

#[test]
fn each_request_has_the_row_of_a_feed_that_it_has_with_one_generator() {
    let rig = Rig::new();
    let names: String = (0..40).map(|n| format!("row{n}\n")).collect();
    let path = rig.folder.path().join("names.csv");
    std::fs::write(&path, format!("name\n{names}")).unwrap();
    let mut workload = Workload::of(Step::get("/{{counter}}-{{names.name}}"));
    workload
        .feeds
        .push(Feed::of_file("names", &path, FeedOrder::Cycle).unwrap());
    let (mut fleet, _) = rig.fleet(3, &workload);
    let record = fleet.run(0, &open(200.0, 0.5)).unwrap();
    fleet.finish().unwrap();
    assert_eq!(record.succeeded, 100, "{record:?}");
    let mut wanted: Vec<String> = (0..100)
        .map(|n| format!("/{}-row{}", n + 1, n % 40))
        .collect();
    wanted.sort_by_key(|path| (path.len(), path.clone()));
    assert_eq!(rig.paths(), wanted);
}

#[test]
fn a_worker_that_is_lost_ends_the_phase_and_is_named() {
    let rig = Rig::new();
    let (mut fleet, knives) = rig.fleet(3, &counting());
    let before = fleet.run(0, &closed(30, 3)).unwrap();
    assert!(!before.interrupted);
    let seen = Arc::clone(&rig.seen);
    // In the middle of the phase: as soon as requests of it have come.
    let cut = std::thread::spawn(move || {
        while seen.lock().unwrap().len() < 60 {
            std::thread::sleep(Duration::from_millis(1));
        }
        knives[1].shutdown(Shutdown::Both).unwrap();
        knives
    });
    let record = fleet.run(1, &open(100.0, 600.0)).unwrap();
    cut.join().unwrap();
    assert!(record.interrupted);
    let lost: Vec<(u32, Option<&str>)> = record
        .workers
        .iter()
        .map(|part| (part.worker, part.lost.as_deref()))
        .collect();
    assert_eq!(lost, [(1, None), (2, Some("it was cut off")), (3, None)]);
    assert_eq!(fleet.lost(), [(2, "it was cut off".to_owned())]);
    // The work of the lost worker before that phase is in the figures; its work in that phase is in
    // none.
    let own = rows(&rig.worker_files(2).requests);
    assert!(own.iter().any(|row| row.phase == 0));
    fleet.finish().unwrap();
    let kept = rows(&rig.files().requests);
    assert_eq!(kept.iter().filter(|row| row.phase == 0).count(), 30);
    let in_phase = kept.iter().filter(|row| row.phase == 1).count() as u64;
    assert_eq!(in_phase, record.requests);
}

#[test]
fn stop_ends_all_of_them_in_order() {
    let rig = Rig::new();
    let (mut fleet, _) = rig.fleet(2, &counting());
    let (seen, control) = (Arc::clone(&rig.seen), rig.control.clone());
    let stop = std::thread::spawn(move || {
        while seen.lock().unwrap().len() < 20 {
            std::thread::sleep(Duration::from_millis(1));
        }
        control.stop();
    });
    let record = fleet.run(0, &open(100.0, 600.0)).unwrap();
    stop.join().unwrap();
    assert!(record.interrupted && fleet.lost().is_empty());
    fleet.finish().unwrap();
}

#[test]
fn what_a_worker_cannot_do_is_told_with_its_number() {
    let rig = Rig::new();
    let (mut fleet, _) = rig.fleet(2, &counting());
    let impossible = plan(
        "open",
        PhaseKind::Open {
            rate: -1.0,
            duration_s: 1.0,
            connections: 4,
        },
    );
    let told = fleet.run(0, &impossible).unwrap_err();
    assert!(matches!(told, LoadError::Worker { .. }), "{told}");
    assert!(told.to_string().starts_with("worker "), "{told}");
}
