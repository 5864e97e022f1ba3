//! Which processes belong to a launch: parents and children, the mark of a launch, and how to end a
//! process.
//!
//! `/proc/<pid>/task/<tid>/children` would be shorter, but many kernels are built without it
//! (`CONFIG_PROC_CHILDREN`). `/proc/<pid>/stat` is always there.

use crate::descriptors::{note, noted};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io;
use tacho_observe::process::{
    ProcessStat, Words, command, has_variable, pids, read_stat, with_descendants,
};

/// Name of the variable that marks every process of a launch with the launch's id.
pub const MARK: &str = "TACHO_LAUNCH";

/// What proves to whom a process belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    /// Its process id, in our own PID namespace.
    pub pid: u32,
    /// Process id of its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// Process id of the session's leader.
    pub session: u32,
    /// Clock ticks after boot. With the process id this identifies the process for good.
    pub start_time: u64,
    /// It has ended and waits for its parent to notice.
    pub zombie: bool,
    /// It was stopped by SIGSTOP or a debugger, and does nothing until it is continued.
    pub stopped: bool,
}

impl Process {
    /// The process with this number, if there is one.
    #[must_use]
    pub fn read(pid: u32) -> Option<Self> {
        noted(read_stat(pid)).map(Self::from)
    }

    /// Every process that can be seen.
    #[must_use]
    pub fn all() -> Vec<Self> {
        Self::list().unwrap_or_default()
    }

    /// As [`Self::all`], with an error when `/proc` cannot be read, so that nobody takes that for
    /// an empty machine.
    fn list() -> io::Result<Vec<Self>> {
        let mut all = Vec::new();
        for pid in pids().inspect_err(|error| {
            note(error);
        })? {
            match read_stat(pid?) {
                Ok(stat) => all.push(stat.into()),
                Err(error) if note(&error) => return Err(error),
                // It has ended meanwhile.
                Err(_) => {}
            }
        }
        Ok(all)
    }

    /// Whether it was started with the mark of this launch, or by a process that was.
    #[must_use]
    pub fn has_mark(&self, id: &str) -> bool {
        let wanted = format!("{MARK}={id}");
        let environment = Words::Environment.of(self.pid);
        environment.is_ok_and(|environment| has_variable(&environment, &wanted))
    }

    /// Sends a signal to this process and to no other. The pidfd is opened first and the start time
    /// compared afterwards, so an id that was reused in between is noticed. True when it was sent.
    pub fn signal(&self, signal: Signal) -> bool {
        let Some(pid) = raw_pid(self.pid) else {
            return false;
        };
        let Ok(handle) = pidfd_open(pid, PidfdFlags::empty()) else {
            return false;
        };
        Self::read(self.pid).is_some_and(|now| now.start_time == self.start_time)
            && pidfd_send_signal(&handle, signal).is_ok()
    }

    /// Its command line, arguments joined by blanks.
    #[must_use]
    pub fn command(&self) -> Option<String> {
        command(self.pid)
    }
}

impl From<ProcessStat> for Process {
    fn from(stat: ProcessStat) -> Self {
        Self {
            pid: stat.pid,
            parent: stat.parent,
            group: stat.group,
            session: stat.session,
            start_time: stat.start_ticks,
            zombie: !stat.is_alive(),
            stopped: stat.is_stopped(),
        }
    }
}

pub(crate) fn raw_pid(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

/// A process and everything below it, and everything in its session (a daemon gives up its
/// parent before it gives up its session).
#[must_use]
pub fn tree(root: u32) -> Vec<u32> {
    let all = Process::all();
    let seeds = all
        .iter()
        .filter(|p| p.pid == root || p.session == root)
        .map(|p| p.pid);
    below(&all, seeds).into_iter().collect()
}

/// These processes and all their descendants.
fn below(all: &[Process], found: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
    with_descendants(all.iter().map(|p| (p.pid, p.parent)), found)
}

/// The leader of a launch as it was written down after it was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Leader {
    /// Its number, which is also that of its process group and session.
    pub pid: u32,
    /// Clock ticks after boot.
    pub start_time: u64,
}

/// The living processes that are proven to belong to a launch:
///
/// - the leader, when number and start time agree;
/// - those that carry the launch's mark in their environment;
/// - the session and the process group of the leader, when the leader itself or a marked process
///   is in them (the kernel gives a number to no new process while it still names a session or
///   group, so that one proven member proves the others);
/// - the descendants of all of these.
///
/// The calling process and its parents are never among them.
///
/// # Errors
/// When `/proc` cannot be read.
pub fn proven(id: &str, leaders: &[Leader]) -> io::Result<Vec<Process>> {
    let all = Process::list()?;
    let marked: HashSet<u32> = all
        .iter()
        .filter(|p| p.has_mark(id))
        .map(|p| p.pid)
        .collect();
    let own = ancestors(&all, std::process::id());
    Ok(belonging(&all, &marked, leaders)
        .into_iter()
        .filter(|p| !own.contains(&p.pid) && !p.zombie)
        .collect())
}

fn ancestors(all: &[Process], pid: u32) -> HashSet<u32> {
    let parents: HashMap<u32, u32> = all.iter().map(|p| (p.pid, p.parent)).collect();
    let mut line = HashSet::new();
    let mut next = Some(pid);
    while let Some(pid) = next {
        if !line.insert(pid) {
            break;
        }
        next = parents.get(&pid).copied();
    }
    line
}

fn belonging(all: &[Process], marked: &HashSet<u32>, leaders: &[Leader]) -> Vec<Process> {
    let mut found = marked.clone();
    for leader in leaders {
        let alive = all
            .iter()
            .any(|p| p.pid == leader.pid && p.start_time == leader.start_time);
        let inside = |p: &Process| p.session == leader.pid || p.group == leader.pid;
        if alive || all.iter().any(|p| inside(p) && marked.contains(&p.pid)) {
            found.extend(all.iter().filter(|p| inside(p)).map(|p| p.pid));
        }
        if alive {
            found.insert(leader.pid);
        }
    }
    let found = below(all, found);
    all.iter()
        .filter(|p| found.contains(&p.pid))
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, parent: u32, session: u32) -> Process {
        Process {
            pid,
            parent,
            group: session,
            session,
            start_time: u64::from(pid) * 10,
            zombie: false,
            stopped: false,
        }
    }

    fn pids(found: &[Process]) -> Vec<u32> {
        found.iter().map(|p| p.pid).collect()
    }

    #[test]
    fn this_very_process_can_be_read() {
        let me = Process::read(std::process::id()).unwrap();
        assert_eq!(me.pid, std::process::id());
        assert!(me.start_time > 0);
        assert!(tree(me.pid).contains(&me.pid));
    }

    #[test]
    fn a_living_leader_proves_its_session_and_its_descendants() {
        let all = [
            process(10, 1, 10),
            process(11, 10, 10),
            process(12, 11, 12), // its own session, but a child
            process(13, 1, 10),  // a daemon that kept the session
            process(14, 1, 14),  // a stranger
        ];
        let leader = Leader {
            pid: 10,
            start_time: 100,
        };
        assert_eq!(
            pids(&belonging(&all, &HashSet::new(), &[leader])),
            [10, 11, 12, 13]
        );
    }

    #[test]
    fn a_number_that_was_given_away_proves_nothing() {
        let all = [process(10, 1, 10), process(11, 10, 10)];
        let leader = Leader {
            pid: 10,
            start_time: 99,
        };
        assert!(belonging(&all, &HashSet::new(), &[leader]).is_empty());
    }

    #[test]
    fn a_marked_member_proves_the_session_of_a_leader_that_is_gone() {
        let all = [process(11, 1, 10), process(12, 1, 10), process(13, 1, 13)];
        let leader = Leader {
            pid: 10,
            start_time: 100,
        };
        let marked = HashSet::from([12]);
        assert_eq!(pids(&belonging(&all, &marked, &[leader])), [11, 12]);
        assert!(belonging(&all, &HashSet::new(), &[leader]).is_empty());
    }

    #[test]
    fn the_caller_is_never_among_those_to_end() {
        let me = Process::read(std::process::id()).unwrap();
        let leader = Leader {
            pid: me.pid,
            start_time: me.start_time,
        };
        assert!(
            proven("no-such-mark", &[leader])
                .unwrap()
                .iter()
                .all(|p| p.pid != me.pid)
        );
    }
}
