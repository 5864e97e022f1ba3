//! The commands, each as scripts and people use it. One program of many files: a program for each
//! would be compiled and linked as long as its tests run. What kills processes, or looks at what is
//! left behind, is a program of its own beside this folder.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod architecture;
mod claims;
mod companions;
mod completions;
mod diagnose_flags;
mod diagnosis;
mod doctor;
mod fit;
mod folders;
mod gc;
mod gc_field;
mod launches;
mod on_a_cluster;
mod record;
mod rollout;
mod same_results;
mod secrets;
mod selftest;
mod steady;
mod stored_runs;
mod streams;
#[path = "../support/mod.rs"]
mod support;
mod variables;
mod warm;
mod warmup;
mod when_things_go_wrong;
mod witness;
