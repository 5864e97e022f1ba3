//! `tacho load`: the load engine as a tool of its own.

pub mod arguments;
pub mod endpoint;
pub mod error;
mod listed;
mod outputs;
mod phases;
pub mod requests;
mod run;

use crate::Done;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use arguments::{How, Load};
use endpoint::{endpoint, unused_proxy};
use error::LoadCommandError as Error;
use requests::Targets;
use run::{Files, Ran, Runner};
use std::num::NonZeroU32;
use std::path::PathBuf;
use tacho_launch::Scratch;
use tacho_load::{Control, Endpoint, Generator, Options};

use tacho_load_report::{Check, LoadRun, Phase, Run, Surface};
use tacho_report::words;
use tacho_run_folder::{CertificateState, PhaseKind, PhasePlan};

/// Loads, reports, and says by the exit code what came of it.
pub fn load(arguments: &Load) -> Done {
    let started_at = jiff::Timestamp::now().to_string();
    let targets = Targets::read(&arguments.what)?;
    let (endpoint, path) = endpoint(arguments.url.as_deref(), targets.imported(), &arguments.how)?;
    let plan = targets
        .imported()
        .and_then(|imported| imported.plan.as_ref());
    let plans = phases::phases(arguments, plan)?;
    let masking = tacho_masking::current();
    let notes: Vec<String> = notes(&targets, &endpoint)
        .iter()
        .map(|note| masking.text(note))
        .collect();
    for note in &notes {
        crate::tell!("note: {note}");
    }
    let url = masking.text(&format!(
        "{}://{}{path}",
        endpoint.scheme(),
        endpoint.authority
    ));
    let source = requests::source(
        &targets,
        &arguments.what,
        arguments.when.seed,
        &[],
        &endpoint,
        &path,
    )?;
    let kinds = source.kinds_are_known().then(|| source.kinds().to_vec());
    let checks = parse_checks(&arguments.output.checks, &plans, kinds.as_deref())?;
    if arguments.output.dry_run {
        crate::print(&describe(&url, &plans, kinds.as_deref()))?;
        return Ok(Exit::Done);
    }
    outputs::check(&arguments.output)?;
    let folder = Folder::new(arguments.output.out.as_deref())?;
    let files = Files::in_folder(folder.path());
    let control = control()?;
    let generator = Generator::with_source(
        endpoint,
        source,
        options(&arguments.how, arguments.when.seed),
    )
    .map_err(Error::from)?;
    let surface = Surface::of_stderr(arguments.output.quiet);
    let ran = Runner::new(generator, &files, control, surface)?.run(&plans)?;
    let run = report(&ran, &url, &files, &checks, &notes)?;
    outputs::write(&run, &arguments.output, &files, &started_at)?;
    Ok(exit_of(&run, &ran))
}

/// What the targets ask for that is not done, and what a reader of the result has to know of the way.
pub fn notes(targets: &Targets, endpoint: &Endpoint) -> Vec<String> {
    let of_targets = targets.imported().map(|imported| imported.notes.iter());
    let mut notes: Vec<String> = of_targets
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    if targets.imported().is_some_and(|i| i.connection.insecure)
        && endpoint.tls.as_ref().is_some_and(|tls| !tls.insecure)
    {
        notes.push(
            "the targets ask not to verify who answers; that is done only with --insecure"
                .to_owned(),
        );
    }
    notes.extend(endpoint.caveats().into_iter().map(str::to_owned));
    notes.extend(unused_proxy(endpoint));
    notes
}

fn parse_checks(
    texts: &[String],
    plans: &[PhasePlan],
    kinds: Option<&[String]>,
) -> Result<Vec<Check>, Error> {
    let labels: Vec<String> = plans.iter().map(|plan| plan.label.clone()).collect();
    let mut checks = Vec::new();
    for text in texts {
        for check in Check::parse_list(text)? {
            check.fits(&labels, kinds)?;
            checks.push(check);
        }
    }
    Ok(checks)
}

/// Ctrl-C ends the phase in order.
fn control() -> Result<Control, crate::error::Error> {
    Ok(Control {
        stop: stop_on_signals()?.flag().clone(),
        ..Control::new()
    })
}

/// How patient the engine is.
pub fn options(how: &How, seed: u64) -> Options {
    Options {
        connect_timeout: how.connect_timeout,
        request_timeout: how.timeout,
        grain: how.grain,
        streams_per_connection: NonZeroU32::new(how.streams).unwrap_or(NonZeroU32::MIN),
        seed,
    }
}

fn report(
    ran: &Ran,
    url: &str,
    files: &Files,
    checks: &[Check],
    notes: &[String],
) -> Result<LoadRun, Error> {
    let phases: Vec<Phase<'_>> = ran
        .phases
        .iter()
        .map(|phase| Phase {
            index: phase.index,
            what: words::load(&phase.plan.kind),
            connections: connections(&phase.plan.kind),
            always_busy: is_always_busy(&phase.plan.kind),
            record: &phase.record,
        })
        .collect();
    let cpus = std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
    Ok(LoadRun::read(&Run {
        url,
        requests: &ran.kinds,
        phases: &phases,
        histograms: &files.histograms,
        slowest: &files.slowest,
        cpus,
        checks,
        search: ran.search.clone(),
        notes,
        source_trouble: &ran.source_trouble,
    })?)
}

fn connections(kind: &PhaseKind) -> u32 {
    match kind {
        PhaseKind::Cold { .. } => 1,
        PhaseKind::Rest { .. } => 0,
        PhaseKind::Closed { connections, .. }
        | PhaseKind::Open { connections, .. }
        | PhaseKind::Scheduled { connections, .. } => *connections,
        PhaseKind::Search(spec) => spec.connections,
    }
}

fn is_always_busy(kind: &PhaseKind) -> bool {
    matches!(kind, PhaseKind::Closed { think: None, ramp_s, .. } if *ramp_s == 0.0)
}

fn describe(url: &str, plans: &[PhasePlan], kinds: Option<&[String]>) -> String {
    let mut text = format!("{url}\n");
    for plan in plans {
        text += &format!("  {}: {}\n", plan.label, words::load(&plan.kind));
    }
    match kinds {
        Some(kinds) => kinds
            .iter()
            .for_each(|kind| text += &format!("  request: {kind}\n")),
        None => text += "  requests: as the targets come\n",
    }
    text
}

fn exit_of(run: &LoadRun, ran: &Ran) -> Exit {
    let failed_check = run.report.checks.iter().any(|check| !check.passed);
    let not_found = ran.search.as_ref().is_some_and(|search| !search.confirmed);
    if ran.interrupted {
        Exit::Interrupted
    } else if run.report.certificate.state == CertificateState::Invalid {
        Exit::Invalid
    } else if failed_check || not_found {
        Exit::CheckFailed
    } else {
        Exit::Done
    }
}

/// The folder of the engine's files: one that the user keeps, or one that goes when it is done.
enum Folder {
    Kept(PathBuf),
    Temporary(Scratch),
}

impl Folder {
    fn new(kept: Option<&std::path::Path>) -> Result<Self, Error> {
        let failed = |path: PathBuf| move |source| Error::Write { path, source };
        match kept {
            Some(path) => {
                tacho_files::create_folder(path).map_err(failed(path.to_owned()))?;
                Ok(Self::Kept(path.to_owned()))
            }
            None => Ok(Self::Temporary(Scratch::new()?)),
        }
    }

    fn path(&self) -> &std::path::Path {
        match self {
            Self::Kept(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }
}
