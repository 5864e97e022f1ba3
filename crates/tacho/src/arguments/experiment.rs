//! What the command line says over an experiment file, and where the results of a run go.

use super::calls::Calls;
use super::variables::{COMPANIONS, SaidByVariables, truth};
use crate::exports::{Exports, OfRun};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tacho_experiment::{Diagnose, Launches, VariantKind};
use tacho_quantity::flags::{bytes, cpus, duration};
use tacho_workload::{Scenario, Script, Step};

/// Where the results of a run go.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Output")]
pub struct RunOutput {
    /// Where to create run folders
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs",
        env = "TACHO_RUNS",
        hide_env_values = true
    )]
    pub runs: PathBuf,
    #[command(flatten)]
    pub exports: Exports<OfRun>,
    /// Print the summary only, no progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
    /// Print the plan and stop; nothing is started
    #[arg(
        long,
        help_heading = "Experiment (overrides the file, or the defaults)"
    )]
    pub dry_run: bool,
}

/// Help of `--variants`.
fn by_name_or_kind() -> String {
    let kinds = VariantKind::names().join(",");
    format!("Variants, by name or kind: {kinds} (docs/variants.md)")
}

/// What the command line says over the experiment file or the defaults.
#[derive(Debug, Default, Args, Clone)]
#[command(next_help_heading = "Experiment (overrides the file, or the defaults)")]
pub struct Overrides {
    #[command(flatten)]
    pub variables: SaidByVariables,
    /// Variants, by name or kind
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help = by_name_or_kind())]
    pub variants: Vec<String>,
    /// Variant that the others are compared with
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Processors for the subject: 1, 0.25, 250m
    #[arg(long, value_parser = cpus, env = "TACHO_CPU", hide_env_values = true)]
    pub cpu: Option<f64>,
    /// Memory for the subject: 256MiB, 1Gi
    #[arg(long, value_parser = bytes, env = "TACHO_MEMORY", hide_env_values = true)]
    pub memory: Option<u64>,
    /// A request of the mix, such as 'GET /ping'; may be given several times
    #[arg(long = "request", value_name = "REQUEST", value_parser = request)]
    pub requests: Vec<Scenario>,
    #[command(flatten)]
    pub calls: Calls,
    /// Port of the subject and of all variants [default: that of the file, else detected from its
    /// sockets]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: Option<u16>,
    /// Path that answers 2xx when ready; else detected
    #[arg(long, value_name = "PATH", value_parser = ready_path)]
    pub ready: Option<String>,
    /// Time the subject has to become ready [default: 60s]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub ready_timeout: Option<Duration>,
    /// JDK by release (25) or path [default: the newest suitable one]
    #[arg(long, env = "TACHO_JDK", hide_env_values = true)]
    pub jdk: Option<String>,
    /// Launches of each variant under each set of limits: a number, or `auto` (until the advice is
    /// decided, at most 20; `auto:30`: at most 30). With `auto`, `tacho diagnose` stops once it is
    /// decided whether the candidate is slower, at most 10; other commands take `auto` as 5
    #[arg(long, value_name = "N", value_parser = launches, env = "TACHO_LAUNCHES", hide_env_values = true)]
    pub launches: Option<Launches>,
    /// Get a quick first look: make closed, settle and constant-rate phases ten times shorter
    #[arg(long, env = "TACHO_QUICK", hide_env_values = true, value_parser = truth)]
    pub quick: bool,
    /// Random seed of the launch order
    #[arg(long)]
    pub seed: Option<u64>,
    /// Make an extra launch of each JVM, not counted in any figure, to break down its memory:
    /// memory, off
    #[arg(long, value_name = "WHAT", value_parser = diagnose)]
    pub diagnose: Option<Diagnose>,
    /// An objective such as 'p99<50ms' or 'ready<2s'; may be given several times
    #[arg(
        id = "check",
        long = "check",
        value_name = "CHECK",
        env = "TACHO_CHECK",
        hide_env_values = true
    )]
    pub checks: Vec<String>,
    /// PIDs of running processes that the subject needs (a database, a service that it calls): the
    /// certificate does not count them as foreign load. Processes that Tacho should start belong in
    /// the experiment, under `companions`
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "PIDS",
        env = COMPANIONS,
        hide_env_values = true
    )]
    pub companions: Vec<u32>,
}

fn ready_path(text: &str) -> Result<String, String> {
    match text.starts_with('/') {
        true => Ok(text.to_owned()),
        false => Err(format!("expected a path, such as /{text}")),
    }
}

fn diagnose(text: &str) -> Result<Diagnose, String> {
    Diagnose::parse(text).ok_or_else(|| "expected memory or off".to_owned())
}

fn launches(text: &str) -> Result<Launches, &'static str> {
    text.parse()
}

fn request(text: &str) -> Result<Scenario, String> {
    let step = Step::parse(text).ok_or("expected a request such as 'GET /ping'")?;
    Script::of_step(&step).map_err(|error| error.to_string())?;
    Ok(Scenario::of(step))
}
