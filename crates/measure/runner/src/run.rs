//! A whole run: from an experiment to a run folder.

use crate::company::Company;
use crate::diagnosing::{self, Instruments};
use crate::dissecting::DissectSpec;
use crate::duet::{self, duet};
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::imaging::shipped;
use crate::launching::{Bench, Launch};
use crate::limits::Groups;
use crate::making::{AllMade, Made, Making};
use crate::orders::Orders;
use crate::requests;
use crate::session::{Elsewhere, Halt, Place, Site, Terms};
use crate::stop::Stop;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tacho_analysis::certificate::{Spoil, Whose, spoiled};
use tacho_experiment::{Experiment, plan};
use tacho_files::Untrusted;
use tacho_observe::{machine, process};
use tacho_run_folder::{
    Cell, Dissection, FORMAT, FolderError, LaunchDir, LaunchOutcome, LaunchRecord, Plan,
    PlannedLaunch, RunFolder, RunHeader,
};
use tacho_subject::Surroundings;

/// What is to be run.
pub struct RunSpec<'a> {
    /// What to compare, and under which load.
    pub experiment: &'a Experiment,
    /// Folder that relative paths count from.
    pub base: &'a Path,
    /// The experiment as text, to be kept in the run folder.
    pub text: &'a str,
    /// Where run folders are made.
    pub runs: &'a Path,
    /// What was assumed so far.
    pub notes: Vec<String>,
    /// Builds that are looked into when all launches are over.
    pub dissect: Option<Dissect<'a>>,
    /// Whether more launches would change what is said, where the plan asks that.
    pub enough: Option<Box<Enough<'a>>>,
    /// Where launches are started; absent: on this machine.
    pub site: Option<&'a dyn Site>,
}

/// Asked at each look of the plan, with the number of launches of each cell: why it is enough, for
/// people, when it is.
pub type Enough<'a> = dyn FnMut(&RunFolder, u32) -> Option<String> + 'a;

/// Which builds are looked into, and how.
pub struct Dissect<'a> {
    /// Chooses cells, with how each is looked into, when everything has been measured. Asked again
    /// with what has been seen, until it wants no more.
    pub next: Box<Next<'a>>,
}

/// What [`Dissect::next`] is asked.
pub type Next<'a> = dyn FnMut(&RunFolder, &[Dissection]) -> Option<(String, DissectSpec)> + 'a;

/// A run that came to its end, or was interrupted after its first launch.
pub struct Ran {
    /// Where everything is.
    pub folder: RunFolder,
    /// The user ended it early.
    pub interrupted: bool,
}

/// Processors that a launch has.
pub(crate) fn processors(experiment: &Experiment) -> Result<u32, RunError> {
    Ok(match duet(experiment)? {
        Some(duet) => u32::try_from(duet.halves[0].len()).unwrap_or(u32::MAX),
        None => machine::processors(),
    })
}

/// Carries out an experiment.
pub fn run(
    spec: RunSpec<'_>,
    surroundings: &Surroundings,
    stop: &Stop,
    listener: &mut dyn Listener,
) -> Result<Ran, RunError> {
    let experiment = spec.experiment;
    if let Some(site) = spec.site {
        site.check(experiment).map_err(RunError::Site)?;
    }
    let running = running_companions(&experiment.running_companions)?;
    // Again when it is known which variants can be made.
    let processors = processors(experiment)?;
    // The process number keeps groups of runs apart that begin in the same second elsewhere.
    let groups = Groups::new(&format!("{}-{}", experiment.name, std::process::id()));
    // Elsewhere others make them.
    let groups = match spec.site {
        None => groups.check(&experiment.limits, processors)?,
        Some(_) => groups,
    };
    let (folder, id) = new_folder(spec.runs, &experiment.name)?;
    if let Some(text) = replaceable(spec.runs) {
        listener.event(Event::Note { text: &text });
    }
    let directory = folder.path().join("build");
    let company = Company::of(experiment, spec.base, &folder)?;
    let making = Making {
        experiment,
        base: spec.base,
        directory: directory.clone(),
        surroundings,
        place: &groups,
        company: &company,
        stop,
    };
    // First of all, so that a run that is killed while it prepares is known for one.
    let mut header = RunHeader {
        format: FORMAT,
        tacho: env!("CARGO_PKG_VERSION").to_owned(),
        id,
        name: experiment.name.clone(),
        started_at: now(),
        finished_at: None,
        interrupted: false,
        machine: machine::machine(),
        subject: making.facts(),
    };
    folder.write_header(&header)?;
    folder.write_yaml("experiment.yaml", spec.text)?;
    tacho_files::create_folder(&directory).map_err(|e| FolderError::io(&directory, e))?;
    making.build(listener)?;
    let (experiment, left_out) = making.wanted()?;
    for text in &left_out {
        listener.event(Event::Note { text });
    }
    let making = Making {
        experiment: &experiment,
        ..making
    };
    header.subject = making.facts();
    folder.write_header(&header)?;
    begin(&company, &experiment, making.terms(), listener)?;
    let made = match spec.site {
        None => making.make(listener)?,
        Some(site) => shipped(&making, site, listener)?,
    };
    for variant in made.variants.values() {
        folder.write_variant(&variant.prepared.record)?;
    }
    let notes = [spec.notes, running, left_out, made.notes.clone()].concat();
    let mut plan = plan(&experiment, notes);
    plan.requests = Some(requests::planned(&made.requests));
    plan.duet = duet(&experiment)?;
    if let Some(note) = plan.duet.as_ref().map(duet::note) {
        listener.event(Event::Note { text: &note });
        plan.notes.push(note);
    }
    folder.write_plan(&plan)?;
    listener.event(Event::Planned { plan: &plan });
    let elsewhere = spec.site.map(|site| Elsewhere {
        site,
        here: &groups,
    });
    let place: &dyn Place = match &elsewhere {
        None => &groups,
        Some(elsewhere) => elsewhere,
    };
    let bench = Bench {
        place,
        phases: &plan.phases,
        requests: &made.requests,
        seed: plan.seed,
        request_timeout: experiment.request_timeout,
        gc_log: experiment.gc_log,
        pods: experiment.pods,
        company: &company,
        stop,
    };
    let result = match spec.site.and_then(Site::carrier) {
        Some(carrier) => Orders::of(&experiment, &plan, &made)
            .and_then(|orders| carrier.carry_out(&orders, &folder, stop, listener))
            .map(|machine| header.machine = machine),
        None => Turns {
            bench: &bench,
            plan: &plan,
            made: &made,
            folder: &folder,
            next: spec.dissect.map(|dissect| dissect.next),
            enough: spec.enough,
            spoiled: match spec.site {
                None => |record| spoiled(record, machine::machine().cpus, Whose::Own),
                Some(_) => |record| spoiled(record, machine::machine().cpus, Whose::Cluster),
            },
            repeated: Vec::new(),
            looked_into: 0,
            listener,
        }
        .all(),
    };
    drop(company);
    header.interrupted = stop.is_set();
    header.finished_at = Some(now());
    folder.write_header(&header)?;
    result?;
    Ok(Ran {
        folder,
        interrupted: header.interrupted,
    })
}

/// Starts those companions that stay for the whole run: what a variant is made with may need them,
/// too.
pub(crate) fn begin(
    company: &Company,
    experiment: &Experiment,
    terms: Terms<'_>,
    listener: &mut dyn Listener,
) -> Result<(), RunError> {
    let names = experiment.companions.iter().filter(|spec| !spec.fresh);
    let names: Vec<&str> = names.map(|spec| spec.name.as_str()).collect();
    if names.is_empty() {
        return Ok(());
    }
    listener.event(Event::Working {
        what: &format!(
            "starting what the subject needs beside it: {}",
            names.join(", ")
        ),
    });
    match company.begin(terms) {
        Ok(()) => Ok(()),
        Err(Halt::Error(error)) => Err(*error),
        Err(Halt::Outcome(_)) => Err(RunError::Stopped),
    }
}

/// What a run says of the companions that run already.
fn running_companions(pids: &[u32]) -> Result<Vec<String>, RunError> {
    pids.iter()
        .map(|pid| match process::stat(*pid) {
            Some(companion) if companion.is_alive() => Ok(format!(
                "companion: process {pid} ({}), which the subject needs, and all that it starts",
                process::exe(*pid).map_or_else(
                    |_| "not readable".to_owned(),
                    |exe| exe.display().to_string()
                )
            )),
            _ => Err(RunError::NoCompanion { pid: *pid }),
        })
        .collect()
}

/// Of how many launches one may be run again: where more are spoiled it is the machine, and not an
/// accident.
const MOST_REPEATED: usize = 5;

/// The launches of a run, one after another.
pub(crate) struct Turns<'t> {
    pub bench: &'t Bench<'t>,
    pub plan: &'t Plan,
    pub made: &'t AllMade,
    pub folder: &'t RunFolder,
    pub next: Option<Box<Next<'t>>>,
    pub enough: Option<Box<Enough<'t>>>,
    /// What is wrong with a launch.
    pub spoiled: fn(&LaunchRecord) -> Option<Spoil>,
    /// Launches that were run again, as they are numbered then.
    pub repeated: Vec<PlannedLaunch>,
    /// Launches in which a build was looked into.
    pub looked_into: u32,
    pub listener: &'t mut dyn Listener,
}

/// A launch, and what it is for.
enum Turn<'t> {
    /// It counts in the figures; two of them run at the same time.
    Measure(&'t [PlannedLaunch]),
    /// With instruments that cost something: it counts in no figure, and comes after all that do.
    Diagnose(&'t PlannedLaunch),
    /// With instruments that change what they look at: it counts in no figure either, and comes
    /// before all.
    Dissect(PlannedLaunch, Box<DissectSpec>),
}

impl Turns<'_> {
    /// Carries out all of them, with a rest between two, until the user has had enough.
    pub fn all(mut self) -> Result<(), RunError> {
        let (plan, began) = (self.plan, Instant::now());
        let rest = self.rest();
        let mut measured = plan.launches.chunks(plan.at_once());
        let mut diagnosed = plan.diagnosis.iter();
        let mut looked_into = Vec::new();
        let mut is_first = true;
        let mut looks_first = true;
        while !self.bench.stop.is_set() {
            // Builds that are looked into come first: what they count is told while the rest is
            // measured.
            let look = match looks_first {
                true => self.further(&looked_into),
                false => None,
            };
            looks_first &= look.is_some();
            let planned = look
                .or_else(|| measured.next().map(Turn::Measure))
                .or_else(|| diagnosed.next().map(Turn::Diagnose));
            let Some(turn) = planned else {
                break;
            };
            if !std::mem::take(&mut is_first) {
                self.bench.stop.sleep(rest);
                if self.bench.stop.is_set() {
                    break;
                }
            }
            match turn {
                Turn::Measure(planned) => {
                    self.measure(planned, began)?;
                    if self.is_enough(planned)? {
                        measured = [].chunks(1);
                    }
                }
                Turn::Diagnose(planned) => self.diagnose(planned)?,
                Turn::Dissect(planned, spec) => {
                    looked_into.push(self.dissect(&planned, &spec)?);
                    self.looked_into += 1;
                }
            }
        }
        Ok(())
    }

    /// What is wanted besides what is planned.
    fn further(&mut self, seen: &[Dissection]) -> Option<Turn<'static>> {
        let (cell, spec) = self.next.as_mut()?(self.folder, seen)?;
        let planned = PlannedLaunch {
            number: self.next_number(),
            cell,
            replicate: 1,
            again: None,
        };
        Some(Turn::Dissect(planned, Box::new(spec)))
    }

    /// A launch that was spoiled is run again at once, so that both are of the same minutes; each
    /// at most once, and of all launches a fifth. Of two at the same time both are run again.
    fn measure(&mut self, planned: &[PlannedLaunch], began: Instant) -> Result<(), RunError> {
        let mut measured = self.measured(planned, began)?;
        let spoils = measured
            .iter()
            .filter_map(|(_, record)| Some((record.number, (self.spoiled)(record)?)));
        let is_disturbed = |spoil: &Spoil| matches!(spoil, Spoil::Disturbed(_));
        let worst = spoils.max_by_key(|(_, spoil)| is_disturbed(spoil));
        let Some((spoiled, spoil)) = worst.filter(|_| self.may_repeat()) else {
            return Ok(());
        };
        let mut again = Vec::new();
        for ((number, planned), (folder, record)) in
            (self.next_number()..).zip(planned).zip(&mut measured)
        {
            let (Spoil::Disturbed(why) | Spoil::Late(why)) = &spoil;
            let beside = match spoiled == planned.number {
                true => String::new(),
                false => format!(", beside launch {}", planned.number),
            };
            let why = format!("launch {spoiled}{beside}: {why}; run again as launch {number}");
            self.listener.event(Event::Note { text: &why });
            // Another outcome has a reason of its own.
            if is_disturbed(&spoil) && record.outcome == LaunchOutcome::Completed {
                record.outcome = LaunchOutcome::Spoiled { reason: why };
                folder.write_record(record)?;
            }
            again.push(PlannedLaunch {
                number,
                again: Some(planned.number),
                ..planned.clone()
            });
        }
        self.repeated.extend_from_slice(&again);
        self.folder.write_plan(&self.as_carried_out())?;
        self.bench.stop.sleep(self.rest());
        if !self.bench.stop.is_set() {
            self.measured(&again, began)?;
        }
        Ok(())
    }

    /// Of the launches that will be made in any case: those until the first look.
    fn may_repeat(&self) -> bool {
        let first_look = self.plan.looks.first().copied().unwrap_or(u32::MAX);
        let sure = self.plan.launches.iter();
        let sure = sure.filter(|launch| launch.replicate <= first_look).count();
        self.repeated.len() < sure / MOST_REPEATED
    }

    /// The plan with the launches that came to it on the way.
    fn as_carried_out(&self) -> Plan {
        let mut plan = self.plan.clone();
        plan.launches.extend_from_slice(&self.repeated);
        plan
    }

    /// Of a launch that was not planned beforehand.
    fn next_number(&self) -> u32 {
        let planned = self.plan.launches.iter().chain(&self.plan.diagnosis);
        let all = planned.chain(&self.repeated);
        all.map(|launch| launch.number).max().unwrap_or(0) + 1 + self.looked_into
    }

    fn rest(&self) -> Duration {
        Duration::try_from_secs_f64(self.plan.rest_s).unwrap_or_default()
    }

    /// One launch, or two at the same time.
    fn measured(
        &mut self,
        planned: &[PlannedLaunch],
        began: Instant,
    ) -> Result<Vec<(LaunchDir, LaunchRecord)>, RunError> {
        let of = self.plan.launches.len();
        let mut folders = Vec::new();
        for planned in planned {
            self.listener.event(Event::LaunchBegan {
                number: planned.number,
                of,
                cell: &self.cell(planned)?.0.id,
            });
            folders.push(self.folder.create_launch(planned)?);
        }
        let mut launches = Vec::new();
        for (planned, folder) in planned.iter().zip(&folders) {
            let (cell, made) = self.cell(planned)?;
            launches.push(launch(planned, cell, made, folder));
        }
        let records = self.live(launches)?;
        // A launch that repeats another brings the run no further than that one did.
        let last = planned.last();
        let number = last.map(|last| last.again.unwrap_or(last.number));
        let same = |other: &PlannedLaunch| Some(other.number) == number;
        let done = self.plan.launches.iter().position(same).unwrap_or(0) + 1;
        let each = began.elapsed() / u32::try_from(done).unwrap_or(u32::MAX);
        for record in &records {
            self.listener.event(Event::LaunchEnded {
                record,
                left: each * u32::try_from(of - done).unwrap_or(u32::MAX),
            });
        }
        Ok(folders.into_iter().zip(records).collect())
    }

    fn live(&mut self, launches: Vec<Launch<'_>>) -> Result<Vec<LaunchRecord>, RunError> {
        let launches = match (&self.plan.duet, <[_; 2]>::try_from(launches)) {
            (Some(duet), Ok(two)) => {
                return Ok(duet::both(self.bench, two, duet, self.listener)?.into());
            }
            (_, Ok(two)) => two.into(),
            (_, Err(launches)) => launches,
        };
        let mut records = Vec::new();
        for launch in &launches {
            records.push(self.bench.launch(launch, self.listener)?);
        }
        Ok(records)
    }

    /// At a look of the plan: whether more launches are to be made. The plan in the folder is that
    /// of those that were.
    fn is_enough(&mut self, planned: &[PlannedLaunch]) -> Result<bool, RunError> {
        let Some(planned) = planned.last() else {
            return Ok(false);
        };
        let (plan, block) = (self.plan, planned.replicate);
        let last = plan.launches.iter().rfind(|l| l.replicate == block);
        let is_look = plan.looks.contains(&block) && last == Some(planned);
        if !is_look || block == plan.launches_per_cell || self.bench.stop.is_set() {
            return Ok(false);
        }
        let asked = self.enough.as_mut();
        let Some(why) = asked.and_then(|enough| enough(self.folder, block)) else {
            return Ok(false);
        };
        self.listener.event(Event::Note { text: &why });
        let mut ended = self.as_carried_out().ended_after(block);
        ended.notes.push(why);
        self.folder.write_plan(&ended)?;
        Ok(true)
    }

    fn diagnose(&mut self, planned: &PlannedLaunch) -> Result<(), RunError> {
        let (cell, made) = self.cell(planned)?;
        self.work("diagnosing", cell);
        let folder = self.folder.create_diagnosis(planned)?;
        let launch = Launch {
            instruments: Some(&Instruments::of(&made.prepared, &folder)?),
            ..launch(planned, cell, made, &folder)
        };
        let record = self.bench.launch(&launch, self.listener)?;
        let diagnosis = folder.diagnosis()?;
        for text in diagnosing::shortcomings(&cell.id, &record, diagnosis.as_ref()) {
            self.listener.event(Event::Note { text: &text });
        }
        Ok(())
    }

    fn dissect(
        &mut self,
        planned: &PlannedLaunch,
        spec: &DissectSpec,
    ) -> Result<Dissection, RunError> {
        let (cell, made) = self.cell(planned)?;
        self.work("looking into", cell);
        let folder = self.folder.create_diagnosis(planned)?;
        let launch = launch(planned, cell, made, &folder);
        let dissected = self.bench.dissect(&launch, spec, self.listener)?;
        if let LaunchOutcome::Failed {
            message: reason, ..
        }
        | LaunchOutcome::Invalid { reason } = &dissected.record.outcome
        {
            let text = format!(
                "the launch in which `{}` was looked into failed: {reason}",
                cell.id
            );
            self.listener.event(Event::Note { text: &text });
        }
        Ok(dissected.dissection)
    }

    fn work(&mut self, doing: &str, cell: &Cell) {
        let what = format!(
            "{doing} {}: a launch with instruments, which counts in no figure",
            cell.id
        );
        self.listener.event(Event::Working { what: &what });
    }
}

impl<'t> Turns<'t> {
    /// What a planned launch needs. One that is left out would change what is compared.
    fn cell(&self, planned: &PlannedLaunch) -> Result<(&'t Cell, &'t Made), RunError> {
        let lacks = |lack: String| RunError::NotPlanned {
            number: planned.number,
            cell: planned.cell.clone(),
            lack,
        };
        let mut cells = self.plan.cells.iter();
        let cell = cells
            .find(|cell| cell.id == planned.cell)
            .ok_or_else(|| lacks("which is no cell of the plan".to_owned()))?;
        let made = self
            .made
            .variants
            .get(&cell.variant)
            .ok_or_else(|| lacks(format!("whose variant `{}` was not made", cell.variant)))?;
        Ok((cell, made))
    }
}

fn launch<'l>(
    planned: &'l PlannedLaunch,
    cell: &'l Cell,
    made: &'l Made,
    folder: &'l LaunchDir,
) -> Launch<'l> {
    Launch {
        planned,
        limits: &cell.limits,
        prepared: &made.prepared,
        readiness: &made.readiness,
        folder,
        instruments: None,
        seat: None,
    }
}

/// A folder by its real path: so the kernel names the files that a subject maps from below it.
fn new_folder(runs: &Path, name: &str) -> Result<(RunFolder, String), RunError> {
    tacho_files::create_folder(runs).map_err(|e| FolderError::io(runs, e))?;
    let runs = runs.canonicalize().map_err(|e| FolderError::io(runs, e))?;
    let (path, id) = own_folder(&runs, name)?;
    Ok((RunFolder::create(&path)?, id))
}

/// A new folder for what is told of stored runs.
///
/// # Errors
/// When it cannot be made.
pub fn new_folder_of_stored(runs: &Path, name: &str) -> Result<RunFolder, FolderError> {
    tacho_files::create_folder(runs).map_err(|e| FolderError::io(runs, e))?;
    let (path, _) = own_folder(runs, &format!("diagnose-{name}"))?;
    RunFolder::create_beside(&path)
}

/// What is told of a place in which another user may put something else where the run folder
/// was: what a JVM writes by its path (`-Xlog:gc`) then goes wherever that one leads it. Who called
/// sudo(8) may be root in any case.
fn replaceable(runs: &Path) -> Option<String> {
    let untrusted = tacho_files::trusted(runs).ok()?.err()?;
    let caller = std::env::var("SUDO_UID");
    let caller = caller.ok().and_then(|uid| uid.parse().ok());
    match untrusted {
        Untrusted::Owner { owner, .. } if Some(owner) == caller => None,
        untrusted => Some(format!(
            "{untrusted}, also while this run writes there; keep runs where nobody else can (--runs)"
        )),
    }
}

/// A folder that nobody else has, with its name.
pub(crate) fn own_folder(runs: &Path, name: &str) -> Result<(PathBuf, String), FolderError> {
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    let name = format!("{now}-{name}");
    let path = tacho_files::create_numbered_folder(runs, &name)
        .map_err(|e| FolderError::io(&runs.join(&name), e))?;
    let id = path.file_name().unwrap_or_default();
    let id = id.to_string_lossy().into_owned();
    Ok((path, id))
}

fn now() -> String {
    format!("{:.0}", jiff::Timestamp::now())
}
