//! Why one build is slower than another, and what looks into them.

use super::experiment::{Overrides, RunOutput};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use tacho_quantity::flags::{count, count_to, duration};

pub(super) const DIAGNOSE_EXAMPLES: &str = "Examples:
  tacho diagnose --baseline old.jar --candidate new.jar                     what costs more in the new build, where, and why
  tacho diagnose --baseline old.jar --candidate new.jar experiment.yaml     the same with the requests and limits of a file
  tacho diagnose --baseline war --candidate jar experiment.yaml             two variants of a file
  tacho diagnose --baseline war --candidate jar --switch jar-with-joda experiment.yaml   and how much of the loss that variant recovers
  tacho diagnose app.jar --request 'GET /orders'                            one build: what a request spends
  tacho diagnose --baseline runs/main --candidate runs/pr                   two earlier runs; nothing is launched
  tacho diagnose --baseline runs/main:jar --candidate runs/pr:jar           which of their variants

The differences between the builds are read from their files. Each build is launched once with
instruments and sent the same number of requests several times, so that everything is reported per
request. Then the difference is measured in launches without instruments. If the newer build is
slower, it is launched with its changes reverted one by one: the change whose reversal recovers
the loss is the cause. Your own classes are detected from the builds; --own names them if that is
wrong.

Exit codes: as for `tacho run`.";

/// `tacho diagnose`.
#[derive(Debug, Args)]
pub struct Diagnosed {
    /// An experiment file (.yaml); or a jar or WAR, to analyse a single build
    pub subject: Option<PathBuf>,
    /// The newer build: a jar or WAR, a variant of the experiment, or a run folder, optionally with
    /// its variant (RUN:VARIANT); --baseline is the older one
    #[arg(long, value_name = "BUILD")]
    pub candidate: Option<String>,
    /// Packages of the application itself, such as com.acme [default: `own` of the file's subject,
    /// else found in the artifact]
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub own: Vec<String>,
    /// Variants of the experiment that differ from the candidate in one thing, separated by commas:
    /// how much of the loss does each recover? A fat jar that searches its class path on every
    /// request is also launched extracted, unless this is `none`
    #[arg(long = "switch", value_delimiter = ',', value_name = "NAMES")]
    pub switches: Vec<String>,
    /// Do not search for the change that caused the loss (by default the candidate is launched with
    /// the changes between the builds reverted, a few at a time)
    #[arg(long)]
    pub no_put_back: bool,
    /// Warm-up requests of each launch before it is analysed
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = count)]
    pub warm_up: u64,
    /// Requests sent for each instrument
    #[arg(long = "window", value_name = "N", default_value_t = 2_000, value_parser = count)]
    pub requests_of_window: u64,
    /// CPU time to sample: 6 s give 1,500 samples at the 250 ticks per second of most kernels
    #[arg(long, value_name = "TIME", default_value = "6s", value_parser = duration)]
    pub sample: Duration,
    /// Connections, each with one request at a time: in the phase with few connections if no file
    /// names phases, and the fewest with which a build is analysed [default: `connections` of the
    /// file's `diagnose`, else 4]
    #[arg(long, value_name = "N", value_parser = count_to::<10_000>)]
    pub connections: Option<u32>,
    /// Also write the findings as SARIF, for review tools that show them next to the lines
    #[arg(long, value_name = "FILE", env = "TACHO_SARIF", hide_env_values = true)]
    pub sarif: Option<PathBuf>,
    /// Repository root below which the sources named in the SARIF file are found
    #[arg(long, value_name = "DIR", default_value = ".", requires = "sarif")]
    pub sources: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub output: RunOutput,
}

impl Diagnosed {
    /// Where the experiment comes from: the file that was named, else the candidate itself.
    pub fn source(&self) -> Result<&std::path::Path, crate::error::Error> {
        let candidate = self.candidate.as_deref().map(std::path::Path::new);
        let source = self.subject.as_deref().or(candidate);
        source.ok_or(crate::error::Error::NothingToDiagnose)
    }
}

/// `tacho profiler`.
#[derive(Debug, Subcommand)]
pub enum Profiler {
    /// Fetch it with Maven (tools.profiler:async-profiler) and unpack it into the user's data
    /// folder
    Install {
        /// Use this local jar; nothing is fetched then
        #[arg(long, value_name = "JAR")]
        from: Option<PathBuf>,
    },
    /// Show which one is used
    Which,
}
