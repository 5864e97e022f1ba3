//! Resources over time, by a thread of its own: ten readings a second into `samples.csv` and
//! `jvm.csv`, one into `memory.csv`.

mod file;
mod jvm;
mod memory;
mod probe;

use file::SeriesFile;
use jvm::JvmSeries;
use memory::MemorySeries;
use probe::{Probe, Pss, Reading};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tacho_cgroup::Group;
use tacho_clock as clock;
use tacho_run_folder::{
    FolderError, JvmSample, MemorySample, ResourcePoint, ResourceSummary, Sample,
};

/// Between two samples.
const INTERVAL: Duration = Duration::from_millis(100);

/// Why sampling did not work.
#[derive(Debug, thiserror::Error)]
pub enum SamplerError {
    /// The file could not be written.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// No thread could be started.
    #[error(
        "no thread can be started for the sampler: {0}. Is the memory or the number of threads limited (`ulimit -v`, `ulimit -u`)?"
    )]
    NoThread(io::Error),
    /// The thread has panicked.
    #[error("the sampler ended by an error in Tacho itself; please report it with the lines above")]
    Panicked,
}

/// What is to be sampled.
#[derive(Debug, Clone)]
pub struct SamplerSpec {
    /// The process that the tree begins with.
    pub pid: u32,
    /// Its control group, if it has one: the better source for processor time and members.
    pub group: Option<Arc<Group>>,
    /// When it was executed, by `CLOCK_MONOTONIC`: instants count from here.
    pub exec_ns: u64,
    /// Path of the `samples.csv` to be written.
    pub path: PathBuf,
    /// `memory.csv`, if it is wanted.
    pub memory_path: Option<PathBuf>,
    /// `jvm.csv`, if it is wanted; made when the subject turns out to be a JVM.
    pub jvm_path: Option<PathBuf>,
    /// The JVM's log of its collections, which says where the heap lies.
    pub gc_log: Option<PathBuf>,
    /// Requests answered so far, counted by the generator.
    pub requests: Arc<AtomicU64>,
}

/// The files that are written.
struct Files {
    samples: SeriesFile,
    memory: Option<MemorySeries>,
    jvm: Option<JvmSeries>,
}

impl Files {
    fn create(spec: &SamplerSpec) -> Result<Self, FolderError> {
        Ok(Self {
            samples: SeriesFile::create(&spec.path, Sample::HEADER)?,
            memory: match &spec.memory_path {
                Some(path) => Some(MemorySeries::new(
                    SeriesFile::create(path, MemorySample::HEADER)?,
                    spec.gc_log.clone(),
                )),
                None => None,
            },
            jvm: spec
                .jvm_path
                .clone()
                .map(|path| JvmSeries::new(path, JvmSample::HEADER)),
        })
    }

    /// Everything that is due at this instant.
    fn append(
        &mut self,
        probe: &mut Probe,
        requests: u64,
        last: bool,
    ) -> Result<Option<()>, FolderError> {
        let due = match &mut self.memory {
            Some(memory) => memory.due(last),
            None => false,
        };
        let Some(reading) = probe.read(match (due, last) {
            (true, true) => Pss::WithMappingsAlways,
            (true, false) => Pss::WithMappings,
            (false, _) => Pss::WithinBudget,
        }) else {
            return Ok(None);
        };
        self.samples
            .append(|to| row(&reading, requests).write(to))?;
        if let Some(jvm) = &mut self.jvm {
            jvm.append(probe, &reading, last)?;
        }
        if let Some(memory) = &mut self.memory
            && due
        {
            memory.append(probe, &reading, last)?;
        }
        Ok(Some(()))
    }

    fn flush(&mut self) -> Result<(), FolderError> {
        self.samples.flush()?;
        if let Some(memory) = &mut self.memory {
            memory.file.flush()?;
        }
        self.jvm.as_mut().map_or(Ok(()), JvmSeries::flush)
    }
}

fn row(reading: &Reading, requests: u64) -> Sample {
    let point = &reading.point;
    Sample {
        at_ms: point.at_ms,
        rss_bytes: point.rss_bytes,
        pss_bytes: point.pss_bytes,
        cgroup_bytes: point.cgroup_bytes,
        working_set_bytes: point.working_set_bytes,
        cpu_s: point.cpu_s,
        threads: point.threads,
        requests,
        throttled_s: reading.throttled_s,
    }
}

/// Samples a process tree until it is stopped or the tree has ended.
#[derive(Debug)]
pub struct Sampler {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<Result<(), SamplerError>>>,
}

#[derive(Debug)]
struct Shared {
    probe: Mutex<Probe>,
    stop: Mutex<bool>,
    wake: Condvar,
    /// Processor time of all observing, by whichever thread, in nanoseconds.
    cost_ns: AtomicU64,
    /// The part of it that was taken while nothing was measured.
    at_rest_ns: AtomicU64,
}

impl Sampler {
    /// Writes the head of the file and starts the thread; the first sample is taken at once.
    ///
    /// # Errors
    /// When the file cannot be made or the thread cannot be started.
    pub fn start(spec: SamplerSpec) -> Result<Self, SamplerError> {
        let files = Files::create(&spec)?;
        let shared = Arc::new(Shared {
            probe: Mutex::new(Probe::new(spec.pid, spec.group, spec.exec_ns)),
            stop: Mutex::new(false),
            wake: Condvar::new(),
            cost_ns: AtomicU64::new(0),
            at_rest_ns: AtomicU64::new(0),
        });
        let for_thread = Arc::clone(&shared);
        let requests = spec.requests;
        let thread = std::thread::Builder::new()
            .name("sampler".to_owned())
            .spawn(move || {
                let result = sample(&for_thread, files, &requests);
                for_thread.charge(clock::thread_cpu_s());
                result
            })
            .map_err(SamplerError::NoThread)?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Reads everything at once, PSS included; `None` when the tree has ended. For instants at
    /// which nothing is measured: when the subject is ready, and at the end. Takes some ms when the
    /// subject is large.
    #[must_use]
    pub fn point(&self) -> Option<ResourcePoint> {
        let before = clock::thread_cpu_s();
        let reading = lock(&self.shared.probe).read(Pss::Always);
        let cost_s = clock::thread_cpu_s() - before;
        self.shared.charge(cost_s);
        self.shared.note_rest(cost_s);
        reading.map(|r| r.point)
    }

    /// Reads everything that needs no walk through the page tables of the subject; `None` when the
    /// tree has ended. For instants at which requests are under way: after the first one.
    #[must_use]
    pub fn glance(&self) -> Option<ResourcePoint> {
        let before = clock::thread_cpu_s();
        let reading = lock(&self.shared.probe).read(Pss::Never);
        self.shared.charge(clock::thread_cpu_s() - before);
        reading.map(|r| r.point)
    }

    /// Takes a last sample, ends the thread and sums up. The caller adds the points by name.
    ///
    /// Best called before the group is removed: then the kernel's high-water mark is complete.
    ///
    /// # Errors
    /// When the file could not be written.
    pub fn stop(mut self) -> Result<ResourceSummary, SamplerError> {
        self.end().unwrap_or(Ok(()))?;
        let mut summary = lock(&self.shared.probe).peaks();
        let seconds = |ns: &AtomicU64| ns.load(Ordering::Relaxed) as f64 / 1e9;
        summary.observer_cpu_s = seconds(&self.shared.cost_ns);
        summary.observer_cpu_at_rest_s = seconds(&self.shared.at_rest_ns);
        Ok(summary)
    }

    /// `None` when it has ended already.
    fn end(&mut self) -> Option<Result<(), SamplerError>> {
        let thread = self.thread.take()?;
        *lock(&self.shared.stop) = true;
        self.shared.wake.notify_all();
        Some(thread.join().unwrap_or(Err(SamplerError::Panicked)))
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        let _ = self.end();
    }
}

impl Shared {
    fn charge(&self, cpu_s: f64) {
        self.cost_ns
            .fetch_add((cpu_s * 1e9) as u64, Ordering::Relaxed);
    }

    /// Records processor time of the observer at an instant at which it could disturb no
    /// measurement.
    fn note_rest(&self, cpu_s: f64) {
        self.at_rest_ns
            .fetch_add((cpu_s * 1e9) as u64, Ordering::Relaxed);
    }

    /// Waits for an instant; true when it is time to stop.
    fn wait_until(&self, instant: Instant) -> bool {
        let mut stop = lock(&self.stop);
        while !*stop {
            let left = instant.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            stop = self
                .wake
                .wait_timeout(stop, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        *stop
    }
}

/// A panic of another thread in between cannot leave these values half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn sample(shared: &Shared, mut files: Files, requests: &AtomicU64) -> Result<(), SamplerError> {
    let start = Instant::now();
    let mut next = start;
    loop {
        let stop = shared.wait_until(next);
        let answered = requests.load(Ordering::Relaxed);
        let before = clock::thread_cpu_s();
        let alive = files.append(&mut lock(&shared.probe), answered, stop)?;
        if stop {
            // The thread is charged as a whole when it has ended.
            shared.note_rest(clock::thread_cpu_s() - before);
        }
        if stop || alive.is_none() {
            break;
        }
        next = following(start, next, Instant::now());
    }
    Ok(files.flush()?)
}

/// The next instant of the schedule. Instants lie at whole intervals from the start, however long a
/// reading takes: no drift, and no burst after a pause.
fn following(start: Instant, last: Instant, now: Instant) -> Instant {
    let passed = now.max(last).duration_since(start).as_nanos() / INTERVAL.as_nanos();
    let whole = u32::try_from(passed + 1).unwrap_or(u32::MAX);
    start + INTERVAL * whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schedule_does_not_drift_and_leaves_out_what_was_missed() {
        let start = Instant::now();
        let at = |ms| start + Duration::from_millis(ms);
        assert_eq!(following(start, start, at(3)), at(100));
        assert_eq!(following(start, at(100), at(199)), at(200));
        assert_eq!(following(start, at(200), at(200)), at(300));
        assert_eq!(following(start, at(200), at(731)), at(800));
        // A wake-up before its time must not lead to the same instant twice.
        assert_eq!(following(start, at(300), at(299)), at(400));
    }
}
