//! A generator with a scratch folder, and the phases as one-liners.
#![allow(dead_code)]

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tacho_load::testkit::{Act, TestServer, source};
use tacho_load::{Anchor, Control, Endpoint, Generator, LoadError, Options, Recorder, Source};
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

/// A number that was seen, beside what it is known to be, both in milliseconds.
pub type Comparison = (&'static str, f64, f64);

/// Every number must come within 2 % or 1 ms of the truth, whichever is larger, in one of several
/// tries; each number by itself, because a busy machine spoils another one in every try.
pub fn assert_agrees(attempt: impl Fn() -> Vec<Comparison>) {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _turn = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let mut best: Vec<Comparison> = Vec::new();
    for _ in 0..15 {
        let tried = attempt();
        if best.is_empty() {
            best = tried;
        } else {
            for (best, new) in best.iter_mut().zip(tried) {
                if excess(&new) < excess(best) {
                    *best = new;
                }
            }
        }
        if best.iter().all(|one| excess(one) <= 0.0) {
            return;
        }
    }
    panic!("(name, seen, truth), best of all tries: {best:#?}");
}

/// How far beyond the tolerance.
fn excess((_, seen, truth): &Comparison) -> f64 {
    (seen - truth).abs() - (truth * 0.02).max(1.0)
}
