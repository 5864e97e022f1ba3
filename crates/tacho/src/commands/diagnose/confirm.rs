//! Counterfactuals: the candidate with one thing changed that needs no source, launched in turns with both builds.

use super::super::run::{RunHow, Source, carry_out_with};
use super::builds::Builds;
use super::measured::{deciding, values};
use crate::arguments::Diagnosed;
use crate::error::Error;
use crate::progress;
use tacho_analysis::bootstrap::{recovered_interval, seed_for};
use tacho_diagnosis::Findings;
use tacho_diagnosis_report::Counterfactual;
use tacho_experiment::{VariantKind, VariantSpec};
use tacho_run_folder::Results;
use tacho_runner::{Event, Surroundings, impossible};

/// A variant of our own making.
const EXTRACTED: &str = "candidate-extracted";

/// A change and the variant that has it.
struct Switch {
    changed: String,
    variant: VariantSpec,
}

/// Launches what can be switched; nothing when nothing can, or nobody wants it.
pub fn confirm(
    arguments: &Diagnosed,
    builds: &Builds,
    source: Source,
    findings: &Findings,
    surroundings: &Surroundings,
) -> Result<Vec<Counterfactual>, Error> {
    let Some(baseline) = &builds.baseline else {
        return Ok(Vec::new());
    };
    let switches = possible(
        switches(arguments, builds, &source, findings),
        &source,
        surroundings,
        arguments.output.quiet,
    )?;
    if switches.is_empty() {
        return Ok(Vec::new());
    }
    let mut source = source;
    source.notes.clear();
    let variants = switches.iter().map(|switch| switch.variant.clone());
    source.experiment.variants.extend(variants);
    let seed = source.experiment.seed;
    let mut output = arguments.output.clone();
    // These files are of the diagnosis.
    (output.json, output.markdown, output.junit) = (None, None, None);
    let how = RunHow {
        dissect: None,
        summary: false,
    };
    let Some(folder) = carry_out_with(source, surroundings, &output, how)?.folder else {
        return Ok(Vec::new());
    };
    let Some(results) = folder.results()? else {
        return Ok(Vec::new());
    };
    let path = folder.path().display().to_string();
    let of = |switch: &Switch| counterfactual(switch, baseline, builds, &results, seed, &path);
    Ok(switches.iter().filter_map(of).collect())
}

/// Those that can be had. Both builds are not launched again for one that cannot.
fn possible(
    switches: Vec<Switch>,
    source: &Source,
    surroundings: &Surroundings,
    quiet: bool,
) -> Result<Vec<Switch>, Error> {
    let mut possible = Vec::new();
    for switch in switches {
        let subject = &source.experiment.subject;
        match impossible(subject, &switch.variant, &source.base, surroundings)? {
            // What somebody asked for by its name is refused by its name.
            Some(text) if switch.variant.only_if.is_some() => {
                progress::listener(quiet).event(Event::Note { text: &text });
            }
            _ => possible.push(switch),
        }
    }
    Ok(possible)
}

fn switches(
    arguments: &Diagnosed,
    builds: &Builds,
    source: &Source,
    findings: &Findings,
) -> Vec<Switch> {
    if !arguments.switches.is_empty() {
        let named = builds.switched.iter().map(|variant| Switch {
            changed: format!("`{}` instead of `{}`", variant.name, builds.candidate),
            variant: variant.clone(),
        });
        return named.collect();
    }
    let candidate = source
        .experiment
        .variants
        .iter()
        .find(|v| v.name == builds.candidate);
    match candidate {
        Some(candidate) if candidate.kind == VariantKind::Jar && findings.depend_on_packaging() => {
            vec![Switch {
                changed:
                    "The candidate's jar extracted, so that its libraries are not nested in it,"
                        .to_owned(),
                variant: VariantSpec {
                    name: EXTRACTED.to_owned(),
                    kind: VariantKind::Extracted,
                    // A jar without nested libraries has nothing to extract.
                    only_if: Some(tacho_experiment::OnlyIf::Possible),
                    ..candidate.clone()
                },
            }]
        }
        _ => Vec::new(),
    }
}

fn counterfactual(
    switch: &Switch,
    baseline: &str,
    builds: &Builds,
    results: &Results,
    seed: u64,
    folder: &str,
) -> Option<Counterfactual> {
    // The figure by which the candidate is worst, so that the loss is the largest part of its scatter.
    let figure = deciding(results, builds)?;
    let of = |variant: &str| values(results, variant, &figure.id);
    let switched = of(&switch.variant.name);
    if switched.is_empty() {
        return None;
    }
    let seed = seed_for(seed, &switch.variant.name);
    Some(Counterfactual {
        changed: switch.changed.clone(),
        variant: switch.variant.name.clone(),
        figure: figure.name.clone(),
        gives_back: recovered_interval(&of(baseline), &of(&builds.candidate), &switched, seed),
        folder: folder.to_owned(),
    })
}
