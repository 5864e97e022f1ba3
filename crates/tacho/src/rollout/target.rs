//! Which Deployment is changed, and where its users come in.

use super::arguments::{Rollout, Users};
use crate::error::Error;
use crate::load::cluster::{PodImage, Pods};
use std::net::SocketAddr;
use tacho_cluster::{LeftBehind, NotRolled, NotThere, Step, without_what_is_left};
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
    if users.url.is_none()
        && let Some(one) = only_one_to_call(&leading)
    {
        return Ok(Some(one.clone()));
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

/// The only Service that has an address and a port of its own, which a headless one beside it has
/// not.
fn only_one_to_call(leading: &[ServiceSeen]) -> Option<&ServiceSeen> {
    let can_be_called = |one: &&ServiceSeen| one.address.is_some() && !one.ports.is_empty();
    let mut called = leading.iter().filter(can_be_called);
    called.next().filter(|_| called.next().is_none())
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
pub(super) fn users_pod(arguments: &Rollout) -> Result<Option<Pods>, Error> {
    let users = &arguments.users;
    if !users.from_cluster {
        return Ok(None);
    }
    let access = Access::from(&arguments.at.cluster);
    let image = match &users.users_image {
        Some(name) => PodImage::Named(name.clone()),
        None => PodImage::Own(match arguments.of_experiment.images.ship_to(&access) {
            Err(NotThere::NoImageWay { .. }) => return Err(NotRolled::WantsImageOfUsers.into()),
            ship => ship?,
        }),
    };
    Ok(Some(Pods {
        workers: 1,
        image,
        limits: WorkerLimits {
            cpu: users.users_cpu,
            memory_bytes: users.users_memory,
        },
        access,
    }))
}

pub(super) fn service_address(service: &ServiceSeen) -> Option<SocketAddr> {
    Some(SocketAddr::new(service.address?, service.users_port()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_cluster_api::ServicePort;

    fn service(name: &str, address: Option<&str>) -> ServiceSeen {
        ServiceSeen {
            name: name.to_owned(),
            address: address.map(|address| address.parse().unwrap()),
            ports: vec![ServicePort {
                name: String::new(),
                number: 80,
            }],
        }
    }

    #[test]
    fn a_headless_service_is_not_the_one_that_users_call() {
        let headless = service("users-headless", None);
        let users = service("users", Some("10.96.0.7"));
        let other = service("other", Some("10.96.0.8"));
        let found = |leading: &[&ServiceSeen]| {
            let leading: Vec<ServiceSeen> = leading.iter().copied().cloned().collect();
            only_one_to_call(&leading).map(|one| one.name.clone())
        };
        assert_eq!(found(&[&headless, &users]).as_deref(), Some("users"));
        assert_eq!(found(&[&users, &headless]).as_deref(), Some("users"));
        // Which of two is called is for the user to say.
        assert_eq!(found(&[&users, &headless, &other]), None);
        assert_eq!(found(&[&headless]), None);
        let without_tcp = ServiceSeen {
            ports: Vec::new(),
            ..other
        };
        assert_eq!(found(&[&users, &without_tcp]).as_deref(), Some("users"));
    }
}
