//! A run on a cluster: what it asks for, and that nothing of it is left.

use crate::beside::this_machine;
use crate::carried_out::{by_us, sweep};
use crate::error::NotThere;
use crate::eye::Eye;
use crate::outcome::of_api;
use crate::pod::{JvmLog, Logs, Pod};
use crate::probe::behind;
use crate::service::{NoService, Service};
use crate::ship::Ship;
use crate::starting::start;
use std::collections::BTreeMap;
use std::fs::File;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tacho_cluster_api::{Access, Cluster, ClusterError, Owner, Purpose, RunLabel, SubjectPod};
use tacho_experiment::{COMPANIONS, Diagnose, Experiment};
use tacho_oci::Image;
use tacho_run_folder::{FailureCause, LaunchOutcome, Limits};
use tacho_runner::{Site, SiteError, StartSpec, Stop, Subject, failed};

/// What a pod gets between SIGTERM and SIGKILL where nobody asks otherwise.
const GRACE: Duration = Duration::from_secs(5);
/// No launch takes longer; a pod that nobody ends any more ends then.
const AT_MOST: Duration = Duration::from_secs(2 * 60 * 60);
/// What is kept of a pod's log.
const LOG: u64 = 16 << 20;

/// How requests reach a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// At the address of its pod, as soon as it answers there.
    Straight,
    /// Through a Service of its own, once that leads to it; its node asks it for that.
    ThroughService,
}

/// Launches as pods of a cluster whose node is this machine.
#[derive(Debug)]
pub struct Pods {
    cluster: Arc<Cluster>,
    eye: Eye,
    ship: Ship,
    way: Way,
    run: RunLabel,
    owner: Mutex<Option<Owner>>,
    stop: Stop,
}

impl Pods {
    /// Of a run with this name. Nothing is made yet.
    ///
    /// # Errors
    /// Without a kubeconfig, or where no pods run on this machine.
    pub fn new(
        access: &Access,
        ship: Ship,
        way: Way,
        run: &str,
        stop: Stop,
    ) -> Result<Self, NotThere> {
        Ok(Self {
            cluster: Arc::new(Cluster::of(access)?),
            eye: Eye::here().ok_or(NotThere::NoNode)?,
            ship,
            way,
            run: RunLabel::of(run),
            owner: Mutex::new(None),
            stop,
        })
    }

    /// Deletes all that the run has made there.
    ///
    /// # Errors
    /// When the API does not take it.
    pub fn end(&self) -> Result<(), NotThere> {
        let mut owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        if owner.is_some() {
            self.cluster.end_all(&self.run)?;
            *owner = None;
        }
        Ok(())
    }

    /// Makes what its objects belong to, where pods with all of these limits would be taken.
    fn begin_with(&self, limits: &[Limits]) -> Result<(), NotThere> {
        // First: what they have left counts against the quota.
        sweep(&self.cluster)?;
        for limits in limits {
            let pod = self.bare_pod("check", "localhost/tacho-check", limits);
            self.cluster.would_make(&pod)?;
        }
        self.begin()
    }

    /// Makes what all its objects belong to, once.
    fn begin(&self) -> Result<(), NotThere> {
        let mut owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        if owner.is_none() {
            *owner = Some(self.cluster.begin(&self.run, &by_us())?);
        }
        Ok(())
    }

    pub(crate) fn cluster(&self) -> Arc<Cluster> {
        Arc::clone(&self.cluster)
    }

    pub(crate) fn eye(&self) -> Eye {
        self.eye.clone()
    }

    pub(crate) fn pod(&self, spec: &StartSpec, image: &str) -> SubjectPod {
        let directory = spec.directory.display().to_string();
        let machine = this_machine(&self.cluster.reached().server);
        let with_machine = |text: &String| match machine {
            Some(address) => text.replace(COMPANIONS, &address.to_string()),
            // Then it is the node by its own word.
            None => text.clone(),
        };
        let environment = spec.environment.iter();
        SubjectPod {
            command: spec.command.iter().map(with_machine).collect(),
            directory: Some(directory).filter(|directory| directory.starts_with('/')),
            environment: environment
                .map(|(name, value)| (name.clone(), with_machine(value)))
                .collect(),
            port: spec.readiness.port,
            behind: (self.way == Way::ThroughService).then(|| behind(&spec.readiness)),
            ..self.bare_pod(&spec.name, image, &spec.limits)
        }
    }

    /// With what every pod of the run has. By itself it tells whether one would be taken.
    fn bare_pod(&self, name: &str, image: &str, limits: &Limits) -> SubjectPod {
        let owner = self.owner.lock().unwrap_or_else(PoisonError::into_inner);
        SubjectPod {
            name: self.run.name_of(name),
            run: self.run.clone(),
            owner: owner.clone(),
            image: image.to_owned(),
            is_loaded: self.ship.is_loaded(),
            command: Vec::new(),
            directory: None,
            environment: BTreeMap::new(),
            // Companions run on this machine, which is the node.
            node_stands_for: Some(COMPANIONS),
            port: None,
            cpu: limits.cpu,
            memory_bytes: limits.memory_bytes,
            behind: None,
            grace: GRACE,
            at_most: AT_MOST,
        }
    }
}

impl Drop for Pods {
    fn drop(&mut self) {
        // Whoever wants to know has ended it before.
        let _ = self.end();
    }
}

impl Site for Pods {
    fn check(&self, experiment: &Experiment) -> Result<(), SiteError> {
        if let Some(refused) = not_yet(experiment) {
            return Err(refused.into());
        }
        let begun = self.begin_with(&experiment.limits);
        Ok(begun.map_err(|error| all_that_is_missing(&self.cluster, error))?)
    }

    fn ship(&self, variant: &str, image: &Image) -> Result<String, SiteError> {
        Ok(self.ship.hand_over(&self.run, variant, image)?)
    }

    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        let not_started = |why: String| failed(FailureCause::NotStarted, why);
        let Some(image) = &spec.image else {
            return Err(not_started("there is no image of it".to_owned()));
        };
        let log = File::create(&spec.log).map_err(|error| not_started(error.to_string()))?;
        let pod = self.pod(spec, image);
        let service = pod.behind.as_ref();
        let service = service.map(|behind| Service::before(&self.cluster, &pod, behind));
        let service = service.transpose().map_err(|error| match &error {
            NoService::Cluster(error) => of_api(error),
            NoService::NoAddress => not_started(error.to_string()),
        })?;
        let started = start(&self.cluster, &self.eye, &pod, &self.stop)?;
        let logging = self.cluster.log(&pod.name, log, LOG);
        let logs = Logs {
            file: spec.log.clone(),
            logging: logging.map_err(|error| of_api(&error))?,
            jvm: JvmLog::of(spec.observation.as_ref()),
        };
        let pod = Pod::of(started, &spec.limits, logs, service);
        Ok(Box::new(pod.map_err(not_started)?))
    }
}

/// A refusal names one right; whoever is to give them wants to know of all.
fn all_that_is_missing(cluster: &Cluster, error: NotThere) -> NotThere {
    let NotThere::Cluster(ClusterError::Forbidden { server, .. }) = &error else {
        return error;
    };
    let Ok(look) = cluster.look() else {
        return error;
    };
    let of_run = look.rights.iter();
    let of_run = of_run.filter(|(right, verbs)| right.purpose == Purpose::Run && !verbs.is_empty());
    let missing: Vec<String> = of_run
        .map(|(right, verbs)| format!("{} {}", verbs.join(", "), right.name()))
        .collect();
    match missing.is_empty() {
        true => error,
        false => NotThere::MayNot {
            server: server.clone(),
            namespace: cluster.reached().namespace.to_string(),
            missing,
        },
    }
}

/// What is measured on one machine alone so far.
fn not_yet(experiment: &Experiment) -> Option<NotThere> {
    let without = |what, instead| Some(NotThere::NotYet { what, instead });
    if experiment.duet {
        return without("a duet", "take `duet` out of the experiment");
    }
    if experiment.diagnose != Diagnose::Off {
        return without(
            "a launch with diagnosis",
            "take `diagnose` out of the experiment, or run it without --on",
        );
    }
    let boosts = experiment
        .variants
        .iter()
        .filter_map(|variant| variant.warm_up.as_ref())
        .any(|warm_up| warm_up.boost_cpu.is_some());
    if boosts {
        return without(
            "a warm-up with more processors",
            "take `boost-cpu` out of the experiment",
        );
    }
    None
}
