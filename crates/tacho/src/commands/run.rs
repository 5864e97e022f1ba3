//! `tacho run`.

use super::run_pod;
use crate::arguments::{Overrides, Run, RunOutput};
use crate::conclude::{conclude, conclude_silently, exit};
use crate::error::Error;
use crate::exit::Exit;
use crate::on::{Carried, Elsewhere, On};
use crate::signals::stop_on_signals;
use crate::{Done, print};
use indicatif::HumanDuration;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tacho_analysis::check::Check;
use tacho_cluster::{Changed, Deployments, NotThere, Pods, RunPods, Seen, Ship, Way};
use tacho_cluster_api::Access;
use tacho_diagnosis::{Builds, compared_phases};
use tacho_experiment::{
    Experiment, Launches, Limits, ReadyCondition, ReadySpec, Recipe, limits, plan,
};
use tacho_report::{Analysed, words};
use tacho_run_folder::{PhasePlan, Plan, RunFolder, Verdict};
use tacho_runner::{
    Fate, LoadTime, Looking, Preflight, RunError, RunSpec, RunTime, START, Site, Stop, Surroundings,
};
pub(crate) use tacho_subject::Source;

/// Carries out an experiment, or one that is inferred from an artifact.
pub fn run(arguments: &Run) -> Done {
    let surroundings = Surroundings::here();
    let mut source = Source::read(
        &arguments.subject,
        arguments.overrides.jdk.as_deref(),
        &surroundings,
    )?;
    apply(&arguments.overrides, &mut source)?;
    first_look(&arguments.overrides, &mut source);
    if arguments.aa {
        source.experiment.copy_baseline();
    }
    source.experiment.duet |= arguments.duet;
    let at = At::of(&arguments.elsewhere)?;
    Ok(carry_out_at(at, source, &surroundings, &arguments.output, How::Told)?.exit)
}

/// Where launches are started.
pub(crate) enum At {
    Here,
    /// As pods.
    Cluster(Access, Ship, Way, Carried),
    /// As Deployments to which changes are made.
    Deployments(Access, Ship, Changed, Carried),
}

/// Where the launches of a running run are.
enum There {
    Pods(Pods),
    RunPods(RunPods),
    Deployments(Deployments),
}

impl There {
    fn site(&self) -> &dyn Site {
        match self {
            Self::Pods(pods) => pods,
            Self::RunPods(pods) => pods,
            Self::Deployments(deployments) => deployments,
        }
    }

    fn end(&self) -> Result<(), NotThere> {
        match self {
            Self::Pods(pods) => pods.end(),
            Self::RunPods(pods) => pods.end(),
            Self::Deployments(deployments) => deployments.end(),
        }
    }

    fn take_seen(&self) -> Vec<Seen> {
        match self {
            Self::Pods(_) => Vec::new(),
            Self::RunPods(pods) => pods.take_seen(),
            Self::Deployments(deployments) => deployments.take_seen(),
        }
    }
}

impl At {
    pub(crate) fn of(arguments: &Elsewhere) -> Result<Self, NotThere> {
        let Some(On::Kubernetes) = arguments.on else {
            return Ok(Self::Here);
        };
        let access = Access::from(&arguments.cluster);
        let ship = arguments.images.ship_to(&access)?;
        let (way, carried) = (arguments.way(), arguments.carried.clone());
        Ok(Self::Cluster(access, ship, way, carried))
    }

    /// Prepares the place for a run that begins now.
    fn there(self, name: &str, stop: &Stop) -> Result<Option<There>, Error> {
        let began = SystemTime::now().duration_since(UNIX_EPOCH);
        let run = format!("{}-{name}", began.unwrap_or_default().as_secs());
        let pods = |access: Access, ship, way| Pods::new(&access, ship, way, &run, stop.clone());
        let by_a_pod = |access: Access, ship, way, by: &Carried, changed| {
            let wanted = run_pod::wanted(by);
            let pods = RunPods::new(&access, ship, way, &run, wanted, changed, stop.clone())?;
            Ok::<_, Error>(Some(There::RunPods(pods)))
        };
        // Deployments always have a Service, so they need no other way to the pods.
        match self {
            Self::Here => Ok(None),
            Self::Cluster(access, ship, way, by) if by.is_by_a_pod() => {
                by_a_pod(access, ship, way, &by, None)
            }
            Self::Deployments(access, ship, changed, by) if by.is_by_a_pod() => {
                by_a_pod(access, ship, Way::Straight, &by, Some(changed))
            }
            Self::Cluster(access, ship, way, _) => Ok(Some(There::Pods(pods(access, ship, way)?))),
            Self::Deployments(access, ship, changed, by) => {
                let pods = pods(access, ship, Way::Straight)?;
                let deployments = Deployments::new(pods, changed);
                let deployments = deployments.with_gates_of(run_pod::wanted(&by).image);
                Ok(Some(There::Deployments(deployments)))
            }
        }
    }
}

/// A run that was carried out and reported.
pub(crate) struct Concluded {
    pub exit: Exit,
    /// Absent when only the plan was asked for.
    pub folder: Option<RunFolder>,
    /// Absent when only the plan was asked for.
    pub analysed: Option<Analysed>,
    /// Of launches that are Deployments: what was seen beside their requests.
    pub seen: Vec<Seen>,
}

/// Who reports the result.
pub(crate) enum How<'h, 'c> {
    /// The summary of the run is printed.
    Told,
    /// Another command reports it. It may look into builds after everything has been measured.
    Silent(Option<&'h mut Looking<'c>>),
}

/// Runs what a source says on this machine, and reports.
pub(super) fn carry_out(
    source: Source,
    surroundings: &Surroundings,
    arguments: &RunOutput,
    how: How<'_, '_>,
) -> Result<Concluded, Error> {
    carry_out_at(At::Here, source, surroundings, arguments, how)
}

pub(crate) fn carry_out_at(
    at: At,
    source: Source,
    surroundings: &Surroundings,
    arguments: &RunOutput,
    mut how: How<'_, '_>,
) -> Result<Concluded, Error> {
    for check in &source.experiment.checks {
        Check::parse_list(check)?;
    }
    if arguments.dry_run {
        let mut plan = plan(&source.experiment, source.notes);
        plan.duet = tacho_runner::duet(&source.experiment).map_err(RunError::from)?;
        if matches!(at, At::Here) {
            tacho_runner::limits_can_be_given(&source.experiment)?;
        }
        let preflight = tacho_runner::preflight(&source.experiment, &source.base, surroundings);
        let warms_up = warms_up(&source.experiment);
        print(&describe(&plan, warms_up, &preflight))?;
        return match preflight.into_error() {
            Some(error) => Err(error.into()),
            None => Ok(Concluded {
                exit: Exit::Done,
                folder: None,
                analysed: None,
                seen: Vec::new(),
            }),
        };
    }
    let stop = stop_on_signals()?;
    let there = at.there(&source.experiment.name, &stop)?;
    let enough: Enough = match &how {
        How::Silent(Some(looking)) => {
            let builds = looking.builds().clone();
            Box::new(move |folder, after| told(&builds, folder, after))
        }
        _ => Box::new(enough),
    };
    let ran = {
        let mut listener = tacho_progress::listener(arguments.quiet);
        for note in &source.notes {
            listener.event(tacho_runner::Event::Note { text: note });
        }
        tacho_runner::run(
            RunSpec {
                experiment: &source.experiment,
                base: &source.base,
                text: &source.text,
                runs: &arguments.runs,
                notes: source.notes,
                dissect: match &mut how {
                    How::Silent(Some(looking)) => Some(looking.dissect()),
                    _ => None,
                },
                enough: Some(enough),
                site: there.as_ref().map(There::site),
            },
            surroundings,
            &stop,
            listener.as_mut(),
        )?
    };

    let exports = &arguments.exports;
    let analysed = match how {
        How::Told => conclude(&ran.folder, &[], exports, true)?,
        How::Silent(_) => conclude_silently(&ran.folder, exports)?,
    };
    // Report what was measured, even if the cluster fails now.
    let seen = there.as_ref().map(There::take_seen).unwrap_or_default();
    if let Some(there) = there {
        there.end()?;
    }
    Ok(Concluded {
        exit: match ran.interrupted {
            true => Exit::Interrupted,
            false => exit(&analysed),
        },
        folder: Some(ran.folder),
        analysed: Some(analysed),
        seen,
    })
}

/// Asks after some launches whether there are enough, and says why.
type Enough = Box<dyn FnMut(&RunFolder, u32) -> Option<String>>;

/// Enough, if it is known whether the candidate is slower.
fn told(builds: &Builds, folder: &RunFolder, after: u32) -> Option<String> {
    let run = tacho_run::load(folder).ok()?;
    let phases = compared_phases(&run.plan);
    let verdict = builds.verdict(&tacho_analysis::analyse(&run), &phases);
    let word = tacho_report::words::verdict(verdict);
    (verdict != Verdict::Inconclusive)
        .then(|| format!("After {after} launches of each it is told: {word}."))
}

/// If the run cannot be read, it goes on; the report says why.
pub(super) fn enough(folder: &RunFolder, after: u32) -> Option<String> {
    let run = tacho_run::load(folder).ok()?;
    tacho_analysis::enough(&run, after).map(|enough| enough.to_string())
}

/// The fewest launches that can show a difference.
const FIRST_LOOK: u32 = 3;

const FIRST_LOOK_NOTE: &str = "A first look at an artifact: three launches of each, with closed and settle phases, and those at a constant rate, ten times shorter than in an experiment. Decide by --launches auto, or by an experiment (`tacho init` writes one).";

/// An artifact without an experiment should have a verdict within two minutes, as far as its start
/// allows. Not if the user says how many launches.
fn first_look(overrides: &Overrides, source: &mut Source) {
    if !source.is_inferred || overrides.launches.is_some() {
        return;
    }
    source.experiment.launches = Launches::Fixed(FIRST_LOOK);
    source.notes.push(FIRST_LOOK_NOTE.to_owned());
    if !overrides.quick {
        shorten(&mut source.experiment.phases);
    }
}

const QUICK: &str = "--quick: closed and settle phases, and those at a constant rate, are ten times shorter. That is a first look; decide by a run without it.";

/// Makes closed and settle phases, and those at a constant rate, ten times shorter: `--quick`.
pub(super) fn shorten(phases: &mut [PhasePlan]) {
    phases.iter_mut().for_each(|phase| phase.kind.shorten());
}

/// Lays the command line over the experiment.
pub(crate) fn apply(overrides: &Overrides, source: &mut Source) -> Result<(), Error> {
    source.choose(&overrides.variants)?;
    if let Some(baseline) = &overrides.baseline {
        source.compare_with(baseline)?;
    }
    let experiment = &mut source.experiment;
    if overrides.cpu.is_some() || overrides.memory.is_some() {
        experiment.limits = vec![Limits {
            name: limits::name(overrides.cpu, overrides.memory),
            cpu: overrides.cpu,
            memory_bytes: overrides.memory,
        }];
    }
    if !overrides.requests.is_empty() {
        experiment.requests = Some(overrides.requests.clone());
    }
    if let Some(calls) = overrides.calls.requests()? {
        experiment.requests = Some(calls);
    }
    let own = experiment.variants.iter_mut().filter(|v| v.own_ready);
    let own = own.map(|variant| &mut variant.overrides.ready);
    for ready in own.chain([&mut experiment.subject.ready]) {
        lay_over_ready(overrides, ready);
    }
    if overrides.port.is_some() {
        experiment.subject.port = overrides.port;
        let variants = experiment.variants.iter_mut();
        variants.for_each(|variant| variant.overrides.port = None);
    }
    if let Some(jdk) = &overrides.jdk {
        experiment.subject.jdk = Some(jdk.clone());
    }
    experiment.launches = overrides.launches.unwrap_or(experiment.launches);
    experiment.seed = overrides.seed.unwrap_or(experiment.seed);
    experiment.diagnose = overrides.diagnose.unwrap_or(experiment.diagnose);
    experiment.checks.extend_from_slice(&overrides.checks);
    experiment
        .running_companions
        .clone_from(&overrides.companions);
    if overrides.quick {
        shorten(&mut experiment.phases);
        source.notes.push(QUICK.to_owned());
    }
    Ok(())
}

fn lay_over_ready(overrides: &Overrides, ready: &mut ReadySpec) {
    if let Some(path) = &overrides.ready {
        ready.condition = ReadyCondition::Http(path.clone());
    }
    ready.timeout = overrides.ready_timeout.unwrap_or(ready.timeout);
}

/// A variant is sent requests before its load begins.
fn warms_up(experiment: &Experiment) -> bool {
    let mut warm_ups = experiment
        .variants
        .iter()
        .filter_map(|v| v.warm_up.as_ref());
    warm_ups.any(|warm_up| !matches!(warm_up.recipe, Recipe::None))
}

fn describe(plan: &Plan, warms_up: bool, preflight: &Preflight) -> String {
    let mut text = String::new();
    for note in &plan.notes {
        text += &format!("note: {note}\n");
    }
    let at_most = if plan.looks.is_empty() {
        ""
    } else {
        "at most "
    };
    let at_once = match plan.duet {
        Some(_) => " in pairs",
        None => "",
    };
    text += &format!(
        "{at_most}{} launches{at_once} with seed {}; baseline {}\n",
        plan.launches.len(),
        plan.seed,
        plan.baseline
    );
    for (name, fate) in &preflight.fates {
        text += &format!("  {name} {}\n", in_words(fate));
    }
    text += "Each launch:\n";
    for phase in &plan.phases {
        text += &format!("  {}: {}\n", phase.label, words::load(&phase.kind));
    }
    text += &how_long(plan, warms_up);
    text += "Their order:\n";
    for launch in &plan.launches {
        text += &format!("{:>4}  {}\n", launch.number, launch.cell);
    }
    for launch in &plan.diagnosis {
        text += &format!(
            "{:>4}  {}, diagnosed: counts in no figure\n",
            launch.number, launch.cell
        );
    }
    text
}

fn in_words(fate: &Fate) -> String {
    match fate {
        Fate::Made => "can be made".to_owned(),
        Fate::BuiltFirst(command) => format!("is built first, by `{command}`"),
        Fate::LeftOut(why) => format!("is left out: {why}"),
        Fate::Impossible(_) => "cannot be made: see the error".to_owned(),
    }
}

/// How long it will take, as far as a plan tells.
fn how_long(plan: &Plan, warms_up: bool) -> String {
    let (time, load) = (RunTime::of(plan), LoadTime::of(&plan.phases));
    let at_most = |is_at_most: bool| match is_at_most {
        true => "at most ",
        false => "",
    };
    let mut text = format!(
        "It takes {}about {} in all if a start takes {} s: {}",
        at_most(!plan.looks.is_empty()),
        HumanDuration(time.whole(START)),
        START.as_secs(),
        tacho_figures::launches(plan.launches.len() + plan.diagnosis.len())
    );
    if !plan.diagnosis.is_empty() {
        text += &format!(", {} of them diagnosed", plan.diagnosis.len());
    }
    let human = |seconds| {
        HumanDuration(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)).to_string()
    };
    let mut timed = Vec::new();
    if time.load_s > 0.0 {
        let at_most = at_most(load.is_at_most);
        timed.push(format!("{at_most}{} of load", human(time.load_s)));
    }
    if time.rests_s > 0.0 {
        timed.push(format!("{} of rests between them", human(time.rests_s)));
    }
    if !timed.is_empty() {
        text += &format!(" with {}", tacho_figures::listed(&timed));
    }
    if load.requests > 0 {
        let requests = tacho_figures::counted(load.requests, "1 request", "requests");
        let come = match load.requests {
            1 => "comes as fast as it is answered",
            _ => "come as fast as they are answered",
        };
        text += &format!("; {requests} a launch {come}");
    }
    let mut on_top = vec!["building"];
    if warms_up {
        on_top.push("warming");
    }
    if load.is_open_ended {
        on_top.push("phases whose length shows when they run");
    }
    let come = match on_top.len() {
        1 => "comes",
        _ => "come",
    };
    text + &format!("; {} {come} on top.\n", tacho_figures::listed(&on_top))
}

#[cfg(test)]
mod tests {
    use super::{apply, how_long};
    use crate::arguments::Overrides;
    use std::time::Duration;
    use tacho_experiment::{ReadyCondition, plan};
    use tacho_subject::{Source, Surroundings, settings_of};

    #[test]
    fn what_is_said_of_readiness_holds_for_variants_with_a_readiness_of_their_own_too() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("experiment.yaml");
        let text = "tacho: 1\nsubject: {artifact: a.jar}\nvariants: [jar, {name: b, kind: jar, ready: {log: up}}]\n";
        std::fs::write(&file, text).unwrap();
        let ready_of = |overrides: &Overrides| {
            let mut source = Source::read(&file, None, &Surroundings::here()).unwrap();
            apply(overrides, &mut source).unwrap();
            let experiment = &source.experiment;
            let variants = experiment.variants.iter();
            let ready = variants.map(|spec| settings_of(&experiment.subject, spec).ready);
            ready.collect::<Vec<_>>()
        };
        let longer = Overrides {
            ready_timeout: Some(Duration::from_secs(120)),
            ..Overrides::default()
        };
        let ready = ready_of(&longer);
        assert!(ready.iter().all(|ready| ready.timeout.as_secs() == 120));
        assert_eq!(ready[1].condition, ReadyCondition::Log("up".into()));
        let path = Overrides {
            ready: Some("/up".to_owned()),
            ..Overrides::default()
        };
        for ready in ready_of(&path) {
            assert_eq!(ready.condition, ReadyCondition::Http("/up".into()));
        }
    }

    /// What is said of an experiment with such phases.
    fn said(rest: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("experiment.yaml");
        let text = format!("tacho: 1\nsubject: {{artifact: a.jar}}\n{rest}");
        std::fs::write(&file, text).unwrap();
        let source = Source::read(&file, None, &Surroundings::here()).unwrap();
        let warms_up = super::warms_up(&source.experiment);
        how_long(&plan(&source.experiment, Vec::new()), warms_up)
    }

    #[test]
    fn how_long_a_run_takes_is_one_estimate_with_what_it_is_made_of() {
        assert_eq!(
            said(
                "variants: [jar, {name: b, kind: jar}]\nlaunches: 15\nrest: 2s\nphases: [{cold: {requests: 5}}, {settle: {within: 10s, connections: 8}}, {closed: {requests: 1000, connections: 8}}, {open: {rate: 10/s, duration: 10s}}]\n"
            ),
            "It takes about 12 minutes in all if a start takes 3 s: 30 launches with at most 10 minutes of load and 58 seconds of rests between them; 1,005 requests a launch come as fast as they are answered; building comes on top.\n"
        );
    }

    #[test]
    fn nothing_is_said_of_what_a_run_has_not() {
        assert_eq!(
            said("variants: [jar]\nlaunches: 1\nphases: [{cold: {requests: 1}}]\n"),
            "It takes about 3 seconds in all if a start takes 3 s: 1 launch; 1 request a launch comes as fast as it is answered; building comes on top.\n"
        );
    }
}
