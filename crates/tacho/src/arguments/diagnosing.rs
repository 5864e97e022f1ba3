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
  tacho diagnose --baseline war --candidate jar --switch jar-with-joda experiment.yaml   and how much of the loss that recovers
  tacho diagnose app.jar --request 'GET /orders'                            one build: what a request spends
  tacho diagnose --baseline runs/main --candidate runs/pr                   two runs that were made before; nothing is launched
  tacho diagnose --baseline runs/main:jar --candidate runs/pr:jar           which of their variants

What differs between the builds is read from their files. Either is launched once with
instruments, and given the same number of requests several times over, so that everything is told
per request. Then the difference is measured, by launches without any instrument. Where the newer
build is slower, it is launched with its changes put back one by one: the one that recovers the
loss is the cause. The classes that are your own are told by the builds; --own says it where that
is wrong.

Exit codes: as of `tacho run`.";

/// `tacho diagnose`.
#[derive(Debug, Args)]
pub struct Diagnosed {
    /// An experiment file (.yaml); or, to look into one build, a jar or WAR
    pub subject: Option<PathBuf>,
    /// The newer build: a jar or WAR, a variant of the experiment, or the folder of a run, perhaps
    /// with its variant (RUN:VARIANT); the older one is --baseline
    #[arg(long, value_name = "BUILD")]
    pub candidate: Option<String>,
    /// Packages of the application itself, such as com.acme; else `own` of the file's subject, else
    /// found in the artifact
    #[arg(long, value_name = "PACKAGE", value_delimiter = ',')]
    pub own: Vec<String>,
    /// Variants of the experiment that are the candidate with one thing changed: how much of the
    /// loss does each recover? Separated by commas. A fat jar that looks into its class path for
    /// each request is also launched extracted, unless this says `none`
    #[arg(long = "switch", value_delimiter = ',', value_name = "NAMES")]
    pub switches: Vec<String>,
    /// Do not search for the change that is the cause (by default the candidate is launched with
    /// the changes between the builds put back, a few at a time)
    #[arg(long)]
    pub no_put_back: bool,
    /// Requests that warm a launch before it is looked into
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = count)]
    pub warm_up: u64,
    /// Requests for each instrument
    #[arg(long = "window", value_name = "N", default_value_t = 2_000, value_parser = count)]
    pub requests_of_window: u64,
    /// Processor time that is sampled: 6 s are 1,500 samples at the 250 ticks a second of most
    /// kernels
    #[arg(long, value_name = "TIME", default_value = "6s", value_parser = duration)]
    pub sample: Duration,
    /// Connections, each with one request at a time: of the phase with few where no file names
    /// phases, and the fewest over which a build is looked into; else `connections` of the file's
    /// `diagnose`, else 4
    #[arg(long, value_name = "N", value_parser = count_to::<10_000>)]
    pub connections: Option<u32>,
    /// Also write the findings as SARIF, for reviews that show them at their lines
    #[arg(long, value_name = "FILE", env = "TACHO_SARIF", hide_env_values = true)]
    pub sarif: Option<PathBuf>,
    /// Where the sources are whose paths stand in it: the root of the repository
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
    /// Fetch it by Maven (tools.profiler:async-profiler), and unpack it into the user's data
    Install {
        /// A jar that was carried over; nothing is fetched then
        #[arg(long, value_name = "JAR")]
        from: Option<PathBuf>,
    },
    /// Say which one is used
    Which,
}
