//! Commands that read what is there: run folders, logs of collections, a process, claims.

use super::variables::truth;
use crate::exports::{Exports, OfRun};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tacho_quantity::flags::duration;

/// `tacho report`.
#[derive(Debug, Args)]
pub struct Report {
    /// The run folder
    pub run: PathBuf,
    #[command(flatten)]
    pub exports: Exports<OfRun>,
    /// An objective to check in addition to those of the run; may be given several times
    #[arg(long = "check", value_name = "CHECK")]
    pub checks: Vec<String>,
}

pub(super) const GC_EXAMPLES: &str = "Examples:
  java -Xlog:gc*:file=gc.log -jar app.jar                 write such a log; it costs next to nothing
  tacho gc gc.log                                         a one-page summary of it
  tacho gc gc.log --html gc.html                          the same with the heap and the pauses drawn
  tacho gc gc.log*                                        all files of a rotated log, in the order of their times
  ssh host cat app.log | tacho gc -                       a log mixed into the program's own output
  tacho gc gc.log --json - | jq .pauses.quantiles_ms.p99

What is read: -Xlog:gc and -Xlog:gc* of JDK 9 and later with any collector and any decorations
(safepoint may be added: -Xlog:gc*,safepoint); -verbose:gc, -XX:+PrintGC and -XX:+PrintGCDetails
of JDK 6 to 8; -XX:+PrintGC and -XX:+VerboseGC of native images. A pause stops the program, a
concurrent cycle does not: their times are never added together. Lines that are not understood are
counted and shown.

Two files whose names differ in more than numbers, or from two directories, are two logs and are
compared; files with one name (gc.log.0, gc.log.1), a directory or an archive are one log and are
read in the order in which they were written.

Exit codes: 0 read; 2 wrong usage, or a file that cannot be read; 3 it is not a garbage
collection log, or more than a tenth of its lines with figures were not understood; 4 an output
cannot be written.";

/// `tacho gc`.
#[derive(Debug, Args)]
pub struct Gc {
    /// Garbage collection logs, directories or archives of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub logs: Vec<PathBuf>,
    /// Longest pause allowed; the report says how far more heap would have helped
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = duration)]
    pub objective: Duration,
    /// Compare two logs, whatever their names
    #[arg(long, conflicts_with = "together")]
    pub compare: bool,
    /// Read all files as parts of one log, whatever their names
    #[arg(long)]
    pub together: bool,
    /// Also write the summary as JSON (- for standard output, which then holds nothing else)
    #[arg(long, value_name = "FILE", env = "TACHO_JSON", hide_env_values = true)]
    pub json: Option<PathBuf>,
    /// Also write a page with charts, in one file that opens offline
    #[arg(long, value_name = "FILE", env = "TACHO_HTML", hide_env_values = true)]
    pub html: Option<PathBuf>,
}

pub(super) const CLAIMS_EXAMPLES: &str = "Examples:
  tacho claims labs/cold-start/claims.yaml                     run its experiments, judge each claim
  tacho claims --short labs/*/claims.yaml                      the short forms of all
  tacho claims claims.yaml --stored start=runs/20261127-...    judge an earlier run

A claim holds if the whole measured interval lies within the range that counts as the same; it
does not hold if none of it does; otherwise it is not told. Intervals are corrected for the number
of claims in a file.

Exit codes: 0 each claim came out as its file expects, or was not told; 1 at least one did not;
2 wrong usage; 3 one could not be measured; 4 the machine lacks something; 130 interrupted.";

/// `tacho claims`.
#[derive(Debug, Args)]
pub struct Claims {
    /// Claims files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Run the short form of each run that has one
    #[arg(long)]
    pub short: bool,
    /// Use a stored run folder, or a file with the output of a command, instead of running it
    #[arg(long, value_name = "RUN=PATH", value_parser = stored_run)]
    pub stored: Vec<StoredRun>,
    /// Start no run and no command: judge only what --stored gives
    #[arg(long)]
    pub only_stored: bool,
    /// Where to create run folders
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs",
        env = "TACHO_RUNS",
        hide_env_values = true
    )]
    pub runs: PathBuf,
    /// Also write the result as JSON (- for standard output, which then holds nothing else)
    #[arg(long, value_name = "FILE", env = "TACHO_JSON", hide_env_values = true)]
    pub json: Option<PathBuf>,
    /// Also write the table in Markdown, for a README
    #[arg(
        long,
        value_name = "FILE",
        env = "TACHO_MARKDOWN",
        hide_env_values = true
    )]
    pub markdown: Option<PathBuf>,
    /// Print the table only, no progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
}

/// A run that was made before.
#[derive(Debug, Clone)]
pub struct StoredRun {
    /// Its name in the file of claims.
    pub run: String,
    /// Its folder.
    pub folder: PathBuf,
}

fn stored_run(text: &str) -> Result<StoredRun, String> {
    match text.split_once('=') {
        Some((run, folder)) if !run.is_empty() && !folder.is_empty() => Ok(StoredRun {
            run: run.to_owned(),
            folder: PathBuf::from(folder),
        }),
        _ => Err(
            "name the run and its folder, for example `start=runs/20261127-101500-start`"
                .to_owned(),
        ),
    }
}

pub(super) const MEMORY_NOTES: &str = "The parts add up to the resident set. A JVM started with -XX:NativeMemoryTracking=detail says what its native memory is
for; without it the split is coarser. Do not use it on a JVM being measured: the JVM is queried, and --live stops it.";

/// `tacho memory`.
#[derive(Debug, Args)]
pub struct Memory {
    /// The process: its PID, or the name of a JVM
    #[arg(value_name = "PID|NAME", value_parser = crate::jvms::of)]
    pub pid: u32,
    /// Separate live objects from garbage with a full collection, which stops the application
    #[arg(long)]
    pub live: bool,
    /// Also write the result as JSON (- for standard output)
    #[arg(long, value_name = "FILE", env = "TACHO_JSON", hide_env_values = true)]
    pub json: Option<PathBuf>,
}
