//! `tacho diagnose`.

mod causes;
mod more_load;
mod sources;
mod stored;

use super::run::{Concluded, How, Source, apply, carry_out};
use crate::arguments::{Diagnosed, Overrides};
use crate::error::Error;
use crate::exit::Exit;
use crate::exports::Exports;
use crate::signals::stop_on_signals;
use crate::{Done, output};
use causes::{Asked, causes};
use more_load::{Told, more_load};
use sources::Sources;
use std::path::PathBuf;
pub use stored::StoredError;
use tacho_diagnosis::{
    Counterfactual, Findings, Loss, compared_phases, failures, failures_with_instruments,
    moved_counts, moved_settings, moved_surroundings, remote_time,
};
use tacho_diagnosis_report::{DiagnosisReport, changes, counts, export, html, sarif, text, trace};
use tacho_experiment::defaults;
use tacho_profiler::{AsyncProfiler, Places};
use tacho_report::Analysed;
use tacho_run_folder::{
    BuildChanges, Dissection, FORMAT, PutBack, RunFolder, SettingChange, Verdict,
};
use tacho_runner::{
    Compared, DissectSpec, Event, InferredLoad, Looking, Seen, Surroundings, Wanted,
};

/// Unless more are asked for, each build is launched at most this often, until it is known whether
/// the candidate is slower.
const MOST_LAUNCHES: u32 = 10;

/// Unless the command line or the experiment says otherwise.
const CONNECTIONS: u32 = 4;

/// Measures, looks into what is slower, and says why.
pub fn diagnose(arguments: &Diagnosed) -> Done {
    if let Some(path) = &arguments.sarif {
        // Check this before half an hour of work.
        tacho_files::can_be_written(path).map_err(|source| Error::Write {
            path: path.clone(),
            source,
        })?;
    }
    if let Some(runs) = stored::runs(arguments)? {
        return stored::diagnose(arguments, runs);
    }
    let surroundings = Surroundings::here();
    let jdk = arguments.overrides.jdk.as_deref();
    let mut source = Source::read(arguments.source()?, jdk, &surroundings)?;
    // A diagnosis compares builds, so notes on other variants do not matter.
    source.drop_notes_on_variants();
    // Also true for a file that names no phases. Check this before --quick makes the phases
    // shorter.
    let is_load_inferred = source.is_inferred || source.experiment.phases == defaults::phases();
    // --baseline may name a file here, and not only a variant.
    let overrides = Overrides {
        baseline: None,
        ..arguments.overrides.clone()
    };
    apply(&overrides, &mut source)?;
    source.experiment.launches = source.experiment.launches.at_most(MOST_LAUNCHES);
    let is_quick = arguments.overrides.quick;
    let connections = arguments.connections;
    let connections = connections.or(source.experiment.connections);
    let connections = connections.unwrap_or(CONNECTIONS);
    let measured = InferredLoad {
        connections,
        is_quick,
    };
    let wanted = Wanted {
        baseline: arguments.overrides.baseline.as_deref(),
        candidate: arguments.candidate.as_deref(),
        switches: &arguments.switches,
        inferred: is_load_inferred.then_some(measured),
    };
    let compared = Compared::choose(&wanted, &mut source.experiment)?;
    let changes = match compared.changes(&source.experiment, &source.base) {
        Ok(changes) => changes.map(masked),
        Err(why) => {
            let note = format!("What differs between the builds could not be read: {why}");
            source.notes.push(note);
            None
        }
    };
    let whose = compared.whose(
        &source.experiment,
        &source.base,
        &arguments.own,
        changes.as_ref(),
    );
    source.notes.push(whose.sentence());
    // Print the known differences before anything is launched.
    if let Some(changes) = &changes {
        let differs = changes::lines(changes).join("\n  ");
        let differs = format!("What differs between the builds:\n  {differs}");
        source.notes.push(differs);
    }
    let profiler = sampler(arguments);
    let mut notes = Vec::new();
    if profiler.is_none() {
        let without = "async-profiler is not installed and could not be fetched: the JVM's own flight recorder samples processor time, less exactly, and no native code. `tacho profiler install` installs it.";
        source.notes.push(without.to_owned());
        notes.push(without.to_owned());
    }
    let spec = DissectSpec {
        warm_up: arguments.warm_up,
        requests: arguments.requests_of_window,
        sampled_s: arguments.sample.as_secs_f64(),
        connections,
        own: whose.own,
        profiler,
        traced: Vec::new(),
    };
    let again = source.clone();
    let quiet = arguments.output.quiet;
    let tell = move |baseline: &Dissection, candidate: &Dissection| {
        let text = counts::lines(&moved_counts(baseline, candidate)).join("\n  ");
        let text = format!("What a request does, counted in one launch of each build:\n  {text}");
        tacho_progress::listener(quiet).event(Event::Note { text: &text });
    };
    let mut looking = Looking::new(&compared, spec, Box::new(tell));
    let how = How::Silent(Some(&mut looking));
    let concluded = carry_out(source, &surroundings, &arguments.output, how)?;
    let Concluded {
        exit,
        folder: Some(folder),
        analysed: Some(Analysed { run, results }),
        ..
    } = concluded
    else {
        return Ok(concluded.exit);
    };
    notes.extend(failures_with_instruments(&run));
    let (baseline, candidate) = looking.seen(&folder, &run.plan)?;
    let (older, newer) = (baseline.as_ref().map(of), candidate.as_ref().map(of));
    let (before, after) = (older.map(|seen| seen.1), newer.map(|seen| seen.1));
    let builds = &compared.builds;
    let phases = compared_phases(&run.plan);
    let is_over = exit != Exit::Interrupted;
    let is_compared = is_over && builds.baseline.is_some();
    let verdict = is_compared.then(|| builds.verdict(&results, &phases));
    let mut told = Told::of(builds, (&results, &phases), verdict, again);
    if is_load_inferred && !is_quick && told.needs_more_load() {
        let place = (folder.path(), &surroundings);
        if let Some(more) = more_load(arguments, &told, builds, &results, place)? {
            notes.push(more.note.clone());
            told = told.with(builds, more);
        }
    }
    let Told {
        verdict,
        loss,
        source: again,
        measured,
        certificate,
    } = told;
    let is_worse = verdict == Some(Verdict::Worse);
    let mut changes = changes;
    if let (Some(changes), Some((before, after))) = (&mut changes, before.zip(after)) {
        changes.settings.extend(moved_settings(before, after));
        changes.settings.extend(moved_surroundings(&run, builds));
    }
    let counts = before.zip(after);
    let counts = counts.map_or_else(Vec::new, |(before, after)| moved_counts(before, after));
    let findings = builds.findings(before, after, changes.as_ref());
    let findings = findings.filter(|_| is_worse || builds.baseline.is_none());
    let mut counterfactuals = Vec::new();
    if let Some(loss) = &loss {
        if let Some(findings) = &findings {
            let switched = (&compared, again.clone(), findings, loss);
            let runs = folder.path().join(causes::FOLDER);
            counterfactuals = confirm(arguments, switched, runs, &surroundings)?;
        }
        if !arguments.no_put_back
            && let Some(revertible) = compared.revertible(&again.experiment, &again.base)?
        {
            let found = causes(&Asked {
                arguments,
                builds,
                source: &again,
                revertible: &revertible,
                findings: findings.as_ref(),
                loss,
                folder: folder.path(),
                surroundings: &surroundings,
            })?;
            counterfactuals.splice(0..0, found.confirmed);
            notes.extend(found.notes);
        }
    }
    let conclusion = builds.conclusion(&results, verdict, findings.as_ref());
    let conclusion = match is_over {
        true => conclusion.of_a_whole_run(),
        false => conclusion,
    };
    let report = DiagnosisReport {
        format: FORMAT,
        name: run.header.name.clone(),
        baseline: builds.baseline.clone(),
        candidate: builds.candidate.clone(),
        stored: None,
        conclusion: conclusion.with_causes(&counterfactuals),
        failures: failures(&run),
        changes,
        measured,
        certificate,
        findings,
        counts,
        remote: remote_time(before, after),
        counterfactuals,
        notes,
        trace: after.map_or_else(Vec::new, |after| trace::rows(before, after)),
        files: export::write(&folder, older, newer)?,
        folder: folder.path().display().to_string(),
    };
    hand_out(arguments, &folder, &report, (before, after), exit)
}

/// Into the folder, to the files that were asked for, and to standard output.
fn hand_out(
    arguments: &Diagnosed,
    folder: &RunFolder,
    report: &DiagnosisReport,
    (before, after): (Option<&Dissection>, Option<&Dissection>),
    exit: Exit,
) -> Done {
    let mut unwritten = output::Unwritten::default();
    unwritten.take(folder.write_document("diagnose.json", report));
    if let Some(page) = unwritten.take(html::render(report, before, after)) {
        unwritten.take(folder.write_page(html::FILE, &page));
    }
    if let Some(path) = &arguments.sarif {
        let sources = Sources::below(&arguments.sources);
        let document = sarif::document(report, &|class| sources.of(class));
        let written = output::pretty(&document).and_then(|text| output::write(path, text));
        unwritten.take(written);
    }
    let exports = &arguments.output.exports;
    // If another format already goes to standard output, print no summary.
    if !exports.without("json").takes_stdout() {
        unwritten.take(output::json_or_summary(
            exports.path("json"),
            || output::pretty(report),
            || text::render(report, &output::style()),
        ));
    }
    unwritten.or(exit)
}

fn of(seen: &Seen) -> export::Seen<'_> {
    (&seen.launch, &seen.dissection)
}

/// async-profiler; where there is none yet, it is fetched if a repository can be reached.
fn sampler(arguments: &Diagnosed) -> Option<AsyncProfiler> {
    let places = Places::here();
    AsyncProfiler::find(&places).or_else(|| {
        if arguments.output.dry_run {
            return None;
        }
        let text = "Fetching async-profiler, which samples processor time";
        tacho_progress::listener(arguments.output.quiet).event(Event::Note { text });
        let stop = stop_on_signals().ok()?;
        let fetched = AsyncProfiler::install(None, &places, stop.flag()).ok()?;
        fetched.check().ok().map(|()| fetched)
    })
}

/// Values of secret keys are masked.
fn masked(mut changes: BuildChanges) -> BuildChanges {
    changes.settings.iter_mut().for_each(mask);
    changes
}

fn mask(setting: &mut SettingChange) {
    let masking = tacho_masking::current();
    for value in [&mut setting.before, &mut setting.after]
        .into_iter()
        .flatten()
    {
        *value = masking.value(&setting.key, value);
    }
}

/// A change as it may be written.
fn masked_change(mut what: PutBack) -> PutBack {
    let masking = tacho_masking::current();
    match &mut what {
        PutBack::Settings { settings } => settings.iter_mut().for_each(mask),
        PutBack::Lines { before, now, .. } => {
            for text in [before, now] {
                *text = masking.text(text);
            }
        }
        PutBack::Launch { what } => *what = masking.text(what),
        PutBack::Classes { .. } | PutBack::File { .. } | PutBack::Library { .. } => {}
    }
    what
}

/// Launches both builds again, with variants that switch one thing each. Empty if there is nothing
/// to switch.
fn confirm(
    arguments: &Diagnosed,
    (compared, mut source, findings, loss): (&Compared, Source, &Findings, &Loss),
    runs: PathBuf,
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
    experiment.launches = experiment.launches.fixed();
    let variants = switches.iter().map(|switch| switch.variant.clone());
    experiment.variants.extend(variants);
    let seed = experiment.seed;
    let mut output = arguments.output.clone();
    output.runs = runs;
    // Exports belong to the diagnosis, not to this run.
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
            .counterfactual(&[&results], (seed, 1), change, (loss, &path))
    };
    Ok(switches.iter().filter_map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_secret_is_told_by_a_change_that_is_put_back() {
        let setting = SettingChange {
            file: "application.properties".to_owned(),
            key: "spring.datasource.password".to_owned(),
            before: Some("hunter2-old".to_owned()),
            after: Some("hunter2-new".to_owned()),
        };
        let lines = PutBack::Lines {
            file: "start.conf".to_owned(),
            first: 1,
            before: "password=hunter2-old".to_owned(),
            now: "password=hunter2-new".to_owned(),
        };
        let launch = PutBack::Launch {
            what: "the arguments --db.password=hunter2-new".to_owned(),
        };
        let settings = PutBack::Settings {
            settings: vec![setting],
        };
        for what in [settings, lines, launch] {
            let told = tacho_diagnosis_report::change(&masked_change(what));
            assert!(!told.contains("hunter2"), "{told}");
        }
    }
}
