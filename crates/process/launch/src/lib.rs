//! Runs one process from exec to its end, and records the instants in between.
//!
//! ```no_run
//! use std::sync::atomic::AtomicBool;
//! use std::time::Duration;
//! use tacho_launch::ready::{Condition, Watch, until_ready};
//! use tacho_launch::{Lease, Spawn, spawn, sweep};
//!
//! println!("{}", sweep()); // what an earlier Tacho left behind when it was killed
//! let mut child = spawn(Spawn {
//!     command: vec!["java".into(), "-jar".into(), "app.jar".into()],
//!     directory: ".".into(),
//!     environment: Default::default(),
//!     log: "log.txt".into(),
//!     join: vec![],              // cgroup.procs files, joined before exec
//!     user: None,
//!     lease: Lease::take(&[])?,  // names the control groups
//! })?;
//! let stop = AtomicBool::new(false);
//! let watch = Watch {
//!     port: None,
//!     condition: Condition::Auto { request_path: None },
//!     preferred_paths: vec![],
//!     timeout: Duration::from_secs(60),
//!     stop: &stop,
//!     processes: None,
//! };
//! match until_ready(&mut child, &watch) {
//!     Ok(ready) => println!("ready after {:?} ms at {}", ready.time_line.ready_ms, ready.address),
//!     Err(not_ready) => println!("{not_ready}"),
//! }
//! child.terminate(Duration::from_secs(5))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod child;
pub mod claims;
pub mod descriptors;

pub mod failure;
mod kept_log;
mod lease;
pub mod log;
pub mod processes;
pub mod ready;
mod remedy;
mod run_to_end;
mod scratch;
pub mod sockets;
mod spawn;
pub mod threads;

pub use child::{Child, Exit};
#[doc(hidden)]
pub use lease::read_lease;
pub use lease::{Lease, LeaseError, LeaseFolder, Shared, Swept, end_all_held, sweep, sweep_folder};
pub use remedy::Remedy;
pub use run_to_end::{Finished, RunError, run_to_end};
pub use scratch::Scratch;
pub use spawn::{Spawn, SpawnError, spawn};
pub use tacho_clock::Anchor;
