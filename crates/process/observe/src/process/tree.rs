//! A process and its descendants, read again and again.

use super::{ByKind, KnownRanges, ProcessStat};
use super::{
    kinds, parse_smaps, parse_stat, parse_statm_rss_pages, pids, pss_bytes, read_smaps, stat,
};
use crate::budget::Budget;
use crate::processors;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::Arc;
use tacho_cgroup::Group;
use tacho_clock as clock;

/// Share of one processor for looking through all processes of the machine.
const SCAN_SHARE: f64 = 0.005;

/// What a tree uses at one instant.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TreeUse {
    /// Processes alive; none means that the tree has ended.
    pub processes: u32,
    /// Resident sets added up; pages that they share are counted more than once. The kernel keeps
    /// this number per processor, so it may be off by some 100 KiB.
    pub rss_bytes: u64,
    /// Number of threads, over all processes.
    pub threads: u32,
    /// Processor time in seconds, of children that were waited for, too. Steps of 10 ms.
    pub cpu_s: f64,
    /// Page faults without a disk.
    pub minor_faults: u64,
    /// Page faults that read from a disk.
    pub major_faults: u64,
}

/// A process tree. With a control group its members are the processes in the group, daemons
/// included. Without one its members are the descendants by parent id. A process that was seen once
/// stays a member even when its parent ends.
#[derive(Debug)]
pub struct ProcessTree {
    root: u32,
    group: Option<Arc<Group>>,
    members: BTreeMap<u32, Member>,
    scans: Budget,
    /// Room for the text of the mappings, used again.
    text: String,
}

/// A member with its files kept open. The kernel ties them to this process, so another process that
/// gets the same id later is never read in its place.
#[derive(Debug)]
struct Member {
    stat: File,
    statm: File,
}

impl ProcessTree {
    /// The tree of a process.
    #[must_use]
    pub fn new(root: u32, group: Option<Arc<Group>>) -> Self {
        Self {
            root,
            group,
            members: Member::open(root).map(|m| (root, m)).into_iter().collect(),
            scans: Budget::new(SCAN_SHARE),
            text: String::new(),
        }
    }

    /// The members that are alive, in ascending order.
    pub fn pids(&mut self) -> Vec<u32> {
        self.find_members();
        self.members.keys().copied().collect()
    }

    /// What the tree uses now. Nothing is used by a tree that has ended.
    pub fn usage(&mut self) -> TreeUse {
        self.find_members();
        let mut sum = TreeUse::default();
        for member in self.members.values() {
            let Some(stat) = member.stat().filter(ProcessStat::is_alive) else {
                continue;
            };
            sum.processes += 1;
            sum.rss_bytes += member.rss_bytes().unwrap_or(0);
            sum.threads += stat.threads;
            sum.cpu_s += stat.cpu_s();
            sum.minor_faults += stat.minor_faults;
            sum.major_faults += stat.major_faults;
        }
        sum
    }

    /// Proportional sets added up: what the tree really holds. `None` when none can be read.
    #[must_use]
    pub fn pss_bytes(&self) -> Option<u64> {
        self.members
            .keys()
            .filter_map(|pid| pss_bytes(*pid))
            .reduce(|a, b| a.saturating_add(b))
    }

    /// The mappings of all members by kind. `None` when none can be read.
    pub fn mappings(&mut self, known: &KnownRanges) -> Option<ByKind> {
        let mut sums: Option<ByKind> = None;
        for pid in self.members.keys() {
            if read_smaps(*pid, &mut self.text).is_err() {
                continue;
            }
            let mappings = parse_smaps(&self.text);
            // The ranges in the JVM's log hold for the JVM alone, not for a shell beside it.
            let nothing = KnownRanges::default();
            // One whose package was replaced since it began has `libjvm.so (deleted)`.
            let is_jvm = mappings.iter().any(|m| m.name.contains("/libjvm.so"));
            let known = if is_jvm { known } else { &nothing };
            let sums = sums.get_or_insert_default();
            for (mapping, kind) in mappings.iter().zip(kinds(&mappings, known)) {
                sums.add(kind, &mapping.sizes);
            }
        }
        sums
    }

    /// The members as they were at the last reading.
    pub fn members(&self) -> impl Iterator<Item = u32> {
        self.members.keys().copied()
    }

    fn find_members(&mut self) {
        self.members
            .retain(|_, member| member.stat().is_some_and(|s| s.is_alive()));
        let inside = match &self.group {
            Some(group) => group.pids().unwrap_or_default(),
            None => self.new_descendants(),
        };
        for pid in inside {
            if !self.members.contains_key(&pid)
                && let Some(member) = Member::open(pid)
            {
                self.members.insert(pid, member);
            }
        }
    }

    /// Looks through all processes of the machine, as often as the budget allows.
    fn new_descendants(&mut self) -> Vec<u32> {
        let now = clock::monotonic_ns();
        if self.members.is_empty() || !self.scans.allows(now) {
            return Vec::new();
        }
        let before = clock::thread_cpu_s();
        let parents = all_processes().map(|process| (process.pid, process.parent));
        let found = with_descendants(parents, self.members.keys().copied());
        self.scans.charge(now, clock::thread_cpu_s() - before);
        found.into_iter().collect()
    }

    /// The process that the tree begins with.
    #[must_use]
    pub fn root(&self) -> u32 {
        self.root
    }
}

/// Processor time of all processes of the machine together, kernel threads included, in seconds;
/// `None` when not all of them can be seen (`hidepid` of proc_pid(5)). Only the difference of two
/// readings has a meaning. When a process ends, its time goes to the parent that waited for it, so
/// processes that came and went between the readings are included.
///
/// The sums of `/proc/stat` would be cheaper, but are counted by the tick: for a load of 1,000
/// requests a second that used 0.74 s by the exact counters of its processes, they showed 0.12 s
/// (Linux 6.18, CONFIG_TICK_CPU_ACCOUNTING). There, the handling of packets, a quarter of a load
/// over loopback, is counted as `softirq`, while the time of processes includes it or not
/// (CONFIG_IRQ_TIME_ACCOUNTING). Here both sides come from the same counters.
///
/// In a container only its own processes are seen, and the machine's others would pass for no one.
/// There the sums of `/proc/stat` are taken, without the handling of packets: roughly what the
/// others took is worth more than the exact figure of a part of them.
#[must_use]
pub fn all_cpu_s() -> Option<f64> {
    if !sees_the_machine() {
        return processors::processes_cpu_s();
    }
    super::stat(1)?;
    Some(all_processes().map(|process| process.cpu_s()).sum())
}

/// Whether the processes that are seen are those of the machine, not of a container. The first
/// namespace of processes has a number that is the kernel's interface (`PID_NS_INIT_INO` of
/// linux/nsfs.h).
fn sees_the_machine() -> bool {
    const FIRST: &str = "pid:[4026531836]";
    // Without namespaces (CONFIG_PID_NS) there is no such file, and no container.
    fs::read_link("/proc/self/ns/pid").map_or(true, |own| own.as_os_str() == FIRST)
}

/// The same for these processes and all their descendants, including descendants that have ended
/// and were waited for. A process that is gone counts as nothing.
#[must_use]
pub fn trees_cpu_s(roots: &[u32]) -> f64 {
    if roots.is_empty() {
        return 0.0;
    }
    let all: Vec<ProcessStat> = all_processes().collect();
    let parents = all.iter().map(|process| (process.pid, process.parent));
    let counted = with_descendants(parents, roots.iter().copied());
    let of_them = all.iter().filter(|process| counted.contains(&process.pid));
    // A sum of nothing would be -0.
    of_them.fold(0.0, |sum, process| sum + process.cpu_s())
}

/// These processes, their children, their children's children, and so on, given the number of each
/// process with that of its parent. No loop is possible, whatever the kernel shows.
pub fn with_descendants(
    parents: impl IntoIterator<Item = (u32, u32)>,
    roots: impl IntoIterator<Item = u32>,
) -> BTreeSet<u32> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (pid, parent) in parents {
        children.entry(parent).or_default().push(pid);
    }
    let mut open: Vec<u32> = roots.into_iter().collect();
    let mut found = BTreeSet::new();
    while let Some(pid) = open.pop() {
        if found.insert(pid) {
            open.extend(children.remove(&pid).unwrap_or_default());
        }
    }
    found
}

fn all_processes() -> impl Iterator<Item = ProcessStat> {
    pids().into_iter().flatten().flatten().filter_map(stat)
}

impl Member {
    fn open(pid: u32) -> Option<Self> {
        let open = |name| File::open(format!("/proc/{pid}/{name}")).ok();
        Some(Self {
            stat: open("stat")?,
            statm: open("statm")?,
        })
    }

    /// `None` when it has ended.
    fn stat(&self) -> Option<ProcessStat> {
        read_kept(&self.stat, parse_stat)
    }

    fn rss_bytes(&self) -> Option<u64> {
        let pages = read_kept(&self.statm, parse_statm_rss_pages)?;
        pages.checked_mul(rustix::param::page_size() as u64)
    }
}

/// Reads a file of `/proc` again through a descriptor that is kept open.
pub(crate) fn read_kept<T>(file: &File, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    // 52 numbers of up to 20 digits, and a name of 64 bytes at most.
    let mut room = [0; 2048];
    let length = loop {
        match file.read_at(&mut room, 0) {
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            other => break other.ok()?,
        }
    };
    parse(&String::from_utf8_lossy(room.get(..length)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn descendants_are_found_in_cycles_too(edges in proptest::collection::vec((0u32..12, 0u32..12), 0..30)) {
            let found = with_descendants(edges.clone(), [0]);
            prop_assert!(found.contains(&0));
            prop_assert!(edges.iter().all(|(pid, parent)| !found.contains(parent) || found.contains(pid)));
        }
    }
}
