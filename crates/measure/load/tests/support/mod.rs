//! A generator with a scratch folder, and the phases as one-liners.
#![allow(dead_code)]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tacho_load::testkit::{Act, TestServer, source};
use tacho_load::{
    Anchor, Control, Endpoint, Generator, LoadError, Options, RealTime, Recorder, Source,
};
use tacho_run_folder::{PhaseKind, PhasePlan, PhaseRecord, RequestRow};
use tacho_workload::Step;

pub struct Rig {
    pub generator: Generator,
    pub recorder: Recorder,
    pub control: Control,
    folder: tempfile::TempDir,
    phases: u32,
}

impl Rig {
    pub fn new(address: SocketAddr) -> Self {
        Self::with(address, &[Step::get("/")], Options::default())
    }

    /// Gives up on a request after so long.
    pub fn patient_for(address: SocketAddr, request_timeout: Duration) -> Self {
        let options = Options {
            request_timeout,
            ..Options::default()
        };
        Self::with(address, &[Step::get("/")], options)
    }

    pub fn with(address: SocketAddr, steps: &[Step], options: Options) -> Self {
        Self::to(Endpoint::new(address), steps, options)
    }

    /// To any endpoint; patient enough for a busy machine.
    pub fn to(endpoint: Endpoint, steps: &[Step], options: Options) -> Self {
        Self::try_to(endpoint, steps, options).unwrap()
    }

    pub fn try_to(endpoint: Endpoint, steps: &[Step], options: Options) -> Result<Self, LoadError> {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let anchor = Anchor::now();
        let recorder = Recorder::create_files(
            &path("phases.hlog"),
            &path("requests.csv"),
            &path("slowest.csv"),
            anchor,
        )
        .unwrap();
        let source = source(steps, &endpoint);
        Ok(Self {
            generator: Generator::new(endpoint, source, options)?,
            recorder,
            control: Control::new(),
            folder,
            phases: 0,
        })
    }

    pub fn with_source(endpoint: Endpoint, source: Box<dyn Source>, options: Options) -> Self {
        let recorded = Self::with(([127, 0, 0, 1], 1).into(), &[Step::get("/")], options);
        Self {
            generator: Generator::new(endpoint, source, options).unwrap(),
            ..recorded
        }
    }

    pub fn try_run(&mut self, label: &str, kind: PhaseKind) -> Result<PhaseRecord, LoadError> {
        let plan = PhasePlan {
            label: label.to_owned(),
            kind,
        };
        self.phases += 1;
        self.generator
            .run(self.phases - 1, &plan, &mut self.recorder, &self.control)
    }

    pub fn cold(&mut self, requests: u64) -> PhaseRecord {
        self.try_run("cold", PhaseKind::Cold { requests }).unwrap()
    }

    pub fn closed(&mut self, requests: u64, connections: u32, ramp_s: f64) -> PhaseRecord {
        let kind = PhaseKind::Closed {
            requests: Some(requests),
            duration_s: None,
            connections,
            ramp_s,
            think: None,
        };
        self.try_run("closed", kind).unwrap()
    }

    pub fn open(&mut self, rate: f64, duration_s: f64, connections: u32) -> PhaseRecord {
        let kind = PhaseKind::Open {
            rate,
            duration_s,
            connections,
        };
        self.try_run("open", kind).unwrap()
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn rows(&self, name: &str) -> Vec<RequestRow> {
        let file = std::fs::read(self.path(name)).unwrap();
        RequestRow::read(&file[..]).unwrap()
    }
}

/// A server that answers everything with `acts`.
pub fn always(acts: impl Into<Vec<Act>>) -> TestServer {
    let acts = acts.into();
    TestServer::start(move |_| acts.clone())
}

/// Every request is accounted for once.
pub fn assert_adds_up(record: &PhaseRecord) {
    let errors: u64 = record.errors.values().map(|e| e.count).sum();
    assert_eq!(record.requests, record.succeeded + errors, "{record:?}");
}

/// Counts by kind of error.
pub fn errors(record: &PhaseRecord) -> Vec<(&str, u64)> {
    let errors = record.errors.iter();
    errors.map(|(kind, e)| (kind.name(), e.count)).collect()
}

/// Waits for what another thread does. Two minutes are not a measurement; they turn a hang into an
/// error.
pub fn wait_until(it_is_so: impl Fn() -> bool) {
    let began = Instant::now();
    while !it_is_so() {
        assert!(began.elapsed() < Duration::from_secs(120), "nobody came");
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// Stops the phase when it is dropped, so that a failed wait does not leave a phase running for
/// ever.
pub struct Stops(pub Control);

impl Drop for Stops {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Drops a server once it has answered for a while, brings it back once the generator has failed
/// for a while, and stops the phase once it has answered again. The new server is returned, because
/// it has to outlive the phase.
pub fn dies_and_comes_back<S: Send + 'static>(
    control: Control,
    server: S,
    come_back: impl FnOnce() -> S + Send + 'static,
) -> JoinHandle<S> {
    std::thread::spawn(move || {
        let stops = Stops(control);
        let counters = || stops.0.counters();
        wait_until(|| counters().answered >= 20);
        drop(server);
        // Each lane may still fail with what was on its way; then the others are refused.
        let failed = counters().failed;
        wait_until(|| counters().failed >= failed + 10);
        let server = come_back();
        let answered = counters().answered;
        wait_until(|| counters().answered >= answered + 20);
        server
    })
}

/// What a phase saw that was stopped by [`dies_and_comes_back`].
pub fn assert_was_found_again(record: &PhaseRecord, rows: &[RequestRow]) {
    assert!(record.interrupted, "it ended by itself: {record:?}");
    assert_adds_up(record);
    let is = |outcome: &'static str| move |row: &RequestRow| row.outcome.to_string() == outcome;
    let refused = rows.iter().position(is("refused"));
    let (before, after) = rows.split_at(refused.unwrap());
    assert!(before.iter().any(is("200")), "{record:?}");
    assert!(after.iter().any(is("200")), "{record:?}");
}

/// A number that was seen, and what it may be; times in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    name: &'static str,
    seen: f64,
    /// However busy the machine is.
    never_below: f64,
    least: f64,
    most: f64,
}

impl Known {
    /// A duration that cannot be shorter on any machine, and on a fast enough machine is hardly
    /// longer: by 2 % or 5 ms, whichever is larger.
    pub fn takes(name: &'static str, seen: f64, truth: f64) -> Self {
        let never_below = truth - 1.0;
        Self {
            never_below,
            least: never_below,
            most: truth + tolerance(truth),
            ..Self::any(name, seen)
        }
    }

    /// Lateness of the generator may make it more or less than the truth.
    pub fn about(name: &'static str, seen: f64, truth: f64) -> Self {
        Self {
            least: truth - tolerance(truth),
            most: truth + tolerance(truth),
            ..Self::any(name, seen)
        }
    }

    /// At most so much, in a try that the machine did not spoil.
    pub fn at_most(name: &'static str, seen: f64, most: f64) -> Self {
        Self {
            most,
            ..Self::any(name, seen)
        }
    }

    /// At least so much, in a try that the machine did not spoil.
    pub fn at_least(name: &'static str, seen: f64, least: f64) -> Self {
        Self {
            least,
            ..Self::any(name, seen)
        }
    }

    /// Without the right to real-time scheduling, the generator is as late as the machine is busy.
    /// Then there is no upper bound.
    pub fn if_the_generator_goes_first(self) -> Self {
        let most = match RealTime::take() {
            Some(_) => self.most,
            None => f64::INFINITY,
        };
        Self { most, ..self }
    }

    fn any(name: &'static str, seen: f64) -> Self {
        Self {
            name,
            seen,
            never_below: f64::NEG_INFINITY,
            least: f64::NEG_INFINITY,
            most: f64::INFINITY,
        }
    }

    /// How far beyond what it may be.
    fn excess(&self) -> f64 {
        (self.seen - self.most).max(self.least - self.seen)
    }
}

fn tolerance(truth: f64) -> f64 {
    (truth * 0.02).max(5.0)
}

/// Every number must be within its range in one of several tries. Each number is checked by itself,
/// because a busy machine spoils another number in every try. A value that is impossible must not
/// occur in any try.
pub fn assert_agrees(attempt: impl Fn() -> Vec<Known>) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut best: Vec<Known> = Vec::new();
    for _ in 0..15 {
        let tried = attempt();
        for one in &tried {
            assert!(one.seen >= one.never_below, "too little: {one:?}");
        }
        if best.is_empty() {
            best = tried;
        } else {
            for (best, new) in best.iter_mut().zip(tried) {
                if new.excess() < best.excess() {
                    *best = new;
                }
            }
        }
        if best.iter().all(|one| one.excess() <= 0.0) {
            return;
        }
    }
    panic!("best of all tries: {best:#?}");
}
