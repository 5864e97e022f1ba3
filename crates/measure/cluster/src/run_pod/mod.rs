//! A run that a pod carries out, on the node whose pods are measured: for whoever is not on it
//! (`docs/decisions/0028-the-run-moves-into-the-cluster.md`, slice d).
//!
//! ```text
//! terminal   makes images and objects, begins the pod, hears what happens, fills the run folder
//!   message  what the two say to each other, over one connection through the API
//! serve      in the pod: the launches, by the same code as on a node
//!   journal  what was told; a terminal that comes back hears the rest
//! ```

mod journal;
mod message;
mod serve;
mod terminal;

pub use serve::{ServeError, serve};
pub use terminal::{MakeImage, RunPodImage, RunPods, Wanted as WantedRunPod};
