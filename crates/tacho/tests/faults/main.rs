//! What must hold when something breaks: Tacho itself, its subject, the machine. The short form
//! runs with all other tests; `make test-faults` (`-- --include-ignored`) is the long form.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod causes;
mod house;
mod killed;
mod machine;
mod rounds;
mod service;
mod signals;
mod subject;
#[path = "../support/mod.rs"]
mod support;
mod two_runs;
