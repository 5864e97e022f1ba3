//! Workers that are pods of a cluster.

use super::arguments::{Load, WORKER_FOLDER};
use super::error::LoadCommandError;
use super::given::given;
use super::requests::Asked;
use crate::Done;
use crate::arguments::Arguments;
use crate::error::Error;
use crate::exit::Exit;
use crate::own_image::own_image;
use clap::{ArgMatches, CommandFactory};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};
use tacho_cluster::{Generators, NotThere, Ship, Wanted, WorkerImage};
use tacho_cluster_api::{Access, WorkerLimits};
use tacho_launch::Scratch;
use tacho_load::Control;
use tacho_load::recorder::Files;
use tacho_run_folder::PhasePlan;
use tacho_runner::Stop;
use tacho_workers::Fleet;

/// Where a worker listens, in its pod.
const LISTENS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7107);

/// A load that is about to begin.
pub struct Elsewhere<'a> {
    pub arguments: &'a Load,
    pub asked: &'a Asked,
    pub plans: &'a [PhasePlan],
    /// Workers have folders of their own below it.
    pub folder: &'a Path,
    pub files: &'a Files,
    pub control: &'a Control,
    pub stop: &'a Stop,
}

impl Elsewhere<'_> {
    /// Starts the workers, and has them make ready.
    pub fn begin(&self) -> Result<(Fleet, Generators), Error> {
        let (what, how) = (&self.arguments.what, &self.arguments.how);
        let given = given(&matches(), what, how, self.asked, self.plans)?;
        let who = &self.arguments.who;
        let workers = who.workers.unwrap_or(1);
        let scratch = Scratch::new().map_err(LoadCommandError::from)?;
        let ship = who.load_image.as_deref().and_then(Ship::of);
        let own = match &ship {
            Some(ship) => Some((own_image(scratch.path())?, ship)),
            None => None,
        };
        let image = match (&own, &who.image) {
            (Some((image, ship)), _) => WorkerImage::Here(image, ship),
            (None, Some(name)) => WorkerImage::Named(name.clone()),
            (None, None) => return Err(LoadCommandError::NoImage.into()),
        };
        let wanted = Wanted {
            workers,
            image,
            arguments: ["load", "--as-worker", &LISTENS.to_string()]
                .map(str::to_owned)
                .into(),
            port: LISTENS.port(),
            limits: WorkerLimits {
                cpu: who.worker_cpu,
                memory_bytes: who.worker_memory,
            },
        };
        if !self.arguments.output.quiet {
            crate::tell!("Workers are started as pods ...");
        }
        let access = Access::from(&who.cluster);
        let generators = Generators::begin(&access, &name(), &wanted, self.stop)?;
        let (members, heard) = generators.join(self.folder, &given, self.stop)?;
        let (files, control) = (self.files.clone(), self.control.clone());
        let fleet = Fleet::gather(members, heard, files, control).map_err(NotThere::from)?;
        Ok((fleet, generators))
    }
}

/// The arguments of this very call, which was understood before.
fn matches() -> ArgMatches {
    let mut matches = Arguments::command().get_matches_from(std::env::args_os());
    match matches.remove_subcommand() {
        Some((_, load)) => load,
        None => matches,
    }
}

/// Of this load, for its objects.
fn name() -> String {
    let began = SystemTime::now().duration_since(UNIX_EPOCH);
    format!("{}-load", began.unwrap_or_default().as_secs())
}

/// As a worker: waits for a terminal, and works for it.
pub fn be_worker(listens: SocketAddr) -> Done {
    let listener = TcpListener::bind(listens).map_err(|source| Error::Listen {
        address: listens,
        source,
    })?;
    let tacho = std::env::current_exe().map_err(LoadCommandError::NoProgram)?;
    let scratch = Scratch::new().map_err(LoadCommandError::from)?;
    let command = |own: &Path, work: &Path, arguments: &[String]| {
        let mut command = Command::new(&tacho);
        command
            .arg("load")
            .args(arguments)
            .env(WORKER_FOLDER, own)
            .current_dir(work);
        command
    };
    tacho_workers::serve(&listener, scratch.path(), command).map_err(LoadCommandError::from)?;
    Ok(Exit::Done)
}
