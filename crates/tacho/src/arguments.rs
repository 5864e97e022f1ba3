//! The command line.

use crate::commands::instruments::arguments::{
    CLASSES_EXAMPLES, ClassLookUps, EXCEPTIONS_EXAMPLES, Exceptions, PROFILE_EXAMPLES, Profile,
    TRACE_EXAMPLES, Trace, WATCH_EXAMPLES, Watch,
};
use crate::exports::{Exports, OfRun};
use crate::load::arguments::{EXAMPLES as LOAD_EXAMPLES, Load};
use crate::on::{ClusterArguments, Elsewhere, On};
use crate::rollout::arguments::{EXAMPLES as ROLLOUT_EXAMPLES, Rollout};
use crate::warm::arguments::{EXAMPLES as WARM_EXAMPLES, Warm};
use clap::{Args, Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use tacho_experiment::sweep::NamedWarmUp;
use tacho_experiment::{Diagnose, Launches, VariantKind};
use tacho_quantity::flags::{bytes, count, count_to, cpus, duration, rate};
use tacho_registry::Name;
use tacho_workload::{Scenario, Script, Step};

/// A dynamometer for microservices: point it at a service and learn how to ship it.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXAMPLES)]
pub struct Arguments {
    /// Mask the values of this name, too, in all that is written: of a variable, property, option,
    /// header; may be given several times
    #[arg(long, global = true, value_name = "NAME", help_heading = "Output")]
    pub mask: Vec<String>,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "Begin with:
  tacho doctor                      what this machine can do
  tacho run target/app.jar          compare the ways to ship it; no file needed
  tacho init target/app.jar         write an experiment.yaml to adapt
  tacho run experiment.yaml         compare what it says

Exit codes: 0 done; 1 a check does not hold; 2 wrong usage or experiment file; 3 a launch failed
or the certificate is invalid; 4 the machine lacks something; 130 interrupted.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Compare the ways to ship a service, and print which one to choose
    #[command(after_help = RUN_EXAMPLES)]
    Run(Box<Run>),
    /// Send requests to a URL, and say how long the answers took
    #[command(after_help = LOAD_EXAMPLES)]
    Load(Box<Load>),
    /// Warm a running service up before it takes traffic: requests until its response times have
    /// settled
    #[command(after_help = WARM_EXAMPLES)]
    Warm(Box<Warm>),
    /// Find how warm a service must be before it takes traffic, and what that costs
    #[command(after_help = WARMUP_EXAMPLES)]
    Warmup(Box<Warmup>),
    /// It got slower: why? From two builds to the line of code, with counts per request
    #[command(after_help = DIAGNOSE_EXAMPLES)]
    Diagnose(Box<Diagnosed>),
    /// Find the smallest memory and CPU limits at which a service still keeps its objective
    #[command(after_help = FIT_EXAMPLES)]
    Fit(Box<Fit>),
    /// Read garbage collection logs: how long the program stood still, why, and what the heap was
    /// for
    #[command(after_help = GC_EXAMPLES)]
    Gc(Gc),
    /// Hold what somebody claims in figures against this machine: the same, not the same, or not
    /// told
    #[command(after_help = CLAIMS_EXAMPLES)]
    Claims(Claims),
    /// Change a Deployment of a cluster while users come: which requests were lost, and why
    #[command(after_help = ROLLOUT_EXAMPLES)]
    Rollout(Box<Rollout>),
    /// Write down what clients send to a service, as targets for `tacho load`; secrets are left out
    #[command(after_help = RECORD_EXAMPLES)]
    Record(Record),
    /// Put a service into a container image, one variant with all it needs; no Docker is needed
    #[command(after_help = IMAGE_EXAMPLES)]
    Image(Image),
    /// Write a commented experiment.yaml to start from
    Init(Init),
    /// Make the report again, from the run folder alone
    Report(Report),
    /// Say what this machine, or a cluster, can and cannot do, and how to mend it
    Doctor(Doctor),
    /// Say where the memory of a running process is: heap, metaspace, code, stacks, direct buffers,
    /// files, libc
    #[command(after_help = MEMORY_NOTES)]
    Memory(Memory),
    /// Sample where the time, the memory and the waiting of a running JVM go; flame graphs and
    /// exports
    #[command(after_help = PROFILE_EXAMPLES)]
    Profile(Box<Profile>),
    /// Trace methods of a running JVM: where their time goes, call by call, level by level
    #[command(after_help = TRACE_EXAMPLES)]
    Trace(Box<Trace>),
    /// Watch calls of a method in a running JVM: arguments, result or exception, time
    #[command(after_help = WATCH_EXAMPLES)]
    Watch(Box<Watch>),
    /// Count the exceptions of a running JVM, swallowed ones included, by class, message and line
    #[command(after_help = EXCEPTIONS_EXAMPLES)]
    Exceptions(Box<Exceptions>),
    /// Count what a running JVM looks for by name: classes, found or absent, and resources
    #[command(after_help = CLASSES_EXAMPLES)]
    Classes(Box<ClassLookUps>),
    /// Measure built-in servers whose response times are known: does Tacho measure rightly here?
    #[command(after_help = SELFTEST_CODES)]
    Selftest(Selftest),
    /// Be a server that says what a load generator really did: when each request arrived, by the
    /// kernel
    #[command(after_help = WITNESS_EXAMPLES)]
    Witness(Witness),
    /// Native images without a GraalVM download: install a builder made of Maven Central's parts
    #[command(subcommand, name = "native-kit", after_help = NATIVE_KIT_EXAMPLES)]
    NativeKit(NativeKit),
    /// The sampler that `diagnose` and `profile` use: install async-profiler, or say which one is
    /// used
    #[command(subcommand)]
    Profiler(Profiler),
    /// Print the JSON Schema of a file of the run folder
    Schema(Schema),
    /// Print what a shell reads to complete commands and options
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions(Completions),
    /// Write a page of the manual for each command
    Man(Man),
    /// Started by `profile`, and by nobody else: ends its sampling when it is killed
    #[command(hide = true, name = tacho_instruments::GUARD)]
    GuardProfile,
    /// Started by `selftest`, and by nobody else: sees what its generator sends, until standard
    /// input ends
    #[command(hide = true, name = WITNESS_PROCESS)]
    BeWitness,
    /// Started by `run --on kubernetes` in a pod, and by nobody else: carries out its launches
    #[command(hide = true, name = RUN_POD)]
    BeRunPod {
        /// Where its terminal comes
        listen: SocketAddr,
    },
}

/// The name of that command.
pub const WITNESS_PROCESS: &str = "be-witness";
/// And of the one that a run pod starts.
pub const RUN_POD: &str = "be-run-pod";

const IMAGE_EXAMPLES: &str = "Examples:
  tacho image target/app.jar -o app.tar                        the jar with its JDK
  tacho image target/app.jar --variant jlink -o app.tar        with a runtime of the modules it needs
  tacho image target/app.jar --variant native -o app.tar       a native image, and nothing else
  tacho image app.jar --variant extracted --base base.tar --name registry/app:1 -o app.tar
  tacho image target/app.jar --push registry.example/team/app:1   into a registry: parts that it has are not sent again

The file is an OCI layout: `podman load -i`, `ctr images import`, `skopeo copy oci-archive:`, and
`docker load -i` from version 25 on read it. The same files give the same bytes.";

const NATIVE_KIT_EXAMPLES: &str = "Examples:
  tacho native-kit install                                into your own data folder, where `tacho run` finds it
  tacho native-kit install --to /opt/native-kit           for everybody; then set GRAALVM_HOME to it
  tacho native-kit install --from ~/graalvm-jdk-25        use a GraalVM or Mandrel that you have unpacked
  tacho native-kit which                                  the builder that `native` variants are made with

It needs a JDK 25, gcc and Maven; the builder's jars come through your own Maven (mirrors, proxies
and an offline repository work as they do for your builds). Nothing is fetched when images are
built.";

/// `tacho native-kit`.
#[derive(Debug, Subcommand)]
pub enum NativeKit {
    /// Make a GRAALVM_HOME whose bin/native-image works
    Install(NativeKitInstall),
    /// Say which builder `native` variants are made with
    Which,
}

/// `tacho native-kit install`.
#[derive(Debug, Args)]
pub struct NativeKitInstall {
    /// Where; else below $XDG_DATA_HOME/tacho/native-kit (~/.local/share/tacho/native-kit)
    #[arg(long, value_name = "DIR")]
    pub to: Option<PathBuf>,
    /// The JDK 25 to build with; else JAVA_HOME, or one that is found
    #[arg(long, value_name = "HOME")]
    pub jdk: Option<PathBuf>,
    /// Use this unpacked GraalVM or Mandrel instead of making one
    #[arg(long, value_name = "PATH")]
    pub from: Option<PathBuf>,
    /// Make it again though it is there
    #[arg(long)]
    pub force: bool,
}

const RUN_EXAMPLES: &str = "Examples:
  tacho run app.jar                                       every way to ship it that works here
  tacho run app.jar --cpu 0.25 --memory 256MiB            as a small container would run it
  tacho run app.jar --request 'GET /owners' --variants jar,cds,aot
  tacho run experiment.yaml --check 'p99<50ms' --junit tacho.xml
  tacho run experiment.yaml --on kubernetes --load-image 'cluster-box/box load'
                                                          each launch as a pod, on this machine's node

The run folder holds everything that was measured; `tacho report` and all analysis work on it
alone.";

const RECORD_EXAMPLES: &str = "Examples:
  tacho record http://localhost:8080                      then let clients use http://127.0.0.1:9090
  tacho record http://localhost:8080 -n 1000 -o shop.jsonl --times shop.csv
  tacho load -t shop.jsonl --replay shop.csv http://localhost:8081   the same again, to a copy

What passes is carried as it is. Headers that are secret (Authorization, Cookie) are left out, and
named at the end; secrets in addresses and bodies are masked by their names (--mask adds some).";

/// `tacho record`.
#[derive(Debug, Args)]
pub struct Record {
    /// The service, as http://localhost:8080
    pub service: String,
    /// Where clients come to; of this machine's loopback
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9090")]
    pub listen: SocketAddr,
    /// File of targets to write, a JSON object a line
    #[arg(short, long, value_name = "FILE", default_value = "targets.jsonl")]
    pub output: PathBuf,
    /// Also write when each came, in seconds since the first: for `tacho load --replay`
    #[arg(long, value_name = "FILE")]
    pub times: Option<PathBuf>,
    /// End after so many requests; else at Ctrl-C
    #[arg(short = 'n', long, value_name = "N")]
    pub requests: Option<u64>,
    /// Do not say where it listens
    #[arg(short, long)]
    pub quiet: bool,
}

/// `tacho run`.
#[derive(Debug, Args)]
pub struct Run {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Measure a second copy of the baseline as well: what is told of it is chance
    #[arg(long)]
    pub aa: bool,
    /// Run the baseline and one candidate at the same time, each on half of the processors: what
    /// disturbs one disturbs the other
    #[arg(long)]
    pub duet: bool,
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub output: RunOutput,
}

/// Where the results of a run go.
#[derive(Debug, Args, Clone)]
#[command(next_help_heading = "Output")]
pub struct RunOutput {
    /// Where run folders are made
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    #[command(flatten)]
    pub exports: Exports<OfRun>,
    /// Print the summary only, no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Print the plan and stop; nothing is started
    #[arg(
        long,
        help_heading = "Experiment (over the file, or over the defaults)"
    )]
    pub dry_run: bool,
}

const WARMUP_EXAMPLES: &str = "Examples:
  tacho warmup app.jar --rate 1000/s --pods 2             after 0, 100, 1,000, 10,000 requests, and until settled
  tacho warmup app.jar --rate 200 --cpu 1 --objective 50ms --recipes none,500,settled,bursts:1000,boost:2
  tacho warmup experiment.yaml --variants jar,aot         as the file says, or with the usual recipes

Each launch is warmed by a recipe, and then serves users at the given rate; what they waited is
set against the time that warming took. Recipes: none, a number of requests, each:N (of every kind
of request), bursts:N (with rests in which the compiler catches up), settled (until response times
have settled, as `tacho warm` does), boost:CPUS (more processors until it is warm). A service that
warms itself before it says that it is ready is a variant of an experiment file.

Exit codes: as of `tacho run`.";

/// `tacho warmup`.
#[derive(Debug, Args)]
pub struct Warmup {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Ways to warm it, separated by commas; else those of the file, or none,100,1000,10000,settled
    #[arg(long, value_delimiter = ',', value_name = "RECIPES", value_parser = recipe)]
    pub recipes: Vec<NamedWarmUp>,
    /// Users' requests a second in all, at a constant rate; else the phases of the file
    #[arg(long, value_name = "RATE", value_parser = rate)]
    pub rate: Option<f64>,
    /// For how long users are served; else a minute
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub duration: Option<Duration>,
    /// Processes of each launch, to which requests go in turn; each has the limits for itself
    #[arg(long, value_name = "N", value_parser = count_to::<64>)]
    pub pods: Option<u32>,
    /// A user who waits longer is not served well; the cheapest warm-up whose p99 stays within it
    /// wins
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub objective: Option<Duration>,
    /// Also write this into the run folder; several separated by commas
    #[arg(long, value_enum, value_delimiter = ',')]
    pub emit: Vec<Emit>,
    #[command(flatten)]
    pub elsewhere: Elsewhere,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub output: RunOutput,
}

const FIT_EXAMPLES: &str = "Examples:
  tacho fit app.jar --check 'p99<50ms'                    the least memory, then the least CPU
  tacho fit app.jar --only memory --memory 512MiB         not above 512 MiB
  tacho fit experiment.yaml --variants native --cpu 1     one variant, at one processor or less

A limit holds when every launch at it is completed and meets every check; what was found has to
hold again. Memory is searched at the CPU limit that is given, CPU at the memory that was found.
It takes some ten trials of several launches each.

Exit codes: as of `tacho run`; 1 when not even the highest limit holds.";

const DIAGNOSE_EXAMPLES: &str = "Examples:
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
    /// Do not look for the change that is the cause: else the candidate is launched with what
    /// differs between the builds put back, a few changes at a time
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
    #[arg(long, value_name = "FILE")]
    pub sarif: Option<PathBuf>,
    /// Where the sources are whose paths stand in it: the root of the repository
    #[arg(long, value_name = "DIR", default_value = ".", requires = "sarif")]
    pub sources: PathBuf,
    #[command(flatten)]
    pub overrides: Overrides,
    #[command(flatten)]
    pub output: RunOutput,
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

/// `tacho fit`.
#[derive(Debug, Args)]
pub struct Fit {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Search for only one of them
    #[arg(long, value_enum)]
    pub only: Option<Resource>,
    /// Least memory to try
    #[arg(long, value_name = "BYTES", value_parser = bytes, default_value = "32MiB")]
    pub memory_from: u64,
    /// How finely memory is searched; else a thirty-second of the highest
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_step: Option<u64>,
    /// Least CPU to try
    #[arg(long, value_name = "CPUS", value_parser = cpus, default_value = "50m")]
    pub cpu_from: f64,
    /// How finely CPU is searched
    #[arg(long, value_name = "CPUS", value_parser = cpus, default_value = "50m")]
    pub cpu_step: f64,
    #[command(flatten)]
    pub overrides: Overrides,
    /// Where the folder of the search is made
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs",
        help_heading = "Output"
    )]
    pub runs: PathBuf,
    /// Also write the answer as JSON (- for standard output)
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub json: Option<PathBuf>,
    /// Print the answer only, no progress
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
}

/// What else is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Emit {
    /// kubernetes.yaml: a Deployment with probes, rollout and resources from the measured launches
    /// of the warm-up that won; autoscaler.yaml where the run says which load a pod carries
    Kubernetes,
    /// The same with a Service as a base of Kustomize (kubectl apply -k FOLDER)
    Kustomize,
    /// helm-values.yaml: the same numbers by the names of the chart of `helm create`
    Helm,
}

/// What a limit is put on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Resource {
    /// Memory
    Memory,
    /// Processors
    Cpu,
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
    /// Variants, by name or kind
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help = by_name_or_kind())]
    pub variants: Vec<String>,
    /// Variant that the others are compared with
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Processors for the subject: 1, 0.25, 250m
    #[arg(long, value_parser = cpus)]
    pub cpu: Option<f64>,
    /// Memory for the subject: 256MiB, 1Gi
    #[arg(long, value_parser = bytes)]
    pub memory: Option<u64>,
    /// A request of the mix, such as 'GET /ping'; may be given several times
    #[arg(long = "request", value_name = "REQUEST", value_parser = request)]
    pub requests: Vec<Scenario>,
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
    #[arg(long)]
    pub jdk: Option<String>,
    /// Launches of each variant under each set of limits: a number, or `auto` (until the advice is
    /// decided, at most 20; `auto:30` at most 30). `tacho diagnose` ends when it is told whether
    /// the candidate is slower, at most 10; elsewhere `auto` is 5
    #[arg(long, value_name = "N", value_parser = launches)]
    pub launches: Option<Launches>,
    /// For a first look: closed and settle phases, and those at a constant rate, ten times shorter
    #[arg(long)]
    pub quick: bool,
    /// Seed of the order of launches
    #[arg(long)]
    pub seed: Option<u64>,
    /// One more launch of each JVM, which counts in no figure and says where its memory is: memory,
    /// off
    #[arg(long, value_name = "WHAT", value_parser = diagnose)]
    pub diagnose: Option<Diagnose>,
    /// An objective such as 'p99<50ms' or 'ready<2s'; may be given several times
    #[arg(long = "check", value_name = "CHECK")]
    pub checks: Vec<String>,
    /// Process numbers of what the subject needs beside it and that runs already (a database, a
    /// service that it calls): the certificate does not count them as foreign load. What is to be
    /// started stands in the experiment: `companions`
    #[arg(
        long,
        value_delimiter = ',',
        value_name = "PIDS",
        env = "TACHO_COMPANIONS"
    )]
    pub companions: Vec<u32>,
}

/// `tacho image`.
#[derive(Debug, Args)]
pub struct Image {
    /// An experiment file (.yaml), or a jar, WAR, directory or executable
    pub subject: PathBuf,
    /// Variant, by name or kind; else the plain one
    #[arg(long, value_name = "NAME")]
    pub variant: Option<String>,
    /// File to write: a tar
    #[arg(short, long, value_name = "FILE", required_unless_present = "push")]
    pub output: Option<PathBuf>,
    /// Push it to a registry, by this name: registry/team/app:1. Credentials are those of `docker
    /// login` or `podman login`
    #[arg(long, value_name = "NAME")]
    pub push: Option<Name>,
    /// That registry is asked by HTTP, as one of this machine is anyway
    #[arg(long, requires = "push")]
    pub plain_http: bool,
    /// Build upon this image: an OCI layout, as a folder or a tar; else upon nothing
    #[arg(long, value_name = "LAYOUT")]
    pub base: Option<PathBuf>,
    /// What the image is called where it is loaded: registry/app:1
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Port on which the service listens; else that of the experiment
    #[arg(long)]
    pub port: Option<u16>,
    /// JDK by release (25) or path; else the newest that suits
    #[arg(long)]
    pub jdk: Option<String>,
    /// The time of all files in it, in seconds since 1970; else 1
    #[arg(long, value_name = "SECONDS", env = "SOURCE_DATE_EPOCH")]
    pub source_date: Option<u64>,
    /// Also write the sizes as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// `tacho init`.
#[derive(Debug, Args)]
pub struct Init {
    /// A jar, WAR, directory or executable
    pub subject: PathBuf,
    /// File to write
    #[arg(short, long, default_value = "experiment.yaml")]
    pub output: PathBuf,
    /// Overwrite the file when it exists
    #[arg(long)]
    pub force: bool,
    /// JDK by release (25) or path; else the newest that suits
    #[arg(long)]
    pub jdk: Option<String>,
}

/// `tacho report`.
#[derive(Debug, Args)]
pub struct Report {
    /// The run folder
    pub run: PathBuf,
    #[command(flatten)]
    pub exports: Exports<OfRun>,
    /// An objective to check, beside those of the run; may be given several times
    #[arg(long = "check", value_name = "CHECK")]
    pub checks: Vec<String>,
}

/// `tacho doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Also look at this JDK (release or path)
    #[arg(long, conflicts_with = "on")]
    pub jdk: Option<String>,
    /// Look at a cluster instead: what is there, and what you may do
    #[arg(long, value_name = "WHERE")]
    pub on: Option<On>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
    /// Only write the rights that are needed, as a Role for kubectl apply -f -
    #[arg(long, requires = "on")]
    pub role: bool,
}

const SELFTEST_CODES: &str = "Exit codes: 0 what was reported is what is true; 1 it is not; 3 the machine was too busy to tell; 130 interrupted.";

/// `tacho selftest`.
#[derive(Debug, Args)]
pub struct Selftest {
    /// A minute and a half instead of sixteen seconds: three rates to the witness, four silences
    #[arg(long)]
    pub full: bool,
    /// Also write the result as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// No progress
    #[arg(short, long)]
    pub quiet: bool,
}

const WITNESS_EXAMPLES: &str = "Examples:
  tacho witness --listen 127.0.0.1:9090 --rate 2000 --duration 15s &
  wrk2 -R 2000 -d 10s http://127.0.0.1:9090/            whatever sends requests without a body
  taskset -c 0 tacho witness --rate 2000                on a processor that the generator does not use

Exit codes: 0 it says what it saw; 2 wrong usage; 3 too few requests came; 4 it could not listen.";

/// `tacho witness`.
#[derive(Debug, Args)]
pub struct Witness {
    /// Where to listen; port 0 is a free one
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    pub listen: SocketAddr,
    /// Requests a second that the generator is asked for (the rate that is seen unless said)
    #[arg(short, long, value_name = "RATE", value_parser = rate)]
    pub rate: Option<f64>,
    /// End after so long (at Ctrl-C unless said)
    #[arg(short, long, value_name = "TIME", value_parser = duration)]
    pub duration: Option<Duration>,
    /// Also write what was seen as JSON (- for standard output); times in microseconds
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

const GC_EXAMPLES: &str = "Examples:
  java -Xlog:gc*:file=gc.log -jar app.jar                 write such a log; it costs next to nothing
  tacho gc gc.log                                         what it says, in a page
  tacho gc gc.log --html gc.html                          the same with the heap and the pauses drawn
  tacho gc gc.log*                                        all files of a rotation, in the order of their instants
  ssh host cat app.log | tacho gc -                       a log among the program's own output
  tacho gc gc.log --json - | jq .pauses.quantiles_ms.p99

What is read: -Xlog:gc and -Xlog:gc* of JDK 9 and later with any collector and any decorations
(safepoint may be added: -Xlog:gc*,safepoint); -verbose:gc, -XX:+PrintGC and -XX:+PrintGCDetails
of JDK 6 to 8; -XX:+PrintGC and -XX:+VerboseGC of native images. A pause stops the program, a
concurrent cycle does not: they are never added up. Lines that are not understood are counted and
shown.

Two files whose names differ in more than numbers, or of two directories, are two logs, and are
compared; files of one name (gc.log.0, gc.log.1), a directory or an archive are one log, and are
read in the order in which they were written.

Exit codes: 0 read; 2 wrong usage, or a file that cannot be read; 3 it is no garbage collection
log, or more than a tenth of its lines with figures was not understood; 4 an output cannot be
written.";

/// `tacho gc`.
#[derive(Debug, Args)]
pub struct Gc {
    /// Garbage collection logs, directories or archives of them; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub logs: Vec<PathBuf>,
    /// No pause is to be longer: say what of it more heap would have given
    #[arg(long, value_name = "TIME", default_value = "200ms", value_parser = duration)]
    pub objective: Duration,
    /// Compare two logs, whatever their names
    #[arg(long, conflicts_with = "together")]
    pub compare: bool,
    /// Read all files as parts of one log, whatever their names
    #[arg(long)]
    pub together: bool,
    /// Also write the summary as JSON (- for standard output, which then holds nothing else)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also write a page with charts, in one file that opens offline
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

const CLAIMS_EXAMPLES: &str = "Examples:
  tacho claims labs/cold-start/claims.yaml                     make its runs, judge each claim
  tacho claims --short labs/*/claims.yaml                      the short forms of all
  tacho claims claims.yaml --stored start=runs/20261127-...    judge a run that was made before

A claim holds where the whole interval of what was seen lies within what counts as the same; it
does not where none of it does; else it is not told. Intervals are corrected for the number of
claims of a file.

Exit codes: 0 each claim came out as its file expects, or was not told; 1 one came out otherwise;
2 wrong usage; 3 one could not be measured; 4 the machine lacks something; 130 interrupted.";

/// `tacho claims`.
#[derive(Debug, Args)]
pub struct Claims {
    /// Files of claims
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Make the short form of each run that has one
    #[arg(long)]
    pub short: bool,
    /// Take a run from its folder, or what a command printed from a file, instead of making it
    #[arg(long, value_name = "RUN=PATH", value_parser = stored_run)]
    pub stored: Vec<StoredRun>,
    /// Make no run and start no command: judge what --stored gives, and nothing else
    #[arg(long)]
    pub only_stored: bool,
    /// Where run folders are made
    #[arg(long, value_name = "DIR", default_value = "runs")]
    pub runs: PathBuf,
    /// Also write it as JSON (- for standard output, which then holds nothing else)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Also write the table in Markdown, for a README
    #[arg(long, value_name = "FILE")]
    pub markdown: Option<PathBuf>,
    /// Print the table only, no progress
    #[arg(short, long)]
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

const MEMORY_NOTES: &str = "The parts add up to the resident set. A JVM started with -XX:NativeMemoryTracking=detail says what its native memory is
for; without it the split is coarser. Not for a JVM that is being measured: it is asked, and --live stops it.";

/// `tacho memory`.
#[derive(Debug, Args)]
pub struct Memory {
    /// The process: its number, or the name of a JVM
    #[arg(value_name = "PID|NAME", value_parser = crate::jvms::of)]
    pub pid: u32,
    /// Tell what is alive from garbage, by a full collection: the application stands still for it
    #[arg(long)]
    pub live: bool,
    /// Also write it as JSON (- for standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

const COMPLETIONS_EXAMPLES: &str = "Examples:
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
    /// Folder for the pages; made where it is not there
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

fn recipe(text: &str) -> Result<NamedWarmUp, String> {
    NamedWarmUp::parse(text).ok_or_else(|| {
        "expected none, a number of requests, each:200, bursts:1000, settled or boost:2".to_owned()
    })
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

impl Diagnosed {
    /// Where the experiment comes from: the file that was named, else the candidate itself.
    pub fn source(&self) -> Result<&std::path::Path, crate::error::Error> {
        let candidate = self.candidate.as_deref().map(std::path::Path::new);
        let source = self.subject.as_deref().or(candidate);
        source.ok_or(crate::error::Error::NothingToDiagnose)
    }
}
