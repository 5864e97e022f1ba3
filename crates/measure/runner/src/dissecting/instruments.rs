//! Instruments, one a window. Each is loaded through the JVM's own attach socket, switched on
//! before the first request of its window and off after the last answer; what it saw is read when
//! the window is over.

use super::DissectSpec;
use super::counting::Counting;
use super::recorded_calls::RecordedCalls;
use super::recording::{DEPTH, Recording, not_understood};
use super::tracing::Tracing;
use crate::reader::{NoReader, Reader};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use tacho_attach::Jvm;
use tacho_diagnosis::Own;
use tacho_jfr::{Filling, share_out};
use tacho_profiler::{Driver, Sampling, Start};
use tacho_run_folder::{
    Dissection, LaunchDir, Ledger, LedgerKind, NotObserved, TracedMethod, TracedNode, Window,
};

/// One sample for each millisecond of a thread's processor time is asked for. A kernel looks at
/// such timers when its clock ticks (250 times a second on most), so that one may stand for more.
const SAMPLED_EACH: Duration = Duration::from_millis(1);

/// What is looked for in one window.
#[derive(Debug)]
pub struct Kind {
    /// Name of its window.
    pub window: &'static str,
    /// What is done in it, for people: `tracing the methods that cost most`.
    pub doing: &'static str,
    /// More requests make it more exact; the others count.
    pub samples: bool,
    /// How it can be seen, the better way first: a JVM that does not let an agent in
    /// (`-XX:-EnableDynamicAgentLoading`, JEP 451) has its own recorder.
    pub ways: &'static [Way],
}

/// Those of a dissection, in their order: the cheap before those that change code.
pub const KINDS: [Kind; 4] = [
    Kind {
        window: "processor",
        doing: "sampling where processor time goes",
        samples: true,
        ways: &[Way::AsyncProfiler, Way::RecordedSamples],
    },
    Kind {
        window: "events",
        doing: "recording waits, exceptions and allocation",
        samples: false,
        ways: &[Way::RecordedEvents],
    },
    Kind {
        window: "counts",
        doing: "counting look-ups, calls and queries",
        samples: false,
        ways: &[Way::Probes],
    },
    Kind {
        window: "trace",
        doing: "tracing the methods that cost most",
        samples: false,
        ways: &[Way::Tracer, Way::RecordedCalls],
    },
];

/// What a window gave.
#[derive(Debug, Default)]
pub struct Finished {
    pub ledgers: Vec<Ledger>,
    pub traces: Vec<TracedMethod>,
    pub trees: Vec<TracedNode>,
    pub left_behind: Vec<String>,
    pub missing: Vec<NotObserved>,
}

/// Switched on and off around a window. Errors are sentences for people.
pub trait Instrument {
    /// With its version.
    fn title(&self) -> String;
    fn switch_on(&mut self) -> Result<(), String>;
    fn switch_off(&mut self) -> Result<(), String>;
    /// After the window. Gives up when `stop` is set.
    fn read(&mut self, window: &Window, own: &Own, stop: &AtomicBool) -> Result<Finished, String>;
}

/// A way to see what is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    AsyncProfiler,
    RecordedSamples,
    RecordedEvents,
    Probes,
    Tracer,
    RecordedCalls,
}

/// The process that an instrument is loaded into.
pub struct Subject<'s> {
    pub pid: u32,
    /// Who reads its recordings.
    pub reader: &'s Result<Reader, NoReader>,
    pub folder: &'s LaunchDir,
    pub spec: &'s DissectSpec,
    /// What earlier instruments have seen.
    pub seen: &'s Dissection,
}

impl std::fmt::Display for Way {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::AsyncProfiler => "async-profiler",
            Self::RecordedSamples | Self::RecordedEvents => "the flight recorder",
            Self::Probes | Self::Tracer => "the agent",
            Self::RecordedCalls => "the flight recorder's calls",
        })
    }
}

impl Way {
    /// Makes it ready, and switches it on.
    pub fn begin(self, subject: &Subject<'_>) -> Result<Box<dyn Instrument>, String> {
        let mut instrument = self.prepare(subject)?;
        instrument.switch_on()?;
        Ok(instrument)
    }

    fn prepare(self, subject: &Subject<'_>) -> Result<Box<dyn Instrument>, String> {
        let Subject {
            pid,
            reader,
            folder,
            spec,
            seen,
        } = *subject;
        // Before anything is switched on: what nobody can read is not recorded.
        let reader = || reader.clone().map_err(|none| none.to_string());
        let jvm = || Jvm::attach(pid).map_err(|e| e.to_string());
        Ok(match self {
            Self::AsyncProfiler => {
                let (reader, jvm) = (reader()?, jvm()?);
                let profiler = spec.profiler.as_ref().ok_or("it is not installed")?;
                Box::new(Sampler {
                    title: format!("{} (ctimer, 1 ms)", profiler.title()),
                    driver: Driver::new(profiler, &jvm).map_err(|e| e.to_string())?,
                    recording: folder.instrument_path("processor.jfr"),
                    reader,
                    jvm,
                })
            }
            Self::RecordedSamples => Box::new(Recorder {
                recording: Recording::new(jvm()?, folder, tacho_jfr::PROCESSOR, "processor")?,
                reader: reader()?,
                kinds: &[LedgerKind::Processor],
            }),
            Self::RecordedEvents => Box::new(Recorder {
                recording: Recording::new(jvm()?, folder, tacho_jfr::EVENTS, "events")?,
                reader: reader()?,
                kinds: EVENTS,
            }),
            Self::Probes => Box::new(Counting::new(pid, folder, spec)?),
            Self::Tracer => Box::new(Tracing::new(pid, folder, spec, seen)?),
            Self::RecordedCalls => {
                Box::new(RecordedCalls::new(reader()?, jvm()?, folder, spec, seen)?)
            }
        })
    }
}

pub const EVENTS: &[LedgerKind] = &[
    LedgerKind::Allocation,
    LedgerKind::Survivors,
    LedgerKind::LockWaits,
    LedgerKind::Parks,
    LedgerKind::Sleeps,
    LedgerKind::SocketWaits,
    LedgerKind::FileWaits,
    LedgerKind::ThreadStarts,
    LedgerKind::TlsHandshakes,
    LedgerKind::Pinned,
    LedgerKind::Exceptions,
    LedgerKind::ClassDefinitions,
    LedgerKind::Deoptimisations,
    LedgerKind::Compilations,
    LedgerKind::Collections,
];

/// async-profiler with one timer a thread (timer_create(2) on the thread's own clock): needs no
/// perf events.
struct Sampler {
    jvm: Jvm,
    title: String,
    driver: Driver,
    recording: PathBuf,
    reader: Reader,
}

impl Instrument for Sampler {
    fn title(&self) -> String {
        self.title.clone()
    }

    fn switch_on(&mut self) -> Result<(), String> {
        let sampling = Sampling {
            processor: Some(SAMPLED_EACH),
            ..Sampling::default()
        };
        let start = Start {
            attempts: &[sampling.by("ctimer")],
            depth: DEPTH,
            ends: None,
            recording: &self.recording,
            log: None,
        };
        let on = self.driver.start(&self.jvm, &start, || Ok(None));
        on.map(drop).map_err(|e| e.to_string())
    }

    fn switch_off(&mut self) -> Result<(), String> {
        let off = self.driver.stop(&self.jvm, &self.recording);
        off.map_err(|e| e.to_string())
    }

    fn read(&mut self, window: &Window, own: &Own, stop: &AtomicBool) -> Result<Finished, String> {
        let kinds = &[LedgerKind::Processor];
        read(&self.recording, &self.reader, kinds, window, own, stop)
    }
}

/// The JVM's own recorder, for what becomes ledgers.
struct Recorder {
    recording: Recording,
    reader: Reader,
    kinds: &'static [LedgerKind],
}

impl Instrument for Recorder {
    fn title(&self) -> String {
        "flight recorder of the JVM".to_owned()
    }

    fn switch_on(&mut self) -> Result<(), String> {
        self.recording.start()
    }

    fn switch_off(&mut self) -> Result<(), String> {
        self.recording.stop()
    }

    fn read(&mut self, window: &Window, own: &Own, stop: &AtomicBool) -> Result<Finished, String> {
        let file = self.recording.file();
        read(file, &self.reader, self.kinds, window, own, stop)
    }
}

fn read(
    recording: &Path,
    reader: &Reader,
    kinds: &[LedgerKind],
    window: &Window,
    own: &Own,
    stop: &AtomicBool,
) -> Result<Finished, String> {
    // A sample of an execution sampler does not say what it stands for.
    let mut filling = Filling::new(own, 0.0);
    let unread = tacho_jfr::read_work(&reader.reading(recording, stop), &mut |event| {
        filling.add(event);
    })
    .map_err(|e| e.to_string())?;
    let mut ledgers = filling.finish(&window.name, window.requests, kinds);
    for ledger in ledgers
        .iter_mut()
        .filter(|ledger| ledger.kind == LedgerKind::Processor)
    {
        share_out(ledger, window.processor_s * 1e9);
    }
    Ok(Finished {
        ledgers,
        missing: not_understood(unread, recording),
        ..Finished::default()
    })
}
