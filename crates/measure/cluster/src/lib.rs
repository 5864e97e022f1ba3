//! Launches as pods of a Kubernetes cluster:
//! `docs/decisions/0028-the-run-moves-into-the-cluster.md`.
//!
//! ```text
//! run_objects   what a run has in its namespace: one Job, to which everything else belongs
//! run_pod       a run that a pod carries out, for whoever is not on the node
//! site          what a run asks of the cluster: check, ship, start
//!   ship        an image of each variant, handed to the node by a command of the user's
//!   starting    a pod from its creation to the exec of its process
//!   pod         the process that runs: readiness, observation, limits, end
//!     in_sight  what can be known of it: from its node, or by the word of the API alone
//!     heard     what the API tells, by whoever asks
//!   service     the Service before it, where users come through one: when it leads there
//!   probe       how a node asks whether what stands behind a Service is ready
//!   carried_out who carries out a run: what a killed one has left is deleted by the next
//!   this_node   which node this machine is, on which its pods are put
//!   beside      where a pod reaches what runs on this machine: companions
//! deployments   a run each launch of which is a Deployment
//!   deployed    one of them: available, reached by users, changed in its phases, deleted
//!   held        what its pods hold and spend, while they come and go
//!   seen        what was seen of it beside its requests, also on its way from a pod
//! eye           looks at a pod from its node: its control group, its process, the instant of exec
//! rolling       somebody's Deployment, changed step by step while users come
//!   step        what is done to it
//!   left_behind  what a killed rollout has left of it, put back
//!   not_rolled  why it was not, or not to its end
//! conntrack     which pod a connection to a Service leads to, as the kernel keeps it
//! generators    a load by the pods of a Job, wherever they are
//! our_pods      pods that work for a run and are not measured: does one run, and if not, why
//! life          what the API tells of a pod, as instants of the launch
//! outcome       what is wrong with a pod, as the cause of a failed launch
//! ```
//! For launches, the node is this machine, because the eye needs the control groups and processes
//! of the pods, and the generator needs their addresses. Where the node is another machine, a pod
//! on it does the same. Generators may be on any node of any cluster.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod beside;
mod carried_out;
mod conntrack;
mod deployed;
mod deployments;
mod error;
mod eye;
mod generators;
mod heard;
mod held;
mod in_sight;
mod left_behind;
mod life;
mod not_rolled;
mod our_pods;
mod outcome;
mod pod;
mod probe;
mod rolling;
mod run_objects;
mod run_pod;
mod seen;
mod service;
mod ship;
mod site;
mod starting;
mod step;
mod this_node;

pub use conntrack::{Conntrack, LedTo};
pub use deployed::{Changed, GateImage, GateWords};
pub use deployments::Deployments;
pub use error::NotThere;
pub use generators::{Generators, Wanted, WorkerImage};
pub use left_behind::{LeftBehind, without_what_is_left};
pub use not_rolled::NotRolled;
pub use rolling::{Patience, Rolling, WITH_PRE_STOP};
pub use run_pod::{MakeImage, RunPodImage, RunPods, ServeError, WantedRunPod, serve};
pub use seen::Seen;
pub use ship::Ship;
pub use site::{Pods, Way, is_node};
pub use step::Step;
