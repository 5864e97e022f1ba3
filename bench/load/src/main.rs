//! `make bench-load`: Tacho's load engine beside wrk, ab, oha and hey, in one run on one machine.
//!
//! nginx with one worker, or the witness, has one processor, the tool under test another. Tools
//! take turns in rounds whose order rotates, and what is told are medians of ratios within a round:
//! on a shared machine absolute figures say more about the neighbours than about the tools.
//!
//! | module | idea |
//! |---|---|
//! | `child` | one process from start to end: wall clock, processor time, peak memory |
//! | `tools` | how each tool is called and read, one file each |
//! | `subject` | what is loaded: nginx, or the self-test's server |
//! | `scenario` | what is compared, one file each |
//! | `bare` | a closed loop that only sends and reads: what the kernel asks of anybody |
//! | `sender` | a thread that only sleeps and sends: the yardstick of processor time |
//! | `rounds` | interleaving, medians |
//! | `report` | bars, tables, and the section of docs/benchmarks.md |

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod bare;
mod child;
mod error;
mod processors;
mod report;
mod rounds;
mod rusage;
mod scenario;
mod sender;
mod subject;
mod tools;

use clap::{Parser, Subcommand};
use error::BenchError;
use scenario::{Bench, Extent, Scenario};
use std::path::PathBuf;
use std::process::ExitCode;
use tools::Toolbox;

/// Compares Tacho's load engine with wrk, ab, oha and hey, side by side.
#[derive(Debug, Parser)]
#[command(name = "bench-load", args_conflicts_with_subcommands = true)]
struct Arguments {
    #[command(flatten)]
    bench: BenchArguments,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Args)]
struct BenchArguments {
    /// Short runs, few rounds: about two minutes instead of about fifteen.
    #[arg(long)]
    quick: bool,
    /// Rounds in which the tools take turns.
    #[arg(long)]
    rounds: Option<usize>,
    /// Only these scenarios.
    #[arg(long, value_enum, num_args = 1..)]
    only: Vec<Scenario>,
    /// Compare memory after 100 million requests as well (about an hour).
    #[arg(long)]
    hundred_million: bool,
    /// The tacho to measure.
    #[arg(long, default_value = "target/release/tacho")]
    tacho: PathBuf,
    /// Where scripts/bench-prerequisites put oha and hey.
    #[arg(long, default_value = "target/bench-tools/bin")]
    tools: PathBuf,
    /// Put the tables between the markers of this file.
    #[arg(long)]
    write: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Be the server with known stalls: prints the address, plays until standard input ends, then
    /// tells in JSON how well it kept to the script. For the accuracy scenario, and for trying
    /// other tools by hand.
    ScriptedServer(subject::ScriptArguments),
    /// Be the witness: prints the address, serves until standard input ends, then writes what it
    /// saw, 32 bytes a request.
    Witness,
    /// Be a thread that only sleeps to each instant and sends.
    Sender(sender::SenderArguments),
    /// Be a closed loop that only sends and reads.
    BareLoop(bare::BareLoopArguments),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Some(Command::ScriptedServer(script)) => subject::serve(&script),
        Some(Command::Witness) => tacho_witness::be_a_process().map_err(BenchError::from),
        Some(Command::Sender(arguments)) => sender::send(&arguments),
        Some(Command::BareLoop(arguments)) => bare::run(&arguments),
        None => bench(&arguments.bench),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench-load: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bench(arguments: &BenchArguments) -> Result<(), BenchError> {
    let extent = if arguments.quick {
        Extent::quick()
    } else {
        Extent::full(arguments.hundred_million)
    };
    let bench = Bench {
        extent: Extent {
            rounds: arguments.rounds.unwrap_or(extent.rounds).max(1),
            ..extent
        },
        processors: processors::two()?,
        toolbox: Toolbox::find(&arguments.tacho, &arguments.tools)?,
    };
    let machine = report::Surroundings::begin();
    let chosen = if arguments.only.is_empty() {
        Scenario::ALL.to_vec()
    } else {
        arguments.only.clone()
    };
    let mut sections = Vec::new();
    for scenario in chosen {
        eprintln!("{scenario}");
        let section = scenario
            .run(&bench)
            .unwrap_or_else(|error| scenario.not_run(&error));
        // Shown at once: a benchmark that is cut short has still told what it knew.
        eprintln!("{}", report::section_as_markdown(&section));
        sections.push(section);
    }
    let text = report::as_markdown(&machine.end(), &bench.extent, &sections);
    println!("{text}");
    if let Some(path) = &arguments.write {
        report::write_section(path, &text)?;
    }
    Ok(())
}
