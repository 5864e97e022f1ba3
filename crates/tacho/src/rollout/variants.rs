//! `tacho rollout EXPERIMENT`: each launch is a Deployment of a variant, which is changed while
//! users come.

use super::arguments::{OfExperiment, Pace, Rollout};
use super::gates::gates;
use super::report::report;
use super::users::{Ran, requests};
use crate::arguments::{Overrides, SaidByVariables};
use crate::commands::{At, Concluded, How, Source, apply, carry_out_at};
use crate::error::Error;
use crate::exit::Exit;
use crate::exports::Exports;
use crate::load::requests::from_flags;
use crate::output::{self, Unwritten};
use crate::{Done, arguments::RunOutput, print};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::time::Duration;
use tacho_cluster::{Changed, NotRolled, Seen, Step};
use tacho_cluster_api::Access;
use tacho_rollout_report::{About, Report, render_variants};
use tacho_run_folder::{PhaseKind, PhasePlan};
use tacho_runner::Surroundings;
use tacho_workload::{Body, Scenario};

/// The phase that shows how users are served by pods that have just started.
const FRESH: &str = "fresh";

/// Beside `launch.json`.
const REPORT: &str = "rollout.json";
const PAGE: &str = "rollout.html";

/// Whether the word names an experiment or an artifact. Names of Deployments have no dot and no
/// slash (RFC 1123 label).
pub fn is_experiment(named: &str) -> bool {
    named.contains(['.', '/'])
}

/// Deploys each variant as often as the experiment says, and reports how its users were served.
pub fn of_experiment(arguments: &Rollout) -> Done {
    let of = &arguments.of_experiment;
    let surroundings = Surroundings::here();
    let path = Path::new(&arguments.deployment);
    // Read the file first: if it is not an experiment, the flags do not matter.
    let mut source = Source::read(path, of.jdk.as_deref(), &surroundings)?;
    refuse(arguments)?;
    match asked(arguments)? {
        Some(_) if is_file_of_one(path) => refuse_request(arguments)?,
        Some(asked) => source.experiment.requests = Some(asked),
        None => {}
    }
    let access = Access::from(&arguments.at.cluster);
    let ship = of.images.ship_to(&access)?;
    apply(&overrides(of), &mut source)?;
    let in_file = is_file_of_one(path).then(|| pace_of(&source.experiment.phases));
    let pace = arguments.users.pace(in_file.flatten())?;
    let (phases, steps) = phases(arguments, pace);
    source.experiment.phases = phases;
    source.experiment.pods = of.pods;
    let gates = gates(&mut source.experiment)?;
    source.notes.push(what_is_done(arguments));
    source.notes.extend(gates.iter().map(|(variant, words)| {
        let words = words.arguments.join(" ");
        format!("Each pod of `{variant}` is warmed by a container beside the service, and is ready when both are: tacho {words}")
    }));
    let changed = Changed {
        replicas: of.pods,
        pre_stop_s: of.pre_stop,
        steps,
        gates,
        gate_image: None,
    };
    let at = At::Deployments(access, ship, changed, of.carried.clone());
    let output = RunOutput {
        runs: of.runs.clone(),
        exports: Exports::default(),
        quiet: arguments.quiet,
        dry_run: of.dry_run,
    };
    let concluded = carry_out_at(at, source, &surroundings, &output, How::Told)?;
    tell(pace, concluded)
}

/// How users come in the first phase that has a constant rate.
fn pace_of(phases: &[PhasePlan]) -> Option<Pace> {
    phases.iter().find_map(|phase| match phase.kind {
        PhaseKind::Open {
            rate, connections, ..
        } => Some(Pace { rate, connections }),
        _ => None,
    })
}

/// Reports how users were served in each phase, and what happened to requests that were lost.
fn tell(pace: Pace, concluded: Concluded) -> Done {
    let Some(analysed) = concluded.analysed else {
        return Ok(concluded.exit);
    };
    let mut unwritten = Unwritten::default();
    let mut reports = BTreeMap::new();
    for seen in &concluded.seen {
        let mut launches = analysed.run.launches.iter();
        let launch = launches.find(|launch| is_folder_of(&seen.folder, launch.record.number));
        let sent: u64 = launch.map_or(0, |launch| {
            let phases = launch.record.phases.iter();
            phases.map(|phase| phase.requests).sum()
        });
        let report = report_of(pace, seen, sent)?;
        let text = output::pretty(&report)?;
        unwritten.take(output::write(&seen.folder.join(REPORT), &text));
        let page = tacho_rollout_report::render_page(&report)?;
        unwritten.take(output::write(&seen.folder.join(PAGE), &page));
        reports.extend(launch.map(|launch| (launch.record.number, report)));
    }
    let style = output::style();
    unwritten.take(print(&render_variants(&analysed.run, &reports, &style)));
    let lost: u64 = reports.values().map(Report::lost_in_changes).sum();
    unwritten.or(match concluded.exit {
        Exit::Done if lost > 0 => Exit::CheckFailed,
        Exit::Done if reports.values().any(|report| report.is_part) => Exit::Invalid,
        exit => exit,
    })
}

/// Whether the folder is that of this launch: `003-jar` belongs to launch 3.
fn is_folder_of(folder: &Path, number: u32) -> bool {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    name.split('-').next().and_then(|text| text.parse().ok()) == Some(number)
}

/// `sent` is the number of requests of the launch, whether or not each was kept.
fn report_of(pace: Pace, seen: &Seen, sent: u64) -> Result<Report, Error> {
    let path = seen.folder.join("requests.csv");
    let requests = requests(&path, seen.anchor, &seen.led_to)?;
    let is_part = sent > requests.len() as u64;
    let requests: Vec<_> = requests.into_iter().flatten().collect();
    let about = About {
        deployment: seen.deployment.name.clone(),
        namespace: seen.namespace.clone(),
        replicas: seen.deployment.replicas,
        url: format!("http://{}", seen.address),
        rate: pace.rate,
        has_readiness_probe: seen.deployment.has_readiness_probe,
        has_pre_stop: seen.deployment.has_pre_stop,
        pre_stop_s: seen.deployment.pre_stop_s(),
        sees_pods: requests.iter().any(|one| one.to.is_some()),
        // The lag is in the run folder, and its certificate judges it.
        generator_lag_p99_ms: None,
        is_cut_short: false,
    };
    let ran = Ran {
        told: seen.told.clone(),
        windows: seen.windows.clone(),
        requests,
        is_part,
        lag_p99_ms: None,
        sent_by: None,
        pre_stop_s: None,
        wants_pre_stop: false,
        ended: None,
    };
    Ok(report(about, &ran))
}

/// First a phase without changes, then one phase for each change. Phases for changes have the same
/// length, so that their 99th percentiles can be compared.
fn phases(arguments: &Rollout, pace: Pace) -> (Vec<PhasePlan>, BTreeMap<String, Step>) {
    let of = &arguments.of_experiment;
    let phase = |label: &str, duration: Duration| PhasePlan {
        label: label.to_owned(),
        kind: PhaseKind::Open {
            rate: pace.rate,
            duration_s: duration.as_secs_f64(),
            connections: pace.connections,
        },
    };
    let mut phases = vec![phase(FRESH, of.fresh)];
    let mut steps = BTreeMap::new();
    for _ in 0..arguments.changed.times {
        for step in &arguments.changed.changes {
            let label = label(*step, &steps);
            phases.push(phase(&label, of.each));
            steps.insert(label, *step);
        }
    }
    (phases, steps)
}

/// `restart`, then `restart-2`.
fn label(step: Step, taken: &BTreeMap<String, Step>) -> String {
    let name = step.to_string().replace('=', "-");
    let taken = taken.values().filter(|other| **other == step).count();
    match taken {
        0 => name,
        count => format!("{name}-{}", count + 1),
    }
}

fn what_is_done(arguments: &Rollout) -> String {
    let of = &arguments.of_experiment;
    let pre_stop = match of.pre_stop {
        None => "without a preStop".to_owned(),
        Some(seconds) => format!("each with a preStop of {seconds} s"),
    };
    let steps = arguments.changed.changes.iter().map(ToString::to_string);
    let steps: Vec<String> = steps.collect();
    let used = match arguments.users.rate {
        Some(_) => "The phases of the file are not used",
        None => "Of the phases of the file only the first constant rate is used",
    };
    format!(
        "Each launch is a Deployment of {} pods, {pre_stop}. Its users come by its Service; `{FRESH}` begins when all pods are ready. Changes: {}. {used}.",
        of.pods,
        steps.join(", ")
    )
}

fn overrides(of: &OfExperiment) -> Overrides {
    Overrides {
        variants: of.variants.clone(),
        baseline: of.baseline.clone(),
        cpu: of.cpu,
        memory: of.memory,
        port: of.port,
        ready: of.ready.clone(),
        jdk: of.jdk.clone(),
        launches: of.launches.map(tacho_experiment::Launches::Fixed),
        ..Overrides::default()
    }
}

/// An experiment file defines its own requests.
fn is_file_of_one(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    matches!(extension, Some("yaml" | "yml"))
}

/// The request to an artifact, from the path and the flags that describe one request. `None` if
/// none are given; Tacho then finds a request that the artifact answers.
fn asked(arguments: &Rollout) -> Result<Option<Vec<Scenario>>, Error> {
    let what = &arguments.what;
    let is_said = arguments.path != "/"
        || what.method.is_some()
        || what.body.is_some()
        || !what.headers.is_empty();
    if !is_said {
        return Ok(None);
    }
    let path = format!("/{}", arguments.path.trim_start_matches('/'));
    let mut workload = from_flags(what, &path);
    for step in workload.steps_mut() {
        if let Body::TemplateFile(file) = &step.body {
            let unread = |error: io::Error| Error::Unread {
                path: file.clone(),
                why: error.to_string(),
            };
            let text = tacho_files::read(file).and_then(|bytes| {
                String::from_utf8(bytes).map_err(|_| io::Error::other("it is no text"))
            });
            step.body = Body::Template(text.map_err(unread)?);
        }
    }
    Ok(Some(workload.scenarios))
}

/// Refuses flags that describe a request, since an experiment file has its own.
fn refuse_request(arguments: &Rollout) -> Result<(), NotRolled> {
    let what = &arguments.what;
    let given = [
        (arguments.path != "/", "a path"),
        (what.method.is_some(), "--method"),
        (what.body.is_some(), "--body"),
        (!what.headers.is_empty(), "--header"),
    ];
    match given.iter().find(|(is_given, _)| *is_given) {
        Some((_, what)) => Err(NotRolled::NotOfAnExperiment(what)),
        None => Ok(()),
    }
}

/// Refuses flags that only apply to an existing Deployment.
fn refuse(arguments: &Rollout) -> Result<(), NotRolled> {
    let (what, how) = (&arguments.what, &arguments.how);
    let given = [
        (what.targets.is_some(), "--targets"),
        (what.grpc.is_asked(), "--call"),
        (!what.feeds.is_empty(), "--feed"),
        (!what.expects.is_empty(), "--expect"),
        (how.http2, "--http2"),
        (how.ca.is_some(), "--ca"),
        (arguments.users.url.is_some(), "--url"),
        (arguments.users.service.is_some(), "--service"),
        (arguments.changed.try_pre_stop.is_some(), "--try-pre-stop"),
        (arguments.json.is_some(), "--json"),
        (arguments.html.is_some(), "--html"),
    ];
    match first(&given, &arguments.variables) {
        _ if arguments.users.from_cluster => Err(NotRolled::RunPodInstead),
        Some(what) => Err(NotRolled::NotOfAnExperiment(what)),
        None => Ok(()),
    }
}

/// Refuses flags that only apply to an experiment. The image flags are allowed if a pod sends the
/// requests.
pub fn refuse_of_experiment(arguments: &Rollout, has_pod: bool) -> Result<(), NotRolled> {
    let of = &arguments.of_experiment;
    let given = [
        (of.images.image.is_some() && !has_pod, "--image"),
        (of.images.load_image.is_some() && !has_pod, "--load-image"),
        (!of.variants.is_empty(), "--variants"),
        (of.baseline.is_some(), "--baseline"),
        (of.launches.is_some(), "--launches"),
        (of.pre_stop.is_some(), "--pre-stop"),
        (of.cpu.is_some(), "--cpu"),
        (of.memory.is_some(), "--memory"),
        (of.jdk.is_some(), "--jdk"),
        (of.dry_run, "--dry-run"),
    ];
    match first(&given, &arguments.variables) {
        _ if of.carried.run_pod => Err(NotRolled::FromClusterInstead("--run-pod")),
        _ if of.carried.node.is_some() => Err(NotRolled::FromClusterInstead("--node")),
        Some(what) => Err(NotRolled::OnlyOfAnExperiment(what)),
        None => Ok(()),
    }
}

/// The first flag that was given on the command line. Variables do not count, because they may be
/// meant for other commands.
fn first(given: &[(bool, &'static str)], variables: &SaidByVariables) -> Option<&'static str> {
    let mut given = given.iter();
    let found = given.find(|(is_given, flag)| *is_given && !variables.has(flag));
    found.map(|(_, flag)| *flag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_an_experiment_and_a_name_is_a_deployment() {
        for file in ["experiment.yaml", "app.jar", "./users", "target/users"] {
            assert!(is_experiment(file), "{file}");
        }
        for name in ["users", "users-v2"] {
            assert!(!is_experiment(name), "{name}");
        }
    }

    #[test]
    fn each_change_has_a_phase_of_its_own() {
        let mut taken = BTreeMap::new();
        for (step, wanted) in [
            (Step::Restart, "restart"),
            (Step::Scale(4), "scale-4"),
            (Step::Restart, "restart-2"),
        ] {
            let label = label(step, &taken);
            assert_eq!(label, wanted);
            taken.insert(label, step);
        }
    }

    #[test]
    fn a_launch_is_found_by_its_folder() {
        assert!(is_folder_of(Path::new("runs/x/launches/003-jar"), 3));
        assert!(!is_folder_of(Path::new("runs/x/launches/013-jar"), 3));
    }
}
