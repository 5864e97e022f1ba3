//! The pod that carries out a run.

use super::run::enough;
use crate::Done;
use crate::arguments::RUN_POD;
use crate::error::Error;
use crate::exit::Exit;
use crate::load::error::LoadCommandError;
use crate::on::Carried;
use crate::own_image::own_image;
use crate::signals::stop_on_signals;

use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use tacho_cluster::{RunPodImage, WantedRunPod};
use tacho_cluster_api::WorkerLimits;
use tacho_launch::Scratch;

/// Where it listens, in its pod.
const LISTENS: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7108);

/// What such a pod is made of.
pub fn wanted(by: &Carried) -> WantedRunPod {
    WantedRunPod {
        image: match &by.run_pod_image {
            Some(name) => RunPodImage::Named(name.clone()),
            None => RunPodImage::Made(Box::new(|scratch| Ok(own_image(scratch)?))),
        },
        arguments: vec![RUN_POD.to_owned(), LISTENS.to_string()],
        port: LISTENS.port(),
        node: by.node.clone(),
        account: by.service_account.clone(),
        limits: WorkerLimits {
            cpu: by.run_pod_cpu,
            memory_bytes: by.run_pod_memory,
        },
        privileges: by.privileges(),
    }
}

/// As that pod: takes a run from its terminal, and carries it out.
pub fn be_run_pod(listens: SocketAddr) -> Done {
    let listener = TcpListener::bind(listens).map_err(|source| Error::Listen {
        address: listens,
        source,
    })?;
    let stop = stop_on_signals()?;
    let scratch = Scratch::new().map_err(LoadCommandError::from)?;
    tacho_cluster::serve(listener, scratch.path(), Box::new(enough), &stop)?;
    Ok(Exit::Done)
}
