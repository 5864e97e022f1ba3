//! Which Deployment is changed, and where its users come in.

use super::arguments::{Rollout, Users};
use crate::error::Error;
use crate::load::cluster::{PodImage, Pods};
use std::net::SocketAddr;
use tacho_cluster::{LeftBehind, NotRolled, Step, without_what_is_left};
use tacho_cluster_api::{Access, Cluster, DeploymentState, ServiceSeen, WorkerLimits};
use tacho_runner::Stop;

/// The named Deployment, after removing what a killed rollout left in it.
pub(super) fn deployment(
    cluster: &Cluster,
    arguments: &Rollout,
    stop: &Stop,
) -> Result<DeploymentState, Error> {
    let name = &arguments.deployment;
    let found = cluster.deployment(name)?;
    let found = found.ok_or_else(|| NotRolled::NoDeployment {
        name: name.clone(),
        namespace: cluster.reached().namespace.to_string(),
        there: cluster.some_deployments(),
    })?;
    let within = arguments.changed.within;
    let (deployment, left) = without_what_is_left(cluster, found, within, stop)?;
    match left {
        None => {}
        Some(LeftBehind::PutBack(changed)) => crate::tell!(
            "note: a rollout that was killed had left `{name}` with {changed}: that was put back"
        ),
        Some(LeftBehind::ChangedSince(changed)) => crate::tell!(
            "note: a rollout that was killed had left `{name}` with {changed}; it has been changed since, and was left as it is"
        ),
    }
    Ok(deployment)
}

/// A preStop is judged against restarts without it, so a restart has to be among the changes.
pub(super) fn compares_restarts(arguments: &Rollout) -> Result<(), Error> {
    let changed = &arguments.changed;
    let has_restart = changed.changes.contains(&Step::Restart);
    match changed.try_pre_stop.is_some() && !has_restart {
        true => Err(NotRolled::NothingToCompare.into()),
        false => Ok(()),
    }
}

/// The Service through which users come. With `--url` there may be another one, or none.
pub(super) fn service(
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
        (several, Some(_)) => {
            if !several.is_empty() {
                let names: Vec<String> = there();
                crate::tell!(
                    "note: several services lead to the pods of `{deployment}` ({}), so nothing is told of endpoints: name the one that --url comes by with --service",
                    names.join(", ")
                );
            }
            Ok(None)
        }
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

/// The URL at which users come in.
pub(super) fn url(arguments: &Rollout, service: Option<&ServiceSeen>) -> Result<String, Error> {
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

/// The pod that sends the users' requests; `None` if this process sends them.
pub(super) fn users_pod(arguments: &Rollout) -> Result<Option<Pods>, NotRolled> {
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

pub(super) fn service_address(service: &ServiceSeen) -> Option<SocketAddr> {
    Some(SocketAddr::new(service.address?, service.users_port()?))
}
