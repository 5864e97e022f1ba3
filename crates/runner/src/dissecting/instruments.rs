//! Instruments, one a window. Each is loaded through the JVM's own attach socket, switched on before the first request of its window and off after the
//! last answer; what it saw is read when the window is over.

use super::DissectSpec;
use super::counting::Counting;
use super::ledgers::Filling;
use super::tracing::Tracing;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use tacho_attach::Jvm;
use tacho_diagnosis::Own;
use tacho_jfr::Reading;
use tacho_profiler::AsyncProfiler;
use tacho_run_folder::{
    Dissection, LaunchDir, Ledger, LedgerKind, NotObserved, TracedMethod, Window,
};

/// One sample for each millisecond of a thread's processor time is asked for. A kernel looks at such timers when its clock ticks (250 times a second
/// on most), so that one may stand for more.
const SAMPLE_NS: u64 = 1_000_000;
/// Frames of a stack trace: frameworks put a hundred on top of the owner.
const DEPTH: u32 = 256;

/// Which.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Processor,
    Events,
    Counts,
    Trace,
}

/// Those of a dissection, in their order: the cheap before those that change code.
pub const KINDS: [Kind; 4] = [Kind::Processor, Kind::Events, Kind::Counts, Kind::Trace];

/// What a window gave.
#[derive(Debug, Default)]
pub struct Finished {
    pub ledgers: Vec<Ledger>,
    pub traces: Vec<TracedMethod>,
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

impl Kind {
    /// Name of its window.
    pub fn window(self) -> &'static str {
        match self {
            Self::Processor => "processor",
            Self::Events => "events",
            Self::Counts => "counts",
            Self::Trace => "trace",
        }
    }

    /// More requests make it more exact; the others count.
    pub fn samples(self) -> bool {
        self == Self::Processor
    }

    /// For people.
    pub fn doing(self) -> &'static str {
        match self {
            Self::Processor => "sampling where processor time goes",
            Self::Events => "recording waits, exceptions and allocation",
            Self::Counts => "counting look-ups, calls and queries",
            Self::Trace => "tracing the methods that cost most",
        }
    }

    /// Makes it ready.
    pub fn prepare(
        self,
        pid: u32,
        folder: &LaunchDir,
        spec: &DissectSpec,
        java: &Path,
        seen: &Dissection,
    ) -> Result<Box<dyn Instrument>, String> {
        match self {
            Self::Counts => return Ok(Box::new(Counting::new(pid, folder, spec)?)),
            Self::Trace => return Ok(Box::new(Tracing::new(pid, folder, spec, seen)?)),
            Self::Processor | Self::Events => {}
        }
        let jvm = Jvm::attach(pid).map_err(|e| e.to_string())?;
        let recorder =
            |settings, name: &'static str, kinds| -> Result<Box<dyn Instrument>, String> {
                Recorder::new(jvm.clone(), folder, java, settings, name, kinds)
                    .map(|recorder| Box::new(recorder) as Box<dyn Instrument>)
            };
        match (self, &spec.profiler) {
            (Self::Processor, Some(profiler)) => Ok(Box::new(Sampling {
                recording: folder.instrument_path("processor.jfr"),
                java: java.to_owned(),
                profiler: profiler.clone(),
                jvm,
            })),
            (Self::Processor, None) => {
                recorder(tacho_jfr::PROCESSOR, "processor", &[LedgerKind::Processor])
            }
            (_, _) => recorder(tacho_jfr::EVENTS, "events", EVENTS),
        }
    }
}

const EVENTS: &[LedgerKind] = &[
    LedgerKind::Allocation,
    LedgerKind::Survivors,
    LedgerKind::LockWaits,
    LedgerKind::Parks,
    LedgerKind::Sleeps,
    LedgerKind::SocketWaits,
    LedgerKind::FileWaits,
    LedgerKind::Exceptions,
    LedgerKind::ClassDefinitions,
    LedgerKind::Deoptimisations,
    LedgerKind::Collections,
];

/// async-profiler with one timer a thread (timer_create(2) on the thread's own clock): needs no perf events.
struct Sampling {
    jvm: Jvm,
    profiler: AsyncProfiler,
    recording: PathBuf,
    java: PathBuf,
}

impl Instrument for Sampling {
    fn title(&self) -> String {
        format!("{} (ctimer, 1 ms)", self.profiler.title())
    }

    fn switch_on(&mut self) -> Result<(), String> {
        let options = format!(
            "start,event=ctimer,interval={SAMPLE_NS},jstackdepth={DEPTH},jfr,file={}",
            self.recording.display()
        );
        self.jvm
            .load_native_agent(&self.profiler.library, &options)
            .map_err(|e| e.to_string())
    }

    fn switch_off(&mut self) -> Result<(), String> {
        let options = format!("stop,file={}", self.recording.display());
        self.jvm
            .load_native_agent(&self.profiler.library, &options)
            .map_err(|e| e.to_string())
    }

    fn read(&mut self, window: &Window, own: &Own, stop: &AtomicBool) -> Result<Finished, String> {
        let mut filling = Filling::new(own, 0.0);
        let missing = read(&self.recording, &self.java, &mut filling, stop)?;
        let mut ledgers = filling.finish(&window.name, window.requests, &[LedgerKind::Processor]);
        for ledger in &mut ledgers {
            share_out(ledger, window);
        }
        Ok(Finished {
            ledgers,
            missing,
            ..Finished::default()
        })
    }
}

/// A flight recording of one window.
struct Recorder {
    jvm: Jvm,
    settings: PathBuf,
    recording: PathBuf,
    java: PathBuf,
    name: &'static str,
    kinds: &'static [LedgerKind],
}

impl Recorder {
    fn new(
        jvm: Jvm,
        folder: &LaunchDir,
        java: &Path,
        settings: &str,
        name: &'static str,
        kinds: &'static [LedgerKind],
    ) -> Result<Self, String> {
        let path = folder.instrument_path(&format!("{name}.jfc"));
        folder
            .write_answer(&path, settings)
            .map_err(|e| e.to_string())?;
        // Only before the recorder is used for the first time; then it says no, and the depth is what it was.
        let _ = jvm.jcmd(&format!("JFR.configure stackdepth={DEPTH}"));
        Ok(Self {
            settings: path,
            recording: folder.instrument_path(&format!("{name}.jfr")),
            java: java.to_owned(),
            jvm,
            name,
            kinds,
        })
    }

    /// The JVM's answer to a command; what it could not do it says in words.
    fn ask(&self, command: &str, done: &str) -> Result<(), String> {
        let said = self.jvm.jcmd(command).map_err(|e| e.to_string())?;
        if said.contains(done) {
            Ok(())
        } else {
            Err(format!("the JVM's flight recorder said: {}", said.trim()))
        }
    }
}

impl Instrument for Recorder {
    fn title(&self) -> String {
        "flight recorder of the JVM".to_owned()
    }

    fn switch_on(&mut self) -> Result<(), String> {
        let command = format!(
            "JFR.start name=tacho-{} settings={}",
            self.name,
            self.settings.display()
        );
        self.ask(&command, "Started recording")
    }

    fn switch_off(&mut self) -> Result<(), String> {
        let command = format!(
            "JFR.stop name=tacho-{} filename={}",
            self.name,
            self.recording.display()
        );
        self.ask(&command, "Stopped recording")
    }

    fn read(&mut self, window: &Window, own: &Own, stop: &AtomicBool) -> Result<Finished, String> {
        // A sample of the execution sampler does not say what it stands for.
        let mut filling = Filling::new(own, 0.0);
        let missing = read(&self.recording, &self.java, &mut filling, stop)?;
        let mut ledgers = filling.finish(&window.name, window.requests, self.kinds);
        for ledger in ledgers
            .iter_mut()
            .filter(|ledger| ledger.kind == LedgerKind::Processor)
        {
            share_out(ledger, window);
        }
        Ok(Finished {
            ledgers,
            missing,
            ..Finished::default()
        })
    }
}

/// Samples have to stand for all of the processor time that the kernel counted for the process in the window: a timer is looked at only when the
/// kernel's clock ticks; the recorder's samplers see Java code alone, and the older one of them only some of the threads at a time. Their shares are
/// right, their sum is not. Where the newer one is (JDK 25), its samples have a weight and the older one's do not count.
fn share_out(ledger: &mut Ledger, window: &Window) {
    if ledger.entries.iter().any(|entry| entry.cost > 0.0) {
        ledger.entries.retain(|entry| entry.cost > 0.0);
    } else {
        for entry in &mut ledger.entries {
            entry.cost = entry.count as f64;
        }
    }
    let sum: f64 =
        ledger.entries.iter().map(|entry| entry.cost).sum::<f64>() + ledger.left_out.cost;
    for entry in &mut ledger.entries {
        entry.cost *= window.processor_s * 1e9 / sum;
    }
}

fn read(
    recording: &Path,
    java: &Path,
    filling: &mut Filling<'_>,
    stop: &AtomicBool,
) -> Result<Vec<NotObserved>, String> {
    let reading = Reading {
        recording,
        java,
        stop,
    };
    let unread = tacho_jfr::read_work(&reading, &mut |event| filling.add(event))
        .map_err(|e| e.to_string())?;
    if unread == 0 {
        return Ok(Vec::new());
    }
    Ok(vec![NotObserved {
        what: "events".to_owned(),
        why: format!(
            "{unread} events of {} were not understood",
            recording.display()
        ),
    }])
}
