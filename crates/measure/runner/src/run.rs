//! A whole run: from an experiment to a run folder.

use crate::diagnosing::{self, Instruments};
use crate::dissecting::DissectSpec;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::launching::{Bench, Launch};
use crate::limits::Groups;
use crate::making::{AllMade, Making, Surroundings};
use crate::stop::Stop;
use std::path::Path;
use std::time::{Duration, Instant};
use tacho_experiment::{Experiment, plan};
use tacho_observe::{machine, process};
use tacho_run_folder::{
    Dissection, FORMAT, FolderError, LaunchOutcome, Plan, PlannedLaunch, RunFolder, RunHeader,
};

/// What is to be run.
pub struct RunSpec<'a> {
    /// The experiment.
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
}

/// Which builds are looked into, and how.
pub struct Dissect<'a> {
    /// Chooses cells, with how each is looked into, when everything has been measured. Asked again with what has been seen, until it wants no more.
    pub next: Box<Next<'a>>,
}

/// See [`Dissect::next`].
pub type Next<'a> = dyn FnMut(&RunFolder, &[Dissection]) -> Option<(String, DissectSpec)> + 'a;

/// A run that came to its end, or was interrupted after its first launch.
pub struct Ran {
    /// Where everything is.
    pub folder: RunFolder,
    /// The user ended it early.
    pub interrupted: bool,
}

/// Carries out an experiment.
pub fn run(
    spec: RunSpec<'_>,
    surroundings: &Surroundings,
    stop: &Stop,
    listener: &mut dyn Listener,
) -> Result<Ran, RunError> {
    let experiment = spec.experiment;
    let companions = companions(&experiment.companions)?;
    // The process number keeps groups of runs apart that begin in the same second elsewhere.
    let groups = Groups::new(&format!("{}-{}", experiment.name, std::process::id()))
        .check(&experiment.limits)?;
    let (folder, id) = new_folder(spec.runs, &experiment.name)?;
    let directory = folder.path().join("build");
    tacho_files::create_folder(&directory).map_err(|e| FolderError::io(&directory, e))?;
    folder.write_yaml("experiment.yaml", spec.text)?;
    let making = Making {
        experiment,
        base: spec.base,
        directory,
        surroundings,
        groups: &groups,
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
    let made = making.make(listener)?;
    for variant in made.variants.values() {
        folder.write_variant(&variant.prepared.record)?;
    }
    let notes = [spec.notes, companions, left_out, made.notes.clone()].concat();
    let plan = plan(&experiment, notes);
    folder.write_plan(&plan)?;
    listener.event(Event::Planned { plan: &plan });
    let bench = Bench {
        groups: &groups,
        phases: &plan.phases,
        requests: &made.requests,
        seed: plan.seed,
        request_timeout: experiment.request_timeout,
        gc_log: experiment.gc_log,
        pods: experiment.pods,
        companions: &experiment.companions,
        stop,
    };
    let result = launches(&bench, &plan, &made, &folder, listener)
        .and_then(|()| diagnoses(&bench, &plan, &made, &folder, listener))
        .and_then(|()| match spec.dissect {
            Some(dissect) => dissections(&bench, &plan, &made, &folder, dissect, listener),
            None => Ok(()),
        });
    header.interrupted = stop.is_set();
    header.finished_at = Some(now());
    folder.write_header(&header)?;
    result?;
    Ok(Ran {
        folder,
        interrupted: header.interrupted,
    })
}

/// What a run says of its companions.
fn companions(pids: &[u32]) -> Result<Vec<String>, RunError> {
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

fn launches(
    bench: &Bench<'_>,
    plan: &Plan,
    made: &AllMade,
    folder: &RunFolder,
    listener: &mut dyn Listener,
) -> Result<(), RunError> {
    let began = Instant::now();
    let rest = Duration::try_from_secs_f64(plan.rest_s).unwrap_or_default();
    for (index, planned) in plan.launches.iter().enumerate() {
        if index > 0 {
            bench.stop.sleep(rest);
        }
        if bench.stop.is_set() {
            return Ok(());
        }
        let Some(cell) = plan.cells.iter().find(|cell| cell.id == planned.cell) else {
            continue;
        };
        let Some(variant) = made.variants.get(&cell.variant) else {
            continue;
        };
        listener.event(Event::LaunchBegan {
            number: planned.number,
            of: plan.launches.len(),
            cell: &cell.id,
        });
        let record = bench.launch(
            &Launch {
                planned,
                limits: &cell.limits,
                prepared: &variant.prepared,
                readiness: &variant.readiness,
                folder: &folder.create_launch(planned)?,
                instruments: None,
            },
            listener,
        )?;
        let done = index + 1;
        let left = plan.launches.len() - done;
        let each = began.elapsed() / u32::try_from(done).unwrap_or(u32::MAX);
        listener.event(Event::LaunchEnded {
            record: &record,
            left: each * u32::try_from(left).unwrap_or(u32::MAX),
        });
        if record.outcome == LaunchOutcome::Interrupted {
            return Ok(());
        }
    }
    Ok(())
}

/// One more launch of each JVM, with instruments that cost something: it counts in no figure, and comes after all that do.
fn diagnoses(
    bench: &Bench<'_>,
    plan: &Plan,
    made: &AllMade,
    folder: &RunFolder,
    listener: &mut dyn Listener,
) -> Result<(), RunError> {
    let rest = Duration::try_from_secs_f64(plan.rest_s).unwrap_or_default();
    for planned in &plan.diagnosis {
        bench.stop.sleep(rest);
        if bench.stop.is_set() {
            return Ok(());
        }
        let Some(cell) = plan.cells.iter().find(|cell| cell.id == planned.cell) else {
            continue;
        };
        let Some(variant) = made.variants.get(&cell.variant) else {
            continue;
        };
        listener.event(Event::Working {
            what: &format!(
                "diagnosing {}: a launch with instruments, which counts in no figure",
                cell.id
            ),
        });
        let launch_folder = folder.create_diagnosis(planned)?;
        let record = bench.launch(
            &Launch {
                planned,
                limits: &cell.limits,
                prepared: &variant.prepared,
                readiness: &variant.readiness,
                folder: &launch_folder,
                instruments: Some(&Instruments::of(&variant.prepared, &launch_folder)?),
            },
            listener,
        )?;
        let diagnosis = launch_folder.diagnosis()?;
        for text in diagnosing::shortcomings(&cell.id, &record, diagnosis.as_ref()) {
            listener.event(Event::Note { text: &text });
        }
    }
    Ok(())
}

/// Launches of their own, with instruments that change what they look at: they count in no figure.
fn dissections(
    bench: &Bench<'_>,
    plan: &Plan,
    made: &AllMade,
    folder: &RunFolder,
    mut dissect: Dissect<'_>,
    listener: &mut dyn Listener,
) -> Result<(), RunError> {
    let rest = Duration::try_from_secs_f64(plan.rest_s).unwrap_or_default();
    let mut seen = Vec::new();
    let launches = plan.launches.iter().chain(&plan.diagnosis);
    let mut number = launches.map(|launch| launch.number).max().unwrap_or(0);
    while let Some((id, spec)) = (dissect.next)(folder, &seen) {
        bench.stop.sleep(rest);
        if bench.stop.is_set() {
            return Ok(());
        }
        let Some(cell) = plan.cells.iter().find(|cell| cell.id == id) else {
            return Ok(());
        };
        let Some(variant) = made.variants.get(&cell.variant) else {
            return Ok(());
        };
        number += 1;
        let planned = PlannedLaunch {
            number,
            cell: id,
            replicate: 1,
        };
        listener.event(Event::Working {
            what: &format!(
                "looking into {}: a launch with instruments, which counts in no figure",
                cell.id
            ),
        });
        let dissected = bench.dissect(
            &Launch {
                planned: &planned,
                limits: &cell.limits,
                prepared: &variant.prepared,
                readiness: &variant.readiness,
                folder: &folder.create_diagnosis(&planned)?,
                instruments: None,
            },
            &spec,
            listener,
        )?;
        if let LaunchOutcome::Failed { message, .. } = &dissected.record.outcome {
            let text = format!(
                "the launch in which `{}` was looked into failed: {message}",
                cell.id
            );
            listener.event(Event::Note { text: &text });
        }
        seen.push(dissected.dissection);
    }
    Ok(())
}

/// A folder that no other run has, by its real path: so the kernel names the files that a
/// subject maps from below it.
fn new_folder(runs: &Path, name: &str) -> Result<(RunFolder, String), RunError> {
    tacho_files::create_folder(runs).map_err(|e| FolderError::io(runs, e))?;
    let runs = runs.canonicalize().map_err(|e| FolderError::io(runs, e))?;
    let now = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
    let mut number = 1;
    loop {
        let id = match number {
            1 => format!("{now}-{name}"),
            _ => format!("{now}-{name}-{number}"),
        };
        let path = runs.join(&id);
        match tacho_files::create_new_folder(&path) {
            Ok(()) => return Ok((RunFolder::create(&path)?, id)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(e) => return Err(FolderError::io(&path, e).into()),
        }
    }
}

fn now() -> String {
    format!("{:.0}", jiff::Timestamp::now())
}
