//! `make bench-gc`: Tacho's reader of garbage collection logs beside Microsoft's gctoolkit, on the
//! same logs, in turns.
//!
//! Logs are recorded here, by a program that allocates, and repeated until they are large, with
//! instants and numbers that go on. What is told are medians over the rounds, ratios within a
//! round; processor time, because on a shared machine the clock on the wall says more about the
//! neighbours.
//!
//! | module | idea |
//! |---|---|
//! | `recording` | one launch of a JVM, and its log |
//! | `repeated` | a log of any length out of a short one |
//! | `readers` | ours and gctoolkit over one log: time, and what they counted |
//! | `report` | medians, bars, the section of docs/benchmarks.md |

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod readers;
mod recording;
mod repeated;
mod report;

use clap::Parser;
use readers::{Gctoolkit, Read, tacho};
use recording::Recorder;
use report::{Course, Round};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Compares Tacho's reader of garbage collection logs with gctoolkit.
#[derive(Debug, Parser)]
#[command(name = "bench-gc")]
struct Arguments {
    /// Small logs, two rounds.
    #[arg(long)]
    quick: bool,
    /// Megabytes of each log.
    #[arg(long)]
    megabytes: Option<u64>,
    /// Rounds in which the two take turns.
    #[arg(long)]
    rounds: Option<usize>,
    /// Folder of bench/gc/gctoolkit, built.
    #[arg(long, default_value = "bench/gc/gctoolkit/target")]
    gctoolkit: PathBuf,
    /// Put the section between the markers of this file.
    #[arg(long)]
    write: Option<PathBuf>,
}

/// Why there is no result.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    /// A file or a process.
    #[error("{what}: {source}")]
    Io {
        /// What was tried.
        what: String,
        /// Why it failed.
        source: std::io::Error,
    },
    /// Something answered otherwise than agreed.
    #[error("{0}")]
    Unexpected(String),
    /// There is no JDK that could record the logs.
    #[error(transparent)]
    Jdk(#[from] tacho_subject::JdkError),
}

fn io(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> BenchError {
    let what = what.into();
    move |source| BenchError::Io { what, source }
}

/// The collectors that both read.
const COLLECTORS: [&str; 4] = ["G1", "Parallel", "Serial", "Z"];
/// Logs of JDK 8, which no JVM here writes: name, and where it is kept.
const OF_JDK_8: [(&str, &str); 3] = [
    ("JDK 8, G1", "labs/gc-logs/seen/c-g1-8-to-space/gc.log"),
    ("JDK 8, Parallel", "labs/gc-logs/seen/c-parallel-8/gc.log"),
    ("JDK 8, CMS", "labs/gc-logs/seen/c-cms-8-failures/gc.log"),
];

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-gc: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), BenchError> {
    let megabytes = arguments
        .megabytes
        .unwrap_or(if arguments.quick { 20 } else { 300 });
    let rounds = arguments
        .rounds
        .unwrap_or(if arguments.quick { 2 } else { 3 })
        .max(1);
    let recorder = Recorder::compile()?;
    let gctoolkit = Gctoolkit::find(&arguments.gctoolkit, recorder.jdk())?;
    let mut courses = Vec::new();
    for collector in COLLECTORS {
        let recorded = recorder.record(collector)?;
        let write = |bytes, path: &Path| repeated::write(&recorded, bytes, path);
        courses.push(course(collector, megabytes, rounds, &gctoolkit, &write)?);
    }
    for (name, path) in OF_JDK_8 {
        let log = std::fs::read(path).map_err(io(path))?;
        let write = |bytes, path: &Path| repeated::write_preunified(&log, bytes, path);
        courses.push(course(name, megabytes, rounds, &gctoolkit, &write)?);
    }
    let text = report::markdown(&courses, rounds);
    println!("{text}");
    if let Some(path) = &arguments.write {
        report::write_section(path, &text)?;
    }
    Ok(())
}

/// Both readers over one log, in turns.
fn course(
    name: &'static str,
    megabytes: u64,
    rounds: usize,
    gctoolkit: &Gctoolkit,
    write: &dyn Fn(u64, &Path) -> Result<u64, BenchError>,
) -> Result<Course, BenchError> {
    let short = tempfile::NamedTempFile::new().map_err(io("a file for a log"))?;
    write(1 << 20, short.path())?;
    let log = tempfile::NamedTempFile::new().map_err(io("a file for a log"))?;
    let bytes = write(megabytes << 20, log.path())?;
    let mut course = Course::new(name, bytes);
    // Once each without being told: the files are in memory then.
    let first = tacho(short.path())?;
    for round in 0..rounds {
        let (ours, theirs): (Read, Read) = if round % 2 == 0 {
            let ours = tacho(log.path())?;
            (ours, gctoolkit.read(log.path())?)
        } else {
            let theirs = gctoolkit.read(log.path())?;
            (tacho(log.path())?, theirs)
        };
        eprintln!("{name}, round {}: {ours:?} {theirs:?}", round + 1);
        course.rounds.push(Round { ours, theirs });
    }
    course.grew_by = course.rounds[0]
        .ours
        .peak_bytes
        .saturating_sub(first.peak_bytes);
    Ok(course)
}
