//! The phases of a launch, one after another, with somebody beside them who notices when the
//! subject dies or the user has enough.

use crate::event::{Event, Listener};
use crate::pods::Pod;
use crate::processors::Counters;
use crate::started::Started;
use crate::stop::Stop;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};
use tacho_load::{Anchor, Control, Endpoint, Generator, LoadError, Options, Recorder, Source};
use tacho_observe::{Sampler, machine};
use tacho_run_folder::{LaunchDir, PhasePlan, PhaseRecord, ResourcePoint};

/// How soon the end of the subject or a stop is noticed in a phase.
const LOOK: Duration = Duration::from_millis(50);
/// How soon the first answer is noticed.
const FIRST_ANSWER_LOOK: Duration = Duration::from_micros(500);

/// Where and what to send, and where to write it.
pub struct Loading<'a> {
    generator: Generator,
    recorder: Recorder,
    control: Control,
    stop: &'a Stop,
    sampler: Option<&'a Sampler>,
    /// Processes that the subject needs; none unless said.
    pub companions: &'a [u32],
    /// Taken once, after the first answer.
    pub after_first_request: Option<ResourcePoint>,
    /// The subject was seen in state T in the last phase: what it did not answer then says nothing of it.
    pub was_stopped: bool,
}

impl<'a> Loading<'a> {
    /// Prepares the generator and the files of the launch.
    #[allow(clippy::too_many_arguments)]
    pub fn new(
        endpoint: Endpoint,
        source: Box<dyn Source>,
        folder: &LaunchDir,
        started: &Started,
        control: Control,
        options: Options,
        stop: &'a Stop,
        sampler: Option<&'a Sampler>,
    ) -> Result<Self, LoadError> {
        let anchor = started.child.anchor();
        let wall = SystemTime::UNIX_EPOCH + Duration::from_nanos(anchor.realtime_ns);
        let recorder = Recorder::create(
            folder,
            Anchor {
                exec_ns: anchor.monotonic_ns,
                wall,
            },
        )?;
        Ok(Self {
            generator: Generator::with_source(endpoint, source, options)?,
            recorder,
            control,
            stop,
            sampler,
            companions: &[],
            after_first_request: None,
            was_stopped: false,
        })
    }

    /// Carries out one phase. It ends early when the subject dies or the user stops the run.
    pub fn phase(
        &mut self,
        index: u32,
        phase: &PhasePlan,
        started: &mut Started,
        beside: &[Pod],
        listener: &mut dyn Listener,
    ) -> Result<PhaseRecord, LoadError> {
        listener.event(Event::PhaseBegan {
            phase,
            control: &self.control,
        });
        let before = Counters::now(self.subject_cpu_s(started, beside), self.companions);
        let steal_before = machine::steal_s();
        let done = AtomicBool::new(false);
        let wants_point = self.after_first_request.is_none();
        let (control, stop, sampler) = (&self.control, self.stop, self.sampler);
        let (generator, recorder) = (&mut self.generator, &mut self.recorder);
        let (result, seen) = std::thread::scope(|scope| {
            let attendant = scope.spawn(|| {
                attend(
                    started,
                    control,
                    stop,
                    &done,
                    sampler.filter(|_| wants_point),
                )
            });
            let result = generator.run(index, phase, recorder, control);
            done.store(true, Ordering::Relaxed);
            (result, attendant.join().unwrap_or_default())
        });
        self.after_first_request = self.after_first_request.or(seen.point);
        self.was_stopped = seen.stopped;
        listener.event(Event::PhaseEnded);
        let mut record = result?;
        let after = Counters::now(self.subject_cpu_s(started, beside), self.companions);
        record.subject_cpu_s = after.subject_used_since(&before);
        record.processors = after.used_since(&before);
        record.steal_s = match (steal_before, machine::steal_s()) {
            (Some(before), Some(after)) => (after - before).max(0.0),
            _ => 0.0,
        };
        Ok(record)
    }

    /// Processor time of the subject so far, all its processes together: from its group, which counts also what has ended.
    fn subject_cpu_s(&self, started: &Started, beside: &[Pod]) -> Option<f64> {
        let group = started.group.as_ref().and_then(|group| group.cpu().ok());
        let first = match group {
            Some(cpu) => cpu.usage_s,
            None => self.sampler?.point()?.cpu_s,
        };
        Some(first + beside.iter().map(Pod::cpu_s).sum::<f64>())
    }
}

/// What was seen of the subject in a phase.
#[derive(Default)]
struct Seen {
    /// After its first answer.
    point: Option<ResourcePoint>,
    /// Once at least.
    stopped: bool,
}

/// Stops the generator when there is nobody left to answer, or nobody left who wants to know; on the
/// way, looks at the subject once after its first answer.
fn attend(
    started: &mut Started,
    control: &Control,
    stop: &Stop,
    done: &AtomicBool,
    mut sampler: Option<&Sampler>,
) -> Seen {
    let mut point = None;
    let mut stopped = false;
    while !done.load(Ordering::Relaxed) {
        if let Some(wanted) = sampler
            && control.counters().answered > 0
        {
            point = wanted.point();
            sampler = None;
        }
        let look = if sampler.is_some() {
            FIRST_ANSWER_LOOK
        } else {
            LOOK
        };
        let ended = started.child.wait_timeout(look).ok().flatten().is_some();
        stopped |= started.child.is_stopped();
        if ended || stop.is_set() {
            control.stop();
            break;
        }
    }
    // An answer may have come and gone between two looks.
    let point = point.or_else(|| {
        sampler
            .filter(|_| control.counters().answered > 0)
            .and_then(Sampler::point)
    });
    Seen { point, stopped }
}
