//! `tacho diagnose`.

use super::run::{Concluded, How, Source, apply, carry_out};
use crate::arguments::{Diagnosed, Overrides};
use crate::error::Error;
use crate::exit::Exit;
use crate::exports::Exports;
use crate::{Done, output};
use tacho_diagnosis::{Counterfactual, Findings, failures};
use tacho_diagnosis_report::{DiagnosisReport, changes, export, html, text, trace};
use tacho_profiler::{AsyncProfiler, Places};
use tacho_report::Analysed;
use tacho_run_folder::FORMAT;
use tacho_runner::{
    Compared, DissectSpec, Event, InferredLoad, Looking, Seen, Surroundings, Wanted,
};

/// Measures, looks into what is slower, and says why.
pub fn diagnose(arguments: &Diagnosed) -> Done {
    let surroundings = Surroundings::here();
    let jdk = arguments.overrides.jdk.as_deref();
    let mut source = Source::read(arguments.source()?, jdk, &surroundings)?;
    // What --baseline names need not be a variant here: it may be a file.
    let overrides = Overrides {
        baseline: None,
        ..arguments.overrides.clone()
    };
    apply(&overrides, &mut source)?;
    source.experiment.launches = source.experiment.launches.fixed();
    let measured = InferredLoad {
        connections: arguments.connections,
        requests: arguments.requests_of_window,
        is_quick: arguments.overrides.quick,
    };
    let wanted = Wanted {
        baseline: arguments.overrides.baseline.as_deref(),
        candidate: arguments.candidate.as_deref(),
        switches: &arguments.switches,
        inferred: source.is_inferred.then_some(measured),
    };
    let compared = Compared::choose(&wanted, &mut source.experiment)?;
    let mut changes = compared
        .changes(&source.experiment, &source.base)
        .unwrap_or_default();
    if let Some(changes) = &mut changes {
        let masking = tacho_masking::current();
        for setting in &mut changes.settings {
            for value in [&mut setting.before, &mut setting.after]
                .into_iter()
                .flatten()
            {
                *value = masking.value(&setting.key, value);
            }
        }
    }
    let whose = compared.whose(
        &source.experiment,
        &source.base,
        &arguments.own,
        changes.as_ref(),
    );
    source.notes.push(whose.sentence());
    // What is certain is said before anything is launched.
    if let Some(changes) = &changes {
        let differs = changes::lines(changes).join("\n  ");
        let differs = format!("What differs between the builds:\n  {differs}");
        source.notes.push(differs);
    }
    let profiler = AsyncProfiler::find(&Places::here());
    if profiler.is_none() {
        source.notes.push(
            "async-profiler is not installed: the JVM's own flight recorder samples processor time, less exactly. `tacho profiler install` installs it.".to_owned(),
        );
    }
    let spec = DissectSpec {
        warm_up: arguments.warm_up,
        requests: arguments.requests_of_window,
        sampled_s: arguments.sample.as_secs_f64(),
        connections: arguments.connections,
        own: whose.own,
        profiler,
        traced: Vec::new(),
    };
    let again = source.clone();
    let mut looking = Looking::new(&compared, spec);
    let how = How::Silent(Some(&mut looking));
    let concluded = carry_out(source, &surroundings, &arguments.output, how)?;
    let Concluded {
        exit,
        folder: Some(folder),
        analysed: Some(Analysed { run, results }),
    } = concluded
    else {
        return Ok(concluded.exit);
    };
    let (baseline, candidate) = looking.seen(&folder, &run.plan)?;
    let (older, newer) = (baseline.as_ref().map(of), candidate.as_ref().map(of));
    let (before, after) = (older.map(|seen| seen.1), newer.map(|seen| seen.1));
    let builds = &compared.builds;
    let findings = builds.findings(before, after);
    let counterfactuals = match &findings {
        Some(findings) if exit != Exit::Interrupted => {
            confirm(arguments, &compared, again, findings, &surroundings)?
        }
        _ => Vec::new(),
    };
    let report = DiagnosisReport {
        format: FORMAT,
        name: run.header.name.clone(),
        baseline: builds.baseline.clone(),
        candidate: builds.candidate.clone(),
        conclusion: builds.conclusion(&results, looking.verdict, findings.as_ref()),
        failures: failures(&run),
        changes,
        measured: builds.figures(&results),
        certificate: results.certificate.state,
        findings,
        counterfactuals,
        trace: after.map_or_else(Vec::new, |after| trace::rows(before, after)),
        files: export::write(&folder, older, newer)?,
        folder: folder.path().display().to_string(),
    };
    let mut unwritten = output::Unwritten::default();
    unwritten.take(folder.write_document("diagnose.json", &report));
    if let Some(page) = unwritten.take(html::render(&report, before, after)) {
        unwritten.take(folder.write_page(html::FILE, &page));
    }
    let exports = &arguments.output.exports;
    // Another format may be on standard output already.
    if !exports.without("json").takes_stdout() {
        unwritten.take(output::json_or_summary(
            exports.path("json"),
            || output::pretty(&report),
            || text::render(&report, &output::style()),
        ));
    }
    unwritten.or(exit)
}

fn of(seen: &Seen) -> export::Seen<'_> {
    (&seen.launch, &seen.dissection)
}

/// Launches both builds again with what can be switched; nothing when nothing can.
fn confirm(
    arguments: &Diagnosed,
    compared: &Compared,
    mut source: Source,
    findings: &Findings,
    surroundings: &Surroundings,
) -> Result<Vec<Counterfactual>, Error> {
    let experiment = &mut source.experiment;
    let (switches, notes) = compared.switches(experiment, &source.base, findings, surroundings)?;
    for text in &notes {
        tacho_progress::listener(arguments.output.quiet).event(Event::Note { text });
    }
    if switches.is_empty() {
        return Ok(Vec::new());
    }
    source.notes.clear();
    let variants = switches.iter().map(|switch| switch.variant.clone());
    experiment.variants.extend(variants);
    let seed = experiment.seed;
    let mut output = arguments.output.clone();
    // These files are of the diagnosis.
    output.exports = Exports::default();
    let concluded = carry_out(source, surroundings, &output, How::Silent(None))?;
    let (Some(folder), Some(Analysed { results, .. })) = (concluded.folder, concluded.analysed)
    else {
        return Ok(Vec::new());
    };
    let path = folder.path().display().to_string();
    let of = |switch: &tacho_runner::Switch| {
        let change = (switch.changed.as_str(), switch.variant.name.as_str());
        compared
            .builds
            .counterfactual(&results, seed, change, &path)
    };
    Ok(switches.iter().filter_map(of).collect())
}
