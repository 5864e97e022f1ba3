//! A run on a cluster whose node is this machine: what it asks for, and that nothing of it is left.

use crate::error::NotThere;
use crate::eye::Eye;
use crate::outcome::of_api;
use crate::pod::{JvmLog, LOG, Logs, Pod};
use crate::probe::behind;
use crate::run_objects::RunObjects;
use crate::service::{NoService, Service};
use crate::ship::Ship;
use crate::starting::start;
use std::fs::File;
use std::sync::Arc;
use tacho_cluster_api::{Access, Cluster, Privileges, SubjectPod};
use tacho_experiment::{Diagnose, Experiment};
use tacho_oci::Image;
use tacho_run_folder::{FailureCause, LaunchOutcome};
use tacho_runner::{Site, SiteError, StartSpec, Stop, Subject, failed};

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
    objects: RunObjects,
    /// Absent: the launches are not looked at from their node.
    eye: Option<Eye>,
    /// Absent: all images are there.
    ship: Option<Ship>,
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
        let cluster = Arc::new(Cluster::of(access)?);
        Ok(Self {
            eye: Some(Eye::here().ok_or(NotThere::NoNode)?),
            objects: RunObjects::new(cluster, run, ship.is_loaded(), way),
            ship: Some(ship),
            stop,
        })
    }

    /// Of a run that another process has begun: its images are there.
    pub(crate) fn of_theirs(
        objects: RunObjects,
        privileges: Privileges,
        stop: Stop,
    ) -> Result<Self, NotThere> {
        let eye = match privileges {
            Privileges::SeeTheNode => Some(Eye::here().ok_or(NotThere::NoNode)?),
            Privileges::None => None,
        };
        Ok(Self {
            eye,
            objects,
            ship: None,
            stop,
        })
    }

    /// Deletes all that the run has made there.
    ///
    /// # Errors
    /// When the API does not take it.
    pub fn end(&self) -> Result<(), NotThere> {
        self.objects.end()
    }

    pub(crate) fn cluster(&self) -> Arc<Cluster> {
        Arc::clone(self.objects.cluster())
    }

    pub(crate) fn eye(&self) -> Option<Eye> {
        self.eye.clone()
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.objects.is_loaded()
    }

    pub(crate) fn pod(&self, spec: &StartSpec, image: &str) -> SubjectPod {
        self.objects.pod(spec, image)
    }
}

impl Site for Pods {
    fn check(&self, experiment: &Experiment) -> Result<(), SiteError> {
        if let Some(refused) = not_yet(experiment) {
            return Err(refused.into());
        }
        self.objects.begin_with(&experiment.limits)?;
        // Only now: an API that does not answer has been told by then.
        self.objects.stay_here();
        Ok(())
    }

    fn ship(&self, variant: &str, image: &Image) -> Result<String, SiteError> {
        match &self.ship {
            Some(ship) => {
                let run = self.objects.run();
                Ok(ship.hand_over(run, variant, image, &self.stop)?)
            }
            None => Err("the images of this run are where they are needed already".into()),
        }
    }

    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        let not_started = |why: String| failed(FailureCause::NotStarted, why);
        let Some(image) = &spec.image else {
            return Err(not_started("there is no image of it".to_owned()));
        };
        let log = File::create(&spec.log).map_err(|error| not_started(error.to_string()))?;
        let (cluster, pod) = (self.objects.cluster(), self.pod(spec, image));
        let service = pod.behind.as_ref();
        let service = service.map(|behind| Service::before(cluster, &pod, behind));
        let service = service.transpose().map_err(|error| match &error {
            NoService::Cluster(error) => of_api(error),
            NoService::NoAddress => not_started(error.to_string()),
        })?;
        let started = start(cluster, self.eye.as_ref(), &pod, &spec.log, &self.stop)?;
        let logging = cluster.log(&pod.name, log, LOG);
        let logs = Logs {
            file: spec.log.clone(),
            logging: logging.map_err(|error| of_api(&error))?,
            jvm: JvmLog::of(spec.observation.as_ref()),
        };
        let port = behind(&spec.readiness).port;
        let pod = Pod::of(started, port, &spec.limits, logs, service);
        Ok(Box::new(pod.map_err(not_started)?))
    }
}

/// Whether pods run on this machine, and can be seen.
#[must_use]
pub fn is_node() -> bool {
    Eye::here().is_some()
}

/// What is measured on one machine alone so far.
pub(crate) fn not_yet(experiment: &Experiment) -> Option<NotThere> {
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
