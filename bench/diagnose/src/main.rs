//! `make bench-diagnose`: what tracing a hot method costs the service, beside Arthas tracing the
//! same method.
//!
//! A service limited to one processor answers a closed loop; the work of a request is such that the
//! hot method is called some 10,000 times a second when nobody traces it. So whatever a tracer
//! costs is missing from the throughput. Each state has a JVM of its own in every round, warmed
//! alike, and each round begins with another state; what is told are ratios within a round.
//!
//! | module | idea |
//! |---|---|
//! | `subject` | one launch of the service: limited, loaded, asked how often the hot method was called |
//! | `state` | who traces what, and the proof that it did |
//! | `arthas` | Arthas attached, its console read |
//! | `report` | medians, bars, the section of docs/benchmarks.md |

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod arthas;
mod report;
mod state;
mod subject;

use clap::Parser;
use report::Course;
use state::State;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use subject::Subject;

/// What tracing a hot method costs, beside Arthas.
#[derive(Debug, Parser)]
#[command(name = "bench-diagnose")]
struct Arguments {
    /// The generator
    #[arg(long, default_value = "target/release/tacho")]
    tacho: PathBuf,
    /// Java of the service and of Arthas; its javac must lie beside it
    #[arg(long, default_value = "java")]
    java: PathBuf,
    /// Folder of Arthas 4.1.5, unpacked
    #[arg(long, default_value = "target/arthas-4.1.5")]
    arthas: PathBuf,
    /// Rounds in which the states take turns
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// Seconds of load before anybody traces
    #[arg(long, default_value_t = 4)]
    warm_up: u32,
    /// Seconds of load, traced, before measuring
    #[arg(long, default_value_t = 3)]
    settle: u32,
    /// Measured seconds
    #[arg(long, default_value_t = 6)]
    measured: u32,
    /// Puts the section between the markers of this file
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("{0}: {1}; `make bench-diagnose` builds what is needed")]
    Program(String, std::io::Error),
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    #[error("the service: {0}")]
    Subject(String),
    #[error("the generator said nothing that is understood: {0}")]
    Generator(String),
    #[error("Arthas: {0}")]
    Arthas(String),
    #[error("the trace is not of what was called: {0}")]
    NoProof(String),
    #[error(transparent)]
    Group(#[from] tacho_cgroup::CgroupError),
    #[error(transparent)]
    Lease(#[from] tacho_launch::LeaseError),
    #[error(transparent)]
    Spawn(#[from] tacho_launch::SpawnError),
    #[error(transparent)]
    Agent(#[from] tacho_jvm_agent::AgentError),
}

fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> BenchError {
    let what = what.into();
    move |source| BenchError::Io(what, source)
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(4)
        }
    }
}

/// Whether the bars are met.
fn run(arguments: &Arguments) -> Result<bool, BenchError> {
    // What an earlier one left behind when it was killed.
    let _ = tacho_launch::sweep();
    let mut subject = Subject::compile(arguments)?;
    subject.calibrate()?;
    let mut course = Course::default();
    for round in 0..arguments.rounds {
        for turn in 0..State::ALL.len() {
            let state = State::ALL[(turn + round) % State::ALL.len()];
            let seen = state.measure(&subject)?;
            eprintln!(
                "round {} of {}: {:18} {:6.0} calls/s, {:.1} us of processor time each",
                round + 1,
                arguments.rounds,
                state.name(),
                seen.calls_per_s,
                seen.cpu_us
            );
            course.add(state, seen);
        }
    }
    let text = report::section(&course, arguments, &subject.version);
    println!("{text}");
    if let Some(path) = &arguments.write {
        report::write(path, &text)?;
    }
    Ok(course.is_met())
}

/// A file of Arthas, which has to be there.
fn of_arthas(folder: &Path, name: &str) -> Result<PathBuf, BenchError> {
    let path = folder.join(name);
    path.canonicalize()
        .map_err(|e| BenchError::Program(path.display().to_string(), e))
}
