//! `tacho load`: the load engine as a tool of its own.

pub mod arguments;

pub mod error;

pub mod cluster;
mod given;
mod grpc;
mod phases;
pub mod requests;
pub mod workers;

use crate::Done;
use crate::exit::Exit;
use crate::on::On;
use crate::output::{self, Unwritten};
use crate::signals::stop_on_signals;
use arguments::Load;
use cluster::Elsewhere;
use cluster::Pods;
use error::LoadCommandError as Error;
use requests::Asked;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use tacho_import::Given;
use tacho_launch::Scratch;
use tacho_load::recorder::{Files, Live};
use tacho_load::{Control, Step};
use tacho_load_report::{
    Check, Collector, LiveView, LoadResult, LoadRun, Pushed, Pushes, Scraped, Surface, text,
};
use tacho_progress::Beside;
use tacho_report::words;
use tacho_run_folder::{PhasePlan, PhaseTag};
use tacho_runner::SettleWatch;
use workers::Generators;

/// Sends the load and reports it. The exit code says how it went.
pub fn load(arguments: &Load) -> Done {
    if let Some(folder) = &arguments.who.worker_folder {
        return workers::work(arguments, folder);
    }
    if let Some(listens) = arguments.who.as_worker {
        return cluster::be_worker(listens);
    }
    let exports = &arguments.output.exports;
    let started_at = jiff::Timestamp::now().to_string();
    let asked = Asked::of(arguments.url.as_deref(), &arguments.what, &arguments.how)?;
    let imported = asked.given.as_ref().and_then(Given::imported);
    let plan = imported.and_then(|imported| imported.plan.as_ref());
    let plans = phases::phases(arguments, plan)?;
    let (url, notes) = (asked.url(), asked.notes());
    for note in &notes {
        crate::tell!("note: {note}");
    }
    let source = asked.source(&arguments.what, arguments.when.seed, &[])?;
    let kinds = source.kinds_are_known().then(|| source.kinds().to_vec());
    let are_several = arguments.who.workers.is_some() || arguments.who.on.is_some();
    if are_several && kinds.is_none() {
        return Err(Error::WorkersNeedFile.into());
    }
    let checks = parse_checks(&arguments.output.checks, &plans, kinds.as_deref())?;
    if arguments.output.dry_run {
        crate::print(&describe(
            &url,
            &plans,
            kinds.as_deref(),
            arguments.who.workers,
        ))?;
        return Ok(Exit::Done);
    }
    exports.check().map_err(unwritable)?;
    let folder = Folder::new(arguments.output.out.as_deref())?;
    let files = Files::in_folder(folder.path());
    // On Ctrl-C, the current phase ends in an orderly way.
    let stop = stop_on_signals()?;
    let control = Control {
        stop: stop.flag().clone(),
        ..Control::new()
    };
    let mut engine = match (arguments.who.on, arguments.who.workers) {
        (Some(On::Kubernetes), _) => {
            let pods = Pods::of(&arguments.who)?;
            let load = Elsewhere {
                what: &arguments.what,
                how: &arguments.how,
                url: arguments.url.as_deref(),
                asked: &asked,
                plans: &plans,
                keeps_every_request: false,
                says: (!arguments.output.quiet).then_some("Workers are started as pods ..."),
                folder: folder.path(),
                files: &files,
                control: &control,
                stop: &stop,
            };
            Generators::elsewhere(&load, &pods)?
        }
        (None, Some(workers)) => Generators::several(workers, folder.path(), &files, &control)?,
        (None, None) => {
            let options = asked.options(&arguments.how, arguments.when.seed);
            Generators::one(asked.endpoint, source, options, &files)?
        }
    };
    let of_workers = engine.notes();
    for note in &of_workers {
        crate::tell!("note: {note}");
    }
    let notes = [notes, of_workers].concat();
    let scraped = scraped(arguments.output.prometheus_at, &url, &engine.live())?;
    let pushed = pushed(arguments.output.otlp.as_ref(), &url, &engine.live())?;
    let surface = Surface::of_stderr(
        arguments.output.quiet,
        output::has_colours(&std::io::stderr()),
    );
    let view = LiveView::start(surface, &control, engine.live());
    let mut settling: Option<Beside> = None;
    let mut next = |step: Step<'_>| {
        let settles = matches!(step, Step::Phase(plan, _) if plan.kind.tag() == PhaseTag::Settle);
        settling = settles.then(|| {
            let watch = SettleWatch::begin(&control);
            Beside::start(move |over| watch.follow(over))
        });
        view.step(step);
    };
    let loaded = engine.run_all(&plans, &control, &mut next)?;
    view.finish();
    drop(scraped);
    if let Some((to, pushed)) = pushed {
        tell_lost(to, &pushed.finish());
    }
    let unresolved: Vec<String> = engine.unresolved(&loaded).into_iter().collect();
    for note in &unresolved {
        crate::tell!("note: {note}");
    }
    let notes = [notes, unresolved].concat();
    let is_whole = engine.finish()?;
    let run = LoadRun::of(&loaded, &url, &files, &checks, &notes).map_err(Error::from)?;
    // If a worker was lost, the user did not interrupt the run.
    let conclusion = run.conclusion(loaded.interrupted && is_whole);
    let mut unwritten = Unwritten::default();
    let done = LoadResult {
        run,
        histograms: files.histograms,
        started_at,
    };
    exports.write(&done, &mut unwritten);
    // The summary goes to standard output, unless one of the formats does.
    if !exports.takes_stdout() {
        unwritten.take(crate::print(&text::render(&done.run, &output::style())));
    }
    unwritten.or(conclusion.into())
}

/// Serves live figures, if asked for, and prints the address.
fn scraped(at: Option<SocketAddr>, url: &str, live: &Live) -> Result<Option<Scraped>, Error> {
    let Some(at) = at else {
        return Ok(None);
    };
    let scraped =
        Scraped::start(at, url, live).map_err(|source| Error::NotScraped { at, source })?;
    crate::tell!("live figures: http://{}/metrics", scraped.address());
    Ok(Some(scraped))
}

/// Sends figures to a collector, where that is wanted.
fn pushed<'c>(
    to: Option<&'c Collector>,
    url: &str,
    live: &Live,
) -> Result<Option<(&'c Collector, Pushed)>, Error> {
    let Some(to) = to else {
        return Ok(None);
    };
    let pushed = Pushed::start(to.clone(), url, live);
    let pushed = pushed.map_err(|source| Error::NotPushed {
        to: to.clone(),
        source,
    })?;
    Ok(Some((to, pushed)))
}

/// Reports messages that a collector did not accept. The load does not fail because of them.
fn tell_lost(to: &Collector, pushes: &Pushes) {
    let Some(why) = &pushes.why else {
        return;
    };
    let (lost, all) = (pushes.lost, pushes.lost + pushes.taken);
    let end = match pushes.is_end_lost {
        true => "it does not have the end",
        false => "it has the end all the same",
    };
    crate::tell!("note: {lost} of {all} messages to {to} were not taken ({why}); {end}");
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

fn describe(
    url: &str,
    plans: &[PhasePlan],
    kinds: Option<&[String]>,
    workers: Option<u32>,
) -> String {
    let mut text = format!("{url}\n");
    if let Some(workers) = workers {
        text += &format!("  by {workers} workers\n");
    }
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

fn unwritable((path, source): (&Path, std::io::Error)) -> crate::error::Error {
    let path = path.to_owned();
    crate::error::Error::Write { path, source }
}

/// The folder for the engine's files: kept for the user, or temporary.
enum Folder {
    Kept(PathBuf),
    Temporary(Scratch),
}

impl Folder {
    fn new(kept: Option<&Path>) -> Result<Self, crate::error::Error> {
        let Some(path) = kept else {
            return Ok(Self::Temporary(Scratch::new().map_err(Error::from)?));
        };
        tacho_files::create_folder(path).map_err(|source| unwritable((path, source)))?;
        Ok(Self::Kept(path.to_owned()))
    }

    fn path(&self) -> &Path {
        match self {
            Self::Kept(path) => path,
            Self::Temporary(folder) => folder.path(),
        }
    }
}
