//! `tacho rollout`: a Deployment is changed while users come. What did they feel, and why?

pub mod arguments;
mod variants;

use crate::Done;
use crate::error::Error;
use crate::exit::Exit;
use crate::load::cluster::{Elsewhere, PodImage, Pods};
use crate::load::error::LoadCommandError;
use crate::load::requests::{Asked, options};
use crate::load::workers::Generators;
use crate::output::{self, Unwritten};
use crate::signals::stop_on_signals;
use arguments::{Rollout, Users};
use std::fs::File;
use std::io::BufReader;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tacho_cluster::{Conntrack, LedTo, NotRolled, Patience, Rolling, Step, WITH_PRE_STOP};
use tacho_cluster_api::{Access, Cluster, DeploymentState, ServiceSeen, WorkerLimits};
use tacho_figures::count;
use tacho_launch::Scratch;
use tacho_load::recorder::Files;
use tacho_load::{Anchor, Control, Counters, Loaded, Options, monotonic_ns};
use tacho_rollout::{
    Lags, Request, Told, Window, course, felt, lags, lives, lost, slow, tried, young,
};
use tacho_rollout_report::{About, Report, Seen, origin_ns, pre_stop_s, render, render_page};
use tacho_run_folder::{ErrorKind, PhaseKind, PhasePlan, RequestRow, RowOutcome};
use tacho_runner::Stop;

/// Longer than any changes take; the load ends with them.
const LOAD_S: f64 = 7.0 * 24.0 * 3600.0;

/// Changes a Deployment under load, and says what became of the requests.
pub fn rollout(arguments: &Rollout) -> Done {
    if variants::is_experiment(&arguments.deployment) {
        return variants::of_experiment(arguments);
    }
    let by = users_pod(arguments)?;
    variants::refuse_of_experiment(&arguments.of_experiment, by.is_some())?;
    compares_restarts(arguments)?;
    let cluster = Arc::new(Cluster::of(&Access::from(&arguments.at.cluster))?);
    let deployment = deployment(&cluster, &arguments.deployment)?;
    let service = service(&cluster, &deployment, &arguments.users)?;
    let url = url(arguments, service.as_ref())?;
    let asked = Asked::of(Some(&url), &arguments.what, &arguments.how)?;
    for note in asked.notes() {
        crate::tell!("note: {note}");
    }
    let stop = stop_on_signals()?;
    let patience = Patience {
        within: arguments.changed.within,
        rest: arguments.changed.rest,
    };
    // Without a Service there are no endpoints to watch.
    let endpoints = service.as_ref().map_or("", |service| &service.name);
    let rolling = Rolling::begin(
        Arc::clone(&cluster),
        &deployment,
        endpoints,
        patience,
        stop.clone(),
    )?;
    // A connection of a pod has no port of ours.
    let by_service = service.filter(|_| arguments.users.url.is_none() && by.is_none());
    let address = by_service.as_ref().and_then(service_address);
    let conntrack = address.and_then(Conntrack::begin);
    let users = Coming {
        url: &url,
        asked: &asked,
        by: by.as_ref(),
    };
    let ran = run(arguments, &users, rolling, conntrack, &stop)?;
    // Where nothing was changed there is nothing to tell of a change.
    let ran = match ran {
        Ran {
            ended: Some(why),
            ref windows,
            ..
        } if !windows.iter().any(|window| window.is_change) => return nothing_changed(why),
        ran => ran,
    };
    let about = About {
        deployment: deployment.name.clone(),
        namespace: cluster.reached().namespace.to_string(),
        replicas: deployment.replicas,
        url: asked.url(),
        rate: arguments.users.rate,
        has_readiness_probe: deployment.has_readiness_probe,
        has_pre_stop: deployment.has_pre_stop,
        sees_pods: ran.requests.iter().any(|one| one.to.is_some()),
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
    if let Some(path) = &arguments.html {
        let page = render_page(&report)?;
        unwritten.take(output::write(path, &page));
    }
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

fn nothing_changed(why: NotRolled) -> Done {
    match why {
        NotRolled::Interrupted => Ok(Exit::Interrupted),
        why => Err(why.into()),
    }
}

fn deployment(cluster: &Cluster, name: &str) -> Result<DeploymentState, Error> {
    let found = cluster.deployment(name)?;
    let found = found.ok_or_else(|| NotRolled::NoDeployment {
        name: name.to_owned(),
        namespace: cluster.reached().namespace.to_string(),
        there: cluster.some_deployments(),
    });
    Ok(found?)
}

/// A preStop is judged by restarts without it.
fn compares_restarts(arguments: &Rollout) -> Result<(), Error> {
    let changed = &arguments.changed;
    let has_restart = changed.changes.contains(&Step::Restart);
    match changed.try_pre_stop.is_some() && !has_restart {
        true => Err(NotRolled::NothingToCompare.into()),
        false => Ok(()),
    }
}

/// The one by which users come. Those who come by `--url` may come by another, or by none.
fn service(
    cluster: &Cluster,
    deployment: &DeploymentState,
    users: &Users,
) -> Result<Option<ServiceSeen>, Error> {
    let leading = cluster.services(deployment)?;
    let there = || leading.iter().map(|one| one.name.clone()).collect();
    let deployment = deployment.name.clone();
    if let Some(name) = &users.service {
        let found = leading.iter().find(|one| one.name == *name).cloned();
        let found = found.ok_or_else(|| NotRolled::NotThatService {
            service: name.clone(),
            deployment,
            there: there(),
        });
        return Ok(Some(found?));
    }
    match (leading.as_slice(), &users.url) {
        ([one], _) => Ok(Some(one.clone())),
        (_, Some(_)) => Ok(None),
        ([], None) => Err(Error::from(NotRolled::NoService {
            deployment,
            namespace: cluster.reached().namespace.to_string(),
        })),
        (_, None) => Err(Error::from(NotRolled::SeveralServices {
            deployment,
            there: there(),
        })),
    }
}

/// Where they come in.
fn url(arguments: &Rollout, service: Option<&ServiceSeen>) -> Result<String, Error> {
    match (&arguments.users.url, service) {
        (Some(url), _) => Ok(url.clone()),
        (None, Some(service)) => {
            let address = service_address(service);
            let address = address.ok_or_else(|| no_address(service))?;
            let path = arguments.path.trim_start_matches('/');
            Ok(format!("http://{address}/{path}"))
        }
        (None, None) => Err(NotRolled::NoAddress(String::new()).into()),
    }
}

fn no_address(service: &ServiceSeen) -> NotRolled {
    let name = service.name.clone();
    let (Some(address), [_, _, ..]) = (service.address, service.ports.as_slice()) else {
        return NotRolled::NoAddress(name);
    };
    let ports = service.ports.iter();
    let urls = ports.map(|port| {
        let at = SocketAddr::new(address, port.number);
        format!("{}: --url http://{at}/", port.name)
    });
    NotRolled::SeveralPorts {
        service: name,
        urls: urls.collect(),
    }
}

/// The pod that sends what users send; absent: this process does.
fn users_pod(arguments: &Rollout) -> Result<Option<Pods>, NotRolled> {
    let users = &arguments.users;
    if !users.from_cluster {
        return Ok(None);
    }
    let own = arguments.of_experiment.images.ship().map(PodImage::Own);
    let image = match &users.users_image {
        Some(name) => PodImage::Named(name.clone()),
        None => own.ok_or(NotRolled::WantsImageOfUsers)?,
    };
    Ok(Some(Pods {
        workers: 1,
        image,
        limits: WorkerLimits {
            cpu: users.users_cpu,
            memory_bytes: users.users_memory,
        },
        access: Access::from(&arguments.at.cluster),
    }))
}

fn service_address(service: &ServiceSeen) -> Option<SocketAddr> {
    Some(SocketAddr::new(service.address?, service.users_port()?))
}

/// What was seen.
struct Ran {
    told: Vec<tacho_rollout::Told>,
    windows: Vec<Window>,
    requests: Vec<Request>,
    /// Not all requests were kept.
    is_part: bool,
    lag_p99_ms: Option<f64>,
    /// Of a pod that sent the requests.
    sent_by: Option<String>,
    /// The preStop that was tried, in seconds.
    pre_stop_s: Option<u32>,
    /// One was to be tried.
    wants_pre_stop: bool,
    /// Why it came to no end.
    ended: Option<NotRolled>,
}

/// The users of a Deployment.
struct Coming<'a> {
    url: &'a str,
    asked: &'a Asked,
    /// Absent: they are sent from here.
    by: Option<&'a Pods>,
}

impl Coming<'_> {
    /// Whoever sends what they send, ready to begin.
    fn begin(
        &self,
        arguments: &Rollout,
        plan: &PhasePlan,
        (folder, files): (&Path, &Files),
        control: &Control,
        stop: &Stop,
    ) -> Result<Generators, Error> {
        // What cannot be sent is known here, before anything is made.
        let seed = arguments.users.seed;
        let source = self.asked.source(&arguments.what, seed, &[])?;
        let Some(by) = self.by else {
            let options = Options {
                names_connections: true,
                ..options(&arguments.how, seed)
            };
            let endpoint = self.asked.endpoint.clone();
            return Ok(Generators::one(endpoint, source, options, files)?);
        };
        let says = "Starting the pod that sends the requests ...";
        let load = Elsewhere {
            what: &arguments.what,
            how: &arguments.how,
            url: Some(self.url),
            asked: self.asked,
            plans: std::slice::from_ref(plan),
            keeps_every_request: true,
            says: (!arguments.quiet).then_some(says),
            folder,
            files,
            control,
            stop,
        };
        Generators::elsewhere(&load, by)
    }
}

/// Users come on a thread of their own while changes are carried out.
fn run(
    arguments: &Rollout,
    users: &Coming<'_>,
    mut rolling: Rolling,
    conntrack: Option<Conntrack>,
    stop: &Stop,
) -> Result<Ran, Error> {
    let scratch = Scratch::new().map_err(LoadCommandError::from)?;
    let files = Files::in_folder(scratch.path());
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
    let mut sending = users.begin(arguments, &plan, (scratch.path(), &files), &control, stop)?;
    let anchor = sending.anchor();
    let (loaded, carried_out) = std::thread::scope(|scope| {
        let (plans, control) = (std::slice::from_ref(&plan), &control);
        let load = scope.spawn({
            let sending = &mut sending;
            move || sending.run_all(plans, control, &mut |_| {})
        });
        let is_over = || match (stop.is_set(), load.is_finished()) {
            (true, _) => Some(NotRolled::Interrupted),
            (false, true) => Some(NotRolled::NobodyAnswers),
            (false, false) => None,
        };
        let counters = || control.counters();
        let carried_out = changes(arguments, &mut rolling, is_over, counters, users.asked);
        control.stop();
        (load.join(), carried_out)
    });
    let led_to = conntrack.map(Conntrack::end).unwrap_or_default();
    let loaded = loaded.map_err(|_| LoadCommandError::Crashed)?;
    let (sent_by, gone) = (sending.by_a_pod(), sending.lost());
    let loaded = match (loaded, &gone) {
        // Of whom nobody is left nothing was recorded.
        (Err(_), Some(_)) => Loaded::default(),
        (loaded, _) => loaded?,
    };
    // What was measured is told, whatever the cluster says now.
    if let Err(error) = sending.finish() {
        crate::tell!("{error}");
    }
    let requests = requests(&files.requests, anchor, &led_to)?;
    let CarriedOut {
        windows,
        pre_stop_s,
        ended,
    } = match gone {
        Some(why) => carried_out.ended_by(NotRolled::UsersGone { why }),
        None => carried_out,
    };
    Ok(Ran {
        told: rolling.told().to_vec(),
        windows,
        pre_stop_s,
        wants_pre_stop: arguments.changed.try_pre_stop.is_some(),
        is_part: is_part(&loaded, requests.len()),
        requests: requests.into_iter().flatten().collect(),
        lag_p99_ms: lag(&loaded),
        sent_by,
        ended,
    })
}

/// Changes that were carried out.
#[derive(Default)]
struct CarriedOut {
    windows: Vec<Window>,
    /// The preStop that was tried, in seconds.
    pre_stop_s: Option<u32>,
    /// Why it came to no end.
    ended: Option<NotRolled>,
}

impl CarriedOut {
    fn ended_by(self, why: NotRolled) -> Self {
        Self {
            ended: Some(why),
            ..self
        }
    }

    /// A window of which the end was not seen.
    fn cut_short(mut self, what: &str, from_ns: u64, why: NotRolled) -> Self {
        self.windows.push(Window {
            name: format!("{what}, cut short"),
            from_ns,
            to_ns: monotonic_ns(),
            is_change: true,
        });
        self.ended_by(why)
    }
}

/// Carries out the changes, as often as `--times` says. Windows that were complete before a failure
/// are kept.
fn changes(
    arguments: &Rollout,
    rolling: &mut Rolling,
    is_over: impl Fn() -> Option<NotRolled>,
    counters: impl Fn() -> Counters,
    asked: &Asked,
) -> CarriedOut {
    let say = |what: &str| {
        if !arguments.quiet {
            crate::tell!("{what}");
        }
    };
    say("Before anything is changed ...");
    let mut done = CarriedOut::default();
    let warmed = rolling.warm_up(arguments.users.warm_up);
    match warmed.and_then(|()| rolling.before()) {
        Ok(window) => done.windows.push(window),
        Err(error) => return done.ended_by(error),
    }
    // Of a Deployment that does not serve them no change tells anything.
    let Counters {
        intended,
        answered,
        failed,
        ..
    } = counters();
    // Where connections wait for an answer that does not come, nothing has failed yet.
    if answered == 0 {
        let url = asked.url();
        return done.ended_by(match arguments.users.from_cluster {
            true => NotRolled::UnreachedByAPod { url },
            false => NotRolled::Unreached { url },
        });
    }
    if failed > 0 && failed >= answered {
        let failing = NotRolled::Failing {
            failed,
            requests: intended,
            url: asked.url(),
        };
        return done.ended_by(failing);
    }
    for number in 1..=arguments.changed.times {
        for step in &arguments.changed.changes {
            if let Some(why) = is_over() {
                return done.ended_by(why);
            }
            say(&doing(*step, number, arguments.changed.times));
            let from_ns = monotonic_ns();
            match rolling.carry_out(*step, number) {
                Ok(carried_out) => done.windows.extend(carried_out),
                Err(error) if error.is_refusal() => return done.ended_by(error),
                Err(error) => return done.cut_short(&step.to_string(), from_ns, error),
            }
        }
    }
    let Some(wanted) = arguments.changed.try_pre_stop else {
        return done;
    };
    if let Some(why) = is_over() {
        return done.ended_by(why);
    }
    let Some(seconds) = wanted.or_else(|| pre_stop_s(&lags_of(rolling.told(), &done.windows)))
    else {
        return done;
    };
    say(&format!("The same with a preStop of {seconds} s ..."));
    let from_ns = monotonic_ns();
    match rolling.with_pre_stop(seconds, arguments.changed.times) {
        Ok(carried_out) => {
            done.windows.extend(carried_out);
            done.pre_stop_s = Some(seconds);
            done
        }
        Err(error) => done.cut_short("preStop", from_ns, error),
    }
}

/// How late endpoints followed pods since users came.
fn lags_of(told: &[Told], windows: &[Window]) -> Lags {
    let began_ns = windows.first().map_or(0, |window| window.to_ns);
    lags(&lives(told), began_ns)
}

fn doing(step: Step, number: u32, times: u32) -> String {
    match times {
        1 => format!("{step} ..."),
        times => format!("{step}, {number} of {times} ..."),
    }
}

/// Those that were kept one by one; `None`: on its way when the load was ended, and nobody's loss.
fn requests(path: &Path, anchor: Anchor, led_to: &LedTo) -> Result<Vec<Option<Request>>, Error> {
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
        let port = row.port.and_then(|port| u16::try_from(port).ok());
        (row.outcome != interrupted).then(|| Request {
            intended_ns: at(row.intended_ns),
            sent_ns: (row.sent_ns > 0).then(|| at(row.sent_ns)),
            end_ns: at(row.end_ns),
            is_good: row.outcome.is_good(),
            outcome: row.outcome.to_string(),
            connected_ns: row.connected_ns.map(at),
            to: port.and_then(|port| led_to.find(port, at(row.end_ns))),
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
    let mut notes: Vec<String> = ran.sent_by.iter().cloned().collect();
    notes.push(seen_pods(ran));
    if ran.pre_stop_s.is_none() && ran.wants_pre_stop && ran.ended.is_none() {
        notes.push("No preStop was tried: no pod was seen to end. Say how long by `--try-pre-stop=SECONDS`.".to_owned());
    }
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
    let slow = slow(
        &ran.requests,
        &lives,
        &ran.windows,
        about.has_readiness_probe,
    );
    let felt = felt(&ran.requests, &ran.windows);
    let is_without = |name: &str| name.starts_with(&format!("{} ", Step::Restart));
    let is_with = |name: &str| name.starts_with(WITH_PRE_STOP);
    let seen = Seen {
        course: course(&ran.requests, &ran.windows, origin_ns(&felt)),
        youth: young(&ran.requests, &lives, &ran.windows),
        tried: ran
            .pre_stop_s
            .map(|seconds| tried(&felt, seconds, is_without, is_with)),
        felt,
        lives: &lives,
        lags: lags_of(&ran.told, &ran.windows),
        lost,
        slow,
        notes,
    };
    Report::new(about, seen)
}

/// Of how many requests the pod is known, and how.
fn seen_pods(ran: &Ran) -> String {
    let all = ran.requests.len();
    let known = ran.requests.iter().filter(|one| one.to.is_some()).count();
    let told = "What pods did is told by the API alone.";
    match known {
        0 => format!(
            "Which pod a connection led to is not seen from here: what was going on is told by time. {told}"
        ),
        _ => format!(
            "Which pod a connection led to is known of {} of {} requests, by the kernel's table of connections (/proc/net/nf_conntrack); of the others what was going on is told by time. {told}",
            count(known as u64),
            count(all as u64)
        ),
    }
}
