//! Two runs that were carried out before, each in a folder of its own: for instance one of main and
//! one of a pull request. Nothing is launched.

use super::{hand_out, mask, masked};
use crate::Done;
use crate::arguments::{Diagnosed, Overrides};
use crate::conclude::exit;
use crate::error::Error;
use crate::output::Unwritten;
use std::path::{Path, PathBuf};
use tacho_analysis::two_runs::{Beside, Side};
use tacho_diagnosis::{Builds, Own, compared_phases, failures};
use tacho_diagnosis::{moved_counts, moved_settings, remote_time};
use tacho_diagnosis_report::trace::{self, TraceRow};
use tacho_diagnosis_report::{DiagnosisReport, StoredRun, StoredRuns, export};
use tacho_report::{Analysed, html};
use tacho_run_folder::{
    ArtifactSeen, BuildChanges, Dissection, FORMAT, LaunchDir, LaunchOutcome, PreparedVariant,
    RunData, RunFolder, SettingChange, Verdict,
};
use tacho_runner::new_folder_of_stored;
use tacho_subject::Artifact;

/// Said of every comparison of runs.
const NOT_IN_TURNS: &str = "The launches of the two runs were not made in turns: what changed on the machine between the runs is in every ratio.";

/// Why stored runs cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum StoredError {
    /// A run and something else.
    #[error(
        "`{run}` is the folder of a run, and `{other}` is none: give two run folders to compare what was measured, or two builds to launch them"
    )]
    OneRun {
        /// The run.
        run: String,
        /// What is none.
        other: String,
    },
    /// A run with several variants.
    #[error("which variant of {run}? Write it behind a colon: {run}:{first}. Its variants are: {}", known.join(", "))]
    Which {
        /// The run.
        run: String,
        /// One of them, as an example.
        first: String,
        /// All of them.
        known: Vec<String>,
    },
    /// No such variant.
    #[error("{run} has no variant `{named}`; its variants are: {}", known.join(", "))]
    None {
        /// The run.
        run: String,
        /// As it was given.
        named: String,
        /// Those that it has.
        known: Vec<String>,
    },
    /// Both are one.
    #[error("`{0}` would be compared with itself")]
    Same(String),
    /// Flags of a launch.
    #[error(
        "{} cannot be used with two stored runs: nothing is launched, and the measurements are final. Leave it out, or give two builds",
        .0.join(", ")
    )]
    Launches(Vec<&'static str>),
}

/// A run, and which variant of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Named {
    folder: PathBuf,
    variant: Option<String>,
}

impl Named {
    /// Reads `RUN` or `RUN:VARIANT`; none where that is no run.
    fn of(text: &str) -> Option<Self> {
        let is_run = |folder: &str| Path::new(folder).join("run.json").is_file();
        if is_run(text) {
            return Some(Self {
                folder: text.into(),
                variant: None,
            });
        }
        let (folder, variant) = text.rsplit_once(':')?;
        (is_run(folder) && !variant.is_empty()).then(|| Self {
            folder: folder.into(),
            variant: Some(variant.to_owned()),
        })
    }

    fn shown(&self) -> String {
        self.folder.display().to_string()
    }
}

/// The runs that are compared; none where builds are to be launched.
///
/// # Errors
/// When one of two alone is a run, or something is asked that needs launches.
pub(super) fn runs(arguments: &Diagnosed) -> Result<Option<[Named; 2]>, StoredError> {
    let named = (
        arguments.overrides.baseline.as_deref(),
        arguments.candidate.as_deref(),
    );
    // With an experiment, the names are its variants, not runs.
    let (None, (Some(older), Some(newer))) = (&arguments.subject, named) else {
        return Ok(None);
    };
    let one = |run: &str, other: &str| StoredError::OneRun {
        run: run.to_owned(),
        other: other.to_owned(),
    };
    let runs = match (Named::of(older), Named::of(newer)) {
        (None, None) => return Ok(None),
        (Some(_), None) => return Err(one(older, newer)),
        (None, Some(_)) => return Err(one(newer, older)),
        (Some(older), Some(newer)) => [older, newer],
    };
    let launching = launching(arguments);
    match launching.is_empty() {
        true => Ok(Some(runs)),
        false => Err(StoredError::Launches(launching)),
    }
}

/// Flags that say how builds are launched.
fn launching(arguments: &Diagnosed) -> Vec<&'static str> {
    let Overrides {
        variables: said_by_variables,
        variants,
        baseline: _,
        cpu,
        memory,
        requests,
        calls,
        port,
        ready,
        ready_timeout,
        jdk,
        launches,
        quick,
        seed,
        diagnose,
        checks,
        companions: _,
    } = &arguments.overrides;
    let given = [
        ("--variants", !variants.is_empty()),
        ("--cpu", cpu.is_some()),
        ("--memory", memory.is_some()),
        ("--request", !requests.is_empty()),
        ("--call", !calls.calls.is_empty()),
        ("--port", port.is_some()),
        ("--ready", ready.is_some()),
        ("--ready-timeout", ready_timeout.is_some()),
        ("--jdk", jdk.is_some()),
        ("--launches", launches.is_some()),
        ("--quick", *quick),
        ("--seed", seed.is_some()),
        ("--diagnose", diagnose.is_some()),
        ("--check", !checks.is_empty()),
        ("--connections", arguments.connections.is_some()),
        ("--switch", !arguments.switches.is_empty()),
        ("--dry-run", arguments.output.dry_run),
    ];
    // Ignore options that a variable has set: they are meant for other commands.
    let given = given
        .iter()
        .filter(|(flag, is_given)| *is_given && !said_by_variables.has(flag));
    given.map(|(flag, _)| *flag).collect()
}

/// A run that was read.
struct Stored {
    folder: RunFolder,
    shown: String,
    run: RunData,
    variant: String,
}

impl Stored {
    fn read(named: &Named) -> Result<Self, Error> {
        let folder = RunFolder::open(&named.folder)?;
        let run = tacho_run::load(&folder)?;
        let mut known: Vec<String> = Vec::new();
        for cell in &run.plan.cells {
            if !known.contains(&cell.variant) && !run.plan.is_copy(&cell.variant) {
                known.push(cell.variant.clone());
            }
        }
        let run_of = || named.shown();
        let variant = match (&named.variant, known.as_slice()) {
            (Some(named), known) if !known.contains(named) => {
                return Err(StoredError::None {
                    run: run_of(),
                    named: named.clone(),
                    known: known.to_vec(),
                }
                .into());
            }
            (Some(named), _) => named.clone(),
            (None, [one]) => one.clone(),
            (None, known) => {
                return Err(StoredError::Which {
                    run: run_of(),
                    first: known.first().cloned().unwrap_or_default(),
                    known: known.to_vec(),
                }
                .into());
            }
        };
        Ok(Self {
            folder,
            shown: named.shown(),
            run,
            variant,
        })
    }

    fn side(&self, name: &str) -> Side {
        Side {
            run: self.run.clone(),
            variant: self.variant.clone(),
            name: name.to_owned(),
        }
    }

    fn prepared(&self) -> Option<&PreparedVariant> {
        let mut variants = self.run.variants.iter();
        variants.find(|variant| variant.name == self.variant)
    }

    fn artifact(&self) -> Option<&ArtifactSeen> {
        self.prepared()?.artifact.as_ref()
    }

    fn told(&self, both: &RunData, name: &str, looked_into: bool) -> StoredRun {
        let counts = |launch: &&tacho_run_folder::LaunchData| {
            launch.record.cell == name && launch.record.outcome == LaunchOutcome::Completed
        };
        let launches = both.launches.iter().filter(counts).count();
        StoredRun {
            folder: self.shown.clone(),
            variant: self.variant.clone(),
            started_at: self.run.header.started_at.clone(),
            launches: u32::try_from(launches).unwrap_or(u32::MAX),
            looked_into,
        }
    }
}

/// Names that differ: the variants if they do, else the runs, else the roles in the comparison.
fn names(older: &Stored, newer: &Stored) -> [String; 2] {
    if older.variant != newer.variant {
        return [older.variant.clone(), newer.variant.clone()];
    }
    let of = |stored: &Stored, what: &str| format!("{} of {what}", stored.variant);
    let (was, is) = (&older.run.header.id, &newer.run.header.id);
    match was == is {
        false => [of(older, was), of(newer, is)],
        true => [of(older, "the baseline"), of(newer, "the candidate")],
    }
}

/// Compares what two runs have measured and seen.
pub(super) fn diagnose(arguments: &Diagnosed, runs: [Named; 2]) -> Done {
    let [older, newer] = &runs;
    let is_same = older.folder.canonicalize().ok() == newer.folder.canonicalize().ok();
    let (older, newer) = (Stored::read(older)?, Stored::read(newer)?);
    if is_same && older.variant == newer.variant {
        return Err(StoredError::Same(format!("{}:{}", older.shown, older.variant)).into());
    }
    let [was, is] = names(&older, &newer);
    let beside = Beside::of(older.side(&was), newer.side(&is))?;
    let results = beside.analyse();
    let own: Vec<String> = arguments.own.iter().map(|own| Own::prefix(own)).collect();
    let looked_into = |stored: &Stored, cell: &str, name: &str| -> Result<_, Error> {
        let seen = tacho_run::dissected(&stored.folder, cell)?;
        Ok(seen.map(|(launch, mut dissection)| {
            // The cell may have the same name in both runs.
            name.clone_into(&mut dissection.cell);
            if !own.is_empty() {
                dissection.own.clone_from(&own);
            }
            (launch, dissection)
        }))
    };
    let [cell_before, cell_after] = &beside.cells;
    let before = looked_into(&older, cell_before, &was)?;
    let after = looked_into(&newer, cell_after, &is)?;
    let (seen_before, seen_after) = (before.as_ref().map(of), after.as_ref().map(of));
    let (seen_in_older, seen_in_newer) = (seen_before.map(|s| s.1), seen_after.map(|s| s.1));
    let both_seen = seen_in_older.zip(seen_in_newer);

    let builds = Builds {
        baseline: Some(was.clone()),
        candidate: is.clone(),
    };
    let phases = compared_phases(&beside.both.plan);
    let is_elsewhere = !beside.elsewhere.is_empty();
    let verdict = match is_elsewhere {
        true => Verdict::Inconclusive,
        false => builds.verdict(&results, &phases),
    };
    let Differing {
        mut changes,
        are_compared,
    } = differing(&older, &newer);
    if let Some((before, after)) = both_seen {
        changes.settings.extend(moved_settings(before, after));
    }
    let changes = masked(changes);
    let known = are_compared.then_some(&changes);
    let findings =
        both_seen.and_then(|(before, after)| builds.findings(Some(before), Some(after), known));
    let findings = findings.filter(|_| verdict == Verdict::Worse);
    let conclusion = builds.conclusion(&results, Some(verdict), findings.as_ref());
    let mut measured = builds.figures(&results, &phases);
    if is_elsewhere {
        measured.iter_mut().for_each(|row| row.verdict = None);
    }
    let (rows, not_in_both) = traced_in_both(seen_in_older, seen_in_newer);
    let mut notes = vec![NOT_IN_TURNS.to_owned()];
    notes.extend_from_slice(&beside.notes);
    notes.extend(not_looked_into(
        &older,
        before.is_some(),
        &newer,
        after.is_some(),
    ));
    if not_in_both > 0 {
        notes.push(format!(
            "{not_in_both} methods were traced in one of the runs alone, because each run chose its own; they are left out of the trace."
        ));
    }
    let folder = new_folder_of_stored(&arguments.output.runs, &newer.run.header.name)?;
    let stored = StoredRuns {
        baseline: older.told(&beside.both, &was, before.is_some()),
        candidate: newer.told(&beside.both, &is, after.is_some()),
        elsewhere: beside.elsewhere.clone(),
        to_put_back: (verdict == Verdict::Worse).then(|| to_put_back(&older, &newer)),
    };
    let report = DiagnosisReport {
        format: FORMAT,
        name: newer.run.header.name.clone(),
        baseline: builds.baseline.clone(),
        candidate: builds.candidate.clone(),
        stored: Some(stored),
        conclusion,
        failures: failures(&beside.both),
        changes: Some(changes),
        measured,
        certificate: results.certificate.state,
        findings,
        counts: both_seen.map_or_else(Vec::new, |(was, is)| moved_counts(was, is)),
        remote: remote_time(seen_in_older, seen_in_newer),
        counterfactuals: Vec::new(),
        notes,
        trace: rows,
        files: export::write(&folder, seen_before, seen_after)?,
        folder: folder.path().display().to_string(),
    };
    let analysed = Analysed {
        run: beside.both,
        results,
    };
    let mut unwritten = Unwritten::default();
    unwritten.take(folder.write_results(&analysed.results));
    unwritten.take(html::write_page(&folder, &analysed.run, &analysed.results));
    let exports = &arguments.output.exports;
    // The JSON here is the diagnosis document itself.
    exports.without("json").write(&analysed, &mut unwritten);
    let seen = (seen_in_older, seen_in_newer);
    let done = hand_out(arguments, &folder, &report, seen, exit(&analysed))?;
    unwritten.or(done)
}

fn of((launch, dissection): &(LaunchDir, Dissection)) -> export::Seen<'_> {
    (launch, dissection)
}

/// What differs between two builds.
struct Differing {
    changes: BuildChanges,
    /// Their files were read.
    are_compared: bool,
}

fn differing(older: &Stored, newer: &Stored) -> Differing {
    let read = still_there(older).and_then(|was| Ok((was, still_there(newer)?)));
    let files = read.and_then(|(was, is)| {
        let is_same = older.artifact().map(|a| &a.sha256) == newer.artifact().map(|a| &a.sha256);
        match is_same {
            true => Ok(BuildChanges::default()),
            false => tacho_subject::changes(&was, &is).map_err(|why| why.to_string()),
        }
    });
    let are_compared = files.is_ok();
    let mut changes = files.unwrap_or_else(|why| BuildChanges {
        not_looked: vec![why],
        ..BuildChanges::default()
    });
    if let Some((was, is)) = older.prepared().zip(newer.prepared()) {
        changes.settings.extend(launched_with(was, is));
    }
    Differing {
        changes,
        are_compared,
    }
}

/// The artifact, if it is still the file that was launched.
fn still_there(stored: &Stored) -> Result<Artifact, String> {
    let run = &stored.shown;
    let Some(recorded) = stored.artifact() else {
        return Err(format!(
            "the builds, because {run} does not say which file it launched"
        ));
    };
    let path = &recorded.path;
    let artifact = Artifact::read(Path::new(path))
        .map_err(|why| format!("the builds, because that of {run} cannot be read: {why}"))?;
    let now = artifact
        .seen()
        .map_err(|why| format!("the builds, because {path} of {run} cannot be read: {why}"))?;
    match now.sha256 == recorded.sha256 {
        true => Ok(artifact),
        false => Err(format!(
            "the builds, because {path} is not what {run} launched any more"
        )),
    }
}

/// Flags and variables of the commands that launched the builds. Words with a slash are left out,
/// because paths depend on the machine.
fn launched_with(was: &PreparedVariant, is: &PreparedVariant) -> Vec<SettingChange> {
    let of = |file: &str, key: &str, before: Option<&str>, after: Option<&str>| SettingChange {
        file: file.to_owned(),
        key: key.to_owned(),
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    };
    let flags = |variant: &PreparedVariant| -> Vec<String> {
        let words = variant.command.iter().skip(1);
        let is_flag = |word: &&String| word.starts_with('-') && !word.contains('/');
        words.filter(is_flag).cloned().collect()
    };
    let (older, newer) = (flags(was), flags(is));
    let command = "the command that launched it";
    let mut changes: Vec<SettingChange> = Vec::new();
    let gone = older.iter().filter(|flag| !newer.contains(flag));
    changes.extend(gone.map(|flag| of(command, flag, Some("given"), None)));
    let new = newer.iter().filter(|flag| !older.contains(flag));
    changes.extend(new.map(|flag| of(command, flag, None, Some("given"))));
    let mut names: Vec<&String> = was
        .environment
        .keys()
        .chain(is.environment.keys())
        .collect();
    names.sort();
    names.dedup();
    for name in names {
        let [before, after] = [was, is].map(|one| one.environment.get(name).map(String::as_str));
        if before != after {
            changes.push(of("its environment", name, before, after));
        }
    }
    changes.iter_mut().for_each(mask);
    changes
}

/// Says what is missing because instruments were not used in both runs.
fn not_looked_into(
    older: &Stored,
    is_older: bool,
    newer: &Stored,
    is_newer: bool,
) -> Option<String> {
    let which = match (is_older, is_newer) {
        (true, true) => return None,
        (false, true) => format!("{} holds", older.shown),
        (true, false) => format!("{} holds", newer.shown),
        (false, false) => "Neither run holds".to_owned(),
    };
    let no = if is_older || is_newer { "no" } else { "a" };
    Some(format!(
        "{which} {no} launch that was looked into with instruments: what a request does is not counted, and findings need both. `tacho diagnose APP.jar` makes a run with one."
    ))
}

/// The traced methods that both runs have, and how many only one of them has.
fn traced_in_both(
    before: Option<&Dissection>,
    after: Option<&Dissection>,
) -> (Vec<TraceRow>, usize) {
    let Some(after) = after else {
        return (Vec::new(), 0);
    };
    let (mut kept, mut left_out) = (Vec::new(), 0);
    let mut is_kept = false;
    for row in trace::rows(before, after) {
        if row.depth == 0 {
            is_kept = before.is_none() || row.baseline.is_some() && row.candidate.is_some();
            left_out += usize::from(!is_kept);
        }
        if is_kept {
            kept.push(row);
        }
    }
    (kept, left_out)
}

/// The command that launches both builds and puts changes back.
fn to_put_back(older: &Stored, newer: &Stored) -> String {
    let build = |stored: &Stored, unknown: &str| {
        let artifact = stored.artifact();
        let path = artifact.map_or_else(|| unknown.to_owned(), |seen| seen.path.clone());
        match path.contains([' ', '\'', '"']) {
            true => format!("'{}'", path.replace('\'', "'\\''")),
            false => path,
        }
    };
    format!(
        "tacho diagnose --baseline {} --candidate {} EXPERIMENT.yaml",
        build(older, "OLD.jar"),
        build(newer, "NEW.jar")
    )
}
