//! The flags of `tacho rollout`.

use crate::arguments::{SaidByVariables, truth};
use crate::load::arguments::{CONNECTIONS, How, What};
use crate::on::{Carried, ClusterArguments, Images, On};
use crate::other_tools::plain;
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;
use tacho_cluster::{NotRolled, Step};
use tacho_quantity::flags::{bytes, count_to, cpus, duration, rate};

/// Nobody waits for more changes of a kind.
const MOST: u32 = 1000;

/// Nor so long for a pod to end, in seconds.
const LONGEST_PRE_STOP: u32 = 600;

/// `tacho rollout`.
#[derive(Debug, Args)]
pub struct Rollout {
    #[command(flatten)]
    pub variables: SaidByVariables,
    /// Name of the Deployment to change; or an experiment file (.yaml) or an artifact (app.jar),
    /// each variant of which is deployed, changed and deleted again
    #[arg(value_parser = deployment)]
    pub deployment: String,
    /// Path to request from its Service, or from an artifact; an experiment defines its own
    /// requests
    #[arg(default_value = "/")]
    pub path: String,
    #[command(flatten)]
    pub changed: Changed,
    #[command(flatten)]
    pub users: Users,
    #[command(flatten)]
    pub at: At,
    #[command(flatten)]
    pub of_experiment: OfExperiment,
    #[command(flatten)]
    pub what: What,
    #[command(flatten)]
    pub how: How,
    /// Write all observations as JSON to this file (- for standard output)
    #[arg(
        long,
        value_name = "FILE",
        env = "TACHO_JSON",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub json: Option<PathBuf>,
    /// Write a page with requests and pods over time to this file
    #[arg(
        long,
        value_name = "FILE",
        env = "TACHO_HTML",
        hide_env_values = true,
        help_heading = "Output"
    )]
    pub html: Option<PathBuf>,
    /// Do not print progress
    #[arg(short, long, env = "TACHO_QUIET", hide_env_values = true, value_parser = truth, help_heading = "Output")]
    pub quiet: bool,
}

/// `deployment/users`, as kubectl has it, is `users`.
fn deployment(text: &str) -> Result<String, std::convert::Infallible> {
    Ok(plain(text).to_owned())
}

/// What is done.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is changed")]
pub struct Changed {
    /// restart (replace all pods), scale=PODS (and back), evict (evict one pod, as a drain of its
    /// node would), drain (evict all its pods on one node), kill (delete one pod without a grace
    /// period), crash (kill the process of a pod on this machine); may be given several times,
    /// carried out in that order
    #[arg(long = "change", value_name = "CHANGE", default_value = "restart")]
    pub changes: Vec<Step>,
    /// Afterwards, restart it as often with a preStop that sleeps this many seconds, then restore
    /// the original: are fewer requests lost? Without a number, it sleeps as long as endpoints and
    /// proxies were seen to need
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        value_parser = count_to::<LONGEST_PRE_STOP>
    )]
    pub try_pre_stop: Option<Option<u32>>,
    /// Repeat all changes this many times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count_to::<MOST>)]
    pub times: u32,
    /// Time to wait before the first change and after each change; not for an experiment
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = duration)]
    pub rest: Duration,
    /// Give up on a change after this time; for an experiment, --for says how long it may take
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration)]
    pub within: Duration,
}

/// Who comes meanwhile.
#[derive(Debug, Args)]
#[command(next_help_heading = "Users")]
pub struct Users {
    /// Requests per second [default: those of the experiment's first phase at a constant rate]
    #[arg(short, long, value_name = "RATE", value_parser = rate)]
    pub rate: Option<f64>,
    /// Connections, which are kept open [default: 64, or those of that phase if it sets the rate]
    #[arg(short, long, value_name = "N", value_parser = count_to::<{ u32::MAX }>)]
    pub connections: Option<u32>,
    /// Service to send requests to [default: the one that leads to the pods]
    #[arg(long, value_name = "NAME")]
    pub service: Option<String>,
    /// URL to send requests to, if not the address of that Service, such as an Ingress
    #[arg(long, value_name = "URL")]
    pub url: Option<String>,
    /// Send the requests from a pod of the cluster, if this machine cannot reach the Service. The
    /// pod has no rights, and is deleted at the end; its image is this program, delivered by
    /// --image or --load-image, or as the kubeconfig says
    #[arg(long, requires = "on")]
    pub from_cluster: bool,
    /// Image of that pod, by the name under which nodes pull it, with this Tacho
    #[arg(
        long,
        value_name = "IMAGE",
        requires = "from_cluster",
        conflicts_with = "shipped"
    )]
    pub users_image: Option<String>,
    /// CPU limit of that pod, if a quota requires one: a pod that reaches it sends late [default:
    /// no limit]
    #[arg(long, value_name = "CPUS", value_parser = cpus, requires = "from_cluster")]
    pub users_cpu: Option<f64>,
    /// Its memory limit
    #[arg(long, value_name = "BYTES", value_parser = bytes, requires = "from_cluster")]
    pub users_memory: Option<u64>,
    /// Send requests for this long first; they count in no window
    #[arg(long, value_name = "TIME", default_value = "0s", value_parser = duration)]
    pub warm_up: Duration,
    /// Seed for all random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// So many requests a second, over so many connections.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pace {
    pub rate: f64,
    pub connections: u32,
}

impl Users {
    /// How users come: as was said, else as they do in the file.
    pub fn pace(&self, in_file: Option<Pace>) -> Result<Pace, NotRolled> {
        let said = self.rate.map(|rate| Pace {
            rate,
            connections: CONNECTIONS,
        });
        let pace = said.or(in_file).ok_or(NotRolled::NoRate)?;
        Ok(Pace {
            connections: self.connections.unwrap_or(pace.connections),
            ..pace
        })
    }
}

/// How variants are deployed.
#[derive(Debug, Args)]
#[command(next_help_heading = "For an experiment")]
pub struct OfExperiment {
    /// Pods of each Deployment
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = count_to::<64>)]
    pub pods: u32,
    /// Send requests for this long once all pods are ready, before any change
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub fresh: Duration,
    /// Send requests for this long from the start of each change, which must finish in that time
    #[arg(long = "for", value_name = "TIME", default_value = "60s", value_parser = duration)]
    pub each: Duration,
    /// Seconds that each pod sleeps before it is told to end
    #[arg(long, value_name = "SECONDS", value_parser = count_to::<LONGEST_PRE_STOP>)]
    pub pre_stop: Option<u32>,
    /// Variants, by name or kind
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pub variants: Vec<String>,
    /// Variant that the others are compared with
    #[arg(long, value_name = "NAME")]
    pub baseline: Option<String>,
    /// Deployments of each variant, one after another [default: that of the file, or 5]
    #[arg(long, value_name = "N", value_parser = count_to::<MOST>)]
    pub launches: Option<u32>,
    /// Processors of each pod: 1, 0.25, 250m
    #[arg(long, value_parser = cpus, env = "TACHO_CPU", hide_env_values = true)]
    pub cpu: Option<f64>,
    /// Memory of each pod: 256MiB, 1Gi
    #[arg(long, value_parser = bytes, env = "TACHO_MEMORY", hide_env_values = true)]
    pub memory: Option<u64>,
    /// Port on which pods listen [default: that of the file, or 8080]
    #[arg(long)]
    pub port: Option<u16>,
    /// Path of the readiness probe of the pods [default: that of the file, or of the framework]
    #[arg(long, value_name = "PATH")]
    pub ready: Option<String>,
    /// JDK by release (25) or path [default: the newest suitable one]
    #[arg(long, env = "TACHO_JDK", hide_env_values = true)]
    pub jdk: Option<String>,
    #[command(flatten)]
    pub images: Images,
    #[command(flatten)]
    pub carried: Carried,
    /// Where to create run folders
    #[arg(
        long,
        value_name = "DIR",
        default_value = "runs",
        env = "TACHO_RUNS",
        hide_env_values = true
    )]
    pub runs: PathBuf,
    /// Print the plan and stop; nothing is started
    #[arg(long)]
    pub dry_run: bool,
}

/// Where.
#[derive(Debug, Args)]
#[command(next_help_heading = "On a cluster")]
pub struct At {
    /// Where the Deployment is
    #[arg(long, value_enum, value_name = "WHERE", required = true)]
    pub on: Option<On>,
    #[command(flatten)]
    pub cluster: ClusterArguments,
}

/// Examples below the help.
pub const EXAMPLES: &str = "Examples:
  tacho rollout users /api/users --rate 100 --on kubernetes -n shop   replace all pods
  tacho rollout users --rate 100 --change restart --times 20 --on kubernetes
  tacho rollout users --rate 100 --change scale=4 --change evict --on kubernetes
  tacho rollout users --rate 100 --times 5 --try-pre-stop --html rollout.html --on kubernetes
  tacho rollout users --rate 100 --url https://shop.example/api --on kubernetes
  tacho rollout users --rate 100 --from-cluster --image registry.example/team/tacho --on kubernetes
  tacho rollout experiment.yaml --rate 200 --variants jar,aot --image registry.example/shop --on kubernetes

The Deployment is yours: it is changed as kubectl would change it, and left with the pods and the
preStop that it had. Nothing else is touched. Requests are sent from here, so the Service, or what
--url names, must be reachable; with --from-cluster a pod sends them, and only the API must be
reachable. For an experiment each launch is a Deployment of a variant with a Service in front of
it; both are deleted afterwards. The result is a run folder, as for `tacho run`.
Exit codes: 0 no request was lost; 1 some were lost while pods changed; 2 wrong usage; 3 a change
did not finish; 4 the cluster does not answer or lacks something; 130 interrupted.";
