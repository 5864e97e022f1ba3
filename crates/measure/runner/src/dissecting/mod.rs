//! Dissections: a launch that is warmed and then given the same number of requests several times
//! over, each time with one instrument. It counts in no figure; see
//! `docs/decisions/0011-diagnose.md`.
//!
//! ```text
//! mod             the launch: start, warm, one window after another, end
//! counted         what the process counts itself in each window
//! instruments     one a window: async-profiler or JFR's samplers, JFR's events, the agent
//! inlined         lines of inlined code, by the lines that call it
//! kept            what the heap holds more of when many requests were served
//! recording       a flight recording of one window
//! running         what the JVM says of itself: flags, properties, variables
//! agent           the agent in the subject: put in, taken out
//! counting        the agent's probes: look-ups, calls of others, queries, expressions, reflection
//! statements      names for prepared statements
//! tracing         the agent's tracer: times of the methods that cost most, down to what they call
//! wire            what calls to others take, by their packets
//! callees         the processes that answer them, seen from outside
//! recorded_calls  the same by JEP 520's events, where no agent is let in
//! ```

mod agent;
mod callees;
mod counted;
mod counting;
mod inlined;
mod instruments;
mod kept;
mod recorded_calls;
mod recording;
mod running;
mod statements;
mod tracing;
mod wire;

use crate::diagnosing::not_observed;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::launching::{Bench, Launch};
use crate::pods::with_port_of_first;
use crate::processors::Share;
use crate::reader::{NoReader, Reader};
use crate::session::{Halt, Hooks, Load, Loading, Observation, Ready, Running, StartSpec, live};
use crate::stop::Stop;
use counted::Counted;
use instruments::{Finished, Instrument, Subject};
use running::running;
use std::collections::BTreeMap;
use tacho_diagnosis::{LATER, Own};
use tacho_launch::sockets::{Outgoing, Sent};
use tacho_load::Control;
use tacho_profiler::AsyncProfiler;
use tacho_run_folder::{
    Dissection, LaunchDir, LaunchOutcome, LaunchRecord, Ledger, PhaseKind, PhasePlan, PhaseRecord,
    SentTo, Window,
};

/// A window ends after this time, however few requests were answered. Counts are per request, so
/// fewer requests suffice; without this bound, a service that answers ten a second would take an
/// hour.
const LONGEST_WINDOW_S: f64 = 20.0;
/// The warm-up before the first window ends after this time.
const LONGEST_WARM_UP_S: f64 = 120.0;

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

/// A launch that is warmed and then looked into, window after window.
struct Dissecting<'d> {
    bench: &'d Bench<'d>,
    launch: &'d Launch<'d>,
    spec: &'d DissectSpec,
    control: Control,
    record: &'d mut LaunchRecord,
    seen: Dissection,
    listener: &'d mut dyn Listener,
}

/// Ready to be looked into.
struct Table<'t, 'r> {
    spec: &'t DissectSpec,
    own: Own,
    folder: &'t LaunchDir,
    reader: Result<Reader, NoReader>,
    loading: Loading<'t>,
    ready: &'t mut Ready<'r>,
    stop: &'t Stop,
    seen: &'t mut Dissection,
}

impl Bench<'_> {
    /// Launches a build and looks into it. What goes wrong with the subject is in the record.
    pub fn dissect(
        &self,
        launch: &Launch<'_>,
        spec: &DissectSpec,
        listener: &mut dyn Listener,
    ) -> Result<Dissected, RunError> {
        let control = Control::new();
        let first = with_port_of_first(self.start_spec(launch, launch.folder, &control));
        let first = StartSpec {
            // Where the memory is, is another question.
            observation: first.observation.map(|observation| Observation {
                memory: None,
                jvm: None,
                gc_log: None,
                gc_log_inside: None,
                ..observation
            }),
            ..first
        };
        let mut record = self.begin(launch, &first.command)?;
        let mut dissecting = Dissecting {
            bench: self,
            launch,
            spec,
            control,
            record: &mut record,
            seen: Dissection {
                cell: launch.planned.cell.clone(),
                own: spec.own.clone(),
                processors: launch.limits.cpu.unwrap_or_else(processors),
                packed_places: launch.prepared.parts.packed_places().map(|n| n as u64),
                ..Dissection::default()
            },
            listener,
        };
        let lived = live(self.terms(), &first, &[], &mut dissecting);
        let mut dissection = dissecting.seen;
        inlined::at_call_sites(&mut dissection, &launch.prepared.record);
        record.outcome = lived.outcome.clone();
        launch.folder.write_record(&record)?;
        lived.outcome()?;
        launch.folder.write_dissection(&dissection)?;
        Ok(Dissected { record, dissection })
    }
}

impl Hooks for Dissecting<'_> {
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        let pids = ready.running.first.subject.pids();
        let jvm = pids.into_iter().find(|pid| tacho_memory::is_jvm(*pid));
        let loading = ready.loading(Load {
            requests: self.bench.requests,
            options: self.bench.options(),
            folder: self.launch.folder,
            control: self.control.clone(),
            share: Share::Machine,
        })?;
        let mut table = Table {
            spec: self.spec,
            own: Own::of(&self.spec.own),
            folder: self.launch.folder,
            reader: Reader::of(self.launch.prepared),
            loading,
            ready,
            stop: self.bench.stop,
            seen: &mut self.seen,
        };
        table.windows(jvm, self.listener)
    }

    fn leaving(&mut self, running: &Running, _: &LaunchOutcome) {
        self.record.time_line = running.first.time_line.clone();
        self.record.resources = running.first.resources.clone();
    }
}

impl Table<'_, '_> {
    /// Everything that is done with a warm service.
    fn windows(&mut self, jvm: Option<u32>, listener: &mut dyn Listener) -> Result<(), Halt> {
        self.warm_up(listener)?;
        // The figures that everything else is held against.
        let plain = self.window("plain", self.spec.requests, None, listener)?;
        self.seen.windows.push(plain.clone());
        self.wire(listener)?;
        match jvm {
            Some(jvm) => self.instruments(jvm, &plain, listener)?,
            None => self.lacks("instruments of the JVM", "none of its processes is a JVM: a native image or another language shows its processor time and its answers alone".to_owned()),
        }
        self.say_what_was_cut();
        Ok(())
    }

    /// A window with each instrument that a JVM lets in.
    fn instruments(
        &mut self,
        jvm: u32,
        plain: &Window,
        listener: &mut dyn Listener,
    ) -> Result<(), Halt> {
        self.seen.jvm = running(jvm);
        for kind in instruments::KINDS {
            let name = kind.window;
            listener.event(Event::Working {
                what: &format!("{}: {}", self.seen.cell, kind.doing),
            });
            let Some(mut instrument) = self.begin(&kind, jvm) else {
                continue;
            };
            let requests = if kind.samples {
                self.enough_for_samples(plain)
            } else {
                self.spec.requests
            };
            let window = self.window(name, requests, Some(instrument.title()), listener);
            // Also when the window was the last.
            let off = instrument.switch_off();
            let window = window?;
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
        self.later(jvm, listener)
    }

    fn warm_up(&mut self, listener: &mut dyn Listener) -> Result<(), Halt> {
        let asked = self.spec.warm_up;
        let had = self
            .within(LONGEST_WARM_UP_S, "warm-up", asked, None, listener)?
            .requests;
        if had < asked {
            let why = format!(
                "it ended after {LONGEST_WARM_UP_S:.0} s with {had}: what is seen may be of a service that is not warm yet"
            );
            self.lacks(&format!("a warm-up of {asked} requests"), why);
        }
        Ok(())
    }

    fn say_what_was_cut(&mut self) {
        let asked = self.spec.requests;
        let fewest = self.seen.windows.iter().map(|window| window.requests).min();
        if let Some(fewest) = fewest.filter(|fewest| *fewest < asked) {
            let why = format!(
                "a window ends after {LONGEST_WINDOW_S:.0} s, the shortest with {fewest}: counts are as exact, times tell less apart"
            );
            self.lacks(&format!("windows of {asked} requests"), why);
        }
    }

    /// After many requests: whether a request now costs more than the first ones did, and what the
    /// heap keeps of each. What instruments left in the heap is there from the start, and so is not
    /// counted.
    fn later(&mut self, jvm: u32, listener: &mut dyn Listener) -> Result<(), Halt> {
        // Give the JIT compiler time to recompile the code that the instruments had changed.
        self.window("warm-up", self.spec.requests, None, listener)?;
        let before = kept::live(jvm);
        let later = self.window(LATER, self.spec.requests, None, listener)?;
        let both = before.and_then(|before| Ok((before, kept::live(jvm)?)));
        match both {
            Ok((before, after)) => self.add(vec![kept::ledger(&before, &after, &later)]),
            Err(why) => self.lacks("objects kept on the heap", why),
        }
        self.seen.windows.push(later);
        Ok(())
    }

    /// Switches on the first instrument that the JVM lets in.
    fn begin(&mut self, kind: &instruments::Kind, pid: u32) -> Option<Box<dyn Instrument>> {
        for way in kind.ways {
            if *way == instruments::Way::AsyncProfiler && self.spec.profiler.is_none() {
                continue;
            }
            let subject = Subject {
                pid,
                reader: &self.reader,
                folder: self.folder,
                spec: self.spec,
                seen: self.seen,
            };
            match way.begin(&subject) {
                Ok(instrument) => return Some(instrument),
                Err(why) => self.lacks(&format!("{} by {way}", kind.window), why),
            }
        }
        None
    }

    /// Requests that use the processor long enough for some thousand samples.
    fn enough_for_samples(&self, plain: &Window) -> u64 {
        let each_s = plain.processor_s / (plain.requests as f64).max(1.0);
        let enough = (self.spec.sampled_s / each_s.max(1e-6)) as u64;
        enough.max(self.spec.requests)
    }

    /// Sends a number of requests, as far as they are answered in time, and says what they took.
    fn window(
        &mut self,
        name: &str,
        requests: u64,
        instrument: Option<String>,
        listener: &mut dyn Listener,
    ) -> Result<Window, Halt> {
        self.within(LONGEST_WINDOW_S, name, requests, instrument, listener)
    }

    fn within(
        &mut self,
        longest_s: f64,
        name: &str,
        requests: u64,
        instrument: Option<String>,
        listener: &mut dyn Listener,
    ) -> Result<Window, Halt> {
        let phase = PhasePlan {
            label: name.to_owned(),
            kind: PhaseKind::Closed {
                requests: Some(requests),
                duration_s: Some(longest_s),
                connections: self.spec.connections,
                ramp_s: 0.0,
                think: None,
            },
        };
        let pids = self.ready.running.first.subject.pids();
        let counters = Counted::now(&pids, self.folder);
        let outgoing = Outgoing::of(&pids);
        let delayed_before = tacho_observe::process::waited_s(&pids);
        let record = self
            .loading
            .answered(self.ready, "window", &phase, listener)?;
        // A thread that has ended has taken its count along.
        let delayed = delayed_before
            .zip(tacho_observe::process::waited_s(&pids))
            .map(|(before, after)| (after - before).max(0.0));
        let counters = Counted::now(&pids, self.folder).since(&counters);
        let sent = outgoing.zip(Outgoing::of(&pids));
        let sent = sent.map_or_else(BTreeMap::new, |(before, after)| by_peer(&before, &after));
        if record.requests == 0 {
            return Err(LaunchOutcome::Interrupted.into());
        }
        Ok(Window {
            name: name.to_owned(),
            instrument: instrument.unwrap_or_else(|| "none".to_owned()),
            counters: Some(counters),
            sent,
            calls: BTreeMap::new(),
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

    /// Adds ledgers. When two instruments fill the same kind of ledger, the later one replaces the
    /// earlier one, because the later one looks for nothing else.
    fn add(&mut self, ledgers: Vec<Ledger>) {
        for ledger in ledgers {
            self.seen.ledgers.retain(|known| known.kind != ledger.kind);
            self.seen.ledgers.push(ledger);
        }
    }

    fn lacks(&mut self, what: &str, why: String) {
        self.seen.missing.push(not_observed(what, why));
    }
}

fn by_peer(before: &Outgoing, after: &Outgoing) -> BTreeMap<String, SentTo> {
    let sent = after.since(before).into_iter();
    sent.map(|(peer, Sent { messages, bytes })| (peer.to_string(), SentTo { messages, bytes }))
        .collect()
}

/// The share of the window's processor time that the subject used, or waited for where others or
/// the hypervisor had it: those of lower priority that fill idle processors do not count. Where the
/// kernel does not count delays, whatever used the machine.
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
