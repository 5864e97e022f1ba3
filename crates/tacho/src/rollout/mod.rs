//! `tacho rollout`: a Deployment is changed while users come. What did they feel, and why?

pub mod arguments;

use crate::Done;
use crate::error::Error;
use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use crate::load::requests::{Asked, options};
use crate::output::{self, Unwritten};
use crate::signals::stop_on_signals;
use arguments::Rollout;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use tacho_cluster::{NotRolled, Patience, Rolling, Step};
use tacho_cluster_api::{Access, Cluster, DeploymentState, ServiceSeen};
use tacho_launch::Scratch;
use tacho_load::recorder::Files;
use tacho_load::{Anchor, Control, Counters, Generator, Loaded, monotonic_ns};
use tacho_rollout::{Request, Window, felt, lags, lives, lost};
use tacho_rollout_report::{About, Report, render};
use tacho_run_folder::{ErrorKind, PhaseKind, PhasePlan, RequestRow, RowOutcome};
use tacho_runner::Stop;

/// Requests that are kept one by one: an hour of 1,000 a second is more than anybody waits for.
const SINGLES: usize = 4_000_000;

/// Longer than any changes take; the load ends with them.
const LOAD_S: f64 = 7.0 * 24.0 * 3600.0;

/// Changes a Deployment under load, and says what became of the requests.
pub fn rollout(arguments: &Rollout) -> Done {
    let cluster = Cluster::of(&Access::from(&arguments.at.cluster))?;
    let deployment = deployment(&cluster, &arguments.deployment)?;
    let service = service(&cluster, &deployment, arguments)?;
    let asked = asked(arguments, &service)?;
    for note in asked.notes() {
        crate::tell!("note: {note}");
    }
    let stop = stop_on_signals()?;
    let patience = Patience {
        within: arguments.changed.within,
        rest: arguments.changed.rest,
    };
    let rolling = Rolling::begin(&cluster, &deployment, &service.name, patience, stop.clone())?;
    let ran = run(arguments, &asked, rolling, &stop)?;
    let about = About {
        deployment: deployment.name.clone(),
        namespace: cluster.reached().namespace.to_string(),
        replicas: deployment.replicas,
        url: asked.url(),
        rate: arguments.users.rate,
        has_readiness_probe: deployment.has_readiness_probe,
        has_pre_stop: deployment.has_pre_stop,
        generator_lag_p99_ms: ran.lag_p99_ms,
        is_cut_short: ran.ended.is_some(),
    };
    let report = report(about, &ran);
    let mut unwritten = Unwritten::default();
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&report),
        || render(&report, &output::style()),
    ));
    match ran.ended {
        Some(NotRolled::Interrupted) => unwritten.or(Exit::Interrupted),
        Some(error) => {
            unwritten.or(())?;
            Err(error.into())
        }
        None if report.lost_in_changes() > 0 => unwritten.or(Exit::CheckFailed),
        None => unwritten.or(Exit::Done),
    }
}

fn deployment(cluster: &Cluster, name: &str) -> Result<DeploymentState, Error> {
    let found = cluster.deployment(name)?;
    let found = found.ok_or_else(|| NotRolled::NoDeployment {
        name: name.to_owned(),
        namespace: cluster.reached().namespace.to_string(),
    });
    Ok(found?)
}

/// The one by which users come.
fn service(
    cluster: &Cluster,
    deployment: &DeploymentState,
    arguments: &Rollout,
) -> Result<ServiceSeen, Error> {
    let mut leading = cluster.services(deployment)?;
    if let Some(name) = &arguments.users.service {
        leading.retain(|service| service.name == *name);
    }
    match <[ServiceSeen; 1]>::try_from(leading) {
        Ok([service]) => Ok(service),
        Err(several) => {
            let names: Vec<String> = several
                .iter()
                .map(|one| format!("`{}`", one.name))
                .collect();
            let none = match &arguments.users.service {
                Some(name) => format!("no service `{name}`"),
                None => "no service".to_owned(),
            };
            Err(Error::from(NotRolled::WhichService {
                deployment: deployment.name.clone(),
                found: match names.as_slice() {
                    [] => none,
                    names => format!("each of {}", names.join(", ")),
                },
            }))
        }
    }
}

fn asked(arguments: &Rollout, service: &ServiceSeen) -> Result<Asked, Error> {
    let url = match (&arguments.users.url, service.address, service.ports.first()) {
        (Some(url), ..) => url.clone(),
        (None, Some(address), Some(port)) => {
            let address = std::net::SocketAddr::new(address, *port);
            format!(
                "http://{address}/{}",
                arguments.path.trim_start_matches('/')
            )
        }
        _ => return Err(NotRolled::NoAddress(service.name.clone()).into()),
    };
    Ok(Asked::of(Some(&url), &arguments.what, &arguments.how)?)
}

/// What was seen.
struct Ran {
    told: Vec<tacho_rollout::Told>,
    windows: Vec<Window>,
    requests: Vec<Request>,
    /// Not all requests were kept.
    is_part: bool,
    lag_p99_ms: Option<f64>,
    /// Why it came to no end.
    ended: Option<NotRolled>,
}

/// Users come on a thread of their own while changes are carried out.
fn run(
    arguments: &Rollout,
    asked: &Asked,
    mut rolling: Rolling<'_>,
    stop: &Stop,
) -> Result<Ran, Error> {
    let scratch = Scratch::new().map_err(LoadCommandError::from)?;
    let files = Files::in_folder(scratch.path());
    let source = asked.source(&arguments.what, arguments.users.seed, &[])?;
    let options = options(&arguments.how, arguments.users.seed);
    let generator = Generator::new(asked.endpoint.clone(), source, options);
    let generator = generator.map_err(LoadCommandError::from)?;
    let recorder = files.record().map_err(tacho_load::LoadError::from);
    let mut recorder = recorder
        .map_err(LoadCommandError::from)?
        .keeping_singles(SINGLES);
    let anchor = recorder.anchor();
    let plan = PhasePlan {
        label: "users".to_owned(),
        kind: PhaseKind::Open {
            rate: arguments.users.rate,
            duration_s: LOAD_S,
            connections: arguments.users.connections,
        },
    };
    // The load ends with the changes, and not by the signal: what is on its way is answered yet.
    let control = Control::new();
    let (loaded, windows, ended) = std::thread::scope(|scope| {
        let (plans, control) = (std::slice::from_ref(&plan), &control);
        let load = scope.spawn({
            let recorder = &mut recorder;
            move || generator.run_all(plans, recorder, control, &mut |_| {})
        });
        let is_over = || match (stop.is_set(), load.is_finished()) {
            (true, _) => Some(NotRolled::Interrupted),
            (false, true) => Some(NotRolled::NobodyAnswers),
            (false, false) => None,
        };
        let counters = || control.counters();
        let (windows, ended) = changes(arguments, &mut rolling, is_over, counters, asked);
        control.stop();
        (load.join(), windows, ended)
    });
    let loaded = loaded.map_err(|_| LoadCommandError::Crashed)?;
    let loaded = loaded.map_err(LoadCommandError::from)?;
    let requests = requests(&files.requests, anchor)?;
    Ok(Ran {
        told: rolling.told().to_vec(),
        windows,
        is_part: is_part(&loaded, requests.len()),
        requests: requests.into_iter().flatten().collect(),
        lag_p99_ms: lag(&loaded),
        ended,
    })
}

/// Carries out the changes, as often as `--times` says. Windows that were complete before a failure
/// are kept.
fn changes(
    arguments: &Rollout,
    rolling: &mut Rolling<'_>,
    is_over: impl Fn() -> Option<NotRolled>,
    counters: impl Fn() -> Counters,
    asked: &Asked,
) -> (Vec<Window>, Option<NotRolled>) {
    let say = |what: &str| {
        if !arguments.quiet {
            crate::tell!("{what}");
        }
    };
    say("Before anything is changed ...");
    let mut windows = Vec::new();
    let warmed = rolling.warm_up(arguments.users.warm_up);
    match warmed.and_then(|()| rolling.before()) {
        Ok(window) => windows.push(window),
        Err(error) => return (windows, Some(error)),
    }
    // Of a Deployment that does not serve them no change tells anything.
    let Counters {
        intended,
        answered,
        failed,
        ..
    } = counters();
    if failed > 0 && failed >= answered {
        let failing = NotRolled::Failing {
            failed,
            requests: intended,
            url: asked.url(),
        };
        return (windows, Some(failing));
    }
    for number in 1..=arguments.changed.times {
        for step in &arguments.changed.changes {
            if let Some(why) = is_over() {
                return (windows, Some(why));
            }
            say(&doing(*step, number, arguments.changed.times));
            let from_ns = monotonic_ns();
            match rolling.carry_out(*step, number) {
                Ok(carried_out) => windows.extend(carried_out),
                Err(error) => {
                    windows.push(Window {
                        name: format!("{step}, cut short"),
                        from_ns,
                        to_ns: monotonic_ns(),
                        is_change: true,
                    });
                    return (windows, Some(error));
                }
            }
        }
    }
    (windows, None)
}

fn doing(step: Step, number: u32, times: u32) -> String {
    match times {
        1 => format!("{step} ..."),
        times => format!("{step}, {number} of {times} ..."),
    }
}

/// Those that were kept one by one; `None`: on its way when the load was ended, and nobody's loss.
fn requests(path: &Path, anchor: Anchor) -> Result<Vec<Option<Request>>, Error> {
    let unreadable = |source: std::io::Error| Error::Unread {
        path: path.to_owned(),
        why: source.to_string(),
    };
    let file = File::open(path).map_err(unreadable)?;
    let rows = RequestRow::read(BufReader::new(file)).map_err(|error| Error::Unread {
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    let at = |ns: u64| ns.saturating_add(anchor.monotonic_ns);
    let of = |row: &RequestRow| {
        let interrupted = RowOutcome::Failed(ErrorKind::Interrupted.into());
        (row.outcome != interrupted).then(|| Request {
            intended_ns: at(row.intended_ns),
            sent_ns: (row.sent_ns > 0).then(|| at(row.sent_ns)),
            end_ns: at(row.end_ns),
            is_good: row.outcome.is_good(),
            outcome: row.outcome.to_string(),
        })
    };
    Ok(rows.iter().map(of).collect())
}

fn is_part(loaded: &Loaded, kept: usize) -> bool {
    let requests: u64 = loaded
        .phases
        .iter()
        .map(|phase| phase.record.requests)
        .sum();
    requests > kept as u64
}

fn lag(loaded: &Loaded) -> Option<f64> {
    let lags = loaded.phases.first()?.record.generator_lag_ms?;
    Some(lags.p99)
}

fn report(about: About, ran: &Ran) -> Report {
    let lives = lives(&ran.told);
    let first = ran.windows.first();
    let began_ns = first.map_or(0, |window| window.to_ns);
    let mut notes = vec![
        "Which pod a connection led to is not seen: what was going on is told by time. What a process did before it is told by the API only.".to_owned(),
    ];
    if ran.is_part {
        notes.push(
            "There were more requests than are kept one by one: of the last ones nothing is told."
                .to_owned(),
        );
    }
    let lost = lost(
        &ran.requests,
        &lives,
        &ran.windows,
        about.has_readiness_probe,
    );
    let felt = felt(&ran.requests, &ran.windows);
    Report::new(about, felt, &lives, lags(&lives, began_ns), lost, notes)
}
