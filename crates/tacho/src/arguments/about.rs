//! Commands about the machine, a load generator, and Tacho itself.

use super::variables::truth;
use crate::on::{ClusterArguments, On};
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tacho_quantity::flags::{duration, rate};

/// `tacho doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Also check this JDK (release or path)
    #[arg(long, conflicts_with = "on")]
    pub jdk: Option<String>,
    /// Check a cluster instead: what is there, and what you are allowed to do
    #[arg(long, value_name = "WHERE")]
    pub on: Option<On>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
    /// Only print the rights that are needed, as a Role for kubectl apply -f -
    #[arg(long, requires = "on")]
    pub role: bool,
}

pub(super) const SELFTEST_CODES: &str = "Exit codes: 0 the reported values are correct; 1 they are not; 3 the machine was too busy to decide; 130 interrupted.";

/// `tacho selftest`.
#[derive(Debug, Args)]
pub struct Selftest {
    /// Run for a minute and a half instead of sixteen seconds: three rates to the witness, four
    /// server stalls
    #[arg(long)]
    pub full: bool,
    /// Also write the result as JSON (- for standard output)
    #[arg(long, value_name = "FILE", env = "TACHO_JSON", hide_env_values = true)]
    pub json: Option<PathBuf>,
    /// Hide progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
}

pub(super) const WITNESS_EXAMPLES: &str = "Examples:
  tacho witness --listen 127.0.0.1:9090 --rate 2000 --duration 15s &
  wrk2 -R 2000 -d 10s http://127.0.0.1:9090/            any generator of requests without a body
  taskset -c 0 tacho witness --rate 2000                on a processor that the generator does not use

Exit codes: 0 the observations were reported; 2 wrong usage; 3 too few requests came; 4 it could not listen.";

/// `tacho witness`.
#[derive(Debug, Args)]
pub struct Witness {
    /// Listen address; port 0 picks a free port
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// Requests per second that the generator was told to send [default: the observed rate]
    #[arg(short, long, value_name = "RATE", value_parser = rate)]
    pub rate: Option<f64>,
    /// Stop after this time [default: at Ctrl-C]
    #[arg(short, long, value_name = "TIME", value_parser = duration)]
    pub duration: Option<Duration>,
    /// Also write the observations as JSON (- for standard output); times in microseconds
    #[arg(long, value_name = "FILE", env = "TACHO_JSON", hide_env_values = true)]
    pub json: Option<PathBuf>,
}

pub(super) const COMPLETIONS_EXAMPLES: &str = "Examples:
  tacho completions bash > ~/.local/share/bash-completion/completions/tacho
  tacho completions zsh > \"${fpath[1]}/_tacho\"
  tacho completions fish > ~/.config/fish/completions/tacho.fish";

/// `tacho completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// Which shell
    #[arg(value_enum)]
    pub shell: clap_complete::Shell,
}

/// `tacho man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Folder for the pages; created if it does not exist
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

/// `tacho schema`.
#[derive(Debug, Args)]
pub struct Schema {
    /// experiment; run, plan, variant, launch, diagnosis, dissection, results, claims, diagnose,
    /// fit, gc, gc-two, image, load, memory, rollout or warm
    pub file: String,
}
