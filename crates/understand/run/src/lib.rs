//! Reads a whole run folder. No other crate does this.
//!
//! `run`, `fit`, `warmup`, `diagnose` and `report` all analyse what [`load`] returns. So a later
//! reader of a folder gets the same answers as the command that made it.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod times;

use std::io::BufReader;
use tacho_run_folder::{
    DamagedLaunch, DiagnosisData, Dissection, FolderError, LaunchData, LaunchDir, LaunchOutcome,
    RunData, RunFolder,
};
use times::LaunchTimes;

/// Reads everything that a run has recorded. A launch with a file that was edited or cut off is
/// left out and listed as damaged.
///
/// # Errors
/// When what says which launches there are cannot be read: the header, the plan, the variants, or
/// the folders themselves. Also when a file of a launch may not be read, or is not of Tacho's
/// making.
pub fn load(folder: &RunFolder) -> Result<RunData, FolderError> {
    let mut run = RunData {
        header: folder.header()?,
        plan: folder.plan()?,
        variants: folder.variants()?,
        launches: Vec::new(),
        damaged: Vec::new(),
        times: Default::default(),
        unreadable_lines: 0,
        diagnoses: Vec::new(),
    };
    let objective_ms = run.plan.warm_up.and_then(|sweep| sweep.objective_ms);
    let objective_ns = objective_ms.map(|ms| (ms * 1e6) as u64);
    for dir in folder.launches()? {
        match launch(&dir, objective_ns) {
            Ok((launch, times)) => keep(&mut run, launch, times),
            Err(error) => run.damaged.push(damaged(&dir, error)?),
        }
    }
    diagnoses(folder, &mut run)?;
    Ok(run)
}

/// The launch with instruments in which this cell was examined, with what they saw; the last one
/// where there are several. `None` where there was no such launch, or nothing was seen.
///
/// # Errors
/// When the record of such a launch cannot be read.
pub fn dissected(
    folder: &RunFolder,
    cell: &str,
) -> Result<Option<(LaunchDir, Dissection)>, FolderError> {
    let mut found = None;
    for launch in folder.diagnoses()? {
        let seen = launch.dissection()?;
        let seen = seen.filter(|seen| seen.cell == cell && !seen.windows.is_empty());
        found = seen.map(|seen| (launch, seen)).or(found);
    }
    Ok(found)
}

fn diagnoses(folder: &RunFolder, run: &mut RunData) -> Result<(), FolderError> {
    for dir in folder.diagnoses()? {
        match diagnosis(&dir) {
            Ok(diagnosis) => run.diagnoses.push(diagnosis),
            Err(error) => run.damaged.push(damaged(&dir, error)?),
        }
    }
    Ok(())
}

fn launch(
    dir: &LaunchDir,
    objective_ns: Option<u64>,
) -> Result<(LaunchData, LaunchTimes), FolderError> {
    let record = dir.record()?;
    let mut times = times_of(dir, objective_ns)?;
    let launch = LaunchData {
        samples: dir.samples()?,
        requests: dir.requests()?,
        memory: dir.memory()?,
        jvm: dir.jvm()?,
        collections: tacho_gc_log::of_launch(dir, &record)?,
        seconds: std::mem::take(&mut times.seconds),
        record,
    };
    Ok((launch, times))
}

/// A launch that sent no requests has no log, and so no times.
fn times_of(dir: &LaunchDir, objective_ns: Option<u64>) -> Result<LaunchTimes, FolderError> {
    let log = dir.open(&dir.histograms())?;
    Ok(log.map_or_else(LaunchTimes::default, |log| {
        LaunchTimes::read(BufReader::new(log), objective_ns)
    }))
}

/// Leaves out the times of a launch that failed or is invalid: they are those of another service.
fn keep(run: &mut RunData, launch: LaunchData, times: LaunchTimes) {
    if launch.record.outcome == LaunchOutcome::Completed {
        run.unreadable_lines += times.unreadable;
        let cell = run.times.entry(launch.record.cell.clone()).or_default();
        times::add(cell, times.phases);
    }
    run.launches.push(launch);
}

fn diagnosis(dir: &LaunchDir) -> Result<DiagnosisData, FolderError> {
    Ok(DiagnosisData {
        record: dir.record()?,
        diagnosis: dir.diagnosis()?,
    })
}

/// Turns an error into a damaged launch where a file was edited or cut off. A file that may not be
/// read, or that Tacho did not write, is an error for the whole folder.
fn damaged(dir: &LaunchDir, error: FolderError) -> Result<DamagedLaunch, FolderError> {
    let (FolderError::Json { .. } | FolderError::Row { .. }) = error else {
        return Err(error);
    };
    let name = dir.path().file_name().unwrap_or_default();
    Ok(DamagedLaunch {
        folder: name.to_string_lossy().into_owned(),
        why: error.to_string(),
    })
}
