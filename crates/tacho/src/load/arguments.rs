//! The flags of `tacho load`.

use super::grpc::Grpc;
use crate::arguments::{LOAD_CHECK, truth};
use crate::exports::{Exports, OfLoad};
use crate::on::{ClusterArguments, On};
use clap::{ArgGroup, Args};
use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;
use tacho_experiment::single;
use tacho_load_report::Collector;
use tacho_quantity::flags::{bytes, count, count_to, cpus, duration, factor, rate};
use tacho_run_folder::{ScheduleSpec, ThinkSpec, TimeUnit};
use tacho_workload::Check;

/// Unless said, by a flag or by imported targets. Enough for 2,000 requests a second at 30 ms each.
pub const CONNECTIONS: u32 = tacho_experiment::defaults::OPEN_CONNECTIONS;

/// More generators than any machine can use.
const MOST_WORKERS: u32 = 256;

const ON_A_CLUSTER: &str = "On a cluster";

/// Variable that makes this process one of several generators.
pub const WORKER_FOLDER: &str = "TACHO_WORKER_FOLDER";

/// Schedules that define their own number of requests.
const NEITHER_CLOSED_NOR_CONSTANT: [&str; 8] = [
    "ramp", "steps", "sine", "poisson", "burst", "replay", "search", "phases",
];
/// Schedules whose users do not wait for an answer.
const NOT_CLOSED: [&str; 9] = [
    "rate", "ramp", "steps", "sine", "poisson", "burst", "replay", "search", "phases",
];

/// `tacho load`.
#[derive(Debug, Args)]
// `-n` is the number of requests here.
#[command(group = ArgGroup::new("when").multiple(false), mut_arg("namespace", |namespace| namespace.short(None)))]
pub struct Load {
    /// URL to send requests to, such as http://localhost:8080/ping or ws://localhost:8080/echo; may
    /// be left out if the targets name it
    pub url: Option<String>,
    #[command(flatten)]
    pub when: When,
    #[command(flatten)]
    pub what: What,
    #[command(flatten)]
    pub how: How,
    #[command(flatten)]
    pub who: Who,
    #[command(flatten)]
    pub output: Output,
}

/// The schedule.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Schedule (closed loop unless another is given)")]
pub struct When {
    /// Open loop: this many requests per second, however slow the subject is
    #[arg(short, long, value_name = "RATE", group = "when", value_parser = rate)]
    pub rate: Option<f64>,
    /// Closed loop: each connection sends its next request once it has the answer
    #[arg(long, group = "when")]
    pub closed: bool,
    /// Open loop: from one rate to another, such as 100..2000
    #[arg(long, value_name = "FROM..TO", group = "when", value_parser = single::ramp)]
    pub ramp: Option<ScheduleSpec>,
    /// Open loop: these rates one after another, each for --duration
    #[arg(long, value_name = "RATES", group = "when", value_delimiter = ',', value_parser = rate)]
    pub steps: Vec<f64>,
    /// Open loop: a rate that follows a sine, as MEAN,AMPLITUDE,PERIOD, such as 500,300,1m
    #[arg(long, value_name = "SINE", group = "when", value_parser = single::sine)]
    pub sine: Option<ScheduleSpec>,
    /// Open loop: this many requests per second on average, at independent times, like real users
    #[arg(long, value_name = "RATE", group = "when", value_parser = rate)]
    pub poisson: Option<f64>,
    /// Open loop: bursts and pauses, as RATE,ON,OFF, such as 5000,1s,9s
    #[arg(long, value_name = "BURST", group = "when", value_parser = single::burst)]
    pub burst: Option<ScheduleSpec>,
    /// Open loop: at the times in this file, one per line or in a CSV column (also Tacho's own
    /// requests.csv); decimals are seconds
    #[arg(long, value_name = "FILE", group = "when")]
    pub replay: Option<PathBuf>,
    /// Find the highest rate at which this holds, such as 'p99<50ms'
    #[arg(long, value_name = "OBJECTIVE", group = "when")]
    pub search: Option<String>,
    /// The phases of a YAML file, as under `phases:` in an experiment
    #[arg(long, value_name = "FILE", group = "when")]
    pub phases: Option<PathBuf>,
    /// Replay this many times as fast
    #[arg(
        long,
        value_name = "FACTOR",
        default_value_t = 1.0,
        value_parser = factor,
        requires = "replay"
    )]
    pub speed: f64,
    /// Unit of the recorded times: s, ms, us, ns
    #[arg(long, value_name = "UNIT", requires = "replay", value_parser = time_unit)]
    pub replay_unit: Option<TimeUnit>,
    /// Column of the recorded times
    #[arg(long, value_name = "NAME", requires = "replay")]
    pub replay_column: Option<String>,
    /// Range of rates to search [default: 10..100000]
    #[arg(long, value_name = "FROM..TO", requires = "search", value_parser = single::range)]
    pub between: Option<(f64, f64)>,
    /// Connections; with HTTP/2, concurrent requests, over as many connections as --streams implies
    /// [default: those of the targets, else 64]
    #[arg(short, long, value_name = "N", value_parser = count_to::<{ u32::MAX }>)]
    pub connections: Option<u32>,
    /// Time to send: 20s, 5m; in a search, per trial [default: 10s]
    #[arg(short, long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["replay", "phases"])]
    pub duration: Option<Duration>,
    /// Total number of requests (closed loop and --rate; with --duration, whichever comes first)
    #[arg(short = 'n', long, value_name = "N", value_parser = requests, conflicts_with_all = NEITHER_CLOSED_NOR_CONSTANT)]
    pub requests: Option<u64>,
    /// Closed loop: add connections gradually over this time
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = NOT_CLOSED)]
    pub join: Option<Duration>,
    /// Closed loop: wait between an answer and the next request, such as 100ms, 50ms..200ms,
    /// exp:100ms
    #[arg(long, value_name = "TIME", value_parser = single::think, conflicts_with_all = NOT_CLOSED)]
    pub think: Option<ThinkSpec>,
    /// Send the same load for this long first, reported separately; a ramp, steps and a search use
    /// their first rate
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["replay", "phases"])]
    pub warm_up: Option<Duration>,
    /// Seed for all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The requests.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Requests (GET of the URL by default)")]
pub struct What {
    /// HTTP method
    #[arg(short = 'X', long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Header, as 'Name: value'; may be given several times; replaces headers of the same name in
    /// targets
    #[arg(short = 'H', long = "header", value_name = "HEADER", value_parser = header)]
    pub headers: Vec<(String, String)>,
    /// Body, or @FILE; {{placeholders}} are filled in
    #[arg(short = 'b', long, value_name = "BODY")]
    pub body: Option<String>,
    /// Read requests from a file, or from standard input (-)
    #[arg(short, long, value_name = "FILE")]
    pub targets: Option<PathBuf>,
    /// Their format: vegeta, vegeta-json, curl, jmx, openapi, har, postman [default: guessed]
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<tacho_import::Format>,
    /// Values for the variables of a Postman collection: an exported environment, its globals, or a
    /// JSON object; may be given several times, the first file with a value wins
    #[arg(long = "environment", value_name = "FILE", requires = "targets")]
    pub environments: Vec<PathBuf>,
    #[command(flatten)]
    pub grpc: Grpc,
    /// Data for {{NAME.column}}, as NAME=FILE.csv or NAME=FILE.jsonl; may be given several times
    #[arg(long = "feed", value_name = "NAME=FILE", value_parser = named_file)]
    pub feeds: Vec<(String, PathBuf)>,
    /// Order of feed rows: cycle, once (ends after the last), random
    #[arg(long, value_name = "ORDER", default_value = "cycle")]
    pub feed_order: FeedOrder,
    /// What each answer must have: status=200, header=X-Id, body~TEXT, json=$.id; may be given
    /// several times
    #[arg(short, long = "expect", value_name = "CHECK", value_parser = str::parse::<Check>)]
    pub expects: Vec<Check>,
    /// Server-sent events or WebSocket messages: an answer ends with the Nth one; an event stream
    /// is then closed
    #[arg(long, value_name = "N", value_parser = events, conflicts_with = "calls")]
    pub events: Option<NonZeroU32>,
    /// WebSocket: number of messages that the subject sends first; wait for them when a connection
    /// is opened
    #[arg(long, value_name = "N", value_parser = count_to::<{ u32::MAX }>, conflicts_with_all = ["targets", "calls"])]
    pub greeting: Option<u32>,
    /// Follow at most this many redirects of one request (10 if no number is given)
    #[arg(long, value_name = "N", default_value_t = 0, default_missing_value = "10", num_args = 0..=1, require_equals = true)]
    pub follow: u32,
    /// Keep the cookies that the subject sets, per virtual user
    #[arg(long)]
    pub cookies: bool,
}

/// The transport.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How")]
pub struct How {
    /// Use HTTP/2: negotiated (ALPN) over TLS, by prior knowledge over plain connections
    #[arg(long)]
    pub http2: bool,
    /// HTTP/2: concurrent requests per connection
    #[arg(long, value_name = "N", default_value_t = 100, requires = "http2", value_parser = count_to::<{ u32::MAX }>)]
    pub streams: u32,
    /// Also trust this certificate authority (PEM), besides system ones
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Client certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
    /// Server name to request and to verify, if it differs from the URL's
    #[arg(long, value_name = "NAME")]
    pub server_name: Option<String>,
    /// Do not verify certificates
    #[arg(long)]
    pub insecure: bool,
    /// Connect to this Unix socket
    #[arg(long, value_name = "PATH")]
    pub unix_socket: Option<PathBuf>,
    /// Send requests due within this time together: uses less processor time, but causes bursts
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = duration)]
    pub batch: Duration,
    /// Give up on an answer after this time (30s, or what a curl command or JMeter plan says)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Give up on connecting after this time (5s, or what a curl command or JMeter plan says)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub connect_timeout: Option<Duration>,
}

/// Without a flag, and where targets say nothing.
pub const TIMEOUT: Duration = Duration::from_secs(30);
/// The same for connecting.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// The generators.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How")]
pub struct Who {
    /// Split the load across this many generators, each a process with one sending thread, if one
    /// processor cannot send enough. Their results are merged
    #[arg(long, value_name = "N", value_parser = count_to::<MOST_WORKERS>)]
    pub workers: Option<u32>,
    /// Where generators run, if not on this machine: in pods of one Job, which is deleted at the
    /// end
    #[arg(long, value_enum, value_name = "WHERE", help_heading = ON_A_CLUSTER)]
    pub on: Option<On>,
    /// Their image, with this version of Tacho, by the name under which nodes pull it [default:
    /// this program, delivered as the kubeconfig says; kind, k3d, minikube and cluster-box are
    /// known]
    #[arg(long, value_name = "NAME", requires = "on", conflicts_with = "load_image", help_heading = ON_A_CLUSTER)]
    pub image: Option<String>,
    /// Command that loads an image of this program onto the node instead; a file name is appended
    /// to it, such as `cluster-box/box load` or `ctr -n k8s.io images import`
    #[arg(long, value_name = "COMMAND", requires = "on", help_heading = ON_A_CLUSTER)]
    pub load_image: Option<String>,
    /// CPU limit of each generator, where the namespace requires one; a generator that reaches it
    /// is late
    #[arg(long, value_name = "CPUS", requires = "on", value_parser = cpus, help_heading = ON_A_CLUSTER)]
    pub worker_cpu: Option<f64>,
    /// Memory limit of each generator, likewise
    #[arg(long, value_name = "BYTES", requires = "on", value_parser = bytes, help_heading = ON_A_CLUSTER)]
    pub worker_memory: Option<u64>,
    #[command(flatten, next_help_heading = ON_A_CLUSTER)]
    pub cluster: ClusterArguments,
    /// As one of them: the folder in which to write. Orders come on standard input.
    #[arg(long, hide = true, env = WORKER_FOLDER)]
    pub worker_folder: Option<PathBuf>,
    /// As one of them on another machine: where to listen for the terminal.
    #[arg(long, hide = true, value_name = "ADDRESS")]
    pub as_worker: Option<SocketAddr>,
    /// As one of them: keep each request, and say which connection it took, for whoever asks what
    /// became of single ones.
    #[arg(long, hide = true)]
    pub every_request: bool,
}

/// What is written.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "Output")]
pub struct Output {
    /// An objective such as 'p99<50ms' or 'errors<0.1%'; may be given several times
    #[arg(
        long = "check",
        value_name = "CHECK",
        env = LOAD_CHECK,
        hide_env_values = true
    )]
    pub checks: Vec<String>,
    #[command(flatten)]
    pub exports: Exports<OfLoad>,
    /// Write the first 10,000 and the slowest requests one by one, and all other results, to this
    /// folder
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Serve live figures for Prometheus to scrape at this address, such as 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub prometheus_at: Option<SocketAddr>,
    /// Send live and final figures every 5 s to an OpenTelemetry collector (OTLP over HTTP, in
    /// JSON), such as http://127.0.0.1:4318
    #[arg(long, value_name = "URL", value_parser = str::parse::<Collector>, env = "TACHO_OTLP", hide_env_values = true)]
    pub otlp: Option<Collector>,
    /// Hide progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
    /// Print what would be sent, and stop
    #[arg(long)]
    pub dry_run: bool,
}

/// Which row of a feed comes next.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum FeedOrder {
    /// Start again from the first after the last.
    #[default]
    Cycle,
    /// End the load after the last.
    Once,
    /// Random, by the seed.
    Random,
}

/// Examples below the help.
pub const EXAMPLES: &str = "Examples:
  tacho load http://localhost:8080/ping                       closed loop, 64 connections, 10 s
  tacho load --rate 2000 --duration 1m URL                    as 2,000 users per second would see it
  tacho load --search 'p99<50ms' URL                          the highest rate it can bear
  tacho load --ramp 100..5000 --duration 2m URL               a rising rate
  tacho load --rate 500 -X POST -H 'Content-Type: application/json' -b '{\"id\":\"{{uuid}}\"}' URL
  tacho load --rate 300000 --workers 4 URL                    more than one processor can send
  tacho load --workers 8 --on kubernetes --image NAME URL     more than one machine can send
  tacho load --rate 50 --targets plan.jmx                     the requests of a JMeter plan
  tacho load --rate 50 --targets shop.har http://localhost:8080   a browser's recording, sent to a copy
  cat targets.txt | tacho load --rate 100 --targets - --format vegeta
  tacho load --rate 1000 --check 'p99<50ms' --check 'errors<0.1%' --junit load.xml URL

Response time counts from the time at which a request was scheduled, so that a stall of the subject
shows in every request that it would have delayed. Placeholders: {{counter}}, {{random 1
100}}, {{uuid}}, {{now}}, {{feed.column}}.
Exit codes: 0 done; 1 a check does not hold; 2 wrong usage; 3 the certificate is invalid, or
nothing was answered; 4 the machine lacks something; 130 interrupted.";

fn time_unit(text: &str) -> Result<TimeUnit, String> {
    match text {
        "s" => Ok(TimeUnit::S),
        "ms" => Ok(TimeUnit::Ms),
        "us" => Ok(TimeUnit::Us),
        "ns" => Ok(TimeUnit::Ns),
        _ => Err("expected s, ms, us or ns".to_owned()),
    }
}

pub fn header(text: &str) -> Result<(String, String), String> {
    text.split_once(':')
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| "expected 'Name: value'".to_owned())
}

/// Parses the number of events.
fn events(text: &str) -> Result<NonZeroU32, String> {
    let count = count_to::<{ u32::MAX }>(text)?;
    NonZeroU32::new(count).ok_or_else(|| "write a whole number from 1 on".to_owned())
}

fn requests(text: &str) -> Result<u64, String> {
    let begins_as_a_name = text.starts_with(|first: char| first.is_ascii_lowercase());
    count(text).map_err(|error| match begins_as_a_name {
        true => format!(
            "{error}; -n is the number of requests here: name a namespace by --namespace {text}"
        ),
        false => error.to_string(),
    })
}

fn named_file(text: &str) -> Result<(String, PathBuf), String> {
    text.split_once('=')
        .filter(|(name, path)| !name.is_empty() && !path.is_empty())
        .map(|(name, path)| (name.to_owned(), PathBuf::from(path)))
        .ok_or_else(|| "expected NAME=FILE, such as users=users.csv".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_or_refused() {
        assert_eq!(header("A:  b: c "), Ok(("A".to_owned(), "b: c".to_owned())));
        assert!(header("no colon").is_err());
    }

    #[test]
    fn a_namespace_is_no_number_of_requests() {
        assert_eq!(requests("500"), Ok(500));
        let told = requests("shop").unwrap_err();
        assert!(told.contains("--namespace shop"), "{told}");
        assert!(!requests("-5").unwrap_err().contains("--namespace"));
    }
}
