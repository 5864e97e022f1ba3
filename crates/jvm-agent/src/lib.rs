//! The agent inside a running JVM, asked from outside.
//!
//! ```text
//! request   Probe, MethodPattern, Watch --> request-N.json, in a folder of mode 0700
//! agent     jvm/agent, loaded through tacho-attach
//! reply     reply-N.jsonl --> Begun, Calls, TracedMethod, WatchedCall, Removed
//! ```
//! Calls are added up inside the JVM, so that a reply is as long as what differs, and not as what was called. The protocol is in
//! `jvm/agent/README.md`.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod reply;
mod request;

pub use reply::{
    Begun, Calls, NotProbed, Outcome, Removed, Snapshot, TracedCallee, TracedMethod, WatchedCall,
};
pub use request::{Key, MethodPattern, Probe, Watch};
