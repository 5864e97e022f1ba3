//! Processors by their numbers: which there are, who may run where, and how busy each is.

use crate::machine;
use crate::process::Schedstat;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The processors that the calling thread may use, in two halves of the same number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Halves {
    /// The processors of each half, by the kernel's numbers.
    pub halves: [Vec<u32>; 2],
    /// There is one core only, and each half is one of its threads.
    pub share_a_core: bool,
}

/// Splits the processors that the calling thread may use. Threads of one core stay together, and so
/// do neighbouring cores, so that on a machine of two sockets each half is one socket. An odd core
/// is left out. `None` where there is only one processor.
///
/// # Errors
/// As sched_getaffinity(2) has them.
pub fn halves() -> io::Result<Option<Halves>> {
    let topology = Path::new("/sys/devices/system/cpu");
    let core = |processor: u32| {
        let read = |name: &str| -> Option<u32> {
            let file = topology.join(format!("cpu{processor}/topology/{name}"));
            fs::read_to_string(file).ok()?.trim().parse().ok()
        };
        // Where the kernel does not say, each processor is a core of its own.
        read("physical_package_id").zip(read("core_id"))
    };
    let allowed = allowed(None)?;
    Ok(halves_of(
        allowed.iter().map(|&number| (number, core(number))),
    ))
}

/// Of processors with their sockets and cores.
fn halves_of(processors: impl Iterator<Item = (u32, Option<(u32, u32)>)>) -> Option<Halves> {
    let mut cores: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for (number, core) in processors {
        cores
            .entry(core.unwrap_or((0, number)))
            .or_default()
            .push(number);
    }
    let mut cores: Vec<Vec<u32>> = cores.into_values().collect();
    let share_a_core = cores.len() == 1;
    if share_a_core {
        cores = cores
            .concat()
            .into_iter()
            .map(|number| vec![number])
            .collect();
    }
    let half = cores.len() / 2;
    let second = cores.split_off(half);
    let mut halves = [cores.concat(), second[..half].concat()];
    // Cores of unlike kinds have unlike numbers of threads.
    let fewest = halves
        .iter()
        .map(Vec::len)
        .min()
        .filter(|fewest| *fewest > 0)?;
    halves.iter_mut().for_each(|half| half.truncate(fewest));
    Some(Halves {
        halves,
        share_a_core,
    })
}

/// Runs `act` on some processors. Threads and processes that it starts meanwhile inherit them
/// (sched_setaffinity(2), NOTES).
///
/// # Errors
/// As sched_setaffinity(2) has them; nothing was done then.
pub fn on<T>(processors: &[u32], act: impl FnOnce() -> T) -> io::Result<T> {
    /// Restores the affinity, even when `act` panics.
    struct Back(CpuSet);
    impl Drop for Back {
        fn drop(&mut self) {
            // It was allowed before.
            let _ = sched_setaffinity(None, &self.0);
        }
    }
    let mut set = CpuSet::new();
    for &number in processors.iter().filter(|number| is_known(**number)) {
        set.set(number as usize);
    }
    let back = Back(sched_getaffinity(None)?);
    sched_setaffinity(None, &set)?;
    let result = act();
    drop(back);
    Ok(result)
}

/// [`CpuSet`] panics on any other.
fn is_known(number: u32) -> bool {
    (number as usize) < CpuSet::MAX_CPU
}

/// How many processors of this machine can be used from here. They are fewer than it has under
/// taskset(1), and in a container with a cpuset; what is started from here inherits that.
#[must_use]
pub fn usable() -> u32 {
    let online = machine::processors();
    allowed(None).map_or(online, |numbers| online.min(numbers.len() as u32))
}

fn allowed(thread: Option<Pid>) -> io::Result<Vec<u32>> {
    let set = sched_getaffinity(thread)?;
    let numbers = 0..CpuSet::MAX_CPU as u32;
    Ok(numbers
        .filter(|number| set.is_set(*number as usize))
        .collect())
}

/// Threads of these processes that may also run on other processors than these.
#[must_use]
pub fn strayed(pids: &[u32], processors: &[u32]) -> u32 {
    let elsewhere = |thread: &u32| {
        let allowed = thread_id(*thread).and_then(|id| allowed(Some(id)).ok());
        // One that has ended runs nowhere.
        allowed.is_some_and(|allowed| allowed.iter().any(|number| !processors.contains(number)))
    };
    let threads = pids
        .iter()
        .flat_map(|pid| threads(&format!("/proc/{pid}/task")));
    threads.filter(elsewhere).count() as u32
}

/// Processor time, in seconds, of those threads of this process that may run only on these
/// processors and have not ended.
#[must_use]
pub fn own_cpu_s(processors: &[u32]) -> f64 {
    let is_here = |thread: &u32| {
        let allowed = thread_id(*thread).and_then(|id| allowed(Some(id)).ok());
        allowed.is_some_and(|allowed| allowed.iter().all(|number| processors.contains(number)))
    };
    let ran_ns = |thread| Some(Schedstat::of(&format!("/proc/self/task/{thread}"))?.ran_ns);
    let here = threads("/proc/self/task").filter(is_here);
    here.filter_map(ran_ns).sum::<u64>() as f64 / 1e9
}

fn threads(folder: &str) -> impl Iterator<Item = u32> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

fn thread_id(number: u32) -> Option<Pid> {
    Pid::from_raw(i32::try_from(number).ok()?)
}

/// What some processors have done since boot, in seconds. The difference of two readings counts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Busy {
    /// They ran something.
    pub busy_s: f64,
    /// Time in which the hypervisor ran other machines on them.
    pub steal_s: f64,
}

/// Of these processors together; `None` when the kernel does not say.
#[must_use]
pub fn busy(processors: &[u32]) -> Option<Busy> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let second = rustix::param::clock_ticks_per_second().max(1) as f64;
    let (busy, steal) = busy_ticks(&stat, processors)?;
    Some(Busy {
        busy_s: busy as f64 / second,
        steal_s: steal as f64 / second,
    })
}

/// Processor time of all processes of the machine since boot, by the tick, in seconds: what ran
/// neither as an interrupt nor idle. `None` when the kernel does not say.
#[must_use]
pub fn processes_cpu_s() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let second = rustix::param::clock_ticks_per_second().max(1) as f64;
    Some(processes_ticks(&stat)? as f64 / second)
}

// cpu  user nice system idle ...: the sums over all processors (proc_stat(5)).
fn processes_ticks(stat: &str) -> Option<u64> {
    let sums = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let ticks: Vec<u64> = sums
        .split_ascii_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let [user, nice, system, ..] = *ticks else {
        return None;
    };
    Some(user.saturating_add(nice).saturating_add(system))
}

// cpu0 user nice system idle iowait irq softirq steal guest guest_nice; what guests take is a part
// of user. (proc_stat(5))
fn busy_ticks(stat: &str, processors: &[u32]) -> Option<(u64, u64)> {
    let mut sums = (0u64, 0u64);
    for number in processors {
        let name = format!("cpu{number} ");
        let line = stat.lines().find_map(|line| line.strip_prefix(&name))?;
        let ticks: Vec<u64> = line
            .split_ascii_whitespace()
            .map_while(|word| word.parse().ok())
            .collect();
        let [user, nice, system, _, _, irq, softirq, steal, ..] = *ticks else {
            return None;
        };
        let busy = [user, nice, system, irq, softirq];
        sums.0 = busy.into_iter().fold(sums.0, u64::saturating_add);
        sums.1 = sums.1.saturating_add(steal);
    }
    Some(sums)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(cores: &[Option<(u32, u32)>]) -> Option<Halves> {
        halves_of((0..).zip(cores.iter().copied()))
    }

    fn halves_are(cores: &[Option<(u32, u32)>], first: &[u32], second: &[u32], share: bool) {
        let expected = Halves {
            halves: [first.to_vec(), second.to_vec()],
            share_a_core: share,
        };
        assert_eq!(split(cores), Some(expected), "{cores:?}");
    }

    #[test]
    fn threads_of_a_core_stay_together() {
        let core = |socket, core| Some((socket, core));
        halves_are(&[core(0, 0), core(0, 1)], &[0], &[1], false);
        // Linux numbers the second threads after all the first ones.
        let two_cores = [core(0, 0), core(0, 1), core(0, 0), core(0, 1)];
        halves_are(&two_cores, &[0, 2], &[1, 3], false);
        // Two sockets of two cores each.
        let sockets = [core(0, 0), core(1, 0), core(0, 1), core(1, 1)];
        halves_are(&sockets, &[0, 2], &[1, 3], false);
        halves_are(&[core(0, 7), core(0, 7)], &[0], &[1], true);
        // The kernel does not say.
        halves_are(&[None, None, None, None], &[0, 1], &[2, 3], false);
        // An odd core is left out, and so is the second thread of a core beside one without.
        halves_are(&[None, None, None], &[0], &[1], false);
        let unlike = [core(0, 0), core(0, 0), core(0, 1)];
        halves_are(&unlike, &[0], &[2], false);
        assert_eq!(split(&[None]), None);
        assert_eq!(split(&[]), None);
    }

    #[test]
    fn what_is_started_on_a_processor_stays_there() {
        let before = allowed(None).unwrap();
        let first = before[0];
        let child = on(&[first], || {
            let thread = std::thread::spawn(|| allowed(None).unwrap());
            assert_eq!(thread.join().unwrap(), [first]);
            assert!(own_cpu_s(&[first]) > 0.0);
            std::process::Command::new("sleep").arg("600").spawn()
        });
        let mut child = child.unwrap().unwrap();
        assert_eq!(allowed(None).unwrap(), before);
        assert_eq!(strayed(&[child.id()], &[first]), 0);
        assert_eq!(strayed(&[child.id()], &[first + 1]), 1);
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(strayed(&[child.id()], &[first + 1]), 0);
    }

    #[test]
    fn processors_that_are_not_allowed_are_not_usable() {
        let first = allowed(None).unwrap()[0];
        assert_eq!(on(&[first], usable).unwrap(), 1);
        assert!((1..=machine::processors()).contains(&usable()));
    }

    #[test]
    fn a_thread_that_panics_gives_the_processors_back() {
        let before = allowed(None).unwrap();
        let panics = || on(&before[..1], || panic!("on purpose"));
        assert!(std::panic::catch_unwind(panics).is_err());
        assert_eq!(allowed(None).unwrap(), before);
        assert!(on(&[u32::MAX], || ()).is_err());
    }

    #[test]
    fn each_processor_has_its_line() {
        let stat = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 3 99 99 4 5 6 1 0\ncpu10 0 0 0 0 0 0 0 0\ncpu1 10 0 0 0 0 0 0 1\n";
        assert_eq!(busy_ticks(stat, &[0]), Some((15, 6)));
        assert_eq!(busy_ticks(stat, &[0, 1]), Some((25, 7)));
        assert_eq!(busy_ticks(stat, &[2]), None);
        assert_eq!(processes_ticks(stat), Some(27));
        assert_eq!(processes_ticks("cpu0 1 2 3 4\ncpu  1 2\n"), None);
        let then = busy(&[0]).unwrap();
        assert!(busy(&[0]).unwrap().busy_s >= then.busy_s);
        assert_eq!(busy(&[u32::MAX]), None);
    }

    proptest! {
        #[test]
        fn no_content_makes_the_reader_panic(stat in "(cpu[0-9]{0,2} [0-9 ]{0,220}\n){0,4}|\\PC{0,60}") {
            let _ = busy_ticks(&stat, &[0, 1]);
            let _ = processes_ticks(&stat);
        }
    }
}
