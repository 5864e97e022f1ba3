//! Processes with a scripted life: no process, no socket, and no time that passes but the one that
//! their script names.

use super::{
    End, Observation, Observer, Place, Readiness, Route, StartSpec, Subject, Traffic, Warmed,
    failed,
};
use crate::answers::Answer;
use crate::error::RunError;
use crate::processors::{Counters, Share};
use crate::requests::Question;
use crate::stop::Stop;
use crate::warming::Warmer;
use std::collections::VecDeque;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tacho_experiment::WarmUp;
use tacho_launch::failure::Evidence;
use tacho_launch::ready::{NotReady, Ready, Why};
use tacho_launch::{Anchor, Exit};
use tacho_load::{Control, LoadError};
use tacho_run_folder::{
    ErrorCount, FailureCause, LaunchOutcome, Limits, LimitsSeen, PhaseKind, PhasePlan, PhaseRecord,
    PhaseTag, ResourcePoint, ResourceSummary, TimeLine, WarmUpRecord,
};

/// A step of a launch, at which something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum At {
    /// When it has just been started.
    Start,
    /// While it is watched.
    Watch,
    /// When it has just become ready.
    Ready,
    WarmUp,
    /// Or the question with this number.
    Phase(u32),
    /// When it is asked to end.
    End,
}

/// What it answers to requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answers {
    Well,
    Garbage,
    Tls,
    Never,
}

/// What will happen to a process, as a builder.
#[derive(Debug, Clone)]
pub struct Life {
    not_started: Option<String>,
    listens_after: Option<Duration>,
    speaks_http: bool,
    answers: Answers,
    exits: Option<(At, Exit)>,
    oom_kills: u64,
    interrupted: Option<At>,
    stopped_in: Option<u32>,
    ignores_sigterm: bool,
    outside: bool,
    left_out_of_log: u64,
    log: Vec<String>,
}

impl Life {
    /// Ready after a second, answers well, and ends when it is told to.
    pub fn good() -> Self {
        Self {
            not_started: None,
            listens_after: Some(Duration::from_secs(1)),
            speaks_http: true,
            answers: Answers::Well,
            exits: None,
            oom_kills: 0,
            interrupted: None,
            stopped_in: None,
            ignores_sigterm: false,
            outside: false,
            left_out_of_log: 0,
            log: vec!["its last line".to_owned()],
        }
    }

    pub fn not_started(self, why: &str) -> Self {
        Self {
            not_started: Some(why.to_owned()),
            ..self
        }
    }

    pub fn listens_after(self, seconds: u64) -> Self {
        Self {
            listens_after: Some(Duration::from_secs(seconds)),
            ..self
        }
    }

    pub fn never_listens(self) -> Self {
        Self {
            listens_after: None,
            ..self
        }
    }

    pub fn speaks_no_http(self) -> Self {
        Self {
            speaks_http: false,
            ..self
        }
    }

    pub fn hangs(self) -> Self {
        Self {
            answers: Answers::Never,
            ..self
        }
    }

    pub fn answers_garbage(self) -> Self {
        Self {
            answers: Answers::Garbage,
            ..self
        }
    }

    pub fn speaks_tls(self) -> Self {
        Self {
            answers: Answers::Tls,
            ..self
        }
    }

    pub fn exits(self, at: At, code: i32) -> Self {
        Self {
            exits: Some((at, Exit::Code(code))),
            ..self
        }
    }

    pub fn killed_for_memory(self, at: At) -> Self {
        Self {
            exits: Some((at, Exit::Signal(9))),
            oom_kills: 1,
            ..self
        }
    }

    pub fn interrupted(self, at: At) -> Self {
        Self {
            interrupted: Some(at),
            ..self
        }
    }

    /// By SIGSTOP, for a while.
    pub fn stopped_in(self, phase: u32) -> Self {
        Self {
            stopped_in: Some(phase),
            ..self
        }
    }

    pub fn ignores_sigterm(self) -> Self {
        Self {
            ignores_sigterm: true,
            ..self
        }
    }

    pub fn outside_its_group(self) -> Self {
        Self {
            outside: true,
            ..self
        }
    }

    pub fn writes_too_much(self, left_out_of_log: u64) -> Self {
        Self {
            left_out_of_log,
            ..self
        }
    }
}

/// One of them while it lives.
struct Living {
    name: String,
    life: Life,
    stop: Stop,
    exit: Mutex<Option<Exit>>,
    is_stopped: AtomicBool,
    told: Told,
}

type Told = Arc<Mutex<Vec<String>>>;

impl Living {
    fn tell(&self, what: &str) {
        self.told
            .lock()
            .unwrap()
            .push(format!("{what} {}", self.name));
    }

    fn come_to(&self, at: At) {
        if self.life.interrupted == Some(at) {
            self.stop.set();
        }
        if let Some((when, exit)) = self.life.exits
            && when == at
        {
            *self.exit.lock().unwrap() = Some(exit);
        }
    }

    fn has_exited(&self) -> Option<Exit> {
        *self.exit.lock().unwrap()
    }
}

/// Where they live; each that is started takes the next life.
pub struct Stage {
    pub stop: Stop,
    lives: Mutex<VecDeque<Life>>,
    /// Of those that are started in no order: by their names.
    named: Vec<(&'static str, Life)>,
    living: Mutex<Vec<Arc<Living>>>,
    commands: Mutex<Vec<Vec<String>>>,
    patience: Mutex<Vec<Duration>>,
    told: Told,
}

impl Stage {
    pub fn with(lives: impl IntoIterator<Item = Life>) -> Self {
        Self {
            stop: Stop::new(),
            lives: Mutex::new(lives.into_iter().collect()),
            named: Vec::new(),
            living: Mutex::default(),
            commands: Mutex::default(),
            patience: Mutex::default(),
            told: Told::default(),
        }
    }

    /// The life of a process by its name, whenever it is started.
    pub fn and(mut self, name: &'static str, life: Life) -> Self {
        self.named.push((name, life));
        self
    }

    /// What has happened, in its order: `start 001`, `ready 001`, `phase cold`, `SIGTERM 001`,
    /// `SIGKILL after 5 s 001`.
    pub fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }

    /// What each was started by.
    pub fn commands(&self) -> Vec<Vec<String>> {
        self.commands.lock().unwrap().clone()
    }

    /// How long each sender of requests would have waited for an answer.
    pub fn patience(&self) -> Vec<Duration> {
        self.patience.lock().unwrap().clone()
    }

    /// Every process that was started has been ended.
    pub fn is_empty(&self) -> bool {
        let told = self.told();
        let count = |what: &str| told.iter().filter(|line| line.starts_with(what)).count();
        count("start") == count("SIGTERM")
    }

    fn newest(&self) -> Arc<Living> {
        // Of a launch of several the first, whose name has no number of its own.
        let living = self.living.lock().unwrap();
        let launch = living.last().unwrap().name.split('-').next().unwrap();
        let first = living.iter().rev().find(|other| other.name == launch);
        Arc::clone(first.unwrap_or_else(|| living.last().unwrap()))
    }
}

impl Place for Stage {
    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        let named = self.named.iter().find(|(name, _)| *name == spec.name);
        let next = || self.lives.lock().unwrap().pop_front();
        let life = named.map(|(_, life)| life.clone()).or_else(next);
        let living = Arc::new(Living {
            name: spec.name.clone(),
            life: life.unwrap_or_else(Life::good),
            stop: self.stop.clone(),
            exit: Mutex::default(),
            is_stopped: AtomicBool::new(false),
            told: Arc::clone(&self.told),
        });
        if let Some(why) = &living.life.not_started {
            return Err(failed(FailureCause::NotStarted, why.clone()));
        }
        self.commands.lock().unwrap().push(spec.command.clone());
        living.tell("start");
        living.come_to(At::Start);
        self.living.lock().unwrap().push(Arc::clone(&living));
        Ok(Box::new(Fake(living)))
    }

    fn traffic(&self, route: &Route<'_>) -> Result<Box<dyn Traffic>, RunError> {
        let patience = route.load.options.request_timeout;
        self.patience.lock().unwrap().push(patience);
        let living = self.living.lock().unwrap();
        let beside = living.iter().rev().take(route.beside.len());
        let beside: Vec<_> = beside.cloned().collect();
        // Of two launches at the same time the one whose folder is written to.
        let folder = route.load.folder.path().file_name().unwrap_or_default();
        let folder = folder.to_string_lossy().into_owned();
        let mut own = living.iter().rev();
        let own = own.find(|other| folder.starts_with(&other.name)).cloned();
        let is_companion = |other: &&Arc<Living>| {
            other.name.starts_with("companion-") && other.has_exited().is_none()
        };
        let companions = living.iter().filter(is_companion).cloned().collect();
        drop(living);
        Ok(Box::new(Requests {
            beside,
            companions,
            first: own.unwrap_or_else(|| self.newest()),
        }))
    }

    fn warm(&self, _: &Warmer<'_>, _: &WarmUp, to: &Warmed<'_>) -> Result<WarmUpRecord, RunError> {
        self.newest().come_to(At::WarmUp);
        Ok(WarmUpRecord {
            requests: to.address.port().into(),
            ..WarmUpRecord::default()
        })
    }

    fn ask(&self, _: &Question, _: SocketAddr, _: Duration) -> Result<Answer, RunError> {
        let living = self.newest();
        let asked = |line: &&String| line.starts_with("ask");
        let number = self.told().iter().filter(asked).count();
        living.tell("ask");
        living.come_to(At::Phase(number as u32));
        Ok(match (living.has_exited(), living.life.answers) {
            (None, Answers::Well) => Answer::Whole(Box::default()),
            _ => Answer::Broken("the connection was closed".to_owned()),
        })
    }

    fn counters(&self, subject_cpu_s: Option<f64>, _: f64, _: Share<'_>) -> Counters {
        Counters::of_subject(subject_cpu_s)
    }
}

struct Fake(Arc<Living>);

impl Subject for Fake {
    fn until_ready(&mut self, readiness: &Readiness, stop: &Stop) -> Result<Ready, Box<NotReady>> {
        let life = &self.0.life;
        self.0.come_to(At::Watch);
        let time_line = |ready: Option<Duration>| TimeLine {
            listening_ms: life.listens_after.map(|after| after.as_secs_f64() * 1e3),
            ready_ms: ready.map(|after| after.as_secs_f64() * 1e3),
            ..TimeLine::default()
        };
        let why = match (self.0.has_exited(), life.listens_after) {
            (Some(exit), _) => Why::Ended(exit),
            _ if stop.is_set() => Why::Stopped,
            (None, Some(after)) if after <= readiness.timeout && life.speaks_http => {
                self.0.tell("ready");
                self.0.come_to(At::Ready);
                let port = 8080 + self.0.name.len() as u16;
                return Ok(Ready {
                    time_line: time_line(Some(after)),
                    address: ([127, 0, 0, 1], port).into(),
                    cpu_s: 0.0,
                });
            }
            _ => Why::TimedOut(readiness.timeout),
        };
        let seen = match (life.listens_after, life.speaks_http) {
            (Some(_), false) => "listens on port 8080, which does not speak HTTP",
            _ => "listens on no port",
        };
        Err(Box::new(NotReady {
            was_stopped: false,
            why,
            seen: seen.to_owned(),
            time_line: time_line(None),
            cpu_s: 0.0,
        }))
    }

    /// As ready by the port of a subject: there is no log.
    fn until_line(
        &mut self,
        _: &regex::Regex,
        timeout: Duration,
        stop: &Stop,
    ) -> Result<TimeLine, Box<NotReady>> {
        let readiness = Readiness {
            timeout,
            ..crate::testkit::readiness()
        };
        Ok(self.until_ready(&readiness, stop)?.time_line)
    }

    fn exit_within(&mut self, _: Duration) -> Option<Exit> {
        std::thread::yield_now();
        self.0.has_exited()
    }

    fn is_stopped(&self) -> bool {
        self.0.is_stopped.swap(false, Ordering::SeqCst)
    }

    fn evidence(&self) -> Evidence {
        Evidence {
            oom_kills: self.0.life.oom_kills,
            memory_bytes: Some(256 << 20),
            last_log_lines: self.0.life.log.clone(),
            told: None,
        }
    }

    fn anchor(&self) -> Anchor {
        Anchor {
            monotonic_ns: 1_000_000,
            realtime_ns: 1_763_760_807_123_456_789,
        }
    }

    /// None that the machine knows.
    fn pids(&self) -> Vec<u32> {
        Vec::new()
    }

    fn observe(&self, _: &Observation) -> Result<Box<dyn Observer>, RunError> {
        self.0.tell("observe");
        Ok(Box::new(Looking(Arc::clone(&self.0))))
    }

    fn cpu_s(&self) -> Option<f64> {
        None
    }

    fn limits_seen(&self, asked: &Limits) -> Option<LimitsSeen> {
        asked.cpu?;
        Some(LimitsSeen {
            inside: !self.0.life.outside,
            path: "/group".to_owned(),
            cpu: asked.cpu,
            memory_bytes: asked.memory_bytes,
            ..LimitsSeen::default()
        })
    }

    fn count_limits(&self, seen: &mut LimitsSeen) {
        seen.oom_kills = self.0.life.oom_kills;
    }

    fn set_cpu(&self, _: Option<f64>) -> Result<(), RunError> {
        self.0.tell("set-cpu");
        Ok(())
    }

    fn end(&mut self, grace: Duration) -> io::Result<End> {
        self.end_within(&|| grace)
    }

    fn end_within(&mut self, grace: &dyn Fn() -> Duration) -> io::Result<End> {
        self.0.tell("SIGTERM");
        self.0.come_to(At::End);
        let exit = match self.0.has_exited() {
            Some(exit) => exit,
            None if self.0.life.ignores_sigterm => {
                self.0
                    .tell(&format!("SIGKILL after {} s", grace().as_secs()));
                Exit::Signal(9)
            }
            None => Exit::Code(143),
        };
        Ok(End {
            exit,
            left_out_of_log: self.0.life.left_out_of_log,
        })
    }
}

struct Looking(Arc<Living>);

impl Observer for Looking {
    fn glance(&self) -> Option<ResourcePoint> {
        self.point()
    }

    fn point(&self) -> Option<ResourcePoint> {
        Some(ResourcePoint {
            rss_bytes: 100,
            cpu_s: 2.0,
            ..ResourcePoint::default()
        })
    }

    fn stop(self: Box<Self>) -> Result<ResourceSummary, RunError> {
        self.0.tell("observed");
        Ok(ResourceSummary {
            peak_rss_bytes: Some(200),
            ..ResourceSummary::default()
        })
    }
}

/// As many requests as a cold phase wants, else ten; half of them when it is cut short.
struct Requests {
    first: Arc<Living>,
    beside: Vec<Arc<Living>>,
    companions: Vec<Arc<Living>>,
}

impl Traffic for Requests {
    fn run(
        &mut self,
        index: u32,
        phase: &PhasePlan,
        control: &Control,
    ) -> Result<PhaseRecord, LoadError> {
        let first = &self.first;
        first
            .told
            .lock()
            .unwrap()
            .push(format!("phase {}", phase.label));
        if first.life.stopped_in == Some(index) {
            first.is_stopped.store(true, Ordering::SeqCst);
            // Until somebody has seen it.
            wait(|| !first.is_stopped.load(Ordering::SeqCst));
        }
        let all = std::iter::once(first).chain(&self.beside);
        for living in all.chain(&self.companions) {
            living.come_to(At::Phase(index));
        }
        let is_lost = |other: &Arc<Living>| other.has_exited().is_some();
        let cut_short =
            is_lost(first) || self.companions.iter().any(is_lost) || first.stop.is_set();
        if cut_short {
            wait(|| control.is_stopped());
        }
        let wanted = match phase.kind {
            PhaseKind::Cold { requests } => requests,
            _ => 10,
        };
        let requests = if cut_short { wanted / 2 } else { wanted };
        let failure = match first.life.answers {
            Answers::Well => None,
            Answers::Garbage => Some(("malformed", "no HTTP answer begins with `%`")),
            Answers::Tls => Some((
                "malformed",
                "GET /: the subject answers with TLS: `\\x15\\x03`; use https://",
            )),
            Answers::Never => Some(("timeout", "no answer within 30 s")),
        };
        let errors = failure.map(|(kind, example)| {
            let count = ErrorCount {
                count: requests,
                example: example.to_owned(),
            };
            (kind.into(), count)
        });
        control.answered.fetch_add(requests, Ordering::SeqCst);
        Ok(PhaseRecord {
            label: phase.label.clone(),
            kind: PhaseTag::Cold,
            started_ms: 0.0,
            duration_s: 1.0,
            requests,
            succeeded: if errors.is_some() { 0 } else { requests },
            errors: errors.into_iter().collect(),
            by_status: Default::default(),
            intended_rate: None,
            throughput: 10.0,
            response_time_ms: None,
            service_time_ms: None,
            dispatch_delay_ms: None,
            generator_lag_ms: None,
            on_time_response_ms: None,
            settled: None,
            unanswered: false,
            reconnects: 0,
            generator_cpu_s: 0.0,
            time_keeping: None,
            subject_cpu_s: 0.0,
            steal_s: 0.0,
            processors: None,
            interrupted: cut_short,
            trouble: Vec::new(),
            search: None,
            workers: Vec::new(),
        })
    }
}

/// For what another thread does next; a minute is no measure, but a hang that is told.
fn wait(until: impl Fn() -> bool) {
    let began = Instant::now();
    while !until() {
        assert!(began.elapsed() < Duration::from_secs(60), "nobody came");
        std::thread::yield_now();
    }
}
