//! A run each launch of which is a Deployment: images and limits as of pods, and replicas behind a
//! Service that are changed while users come.

use crate::deployed::{Changed, Deployed, GateImage, Start};
use crate::error::NotThere;
use crate::probe::behind;
use crate::run_pod::RunPodImage;
use crate::seen::{AllSeen, Seen};
use crate::site::Pods;
use std::sync::{OnceLock, PoisonError};
use std::time::Duration;
use tacho_cluster_api::{Behind, Gate, WantedDeployment};
use tacho_experiment::{Experiment, ReadyCondition};
use tacho_oci::Image;
use tacho_run_folder::{FailureCause, LaunchOutcome};
use tacho_runner::{Site, SiteError, StartSpec, Subject, failed};

/// Time between SIGTERM and SIGKILL: the default of Kubernetes.
const GRACE: Duration = Duration::from_secs(30);

/// Launches as Deployments of a cluster whose node is this machine.
pub struct Deployments {
    pods: Pods,
    changed: Changed,
    seen: AllSeen,
    gate_image: OnceLock<GateImage>,
    /// Where the image of gates comes from; absent where it is there.
    gate: Option<RunPodImage>,
}

impl Deployments {
    /// Of a run whose images and pods are those of `pods`.
    #[must_use]
    pub fn new(pods: Pods, changed: Changed) -> Self {
        let gate_image = OnceLock::new();
        if let Some(image) = changed.gate_image.clone() {
            let _ = gate_image.set(image);
        }
        Self {
            pods,
            changed,
            seen: AllSeen::default(),
            gate_image,
            gate: None,
        }
    }

    /// Gates are of this image.
    #[must_use]
    pub fn with_gates_of(self, image: RunPodImage) -> Self {
        Self {
            gate: Some(image),
            ..self
        }
    }

    /// Brings the image of gates to the node, where there are any.
    fn ship_gate(&self) -> Result<(), SiteError> {
        let Some(from) = self
            .gate
            .as_ref()
            .filter(|_| !self.changed.gates.is_empty())
        else {
            return Ok(());
        };
        let image = match from {
            RunPodImage::Named(name) => GateImage {
                name: name.clone(),
                is_loaded: false,
            },
            RunPodImage::Made(make) => {
                let scratch = tempfile::tempdir()?;
                GateImage {
                    name: self.pods.ship("gate", &make(scratch.path())?)?,
                    is_loaded: self.pods.is_loaded(),
                }
            }
        };
        let _ = self.gate_image.set(image);
        Ok(())
    }

    /// What stands beside each pod of a variant.
    fn gate_of(&self, variant: &str) -> Result<Option<Gate>, LaunchOutcome> {
        let Some(words) = self.changed.gates.get(variant) else {
            return Ok(None);
        };
        // A run brings it to the node before its first launch.
        let Some(image) = self.gate_image.get() else {
            let why = "there is no image of what warms it".to_owned();
            return Err(failed(FailureCause::NotStarted, why));
        };
        Ok(Some(Gate {
            image: image.name.clone(),
            is_loaded: image.is_loaded,
            arguments: words.arguments.clone(),
            port: words.port,
        }))
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
        self.pods.check(experiment)?;
        self.ship_gate()
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
        let gate = self.gate_of(&spec.variant)?;
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
                gate,
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
    let is_by_log = matches!(experiment.subject.ready.condition, ReadyCondition::Log(_));
    is_by_log.then_some(NotThere::NotYet {
        what: "a Deployment that is ready by a line of its log",
        instead: "a node asks a path or a port; say `ready: {http: PATH}` or `ready: port`",
    })
}
