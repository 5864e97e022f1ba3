//! From the launches of the warm-up that won to a Deployment: `tacho warmup --emit kubernetes`.

use crate::autoscaler::{self, Carried, NoAutoscaler};
use crate::input::Checked;
use crate::plan::Plan;
use crate::{
    Amounts, Answers, Input, InputError, Measured, Paths, Responses, Service, TachoWarm, WarmUp,
    beside, deployment,
};
use tacho_experiment::{Experiment, ReadyCondition};
use tacho_run_folder::{
    Cell, CertificateState, LaunchData, LaunchOutcome, Limits, PhaseRecord, PhaseTag,
    PreparedVariant, Recipe, Results, RunData, TimeLine, WarmUpRecord,
};
use tacho_workload::{Body, Scenario, Step};

/// Why a run gives no Deployment.
#[derive(Debug, thiserror::Error)]
pub enum NoDeployment {
    /// No warm-up won.
    #[error(
        "no warm-up keeps the objective in every launch, so there is no Deployment to write; give other --recipes, a longer --objective, or more --cpu"
    )]
    NothingWon,
    /// The warm-up that won has more processors than pods have.
    #[error(
        "no Deployment: the warm-up that won ({variant}) starts with {cpu} processors, and pods start with their limit, so that probes made of its launches would end them; give --recipes without boost, or --cpu {cpu}"
    )]
    Boosted {
        /// The variant that is warmed by it.
        variant: String,
        /// Processors from `exec` until it is warm.
        cpu: f64,
    },
    /// The launches say too little.
    #[error("no Deployment: {0}")]
    Input(#[from] InputError),
}

/// Of the sidecar's gate, unless the service has it.
const GATE_PORT: u16 = 9000;
/// Default port of services.
const PORT: u16 = 8080;
/// Processor time and memory of the sidecar that runs `tacho warm`.
const SIDECAR: Amounts = Amounts {
    cpu_millis: Some(200),
    memory_bytes: Some(32 << 20),
};
const MILLIS: f64 = 1e3;

/// In which form it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// As `kubectl apply` takes it.
    Kubernetes,
    /// As a base of Kustomize.
    Kustomize,
    /// As values of a Helm chart.
    Helm,
}

/// A file that is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// Its name.
    pub name: &'static str,
    /// What is in it.
    pub text: String,
}

/// What comes of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitted {
    /// The files; the first is the one to look at.
    pub files: Vec<Manifest>,
    /// Why there is no autoscaler among them.
    pub no_autoscaler: Option<NoAutoscaler>,
}

const DEPLOYMENT: &str = "kubernetes.yaml";
const AUTOSCALER: &str = "autoscaler.yaml";
const SERVICE: &str = "service.yaml";

/// The files, with a caution where the run is not to be relied on.
///
/// # Errors
/// When no warm-up is enough, or the launches say too little.
pub fn emit(
    form: Form,
    experiment: &Experiment,
    run: &RunData,
    results: &Results,
) -> Result<Emitted, NoDeployment> {
    let chosen = results
        .warm_up
        .iter()
        .flat_map(|result| &result.choices)
        .find_map(|choice| choice.cell.as_ref());
    let cell = run
        .plan
        .cells
        .iter()
        .find(|cell| Some(&cell.id) == chosen)
        .ok_or(NoDeployment::NothingWon)?;
    let variant = run.variants.iter().find(|v| v.name == cell.variant);
    refuse_boost(cell, variant.and_then(|v| v.warm_up.as_ref()))?;
    let launches: Vec<&LaunchData> = run
        .launches
        .iter()
        .filter(|l| l.record.cell == cell.id && l.record.outcome == LaunchOutcome::Completed)
        .collect();
    let caution = match results.certificate.state {
        CertificateState::Valid => "",
        CertificateState::Degraded => {
            "# The run that this rests on is degraded: see its certificate.\n"
        }
        CertificateState::Invalid => {
            "# Do not use: the certificate of the run that this rests on is invalid.\n"
        }
    };
    let input = input(experiment, variant, cell, &launches);
    let checked = Checked::of(&input)?;
    let plan = Plan::of(&checked);
    let carried = carried(&launches);
    let file = |name, text: String| Manifest {
        name,
        text: format!("{caution}{text}"),
    };
    let scaled = autoscaler::yaml(&checked, carried);
    let no_autoscaler = scaled.as_ref().err().copied();
    let mut files = Vec::new();
    if form == Form::Helm {
        let values = beside::helm_values(&checked, &plan, carried);
        files.push(file("helm-values.yaml", values));
        return Ok(Emitted {
            files,
            no_autoscaler,
        });
    }
    files.push(file(DEPLOYMENT, deployment::yaml(&checked, &plan)));
    files.extend(scaled.ok().map(|text| file(AUTOSCALER, text)));
    if form == Form::Kustomize {
        files.push(file(SERVICE, beside::service(&checked)));
        let names: Vec<&str> = files.iter().map(|file| file.name).collect();
        let base = beside::kustomization(&checked, &names);
        files.insert(0, file("kustomization.yaml", base));
    }
    Ok(Emitted {
        files,
        no_autoscaler,
    })
}

/// Refuses a warm-up with more processors than the limit: its launches show no start as pods have
/// it.
fn refuse_boost(
    cell: &Cell,
    warm_up: Option<&tacho_run_folder::WarmUp>,
) -> Result<(), NoDeployment> {
    let boost = warm_up.and_then(|warm_up| warm_up.boost_cpu);
    let is_more = |cpu: &f64| cell.limits.cpu.is_some_and(|limit| limit < *cpu);
    match boost.filter(is_more) {
        None => Ok(()),
        Some(cpu) => Err(NoDeployment::Boosted {
            variant: cell.variant.clone(),
            cpu,
        }),
    }
}

/// The load of each pod while users came, from the worst of the launches.
fn carried(launches: &[&LaunchData]) -> Option<Carried> {
    let all = launches.iter().map(|launch| carried_in(launch));
    let all = all.collect::<Option<Vec<Carried>>>()?;
    all.into_iter().reduce(|worst, one| Carried {
        rate: worst.rate.min(one.rate),
        cpu: worst.cpu.max(one.cpu),
        p99: worst.p99.max(one.p99),
    })
}

/// Uses the later half of the phase, because what the JVM compiles for the first users is not part
/// of the normal load. The samples are those of the first pod.
fn carried_in(launch: &LaunchData) -> Option<Carried> {
    let pods = 1.0 + launch.record.pods.len() as f64;
    let is_users = |phase: &&PhaseRecord| phase.kind == PhaseTag::Open;
    let phase = launch.record.phases.iter().rfind(is_users)?;
    let end_ms = phase.started_ms + phase.duration_s * MILLIS;
    let middle_ms = (phase.started_ms + end_ms) / 2.0;
    let mut samples = launch
        .samples
        .iter()
        .filter(|sample| (middle_ms..=end_ms).contains(&sample.at_ms));
    let first = samples.next()?;
    let last = samples.next_back()?;
    let p99_ms = launch
        .seconds
        .iter()
        .filter(|second| second.phase == phase.label && second.start_s * MILLIS >= middle_ms)
        .map(|second| second.p99_ms)
        .reduce(f64::max)?;
    Some(Carried {
        rate: phase.intended_rate? / pods,
        cpu: (last.cpu_s - first.cpu_s) / ((last.at_ms - first.at_ms) / MILLIS),
        p99: p99_ms / MILLIS,
    })
}

fn input(
    experiment: &Experiment,
    variant: Option<&PreparedVariant>,
    cell: &Cell,
    launches: &[&LaunchData],
) -> Input {
    let lines: Vec<&TimeLine> = launches.iter().flat_map(|l| time_lines(l)).collect();
    let port = lines.iter().find_map(|line| line.port).unwrap_or(PORT);
    let warmed = variant.and_then(|v| v.warm_up.as_ref());
    let environment = variant.map(|v| v.environment.clone()).unwrap_or_default();
    Input {
        service: Service {
            name: name(&experiment.name),
            image: format!("registry.example/{}:latest", name(&experiment.name)),
            port,
            replicas: None,
            environment: environment.into_iter().collect(),
        },
        paths: paths(experiment, &lines),
        amounts: amounts(&cell.limits),
        measured: measured(launches),
        warm_up: match warmed {
            Some(warmed) if warmed.recipe != Recipe::None => WarmUp::Sidecar(TachoWarm {
                image: "registry.example/tacho:latest".to_owned(),
                gate_port: gate_port(port),
                arguments: masked(&arguments(
                    warmed,
                    experiment.requests.as_deref().unwrap_or_default(),
                    port,
                )),
                within_s: warmed.recipe.within_s(),
                amounts: SIDECAR,
            }),
            _ if warms_itself(variant) => WarmUp::Itself,
            _ => WarmUp::Nobody,
        },
        target: Input::TARGET,
        slowdown: Input::SLOWDOWN,
    }
}

/// Where the gate beside a service on this port answers. Both have the address of their pod, so
/// they need two ports.
#[must_use]
pub fn gate_port(port: u16) -> u16 {
    match port {
        GATE_PORT => GATE_PORT + 1,
        _ => GATE_PORT,
    }
}

/// What is known to be secret is masked while it stands there as it is: dollar signs are doubled
/// later.
fn masked(words: &[String]) -> Vec<String> {
    let masking = tacho_masking::current();
    words.iter().map(|word| masking.known(word)).collect()
}

/// Whether the starter's own warm-up is switched on.
fn warms_itself(variant: Option<&PreparedVariant>) -> bool {
    variant.is_some_and(|variant| {
        let is_on =
            |name: &String, value: &String| name == "TACHO_WARMUP_ENABLED" && value == "true";
        variant
            .environment
            .iter()
            .any(|(name, value)| is_on(name, value))
            || variant
                .command
                .iter()
                .any(|word| word.contains("tacho.warmup.enabled=true"))
    })
}

fn time_lines(launch: &LaunchData) -> impl Iterator<Item = &TimeLine> {
    let further = launch.record.pods.iter().map(|pod| &pod.time_line);
    std::iter::once(&launch.record.time_line).chain(further)
}

fn measured(launches: &[&LaunchData]) -> Measured {
    // One value per launch, that of its slowest process. Processes of one launch start at the same
    // instant, so they are not independent.
    let slowest = |launch: &LaunchData| {
        time_lines(launch)
            .filter_map(|line| line.ready_ms)
            .reduce(f64::max)
    };
    let ready: Vec<f64> = launches
        .iter()
        .filter_map(|l| Some(slowest(l)? / MILLIS))
        .collect();
    let warm: Vec<f64> = launches
        .iter()
        .filter_map(|launch| {
            let took = |record: Option<&WarmUpRecord>| record.map(|w| w.duration_s);
            let further = launch
                .record
                .pods
                .iter()
                .map(|pod| took(pod.warm_up.as_ref()));
            let longest = std::iter::once(took(launch.record.warm_up.as_ref()))
                .chain(further)
                .flatten()
                .reduce(f64::max)?;
            Some(slowest(launch)? / MILLIS + longest)
        })
        .collect();
    let slowest_answer = launches
        .iter()
        .flat_map(|l| &l.record.phases)
        .filter_map(|phase| Some(phase.response_time_ms?.max / MILLIS))
        .fold(0.0, f64::max);
    // The p99 of the slowest second in the later half of each launch. If the run kept no seconds,
    // the slowest answer of all.
    let later = launches
        .iter()
        .flat_map(|l| &l.seconds[l.seconds.len() / 2..])
        .map(|second| second.p99_ms / MILLIS)
        .reduce(f64::max);
    let peaks = launches.iter().flat_map(|l| {
        let further = l.record.pods.iter().map(|pod| pod.resources.peak_rss_bytes);
        std::iter::once(l.record.resources.peak_rss_bytes).chain(further)
    });
    Measured {
        warm: if warm.len() == ready.len() {
            warm
        } else {
            Vec::new()
        },
        ready,
        responses: Responses {
            steady_max: later.unwrap_or(slowest_answer),
            cold_max: slowest_answer,
            of: Answers::Requests,
        },
        peak_memory_bytes: peaks.flatten().max(),
        shutdown: None,
    }
}

fn amounts(limits: &Limits) -> Amounts {
    Amounts {
        cpu_millis: limits.cpu.map(|cpu| (cpu * MILLIS).round() as u64),
        memory_bytes: limits.memory_bytes,
    }
}

/// The readiness that was watched in the launches; none where a log line or the port told it.
fn paths(experiment: &Experiment, lines: &[&TimeLine]) -> Paths {
    let watched = lines.iter().find_map(|line| {
        let by = line.ready_by.as_deref()?;
        by.strip_prefix("GET ")?
            .split(' ')
            .next()
            .map(str::to_owned)
    });
    let given = match &experiment.subject.ready.condition {
        ReadyCondition::Http(path) => Some(path.clone()),
        _ => None,
    };
    let readiness = given.or(watched);
    let liveness = readiness.as_deref().and_then(liveness_beside);
    Paths {
        startup: None,
        readiness,
        liveness,
    }
}

/// The liveness path beside a readiness path, where both are groups of one health path, as Spring
/// Boot and Micronaut have them. Whether another service has one is not known.
fn liveness_beside(readiness: &str) -> Option<String> {
    let health = readiness.strip_suffix("/readiness")?;
    health
        .ends_with("/health")
        .then(|| format!("{health}/liveness"))
}

/// Where files lie that the user has to mount.
const MOUNTED: &str = "/warm-up";

/// Whether [`arguments`] of these requests name files, which have to be where they are sent from.
#[must_use]
pub fn need_files(requests: &[Scenario]) -> bool {
    let steps: Vec<&Step> = requests.iter().flat_map(|request| &request.steps).collect();
    match steps[..] {
        [one] if one.is_grpc() => true,
        [one, ..] if steps.len() == 1 || one.websocket.is_some() => {
            matches!(one.body, Body::File(_) | Body::TemplateFile(_))
        }
        _ => true,
    }
}

/// The arguments after `tacho warm`, without its time limits. Files that they name are to be
/// mounted ([`need_files`]).
#[must_use]
pub fn arguments(
    warm_up: &tacho_run_folder::WarmUp,
    requests: &[Scenario],
    port: u16,
) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut say = |flag: &str, value: String| words.extend([flag.to_owned(), value]);
    match &warm_up.recipe {
        Recipe::Requests { requests } | Recipe::Bursts { requests, .. } => {
            say("--at-least", requests.to_string());
            say("--at-most", requests.to_string());
        }
        // So many of each, and all kinds in turn.
        Recipe::Each { requests: of_each } => {
            let all = of_each.saturating_mul(requests.len().max(1) as u64);
            say("--at-least", all.to_string());
            say("--at-most", all.to_string());
        }
        Recipe::Settled {
            at_least, at_most, ..
        } => {
            if let Some(at_least) = at_least.filter(|count| *count > 0) {
                say("--at-least", at_least.to_string());
            }
            say("--at-most", at_most.to_string());
        }
        Recipe::None => {}
    }
    if warm_up.connections > 1 {
        say("--connections", warm_up.connections.to_string());
    }
    let steps: Vec<&Step> = requests.iter().flat_map(|request| &request.steps).collect();
    match steps[..] {
        // The user has to mount two files: the message and the description of the service.
        [one] if one.is_grpc() => {
            let method = one.path.trim_start_matches('/');
            say("--call", format!("{method}=@{MOUNTED}/message.json"));
            say("--proto", format!("{MOUNTED}/service.proto"));
            words.push(format!("http://localhost:{port}"));
        }
        // Targets are single requests, so a WebSocket with several messages is warmed with the
        // first one.
        [one, ..] if steps.len() == 1 || one.websocket.is_some() => {
            if let Some(websocket) = one.websocket {
                say("--greeting", websocket.greeting.to_string());
            } else {
                say("--method", one.method.clone());
            }
            for (name, value) in &one.headers {
                say("--header", format!("{name}: {value}"));
            }
            match &one.body {
                // Protobuf messages belong to gRPC calls, which are handled above.
                Body::None | Body::Messages(_) => {}
                Body::Bytes(bytes) => say("--body", String::from_utf8_lossy(bytes).into_owned()),
                Body::Template(text) => say("--body", text.clone()),
                Body::File(path) | Body::TemplateFile(path) => {
                    say("--body", format!("@{}", path.display()));
                }
            }
            if let Some(events) = one.events {
                say("--events", events.to_string());
            }
            let scheme = one.websocket.map_or("http", |_| "ws");
            words.push(format!("{scheme}://localhost:{port}{}", one.path));
        }
        // Several requests need a file of targets, which the user has to mount.
        _ => {
            say("--targets", format!("{MOUNTED}/requests.txt"));
            words.push(format!("http://localhost:{port}"));
        }
    }
    words
}

/// Small letters, digits and hyphens, at most 63, beginning with a letter: a Service has the name
/// as well (RFC 1035).
fn name(text: &str) -> String {
    let letters = text.chars().map(|c| match c.to_ascii_lowercase() {
        c if c.is_ascii_alphanumeric() => c,
        _ => '-',
    });
    let letters: String = letters.collect();
    let name = letters.trim_matches('-');
    let name = match name.chars().next() {
        None => "service".to_owned(),
        Some('0'..='9') => format!("service-{name}"),
        Some(_) => name.to_owned(),
    };
    let name: String = name.chars().take(63).collect();
    name.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_kubernetes() {
        assert_eq!(name("Users.v2_"), "users-v2");
        assert_eq!(name("..."), "service");
        assert_eq!(name(&"a".repeat(80)).len(), 63);
        assert_eq!(name("2nd try"), "service-2nd-try");
        assert_eq!(name(&"2".repeat(80)).len(), 63);
        assert_eq!(name(&format!("{}-b", "a".repeat(62))), "a".repeat(62));
    }

    #[test]
    fn a_liveness_path_is_known_where_readiness_is_a_group_of_health() {
        let beside = liveness_beside("/actuator/health/readiness");
        assert_eq!(beside.as_deref(), Some("/actuator/health/liveness"));
        assert_eq!(
            liveness_beside("/health/readiness").as_deref(),
            Some("/health/liveness")
        );
        for path in [
            "/readiness",
            "/api/readiness",
            "/myhealth/readiness",
            "/health",
        ] {
            assert_eq!(liveness_beside(path), None, "{path}");
        }
    }

    #[test]
    fn a_gate_does_not_take_the_port_of_its_service() {
        assert_eq!(gate_port(8080), 9000);
        assert_eq!(gate_port(9000), 9001);
    }

    #[test]
    fn a_start_with_more_processors_than_pods_have_gives_no_deployment() {
        let with = |limit: Option<f64>, boost_cpu: Option<f64>| {
            let cell = Cell {
                id: "jar-boost-2".to_owned(),
                variant: "jar-boost-2".to_owned(),
                limits: Limits {
                    cpu: limit,
                    ..Limits::default()
                },
            };
            let warm_up = tacho_run_folder::WarmUp {
                recipe: Recipe::None,
                connections: 1,
                boost_cpu,
            };
            refuse_boost(&cell, Some(&warm_up))
        };
        let refused = with(Some(1.0), Some(2.0)).unwrap_err().to_string();
        assert!(refused.contains("(jar-boost-2)"), "{refused}");
        assert!(refused.ends_with("without boost, or --cpu 2"), "{refused}");
        for (limit, boost) in [(Some(1.0), None), (Some(2.0), Some(2.0)), (None, Some(2.0))] {
            assert!(with(limit, boost).is_ok(), "{limit:?} {boost:?}");
        }
    }

    #[test]
    fn what_warmed_the_launches_is_what_the_sidecar_sends() {
        let request = Scenario::of(Step {
            body: Body::Template("{}".to_owned()),
            ..Step::new("POST", "/users")
        });
        let warm_up = tacho_run_folder::WarmUp {
            recipe: Recipe::Requests { requests: 500 },
            connections: 8,
            boost_cpu: None,
        };
        let words = arguments(&warm_up, &[request], 8080);
        assert_eq!(
            words,
            [
                "--at-least",
                "500",
                "--at-most",
                "500",
                "--connections",
                "8",
                "--method",
                "POST",
                "--body",
                "{}",
                "http://localhost:8080/users"
            ]
        );
    }

    #[test]
    fn so_many_of_each_kind_of_request_are_as_many_times_the_kinds() {
        let requests = ["/a", "/b", "/c"].map(|path| Scenario::of(Step::get(path)));
        let warm_up = tacho_run_folder::WarmUp {
            recipe: Recipe::Each { requests: 10_000 },
            connections: 1,
            boost_cpu: None,
        };
        let words = arguments(&warm_up, &requests, 8080);
        assert_eq!(
            words[..4],
            ["--at-least", "30000", "--at-most", "30000"],
            "{words:?}"
        );
    }
}
