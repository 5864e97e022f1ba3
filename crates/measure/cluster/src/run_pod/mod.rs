//! A run that a pod carries out, on the node whose pods are measured: for whoever is not on it
//! (`docs/decisions/0028-the-run-moves-into-the-cluster.md`, slice d).
//!
//! ```text
//! terminal   makes images and objects, begins the pod, speaks to it until all has come
//!   hearing  what it says: files of the run folder, events, its machine and clock
//!   asking   a line that is seen to be alive
//!   message  what the two say to each other, over one connection through the API
//! serve      in the pod: the launches, by the same code as on a node
//!   journal  what was told; a terminal that comes back hears the rest
//! ```

mod asking;
mod hearing;
mod journal;
mod message;
mod serve;
mod terminal;

pub use serve::{ServeError, serve};
pub use terminal::{MakeImage, RunPodImage, RunPods, Wanted as WantedRunPod};
