//! The flags of `tacho load`.

use super::grpc::Grpc;
use crate::arguments::truth;
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
    /// Where to, such as http://localhost:8080/ping or ws://localhost:8080/echo; may be left out
    /// when the targets name it
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
#[command(next_help_heading = "When (closed loop unless a schedule is given)")]
pub struct When {
    /// Open loop: this many requests a second, whatever the subject does
    #[arg(short, long, value_name = "RATE", group = "when", value_parser = rate)]
    pub rate: Option<f64>,
    /// Closed loop: each connection sends its next request when it has its answer
    #[arg(long, group = "when")]
    pub closed: bool,
    /// Open loop: from one rate to another, such as 100..2000
    #[arg(long, value_name = "FROM..TO", group = "when", value_parser = single::ramp)]
    pub ramp: Option<ScheduleSpec>,
    /// Open loop: these rates one after another, each for --duration
    #[arg(long, value_name = "RATES", group = "when", value_delimiter = ',', value_parser = rate)]
    pub steps: Vec<f64>,
    /// Open loop: a rate that swings, as MEAN,AMPLITUDE,PERIOD, such as 500,300,1m
    #[arg(long, value_name = "SINE", group = "when", value_parser = single::sine)]
    pub sine: Option<ScheduleSpec>,
    /// Open loop: this many a second on average, independent of one another as users are
    #[arg(long, value_name = "RATE", group = "when", value_parser = rate)]
    pub poisson: Option<f64>,
    /// Open loop: bursts and rests, as RATE,ON,OFF, such as 5000,1s,9s
    #[arg(long, value_name = "BURST", group = "when", value_parser = single::burst)]
    pub burst: Option<ScheduleSpec>,
    /// Open loop: at the instants in this file, one a line or a column of CSV (Tacho's own
    /// requests.csv too); decimals are seconds
    #[arg(long, value_name = "FILE", group = "when")]
    pub replay: Option<PathBuf>,
    /// Search the highest rate at which this holds, such as 'p99<50ms'
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
    /// Unit of the recorded instants: s, ms, us, ns
    #[arg(long, value_name = "UNIT", requires = "replay", value_parser = time_unit)]
    pub replay_unit: Option<TimeUnit>,
    /// Column of the recorded instants
    #[arg(long, value_name = "NAME", requires = "replay")]
    pub replay_column: Option<String>,
    /// Rates between which to search (10..100000 unless said)
    #[arg(long, value_name = "FROM..TO", requires = "search", value_parser = single::range)]
    pub between: Option<(f64, f64)>,
    /// Connections (those of the targets, or 64, unless said); with HTTP/2 requests that can be
    /// under way at a time, over as many connections as --streams says
    #[arg(short, long, value_name = "N", value_parser = count_to::<{ u32::MAX }>)]
    pub connections: Option<u32>,
    /// How long: 20s, 5m (10s unless said; of a search: each trial)
    #[arg(short, long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["replay", "phases"])]
    pub duration: Option<Duration>,
    /// How many, in all (closed loop and --rate; with --duration whichever is first)
    #[arg(short = 'n', long, value_name = "N", value_parser = requests, conflicts_with_all = NEITHER_CLOSED_NOR_CONSTANT)]
    pub requests: Option<u64>,
    /// Closed loop: connections join in over so long
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = NOT_CLOSED)]
    pub join: Option<Duration>,
    /// Closed loop: wait between an answer and the next request, such as 100ms, 50ms..200ms,
    /// exp:100ms
    #[arg(long, value_name = "TIME", value_parser = single::think, conflicts_with_all = NOT_CLOSED)]
    pub think: Option<ThinkSpec>,
    /// The same load for this long first, reported separately; a ramp, steps and a search use
    /// their first rate
    #[arg(long, value_name = "TIME", value_parser = duration, conflicts_with_all = ["replay", "phases"])]
    pub warm_up: Option<Duration>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// The requests.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "What (GET of the URL unless said)")]
pub struct What {
    /// Method
    #[arg(short = 'X', long, value_name = "METHOD")]
    pub method: Option<String>,
    /// Header, as 'Name: value'; may be given several times; with targets it stands in place of
    /// their own
    #[arg(short = 'H', long = "header", value_name = "HEADER", value_parser = header)]
    pub headers: Vec<(String, String)>,
    /// Body, or @FILE; {{placeholders}} are filled in
    #[arg(short = 'b', long, value_name = "BODY")]
    pub body: Option<String>,
    /// Requests from a file, or from standard input (-)
    #[arg(short, long, value_name = "FILE")]
    pub targets: Option<PathBuf>,
    /// How they are written (guessed unless said): vegeta, vegeta-json, curl, jmx, openapi, har,
    /// postman
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<tacho_import::Format>,
    /// Values for the variables of a Postman collection: an exported environment, its globals, or
    /// a JSON object; may be given several times, the first that has a value counts
    #[arg(long = "environment", value_name = "FILE", requires = "targets")]
    pub environments: Vec<PathBuf>,
    #[command(flatten)]
    pub grpc: Grpc,
    /// Data for {{NAME.column}}, as NAME=FILE.csv or NAME=FILE.jsonl; may be given several times
    #[arg(long = "feed", value_name = "NAME=FILE", value_parser = named_file)]
    pub feeds: Vec<(String, PathBuf)>,
    /// Rows of the feeds: cycle, once (ends after the last), random
    #[arg(long, value_name = "ORDER", default_value = "cycle")]
    pub feed_order: FeedOrder,
    /// What an answer must be: status=200, header=X-Id, body~TEXT, json=$.id; may be given several
    /// times
    #[arg(short, long = "expect", value_name = "CHECK", value_parser = str::parse::<Check>)]
    pub expects: Vec<Check>,
    /// Server-sent events, or messages of a WebSocket: an answer is over with its Nth; a stream of
    /// events is closed then
    #[arg(long, value_name = "N", value_parser = events, conflicts_with = "calls")]
    pub events: Option<NonZeroU32>,
    /// WebSocket: the subject sends so many messages first; they are waited for when a connection
    /// is opened
    #[arg(long, value_name = "N", value_parser = count_to::<{ u32::MAX }>, conflicts_with_all = ["targets", "calls"])]
    pub greeting: Option<u32>,
    /// Follow at most this many redirects of one request
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
    /// HTTP/2: negotiated (ALPN) over TLS, by prior knowledge over plain connections
    #[arg(long)]
    pub http2: bool,
    /// HTTP/2: requests that share a connection
    #[arg(long, value_name = "N", default_value_t = 100, requires = "http2", value_parser = count_to::<{ u32::MAX }>)]
    pub streams: u32,
    /// Trust this authority (PEM), beside those of the system
    #[arg(long, value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Client certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "key")]
    pub cert: Option<PathBuf>,
    /// Its key (PEM)
    #[arg(long, value_name = "FILE", requires = "cert")]
    pub key: Option<PathBuf>,
    /// Name to ask for and to verify, when it is not that of the URL
    #[arg(long, value_name = "NAME")]
    pub server_name: Option<String>,
    /// Do not verify who answers
    #[arg(long)]
    pub insecure: bool,
    /// Connect to this Unix socket
    #[arg(long, value_name = "PATH")]
    pub unix_socket: Option<PathBuf>,
    /// Send requests due within this time together: uses less processor time, but causes bursts
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = duration)]
    pub batch: Duration,
    /// Give up on an answer after so long
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration)]
    pub timeout: Duration,
    /// Give up on a connection after so long
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = duration)]
    pub connect_timeout: Duration,
}

/// The generators.
#[derive(Debug, Default, Args)]
#[command(next_help_heading = "How")]
pub struct Who {
    /// Share the load among this many generators, each a process with one sending thread, when one
    /// processor cannot send enough. Their results are merged
    #[arg(long, value_name = "N", value_parser = count_to::<MOST_WORKERS>)]
    pub workers: Option<u32>,
    /// Where they are, if not on this machine: pods of one Job each, which is deleted at the end
    #[arg(long, value_enum, value_name = "WHERE", help_heading = ON_A_CLUSTER)]
    pub on: Option<On>,
    /// Their image, which holds this version of Tacho, by the name by which nodes fetch it
    #[arg(long, value_name = "NAME", requires = "on", conflicts_with = "load_image", help_heading = ON_A_CLUSTER)]
    pub image: Option<String>,
    /// Hands an image of this very program to the node instead: a command, to which the name of a
    /// file is added, such as `cluster-box/box load` or `ctr -n k8s.io images import`
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
    #[arg(long = "check", value_name = "CHECK")]
    pub checks: Vec<String>,
    #[command(flatten)]
    pub exports: Exports<OfLoad>,
    /// The first 10,000 requests and the slowest one by one, and all the rest, into this folder
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Live figures, for a Prometheus that scrapes this address, such as
    /// 127.0.0.1:9464
    #[arg(long, value_name = "ADDRESS")]
    pub prometheus_at: Option<SocketAddr>,
    /// Live and final figures, to an OpenTelemetry collector (OTLP over HTTP, in JSON), such as
    /// http://127.0.0.1:4318; every 5 s
    #[arg(long, value_name = "URL", value_parser = str::parse::<Collector>, env = "TACHO_OTLP", hide_env_values = true)]
    pub otlp: Option<Collector>,
    /// No progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth)]
    pub quiet: bool,
    /// Print what would be sent first, and stop
    #[arg(long)]
    pub dry_run: bool,
}

/// Which row of a feed comes next.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
pub enum FeedOrder {
    /// From the front again after the last.
    #[default]
    Cycle,
    /// The load ends after the last.
    Once,
    /// Any, by the seed.
    Random,
}

/// Examples below the help.
pub const EXAMPLES: &str = "Examples:
  tacho load http://localhost:8080/ping                       closed loop, 64 connections, 10 s
  tacho load --rate 2000 --duration 1m URL                    as 2,000 users a second would feel it
  tacho load --search 'p99<50ms' URL                          what the subject can carry
  tacho load --ramp 100..5000 --duration 2m URL               until it bends
  tacho load --rate 500 -X POST -H 'Content-Type: application/json' -b '{\"id\":\"{{uuid}}\"}' URL
  tacho load --rate 300000 --workers 4 URL                    more than one processor can send
  tacho load --workers 8 --on kubernetes --image NAME URL     more than one machine can send
  tacho load --rate 50 --targets plan.jmx                     what JMeter was going to do
  tacho load --rate 50 --targets shop.har http://localhost:8080   what a browser has recorded, sent to a copy
  cat targets.txt | tacho load --rate 100 --targets - --format vegeta
  tacho load --rate 1000 --check 'p99<50ms' --check 'errors<0.1%' --junit load.xml URL

Response time counts from the instant at which the schedule wanted a request sent, so that a stall
of the subject is seen by everyone whom it would have met. Placeholders: {{counter}}, {{random 1
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
