//! The process of a pod, from its `exec` to its end.

use crate::eye::Exec;
use crate::heard::{Hearing, code, has_ended, is_told};
use crate::in_sight::InSight;
use crate::life::Told;
use crate::outcome::cause;
use crate::service::{Reached, Service, WITHIN};
use crate::starting::{Named, Started};
use regex::Regex;
use rustix::fd::BorrowedFd;
use std::fs::{self, File};
use std::io::{self, Read};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tacho_clock::Anchor;
use tacho_cluster_api::{Logging, Made, TroubleKind};
use tacho_foreign::Root;
use tacho_launch::failure::Evidence;
use tacho_launch::ready::{Network, NotReady, Ready, Watch, Watched, Why, until_ready};
use tacho_launch::sockets::SocketError;
use tacho_launch::{Exit, log};
use tacho_observe::{Sampler, SamplerSpec};
use tacho_run_folder::{Limits, LimitsSeen, PodLife, ResourcePoint, ResourceSummary, TimeLine};
use tacho_runner::{
    End, Observation, Observer, Readiness, RunError, Stop, Subject, count_limits, limits_seen,
};

/// Lines of the log that are kept with a failure.
pub const LAST_LINES: usize = 30;
/// What is kept of a pod's log.
pub const LOG: u64 = 16 << 20;
/// Of a JVM's log so much is fetched, from its beginning.
const LONGEST_LOG: u64 = 256 << 20;
/// The kubelet tells of an end within a second or two.
pub const TOLD: Duration = Duration::from_secs(5);
/// Beyond the grace: for SIGKILL, and for the node to clear away.
const CLEARING: Duration = Duration::from_secs(30);

/// The process, as it is watched.
#[derive(Debug)]
struct Process {
    exec: Exec,
    sight: InSight,
    address: IpAddr,
    log: PathBuf,
    exit: Option<Exit>,
    hearing: Arc<Mutex<Hearing>>,
}

impl Process {
    fn hearing(&self) -> MutexGuard<'_, Hearing> {
        let lock = self.hearing.lock();
        lock.unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self, within: Duration) -> io::Result<bool> {
        self.sight.is_over(&self.hearing, within)
    }

    /// It is no child of ours: how it ended is what the cluster says.
    fn exit_when_over(&mut self, within: Duration) -> io::Result<Option<Exit>> {
        if self.exit.is_none() && self.is_over(within)? {
            let code = code(self.hearing().until(TOLD, has_ended));
            self.exit = Some(Exit::Code(code.unwrap_or(-1)));
        }
        Ok(self.exit)
    }
}

impl Watched for Process {
    fn exec_ns(&self) -> u64 {
        self.exec.anchor.monotonic_ns
    }

    fn handle(&self) -> BorrowedFd<'_> {
        self.sight.handle()
    }

    fn ended(&mut self) -> io::Result<Option<Exit>> {
        self.exit_when_over(Duration::ZERO)
    }

    fn is_stopped(&self) -> bool {
        self.sight.is_stopped()
    }

    fn log(&self) -> (&Path, u64) {
        (&self.log, 0)
    }

    fn network(&self) -> Result<Network, SocketError> {
        self.sight.network(self.address)
    }
}

/// The JVM's own log, which is written inside a container.
#[derive(Debug)]
pub struct JvmLog {
    /// As the process names it.
    pub inside: PathBuf,
    /// Where it goes.
    pub to: PathBuf,
}

impl JvmLog {
    /// Of an observation, where it is to be fetched.
    pub fn of(what: Option<&Observation>) -> Option<Self> {
        let what = what?;
        Some(Self {
            inside: what.gc_log_inside.clone()?,
            to: what.gc_log.clone()?,
        })
    }

    /// As far as it is written. What the container has there is somebody else's: no link leads out
    /// of its files, and a name that is no regular file is left.
    fn fetch(&self, pid: u32) -> io::Result<()> {
        let log = Root::of_process(pid)?.open_regular(&self.inside)?;
        let mut to = File::create(&self.to)?;
        io::copy(&mut log.take(LONGEST_LOG), &mut to)?;
        Ok(())
    }
}

/// A pod of a launch. Dropping it deletes it.
#[derive(Debug)]
pub struct Pod {
    process: Process,
    limits: Limits,
    made: Made,
    logging: Option<Logging>,
    jvm_log: Option<JvmLog>,
    named: Named,
    /// Where users come through one.
    service: Option<Service>,
    reached: Option<Reached>,
}

/// Where what a pod writes goes.
pub struct Logs {
    pub file: PathBuf,
    pub logging: Logging,
    pub jvm: Option<JvmLog>,
}

impl Pod {
    /// Of a pod that has been started; where nobody sees its process, it will listen on this port.
    /// The text of an error says what is wrong.
    pub fn of(
        started: Started,
        port: u16,
        limits: &Limits,
        logs: Logs,
        service: Option<Service>,
    ) -> Result<Self, String> {
        let Started {
            named,
            made,
            following,
            told,
            exec,
            pid,
        } = started;
        let mut hearing = Hearing { following, told };
        let sight = InSight::of(pid, port)?;
        let address = match pid.and_then(address_of) {
            Some(address) => Some(address),
            None => {
                let knows = |told: &Told| told.state.as_ref().is_some_and(|s| s.address.is_some());
                let told = hearing.until(TOLD, knows);
                told.state.as_ref().and_then(|state| state.address)
            }
        };
        Ok(Self {
            process: Process {
                exec,
                sight,
                address: address.ok_or("it has no address; does the node's network work?")?,
                log: logs.file,
                exit: None,
                hearing: Arc::new(Mutex::new(hearing)),
            },
            limits: limits.clone(),
            made,
            logging: Some(logs.logging),
            jvm_log: logs.jvm,
            named,
            service,
            reached: None,
        })
    }

    /// It answers: until users get through to it, where they come through a Service.
    fn until_reached(&mut self, ready: Ready, stop: &Stop) -> Result<Ready, Box<NotReady>> {
        let Some(service) = &mut self.service else {
            return Ok(ready);
        };
        let process = &self.process;
        let goes_on = || !stop.is_set() && !process.is_over(Duration::ZERO).unwrap_or(true);
        self.reached = service.until_reached(goes_on);
        if self.reached.is_some() {
            let address = service.address;
            return Ok(Ready { address, ..ready });
        }
        let why = match self.process.exit_when_over(Duration::ZERO) {
            _ if stop.is_set() => Why::Stopped,
            Ok(Some(exit)) => Why::Ended(exit),
            Ok(None) => Why::TimedOut(WITHIN),
            Err(error) => Why::Unwatchable(error),
        };
        Err(Box::new(NotReady {
            why,
            seen: "answers by itself, and not through its Service".to_owned(),
            was_stopped: false,
            time_line: ready.time_line,
            cpu_s: ready.cpu_s,
        }))
    }

    /// A log that is not there is missing, and no failure.
    fn fetch_jvm_log(&self) {
        if let Some((log, pid)) = self.jvm_log.as_ref().zip(self.process.sight.pid()) {
            let _ = log.fetch(pid);
        }
    }
}

impl Subject for Pod {
    fn until_ready(&mut self, readiness: &Readiness, stop: &Stop) -> Result<Ready, Box<NotReady>> {
        let group = self.process.sight.group().cloned();
        let pid = self.process.sight.pid();
        let members = move || {
            let pids = group.as_ref().and_then(|group| group.pids().ok());
            pids.unwrap_or_else(|| pid.into_iter().collect())
        };
        let ready = until_ready(
            &mut self.process,
            &Watch {
                port: readiness.port,
                condition: readiness.condition.clone(),
                preferred_paths: readiness.preferred_paths.clone(),
                timeout: readiness.timeout,
                stop: stop.flag(),
                processes: Some(&members),
            },
        );
        // What it made of its limits stands there by now.
        self.fetch_jvm_log();
        self.until_reached(ready?, stop)
    }

    fn until_line(&mut self, _: &Regex, _: Duration, _: &Stop) -> Result<TimeLine, Box<NotReady>> {
        Err(Box::new(NotReady {
            why: Why::Unwatchable(io::ErrorKind::Unsupported.into()),
            seen: "is a pod".to_owned(),
            was_stopped: false,
            time_line: TimeLine::default(),
            cpu_s: 0.0,
        }))
    }

    fn exit_within(&mut self, at_most: Duration) -> Option<Exit> {
        self.process.exit_when_over(at_most).ok().flatten()
    }

    fn is_stopped(&self) -> bool {
        Watched::is_stopped(&self.process)
    }

    fn evidence(&self) -> Evidence {
        let over = self.process.is_over(Duration::ZERO).unwrap_or(false);
        let mut hearing = self.process.hearing();
        let at_most = if over { TOLD } else { Duration::ZERO };
        let told = hearing.until(at_most, has_ended);
        // Its last words, which say why it has ended, come by the API as well.
        if let Some(logging) = self.logging.as_ref().filter(|_| over) {
            logging.wait(TOLD);
        }
        let trouble = told.state.as_ref().and_then(|state| state.trouble());
        // Of an end by itself its log says more.
        let certain = trouble.filter(|trouble| !matches!(trouble.kind, TroubleKind::Ended { .. }));
        Evidence {
            oom_kills: self
                .process
                .sight
                .group()
                .and_then(|group| group.oom_kills().ok())
                .unwrap_or_default(),
            memory_bytes: self.limits.memory_bytes,
            last_log_lines: log::last_lines(&self.process.log, 0, LAST_LINES).unwrap_or_default(),
            told: certain.map(|trouble| (cause(trouble.kind), trouble.to_string())),
        }
    }

    fn anchor(&self) -> Anchor {
        self.process.exec.anchor
    }

    fn is_seen(&self) -> bool {
        self.process.sight.pid().is_some()
    }

    fn pids(&self) -> Vec<u32> {
        self.process.sight.members()
    }

    fn observe(&self, what: &Observation) -> Result<Box<dyn Observer>, RunError> {
        let Some(pid) = self.process.sight.pid() else {
            return Ok(Box::new(Nobody));
        };
        Ok(Box::new(Sampler::start(SamplerSpec {
            pid,
            group: self.process.sight.group().cloned(),
            exec_ns: self.process.exec_ns(),
            path: what.samples.clone(),
            memory_path: what.memory.clone(),
            jvm_path: what.jvm.clone(),
            gc_log: None,
            requests: what.requests.clone(),
        })?))
    }

    fn cpu_s(&self) -> Option<f64> {
        Some(self.process.sight.group()?.cpu().ok()?.usage_s)
    }

    fn limits_seen(&self, asked: &Limits) -> Option<LimitsSeen> {
        let sight = &self.process.sight;
        limits_seen(sight.group().map(Arc::as_ref), asked, sight.pid()?)
    }

    fn count_limits(&self, seen: &mut LimitsSeen) {
        if let Some(group) = self.process.sight.group() {
            count_limits(seen, group);
        }
    }

    /// Refused by `Pods::check`: a pod keeps its processors.
    fn set_cpu(&self, _: Option<f64>) -> Result<(), RunError> {
        Ok(())
    }

    fn life(&self) -> Option<PodLife> {
        let mut hearing = self.process.hearing();
        // Of a launch of some milliseconds the API has not told yet that it runs, nor which image.
        let told = hearing.until(TOLD, is_told);
        let Process { exec, sight, .. } = &self.process;
        let is_unseen = sight.pid().is_none();
        Some(told.life(&self.named.name, &self.made, exec, self.reached, is_unseen))
    }

    fn end(&mut self, grace: Duration) -> io::Result<End> {
        // Its files go with it.
        self.fetch_jvm_log();
        self.named.end(grace)?;
        let began = Instant::now();
        let all = grace + CLEARING;
        while !self.process.is_over(Duration::from_millis(100))? && began.elapsed() < all {}
        let exit = self.process.exit_when_over(Duration::ZERO)?;
        let left_out_of_log = self
            .logging
            .take()
            .map_or(0, |logging| logging.to_the_end(TOLD));
        // The next one is not to meet it: its limits count against the quota until it is gone.
        self.process.hearing().until(CLEARING, |told| told.is_gone);
        if let Some(service) = &mut self.service {
            service.end()?;
        }
        Ok(End {
            exit: exit.unwrap_or(Exit::Code(-1)),
            left_out_of_log,
        })
    }
}

/// Looks at nothing.
struct Nobody;

impl Observer for Nobody {
    fn point(&self) -> Option<ResourcePoint> {
        None
    }

    fn glance(&self) -> Option<ResourcePoint> {
        None
    }

    fn stop(self: Box<Self>) -> Result<ResourceSummary, RunError> {
        Ok(ResourceSummary::default())
    }
}

/// The address of a process in its own network, which the API tells a second later: what the kernel
/// takes for its own (`fib_trie`), and is not of the loopback.
fn address_of(pid: u32) -> Option<IpAddr> {
    let text = fs::read_to_string(format!("/proc/{pid}/net/fib_trie")).ok()?;
    own_address(&text).map(IpAddr::V4)
}

fn own_address(fib_trie: &str) -> Option<Ipv4Addr> {
    let mut last = None;
    for line in fib_trie.lines() {
        let line = line.trim();
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse::<Ipv4Addr>().ok();
        } else if line.starts_with("/32 host LOCAL")
            && let Some(address) = last.filter(|address| !address.is_loopback())
        {
            return Some(address);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_log_of_a_jvm_is_fetched_from_the_files_that_its_process_sees() {
        let folder = tempfile::tempdir().unwrap();
        let log = JvmLog {
            inside: folder.path().join("inside.log"),
            to: folder.path().join("gc.log"),
        };
        let own = std::process::id();
        assert!(log.fetch(own).is_err() && !log.to.exists());
        fs::write(&log.inside, "[0.1s][info][gc] Using Serial\n").unwrap();
        log.fetch(own).unwrap();
        assert!(fs::read_to_string(&log.to).unwrap().contains("Serial"));
    }

    #[test]
    fn the_address_of_a_pod_is_that_which_is_its_own_and_not_of_the_loopback() {
        let text = "Main:
  +-- 0.0.0.0/0 3 0 4
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 10.231.1.0/24 2 0 1
        |-- 10.231.1.0
           /24 link UNICAST
        |-- 10.231.1.7
           /32 host LOCAL
Local:
     +-- 127.0.0.0/8 2 0 2
        |-- 127.0.0.1
           /32 host LOCAL
";
        assert_eq!(own_address(text), Some(Ipv4Addr::new(10, 231, 1, 7)));
        let alone = "|-- 127.0.0.1\n /32 host LOCAL\n|-- nonsense\n /32 host LOCAL\n";
        assert_eq!(own_address(alone), None);
    }
}
