//! `tacho load` as scripts use it, against servers whose answers are known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod command;
mod elsewhere;
mod ended_early;
mod pace;
mod protocols;
mod requests;
mod results;
mod server;
#[path = "../support/mod.rs"]
mod support;
mod usage;
mod workers;
