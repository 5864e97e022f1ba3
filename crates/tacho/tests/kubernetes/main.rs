//! A real cluster of this machine: root, and `cluster-box/box build` before. `make test-kubernetes`
//! runs all of it; the first test of `run` alone is part of `make test` where the cluster's
//! programs are built already.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod a_box;
mod emitted;
mod expiring;
mod load;
mod role;
mod rollout;
mod run;
mod run_pod;
mod secrets;
mod strings;
#[path = "../support/mod.rs"]
mod support;
