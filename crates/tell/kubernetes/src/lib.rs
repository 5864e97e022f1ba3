//! From measured start-up times to a Kubernetes Deployment: probes, rollout and resources, each
//! number with its reason.
//!
//! ```
//! use tacho_kubernetes::*;
//! let input = Input {
//!     service: Service {
//!         name: "users".to_owned(),
//!         image: "registry.example/users:1.0".to_owned(),
//!         port: 8080,
//!         replicas: Some(4),
//!         environment: vec![("TACHO_WARMUP_ENABLED".to_owned(), "true".to_owned())],
//!     },
//!     paths: Paths {
//!         startup: None,
//!         readiness: Some("/actuator/health/readiness".to_owned()),
//!         liveness: Some("/actuator/health/liveness".to_owned()),
//!     },
//!     amounts: Amounts { cpu_millis: Some(1000), memory_bytes: Some(512 << 20) },
//!     measured: Measured {
//!         ready: vec![4.1, 4.3, 4.0, 4.2, 4.4],
//!         warm: vec![19.0, 21.5, 20.2, 22.8, 20.9],
//!         responses: Responses { steady_max: 0.21, cold_max: 1.1, of: Answers::Requests },
//!         peak_memory_bytes: Some(390 << 20),
//!         shutdown: Some(0.8),
//!     },
//!     warm_up: WarmUp::Itself,
//!     target: Input::TARGET,
//!     slowdown: Input::SLOWDOWN,
//! };
//! let fragment = render(&input)?;
//! assert!(fragment.yaml.contains("startupProbe:"));
//! assert!(fragment.plan.startup.chosen.slowest_node.log_normal < 1e-4);
//! # Ok::<(), InputError>(())
//! ```
//!
//! | module | idea |
//! |---|---|
//! | `input` | what was measured, and what is to be deployed |
//! | `times` | what the next launch will take; how sure that is |
//! | `startup`, `health`, `rollout`, `shutdown` | the numbers |
//! | `plan` | all of them |
//! | `reasons` | why, in sentences |
//! | `deployment` | the YAML |
//! | `autoscaler` | a HorizontalPodAutoscaler from what was carried |
//! | `beside` | a Service, a Kustomize base, values of a Helm chart |
//! | `of_run` | all of them from a run |
//! | `yaml`, `quantity` | a writer of YAML with comments; amounts |
//!
//! No clock, no file, no cluster.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod autoscaler;
mod beside;
mod deployment;
mod health;
mod input;
mod of_run;
mod plan;
pub mod quantity;
mod reasons;
mod rollout;
mod shutdown;
mod startup;
mod times;
mod words;
pub mod yaml;

use crate::input::Checked;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use autoscaler::{Carried, NoAutoscaler};
pub use deployment::environment;
pub use health::Probe;
pub use input::{
    Answers, Input, InputError, Measured, Paths, Responses, Service, TachoWarm, WarmUp,
};
pub use of_run::{
    Emitted, Form, Manifest, NoDeployment, arguments as warm_arguments, emit, gate_port,
    need_files as warming_needs_files,
};
pub use plan::Plan;
pub use quantity::Amounts;
pub use rollout::Rollout;
pub use shutdown::Shutdown;
pub use startup::{Startup, Threshold};
pub use times::{Exceedance, Times, TimesError};

/// A Deployment, and why it is as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Fragment {
    /// The document, ending in a newline; the reasons stand in it as comments.
    pub yaml: String,
    /// The reasons as sentences, in the order of the document.
    pub explanation: Vec<Sentence>,
    /// The numbers of the Deployment, each derived from the launches.
    pub plan: Plan,
}

/// A reason, and the part of the Deployment that it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Sentence {
    /// The part of the Deployment, for example `startupProbe`; `launches` for what all rests on,
    /// `autoscaling` for what is not in it.
    pub about: String,
    /// One or more sentences; `table` has lines that are laid out.
    pub text: String,
}

/// A Deployment from what was measured.
///
/// # Errors
/// When the input cannot be: what is wrong, and what to do.
pub fn render(input: &Input) -> Result<Fragment, InputError> {
    let checked = Checked::of(input)?;
    let plan = Plan::of(&checked);
    Ok(Fragment {
        yaml: deployment::yaml(&checked, &plan),
        explanation: explanation(&checked, &plan),
        plan,
    })
}

fn explanation(checked: &Checked, plan: &Plan) -> Vec<Sentence> {
    let mut sentences = vec![("launches", reasons::head(checked))];
    sentences.extend(
        reasons::startup(checked, plan)
            .into_iter()
            .map(|text| ("startupProbe", text)),
    );
    sentences.push(("table", reasons::table(checked, plan)));
    sentences.extend(reasons::warm_up(checked).map(|text| ("warm-up", text)));
    sentences.push(("readinessProbe", reasons::readiness(checked, plan)));
    sentences.push(("livenessProbe", reasons::liveness(checked, plan)));
    sentences.push(("maxUnavailable", reasons::unavailable()));
    sentences.push(("maxSurge", reasons::surge(checked, plan)));
    sentences.push(("minReadySeconds", reasons::min_ready(plan)));
    sentences.push(("progressDeadlineSeconds", reasons::deadline(checked, plan)));
    sentences.extend(reasons::resources(checked).map(|text| ("resources", text)));
    sentences.push((
        "terminationGracePeriodSeconds",
        reasons::shutdown(checked, plan),
    ));
    sentences.push(("preStop", reasons::pre_stop()));
    sentences.extend(
        reasons::autoscaling(checked)
            .into_iter()
            .map(|text| ("autoscaling", text)),
    );
    let sentences = sentences.into_iter();
    sentences
        .map(|(about, text)| Sentence {
            about: about.to_owned(),
            text,
        })
        .collect()
}

#[cfg(test)]
mod tests;
