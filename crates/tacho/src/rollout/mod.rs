//! `tacho rollout`: changes a Deployment while users come. How did it affect them, and why?

pub mod arguments;
mod changes;
mod gates;
mod report;
mod target;
mod users;
mod variants;

use crate::Done;
use crate::exit::Exit;
use crate::load::requests::Asked;
use crate::output::{self, Unwritten};
use crate::signals::stop_on_signals;
use arguments::Rollout;
use report::report;
use std::sync::Arc;
use tacho_cluster::{Conntrack, NotRolled, Patience, Rolling, Step};
use tacho_cluster_api::{Access, Cluster};
use tacho_rollout_report::{About, render, render_page};
use target::{compares_restarts, deployment, service, service_address, url, users_pod};
use users::{Coming, Ran, run};

/// Changes a Deployment under load, and says what became of the requests.
pub fn rollout(arguments: &Rollout) -> Done {
    if variants::is_experiment(&arguments.deployment) {
        return variants::of_experiment(arguments);
    }
    let pace = arguments.users.pace(None)?;
    let by = users_pod(arguments)?;
    variants::refuse_of_experiment(arguments, by.is_some())?;
    compares_restarts(arguments)?;
    let cluster = Arc::new(Cluster::of(&Access::from(&arguments.at.cluster))?);
    let stop = stop_on_signals()?;
    let deployment = deployment(&cluster, arguments, &stop)?;
    let service = service(&cluster, &deployment, &arguments.users)?;
    let url = url(arguments, service.as_ref())?;
    let asked = Asked::of(Some(&url), &arguments.what, &arguments.how)?;
    for note in asked.notes() {
        crate::tell!("note: {note}");
    }
    let patience = Patience {
        within: arguments.changed.within,
        rest: arguments.changed.rest,
        longer_by: "--within",
    };
    // Without a Service there are no endpoints to watch.
    let endpoints = service.as_ref().map_or("", |service| &service.name);
    let rolling = Rolling::begin(
        Arc::clone(&cluster),
        &deployment,
        endpoints,
        patience,
        stop.clone(),
    )?;
    // Connections of a pod have no local port here, so conntrack cannot match them.
    let by_service = service.filter(|_| arguments.users.url.is_none() && by.is_none());
    let address = by_service.as_ref().and_then(service_address);
    let conntrack = address.and_then(Conntrack::begin);
    let users = Coming {
        url: &url,
        asked: &asked,
        pace,
        by: by.as_ref(),
    };
    let ran = run(arguments, &users, rolling, conntrack, &stop)?;
    // If nothing was changed, there is nothing to report about a change.
    let ran = match ran {
        Ran {
            ended: Some(why),
            ref windows,
            ..
        } if !windows.iter().any(|window| window.is_change) => return nothing_changed(why),
        ran => ran,
    };
    let about = About {
        deployment: deployment.name.clone(),
        namespace: cluster.reached().namespace.to_string(),
        replicas: deployment.replicas,
        url: asked.url(),
        rate: pace.rate,
        has_readiness_probe: deployment.has_readiness_probe,
        has_pre_stop: deployment.has_pre_stop,
        pre_stop_s: deployment.pre_stop_s(),
        sees_pods: ran.requests.iter().any(|one| one.to.is_some()),
        generator_lag_p99_ms: ran.lag_p99_ms,
        is_cut_short: ran.ended.is_some(),
    };
    let mut report = report(about, &ran);
    report
        .notes
        .extend(crashed(arguments, &deployment.container));
    let mut unwritten = Unwritten::default();
    unwritten.take(output::json_or_summary(
        arguments.json.as_deref(),
        || output::pretty(&report),
        || render(&report, &output::style()),
    ));
    if let Some(path) = &arguments.html {
        let page = render_page(&report)?;
        unwritten.take(output::write(path, &page));
    }
    match ran.ended {
        Some(NotRolled::Interrupted) => unwritten.or(Exit::Interrupted),
        Some(error) => {
            unwritten.or(())?;
            Err(error.into())
        }
        None if report.lost_in_changes() > 0 => unwritten.or(Exit::CheckFailed),
        None if report.is_part => unwritten.or(Exit::Invalid),
        None => unwritten.or(Exit::Done),
    }
}

/// Which container of a pod crashes, if one does.
fn crashed(arguments: &Rollout, container: &str) -> Option<String> {
    let crashes = arguments.changed.changes.contains(&Step::Crash);
    crashes.then(|| {
        format!("`crash` ends the process of the container `{container}`, and of no other one of the pod.")
    })
}

fn nothing_changed(why: NotRolled) -> Done {
    match why {
        NotRolled::Interrupted => Ok(Exit::Interrupted),
        why => Err(why.into()),
    }
}
