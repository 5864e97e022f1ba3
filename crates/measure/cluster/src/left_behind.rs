//! Somebody's Deployment that a killed rollout has left changed: put back by the next one.

use crate::carried_out::{Whereabouts, whereabouts};
use crate::not_rolled::NotRolled;
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_cluster_api::{Cluster, DeploymentState, Namespace, PutBack, TemporaryChange};
use tacho_runner::Stop;

/// Between two questions whether it is settled.
const PAUSE: Duration = Duration::from_millis(250);

/// What a killed rollout has left, and what became of it.
#[derive(Debug, PartialEq, Eq)]
pub enum LeftBehind {
    /// It is as it was before.
    PutBack(TemporaryChange),
    /// Somebody has changed it since, so that it was left as it is.
    ChangedSince(TemporaryChange),
}

/// The Deployment as it is without what a killed rollout has left.
///
/// # Errors
/// Fails when another rollout is at it, or may be, or it does not settle within that time.
pub fn without_what_is_left(
    cluster: &Cluster,
    found: DeploymentState,
    within: Duration,
    stop: &Stop,
) -> Result<(DeploymentState, Option<LeftBehind>), NotRolled> {
    let Some(PutBack { by, changed }) = found.put_back.clone() else {
        return Ok((found, None));
    };
    let not_now = |how, instead| NotRolled::NotNow {
        name: found.name.clone(),
        how,
        instead,
    };
    match whereabouts(&by) {
        Whereabouts::Here => {
            let number = by.process.split('/').next().unwrap_or_default();
            let instead = format!("wait until process {number} has ended");
            return Err(not_now("is being changed by another rollout", instead));
        }
        Whereabouts::NotKnown => {
            let how = "was changed by a rollout of another machine";
            return Err(not_now(how, by_hand(cluster, &found, &changed)));
        }
        Whereabouts::Gone => {}
    }
    let name = &found.name;
    if !changed.is_seen_in(&found) {
        cluster.leave(name)?;
        return Ok((found, Some(LeftBehind::ChangedSince(changed))));
    }
    cluster.put_back(name, &changed)?;
    let settled = settled(cluster, name, within, stop)?;
    Ok((settled, Some(LeftBehind::PutBack(changed))))
}

/// What to do for whoever knows that the other rollout is gone.
fn by_hand(cluster: &Cluster, found: &DeploymentState, changed: &TemporaryChange) -> String {
    let back = back_by_hand(&found.name, &cluster.reached().namespace, changed);
    format!("wait until that has put it back ({changed}); if it was killed, put it back by {back}")
}

/// The commands that undo a temporary change, and remove its record.
pub(crate) fn back_by_hand(name: &str, namespace: &Namespace, changed: &TemporaryChange) -> String {
    let back = match changed {
        TemporaryChange::Replicas { was, .. } => {
            format!("`kubectl scale deployment/{name} --replicas {was} -n {namespace}`")
        }
        // Not by `rollout undo`: each restart that was tried with it is a revision of its own.
        TemporaryChange::PreStop { .. } => {
            format!("taking its preStop out (`kubectl edit deployment/{name} -n {namespace}`)")
        }
    };
    format!("{back} and `kubectl annotate deployment/{name} tacho/put-back- -n {namespace}`")
}

fn settled(
    cluster: &Cluster,
    name: &str,
    within: Duration,
    stop: &Stop,
) -> Result<DeploymentState, NotRolled> {
    let began = Instant::now();
    loop {
        if stop.is_set() {
            return Err(NotRolled::Interrupted);
        }
        let state = cluster.deployment(name)?;
        if let Some(state) = state.filter(|state| state.is_settled) {
            return Ok(state);
        }
        if began.elapsed() > within {
            return Err(NotRolled::NotOver {
                step: "put back what a killed rollout had left".to_owned(),
                name: name.to_owned(),
                s: within.as_secs(),
                no_room: None,
                longer_by: "--within",
            });
        }
        sleep(PAUSE);
    }
}
