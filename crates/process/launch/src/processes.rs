//! What `/proc` says about processes: who is whose child, whose mark it carries, how to end it.
//!
//! `/proc/<pid>/task/<tid>/children` would be shorter, but many kernels are built without it
//! (`CONFIG_PROC_CHILDREN`); `/proc/<pid>/stat` is there always.

use crate::descriptors::{note, noted};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use tacho_files::input;

/// Name of the variable that marks every process of a launch with the launch's id.
pub const MARK: &str = "TACHO_LAUNCH";

/// One process, from `/proc/<pid>/stat`. See proc_pid_stat(5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    /// Process id.
    pub pid: u32,
    /// Process id of its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// Process id of the session's leader.
    pub session: u32,
    /// Clock ticks after boot; with the number it names a process for good.
    pub start_time: u64,
    /// It has ended and waits for its parent to notice.
    pub zombie: bool,
    /// It was stopped, by SIGSTOP or a debugger, and does nothing until it is let go on.
    pub stopped: bool,
}

impl Process {
    /// The process with this number, if there is one.
    #[must_use]
    pub fn read(pid: u32) -> Option<Self> {
        parse_stat(&noted(fs::read(format!("/proc/{pid}/stat")))?)
    }

    /// Every process that can be seen.
    #[must_use]
    pub fn all() -> Vec<Self> {
        Self::list().unwrap_or_default()
    }

    /// The same; an error when `/proc` cannot be read, so that nobody takes that for an empty
    /// machine.
    fn list() -> io::Result<Vec<Self>> {
        let mut all = Vec::new();
        for entry in fs::read_dir("/proc").inspect_err(|error| {
            note(error);
        })? {
            let name = entry?.file_name();
            let Some(pid) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
                continue;
            };
            match fs::read(format!("/proc/{pid}/stat")) {
                Ok(stat) => all.extend(parse_stat(&stat)),
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
        words(self.pid, "environ").is_ok_and(|environ| holds(&environ, wanted.as_bytes()))
    }

    /// Sends a signal to this process and to no other: the descriptor is opened first and the
    /// start time compared after, so that a number that was given away in between is noticed.
    /// True when it was sent.
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
        command_of(self.pid)
    }
}

/// The command line of a process, or its name where it has none.
pub(crate) fn command_of(pid: u32) -> Option<String> {
    let line = words(pid, "cmdline").ok()?;
    if let Some(words) = joined(&line) {
        return Some(words);
    }
    let name = fs::read_to_string(format!("/proc/{pid}/comm")).ok()?;
    Some(name.trim().to_owned())
}

fn words(pid: u32, of: &str) -> io::Result<Vec<u8>> {
    let file = format!("/proc/{pid}/{of}");
    input::read_beginning(Path::new(&file), input::WORDS)
}

/// One of the variables of an environment.
fn holds(environ: &[u8], wanted: &[u8]) -> bool {
    environ
        .split(|b| *b == 0)
        .any(|variable| variable == wanted)
}

/// The words of a command line, where there are any.
fn joined(line: &[u8]) -> Option<String> {
    let words: Vec<_> = line
        .split(|b| *b == 0)
        .filter(|word| !word.is_empty())
        .map(String::from_utf8_lossy)
        .collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// For `fuzz/`: a process as `/proc/PID/stat` shows it.
#[doc(hidden)]
#[must_use]
pub fn read_stat(bytes: &[u8]) -> Option<Process> {
    parse_stat(bytes)
}

/// For `fuzz/`: a command line as it is shown, and whether an environment holds a variable.
#[doc(hidden)]
#[must_use]
pub fn read_words(bytes: &[u8], wanted: &[u8]) -> (Option<String>, bool) {
    (joined(bytes), holds(bytes, wanted))
}

pub(crate) fn raw_pid(pid: u32) -> Option<Pid> {
    i32::try_from(pid).ok().and_then(Pid::from_raw)
}

/// The name of the program stands in parentheses and may hold blanks and parentheses itself, so
/// that the fields are counted from the last one.
fn parse_stat(stat: &[u8]) -> Option<Process> {
    let text = String::from_utf8_lossy(stat);
    let (head, fields) = text.rsplit_once(')')?;
    let pid = head.split_once(' ')?.0.parse().ok()?;
    let fields: Vec<&str> = fields.split_ascii_whitespace().collect();
    // Field 3 of the manual page is the first here.
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let id = |field: usize| u32::try_from(number(field)?).ok();
    Some(Process {
        pid,
        zombie: matches!(*fields.first()?, "Z" | "X"),
        stopped: matches!(*fields.first()?, "T" | "t"),
        parent: id(4)?,
        group: id(5)?,
        session: id(6)?,
        start_time: number(22)?,
    })
}

/// A process and everything below it, and everything in its session (a daemon gives up its
/// parent before it gives up its session).
#[must_use]
pub fn tree(root: u32) -> Vec<u32> {
    let all = Process::all();
    let seeds = all
        .iter()
        .filter(|p| p.pid == root || p.session == root)
        .map(|p| p.pid)
        .collect();
    with_descendants(&all, seeds).into_iter().collect()
}

/// Adds children, their children, and so on.
fn with_descendants(all: &[Process], mut found: HashSet<u32>) -> HashSet<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for process in all {
        children
            .entry(process.parent)
            .or_default()
            .push(process.pid);
    }
    let mut to_visit: Vec<u32> = found.iter().copied().collect();
    while let Some(pid) = to_visit.pop() {
        for child in children.get(&pid).into_iter().flatten() {
            if found.insert(*child) {
                to_visit.push(*child);
            }
        }
    }
    found
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
    let found = with_descendants(all, found);
    all.iter()
        .filter(|p| found.contains(&p.pid))
        .copied()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

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
    fn a_name_with_blanks_and_parentheses_does_not_shift_the_fields() {
        // 4242 (a) b (c) S 1 4242 4242 0 -1 4194304 ... start time 987654 as field 22
        let line =
            b"4242 (a) b (c) S 1 4243 4244 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 33 0 987654 0 0";
        let seen = parse_stat(line).unwrap();
        assert_eq!(
            (seen.pid, seen.parent, seen.group, seen.session),
            (4242, 1, 4243, 4244)
        );
        assert_eq!(seen.start_time, 987_654);
        assert!(!seen.zombie && !seen.stopped);
        let stopped = String::from_utf8_lossy(line).replace(" S ", " T ");
        assert!(parse_stat(stopped.as_bytes()).unwrap().stopped);
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

    proptest! {
        #[test]
        fn no_stat_line_makes_the_parser_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_stat(&bytes);
        }

        #[test]
        fn descendants_are_found_in_cycles_too(edges in proptest::collection::vec((0u32..12, 0u32..12), 0..30)) {
            let all: Vec<_> = edges.iter().map(|(pid, parent)| process(*pid, *parent, 0)).collect();
            let found = with_descendants(&all, HashSet::from([0]));
            prop_assert!(all.iter().all(|p| !found.contains(&p.parent) || found.contains(&p.pid)));
        }
    }
}
