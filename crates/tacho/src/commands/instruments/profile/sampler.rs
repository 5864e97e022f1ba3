//! Who samples: async-profiler, else the JVM's own recorder. Either ends by itself some time after it should have been stopped; when Tacho is
//! killed, its guard ends it sooner.

use super::guard::Guard;
use super::kinds;
use super::left::{self, KIND, Name};
use crate::commands::instruments::arguments::Profile;
use crate::error::Error;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::PathBuf;
use std::time::Duration;
use tacho_attach::{AttachError, Jvm};
use tacho_jfr::JfrError;
use tacho_jvm_agent::{AgentError, SharedFolder, place};
use tacho_launch::Scratch;
use tacho_profiler::{AsyncProfiler, Places, Sampling, may_use_perf_events};
use tacho_run_folder::LedgerKind;

/// After its time the sampler ends by itself, even if nobody stops it.
const GRACE: Duration = Duration::from_secs(20);
/// Frames of a stack.
const DEPTH: u32 = 512;
/// Of a thread's own time.
const PROCESSOR_EACH: Duration = Duration::from_millis(10);
/// There are many threads, and most of them stand still.
const WALL_EACH: Duration = Duration::from_millis(50);
/// Half a MiB, as async-profiler has it.
const ALLOCATION_EACH: u64 = 512 << 10;
/// Shorter waits are not worth a sample.
const LOCK_WAIT: Duration = Duration::from_micros(10);
/// What a recording may leave on disk.
const MOST_MIB: u32 = 1_024;
/// Of the profiler's log, a few lines.
const LARGEST_LOG: u64 = 1 << 20;
/// The JVM's own recorder is told to stay below [`MOST_MIB`]; a profiler is not, and a hostile JVM
/// would not.
const LARGEST_RECORDING: u64 = 2 << 30;
/// In the folder that the JVM and we share.
const RECORDING: &str = "profile.jfr";
const SETTINGS: &str = "profile.jfc";
const LOG: &str = "log";
/// What was left on by a Tacho that was killed, stopped: of use to nobody.
pub const DISCARDED: &str = "discarded.jfr";

/// What was asked for.
#[derive(Debug, Clone, Copy, Default)]
pub struct Intervals {
    pub processor: Option<Duration>,
    pub wall: Option<Duration>,
    pub allocation_bytes: Option<u64>,
}

impl Intervals {
    /// Nanoseconds or bytes.
    pub fn of(&self, kind: LedgerKind) -> Option<u64> {
        let ns = |time: Duration| u64::try_from(time.as_nanos()).ok();
        match kind {
            LedgerKind::Processor => self.processor.and_then(ns),
            LedgerKind::Wall => self.wall.and_then(ns),
            LedgerKind::Allocation => self.allocation_bytes,
            _ => None,
        }
    }
}

/// A sampler that is on.
pub struct Running<'j> {
    jvm: &'j Jvm,
    how: How,
    instrument: String,
    intervals: Intervals,
    shared: SharedFolder,
    /// The last one to go.
    _guard: Option<Guard>,
}

/// By whom, and what it takes to switch it off.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub enum How {
    AsyncProfiler { library: PathBuf },
    Recorder { name: String },
}

/// What it has left: a recording, which is gone when this is dropped.
pub struct Stopped {
    pub recording: Recording,
    pub instrument: String,
    pub intervals: Intervals,
    pub note: Option<String>,
}

/// A copy of what the JVM has written, of our own: the JVM cannot change it any more. It is gone
/// when this is dropped.
pub struct Recording(Scratch);

impl Recording {
    /// `None` when there is nothing.
    fn take_over(shared: &SharedFolder) -> Result<Option<Self>, Error> {
        let Some(theirs) = shared.open(RECORDING)? else {
            return Ok(None);
        };
        let ours = Self(Scratch::new().map_err(JfrError::from)?);
        let path = ours.path();
        let copied = std::fs::File::create_new(&path)
            .and_then(|mut copy| std::io::copy(&mut theirs.take(LARGEST_RECORDING), &mut copy))
            .map_err(|source| Error::Write { path, source })?;
        Ok((copied > 0).then_some(ours))
    }

    pub fn path(&self) -> PathBuf {
        self.0.path().join(RECORDING)
    }
}

impl<'j> Running<'j> {
    /// Switches on the best sampler that there is, and says what that means.
    pub fn start(
        jvm: &'j Jvm,
        properties: &BTreeMap<String, String>,
        arguments: &Profile,
    ) -> Result<(Self, Vec<String>), Error> {
        let ours = Name::ours(jvm);
        let shared = SharedFolder::make(jvm, &std::env::temp_dir(), KIND, &ours.since(), None)?;
        // Those that a JVM does not let us see end by themselves.
        let _ = left::stop_recordings(jvm, &shared.inside(DISCARDED), Name::is_left);
        let ends = arguments.common.duration + GRACE;
        let mut notes = Vec::new();
        let profiler = match arguments.recorder {
            true => None,
            false => AsyncProfiler::find(&Places::here()),
        };
        let why_not = match &profiler {
            _ if arguments.recorder => None,
            None => Some(
                "async-profiler is not installed (`tacho profiler install` installs it)".to_owned(),
            ),
            Some(profiler) => match by_profiler(jvm, profiler, &shared, arguments, ends, &ours) {
                Ok((how, instrument, guard)) => {
                    let (guard, note) = guarded(guard);
                    notes.extend(note);
                    let running = Self {
                        jvm,
                        how,
                        instrument,
                        intervals: intervals(arguments),
                        shared,
                        _guard: guard,
                    };
                    return Ok((running, notes));
                }
                Err(Error::Agent(AgentError::Attach(error)))
                    if !matches!(
                        error,
                        AttachError::AgentsForbidden { .. } | AttachError::AgentFailed { .. }
                    ) =>
                {
                    return Err(AgentError::from(error).into());
                }
                Err(error) => Some(error.to_string()),
            },
        };
        let (how, recorded, guard) = by_recorder(jvm, properties, &shared, arguments, ends, &ours)
            .map_err(|why| no_sampler(why_not.as_deref(), &why))?;
        notes.extend(why_not.map(|why| format!("{why}; so the JVM's own flight recorder samples")));
        notes.extend(recorded);
        let (guard, note) = guarded(guard);
        notes.extend(note);
        let mut intervals = intervals(arguments);
        intervals.wall = None;
        let running = Self {
            jvm,
            how,
            instrument: "flight recorder of the JVM".to_owned(),
            intervals,
            shared,
            _guard: guard,
        };
        Ok((running, notes))
    }

    /// Switches it off. When the JVM has ended meanwhile, what it could still write is taken.
    pub fn stop(self) -> Result<Stopped, Error> {
        let inside = self.shared.inside(RECORDING);
        let stopped = match &self.how {
            How::AsyncProfiler { library } => {
                let options = format!("stop,file={}", inside.display());
                self.jvm.load_native_agent(library, &options)
            }
            How::Recorder { name } => {
                let command = format!("JFR.stop name={name} filename={}", inside.display());
                self.jvm.jcmd(&command).map(drop)
            }
        };
        let (recording, note) = match (stopped, Recording::take_over(&self.shared)?) {
            (Ok(()), Some(recording)) => (recording, None),
            (Ok(()), None) => return Err(JfrError::NoRecording(inside).into()),
            (Err(_), Some(recording)) if !self.jvm.is_alive() => {
                let note = "the process has ended meanwhile; this is what was seen until then";
                (recording, Some(note.to_owned()))
            }
            (Err(error), _) => return Err(AgentError::from(error).into()),
        };
        Ok(Stopped {
            recording,
            instrument: self.instrument,
            intervals: self.intervals,
            note,
        })
    }
}

fn intervals(arguments: &Profile) -> Intervals {
    let has = |kind| kinds(&arguments.events).contains(&kind);
    Intervals {
        processor: has(LedgerKind::Processor).then(|| arguments.interval.unwrap_or(PROCESSOR_EACH)),
        wall: has(LedgerKind::Wall).then(|| match has(LedgerKind::Processor) {
            true => WALL_EACH,
            false => arguments.interval.unwrap_or(WALL_EACH),
        }),
        allocation_bytes: has(LedgerKind::Allocation).then_some(ALLOCATION_EACH),
    }
}

/// Its guard, or why there is none.
type Guarded = io::Result<Guard>;

/// Sampling goes on without a guard, as it would in a JVM that is stopped.
fn guarded(guard: Guarded) -> (Option<Guard>, Option<String>) {
    match guard {
        Ok(guard) => (Some(guard), None),
        Err(why) => {
            let note = format!(
                "no process could be started that would end the sampling should Tacho be killed ({why}): then it goes on until its planned end"
            );
            (None, Some(note))
        }
    }
}

/// How it is stopped, what it does, and its guard.
fn by_profiler(
    jvm: &Jvm,
    profiler: &AsyncProfiler,
    shared: &SharedFolder,
    arguments: &Profile,
    ends: Duration,
    name: &Name,
) -> Result<(How, String, Guarded), Error> {
    let library = visible(jvm, profiler)?;
    let _ = left::stop_profiler(jvm, &library, &shared.inside(DISCARDED), Name::is_left);
    let how = How::AsyncProfiler {
        library: library.clone(),
    };
    // Before there is anything to be ended.
    let guard = Guard::start(jvm, name, shared, &how, ends);
    let intervals = intervals(arguments);
    let sampling = Sampling {
        processor: intervals.processor,
        wall: intervals.wall,
        allocation_bytes: intervals.allocation_bytes,
        locks: kinds(&arguments.events)
            .contains(&LedgerKind::LockWaits)
            .then_some(LOCK_WAIT),
    };
    let log = shared.inside(LOG);
    let mut refused = None;
    for attempt in sampling.attempts(may_use_perf_events()) {
        let options = format!(
            "start,{},jstackdepth={DEPTH},timeout={},jfr,file={},log={}",
            attempt.options,
            ends.as_secs(),
            shared.inside(RECORDING).display(),
            log.display(),
        );
        match jvm.load_native_agent(&library, &options) {
            Ok(()) => {
                let what = asked(&sampling, attempt.engine);
                return Ok((how, format!("{} ({what})", profiler.title()), guard));
            }
            Err(AttachError::AgentFailed { pid, agent, said }) => {
                // The reason is in its log; the JVM knows a number alone.
                let written = shared.read(LOG, LARGEST_LOG)?.unwrap_or_default();
                let written = String::from_utf8_lossy(&written);
                let last = written.lines().rfind(|line| !line.trim().is_empty());
                refused = Some(AttachError::AgentFailed {
                    pid,
                    agent,
                    said: last.map_or(said, |line| line.trim().to_owned()),
                });
            }
            Err(error) => return Err(AgentError::from(error).into()),
        }
    }
    // There is always one attempt.
    let none = || AttachError::Refused {
        pid: jvm.pid(),
        command: "start".to_owned(),
        said: "nothing to sample".to_owned(),
    };
    Err(AgentError::from(refused.unwrap_or_else(none)).into())
}

/// `ctimer 10 ms, alloc 512 KiB`.
fn asked(sampling: &Sampling, engine: Option<&str>) -> String {
    let each = |what: Option<&str>, time: Option<Duration>| {
        what.zip(time)
            .map(|(what, time)| format!("{what} {}", shown(time)))
    };
    let allocation = sampling
        .allocation_bytes
        .map(|bytes| format!("alloc {} KiB", bytes >> 10));
    [
        each(engine, sampling.processor),
        each(Some("wall"), sampling.wall),
        allocation,
        each(Some("lock"), sampling.locks),
    ]
    .into_iter()
    .flatten()
    .collect::<Vec<_>>()
    .join(", ")
}

/// Another user, or a container, may not see our files.
fn visible(jvm: &Jvm, profiler: &AsyncProfiler) -> Result<PathBuf, Error> {
    // Looked at now, and not when it was found: it becomes part of somebody's JVM.
    let content = profiler.read()?;
    let own = rustix::process::geteuid().as_raw();
    if jvm.shares_files() && jvm.user() == own {
        return Ok(profiler.library.clone());
    }
    let version = profiler.version.as_deref().unwrap_or("own");
    Ok(place(
        jvm,
        &format!("libasyncProfiler-{version}.so"),
        &content,
    )?)
}

/// How it is stopped, notes and its guard, or why it cannot.
fn by_recorder(
    jvm: &Jvm,
    properties: &BTreeMap<String, String>,
    shared: &SharedFolder,
    arguments: &Profile,
    ends: Duration,
    name: &Name,
) -> Result<(How, Vec<String>, Guarded), String> {
    let interval = arguments.interval.unwrap_or(PROCESSOR_EACH);
    let kinds = kinds(&arguments.events);
    let settings = tacho_jfr::profile_settings(&kinds, release(properties), interval, LOCK_WAIT)
        .ok_or("the JVM's own recorder cannot sample by the wall clock")?;
    shared
        .write(SETTINGS, settings.as_bytes())
        .map_err(|e| e.to_string())?;
    let how = How::Recorder {
        name: name.to_string(),
    };
    let guard = Guard::start(jvm, name, shared, &how, ends);
    // Only before the recorder is used for the first time; then it says no, and the depth is what it was.
    let _ = jvm.jcmd(&format!("JFR.configure stackdepth={DEPTH}"));
    let command = format!(
        "JFR.start name={name} settings={} filename={} duration={}s maxsize={MOST_MIB}m dumponexit=true",
        shared.inside(SETTINGS).display(),
        shared.inside(RECORDING).display(),
        ends.as_secs(),
    );
    let said = jvm.jcmd(&command).map_err(|e| e.to_string())?;
    if !said.contains("Started recording") {
        return Err(format!("the JVM's flight recorder said: {}", said.trim()));
    }
    let mut notes = Vec::new();
    if kinds.contains(&LedgerKind::Wall) {
        notes.push(
            "the JVM's own recorder cannot sample by the wall clock; that takes async-profiler"
                .to_owned(),
        );
    }
    if kinds.contains(&LedgerKind::Processor) {
        notes.push(
            "the recorder samples threads that run Java code; what the JVM itself and native code use is shared out among them".to_owned(),
        );
    }
    Ok((how, notes, guard))
}

/// `17` or `1.8`.
fn release(properties: &BTreeMap<String, String>) -> u32 {
    let text = properties
        .get("java.specification.version")
        .map_or("", String::as_str);
    text.strip_prefix("1.").unwrap_or(text).parse().unwrap_or(8)
}

fn no_sampler(profiler: Option<&str>, recorder: &str) -> Error {
    let mut reasons: Vec<&str> = profiler.into_iter().collect();
    reasons.push(recorder);
    Error::NoSampler(reasons.join("; "))
}

fn shown(time: Duration) -> String {
    match time.as_micros() {
        micros if micros % 1000 == 0 => format!("{} ms", micros / 1000),
        micros => format!("{micros} µs"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn releases_are_as_jvms_name_them() {
        let of = |version: &str| {
            let properties = [("java.specification.version", version)];
            release(&properties.map(|(k, v)| (k.to_owned(), v.to_owned())).into())
        };
        assert_eq!((of("1.8"), of("25"), of("")), (8, 25, 8));
    }

    #[test]
    fn what_was_asked_for_is_told_with_its_interval() {
        let sampling = Sampling {
            processor: Some(Duration::from_millis(10)),
            wall: None,
            allocation_bytes: Some(ALLOCATION_EACH),
            locks: Some(LOCK_WAIT),
        };
        assert_eq!(
            asked(&sampling, Some("ctimer")),
            "ctimer 10 ms, alloc 512 KiB, lock 10 µs"
        );
        assert_eq!(shown(Duration::from_micros(10_500)), "10500 µs");
    }
}
