//! `tacho diagnose`.

mod builds;
mod confirm;
mod look;
mod measured;
mod page;
mod seen;

use super::run::{RunHow, Source, apply, carry_out_with};
use crate::arguments::{Diagnosed, Overrides};
use crate::error::Error;
use crate::exit::Exit;
use crate::{Done, output};
use builds::Builds;
use look::Looking;
use seen::Seen;
use std::collections::BTreeSet;
use tacho_diagnosis::{Findings, find};
use tacho_diagnosis_report::{Conclusion, DiagnosisReport, text};
use tacho_experiment::Diagnose;
use tacho_profiler::{AsyncProfiler, Places};
use tacho_run_folder::{
    CellResult, CertificateState, Dissection, FORMAT, LaunchOutcome, Results, RunFolder, Verdict,
};
use tacho_runner::{Dissect, DissectSpec, Surroundings};

/// Measures, looks into what is slower, and says why.
pub fn diagnose(arguments: &Diagnosed) -> Done {
    let surroundings = Surroundings::here();
    let mut source = Source::read(
        arguments.source()?,
        arguments.overrides.jdk.as_deref(),
        &surroundings,
    )?;
    // What --baseline names need not be a variant here: it may be a file.
    let overrides = Overrides {
        baseline: None,
        ..arguments.overrides.clone()
    };
    apply(&overrides, &mut source)?;
    let builds = Builds::choose(arguments, &mut source)?;
    // A diagnosis launch for memory answers another question.
    source.experiment.diagnose = Diagnose::Off;
    let name = source.experiment.name.clone();
    let own = builds.own(&source, &arguments.own);
    let profiler = AsyncProfiler::find(&Places::here());
    if profiler.is_none() {
        source.notes.push(
            "async-profiler is not installed: the JVM's own flight recorder samples processor time, less exactly. `tacho profiler install` installs it.".to_owned(),
        );
    }
    let mut looking = Looking::new(
        &builds,
        DissectSpec {
            warm_up: arguments.warm_up,
            requests: arguments.requests_of_window,
            sampled_s: arguments.sample.as_secs_f64(),
            connections: arguments.connections,
            own,
            profiler,
            traced: Vec::new(),
        },
    );
    let again = source.clone();
    let concluded = carry_out_with(
        source,
        &surroundings,
        &arguments.output,
        RunHow {
            dissect: Some(Dissect {
                next: Box::new(|folder, seen| looking.next(folder, seen)),
            }),
            summary: false,
        },
    )?;
    let Some(folder) = concluded.folder else {
        return Ok(concluded.exit);
    };
    let results = folder.results()?;
    let seen = Seen::read(&builds, &folder)?;
    let findings = findings(&builds, seen.baseline(), seen.candidate());
    let report = report(
        name,
        &builds,
        results.as_ref(),
        findings,
        looking.verdict(),
        &folder,
    );
    let report = match &report.findings {
        Some(findings) if concluded.exit != Exit::Interrupted => DiagnosisReport {
            counterfactuals: confirm::confirm(arguments, &builds, again, findings, &surroundings)?,
            ..report
        },
        _ => report,
    };
    let report = DiagnosisReport {
        files: page::write_exports(&folder, &seen)?,
        trace: seen.trace(),
        ..report
    };
    let json = output::pretty(&report)?;
    let mut unwritten = output::Unwritten::default();
    unwritten.take(folder.write_document("diagnose.json", &report));
    unwritten.take(page::write(&folder, &report, &seen));
    let print_json = arguments.output.json.as_deref();
    unwritten.take(output::json_or_summary(
        print_json,
        || Ok::<_, Error>(json.clone()),
        || text::render(&report, &output::style()),
    ));
    unwritten.or(match (concluded.exit, report.conclusion) {
        (Exit::Interrupted, _) => Exit::Interrupted,
        (exit, _) => exit,
    })
}

fn findings(
    builds: &Builds,
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Option<Findings> {
    match (candidate, baseline) {
        (Some(candidate), Some(baseline)) => Some(find(Some(baseline), candidate)),
        (Some(candidate), None) if builds.baseline.is_none() => Some(find(None, candidate)),
        _ => None,
    }
}

/// Of all launches, each reason once.
fn failures(folder: &RunFolder) -> Vec<String> {
    let launches = folder.launches().unwrap_or_default();
    let messages: BTreeSet<String> = launches
        .iter()
        .filter_map(|launch| launch.record().ok())
        .filter_map(|launch| match launch.outcome {
            LaunchOutcome::Failed { message, .. } => Some(format!("{}: {message}", launch.cell)),
            LaunchOutcome::Invalid { reason } => Some(format!("{}: {reason}", launch.cell)),
            _ => None,
        })
        .collect();
    messages.into_iter().collect()
}

fn report(
    name: String,
    builds: &Builds,
    results: Option<&Results>,
    findings: Option<Findings>,
    verdict: Option<Verdict>,
    folder: &RunFolder,
) -> DiagnosisReport {
    let failures = failures(folder);
    let is_without = |cell: &CellResult| cell.valid == 0;
    let conclusion = match &findings {
        None if results.is_some_and(|results| results.cells.iter().any(is_without)) => {
            Conclusion::Failed
        }
        None => match verdict {
            Some(Verdict::Same | Verdict::Better) => Conclusion::NoDifference,
            Some(Verdict::Inconclusive) => Conclusion::NotTold,
            Some(Verdict::Worse) | None => Conclusion::Interrupted,
        },
        Some(_) if builds.baseline.is_none() => Conclusion::Single,
        Some(findings) if findings.findings.is_empty() => Conclusion::NotExplained,
        Some(_) => Conclusion::Explained,
    };
    DiagnosisReport {
        format: FORMAT,
        name,
        baseline: builds.baseline.clone(),
        candidate: builds.candidate.clone(),
        conclusion,
        failures,
        measured: results.map_or_else(Vec::new, |results| measured::figures(results, builds)),
        certificate: results.map_or(CertificateState::Invalid, |results| {
            results.certificate.state
        }),
        findings,
        counterfactuals: Vec::new(),
        trace: Vec::new(),
        files: Vec::new(),
        folder: folder.path().display().to_string(),
    }
}
