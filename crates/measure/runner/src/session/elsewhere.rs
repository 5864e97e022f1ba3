//! Measured launches that are started elsewhere than as children of ours: pods of a cluster. Their
//! requests are sent from here, all the same.

use super::{Place, Route, StartSpec, Subject, Traffic, Warmed};
use crate::answers::Answer;
use crate::error::RunError;
use crate::limits::Groups;
use crate::orders::Carrier;
use crate::processors::{Counters, Share};
use crate::requests::Question;
use crate::warming::Warmer;
use std::net::SocketAddr;
use std::time::Duration;
use tacho_experiment::{Experiment, WarmUp};
use tacho_oci::Image;
use tacho_run_folder::{LaunchOutcome, WarmUpRecord};

/// What went wrong elsewhere; its text says what to do.
pub type SiteError = Box<dyn std::error::Error + Send + Sync>;

/// Where measured launches are started: a cluster.
pub trait Site: Sync {
    /// Refuses what cannot be measured there, before anything is made.
    ///
    /// # Errors
    /// With the way out.
    fn check(&self, experiment: &Experiment) -> Result<(), SiteError>;

    /// Hands over the image of a variant. Gives the name that it has there.
    ///
    /// # Errors
    /// When it does not arrive.
    fn ship(&self, variant: &str, image: &Image) -> Result<String, SiteError>;

    /// Starts a process of an image; a failure is an outcome to be recorded, not an error of the
    /// run.
    ///
    /// # Errors
    /// With that outcome.
    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome>;

    /// What is started is a whole service: see [`Place::is_service`].
    fn is_service(&self) -> bool {
        false
    }

    /// Who carries out all launches instead of this process, where that has to be there.
    fn carrier(&self) -> Option<&dyn Carrier> {
        None
    }
}

/// Processes from there, requests from here.
pub struct Elsewhere<'a> {
    /// Where they are started.
    pub site: &'a dyn Site,
    /// What is the same as on this machine.
    pub here: &'a Groups,
}

impl Place for Elsewhere<'_> {
    fn start(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        self.site.start(spec)
    }

    fn start_companion(&self, spec: &StartSpec) -> Result<Box<dyn Subject>, LaunchOutcome> {
        self.here.start(spec)
    }

    fn traffic(&self, route: &Route<'_>) -> Result<Box<dyn Traffic>, RunError> {
        self.here.traffic(route)
    }

    fn warm(
        &self,
        warmer: &Warmer<'_>,
        warm_up: &WarmUp,
        to: &Warmed<'_>,
    ) -> Result<WarmUpRecord, RunError> {
        self.here.warm(warmer, warm_up, to)
    }

    fn is_service(&self) -> bool {
        self.site.is_service()
    }

    fn ask(
        &self,
        question: &Question,
        address: SocketAddr,
        patience: Duration,
    ) -> Result<Answer, RunError> {
        self.here.ask(question, address, patience)
    }

    fn counters(
        &self,
        subject_cpu_s: Option<f64>,
        companions_cpu_s: f64,
        share: Share<'_>,
    ) -> Counters {
        self.here.counters(subject_cpu_s, companions_cpu_s, share)
    }
}
