//! One pod of a run: what is asked for, what the API says of it, and what is wrong with it.
//!
//! ```text
//! PodSpec -> manifest -> the API -> state -> trouble
//! ```

mod behind;
mod deployed;
mod manifest;
mod run_pod;
mod state;
mod trouble;
mod workers;

pub use behind::{Behind, ReadyProbe};
pub use deployed::{Gate, WantedDeployment};
pub use manifest::SubjectPod;
pub use run_pod::{NODE_NAME, Privileges, RunPod};
pub use state::{Container, PodState};
pub use trouble::{Trouble, TroubleKind};
pub use workers::{WorkerLimits, WorkersJob};

pub(crate) use behind::service;
pub(crate) use deployed::deployment;
pub(crate) use manifest::{MANAGED_BY, RUN_LABEL, labels, manifest};
pub(crate) use run_pod::run_pod;
pub(crate) use workers::{INDEX, job, worker};

/// Name of the only container in the pod of a launch.
pub(crate) const CONTAINER: &str = "subject";
/// Name of the only container in the pod of a generator.
pub(crate) const WORKER: &str = "worker";
/// Name of the only container in the pod that carries out a run.
pub(crate) const RUNNER: &str = "runner";
