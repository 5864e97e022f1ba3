//! The flags of `tacho warm`.

use crate::arguments::truth;
use crate::load::arguments::{How, What, header};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tacho_experiment::sweep::AT_MOST;
use tacho_quantity::flags::{count, count_to, duration};
use tacho_warm_up::GateAddress;

/// A service that is still starting is not asked for its message types, as `tacho load` asks.
const CALLS: &str = "Call a gRPC method over HTTP/2, such as shop.Orders/Get='{\"id\": 1}' or =@FILE (none: an empty message); for a stream several messages, one per line or as a list; may be given several times, and then each user makes these calls in turn. Needs --proto or --protoset";

/// `tacho warm`.
#[derive(Debug, Args)]
#[command(mut_arg("calls", |calls| calls.help(CALLS)))]
pub struct Warm {
    /// URL to warm up, such as http://localhost:8080/api/users; may be left out if the targets name
    /// it
    pub url: Option<String>,
    #[command(flatten)]
    pub until: Until,
    #[command(flatten)]
    pub what: What,
    #[command(flatten)]
    pub how: How,
    /// Header that marks every request as warm-up, so that the service can keep it out of its data
    /// and metrics (lists in vegeta's format are sent as they are)
    #[arg(long, value_name = "HEADER", default_value = "X-Warm-Up: true", value_parser = header, help_heading = "Requests (GET of the URL by default)")]
    pub mark: (String, String),
    /// Answer readiness probes at this address, :9000 (reachable from this machine only) or
    /// 0.0.0.0:9000/warm (for a kubelet): 503 until warm, then 200 until the service is gone; a
    /// replacement is warmed up before the answer is 200 again
    #[arg(long, value_name = "ADDRESS", help_heading = "Output")]
    pub gate: Option<GateAddress>,
    /// Result as JSON (- for standard output)
    #[arg(
        long,
        value_name = "FILE",
        env = "TACHO_JSON",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub json: Option<PathBuf>,
    /// Hide progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth, help_heading = "Output")]
    pub quiet: bool,
}

/// When it ends.
#[derive(Debug, Args)]
#[command(
    next_help_heading = "Stop (when response times of each kind of request have settled, or at the first of these)"
)]
pub struct Until {
    /// Stop after this many requests [default: 20000, or --at-least where that is more]
    #[arg(long, value_name = "N", value_parser = count)]
    pub at_most: Option<u64>,
    /// Wait for this many answers, even if they settle sooner
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub at_least: u64,
    /// Stop after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub within: Duration,
    /// How long to wait until the service accepts its first connection
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub wait: Duration,
    /// Treat warm-up as failed after this many failures in a row
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = count)]
    pub failures: u64,
    /// What to do if warm-up fails: open lets traffic in anyway, closed does not
    #[arg(long, value_name = "HOW", default_value = "open")]
    pub on_failure: OnFailure,
    /// Concurrent requests
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = count_to::<{ u32::MAX }>)]
    pub connections: u32,
    /// Seed for all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Until {
    /// The most requests. Who asks for more answers than usual, and sets no limit, is not stopped
    /// before.
    pub fn most_requests(&self) -> u64 {
        self.at_most.unwrap_or_else(|| AT_MOST.max(self.at_least))
    }
}

/// What follows when the service cannot be warmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum OnFailure {
    /// Become ready anyway: a cold service is better than none.
    Open,
    /// Stay unready.
    Closed,
}

/// Examples below the help.
pub const EXAMPLES: &str = "Examples:
  tacho warm http://localhost:8080/api/users -b @user.json -H 'Content-Type: application/json'
  tacho warm --targets openapi.yaml http://localhost:8080             a request per operation, each until it has settled
  tacho warm --gate 0.0.0.0:9000 http://localhost:8080/owners         as a sidecar: its readiness probe asks :9000/ready
  tacho warm --on-failure closed --within 30s http://localhost:8080/  as a postStart hook: a pod that cannot be warmed up fails

Settled means: the last half of all requests shows no change point in its service times (PELT),
and no fall of more than 10 % with 95 % confidence. `tacho load` sends requests to measure
the service; `tacho warm` only warms it up.
Exit codes: 0 traffic may come; 1 the service could not be warmed and --on-failure is closed; 2
wrong usage; 4 the machine lacks something; 130 interrupted.";
