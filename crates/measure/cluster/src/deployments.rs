//! A run each launch of which is a Deployment: images and limits as of pods, and replicas behind a
//! Service that are changed while users come.

use crate::deployed::{Changed, Deployed, Start};
use crate::error::NotThere;
use crate::probe::behind;
use crate::seen::{AllSeen, Seen};
use crate::site::Pods;
use std::sync::PoisonError;
use std::time::Duration;
use tacho_cluster_api::{Behind, WantedDeployment};
use tacho_experiment::{Experiment, ReadyCondition};
use tacho_oci::Image;
use tacho_run_folder::{FailureCause, LaunchOutcome, Recipe};
use tacho_runner::{Site, SiteError, StartSpec, Subject, failed};

/// Time between SIGTERM and SIGKILL: the default of Kubernetes.
const GRACE: Duration = Duration::from_secs(30);

/// Launches as Deployments of a cluster whose node is this machine.
#[derive(Debug)]
pub struct Deployments {
    pods: Pods,
    changed: Changed,
    seen: AllSeen,
}

impl Deployments {
    /// Of a run whose images and pods are those of `pods`.
    #[must_use]
    pub fn new(pods: Pods, changed: Changed) -> Self {
        Self {
            pods,
            changed,
            seen: AllSeen::default(),
        }
    }

    /// Deletes all that the run has made there.
    ///
    /// # Errors
    /// When the API does not take it.
    pub fn end(&self) -> Result<(), NotThere> {
        self.pods.end()
    }

    /// What was seen of the launches to which users came, once.
    #[must_use]
    pub fn take_seen(&self) -> Vec<Seen> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut seen)
    }
}

impl Site for Deployments {
    fn check(&self, experiment: &Experiment) -> Result<(), SiteError> {
        if let Some(refused) = not_rolled(experiment) {
            return Err(refused.into());
        }
        self.pods.check(experiment)
    }

    fn ship(&self, variant: &str, image: &Image) -> Result<String, SiteError> {
        self.pods.ship(variant, image)
    }

    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        let Some(image) = &spec.image else {
            let why = "there is no image of it".to_owned();
            return Err(failed(FailureCause::NotStarted, why));
        };
        // A run without this is refused at its beginning, before anything is made.
        let Some(eye) = self.pods.eye() else {
            let why = "its pods cannot be seen from here".to_owned();
            return Err(failed(FailureCause::NotStarted, why));
        };
        let Behind { port, ready } = behind(&spec.readiness);
        let mut pod = self.pods.pod(spec, image);
        pod.grace = GRACE;
        pod.port = Some(port);
        let deployed = Deployed::start(Start {
            cluster: self.pods.cluster(),
            eye,
            wanted: WantedDeployment {
                pod,
                replicas: self.changed.replicas,
                port,
                ready,
                pre_stop_s: self.changed.pre_stop_s,
                patience: spec.readiness.timeout,
            },
            limits: spec.limits.clone(),
            log: spec.log.clone(),
            changed: self.changed.clone(),
            seen: self.seen.clone(),
        })?;
        Ok(Box::new(deployed))
    }

    fn is_service(&self) -> bool {
        true
    }
}

/// What cannot be asked of a Deployment.
pub(crate) fn not_rolled(experiment: &Experiment) -> Option<NotThere> {
    let without = |what, instead| Some(NotThere::NotYet { what, instead });
    if matches!(experiment.subject.ready.condition, ReadyCondition::Log(_)) {
        return without(
            "a Deployment that is ready by a line of its log",
            "a node asks a path or a port; say `ready: {http: PATH}` or `ready: port`",
        );
    }
    let warmed = experiment
        .variants
        .iter()
        .filter_map(|variant| variant.warm_up.as_ref())
        .any(|warm_up| warm_up.recipe != Recipe::None);
    if warmed {
        return without(
            "a Deployment that is warmed from outside",
            "what a rollout puts in its place would be cold again; take `recipes` out, and have a variant warm itself before it says that it is ready (by its environment)",
        );
    }
    None
}
