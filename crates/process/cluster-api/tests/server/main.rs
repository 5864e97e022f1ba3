//! A cluster is looked at and used, by a server that is told what to answer.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod changing;
mod fake;
mod lives;
mod looks;
