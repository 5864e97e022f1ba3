//! Workers that are pods of a cluster.

use super::arguments::{How, WORKER_FOLDER, What, Who};
use super::error::LoadCommandError;
use super::given::given;
use super::requests::Asked;
use crate::Done;
use crate::arguments;
use crate::error::Error;
use crate::exit::Exit;
use crate::on::told_by;
use crate::own_image::own_image;
use clap::ArgMatches;
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tacho_cluster::{Generators, NotThere, Ship, Wanted, WorkerImage};
use tacho_cluster_api::{Access, WorkerLimits};
use tacho_launch::Scratch;
use tacho_load::Control;
use tacho_load::recorder::Files;
use tacho_run_folder::PhasePlan;
use tacho_runner::{Stop, longest};
use tacho_workers::Fleet;

/// Where a worker listens, in its pod.
const LISTENS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7107);

/// The pods that are to send.
pub struct Pods {
    /// How many.
    pub workers: u32,
    /// With this Tacho.
    pub image: PodImage,
    /// What each may have at most.
    pub limits: WorkerLimits,
    /// Of which cluster.
    pub access: Access,
}

/// Where the image of the pods comes from.
pub enum PodImage {
    /// Where nodes fetch it from.
    Named(String),
    /// An image of this program, which is handed to the nodes.
    Own(Ship),
}

impl Pods {
    /// From the flags of `tacho load`.
    pub fn of(who: &Who) -> Result<Self, Error> {
        let access = Access::from(&who.cluster);
        let ship = who.load_image.as_deref().and_then(Ship::of);
        let image = match (ship, &who.image) {
            (Some(ship), _) => PodImage::Own(ship),
            (None, Some(name)) => PodImage::Named(name.clone()),
            (None, None) => PodImage::Own(match told_by(&access) {
                Err(NotThere::NoImageWay { .. }) => return Err(LoadCommandError::NoImage.into()),
                ship => ship?,
            }),
        };
        Ok(Self {
            workers: who.workers.unwrap_or(1),
            image,
            limits: WorkerLimits {
                cpu: who.worker_cpu,
                memory_bytes: who.worker_memory,
            },
            access,
        })
    }

    /// Starts the pods, for a load that takes so long.
    fn begin(&self, longest: Duration, stop: &Stop) -> Result<Generators, Error> {
        match &self.image {
            PodImage::Named(name) => self.begin_by(WorkerImage::Named(name.clone()), longest, stop),
            PodImage::Own(ship) => {
                let scratch = Scratch::new().map_err(LoadCommandError::from)?;
                let own = own_image(scratch.path())?;
                self.begin_by(WorkerImage::Here(&own, ship), longest, stop)
            }
        }
    }

    fn begin_by(
        &self,
        image: WorkerImage<'_>,
        longest: Duration,
        stop: &Stop,
    ) -> Result<Generators, Error> {
        let wanted = Wanted {
            workers: self.workers,
            image,
            arguments: ["load", "--as-worker", &LISTENS.to_string()]
                .map(str::to_owned)
                .into(),
            port: LISTENS.port(),
            limits: self.limits,
            longest,
        };
        Ok(Generators::begin(&self.access, &name(), &wanted, stop)?)
    }
}

/// A load from pods that is about to begin.
pub struct Elsewhere<'a> {
    pub what: &'a What,
    pub how: &'a How,
    /// The URL of the requests; absent if the targets name it.
    pub url: Option<&'a str>,
    pub asked: &'a Asked,
    pub plans: &'a [PhasePlan],
    /// Keep every request, with its connection.
    pub keeps_every_request: bool,
    /// A message to show before the pods are started.
    pub says: Option<&'static str>,
    /// Workers have folders of their own below it.
    pub folder: &'a Path,
    pub files: &'a Files,
    pub control: &'a Control,
    pub stop: &'a Stop,
}

impl Elsewhere<'_> {
    /// Starts the workers and waits until they are ready.
    pub fn begin(&self, pods: &Pods) -> Result<(Fleet, Generators), Error> {
        let (what, how) = (self.what, self.how);
        let scratch = Scratch::new().map_err(LoadCommandError::from)?;
        let (url, asked, plans) = (self.url, self.asked, self.plans);
        let mut given = given(&matches(), url, what, how, asked, plans, scratch.path())?;
        if self.keeps_every_request {
            given.arguments.insert(0, "--every-request".to_owned());
        }
        if let Some(what) = self.says {
            crate::tell!("{what}");
        }
        let request_timeout = asked.options(how, 0).request_timeout;
        let longest = longest(plans, None, &[], request_timeout);
        let generators = pods.begin(longest, self.stop)?;
        let (members, heard) = generators.join(self.folder, &given, self.stop)?;
        let (files, control) = (self.files.clone(), self.control.clone());
        let fleet = Fleet::gather(members, heard, files, control).map_err(NotThere::from)?;
        Ok((fleet, generators))
    }
}

/// The arguments of this command line, which has been parsed before.
fn matches() -> ArgMatches {
    let words: Vec<OsString> = std::env::args_os().collect();
    let mut matches = arguments::read(&words).unwrap_or_else(|error| error.exit());
    match matches.remove_subcommand() {
        Some((_, command)) => command,
        None => matches,
    }
}

/// Name of this load, for the objects in the cluster.
fn name() -> String {
    let began = SystemTime::now().duration_since(UNIX_EPOCH);
    format!("{}-load", began.unwrap_or_default().as_secs())
}

/// As a worker in a pod: waits for a terminal to connect and carries out its orders.
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
