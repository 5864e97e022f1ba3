//! Dissections: a launch that is warmed and then given the same number of requests several times over, each time with one instrument. It counts in no
//! figure; see `docs/decisions/0011-diagnose.md`.
//!
//! ```text
//! mod             the launch: start, warm, one window after another, end
//! instruments     one a window: async-profiler or JFR's samplers, JFR's events, the agent
//! recording       a flight recording of one window
//! counting        the agent's probes: look-ups, calls of others, queries, expressions, reflection
//! statements      names for prepared statements
//! tracing         the agent's tracer: times of the methods that cost most, down to what they call
//! run_delay       how long threads were ready and had no processor
//! recorded_calls  the same by JEP 520's events, where no agent is let in
//! ```

mod counting;
mod instruments;
mod recorded_calls;
mod recording;
mod run_delay;
mod statements;
mod tracing;

use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::launching::{Bench, GRACE, Launch, empty_record, with_port_of_first};
use crate::loading::Loading;
use crate::reader::{NoReader, Reader};
use crate::requests;
use crate::started::{StartSpec, Started, failed, start};
use crate::stop::Stop;
use instruments::{Finished, Instrument, Subject};
use run_delay::run_delay_s;
use tacho_diagnosis::Own;
use tacho_launch::failure;
use tacho_load::Control;
use tacho_observe::{Sampler, SamplerSpec};
use tacho_profiler::AsyncProfiler;
use tacho_run_folder::{
    Dissection, FailureCause, LaunchDir, LaunchOutcome, LaunchRecord, Ledger, NotObserved,
    PhaseKind, PhasePlan, PhaseRecord, Window,
};

/// A window with a sampler takes no longer.
const LONGEST_WINDOW_S: f64 = 20.0;

/// How a build is dissected.
#[derive(Debug, Clone)]
pub struct DissectSpec {
    /// Requests before the first window.
    pub warm_up: u64,
    /// Requests of each window.
    pub requests: u64,
    /// Processor time that is sampled: more requests are sent until there is as much.
    pub sampled_s: f64,
    /// Connections over which they come.
    pub connections: u32,
    /// The application's own packages.
    pub own: Vec<String>,
    /// Who samples processor time; else JFR does.
    pub profiler: Option<AsyncProfiler>,
    /// Methods to be traced, `package.Class.method`.
    pub traced: Vec<String>,
}

/// A build that was dissected, or why it could not be.
#[derive(Debug)]
pub struct Dissected {
    /// What happened to the launch.
    pub record: LaunchRecord,
    /// What was seen.
    pub dissection: Dissection,
}

/// One launch that is dissected.
struct Table<'t> {
    spec: &'t DissectSpec,
    own: Own,
    folder: &'t LaunchDir,
    reader: Result<Reader, NoReader>,
    loading: Loading<'t>,
    started: &'t mut Started,
    stop: &'t Stop,
    index: u32,
    seen: Dissection,
}

impl Bench<'_> {
    /// Launches a build and looks into it. What goes wrong with the subject is in the record.
    pub fn dissect(
        &self,
        launch: &Launch<'_>,
        spec: &DissectSpec,
        listener: &mut dyn Listener,
    ) -> Result<Dissected, RunError> {
        let start_spec = self.start_spec(launch, launch.folder);
        let mut record = empty_record(launch.planned, start_spec.command.clone());
        record.started_at = jiff::Timestamp::now().to_string();
        launch.folder.write_record(&record)?;
        let mut dissection = Dissection {
            cell: launch.planned.cell.clone(),
            own: spec.own.clone(),
            processors: launch.limits.cpu.unwrap_or_else(processors),
            ..Dissection::default()
        };
        let first = StartSpec {
            readiness: launch.readiness.clone(),
            ..with_port_of_first(start_spec)
        };
        match start(self.groups, &first) {
            Ok(mut started) => {
                let result = self.look_into(
                    launch,
                    spec,
                    &mut started,
                    &mut record,
                    &mut dissection,
                    listener,
                );
                let _ = started.end(GRACE);
                launch.folder.write_record(&record)?;
                result?;
            }
            Err(outcome) => {
                record.outcome = outcome;
                launch.folder.write_record(&record)?;
            }
        }
        launch.folder.write_dissection(&dissection)?;
        Ok(Dissected { record, dissection })
    }

    fn look_into(
        &self,
        launch: &Launch<'_>,
        spec: &DissectSpec,
        started: &mut Started,
        record: &mut LaunchRecord,
        dissection: &mut Dissection,
        listener: &mut dyn Listener,
    ) -> Result<(), RunError> {
        let ready = match started.until_ready(launch.readiness, self.stop) {
            Ok(ready) => ready,
            Err(not_ready) => {
                record.outcome = failure::not_ready(&not_ready, started.evidence());
                return Ok(());
            }
        };
        record.time_line = ready.time_line.clone();
        let pid = started
            .pids()
            .into_iter()
            .find(|pid| tacho_memory::is_jvm(*pid));
        let control = Control::new();
        let sampler = Sampler::start(SamplerSpec {
            pid: started.child.pid(),
            group: started.group.clone(),
            exec_ns: started.child.exec_ns(),
            path: launch.folder.samples_path(),
            memory_path: None,
            jvm_path: None,
            gc_log: None,
            requests: control.answered.clone(),
        })?;
        let (endpoint, source) = requests::source(self.requests, ready.address, self.seed)?;
        let loading = Loading::new(
            endpoint,
            source,
            launch.folder,
            started,
            control,
            self.options(),
            self.stop,
            Some(&sampler),
        )
        .map_err(RunError::Load)?;
        let mut table = Table {
            spec,
            own: Own::of(&spec.own),
            folder: launch.folder,
            reader: Reader::of(launch.prepared),
            loading,
            started,
            stop: self.stop,
            index: 0,
            seen: std::mem::take(dissection),
        };
        let outcome = table.windows(pid, listener);
        *dissection = std::mem::take(&mut table.seen);
        drop(table);
        record.resources = sampler.stop()?;
        record.outcome = outcome?;
        Ok(())
    }
}

impl Table<'_> {
    /// Everything that is done with a warm service.
    fn windows(
        &mut self,
        jvm: Option<u32>,
        listener: &mut dyn Listener,
    ) -> Result<LaunchOutcome, RunError> {
        let warm = self.window("warm-up", self.spec.warm_up, None, listener)?;
        if let Some(outcome) = ended(&warm, self.started, self.stop) {
            return Ok(outcome);
        }
        // The figures that everything else is held against.
        let plain = self.window("plain", self.spec.requests, None, listener)?;
        if let Some(outcome) = ended(&plain, self.started, self.stop) {
            return Ok(outcome);
        }
        self.seen.windows.push(plain.clone());
        let Some(jvm) = jvm else {
            self.lacks("instruments of the JVM", "none of its processes is a JVM: a native image or another language shows its processor time and its answers alone".to_owned());
            return Ok(LaunchOutcome::Completed);
        };
        for kind in instruments::KINDS {
            let name = kind.window();
            listener.event(Event::Working {
                what: &format!("{}: {}", self.seen.cell, kind.doing()),
            });
            let Some(mut instrument) = self.begin(kind, jvm) else {
                continue;
            };
            let requests = if kind.samples() {
                self.enough_for_samples(&plain)
            } else {
                self.spec.requests
            };
            let window = self.window(name, requests, Some(instrument.title()), listener)?;
            let off = instrument.switch_off();
            if let Some(outcome) = ended(&window, self.started, self.stop) {
                return Ok(outcome);
            }
            match off.and_then(|()| instrument.read(&window, &self.own, self.stop.flag())) {
                Ok(Finished {
                    ledgers,
                    traces,
                    trees,
                    left_behind,
                    missing,
                }) => {
                    self.seen.left_behind.extend(left_behind);
                    self.add(ledgers);
                    self.seen.traces.extend(traces);
                    // One instrument alone traces, so that places stay what they are.
                    self.seen.trees = trees;
                    self.seen.missing.extend(missing);
                }
                Err(why) => self.lacks(name, why),
            }
            self.seen.windows.push(window);
        }
        Ok(LaunchOutcome::Completed)
    }

    /// Switches on the first instrument that the JVM lets in.
    fn begin(&mut self, kind: instruments::Kind, pid: u32) -> Option<Box<dyn Instrument>> {
        for way in kind.ways(self.spec) {
            let subject = Subject {
                pid,
                reader: &self.reader,
                folder: self.folder,
                spec: self.spec,
                seen: &self.seen,
            };
            match way.begin(&subject) {
                Ok(instrument) => return Some(instrument),
                Err(why) => self.lacks(&format!("{} by {way}", kind.window()), why),
            }
        }
        None
    }

    /// Requests that use the processor long enough for some thousand samples.
    fn enough_for_samples(&self, plain: &Window) -> u64 {
        let each_s = plain.processor_s / (plain.requests as f64).max(1.0);
        let enough = (self.spec.sampled_s / each_s.max(1e-6)) as u64;
        // No longer than this even where requests mostly wait.
        let in_time =
            (LONGEST_WINDOW_S * plain.requests as f64 / plain.duration_s.max(1e-3)) as u64;
        enough.min(in_time).max(self.spec.requests)
    }

    /// Sends a number of requests and says what they took.
    fn window(
        &mut self,
        name: &str,
        requests: u64,
        instrument: Option<String>,
        listener: &mut dyn Listener,
    ) -> Result<Window, RunError> {
        let phase = PhasePlan {
            label: name.to_owned(),
            kind: PhaseKind::Closed {
                requests: Some(requests),
                duration_s: None,
                connections: self.spec.connections,
                ramp_s: 0.0,
                think: None,
            },
        };
        let pids = self.started.pids();
        let delayed_before = run_delay_s(&pids);
        let record = self
            .loading
            .phase(self.index, &phase, self.started, &[], listener)
            .map_err(RunError::Load)?;
        self.index += 1;
        // A thread that has ended has taken its count along.
        let delayed = delayed_before
            .zip(run_delay_s(&pids))
            .map(|(before, after)| (after - before).max(0.0));
        Ok(Window {
            name: name.to_owned(),
            instrument: instrument.unwrap_or_else(|| "none".to_owned()),
            requests: record.requests,
            failed: record.requests.saturating_sub(record.succeeded),
            duration_s: record.duration_s,
            processor_s: record.subject_cpu_s,
            busy: busy(&record, self.seen.processors, delayed),
            mean_ms: record
                .service_time_ms
                .as_ref()
                .map_or(0.0, |times| times.mean),
        })
    }

    /// Of a kind that two instruments see the later one counts: it looks for it and nothing else.
    fn add(&mut self, ledgers: Vec<Ledger>) {
        for ledger in ledgers {
            self.seen.ledgers.retain(|known| known.kind != ledger.kind);
            self.seen.ledgers.push(ledger);
        }
    }

    fn lacks(&mut self, what: &str, why: String) {
        self.seen.missing.push(NotObserved {
            what: what.to_owned(),
            why,
        });
    }
}

/// The subject has died, answers nothing, or nobody wants to know any more.
fn ended(window: &Window, started: &mut Started, stop: &Stop) -> Option<LaunchOutcome> {
    let during = format!("in window `{}`", window.name);
    if let Ok(Some(exit)) = started.child.try_wait() {
        return Some(failure::ended(exit, &during, started.evidence()));
    }
    if stop.is_set() || window.requests == 0 {
        return Some(LaunchOutcome::Interrupted);
    }
    if window.failed == window.requests {
        return Some(failed(
            FailureCause::NoResponses,
            format!(
                "not one of the {} requests of window `{}` succeeded",
                window.requests, window.name
            ),
        ));
    }
    None
}

/// The share of the window's processor time that the subject used, or waited for where others or the hypervisor had it: those of lower priority that
/// fill idle processors do not count. Where the kernel does not count delays, whatever used the machine.
fn busy(record: &PhaseRecord, allowed: f64, delayed_s: Option<f64>) -> f64 {
    let wanted = record.subject_cpu_s + record.steal_s + delayed_s.unwrap_or_default();
    let own = wanted / (record.duration_s * allowed).max(1e-9);
    let of_machine = match (delayed_s, record.processors) {
        (None, Some(all)) => {
            (all.busy_cpu_s + record.steal_s) / (all.span_s * processors()).max(1e-9)
        }
        _ => 0.0,
    };
    own.max(of_machine).clamp(0.0, 1.0)
}

fn processors() -> f64 {
    std::thread::available_parallelism().map_or(1.0, |n| n.get() as f64)
}
