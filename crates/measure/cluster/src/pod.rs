//! The process of a pod, from its `exec` to its end.

use crate::eye::Executed;
use crate::life::Told;
use crate::outcome::cause;
use crate::service::{Reached, Service, WITHIN};
use crate::starting::{Named, Started};
use regex::Regex;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs::{self, File};
use std::io::{self, Read};
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tacho_cgroup::{Group, Hierarchy};
use tacho_clock::Anchor;
use tacho_cluster_api::{Container, Following, Logging, Made, PodState, TroubleKind};
use tacho_foreign::Root;
use tacho_launch::failure::Evidence;
use tacho_launch::processes::Process as Seen;
use tacho_launch::ready::{Network, NotReady, Ready, Watch, Watched, Why, until_ready};
use tacho_launch::sockets::SocketError;
use tacho_launch::{Exit, log};
use tacho_observe::{Sampler, SamplerSpec};
use tacho_run_folder::{Limits, LimitsSeen, PodLife, TimeLine};
use tacho_runner::{
    End, Observation, Observer, Readiness, RunError, Stop, Subject, count_limits, limits_seen,
};

/// Lines of the log that are kept with a failure.
const LAST_LINES: usize = 30;
/// Of a JVM's log so much is fetched, from its beginning.
const LONGEST_LOG: u64 = 256 << 20;
/// The kubelet tells of an end within a second or two.
const TOLD: Duration = Duration::from_secs(5);
/// Beyond the grace: for SIGKILL, and for the node to clear away.
const CLEARING: Duration = Duration::from_secs(30);

/// What is heard of a pod, by whoever asks.
#[derive(Debug)]
struct Hearing {
    following: Following,
    told: Told,
}

impl Hearing {
    /// Takes what has come.
    fn hear(&mut self) -> &Told {
        while let Some(news) = self.following.come() {
            // A launch that runs needs the API no more: what it does not tell is missing.
            let _ = self.told.take(news);
        }
        &self.told
    }

    /// Waits until something holds.
    fn until(&mut self, at_most: Duration, holds: impl Fn(&Told) -> bool) -> &Told {
        let began = Instant::now();
        while !holds(self.hear()) && began.elapsed() < at_most {
            if let Some(news) = self.following.next(Duration::from_millis(20)) {
                let _ = self.told.take(news);
            }
        }
        &self.told
    }
}

fn is_told(told: &Told) -> bool {
    let runs = |state: &PodState| matches!(state.container, Container::Running { .. });
    has_ended(told) || told.state.as_ref().is_some_and(runs)
}

fn has_ended(told: &Told) -> bool {
    told.is_gone || told.state.as_ref().is_some_and(|state| state.has_ended())
}

fn code(told: &Told) -> Option<i32> {
    match &told.state.as_ref()?.container {
        Container::Terminated { code, .. } => Some(*code),
        _ => None,
    }
}

/// The process, as it is watched.
#[derive(Debug)]
struct Process {
    executed: Executed,
    handle: OwnedFd,
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

    /// It has ended by the kernel's word.
    fn is_over(&self, within: Duration) -> io::Result<bool> {
        let mut fds = [PollFd::from_borrowed_fd(self.handle.as_fd(), PollFlags::IN)];
        let timeout = Timespec {
            tv_sec: i64::try_from(within.as_secs()).unwrap_or(i64::MAX),
            tv_nsec: within.subsec_nanos().into(),
        };
        match poll(&mut fds, Some(&timeout)) {
            Ok(ready) => Ok(ready > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
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
        self.executed.anchor.monotonic_ns
    }

    fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    fn ended(&mut self) -> io::Result<Option<Exit>> {
        self.exit_when_over(Duration::ZERO)
    }

    fn is_stopped(&self) -> bool {
        Seen::read(self.executed.pid).is_some_and(|process| process.stopped)
    }

    fn log(&self) -> (&Path, u64) {
        (&self.log, 0)
    }

    fn network(&self) -> Result<Network, SocketError> {
        Network::own(self.executed.pid, self.address)
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
    group: Option<Arc<Group>>,
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
    pub fn of(
        started: Started,
        limits: &Limits,
        logs: Logs,
        service: Option<Service>,
    ) -> Result<Self, String> {
        let Started {
            named,
            made,
            following,
            told,
            executed,
        } = started;
        let mut hearing = Hearing { following, told };
        let ended = "its process ended before it could be looked at; the end of its log says why";
        let pid = i32::try_from(executed.pid).ok().and_then(Pid::from_raw);
        let handle = pid
            .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
            .ok_or(ended)?;
        let of_process = || address_of(executed.pid);
        let address = match of_process() {
            Some(address) => Some(address),
            None => {
                let knows = |told: &Told| told.state.as_ref().is_some_and(|s| s.address.is_some());
                let told = hearing.until(TOLD, knows);
                told.state.as_ref().and_then(|state| state.address)
            }
        };
        Ok(Self {
            process: Process {
                executed,
                handle,
                address: address.ok_or("it has no address; does the node's network work?")?,
                log: logs.file,
                exit: None,
                hearing: Arc::new(Mutex::new(hearing)),
            },
            group: Hierarchy::of_process(executed.pid).map(Arc::new),
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
        if let Some(log) = &self.jvm_log {
            let _ = log.fetch(self.process.executed.pid);
        }
    }

    fn members(&self) -> Vec<u32> {
        let group = self.group.as_ref();
        group
            .and_then(|group| group.pids().ok())
            .unwrap_or_else(|| vec![self.process.executed.pid])
    }
}

impl Subject for Pod {
    fn until_ready(&mut self, readiness: &Readiness, stop: &Stop) -> Result<Ready, Box<NotReady>> {
        let (group, pid) = (self.group.clone(), self.process.executed.pid);
        let members = move || {
            let group = group.as_ref();
            let pids = group.and_then(|group| group.pids().ok());
            pids.unwrap_or_else(|| vec![pid])
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
        let trouble = told.state.as_ref().and_then(|state| state.trouble());
        // Of an end by itself its log says more.
        let certain = trouble.filter(|trouble| !matches!(trouble.kind, TroubleKind::Ended { .. }));
        Evidence {
            oom_kills: self
                .group
                .as_ref()
                .and_then(|group| group.oom_kills().ok())
                .unwrap_or_default(),
            memory_bytes: self.limits.memory_bytes,
            last_log_lines: log::last_lines(&self.process.log, 0, LAST_LINES).unwrap_or_default(),
            told: certain.map(|trouble| (cause(trouble.kind), trouble.to_string())),
        }
    }

    fn anchor(&self) -> Anchor {
        self.process.executed.anchor
    }

    fn pids(&self) -> Vec<u32> {
        self.members()
    }

    fn observe(&self, what: &Observation) -> Result<Box<dyn Observer>, RunError> {
        Ok(Box::new(Sampler::start(SamplerSpec {
            pid: self.process.executed.pid,
            group: self.group.clone(),
            exec_ns: self.process.exec_ns(),
            path: what.samples.clone(),
            memory_path: what.memory.clone(),
            jvm_path: what.jvm.clone(),
            gc_log: None,
            requests: what.requests.clone(),
        })?))
    }

    fn cpu_s(&self) -> Option<f64> {
        Some(self.group.as_ref()?.cpu().ok()?.usage_s)
    }

    fn limits_seen(&self, asked: &Limits) -> Option<LimitsSeen> {
        limits_seen(self.group.as_deref(), asked, self.process.executed.pid)
    }

    fn count_limits(&self, seen: &mut LimitsSeen) {
        if let Some(group) = &self.group {
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
        let executed = &self.process.executed;
        Some(told.life(&self.named.name, &self.made, executed, self.reached))
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
