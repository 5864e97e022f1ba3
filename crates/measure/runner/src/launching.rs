//! One launch, from its control group to its record.

use crate::diagnosing::Instruments;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::limits::{self, Groups};
use crate::loading::Loading;
use crate::pods::{Pod, fill_in, no_port, with_own_port};
use crate::proof::{self, Sight};
use crate::requests;
use crate::started::{Readiness, StartSpec, Started, failed, start};
use crate::stop::Stop;
use crate::warming::Warmer;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use std::time::SystemTime;
use tacho_experiment::{GcLog, RequestSpec, WarmUp};
use tacho_launch::ready::Ready;
use tacho_launch::{claims, failure};
use tacho_load::{Anchor, Control, Options};
use tacho_observe::{Sampler, SamplerSpec, jvm, process};
use tacho_run_folder::{
    FailureCause, LaunchDir, LaunchOutcome, LaunchRecord, Limits, PhasePlan, PhaseRecord,
    PlannedLaunch, ResourceSummary, TimeLine,
};
use tacho_subject::Prepared;

/// What a subject gets between SIGTERM and SIGKILL.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// Where services listen unless somebody says otherwise.
const DEFAULT_PORT: u16 = 8080;

/// What all launches of a run have in common.
pub struct Bench<'a> {
    /// Makes control groups.
    pub groups: &'a Groups,
    /// The phases of every launch.
    pub phases: &'a [PhasePlan],
    /// What is sent.
    pub requests: &'a [RequestSpec],
    /// Which request is sent when.
    pub seed: u64,
    /// What takes longer has failed.
    pub request_timeout: Duration,
    /// Whether collections are logged.
    pub gc_log: GcLog,
    /// Processes of each launch.
    pub pods: u32,
    /// Processes beside all launches that the subject needs.
    pub companions: &'a [u32],
    /// The user's wish to end.
    pub stop: &'a Stop,
}

/// One launch to carry out.
pub struct Launch<'a> {
    /// Its place in the plan.
    pub planned: &'a PlannedLaunch,
    /// Its limits.
    pub limits: &'a Limits,
    /// The variant.
    pub prepared: &'a Prepared,
    /// How readiness is found.
    pub readiness: &'a Readiness,
    /// Where it is recorded.
    pub folder: &'a LaunchDir,
    /// Of a diagnosis launch: what it is looked at with.
    pub instruments: Option<&'a Instruments>,
}

impl Bench<'_> {
    /// Carries out a launch. What goes wrong with the subject is in the record; only what stops the
    /// whole run is an error.
    pub fn launch(
        &self,
        launch: &Launch<'_>,
        listener: &mut dyn Listener,
    ) -> Result<LaunchRecord, RunError> {
        let spec = self.start_spec(launch, launch.folder);
        // Of several processes the first is diagnosed.
        let mut command = spec.command.clone();
        if let Some(instruments) = launch.instruments {
            instruments.switch_on(&mut command);
        }
        let mut record = empty_record(launch.planned, command.clone());
        record.gc_log = launch
            .prepared
            .gc_log(launch.folder.path(), self.gc_log)
            .map(str::to_owned);
        record.started_at = jiff::Timestamp::now().to_string();
        launch.folder.write_record(&record)?;
        let first = StartSpec {
            readiness: launch.readiness.clone(),
            ..with_port_of_first(StartSpec { command, ..spec })
        };
        match start(self.groups, &first) {
            Ok(mut started) => {
                let mut pods = Vec::new();
                let result = match self.start_pods(launch, &mut pods)? {
                    Ok(()) => self.observe(launch, &mut started, &mut pods, &mut record, listener),
                    Err(outcome) => {
                        record.outcome = outcome;
                        Ok(())
                    }
                };
                let seen = launch
                    .instruments
                    .map(|instruments| instruments.look(&started, &record.outcome));
                if let Some(group) = &started.group
                    && let Some(seen) = &mut record.limits
                {
                    limits::update(seen, group);
                }
                let _ = started.end(GRACE);
                if let Some(note) = long_log(started.child.left_out_of_log()) {
                    let text = format!("launch {}: {note}", record.number);
                    listener.event(Event::Note { text: &text });
                    record.notes.push(note);
                }
                record.pods = pods
                    .into_iter()
                    .map(|pod| pod.end(GRACE, launch.limits))
                    .collect();
                record.time_line.claims =
                    claims::in_log(&launch.folder.log(), 0).unwrap_or_default();
                launch.folder.write_record(&record)?;
                result?;
                if let (Some(instruments), Some(seen)) = (launch.instruments, seen) {
                    instruments.conclude(seen, launch.folder, self.stop)?;
                }
            }
            Err(outcome) => {
                record.outcome = outcome;
                launch.folder.write_record(&record)?;
            }
        }
        // No fault of the subject's, and the next launch would fare no better.
        match tacho_launch::descriptors::exhausted() {
            Some(none) => Err(none.into()),
            None => Ok(record),
        }
    }

    /// What is started for a launch, its files in a folder.
    pub(crate) fn start_spec(&self, launch: &Launch<'_>, folder: &LaunchDir) -> StartSpec {
        let boost = launch.warm_up().and_then(|warm_up| warm_up.boost_cpu);
        StartSpec {
            name: format!("{:03}", launch.planned.number),
            command: launch.prepared.observed_command(folder.path(), self.gc_log),
            directory: PathBuf::from(&launch.prepared.record.directory),
            environment: launch.prepared.record.environment.clone(),
            limits: Limits {
                cpu: boost.or(launch.limits.cpu),
                ..launch.limits.clone()
            },
            log: folder.log(),
            readiness: launch.readiness.clone(),
        }
    }

    /// Starts all processes of a launch but the first.
    fn start_pods(
        &self,
        launch: &Launch<'_>,
        pods: &mut Vec<Pod>,
    ) -> Result<Result<(), LaunchOutcome>, RunError> {
        for number in 2..=self.pods {
            let folder = launch.folder.create_pod(number)?;
            let spec = self.start_spec(launch, &folder);
            let spec = StartSpec {
                name: format!("{}-{number}", spec.name),
                ..spec
            };
            let spec = match with_own_port(spec) {
                Ok(spec) => spec,
                Err(error) => return Ok(Err(no_port(&error))),
            };
            let gc_log = launch.prepared.jvm_log(folder.path(), self.gc_log);
            match Pod::start(number, self.groups, &spec, folder, gc_log)? {
                Ok(pod) => pods.push(pod),
                Err(outcome) => return Ok(Err(outcome)),
            }
        }
        Ok(Ok(()))
    }

    /// Everything between `exec` and SIGTERM.
    fn observe(
        &self,
        launch: &Launch<'_>,
        started: &mut Started,
        pods: &mut [Pod],
        record: &mut LaunchRecord,
        listener: &mut dyn Listener,
    ) -> Result<(), RunError> {
        record.started_at = started.child.anchor().rfc3339();
        let control = Control::new();
        let sampler = Sampler::start(SamplerSpec {
            pid: started.child.pid(),
            group: started.group.clone(),
            exec_ns: started.child.exec_ns(),
            path: launch.folder.samples_path(),
            memory_path: Some(launch.folder.memory_path()),
            jvm_path: Some(launch.folder.jvm_path()),
            gc_log: launch.prepared.jvm_log(launch.folder.path(), self.gc_log),
            requests: control.answered.clone(),
        })?;
        let (ready, of_pods) = std::thread::scope(|scope| {
            let watches: Vec<_> = pods
                .iter_mut()
                .map(|pod| scope.spawn(|| pod.until_ready(launch.readiness, self.stop)))
                .collect();
            let ready = started.until_ready(launch.readiness, self.stop);
            let of_pods = watches
                .into_iter()
                .filter_map(|watch| watch.join().ok())
                .find_map(Result::err);
            (ready, of_pods)
        });
        record.limits = limits::seen(started.group.as_deref(), launch.limits, started.child.pid());
        let result = match (ready, of_pods) {
            (Ok(ready), Some(outcome)) => {
                record.time_line = ready.time_line;
                record.outcome = outcome;
                Ok(Points::default())
            }
            (Ok(ready), None) => {
                let points = Points {
                    at_ready: sampler.point(),
                    ..Points::default()
                };
                self.load(
                    launch, started, pods, record, &ready, &sampler, points, control, listener,
                )
            }
            (Err(not_ready), _) => {
                record.outcome = failure::not_ready(&not_ready, started.evidence());
                record.time_line = not_ready.time_line;
                Ok(Points::default())
            }
        };
        let summary = sampler.stop()?;
        let points = result?;
        record.resources = ResourceSummary {
            at_ready: points.at_ready,
            after_first_request: points.after_first_request,
            at_end: points.at_end,
            ..summary
        };
        Ok(())
    }

    #[allow(clippy::too_many_arguments)]
    fn load(
        &self,
        launch: &Launch<'_>,
        started: &mut Started,
        pods: &mut [Pod],
        record: &mut LaunchRecord,
        ready: &Ready,
        sampler: &Sampler,
        mut points: Points,
        control: Control,
        listener: &mut dyn Listener,
    ) -> Result<Points, RunError> {
        record.time_line = ready.time_line.clone();
        self.warm(launch, started, pods, record, ready)?;
        self.look(launch, started, record);
        launch.folder.write_record(record)?;
        if self.stop.is_set() {
            record.outcome = LaunchOutcome::Interrupted;
            return Ok(points);
        }
        if let Some(seen) = &record.limits
            && !limits::as_asked(seen, launch.limits)
        {
            record.outcome = failed(
                FailureCause::LimitsNotApplied,
                format!(
                    "the subject was {} the control group {}, whose limits read back as {:?} processors and {:?} bytes; `tacho doctor` says what is missing",
                    if seen.inside { "inside" } else { "outside" },
                    seen.path,
                    seen.cpu,
                    seen.memory_bytes
                ),
            );
            return Ok(points);
        }
        let (endpoint, source) = requests::source(self.requests, ready.address, self.seed)?;
        let mut loading = Loading::new(
            endpoint.beside(pods.iter().filter_map(|pod| pod.address)),
            source,
            launch.folder,
            started,
            control,
            self.options(),
            self.stop,
            Some(sampler),
        )
        .map_err(RunError::Load)?;
        loading.companions = self.companions;
        for (index, phase) in (0..).zip(self.phases) {
            let result = loading.phase(index, phase, started, pods, listener);
            points.after_first_request = loading.after_first_request;
            // Nothing that another launch could do better: the disk is full, or the plan asks for
            // what this machine does not have.
            let phase = result.map_err(RunError::Load)?;
            let outcome = match loading.was_stopped && !self.stop.is_set() {
                true => Some(was_stopped(&phase)),
                false => self.judge(&phase, started, pods),
            };
            record.phases.push(phase);
            launch.folder.write_record(record)?;
            if let Some(outcome) = outcome {
                record.outcome = outcome;
                return Ok(points);
            }
        }
        points.at_end = sampler.point();
        record.outcome = match &record.proof {
            Some(proof) if !proof.holds => LaunchOutcome::Invalid {
                reason: format!("no proof that {}: {}", proof.claim, proof.evidence),
            },
            _ => LaunchOutcome::Completed,
        };
        Ok(points)
    }

    /// Warms all processes at once, each by itself, and gives them their limits then.
    fn warm(
        &self,
        launch: &Launch<'_>,
        started: &Started,
        pods: &mut [Pod],
        record: &mut LaunchRecord,
        ready: &Ready,
    ) -> Result<(), RunError> {
        let Some(warm_up) = launch.warm_up() else {
            return Ok(());
        };
        let warmer = Warmer {
            requests: self.requests,
            seed: self.seed,
            options: self.options(),
            stop: self.stop,
        };
        let results: Vec<_> = std::thread::scope(|scope| {
            let further: Vec<_> = pods
                .iter()
                .filter_map(|pod| {
                    let address = pod.address?;
                    let exec = exec_of(&pod.started);
                    Some(scope.spawn(move || warmer.warm(warm_up, address, &pod.folder, exec)))
                })
                .collect();
            let first = warmer.warm(warm_up, ready.address, launch.folder, exec_of(started));
            let further = further.into_iter().filter_map(|thread| thread.join().ok());
            std::iter::once(first).chain(further).collect()
        });
        let mut results = results.into_iter();
        record.warm_up = results.next().transpose()?;
        for (pod, result) in pods.iter_mut().zip(results) {
            pod.warm_up = Some(result?);
        }
        if warm_up.boost_cpu.is_some() {
            let further = pods.iter().map(|pod| &pod.started);
            for started in std::iter::once(started).chain(further) {
                if let Some(group) = &started.group {
                    group.set_cpu(launch.limits.cpu)?;
                }
            }
            record.limits =
                limits::seen(started.group.as_deref(), launch.limits, started.child.pid());
        }
        Ok(())
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            request_timeout: self.request_timeout,
            ..Options::default()
        }
    }

    /// What the JVM made of its limits, and whether the optimisation is active.
    fn look(&self, launch: &Launch<'_>, started: &Started, record: &mut LaunchRecord) {
        let log = launch.prepared.jvm_log(launch.folder.path(), self.gc_log);
        let pids = started.pids();
        record.jvm = pids
            .iter()
            .filter_map(|pid| jvm::seen(*pid, log.as_deref()))
            // A wrapper beside the JVM has no counters of its own, though the log is there.
            .max_by_key(|seen| seen.classes_loaded.is_some());
        let mapped: BTreeSet<PathBuf> = pids
            .iter()
            .filter_map(|pid| process::mapped_files(*pid).ok())
            .flatten()
            .collect();
        let sight = Sight {
            mapped,
            executables: pids
                .iter()
                .filter_map(|pid| process::exe(*pid).ok())
                .collect(),
            classes: record
                .jvm
                .as_ref()
                .and_then(|jvm| jvm.classes_loaded.zip(jvm.classes_shared)),
        };
        record.proof = proof::judge(&launch.prepared.proof, &sight);
    }

    /// Whether the launch ends with this phase.
    fn judge(
        &self,
        phase: &PhaseRecord,
        started: &mut Started,
        pods: &mut [Pod],
    ) -> Option<LaunchOutcome> {
        let during = format!("in phase `{}`", phase.label);
        if let Ok(Some(exit)) = started.child.try_wait() {
            return Some(failure::ended(exit, &during, started.evidence()));
        }
        if let Some(outcome) = pods.iter_mut().find_map(|pod| pod.ended(&during)) {
            return Some(outcome);
        }
        if self.stop.is_set() {
            return Some(LaunchOutcome::Interrupted);
        }
        if phase.requests > 0 && phase.succeeded == 0 {
            let (kind, count) = phase.errors.iter().max_by_key(|(_, error)| error.count)?;
            return Some(LaunchOutcome::Failed {
                cause: FailureCause::NoResponses,
                message: format!(
                    "not one of the {} requests of phase `{}` succeeded; most often {kind}: {}. Are method, path and body right?",
                    phase.requests, phase.label, count.example
                ),
                last_log_lines: started.last_log_lines(),
            });
        }
        None
    }
}

impl Launch<'_> {
    fn warm_up(&self) -> Option<&WarmUp> {
        self.prepared.record.warm_up.as_ref()
    }
}

/// The first process has the port that is known of the subject.
pub(crate) fn with_port_of_first(mut spec: StartSpec) -> StartSpec {
    let port = spec.readiness.port.unwrap_or(DEFAULT_PORT);
    fill_in(&mut spec, &port.to_string());
    spec
}

/// The first cause, whatever the figures of the phase would say.
fn was_stopped(phase: &PhaseRecord) -> LaunchOutcome {
    LaunchOutcome::Invalid {
        reason: format!(
            "the subject was stopped (state T) in phase `{}`, by SIGSTOP or a debugger, and answered nothing meanwhile; find out who does that, and run again",
            phase.label
        ),
    }
}

fn exec_of(started: &Started) -> Anchor {
    let anchor = started.child.anchor();
    Anchor {
        exec_ns: anchor.monotonic_ns,
        wall: SystemTime::UNIX_EPOCH + Duration::from_nanos(anchor.realtime_ns),
    }
}

/// What the subject held at the instants that are reported by name.
#[derive(Default)]
struct Points {
    at_ready: Option<tacho_run_folder::ResourcePoint>,
    after_first_request: Option<tacho_run_folder::ResourcePoint>,
    at_end: Option<tacho_run_folder::ResourcePoint>,
}

/// What there is to say of a log that was too long to be kept whole.
fn long_log(left_out: u64) -> Option<String> {
    (left_out > 0).then(|| {
        format!(
            "the subject wrote so much that {left_out} bytes in the middle of its log are left out; how long writing took is part of what was measured"
        )
    })
}

pub(crate) fn empty_record(planned: &PlannedLaunch, command: Vec<String>) -> LaunchRecord {
    LaunchRecord {
        number: planned.number,
        cell: planned.cell.clone(),
        replicate: planned.replicate,
        started_at: String::new(),
        command,
        outcome: LaunchOutcome::Running,
        time_line: TimeLine::default(),
        limits: None,
        jvm: None,
        gc_log: None,
        proof: None,
        warm_up: None,
        phases: Vec::new(),
        resources: ResourceSummary::default(),
        pods: Vec::new(),
        notes: Vec::new(),
    }
}
