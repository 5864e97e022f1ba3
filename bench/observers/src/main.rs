//! What observing costs the subject: a JVM service limited to one processor answers a closed loop,
//! launch by launch with all passive observers on (samples.csv, memory.csv, jvm.csv, gc.log) or
//! off, in a random order within each pair. The ratio of the medians over launches stands with its
//! 95 % bootstrap interval.

mod report;
mod subject;

use clap::Parser;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;
use std::process::ExitCode;
use subject::{Launched, Subject};

/// Throughput with all passive observers on against off.
#[derive(Debug, Parser)]
struct Arguments {
    /// The generator
    #[arg(long, default_value = "target/release/tacho")]
    tacho: PathBuf,
    /// Java of the subject; its javac must lie beside it
    #[arg(long, default_value = "java")]
    java: PathBuf,
    /// Pairs of launches
    #[arg(long, default_value_t = 14)]
    pairs: u32,
    /// Seconds of load before measuring
    #[arg(long, default_value_t = 5)]
    warm_up: u32,
    /// Measured seconds
    #[arg(long, default_value_t = 8)]
    measured: u32,
    /// Writes the section of this document between its markers
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("{0}: {1}; `make bench-observers` builds what is needed")]
    Program(String, std::io::Error),
    #[error("the subject did not start: {0}")]
    Subject(String),
    #[error("the generator said nothing that is understood: {0}")]
    Generator(String),
    #[error(transparent)]
    Group(#[from] tacho_cgroup::CgroupError),
    #[error(transparent)]
    Sampler(#[from] tacho_observe::SamplerError),
    #[error("{0}: {1}")]
    Document(PathBuf, String),
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

/// Whether the bar is met.
fn run(arguments: &Arguments) -> Result<bool, BenchError> {
    let subject = Subject::compile(arguments)?;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let (mut on, mut off): (Vec<Launched>, Vec<Launched>) = Default::default();
    // One that is thrown away: the first of all finds cold caches.
    subject.launch(true)?;
    for pair in 1..=arguments.pairs {
        let first = random.random_bool(0.5);
        for observed in [first, !first] {
            let launched = subject.launch(observed)?;
            eprintln!(
                "pair {pair} of {}: {} {:.0}/s",
                arguments.pairs,
                if observed { "on " } else { "off" },
                launched.rate
            );
            if observed { &mut on } else { &mut off }.push(launched);
        }
    }
    let result =
        report::Result::of(&on, &off).ok_or_else(|| BenchError::Generator("no rate".to_owned()))?;
    let text = report::section(&result, arguments, &subject.version);
    println!("{text}");
    if let Some(path) = &arguments.write {
        report::write(path, &text)?;
    }
    Ok(result.is_met())
}
