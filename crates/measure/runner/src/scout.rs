//! When nobody said what to send: one launch beside the measurements that finds a path which answers.

use crate::error::RunError;
use crate::event::{Event, Listener, Silent};
use crate::limits::Groups;
use crate::loading::Loading;
use crate::requests;
use crate::started::{Readiness, StartSpec, start};
use crate::stop::Stop;
use std::path::{Path, PathBuf};
use tacho_experiment::{RequestSpec, limits};
use tacho_load::{Control, Options};
use tacho_run_folder::{LaunchOutcome, PhaseKind, PhasePlan, PlannedLaunch, RunFolder};
use tacho_subject::Prepared;

/// Starts the subject once and tries the paths in their order.
pub fn scout(
    prepared: &Prepared,
    readiness: &Readiness,
    candidates: &[String],
    directory: &Path,
    groups: &Groups,
    stop: &Stop,
    listener: &mut dyn Listener,
) -> Result<RequestSpec, RunError> {
    listener.event(Event::Working {
        what: "starting the subject once, to find a request that it answers",
    });
    let folder = RunFolder::create(directory)?.create_launch(&PlannedLaunch {
        number: 0,
        cell: "scout".to_owned(),
        replicate: 1,
    })?;
    let spec = StartSpec {
        name: "scout".to_owned(),
        command: prepared.record.command.clone(),
        directory: PathBuf::from(&prepared.record.directory),
        environment: prepared.record.environment.clone(),
        limits: limits::none(),
        log: folder.log(),
        readiness: readiness.clone(),
    };
    let mut started = start(groups, &spec).map_err(|outcome| failure(&outcome))?;
    let ready = started.until_ready(readiness, stop).map_err(|not_ready| {
        if stop.is_set() {
            RunError::Stopped
        } else {
            failure(&tacho_launch::failure::not_ready(
                &not_ready,
                started.evidence(),
            ))
        }
    })?;
    for path in candidates {
        let Some(request) = RequestSpec::parse(path) else {
            continue;
        };
        let (endpoint, source) =
            requests::source(std::slice::from_ref(&request), ready.address, 0)?;
        let mut loading = Loading::new(
            endpoint,
            source,
            &folder,
            &started,
            Control::new(),
            Options::default(),
            stop,
            None,
        )
        .map_err(RunError::Load)?;
        let record = loading
            .phase(0, &one_request(), &mut started, &[], &mut Silent)
            .map_err(RunError::Load)?;
        if stop.is_set() {
            return Err(RunError::Stopped);
        }
        if record.succeeded == 1 {
            return Ok(request);
        }
    }
    Err(RunError::Scout {
        reason: format!(
            "it starts and is ready, but none of {} answers below 400; say what to send with --request 'GET /path' or `requests` in the experiment",
            candidates.join(", ")
        ),
    })
}

fn one_request() -> PhasePlan {
    PhasePlan {
        label: "scout".to_owned(),
        kind: PhaseKind::Cold { requests: 1 },
    }
}

fn failure(outcome: &LaunchOutcome) -> RunError {
    if let Some(none) = tacho_launch::descriptors::exhausted() {
        return none.into();
    }
    match outcome {
        LaunchOutcome::Failed {
            message,
            last_log_lines,
            ..
        } => RunError::Scout {
            reason: format!("{message}\n{}", last_log_lines.join("\n"))
                .trim_end()
                .to_owned(),
        },
        LaunchOutcome::Interrupted => RunError::Stopped,
        other => RunError::Scout {
            reason: format!("{other:?}"),
        },
    }
}
