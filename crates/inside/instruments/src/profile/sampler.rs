//! The sampler: async-profiler, or else the JVM's own recorder. Either ends by itself some time
//! after its planned end. If Tacho is killed, the guard ends it earlier.

use super::Profile;
use super::guard::Guard;
use super::left::{self, KIND, Name};
use crate::error::InstrumentError;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_attach::{AttachError, Jvm};
use tacho_jfr::{JfrError, Recorder, RecorderError};
use tacho_jvm_agent::{AgentError, SharedFolder};
use tacho_launch::Scratch;
use tacho_profiler::{
    AsyncProfiler, Driver, Places, ProfilerError, Sampling, Start, may_use_perf_events,
};
use tacho_run_folder::LedgerKind;

/// After its time the sampler ends by itself, even if nobody stops it.
const GRACE: Duration = Duration::from_secs(20);
/// Frames of a stack.
const DEPTH: u32 = 512;
/// Default interval, in a thread's own processor time.
const PROCESSOR_EACH: Duration = Duration::from_millis(10);
/// A longer default interval for the wall clock: there are many threads, and most stand still.
const WALL_EACH: Duration = Duration::from_millis(50);
/// Half a MiB, as async-profiler has it.
const ALLOCATION_EACH: u64 = 512 << 10;
/// Shorter waits are not worth a sample.
const LOCK_WAIT: Duration = Duration::from_micros(10);
/// What a recording may leave on disk.
const MOST_MIB: u32 = 1_024;
/// Limit for reading the profiler's log, which has a few lines.
const LARGEST_LOG: u64 = 1 << 20;
/// Limit for copying a recording. The JVM's own recorder is told to stay below [`MOST_MIB`], but
/// the profiler is not, and a hostile JVM would not obey.
const LARGEST_RECORDING: u64 = 2 << 30;
/// With less free space than this, the sampler is switched off early. HotSpot ends the JVM if its
/// recorder finds the disk full (a chunk has up to 12 MiB). async-profiler only takes space that
/// the service may need.
const LEAST_FOR_RECORDER: u64 = 16 << 20;
const LEAST_FOR_PROFILER: u64 = 256 << 10;
/// In the folder that the JVM and we share.
const RECORDING: &str = "profile.jfr";
const SETTINGS: &str = "profile.jfc";
const LOG: &str = "log";
/// File for recordings that a killed Tacho left on. They are stopped, and nobody needs them.
pub const DISCARDED: &str = "discarded.jfr";

/// A sampler that is on.
pub struct Running<'j> {
    jvm: &'j Jvm,
    on: On,
    instrument: String,
    asked: Sampling,
    shared: SharedFolder,
    /// Dropped last.
    _guard: Option<Guard>,
}

/// What is needed to switch the sampler off.
enum On {
    AsyncProfiler(Driver),
    Recorder(Recorder),
}

/// The result of a sampler. Its recording is removed when this is dropped.
pub struct Stopped {
    pub recording: Recording,
    pub instrument: String,
    pub asked: Sampling,
    pub note: Option<String>,
}

/// Our own copy of what the JVM has written, which the JVM cannot change any more. Removed when
/// dropped.
pub struct Recording(Scratch);

impl Recording {
    /// `None` when there is nothing.
    fn take_over(shared: &SharedFolder) -> Result<Option<Self>, InstrumentError> {
        let Some(theirs) = shared.open(RECORDING)? else {
            return Ok(None);
        };
        let ours = Self(Scratch::new().map_err(JfrError::from)?);
        let path = ours.path();
        let copied = std::fs::File::create_new(&path)
            .and_then(|mut copy| io::copy(&mut theirs.take(LARGEST_RECORDING), &mut copy))
            .map_err(InstrumentError::write(path))?;
        Ok((copied > 0).then_some(ours))
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().join(RECORDING)
    }
}

/// What a sampler is about to be told.
struct Starting<'s> {
    jvm: &'s Jvm,
    shared: &'s SharedFolder,
    kinds: &'s [LedgerKind],
    asked: Sampling,
    ends: Duration,
    ours: Name,
}

/// The running sampler, its name, notes, and its guard. If the guard failed, sampling goes on
/// without one.
type Started = (On, String, Vec<String>, io::Result<Guard>);

impl<'j> Running<'j> {
    /// Switches on the best available sampler, and returns notes about it.
    pub fn start(
        jvm: &'j Jvm,
        release: u32,
        duration: Duration,
        wanted: &Profile,
    ) -> Result<(Self, Vec<String>), InstrumentError> {
        let ours = Name::ours(jvm);
        let shared = SharedFolder::make(jvm, &std::env::temp_dir(), KIND, &ours.since(), None)?;
        // If this fails, recordings that were left on end by themselves.
        let _ = left::stop_recordings(jvm, &shared.inside(DISCARDED), Name::is_left);
        let mut starting = Starting {
            jvm,
            shared: &shared,
            kinds: &wanted.kinds,
            asked: sampling(&wanted.kinds, wanted.interval),
            ends: duration + GRACE,
            ours,
        };
        let by_profiler = match wanted.recorder {
            true => Err(None),
            false => starting.by_profiler()?.map_err(Some),
        };
        let (on, instrument, mut notes, guard) = match by_profiler {
            Ok(started) => started,
            Err(why_not) => {
                let started = starting.by_recorder(release);
                let (on, instrument, recorded, guard) = started.map_err(|why| {
                    let reasons: Vec<String> = why_not.iter().cloned().chain([why]).collect();
                    InstrumentError::NoSampler(reasons.join("; "))
                })?;
                starting.asked.wall = None;
                let so =
                    why_not.map(|why| format!("{why}; so the JVM's own flight recorder samples"));
                let notes = so.into_iter().chain(recorded).collect();
                (on, instrument, notes, guard)
            }
        };
        if let Err(why) = &guard {
            notes.push(format!(
                "no process could be started that would end the sampling should Tacho be killed ({why}): then it goes on until its planned end"
            ));
        }
        let running = Self {
            jvm,
            on,
            instrument,
            asked: starting.asked,
            shared,
            _guard: guard.ok(),
        };
        Ok((running, notes))
    }

    /// Whether the disk is so full that the sampler has to be switched off.
    pub fn is_short_of_room(&self) -> bool {
        let least = match self.on {
            On::AsyncProfiler(_) => LEAST_FOR_PROFILER,
            On::Recorder(_) => LEAST_FOR_RECORDER,
        };
        self.shared.free_bytes().is_ok_and(|free| free < least)
    }

    /// Switches the sampler off. If the JVM has ended meanwhile, uses what it managed to write.
    pub fn stop(self) -> Result<Stopped, InstrumentError> {
        let inside = self.shared.inside(RECORDING);
        let stopped = match &self.on {
            On::AsyncProfiler(driver) => driver.stop(self.jvm, &inside).map_err(Into::into),
            On::Recorder(recorder) => match recorder.stop(self.jvm) {
                Err(RecorderError::Attach(error)) => Err(error.into()),
                // Whether there is a recording is checked below.
                Ok(()) | Err(RecorderError::Said(_) | RecorderError::NoRoom { .. }) => Ok(()),
            },
        };
        let (recording, note) = match (stopped, Recording::take_over(&self.shared)?) {
            (Ok(()), Some(recording)) => (recording, None),
            (Ok(()), None) => return Err(JfrError::NoRecording(inside).into()),
            (Err(_), Some(recording)) if !self.jvm.is_alive() => {
                let note = "the process has ended meanwhile; this is what was seen until then";
                (recording, Some(note.to_owned()))
            }
            (Err(error), _) => return Err(error),
        };
        Ok(Stopped {
            recording,
            instrument: self.instrument,
            asked: self.asked,
            note,
        })
    }
}

impl Starting<'_> {
    /// The inner error means: try another sampler. The outer one means: no sampler can work.
    fn by_profiler(&self) -> Result<Result<Started, String>, InstrumentError> {
        let Some(profiler) = AsyncProfiler::find(&Places::here()) else {
            let none = "async-profiler is not installed (`tacho profiler install` installs it)";
            return Ok(Err(none.to_owned()));
        };
        match self.with(&profiler) {
            Ok(started) => Ok(Ok(started)),
            Err(ProfilerError::Agent(AgentError::Attach(error)))
                if !matches!(
                    error,
                    AttachError::AgentsForbidden { .. } | AttachError::AgentFailed { .. }
                ) =>
            {
                Err(error.into())
            }
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn with(&self, profiler: &AsyncProfiler) -> Result<Started, ProfilerError> {
        let driver = Driver::new(profiler, self.jvm)?;
        let (library, discarded) = (driver.library(), self.shared.inside(DISCARDED));
        let _ = left::stop_profiler(self.jvm, library, &discarded, Name::is_left);
        // Start the guard before there is anything to end.
        let guard = self.guard(Some(library));
        let (recording, log) = (self.shared.inside(RECORDING), self.shared.inside(LOG));
        let start = Start {
            attempts: &self.asked.attempts(may_use_perf_events()),
            depth: DEPTH,
            ends: Some(self.ends),
            recording: &recording,
            log: Some(&log),
        };
        let engine = driver.start(self.jvm, &start, || {
            let written = self.shared.read(LOG, LARGEST_LOG)?.unwrap_or_default();
            let written = String::from_utf8_lossy(&written);
            let last = written.lines().rfind(|line| !line.trim().is_empty());
            Ok(last.map(|line| line.trim().to_owned()))
        })?;
        let instrument = format!("{} ({})", profiler.title(), self.asked.told(engine));
        Ok((On::AsyncProfiler(driver), instrument, Vec::new(), guard))
    }

    fn by_recorder(&self, release: u32) -> Result<Started, String> {
        let interval = self.asked.processor.unwrap_or(PROCESSOR_EACH);
        let settings = tacho_jfr::profile_settings(self.kinds, release, interval, LOCK_WAIT)
            .ok_or("the JVM's own recorder cannot sample by the wall clock")?;
        self.shared
            .write(SETTINGS, settings.as_bytes())
            .map_err(|e| e.to_string())?;
        let recorder = Recorder {
            name: self.ours.to_string(),
            settings: self.shared.inside(SETTINGS),
            file: self.shared.inside(RECORDING),
            depth: DEPTH,
            most_mib: MOST_MIB,
            ends: Some(self.ends),
        };
        let guard = self.guard(None);
        recorder.start(self.jvm).map_err(|e| e.to_string())?;
        let mut notes = Vec::new();
        if self.kinds.contains(&LedgerKind::Wall) {
            notes.push(
                "the JVM's own recorder cannot sample by the wall clock; that takes async-profiler"
                    .to_owned(),
            );
        }
        if self.kinds.contains(&LedgerKind::Processor) {
            notes.push("the recorder samples threads that run Java code; what the JVM itself and native code use is shared out among them".to_owned());
        }
        let instrument = "flight recorder of the JVM".to_owned();
        Ok((On::Recorder(recorder), instrument, notes, guard))
    }

    /// A guard for async-profiler if `library` is given, else for the recorder.
    fn guard(&self, library: Option<&Path>) -> io::Result<Guard> {
        Guard::start(self.jvm, &self.ours, self.shared, library, self.ends)
    }
}

fn sampling(kinds: &[LedgerKind], interval: Option<Duration>) -> Sampling {
    let has = |kind| kinds.contains(&kind);
    let wall_each = match has(LedgerKind::Processor) {
        true => WALL_EACH,
        false => interval.unwrap_or(WALL_EACH),
    };
    Sampling {
        processor: has(LedgerKind::Processor).then(|| interval.unwrap_or(PROCESSOR_EACH)),
        wall: has(LedgerKind::Wall).then_some(wall_each),
        allocation_bytes: has(LedgerKind::Allocation).then_some(ALLOCATION_EACH),
        locks: has(LedgerKind::LockWaits).then_some(LOCK_WAIT),
    }
}

/// The requested interval of a kind of sample, in nanoseconds or bytes.
#[must_use]
pub fn period(asked: &Sampling, kind: LedgerKind) -> Option<u64> {
    let ns = |time: Duration| u64::try_from(time.as_nanos()).ok();
    match kind {
        LedgerKind::Processor => asked.processor.and_then(ns),
        LedgerKind::Wall => asked.wall.and_then(ns),
        LedgerKind::Allocation => asked.allocation_bytes,
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_of_the_wall_clock_only_where_that_is_alone() {
        let each = Duration::from_millis(5);
        let wall = sampling(&[LedgerKind::Wall], Some(each));
        assert_eq!((wall.processor, wall.wall), (None, Some(each)));
        let both = sampling(&[LedgerKind::Processor, LedgerKind::Wall], Some(each));
        assert_eq!((both.processor, both.wall), (Some(each), Some(WALL_EACH)));
        assert_eq!(period(&both, LedgerKind::Processor), Some(5_000_000));
        assert_eq!(period(&both, LedgerKind::Allocation), None);
        let locks = sampling(&[LedgerKind::LockWaits], None);
        assert_eq!(locks.locks, Some(LOCK_WAIT));
        assert_eq!(period(&locks, LedgerKind::LockWaits), None);
    }
}
