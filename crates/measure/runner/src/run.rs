//! A whole run: from an experiment to a run folder.

use crate::company::Company;
use crate::duet::{self, duet};
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::imaging::shipped;
use crate::inherited;
use crate::launching::Bench;
use crate::limits::{self, Groups};
use crate::making::Making;
use crate::orders::Orders;
use crate::requests;
use crate::session::{Elsewhere, Halt, Place, Site, Terms};
use crate::stop::Stop;
use crate::turns::{Enough, Next, Turns};
use std::path::{Path, PathBuf};
use tacho_analysis::certificate::{Beside, spoiled};
use tacho_experiment::{Experiment, plan};
use tacho_files::Untrusted;
use tacho_observe::{machine, process};
use tacho_run_folder::{FORMAT, FolderError, RunFolder, RunHeader};
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

/// Which builds are looked into, and how.
pub struct Dissect<'a> {
    /// Chooses cells, with how each is looked into, when everything has been measured. Asked again
    /// with what has been seen, until it wants no more.
    pub next: Box<Next<'a>>,
}

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
        None => tacho_observe::processors::usable(),
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
        let checked = site.check(experiment);
        checked.map_err(|error| RunError::elsewhere(error, stop))?;
    }
    let running = running_companions(&experiment.running_companions)?;
    // Again when it is known which variants can be made.
    let processors = processors(experiment)?;
    // The process number keeps groups of runs apart that begin in the same second elsewhere.
    let groups = Groups::new(&format!("{}-{}", experiment.name, std::process::id()));
    // On another site others make the control groups, so there is nothing to check here.
    let groups = match spec.site {
        None => groups.check(&limits::asked_for(experiment), processors)?,
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
    let (experiment, left_out) = making.wanted();
    // A pod inherits nothing from here.
    let inherited = match spec.site {
        None => inherited::notes(&experiment),
        Some(_) => Vec::new(),
    };
    for text in left_out.iter().chain(&inherited) {
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
    let notes = [spec.notes, running, left_out, inherited, made.notes.clone()].concat();
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
                None => |record| spoiled(record, machine::machine().cpus, Beside::Nothing),
                Some(_) => |record| spoiled(record, machine::machine().cpus, Beside::Cluster),
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

/// Makes a run folder, named by its real path, because the kernel names the files that a subject
/// maps by their real paths.
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

/// A warning for a folder in which another user may replace the run folder: what a JVM writes by
/// its path (`-Xlog:gc`) would then go elsewhere. There is no warning about the user who called
/// sudo(8), who may be root in any case.
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
