//! One generator, or several processes that share the load.

use super::arguments::{Load, WORKER_FOLDER};
use super::cluster::{Elsewhere, Pods};
use super::error::LoadCommandError as Error;
use super::requests::Asked;
use crate::Done;
use crate::exit::Exit;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use tacho_load::recorder::{Files, Live, SINGLE_REQUESTS};
use tacho_load::{
    Anchor, Control, Endpoint, Generator, Loaded, Options, Recorder, Source, Step, run_all,
};
use tacho_run_folder::{ErrorKind, PhasePlan, Word};
use tacho_workers::{Fleet, local};

/// The number of requests kept if every request is asked for: more than an hour at 1,000 a second.
pub const EVERY_REQUEST: usize = 4_000_000;

/// Who sends the requests.
pub enum Generators {
    /// This process.
    One(Box<Alone>),
    /// Processes of their own.
    Several(Box<Fleet>),
    /// Pods of a cluster, which are deleted at the end.
    Elsewhere(Box<Fleet>, tacho_cluster::Generators),
}

/// One generator and its records.
pub struct Alone {
    generator: Option<Generator>,
    recorder: Recorder,
}

impl Generators {
    /// This process sends.
    pub fn one(
        endpoint: Endpoint,
        source: Box<dyn Source>,
        options: Options,
        files: &Files,
    ) -> Result<Self, Error> {
        let singles = singles(options.names_connections);
        let generator = Some(Generator::new(endpoint, source, options)?);
        let recorder = files.record()?.keeping_singles(singles);
        Ok(Self::One(Box::new(Alone {
            generator,
            recorder,
        })))
    }

    /// Several processes send. They get the same arguments as this one, and have their own folders
    /// below `folder`.
    pub fn several(
        workers: u32,
        folder: &Path,
        files: &Files,
        control: &Control,
    ) -> Result<Self, Error> {
        let tacho = std::env::current_exe().map_err(Error::NoProgram)?;
        let command = |own: &Path| {
            let mut command = Command::new(&tacho);
            command
                .args(std::env::args_os().skip(1))
                .env(WORKER_FOLDER, own);
            command
        };
        let (members, heard) = local::start(workers, folder, command)?;
        let fleet = Fleet::gather(members, heard, files.clone(), control.clone())?;
        Ok(Self::Several(Box::new(fleet)))
    }

    /// Pods of a cluster send.
    pub fn elsewhere(load: &Elsewhere<'_>, by: &Pods) -> Result<Self, crate::error::Error> {
        let (fleet, pods) = load.begin(by)?;
        let fleet = match load.keeps_every_request {
            true => fleet.keeping_singles(EVERY_REQUEST),
            false => fleet,
        };
        Ok(Self::Elsewhere(Box::new(fleet), pods))
    }

    /// Notes about the senders, for a reader of the results.
    pub fn notes(&self) -> Vec<String> {
        let Self::Elsewhere(fleet, pods) = self else {
            return Vec::new();
        };
        let nodes = pods.nodes();
        let nodes: Vec<String> = nodes
            .iter()
            .map(|(node, workers)| format!("{workers} on {node}"))
            .collect();
        let clocks = match fleet.clocks_within_ns() {
            0 => "they have one clock with this terminal".to_owned(),
            within_ns => format!(
                "their clocks are known to within {:.1} ms",
                tacho_clock::to_ms(within_ns)
            ),
        };
        vec![format!(
            "the workers are pods in namespace `{}`: {}; {clocks}",
            pods.namespace(),
            nodes.join(", ")
        )]
    }

    /// A sentence about the pod, if a single pod sends the requests.
    pub fn by_a_pod(&self) -> Option<String> {
        let Self::Elsewhere(fleet, pods) = self else {
            return None;
        };
        let node = pods.nodes().into_keys().next().unwrap_or_default();
        let clock = match fleet.clocks_within_ns() {
            0 => "which has one clock with this terminal".to_owned(),
            within_ns => format!(
                "whose clock is known to within {:.1} ms",
                tacho_clock::to_ms(within_ns)
            ),
        };
        Some(format!(
            "Requests were sent by a pod on node {node}, {clock}."
        ))
    }

    /// What instants count from.
    pub fn anchor(&self) -> Anchor {
        match self {
            Self::One(alone) => alone.recorder.anchor(),
            Self::Several(fleet) | Self::Elsewhere(fleet, _) => fleet.anchor(),
        }
    }

    /// Why a sender was lost.
    pub fn lost(&self) -> Option<String> {
        match self {
            Self::One(_) => None,
            Self::Several(fleet) | Self::Elsewhere(fleet, _) => {
                let (_, why) = fleet.lost().into_iter().next()?;
                Some(why)
            }
        }
    }

    /// A hint if pods could not resolve a name.
    pub fn unresolved(&self, loaded: &Loaded) -> Option<String> {
        let Self::Elsewhere(_, pods) = self else {
            return None;
        };
        let dns = Word::from(ErrorKind::Dns);
        let mut phases = loaded.phases.iter();
        phases
            .any(|phase| phase.record.errors.contains_key(&dns))
            .then(|| {
                format!(
                    "the name was asked for in namespace `{}`, where the workers are: a Service of another one is called NAME.NAMESPACE, or name its own by --namespace",
                    pods.namespace()
                )
            })
    }

    /// What is shown while it goes on.
    pub fn live(&self) -> Arc<Live> {
        match self {
            Self::One(alone) => alone.recorder.live(),
            Self::Several(fleet) | Self::Elsewhere(fleet, _) => fleet.live(),
        }
    }

    /// Carries out all phases, once.
    pub fn run_all(
        &mut self,
        plans: &[PhasePlan],
        control: &Control,
        next: &mut dyn FnMut(Step<'_>),
    ) -> Result<Loaded, Error> {
        match self {
            Self::One(alone) => match alone.generator.take() {
                Some(generator) => {
                    Ok(generator.run_all(plans, &mut alone.recorder, control, next)?)
                }
                None => Ok(Loaded::default()),
            },
            Self::Several(fleet) | Self::Elsewhere(fleet, _) => {
                Ok(run_all(fleet.as_mut(), plans, control, next)?)
            }
        }
    }

    /// Waits until everything is written. False if a worker was lost.
    pub fn finish(self) -> Result<bool, crate::error::Error> {
        let (fleet, pods) = match self {
            Self::One(_) => return Ok(true),
            Self::Several(fleet) => (fleet, None),
            Self::Elsewhere(fleet, pods) => (fleet, Some(pods)),
        };
        let is_whole = fleet.lost().is_empty();
        fleet.finish().map_err(Error::from)?;
        if let Some(pods) = pods {
            pods.end()?;
        }
        Ok(is_whole)
    }
}

/// How many are kept one by one.
fn singles(keeps_every_request: bool) -> usize {
    match keeps_every_request {
        true => EVERY_REQUEST,
        false => SINGLE_REQUESTS,
    }
}

/// As one of several generators: carries out the orders that come on standard input.
pub fn work(arguments: &Load, folder: &Path) -> Done {
    let asked = Asked::of(arguments.url.as_deref(), &arguments.what, &arguments.how)?;
    let source = asked.source(&arguments.what, arguments.when.seed, &[])?;
    let keeps_every_request = arguments.who.every_request;
    let options = Options {
        names_connections: keeps_every_request,
        ..asked.options(&arguments.how, arguments.when.seed)
    };
    let generator = Generator::new(asked.endpoint, source, options).map_err(Error::from)?;
    let files = Files::in_folder(folder);
    let singles = singles(keeps_every_request);
    let (orders, reports) = (std::io::stdin(), std::io::stdout());
    tacho_workers::work(generator, &files, singles, orders, reports).map_err(Error::from)?;
    Ok(Exit::Done)
}
