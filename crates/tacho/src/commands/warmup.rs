//! `tacho warmup`.

use super::run::{At, How, Source, apply, carry_out_at, shorten};
use crate::Done;
use crate::arguments::{Emit, Warmup};
use crate::conclude::shown;
use crate::error::Error;
use std::collections::BTreeSet;
use tacho_experiment::sweep::NamedWarmUp;
use tacho_experiment::{Experiment, PhaseKind, PhasePlan, defaults};
use tacho_kubernetes::{Form, emit};
use tacho_runner::Surroundings;

/// Users a second, when nobody says how many there are.
const RATE: f64 = 100.0;
/// How long users are served by default: the first minute after a rollout.
const SERVED_S: f64 = 60.0;

/// Sweeps over warm-ups: how users are served after each.
pub fn warmup(arguments: &Warmup) -> Done {
    let surroundings = Surroundings::here();
    let jdk = arguments.overrides.jdk.as_deref();
    let mut source = Source::read(&arguments.subject, jdk, &surroundings)?;
    let is_inferred = source.is_inferred;
    if is_inferred && arguments.overrides.variants.is_empty() {
        // A sweep warms one variant in several ways. Which variant to ship is another question.
        source.plain_alone();
    }
    apply(&arguments.overrides, &mut source)?;
    source.experiment.launches = source.experiment.launches.fixed();
    let phases = users(arguments, is_inferred, &mut source.notes);
    let experiment = &mut source.experiment;
    if let Some(mut phases) = phases {
        if arguments.overrides.quick {
            shorten(&mut phases);
        }
        experiment.phases = phases;
    }
    if !experiment.phases.iter().any(|phase| phase.kind.is_open()) {
        return Err(Error::NoUsers);
    }
    experiment.pods = arguments.pods.unwrap_or(experiment.pods);
    let objective_ms = arguments.objective.map(|time| time.as_secs_f64() * 1e3);
    source.experiment = swept(experiment.clone(), &arguments.recipes, objective_ms)?;
    let experiment = source.experiment.clone();
    let at = At::of(&arguments.elsewhere)?;
    let concluded = carry_out_at(at, source, &surroundings, &arguments.output, How::Told)?;
    if let (Some(folder), Some(measured)) = (&concluded.folder, &concluded.analysed) {
        for form in &arguments.emit {
            let form = Form::from(*form);
            let emitted = emit(form, &experiment, &measured.run, &measured.results)?;
            for file in &emitted.files {
                let path = shown(&folder.write_manifest(file.name, &file.text)?);
                crate::tell!("Of the warm-up that won: {}", path.display());
            }
            if let Some(why) = emitted.no_autoscaler {
                crate::tell!("note: {why}");
            }
        }
    }
    Ok(concluded.exit)
}

/// With each of the recipes. They are refused where the user would believe that something else is
/// compared than what is.
fn swept(
    experiment: Experiment,
    recipes: &[NamedWarmUp],
    objective_ms: Option<f64>,
) -> Result<Experiment, Error> {
    let has_its_own = experiment.variants.iter().all(|v| v.warm_up.is_some());
    if !recipes.is_empty() && has_its_own {
        return Err(Error::RecipesOfTheFile);
    }
    let swept = experiment.swept_by(recipes, objective_ms);
    match named_twice(&swept) {
        Some(name) => Err(Error::SweptTwice(name)),
        None => Ok(swept),
    }
}

fn named_twice(experiment: &Experiment) -> Option<String> {
    let mut seen = BTreeSet::new();
    let mut names = experiment.variants.iter().map(|variant| &variant.name);
    names.find(|name| !seen.insert(*name)).cloned()
}

impl From<Emit> for Form {
    fn from(emit: Emit) -> Self {
        match emit {
            Emit::Kubernetes => Self::Kubernetes,
            Emit::Kustomize => Self::Kustomize,
            Emit::Helm => Self::Helm,
        }
    }
}

/// The phase in which users are served, where the command line says it or nobody does.
fn users(arguments: &Warmup, is_inferred: bool, notes: &mut Vec<String>) -> Option<Vec<PhasePlan>> {
    let is_said = arguments.rate.is_some() || arguments.duration.is_some();
    if !is_said && !is_inferred {
        return None;
    }
    let rate = arguments.rate.unwrap_or_else(|| {
        notes.push(format!(
            "Nobody said how many requests come: {RATE}/s are sent. Say what your users send with --rate; warming up depends on it."
        ));
        RATE
    });
    Some(vec![PhasePlan {
        label: "users".to_owned(),
        kind: PhaseKind::Open {
            rate,
            duration_s: arguments.duration.map_or(SERVED_S, |d| d.as_secs_f64()),
            connections: defaults::OPEN_CONNECTIONS,
        },
    }])
}
