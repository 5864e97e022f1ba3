//! Processor time of a JVM's garbage collector, thread by thread, as the kernel counts it. The JVM
//! itself is not asked.

use crate::budget::Budget;
use crate::process::{Schedstat, read_kept};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use tacho_clock as clock;
use tacho_run_folder::Collector;

/// Share of one processor that reading them may take.
const SHARE: f64 = 0.002;
/// Between two readings, at least.
const INTERVAL_NS: u64 = 900_000_000;

/// The threads of one JVM.
#[derive(Debug)]
pub(crate) struct CollectorThreads {
    pid: u32,
    /// By thread id.
    threads: BTreeMap<u32, Seen>,
    budget: Budget,
    next_ns: u64,
}

/// What is known of a thread.
#[derive(Debug)]
enum Seen {
    /// It still has the name of another thread: a new thread begins with the name of the thread
    /// that made it.
    Once,
    /// It does not collect.
    Other,
    /// It works for the collector.
    Collector(Thread),
}

#[derive(Debug)]
struct Thread {
    schedstat: File,
    /// Its processor time at the last reading. A thread that has ended keeps it.
    cpu_s: f64,
}

impl CollectorThreads {
    pub(crate) fn new(pid: u32) -> Self {
        Self {
            pid,
            threads: BTreeMap::new(),
            budget: Budget::new(SHARE),
            next_ns: 0,
        }
    }

    /// Seconds of processor time so far, when a reading is due or `always` is set. `None`
    /// otherwise, and where the kernel does not count.
    pub(crate) fn read(&mut self, always: bool) -> Option<f64> {
        let now = clock::monotonic_ns();
        if !always && (now < self.next_ns || !self.budget.allows(now)) {
            return None;
        }
        let before = clock::thread_cpu_s();
        let sum = self.sum();
        self.next_ns = now + INTERVAL_NS;
        self.budget.charge(now, clock::thread_cpu_s() - before);
        sum
    }

    fn sum(&mut self) -> Option<f64> {
        self.find().ok()?;
        let mut sum = None;
        for seen in self.threads.values_mut() {
            let Seen::Collector(thread) = seen else {
                continue;
            };
            if let Some(cpu_s) = run_time_s(&thread.schedstat) {
                thread.cpu_s = cpu_s;
            }
            sum = Some(sum.unwrap_or(0.0) + thread.cpu_s);
        }
        sum
    }

    /// Collectors start workers when they need them.
    fn find(&mut self) -> io::Result<()> {
        let tasks = format!("/proc/{}/task", self.pid);
        for entry in fs::read_dir(&tasks)? {
            let Some(id) = entry?.file_name().to_str().and_then(|id| id.parse().ok()) else {
                continue;
            };
            let again = match self.threads.get(&id) {
                None => false,
                Some(Seen::Once) => true,
                Some(Seen::Other | Seen::Collector(_)) => continue,
            };
            let seen = match open(&format!("{tasks}/{id}")) {
                Some(thread) => Seen::Collector(thread),
                None if again => Seen::Other,
                None => Seen::Once,
            };
            self.threads.insert(id, seen);
        }
        Ok(())
    }
}

/// A thread that collects; it may also have ended between the listing and now.
fn open(task: &str) -> Option<Thread> {
    let name = fs::read_to_string(format!("{task}/comm")).ok()?;
    Collector::runs_on(&name).then_some(())?;
    Some(Thread {
        schedstat: File::open(format!("{task}/schedstat")).ok()?,
        cpu_s: 0.0,
    })
}

fn run_time_s(schedstat: &File) -> Option<f64> {
    Some(read_kept(schedstat, Schedstat::parse)?.ran_ns as f64 / 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn the_time_of_such_a_thread_is_counted_and_of_others_not() {
        let (go_on, wait) = mpsc::channel::<()>();
        let (tell, told) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("GC Thread#0".to_owned())
            .spawn(move || {
                let mut sum = 0_u64;
                while clock::thread_cpu_s() < 0.05 {
                    sum = sum.wrapping_add(1);
                }
                // The kernel's book is brought up to date when a thread goes to sleep.
                tell.send((sum, clock::thread_cpu_s())).unwrap();
                wait.recv().unwrap_or(());
            })
            .unwrap();
        let (_, worked_s) = told.recv().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut threads = CollectorThreads::new(std::process::id());
        let before = clock::monotonic_ns();
        let seen = threads.read(true).unwrap();
        assert!((seen - worked_s).abs() < 0.02, "{seen} of {worked_s}");
        assert!(threads.next_ns >= before + INTERVAL_NS, "not again at once");
        // However long it took to come here.
        threads.next_ns = u64::MAX;
        assert_eq!(threads.read(false), None, "its time has not come");
        drop(go_on);
        thread.join().unwrap();
        let after = threads.read(true).unwrap();
        assert!(
            after >= seen,
            "a thread that has ended keeps its time: {after} {seen}"
        );
    }
}
