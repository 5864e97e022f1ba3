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
    /// Where run folders are made
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
        help_heading = "Experiment (over the file, or over the defaults)"
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
#[command(next_help_heading = "Experiment (over the file, or over the defaults)")]
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
    /// Port of the subject and of all variants; else that of the file, else found from its sockets
    #[arg(long)]
    pub port: Option<u16>,
    /// Ready when this path answers 2xx; else found
    #[arg(long, value_name = "PATH")]
    pub ready: Option<String>,
    /// Give the subject so long to become ready; else 60s
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub ready_timeout: Option<Duration>,
    /// JDK by release (25) or path; else the newest that suits
    #[arg(long, env = "TACHO_JDK", hide_env_values = true)]
    pub jdk: Option<String>,
    /// Launches of each variant under each set of limits: a number, or `auto` (until the advice is
    /// decided, at most 20; `auto:30` at most 30). `tacho diagnose` ends when it is told whether
    /// the candidate is slower, at most 10; elsewhere `auto` is 5
    #[arg(long, value_name = "N", value_parser = launches, env = "TACHO_LAUNCHES", hide_env_values = true)]
    pub launches: Option<Launches>,
    /// For a first look: closed and settle phases, and those at a constant rate, ten times shorter
    #[arg(long, env = "TACHO_QUICK", hide_env_values = true, value_parser = truth)]
    pub quick: bool,
    /// Seed of the order of launches
    #[arg(long)]
    pub seed: Option<u64>,
    /// One more launch of each JVM, which counts in no figure and says where its memory is: memory,
    /// off
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
    /// Process numbers of what the subject needs beside it and that runs already (a database, a
    /// service that it calls): the certificate does not count them as foreign load. What is to be
    /// started stands in the experiment: `companions`
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "PIDS",
        env = COMPANIONS,
        hide_env_values = true
    )]
    pub companions: Vec<u32>,
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
