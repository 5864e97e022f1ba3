//! `tacho warmup`.

mod kubernetes;

use super::run::{Source, apply, carry_out};
use crate::Done;
use crate::arguments::{Emit, Warmup};
use crate::error::Error;
use tacho_experiment::sweep::{NamedWarmUp, usual};
use tacho_experiment::{Experiment, PhaseKind, PhasePlan, Sweep};
use tacho_run_folder::{CertificateState, RunFolder};
use tacho_runner::Surroundings;

/// Users a second, when nobody says how many there are.
const RATE: f64 = 100.0;
/// For so long users are served: the minute after a rollout.
const SERVED_S: f64 = 60.0;
/// Connections over which they come.
const CONNECTIONS: u32 = 64;

/// Sweeps over warm-ups: how users are served after each.
pub fn warmup(arguments: &Warmup) -> Done {
    let surroundings = Surroundings::here();
    let jdk = arguments.overrides.jdk.as_deref();
    let mut source = Source::read(&arguments.subject, jdk, &surroundings)?;
    let is_inferred = source.is_inferred;
    if is_inferred && arguments.overrides.variants.is_empty() {
        // One service, warmed in several ways; how to ship it is another question.
        source.plain_alone();
    }
    apply(&arguments.overrides, &mut source)?;
    let phases = users(arguments, is_inferred, &mut source.notes);
    let experiment = &mut source.experiment;
    if let Some(phases) = phases {
        experiment.phases = phases;
    }
    if !experiment.phases.iter().any(|phase| phase.kind.is_open()) {
        return Err(Error::NoUsers);
    }
    experiment.pods = arguments.pods.unwrap_or(experiment.pods);
    source.experiment = swept(experiment.clone(), arguments);
    let experiment = source.experiment.clone();
    let concluded = carry_out(source, &surroundings, &arguments.output)?;
    if let (Some(Emit::Kubernetes), Some(folder)) = (arguments.emit, &concluded.folder) {
        emit(&experiment, folder)?;
    }
    Ok(concluded.exit)
}

fn emit(experiment: &Experiment, folder: &RunFolder) -> Result<(), Error> {
    let run = tacho_run::load(folder)?;
    let results = folder.results()?.ok_or(Error::NothingToEmit)?;
    let text = kubernetes::deployment(experiment, &run, &results)?;
    let warning = match results.certificate.state {
        CertificateState::Valid => "",
        CertificateState::Degraded => {
            "# The run that this rests on is degraded: see its certificate.\n"
        }
        CertificateState::Invalid => {
            "# Do not use: the certificate of the run that this rests on is invalid.\n"
        }
    };
    let path = folder.write_manifest("kubernetes.yaml", &format!("{warning}{text}"))?;
    crate::tell!("The Deployment of the warm-up that won: {}", path.display());
    Ok(())
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
            connections: CONNECTIONS,
        },
    }])
}

fn swept(experiment: Experiment, arguments: &Warmup) -> Experiment {
    let objective_ms = arguments.objective.map(|d| d.as_secs_f64() * 1e3);
    let before = experiment.warm_up;
    let sweep = Sweep {
        objective_ms: objective_ms.or(before.and_then(|sweep| sweep.objective_ms)),
    };
    let recipes: Vec<NamedWarmUp> = match (arguments.recipes.as_slice(), before) {
        ([], Some(_)) => Vec::new(),
        ([], None) => usual(),
        (given, _) => given.to_vec(),
    };
    if recipes.is_empty() {
        return Experiment {
            warm_up: Some(sweep),
            ..experiment
        };
    }
    experiment.swept(&recipes, sweep)
}
