//! Commands that launch variants and load them.

use super::experiment::{Overrides, RunOutput};
use super::variables::truth;
use crate::on::Elsewhere;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tacho_experiment::sweep::NamedWarmUp;
use tacho_quantity::flags::{bytes, count_to, cpus, duration, rate};

pub(super) const RUN_EXAMPLES: &str = "Examples:
  tacho run app.jar                                       the ways to ship it that work here: a first look
  tacho run app.jar --launches auto                       until the advice is decided
  tacho run app.jar --cpu 0.25 --memory 256MiB            as a small container would run it
  tacho run app.jar --request 'GET /owners' --variants jar,cds,aot
  tacho run experiment.yaml --check 'p99<50ms' --junit tacho.xml
  tacho run experiment.yaml --on kubernetes --image registry.example/team/app
                                                          each launch as a pod of your cluster; of kind,
                                                          k3d and minikube without --image

An artifact alone is compared in every way that works here but `jlink` and `native`, which take
long to make: ask for them with --variants.

The run folder holds everything that was measured; `tacho report` and all analysis work on it
alone.";

/// `tacho run`.
#[derive(Debug, Args)]
pub struct Run {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Also measure a second copy of the baseline: any difference reported for it is chance
    #[arg(long)]
    pub aa: bool,
    /// Run the baseline and one candidate at the same time, each on half of the processors, so that
    /// a disturbance affects both
    #[arg(long)]
    pub duet: bool,
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub output: RunOutput,
}

pub(super) const WARMUP_EXAMPLES: &str = "Examples:
  tacho warmup app.jar --rate 1000/s --pods 2             after 0, 100, 1,000, 10,000 requests, and until settled
  tacho warmup app.jar --rate 200 --cpu 1 --objective 50ms --recipes none,500,settled,bursts:1000,boost:2
  tacho warmup experiment.yaml --variants jar,aot         as the file says, or with the usual recipes

Each launch is warmed up by a recipe, then serves users at the given rate; their waiting time is
weighed against the time that the warm-up took. Recipes: none, a number of requests, each:N (of
every kind of request), bursts:N (with pauses in which the compiler catches up), settled (until
response times have settled, as `tacho warm` does), boost:CPUS (more processors until it is warm).
A service that warms itself up before it reports ready is a variant of an experiment file.

Exit codes: as for `tacho run`.";

/// `tacho warmup`.
#[derive(Debug, Args)]
pub struct Warmup {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Ways to warm it up, separated by commas [default: those of the file, else
    /// none,100,1000,10000,settled]
    #[arg(long, value_delimiter = ',', value_name = "RECIPES", value_parser = recipe)]
    pub recipes: Vec<NamedWarmUp>,
    /// Total requests per second from users, at a constant rate [default: the phases of the file]
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub rate: Option<f64>,
    /// How long to serve users [default: a minute]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub duration: Option<Duration>,
    /// Processes per launch, which receive requests in turn; each has the full limits to itself
    #[arg(long, value_name = "N", value_parser = count_to::<64>)]
    pub pods: Option<u32>,
    /// Longest acceptable response time; the cheapest warm-up whose p99 stays within it wins
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub objective: Option<Duration>,
    /// Also write these files into the run folder, separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub emit: Vec<Emit>,
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub output: RunOutput,
}

/// What else is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// kubernetes.yaml: a Deployment with probes, rollout and resources from the measured launches
    /// of the winning warm-up; also autoscaler.yaml if the run shows which load a pod carries
    Kubernetes,
    /// The same with a Service, as a Kustomize base (kubectl apply -k FOLDER)
    Kustomize,
    /// helm-values.yaml: the same numbers under the names in the chart of `helm create`
    Helm,
}

fn recipe(text: &str) -> Result<NamedWarmUp, String> {
    NamedWarmUp::parse(text).ok_or_else(|| {
        "expected none, a number of requests, each:200, bursts:1000, settled or boost:2".to_owned()
    })
}

pub(super) const FIT_EXAMPLES: &str = "Examples:
  tacho fit app.jar --check 'p99<50ms'                    the least memory, then the least CPU
  tacho fit app.jar --only memory --memory 512MiB         not above 512 MiB
  tacho fit experiment.yaml --variants native --cpu 1     one variant, at one processor or less

A limit holds if every launch at it completes and meets every check; the limit that is found must
hold a second time. Memory is searched at the given CPU limit, CPU at the memory that was found.
With the default steps a search for both takes at most 17 trials of several launches each on two
processors, and one more each time their number doubles; a trial that others disturbed and a limit
that does not hold again cost more.

Exit codes: as for `tacho run`; 1 if not even the highest limit holds.";

/// `tacho fit`.
#[derive(Debug, Args)]
pub struct Fit {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Search for only one limit
    #[arg(long, value_enum)]
    pub only: Option<Resource>,
    /// Lowest memory to try
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "32MiB")]
    pub memory_from: u64,
    /// Step of the memory search [default: a thirty-second of the highest]
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_step: Option<u64>,
    /// Lowest CPU to try
    #[arg(long, value_name = "CPUS", value_parser = cpus, default_value = "50m")]
    pub cpu_from: f64,
    /// Step of the CPU search
    #[arg(long, value_name = "CPUS", value_parser = cpus, default_value = "50m")]
    pub cpu_step: f64,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Where to create the search folder
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs",
        env = "TACHO_RUNS",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub runs: PathBuf,
    /// Also write the result as JSON (- for standard output)
    #[arg(
        long,
        value_name = "FILE",
        env = "TACHO_JSON",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub json: Option<PathBuf>,
    /// Print the result only, no progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth, help_heading = "Output")]
    pub quiet: bool,
}

/// What a limit is put on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Resource {
    /// Memory
    Memory,
    /// Processors
    Cpu,
}
