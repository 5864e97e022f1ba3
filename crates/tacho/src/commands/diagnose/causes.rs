//! Finds the change that causes the loss. The candidate is launched with some of its changes put
//! back. What is found is then confirmed by further launches, alternating with both builds.

use super::super::run::{Concluded, How, Source, carry_out};
use super::masked_change;
use crate::arguments::{Diagnosed, RunOutput};
use crate::error::Error;
use crate::exports::Exports;
use std::path::{Path, PathBuf};
use tacho_diagnosis::{
    Builds, Counterfactual, Findings, Loss, Outcome, Search, by_suspicion, nearest_first,
};
use tacho_experiment::{Launches, VariantSpec};
use tacho_report::Analysed;
use tacho_run_folder::{PhaseKind, PutBack};
use tacho_runner::{Event, Revertible, Surroundings};

/// Launches of each build to confirm what was found. Of three of each, all with a change put back
/// are quicker than all of the candidate in one of twenty cases by chance alone; of five of each in
/// one of 252.
const CONFIRMED_BY: u32 = 5;
/// Further launches, if the first ones scatter too much to show that the best change has an effect.
const AND_BY: u32 = 5;
/// How often it is looked whether a change has an effect.
const LOOKS: usize = 2;
/// Shorter settle phases are enough here: all figures of a share come from the same run.
const SETTLE_S: f64 = 2.5;
/// A change is worth further launches if it seems to recover at least this share of the loss.
const SEEMS_A_CAUSE: f64 = 0.25;
/// For a smaller ratio, a search among the changes would need too many launches.
const LEAST_LOSS: f64 = 1.1;
/// Folder for the runs with changes put back, below the folder of the run.
pub(super) const FOLDER: &str = "put-back";
/// Folder for the builds within it; removed when the search is over.
const BUILDS: &str = "builds";

/// What a search needs to know.
pub(super) struct Asked<'a> {
    pub arguments: &'a Diagnosed,
    pub builds: &'a Builds,
    /// The experiment whose builds are compared.
    pub source: &'a Source,
    pub revertible: &'a Revertible,
    pub findings: Option<&'a Findings>,
    pub loss: &'a Loss,
    /// Of the run.
    pub folder: &'a Path,
    pub surroundings: &'a Surroundings,
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Causes {
    pub confirmed: Vec<Counterfactual>,
    /// What is to be known of the search.
    pub notes: Vec<String>,
}

/// Searches, and confirms what was found.
pub(super) fn causes(asked: &Asked<'_>) -> Result<Causes, Error> {
    let what: Vec<PutBack> = asked
        .revertible
        .what()
        .into_iter()
        .map(|what| masked_change(nearest_first(what, asked.findings)))
        .collect();
    if what.is_empty() {
        return Ok(Causes::default());
    }
    if asked.loss.ratio < LEAST_LOSS {
        let note = format!(
            "No change was put back: the loss, ×{:.2}, is too small to be looked for one change at a time.",
            asked.loss.ratio
        );
        return Ok(Causes {
            notes: vec![note],
            ..Causes::default()
        });
    }
    let put_back = asked.folder.join(FOLDER).join(BUILDS);
    let found = search(asked, &what, &put_back);
    let causes = found.and_then(|(search, mut notes)| {
        let chosen = search.found();
        let (confirmed, unconfirmed) = confirm(asked, &what, &chosen, &put_back)?;
        notes.extend(unconfirmed.notes);
        let failed = [search.failed, unconfirmed.failed].concat();
        let not_measured = [search.not_measured, unconfirmed.not_measured].concat();
        if !failed.is_empty() {
            notes.push(format!(
                "Could not be put back alone (the service did not start with it, or answered otherwise): {}.",
                names(&failed, &what)
            ));
        }
        if !not_measured.is_empty() {
            notes.push(format!(
                "Put back, and could not be measured, because the machine was too busy: {}. Diagnose again when it is quiet.",
                names(&not_measured, &what)
            ));
        } else if !confirmed.iter().any(Counterfactual::is_cause) {
            notes.push(
                "No single change is told to give the loss back when it is put back alone.".to_owned(),
            );
        }
        Ok(Causes { confirmed, notes })
    });
    // Each of these builds is as large as the original. The printed command makes them again.
    let _ = std::fs::remove_dir_all(&put_back);
    causes
}

fn names(which: &[usize], what: &[PutBack]) -> String {
    let names: Vec<String> = which
        .iter()
        .filter_map(|one| what.get(*one))
        .map(tacho_diagnosis_report::change)
        .collect();
    names.join("; ")
}

fn search(
    asked: &Asked<'_>,
    what: &[PutBack],
    put_back: &Path,
) -> Result<(Search, Vec<String>), Error> {
    let mut notes = Vec::new();
    let (order, pointed_at) = by_suspicion(what, asked.findings);
    let mut search = Search::among(&order, pointed_at);
    let mut round = 0;
    while !search.groups().is_empty() {
        round += 1;
        let groups = search.groups().to_vec();
        let mut variants = Vec::new();
        for (number, group) in groups.iter().enumerate() {
            let name = format!("put-back-{round}-{}", number + 1);
            let to = put_back.join(&name);
            match asked.revertible.variant(group, &name, &to) {
                Ok(variant) => variants.push(Some(variant)),
                Err(why) => {
                    notes.push(why.to_string());
                    variants.push(None);
                }
            }
        }
        let launched: Vec<VariantSpec> = variants.iter().flatten().cloned().collect();
        if launched.is_empty() {
            break;
        }
        let text = format!(
            "Looking for the change that is the cause: {} of {} put back, round {round}",
            groups.iter().map(Vec::len).sum::<usize>(),
            what.len()
        );
        tell(asked, &text);
        let Some(measured) = launch(asked, &launched, 1)? else {
            break;
        };
        let outcomes: Vec<Outcome> = variants
            .iter()
            .map(|variant| match variant {
                Some(variant) => asked
                    .builds
                    .outcome(&measured.results, asked.loss, &variant.name),
                None => Outcome::Failed,
            })
            .collect();
        search.take(&outcomes);
    }
    Ok((search, notes))
}

/// What could not be confirmed.
#[derive(Debug, Default)]
struct Unconfirmed {
    failed: Vec<usize>,
    not_measured: Vec<usize>,
    /// Why a build could not be written.
    notes: Vec<String>,
}

fn confirm(
    asked: &Asked<'_>,
    what: &[PutBack],
    chosen: &[usize],
    put_back: &Path,
) -> Result<(Vec<Counterfactual>, Unconfirmed), Error> {
    let mut unconfirmed = Unconfirmed::default();
    let mut variants = Vec::new();
    for (number, change) in chosen.iter().enumerate() {
        let name = format!("put-back-{}", number + 1);
        let to = put_back.join(&name);
        match asked.revertible.variant(&[*change], &name, &to) {
            Ok(variant) => variants.push((*change, variant)),
            Err(why) => unconfirmed.notes.push(why.to_string()),
        }
    }
    if variants.is_empty() {
        return Ok((Vec::new(), unconfirmed));
    }
    tell(asked, "Confirming what was found, by launches of its own");
    let launched: Vec<VariantSpec> = variants.iter().map(|(_, v)| v.clone()).collect();
    let Some(measured) = launch(asked, &launched, CONFIRMED_BY)? else {
        return Ok((Vec::new(), unconfirmed));
    };
    let mut measured = vec![measured];
    let mut confirmed = judged(asked, what, &variants, &measured);
    let is_told = confirmed.iter().any(Counterfactual::is_cause);
    let seems = |found: &Counterfactual| {
        found
            .gives_back
            .is_some_and(|share| share.value >= SEEMS_A_CAUSE)
    };
    if !is_told && confirmed.iter().any(seems) {
        tell(asked, "These launches scatter: confirming by more of them");
        if let Some(more) = launch(asked, &launched, AND_BY)? {
            measured.push(more);
            confirmed = judged(asked, what, &variants, &measured);
        }
    }
    for (change, variant) in &variants {
        let of = |measured: &Measured| {
            asked
                .builds
                .outcome(&measured.results, asked.loss, &variant.name)
        };
        let outcomes: Vec<Outcome> = measured.iter().map(of).collect();
        if outcomes.contains(&Outcome::Failed) {
            unconfirmed.failed.push(*change);
        } else if outcomes.iter().all(|one| *one == Outcome::NotMeasured) {
            unconfirmed.not_measured.push(*change);
        }
    }
    // The change that recovers most comes first.
    let share = |found: &Counterfactual| found.gives_back.map_or(0.0, |share| share.value);
    confirmed.sort_by(|a, b| share(b).total_cmp(&share(a)));
    Ok((confirmed, unconfirmed))
}

/// How much of the loss each variant recovers, over all launches.
fn judged(
    asked: &Asked<'_>,
    what: &[PutBack],
    variants: &[(usize, VariantSpec)],
    measured: &[Measured],
) -> Vec<Counterfactual> {
    let results: Vec<&tacho_run_folder::Results> = measured.iter().map(|m| &m.results).collect();
    let folder = measured
        .last()
        .map(|last| last.folder.display().to_string());
    // Each change at each look is a chance to be wrong: all of them together have 5 %.
    let chance = (asked.source.experiment.seed, variants.len() * LOOKS);
    let of = |(change, variant): &(usize, VariantSpec)| {
        let of_all = results.iter();
        let mut outcomes = of_all.map(|all| asked.builds.outcome(all, asked.loss, &variant.name));
        if outcomes.any(|outcome| outcome == Outcome::Failed) {
            return None;
        }
        let what = what.get(*change)?;
        let changed = tacho_diagnosis_report::change(what);
        let told = (changed.as_str(), variant.name.as_str());
        let place = (asked.loss, folder.as_deref().unwrap_or_default());
        let builds = asked.builds;
        let found = builds.counterfactual(&results, chance, told, place)?;
        Some(Counterfactual {
            put_back: Some(what.clone()),
            ..found
        })
    };
    variants.iter().filter_map(of).collect()
}

struct Measured {
    results: tacho_run_folder::Results,
    folder: PathBuf,
}

/// Launches both builds and these variants. Phases after the one that shows the loss are left out.
fn launch(
    asked: &Asked<'_>,
    variants: &[VariantSpec],
    launches: u32,
) -> Result<Option<Measured>, Error> {
    let mut source = asked.source.clone();
    source.notes.clear();
    let experiment = &mut source.experiment;
    experiment.launches = Launches::Fixed(launches);
    experiment.checks.clear();
    experiment.variants.extend(variants.iter().cloned());
    for phase in &mut experiment.phases {
        if let PhaseKind::Settle { within_s, .. } = &mut phase.kind {
            *within_s = within_s.min(SETTLE_S);
        }
    }
    experiment.phases.retain(|phase| {
        let warms = matches!(
            phase.kind,
            PhaseKind::Cold { .. } | PhaseKind::Settle { .. }
        );
        warms || phase.label == asked.loss.phase
    });
    let output = RunOutput {
        // Exports belong to the diagnosis, not to this run.
        exports: Exports::default(),
        quiet: true,
        runs: asked.folder.join(FOLDER),
        ..asked.arguments.output.clone()
    };
    let concluded = carry_out(source, asked.surroundings, &output, How::Silent(None))?;
    let Concluded {
        folder: Some(folder),
        analysed: Some(Analysed { results, .. }),
        exit,
        ..
    } = concluded
    else {
        return Ok(None);
    };
    let is_over = exit == crate::exit::Exit::Interrupted;
    Ok((!is_over).then(|| Measured {
        results,
        folder: folder.path().to_owned(),
    }))
}

fn tell(asked: &Asked<'_>, text: &str) {
    tacho_progress::listener(asked.arguments.output.quiet).event(Event::Note { text });
}
