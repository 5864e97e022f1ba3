//! Real JVMs, the oldest and the newest there are (`tacho-test-jdks`): what is counted is what was
//! done, and nothing is left behind.

#![allow(clippy::unwrap_used, clippy::expect_used)]

mod beside_other_agents;
mod counting;
mod held;
mod metaspace;
mod nothing_grows;
mod nothing_is_left;
mod refusals;
mod session;
#[path = "../support/mod.rs"]
mod support;
mod tracing;
mod watching;
