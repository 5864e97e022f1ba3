//! Talks from outside to the agent in a running JVM.
//!
//! ```no_run
//! use tacho_jvm_agent::{Agent, Probe};
//!
//! let mut agent = Agent::attach(4711, &std::env::temp_dir())?;
//! let probes = [Probe::exceptions("exceptions"), Probe::class_look_ups("classes")];
//! let begun = agent.begin(&probes, &["com.acme.".to_owned()])?;
//! println!("{} methods; not {:?}", begun.methods, begun.refused);
//! agent.reset()?; // the first request is about to be sent
//! for calls in agent.snapshot()?.calls {
//!     let stack = calls.frames.join(" < ");
//!     println!("{} {:?} {:?} {stack}", calls.count, calls.keys, calls.outcome);
//! }
//! assert!(agent.end()?.is_clean());
//! # Ok::<(), tacho_jvm_agent::AgentError>(())
//! ```
//!
//! ```text
//! request   Probe, MethodPattern, Watch --> request-N.json, in a folder of mode 0700
//! agent     jvm/agent, loaded through tacho-attach
//! reply     reply-N.jsonl --> Begun, Calls, TracedMethod, WatchedCall, Removed
//! ```
//! Calls are added up inside the JVM. So the length of a reply depends on how many different calls
//! there were, not on how many calls. The protocol is in `jvm/agent/README.md`.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod agent;
mod error;
mod jar;
mod placed;
mod reply;
mod request;
mod session;
mod shared;

pub use agent::Agent;
pub use error::AgentError;
pub use placed::{Afterwards, Placed, place, remove_left};
pub use reply::{Begun, NotProbed, Removed, Snapshot, read_snapshot};
pub use request::{HandOver, Key, MethodPattern, OneByOne, Probe, Watch};
pub use shared::{OthersFolder, SharedFolder};
pub use tacho_diagnosis::live::{
    Calls, Outcome, TracedCall, TracedCallee, TracedMethod, WatchedCall,
};
