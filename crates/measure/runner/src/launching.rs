//! One measured launch, from its control group to its record.

use crate::company::Company;
use crate::diagnosing::{Instruments, Seen};
use crate::duet::{Seat, Side};
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::limits;
use crate::longest::longest;
use crate::pods::{no_port, with_own_port, with_port_of_first};
use crate::processors::Share;
use crate::proof::{self, Sight};
use crate::session::{
    Halt, Hooks, Lived, Load, Loading, Observation, Phase, Place, Process, Readiness, Ready,
    Running, StartSpec, Terms, Warmed, failed, live,
};
use crate::stop::Stop;
use crate::warming::Warmer;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;
use tacho_experiment::{GcLog, WarmUp};
use tacho_launch::{claims, threads};
use tacho_load::{Control, Options};
use tacho_observe::{jvm, process, processors};
use tacho_run_folder::{
    DuetSeen, FailureCause, LaunchDir, LaunchOutcome, LaunchRecord, Limits, LimitsSeen, PhasePlan,
    PlannedLaunch, PodRecord, ResourceSummary, TimeLine, WarmUpRecord,
};
use tacho_subject::Prepared;
use tacho_workload::Scenario;

/// What a subject gets between SIGTERM and SIGKILL.
const GRACE: Duration = Duration::from_secs(5);

/// What one gets that records: its JVM may write the recording only when it ends, which takes its
/// time on a busy machine, and with SIGKILL the recording is lost.
const GRACE_TO_WRITE: Duration = Duration::from_secs(60);

/// What all launches of a run have in common.
pub struct Bench<'a> {
    /// Where they are started.
    pub place: &'a dyn Place,
    /// The phases of every launch.
    pub phases: &'a [PhasePlan],
    /// What is sent.
    pub requests: &'a [Scenario],
    /// Which request is sent when, and how long users think.
    pub seed: u64,
    /// What takes longer has failed.
    pub request_timeout: Duration,
    /// Whether collections are logged.
    pub gc_log: GcLog,
    /// Processes of each launch.
    pub pods: u32,
    /// What the subject needs beside all of them.
    pub company: &'a Company,
    /// The user's wish to end.
    pub stop: &'a Stop,
}

/// One launch to carry out.
pub struct Launch<'a> {
    /// Its place in the plan.
    pub planned: &'a PlannedLaunch,
    /// CPU and memory that each of its processes is given.
    pub limits: &'a Limits,
    /// What is launched, and how.
    pub prepared: &'a Prepared,
    /// How readiness is found.
    pub readiness: &'a Readiness,
    /// Where it is recorded.
    pub folder: &'a LaunchDir,
    /// The instruments of a diagnosis launch; `None` for any other.
    pub instruments: Option<&'a Instruments>,
    /// Its side when two launches run at the same time; `None` when it runs alone.
    pub seat: Option<&'a Seat<'a>>,
}

/// The processes of a launch, to be started.
struct Starts {
    first: StartSpec,
    further: Vec<StartSpec>,
    folders: Vec<LaunchDir>,
}

impl Bench<'_> {
    /// Carries out a launch. What goes wrong with the subject is in the record; only what stops the
    /// whole run is an error.
    pub fn launch(
        &self,
        launch: &Launch<'_>,
        listener: &mut dyn Listener,
    ) -> Result<LaunchRecord, RunError> {
        let control = Control::new();
        let first = self.start_spec(launch, launch.folder, &control);
        let (first, no_port) = match launch.seat.map(|seat| seat.side) {
            Some(Side::Second) => match with_own_port(first.clone()) {
                Ok((first, _)) => (first, None),
                Err(error) => (first, Some(no_port(&error))),
            },
            _ => (with_port_of_first(first), None),
        };
        let mut starts = Starts {
            first,
            further: Vec::new(),
            folders: Vec::new(),
        };
        if let Some(instruments) = launch.instruments {
            instruments.switch_on(&mut starts.first.command);
        }
        let mut record = self.begin(launch, &starts.first.command)?;
        record.gc_log = launch
            .prepared
            .gc_log(launch.folder.path(), self.gc_log())
            .map(str::to_owned);
        launch.folder.write_record(&record)?;
        let startable = match no_port {
            Some(outcome) => Err(outcome),
            None => self.beside(launch, &mut starts)?,
        };
        if let Err(outcome) = startable {
            record.outcome = outcome;
            launch.folder.write_record(&record)?;
            return Ok(record);
        }
        let mut measured = Measured {
            bench: self,
            launch,
            record: &mut record,
            folders: &starts.folders,
            control,
            points: ResourceSummary::default(),
            warmed: Vec::new(),
            seen: None,
            listener,
        };
        let Lived {
            outcome,
            error,
            ends,
        } = live(
            self.terms_of(launch),
            &starts.first,
            &starts.further,
            &mut measured,
        );
        let seen = measured.seen.take();
        record.outcome = outcome;
        if let Some(Ok(end)) = ends.first()
            && let Some(note) = long_log(end.left_out_of_log)
        {
            // The same of every launch of a cell: said once, and in the record of each.
            if launch.planned.replicate == 1 && launch.instruments.is_none() {
                let text = format!("launch {}, `{}`: {note}", record.number, record.cell);
                listener.event(Event::Note { text: &text });
            }
            record.notes.push(note);
        }
        if !ends.is_empty() {
            record.time_line.claims = claims::in_log(&launch.folder.log(), 0).unwrap_or_default();
        }
        launch.folder.write_record(&record)?;
        if let Some(error) = error {
            return Err(error);
        }
        if let (Some(instruments), Some(seen)) = (launch.instruments, seen) {
            instruments.conclude(seen, launch.folder, self.stop)?;
        }
        Ok(record)
    }

    /// The record of a launch that is about to begin.
    pub(crate) fn begin(
        &self,
        launch: &Launch<'_>,
        command: &[String],
    ) -> Result<LaunchRecord, RunError> {
        let record = LaunchRecord {
            number: launch.planned.number,
            cell: launch.planned.cell.clone(),
            replicate: launch.planned.replicate,
            started_at: jiff::Timestamp::now().to_string(),
            command: command.to_vec(),
            outcome: LaunchOutcome::Running,
            time_line: TimeLine::default(),
            limits: None,
            jvm: None,
            gc_log: None,
            proof: None,
            warm_up: None,
            phases: Vec::new(),
            resources: ResourceSummary::default(),
            duet: launch.seat.map(|seat| DuetSeen {
                beside: seat.beside,
                processors: seat.processors.to_vec(),
                strayed: None,
            }),
            pods: Vec::new(),
            pod: None,
            companions: Vec::new(),
            notes: Vec::new(),
        };
        launch.folder.write_record(&record)?;
        Ok(record)
    }

    pub(crate) fn terms(&self) -> Terms<'_> {
        Terms {
            place: self.place,
            grace: GRACE,
            company: self.company,
            stop: self.stop,
        }
    }

    fn terms_of(&self, launch: &Launch<'_>) -> Terms<'_> {
        let records = launch.instruments.is_some_and(Instruments::has_recording);
        Terms {
            grace: if records { GRACE_TO_WRITE } else { GRACE },
            ..self.terms()
        }
    }

    /// What is started for a launch, its files in a folder.
    pub(crate) fn start_spec(
        &self,
        launch: &Launch<'_>,
        folder: &LaunchDir,
        control: &Control,
    ) -> StartSpec {
        let boost = launch.warm_up().and_then(|warm_up| warm_up.boost_cpu);
        let gc_log = self.gc_log();
        StartSpec {
            name: format!("{:03}", launch.planned.number),
            variant: launch.prepared.record.name.clone(),
            image: launch.prepared.record.image.clone(),
            command: launch.prepared.observed_command(folder.path(), gc_log),
            directory: PathBuf::from(&launch.prepared.record.directory),
            environment: launch.prepared.record.environment.clone(),
            limits: Limits {
                cpu: boost.or(launch.limits.cpu),
                ..launch.limits.clone()
            },
            log: folder.log(),
            readiness: launch.readiness.clone(),
            observation: Some(Observation {
                samples: folder.samples_path(),
                memory: Some(folder.memory_path()),
                jvm: Some(folder.jvm_path()),
                gc_log: launch.prepared.jvm_log(folder.path(), gc_log),
                gc_log_inside: launch.prepared.log_inside(folder.path(), gc_log),
                requests: control.answered.clone(),
            }),
            longest: longest(
                self.phases,
                launch.warm_up(),
                self.requests,
                self.request_timeout,
            ),
        }
    }

    /// Which collections are logged. None for a whole service: its processes come and go, so their
    /// logs are not fetched.
    fn gc_log(&self) -> GcLog {
        match self.place.is_service() {
            true => GcLog::Off,
            false => self.gc_log,
        }
    }

    /// Adds all further processes of a launch to `starts`. Only the first process is diagnosed.
    fn beside(
        &self,
        launch: &Launch<'_>,
        starts: &mut Starts,
    ) -> Result<Result<(), LaunchOutcome>, RunError> {
        let mut held = Vec::new();
        let further = match self.place.is_service() {
            // The place starts several processes by itself.
            true => 0,
            false => self.pods.saturating_sub(1),
        };
        for number in (2..).take(further as usize) {
            let folder = launch.folder.create_pod(number)?;
            // The generator counts for all processes together: there is nobody to ask of one alone.
            let spec = self.start_spec(launch, &folder, &Control::new());
            let spec = StartSpec {
                name: format!("{}-{number}", spec.name),
                ..spec
            };
            match with_own_port(spec) {
                Ok((spec, port)) => {
                    starts.further.push(spec);
                    held.push(port);
                }
                Err(error) => return Ok(Err(no_port(&error))),
            }
            starts.folders.push(folder);
        }
        Ok(Ok(()))
    }

    pub(crate) fn options(&self) -> Options {
        Options {
            request_timeout: self.request_timeout,
            seed: self.seed,
            ..Options::default()
        }
    }
}

/// A launch that is warmed, loaded with all phases, and recorded.
struct Measured<'m> {
    bench: &'m Bench<'m>,
    launch: &'m Launch<'m>,
    record: &'m mut LaunchRecord,
    /// Of the further processes.
    folders: &'m [LaunchDir],
    control: Control,
    /// What the subject held at the instants that are reported by name.
    points: ResourceSummary,
    /// What came of the warm-up of the further processes.
    warmed: Vec<WarmUpRecord>,
    /// By the instruments of a diagnosis.
    seen: Option<Seen>,
    listener: &'m mut dyn Listener,
}

impl Hooks for Measured<'_> {
    fn running(&mut self, running: &Running) {
        self.record.started_at = running.first.subject.anchor().rfc3339();
    }

    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        let first = &ready.running.first;
        self.record.limits = first.subject.limits_seen(self.launch.limits);
        self.points.at_ready = first.point();
        self.record.time_line = first.time_line.clone();
        self.warm(ready)?;
        self.look(&ready.running.first);
        self.launch.folder.write_record(self.record)?;
        ready.go_on()?;
        self.limits_hold(ready.running)?;
        let mut loading = ready.loading(Load {
            requests: self.bench.requests,
            options: Options {
                shares_one_processor: self.seat().is_some_and(|seat| seat.processors.len() == 1),
                names_connections: self.bench.place.is_service(),
                ..self.bench.options()
            },
            folder: self.launch.folder,
            control: self.control.clone(),
            share: match self.seat() {
                Some(seat) => Share::Side(seat.processors),
                None => Share::Machine,
            },
        })?;
        self.bench.company.load_began();
        for plan in self.bench.phases {
            self.meet()?;
            self.phase(&mut loading, ready, plan)?;
        }
        if let Some(seat) = self.seat() {
            self.in_company(seat, &mut loading, ready)?;
        }
        self.points.at_end = ready.running.first.point();
        match &self.record.proof {
            Some(proof) if !proof.holds => Err(Halt::Outcome(LaunchOutcome::Invalid {
                reason: format!("no proof that {}: {}", proof.claim, proof.evidence),
            })),
            _ => Ok(()),
        }
    }

    fn leaving(&mut self, running: &Running, outcome: &LaunchOutcome) {
        if let Some(seat) = self.seat() {
            seat.leave();
        }
        let (first, record) = (&running.first, &mut *self.record);
        record.pod = first.subject.life();
        record.companions = self.bench.company.records();
        self.seen = self
            .launch
            .instruments
            .map(|instruments| instruments.look(&*first.subject, outcome));
        record.time_line = first.time_line.clone();
        if record.limits.is_none() {
            record.limits = first.subject.limits_seen(self.launch.limits);
        }
        if let Some(seen) = &mut record.limits {
            first.subject.count_limits(seen);
        }
        record.resources = ResourceSummary {
            at_ready: self.points.at_ready,
            after_first_request: self.points.after_first_request,
            at_end: self.points.at_end,
            ..first.resources.clone()
        };
        let mut warmed = std::mem::take(&mut self.warmed).into_iter();
        let further = running.further.iter();
        record.pods = further
            .map(|process| PodRecord {
                number: process.number,
                time_line: process.time_line.clone(),
                limits: process.subject.limits_seen(self.launch.limits),
                warm_up: warmed.next(),
                resources: ResourceSummary {
                    at_end: process.at_end,
                    ..process.resources.clone()
                },
            })
            .collect();
    }
}

impl<'m> Measured<'m> {
    fn phase(
        &mut self,
        loading: &mut Loading<'_>,
        ready: &mut Ready<'_>,
        plan: &PhasePlan,
    ) -> Result<(), Halt> {
        let phase = loading.phase(ready, "phase", plan, self.listener);
        self.points.after_first_request = loading.after_first_request;
        // Nothing that another launch could do better: the disk is full, or the plan asks for what
        // this machine does not have.
        let Phase { record, end } = phase?;
        self.record.phases.push(record);
        self.launch.folder.write_record(self.record)?;
        end.map_or(Ok(()), |outcome| Err(outcome.into()))
    }

    fn seat(&self) -> Option<&'m Seat<'m>> {
        self.launch.seat
    }

    /// Begins the next phase together with the other side, where there is one.
    fn meet(&self) -> Result<(), LaunchOutcome> {
        let met = self.seat().map(|seat| seat.meet(self.bench.stop));
        met.unwrap_or(Ok(()))
    }

    /// Shows what the company of the other side does, and that it has been where it belongs.
    fn in_company(
        &mut self,
        seat: &Seat<'_>,
        loading: &mut Loading<'_>,
        ready: &mut Ready<'_>,
    ) -> Result<(), Halt> {
        let windows = seat.windows.into_iter();
        for (windows, round) in windows.flat_map(|w| (1..=w.rounds).map(move |round| (w, round))) {
            self.meet()?;
            self.phase(loading, ready, &windows.beside(round))?;
            for side in Side::BOTH {
                self.meet()?;
                if side == seat.side {
                    self.phase(loading, ready, &windows.alone(round))?;
                }
            }
        }
        self.meet()?;
        let pids: Vec<u32> = ready
            .running
            .all()
            .flat_map(|process| process.subject.pids())
            .collect();
        let strayed = processors::strayed(&pids, seat.processors);
        if let Some(seen) = &mut self.record.duet {
            seen.strayed = Some(strayed);
        }
        match strayed {
            0 => Ok(()),
            threads => Err(LaunchOutcome::Invalid {
                reason: format!(
                    "{threads} threads of the subject may run on the other side's processors: it changes its own affinity (taskset, numactl, a wrapper); run it without that, or without --duet"
                ),
            }
            .into()),
        }
    }

    /// Warms all processes at once, each by itself, and gives them their limits then.
    fn warm(&mut self, ready: &Ready<'_>) -> Result<(), Halt> {
        let Some(warm_up) = self.launch.warm_up() else {
            return Ok(());
        };
        let warmer = Warmer {
            requests: self.bench.requests,
            options: self.bench.options(),
            stop: self.bench.stop,
        };
        let place = ready.place();
        let folders = std::iter::once(self.launch.folder).chain(self.folders);
        let addresses = std::iter::once(ready.address).chain(ready.beside.iter().copied());
        let to: Vec<_> = folders
            .zip(addresses)
            .zip(ready.running.all())
            .map(|((folder, address), process)| Warmed {
                address,
                folder,
                exec: process.exec(),
            })
            .collect();
        let results = threads::side_by_side(&to, |to| place.warm(&warmer, warm_up, to))
            .map_err(RunError::from)?;
        let mut results = results.into_iter();
        self.record.warm_up = results.next().transpose()?;
        self.warmed = results.collect::<Result<_, _>>()?;
        if warm_up.boost_cpu.is_some() {
            for process in ready.running.all() {
                process.subject.set_cpu(self.launch.limits.cpu)?;
            }
            let first = &ready.running.first.subject;
            self.record.limits = first.limits_seen(self.launch.limits);
        }
        Ok(())
    }

    /// What the JVM made of its limits, and whether the optimisation is active.
    fn look(&mut self, first: &Process) {
        // A process that cannot be seen from here gives no evidence, for or against the claim.
        if !first.subject.is_seen() {
            return;
        }
        let prepared = self.launch.prepared;
        let log = prepared.jvm_log(self.launch.folder.path(), self.bench.gc_log());
        let pids = first.subject.pids();
        self.record.jvm = pids
            .iter()
            .filter_map(|pid| jvm::seen(*pid, log.as_deref()))
            // A wrapper beside the JVM has no counters of its own, though the log is there.
            .max_by_key(|seen| seen.classes_loaded.is_some());
        let mapped: BTreeSet<PathBuf> = pids
            .iter()
            .filter_map(|pid| process::mapped_files(*pid).ok())
            .flatten()
            .collect();
        let jvm = self.record.jvm.as_ref();
        let sight = Sight {
            mapped,
            executables: pids
                .iter()
                .filter_map(|pid| process::exe(*pid).ok())
                .collect(),
            classes: jvm.and_then(|jvm| jvm.classes_loaded.zip(jvm.classes_shared)),
        };
        self.record.proof = proof::judge(&prepared.proof, &sight);
    }

    /// Each process has a control group of its own.
    fn limits_hold(&self, running: &Running) -> Result<(), LaunchOutcome> {
        self.are_as_asked("the subject", self.record.limits.as_ref())?;
        for process in &running.further {
            let who = format!("process {} of the launch", process.number);
            let seen = process.subject.limits_seen(self.launch.limits);
            self.are_as_asked(&who, seen.as_ref())?;
        }
        Ok(())
    }

    fn are_as_asked(&self, who: &str, seen: Option<&LimitsSeen>) -> Result<(), LaunchOutcome> {
        match seen {
            Some(seen) if !limits::as_asked(seen, self.launch.limits) => Err(failed(
                FailureCause::LimitsNotApplied,
                format!(
                    "{who} was {} the control group {}, whose limits read back as {}; `tacho doctor` says what is missing",
                    if seen.inside { "inside" } else { "outside" },
                    seen.path,
                    tacho_experiment::limits::name(seen.cpu, seen.memory_bytes)
                ),
            )),
            _ => Ok(()),
        }
    }
}

impl Launch<'_> {
    fn warm_up(&self) -> Option<&WarmUp> {
        self.prepared.record.warm_up.as_ref()
    }
}

/// What there is to say of a log that was too long to be kept whole.
fn long_log(left_out: u64) -> Option<String> {
    (left_out > 0).then(|| {
        format!(
            "the subject wrote so much that {left_out} bytes in the middle of its log are left out; how long writing took is part of what was measured"
        )
    })
}
