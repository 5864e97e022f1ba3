//! A started process, until it is reaped.

use crate::kept_log::KeptLog;
use crate::lease::Lease;
use crate::processes::{Process, raw_pid};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, BorrowedFd, OwnedFd};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, kill_process_group, pidfd_open,
    pidfd_send_signal, test_kill_process_group, waitid,
};
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tacho_clock::Anchor;

/// How soon it is noticed that the grace period has become shorter.
const GRACE_LOOK: Duration = Duration::from_millis(50);

/// How a process ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
}

impl Exit {
    /// It ended by itself with code 0.
    #[must_use]
    pub fn success(self) -> bool {
        self == Self::Code(0)
    }

    fn of(status: &WaitIdStatus) -> Self {
        status
            .exit_status()
            .map(Self::Code)
            .or_else(|| status.terminating_signal().map(Self::Signal))
            .unwrap_or(Self::Code(-1))
    }
}

/// Completes a sentence that begins with `it`.
impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "ended by itself with exit code {code}"),
            Self::Signal(number) => match signal_name(*number) {
                Some(name) => write!(f, "was ended by {name}"),
                None => write!(f, "was ended by signal {number}"),
            },
        }
    }
}

/// The signals that people know by name.
fn signal_name(number: i32) -> Option<&'static str> {
    Some(match Signal::from_named_raw(number)? {
        Signal::HUP => "SIGHUP",
        Signal::INT => "SIGINT",
        Signal::QUIT => "SIGQUIT",
        Signal::ILL => "SIGILL",
        Signal::ABORT => "SIGABRT",
        Signal::BUS => "SIGBUS",
        Signal::FPE => "SIGFPE",
        Signal::KILL => "SIGKILL",
        Signal::SEGV => "SIGSEGV",
        Signal::PIPE => "SIGPIPE",
        Signal::TERM => "SIGTERM",
        Signal::XCPU => "SIGXCPU",
        Signal::XFSZ => "SIGXFSZ",

        _ => return None,
    })
}

/// The state before a process was started.
#[derive(Debug)]
pub(crate) struct Before {
    pub(crate) log: PathBuf,
    pub(crate) kept_log: KeptLog,
    pub(crate) log_start: u64,
    pub(crate) older_listeners: Vec<u32>,
}

/// A started process. Dropping it ends it, everything below it, and its lease.
///
/// It is reaped last. Until then the kernel gives its number to no other process, so a signal to it
/// or to its process group cannot hit a stranger.
#[derive(Debug)]
pub struct Child {
    pid: Pid,
    handle: OwnedFd,
    anchor: Anchor,
    log: PathBuf,
    log_start: u64,
    kept_log: KeptLog,
    older_listeners: Vec<u32>,
    exit: Option<Exit>,
    reaped: bool,
    // The last field: dropped after the process has ended.
    lease: Lease,
}

impl Child {
    pub(crate) fn new(pid: u32, anchor: Anchor, before: Before, lease: Lease) -> io::Result<Self> {
        let pid = raw_pid(pid).ok_or(io::ErrorKind::InvalidData)?;
        Ok(Self {
            pid,
            handle: pidfd_open(pid, PidfdFlags::empty())?,
            anchor,
            log: before.log,
            log_start: before.log_start,
            kept_log: before.kept_log,
            older_listeners: before.older_listeners,
            exit: None,
            reaped: false,
            lease,
        })
    }

    /// Its process id, which is also the id of its process group and session.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.pid.as_raw_nonzero().get().unsigned_abs()
    }

    /// `CLOCK_MONOTONIC` immediately before `execve`, nanoseconds. Instants of the launch count
    /// from here.
    #[must_use]
    pub fn exec_ns(&self) -> u64 {
        self.anchor.monotonic_ns
    }

    /// Whether it is stopped: by SIGSTOP, or by a debugger.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        Process::read(self.pid()).is_some_and(|process| process.stopped)
    }

    /// The instant of `execve` on both clocks.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// The file to which its output goes.
    #[must_use]
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Length of the log before the process was started; bytes.
    #[must_use]
    pub fn log_start(&self) -> u64 {
        self.log_start
    }

    /// Bytes that were dropped from the middle of its log because it wrote more than is kept. Known
    /// once it was terminated.
    #[must_use]
    pub fn left_out_of_log(&self) -> u64 {
        self.kept_log.left_out()
    }

    /// Inodes of the sockets that listened before it was started.
    pub(crate) fn older_listeners(&self) -> &[u32] {
        &self.older_listeners
    }

    /// Its lease, to add control groups or to look at the processes of the launch.
    pub fn lease(&mut self) -> &mut Lease {
        &mut self.lease
    }

    /// Becomes readable when the process has ended; for poll(2) together with other things.
    #[must_use]
    pub fn handle(&self) -> BorrowedFd<'_> {
        self.handle.as_fd()
    }

    /// How it ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<Exit>> {
        if self.exit.is_none() {
            // NOWAIT does not reap it. That is done at the end.
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            self.exit = waitid(WaitId::PidFd(self.handle.as_fd()), options)?
                .as_ref()
                .map(Exit::of);
        }
        Ok(self.exit)
    }

    /// Waits for its end, without polling, for at most this long.
    pub fn wait_timeout(&mut self, at_most: Duration) -> io::Result<Option<Exit>> {
        let deadline = Instant::now() + at_most;
        loop {
            let exit = self.try_wait()?;
            let left = deadline.saturating_duration_since(Instant::now());
            if exit.is_some() || left.is_zero() {
                return Ok(exit);
            }
            let timeout = Timespec::try_from(left).ok();
            let mut fds = [PollFd::new(&self.handle, PollFlags::IN)];
            match poll(&mut fds, timeout.as_ref()) {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(e) => return Err(e.into()),
            }
        }
    }

    /// Ends it. First SIGTERM goes to the process, as in Kubernetes. Once it has ended, SIGTERM
    /// goes to what is left of its process group. After the grace period, SIGKILL goes to every
    /// process that is proven to belong to the launch. The process is reaped when this returns.
    pub fn terminate(&mut self, grace: Duration) -> io::Result<Exit> {
        self.terminate_with(grace, Vec::new)
    }

    /// As [`Self::terminate`]. `others` names further processes to kill at the end, such as those
    /// in its control group. It is called until it names none, for a second at most.
    pub fn terminate_with(
        &mut self,
        grace: Duration,
        others: impl FnMut() -> Vec<u32>,
    ) -> io::Result<Exit> {
        self.terminate_within(|| grace, others)
    }

    /// As [`Self::terminate_with`]. The grace period, counted from SIGTERM, is asked for again and
    /// again, because somebody who waits may lose patience.
    pub fn terminate_within(
        &mut self,
        grace: impl Fn() -> Duration,
        mut others: impl FnMut() -> Vec<u32>,
    ) -> io::Result<Exit> {
        let began = Instant::now();
        let left = || grace().saturating_sub(began.elapsed());
        if self.try_wait()?.is_none() && !left().is_zero() {
            let _ = pidfd_send_signal(&self.handle, Signal::TERM);
            while self.wait_timeout(left().min(GRACE_LOOK))?.is_none() && !left().is_zero() {}
        }
        if self.exit.is_some() && self.others_in_group() && !left().is_zero() {
            // A wrapper such as `sh -c` dies of SIGTERM and leaves the service behind.
            let _ = kill_process_group(self.pid, Signal::TERM);
            while self.others_in_group() && !left().is_zero() {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
        let _ = kill_process_group(self.pid, Signal::KILL);
        let exit = self.wait_for_kill()?;
        self.kill_all(&mut others);
        self.reap();
        self.kept_log.end();
        Ok(exit)
    }

    /// After SIGKILL: only a process in an uninterruptible wait takes long.
    fn wait_for_kill(&mut self) -> io::Result<Exit> {
        self.wait_timeout(Duration::from_secs(10))?.ok_or_else(|| {
            io::Error::other(format!(
                "process {} does not die of SIGKILL; it waits in the kernel (see /proc/{}/stack)",
                self.pid(),
                self.pid()
            ))
        })
    }

    fn kill_all(&self, others: &mut impl FnMut() -> Vec<u32>) {
        let began = Instant::now();
        loop {
            let mut left = self.lease.processes();
            left.extend(
                others()
                    .into_iter()
                    .filter_map(Process::read)
                    .filter(|p| !p.zombie && p.pid != std::process::id()),
            );
            for process in &left {
                process.signal(Signal::KILL);
            }
            // Checked only now: on a busy machine the first look alone may take this long.
            if left.is_empty() || began.elapsed() > Duration::from_secs(1) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// Whether another process lives in its process group. kill(2) still counts the dead leader, so
    /// /proc is read.
    fn others_in_group(&self) -> bool {
        let group = self.pid();
        test_kill_process_group(self.pid).is_ok()
            && Process::all()
                .iter()
                .any(|p| p.group == group && p.pid != group && !p.zombie)
    }

    fn reap(&mut self) {
        if !self.reaped {
            let id = WaitId::PidFd(self.handle.as_fd());
            self.reaped = matches!(
                waitid(id, WaitIdOptions::EXITED | WaitIdOptions::NOHANG),
                Ok(Some(_))
            );
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.terminate(Duration::ZERO);
        }
    }
}
