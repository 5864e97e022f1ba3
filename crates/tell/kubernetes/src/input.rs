//! What has been measured, and what is to be deployed: plain numbers and texts.

use crate::quantity::Amounts;
use crate::times::{Times, TimesError};

/// Everything that a Deployment is made of. Times are in seconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Input {
    /// What is deployed.
    pub service: Service,
    /// Paths at which the service reports its state.
    pub paths: Paths,
    /// Processor time and memory of the measured launches: requests and limits of the container.
    pub amounts: Amounts,
    /// What the launches showed at these amounts.
    pub measured: Measured,
    /// Who warms a new pod.
    pub warm_up: WarmUp,
    /// What share of healthy pods may be killed while they start.
    pub target: f64,
    /// How many times as long as measured a start may take on the slowest node: 1 is a cluster of
    /// machines like the measured one.
    pub slowdown: f64,
}

impl Input {
    /// One healthy pod in ten thousand.
    pub const TARGET: f64 = 1e-4;
    /// A node that is half as fast as the measured machine, or as busy.
    pub const SLOWDOWN: f64 = 2.0;
}

/// What is deployed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// Name of the Deployment, its label and its container.
    pub name: String,
    /// Of the container.
    pub image: String,
    /// Where it listens.
    pub port: u16,
    /// Of how many pods; left out when unknown.
    pub replicas: Option<u32>,
    /// Names and values.
    pub environment: Vec<(String, String)>,
}

/// Paths of the service. All are asked with GET.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paths {
    /// Answers with 2xx as soon as the process is up. Default: the liveness path, or else the
    /// readiness path.
    pub startup: Option<String>,
    /// Answers with 2xx when traffic may come. Without it, the probe only checks whether the port
    /// accepts connections.
    pub readiness: Option<String>,
    /// Answers with 2xx as long as the process works. It must not depend on a database or another
    /// service, because a failure restarts the pod.
    pub liveness: Option<String>,
}

/// What the launches showed.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// From exec to ready, a value a launch.
    pub ready: Vec<f64>,
    /// From exec to warm in the same launches, carried out as [`WarmUp`] says; empty when it was
    /// not measured.
    pub warm: Vec<f64>,
    /// The slowest answers that were seen.
    pub responses: Responses,
    /// The most memory that a launch used, in bytes.
    pub peak_memory_bytes: Option<u64>,
    /// From SIGTERM to the end of the process, the longest that was seen.
    pub shutdown: Option<f64>,
}

/// The slowest answers that were seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Responses {
    /// In the steady state.
    pub steady_max: f64,
    /// Right after ready, before anything was warm.
    pub cold_max: f64,
    /// Whose answers these are.
    pub of: Answers,
}

/// Whose answers were timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answers {
    /// Those of the path that probes ask for.
    HealthPath,
    /// Those of the requests of the load, which probes queue behind.
    Requests,
}

/// Who warms a new pod.
#[derive(Debug, Clone, PartialEq)]
pub enum WarmUp {
    /// Nobody: the first users do.
    Nobody,
    /// The service itself: its readiness path answers with 2xx when it is warm.
    Itself,
    /// A container beside it, which is ready when the service is warm.
    Sidecar(TachoWarm),
    /// A hook in the service's container (the program is in its image): no probe begins before it
    /// has ended.
    PostStart(TachoWarm),
}

/// `tacho warm` and what it sends.
#[derive(Debug, Clone, PartialEq)]
pub struct TachoWarm {
    /// Of the container; a hook runs in the service's image.
    pub image: String,
    /// The port of its gate; a hook has none.
    pub gate_port: u16,
    /// What follows `tacho warm`: URL and flags of the requests, without --gate, --wait and
    /// --within.
    pub arguments: Vec<String>,
    /// How long the warm-up that was measured might have taken, in seconds: --within is no shorter.
    /// Absent where it had no limit.
    pub within_s: Option<f64>,
    /// Of the container beside the service.
    pub amounts: Amounts,
}

/// Why there is no Deployment.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum InputError {
    #[error("from exec to ready: {0}")]
    Ready(TimesError),
    #[error("from exec to warm: {0}")]
    Warm(TimesError),
    #[error(
        "{ready} launches were ready and {warm} were warm: both times belong to the same launches (leave the warm ones out if they were not measured)"
    )]
    OtherLaunches { ready: usize, warm: usize },
    #[error("a launch was warm ({warm} s) before it was ready ({ready} s): both count from exec")]
    WarmBeforeReady { ready: f64, warm: f64 },
    #[error("{what} of {value} s: it is a number of seconds, not negative, of a day at most")]
    NotADuration { what: &'static str, value: f64 },
    #[error(
        "the share of healthy pods killed is {0}: give one between 0 and 0.5, for example 0.0001"
    )]
    Target(f64),
    #[error("a start takes {0} times as long on the slow node: give at least 1 and at most 100")]
    Slowdown(f64),
    #[error(
        "`{0}` is no name of a Deployment: small letters, digits and hyphens, at most 63, beginning and ending with a letter or digit"
    )]
    Name(String),
    #[error(
        "a service that warms itself reports on a readiness path when it is warm: name that path"
    )]
    NoReadinessPath,
    #[error("`{0}` is no path: it begins with /")]
    Path(String),
    #[error("`{0}` is no name of an environment variable: no spaces, no =")]
    Variable(String),
    #[error("port 0: name the port on which {0} listens")]
    Port(&'static str),
    #[error("0 replicas: a Deployment that runs has at least one")]
    Replicas,
    #[error("the limit of {0} is 0")]
    Amount(&'static str),
    #[error("the gate and the service both want port {0}: they share the pod's address")]
    SamePort(u16),
}

/// Input that can be worked with.
#[derive(Debug, Clone)]
pub(crate) struct Checked<'a> {
    pub input: &'a Input,
    pub ready: Times,
    pub warm: Option<Times>,
    /// From ready to warm, where every launch took some time for it.
    pub warming: Option<Times>,
    /// What the startup probe asks for.
    pub startup_path: Option<&'a str>,
}

impl<'a> Checked<'a> {
    pub(crate) fn of(input: &'a Input) -> Result<Self, InputError> {
        check_service(&input.service)?;
        check_warm_up(input)?;
        check_numbers(input)?;
        let Measured { ready, warm, .. } = &input.measured;
        let paths = &input.paths;
        let said = [&paths.readiness, &paths.startup, &paths.liveness];
        let wrong = said
            .into_iter()
            .flatten()
            .find(|path| !path.starts_with('/'));
        if let Some(path) = wrong {
            return Err(InputError::Path(path.clone()));
        }
        let startup_path = paths
            .startup
            .as_deref()
            .or(paths.liveness.as_deref())
            .or(paths.readiness.as_deref());
        let ready_times = Times::of(ready).map_err(InputError::Ready)?;
        let warm_times = (!warm.is_empty()).then(|| Times::of(warm));
        Ok(Self {
            input,
            ready: ready_times,
            warm: warm_times.transpose().map_err(InputError::Warm)?,
            warming: warming(ready, warm)?,
            startup_path,
        })
    }

    /// Whether readiness waits until the pod is warm.
    pub(crate) fn is_gated(&self) -> bool {
        !matches!(self.input.warm_up, WarmUp::Nobody)
    }

    /// What the startup probe waits for. Usually `ready`; `warm` if it asks the readiness path of a
    /// service that warms itself.
    pub(crate) fn started(&self) -> &Times {
        let asks_for_warm = self.input.warm_up == WarmUp::Itself
            && self.startup_path == self.input.paths.readiness.as_deref();
        match &self.warm {
            Some(warm) if asks_for_warm => warm,
            _ => &self.ready,
        }
    }

    /// The time until a pod takes traffic.
    pub(crate) fn in_service(&self) -> &Times {
        match &self.warm {
            Some(warm) if self.is_gated() => warm,
            _ => &self.ready,
        }
    }
}

fn warming(ready: &[f64], warm: &[f64]) -> Result<Option<Times>, InputError> {
    if warm.is_empty() {
        return Ok(None);
    }
    if warm.len() != ready.len() {
        return Err(InputError::OtherLaunches {
            ready: ready.len(),
            warm: warm.len(),
        });
    }
    let mut took = Vec::new();
    for (ready, warm) in ready.iter().zip(warm) {
        if warm < ready {
            return Err(InputError::WarmBeforeReady {
                ready: *ready,
                warm: *warm,
            });
        }
        took.push(warm - ready);
    }
    // If a launch was warm as soon as it was ready, its warm-up took 0 s. The log-normal model
    // cannot use that, so no prediction is made.
    Ok(Times::of(&took).ok())
}

fn check_service(service: &Service) -> Result<(), InputError> {
    // RFC 1123 labels, which the API asks for in names of containers and values of labels.
    let name = &service.name;
    let inside = name
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    let is_end = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    if !inside || name.len() > 63 || !name.starts_with(is_end) || !name.ends_with(is_end) {
        return Err(InputError::Name(name.clone()));
    }
    if service.port == 0 {
        return Err(InputError::Port("the service"));
    }
    if service.replicas == Some(0) {
        return Err(InputError::Replicas);
    }
    let wrong = service.environment.iter().find(|(name, _)| {
        name.is_empty() || !name.chars().all(|c| c.is_ascii_graphic() && c != '=')
    });
    wrong.map_or(Ok(()), |(name, _)| Err(InputError::Variable(name.clone())))
}

fn check_warm_up(input: &Input) -> Result<(), InputError> {
    if input.warm_up == WarmUp::Itself && input.paths.readiness.is_none() {
        return Err(InputError::NoReadinessPath);
    }
    let WarmUp::Sidecar(tacho) = &input.warm_up else {
        return Ok(());
    };
    if tacho.gate_port == 0 {
        return Err(InputError::Port("the gate"));
    }
    if tacho.gate_port == input.service.port {
        return Err(InputError::SamePort(tacho.gate_port));
    }
    Ok(())
}

fn check_numbers(input: &Input) -> Result<(), InputError> {
    if !(input.target > 0.0 && input.target < 0.5) {
        return Err(InputError::Target(input.target));
    }
    if !(1.0..=100.0).contains(&input.slowdown) {
        return Err(InputError::Slowdown(input.slowdown));
    }
    if input.amounts.cpu_millis == Some(0) {
        return Err(InputError::Amount("processor time"));
    }
    if input.amounts.memory_bytes == Some(0) {
        return Err(InputError::Amount("memory"));
    }
    let Measured {
        responses,
        shutdown,
        ..
    } = &input.measured;
    let durations = [
        (
            "the slowest answer in the steady state",
            responses.steady_max,
        ),
        ("the slowest answer of a cold service", responses.cold_max),
        ("the time to shut down", shutdown.unwrap_or(0.0)),
    ];
    let wrong = durations
        .into_iter()
        .find(|(_, value)| !((0.0..=86_400.0).contains(value)));
    wrong.map_or(Ok(()), |(what, value)| {
        Err(InputError::NotADuration { what, value })
    })
}
