//! `tacho selftest`: does Tacho measure rightly on this machine?
//!
//! A server in this process answers by a [`Script`] whose response times are known beforehand. The
//! load engine measures it at a constant rate, and its figures are compared with the [`expected`]
//! quantiles. Before that, the engine sends requests to a [witness](tacho_witness), a separate
//! process that keeps the kernel's stamp of each arrival. The engine's figures are compared with
//! those of the witness, too:
//!
//! ```no_run
//! # fn main() -> Result<(), tacho_selftest::SelfTestError> {
//! use tacho_selftest::{Options, render, run};
//! let result = run(&Options::default(), &mut |progress| eprintln!("{}", progress.course))?;
//! print!("{}", render(&result));
//! # Ok(()) }
//! ```
//!
//! | module | business | knows nothing of |
//! |---|---|---|
//! | [`Script`], [`Course`] | what the server does, and when requests come | sockets, the engine |
//! | [`expected`] | the quantiles that follow from it: arithmetic | sockets, the engine |
//! | `playback` | when each request is answered | sockets, clocks |
//! | [`ScriptedServer`] | one thread, one epoll loop that keeps these instants | the engine |
//! | `drive` | runs the engine | how the server works |
//! | [`Witnessed`] | what the witness saw beside what was reported | sockets, processes |
//! | [`Comparison`] | expected beside reported, and who is to blame for a difference | all of the above |
//! | [`render`] | the same for people | |
//!
//! # What causes a difference?
//! The machine, as far as it was seen to be late: the server records how late it gave each answer,
//! and the kernel reports how long the generator's thread was ready to run and did not
//! (`schedstat`), and how much time the hypervisor took (steal). What these do not explain is the
//! engine's own error.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod comparison;
mod course;
mod drive;
mod expected;
mod machine;
mod playback;
mod render;
mod run;
mod script;
mod server;
mod witnessed;

pub use comparison::{Comparison, CourseResult, Judgement, TOLERANCE, Verdict};
pub use course::{Course, CourseError};
pub use drive::DriveError;
pub use expected::expected;
pub use machine::Surroundings;
pub use render::render;
pub use run::{
    Depth, Options, Progress, SelfTest, SelfTestError, WitnessCommand, run, run_courses,
};
pub use script::{Mixture, Script, ScriptError, Share, Stall};
pub use server::{Played, ScriptedServer};
/// What the server's own thread takes, as the engine's does.
pub use tacho_load::RealTime;
pub use tacho_run_folder::Quantile;
pub use witnessed::{Figure, Row, Witnessed, WitnessedCourse};
