//! When nobody said what to send: one launch beside the measurements that finds a path which
//! answers.

use crate::error::RunError;
use crate::event::{Event, Listener, Silent};
use crate::session::{
    Halt, Hooks, Load, Readiness, Ready, StartSpec, Terms, live, may_want_tls, reason,
};
use std::path::Path;
use std::time::Duration;
use tacho_launch::failure::WITHOUT_TLS;
use tacho_load::Options;
use tacho_run_folder::{
    FailureCause, LaunchDir, LaunchOutcome, PhaseKind, PhasePlan, PlannedLaunch, RunFolder,
};
use tacho_subject::Prepared;
use tacho_workload::{Scenario, Step};

/// Starts the subject once and tries the paths in their order.
pub fn scout(
    terms: Terms<'_>,
    prepared: &Prepared,
    readiness: &Readiness,
    candidates: &[String],
    request_timeout: Duration,
    directory: &Path,
    listener: &mut dyn Listener,
) -> Result<Scenario, RunError> {
    listener.event(Event::Working {
        what: "starting the subject once, to find a request that it answers",
    });
    let folder = RunFolder::create(directory)?.create_launch(&PlannedLaunch {
        number: 0,
        cell: "scout".to_owned(),
        replicate: 1,
        again: None,
    })?;
    let spec = StartSpec::aside("scout".to_owned(), prepared, folder.log(), readiness);
    let mut search = Search {
        candidates,
        // With a single request the seed does not matter: there is nothing to choose.
        options: Options {
            request_timeout,
            ..Options::default()
        },
        folder: &folder,
        found: None,
        answered_otherwise: candidates.is_empty(),
    };
    let outcome = live(terms, &spec, &[], &mut search).outcome()?;
    match (search.found, reason(&outcome)) {
        _ if outcome == LaunchOutcome::Interrupted => Err(RunError::Stopped),
        (_, Some((message, log))) => Err(RunError::Scout {
            reason: format!("{message}\n{}", log.join("\n"))
                .trim_end()
                .to_owned(),
        }),
        (Some(request), None) => Ok(request),
        (None, None) => Err(RunError::Scout {
            reason: nothing_found(candidates, search.answered_otherwise),
        }),
    }
}

/// Why there is no path, and what to do: another path does not help where the port wants TLS.
fn nothing_found(candidates: &[String], answered_otherwise: bool) -> String {
    let paths = candidates.join(", ");
    let say = "say what to send with --request 'GET /path' or `requests` in the experiment";
    match answered_otherwise {
        true => {
            format!("it starts and is ready, but none of {paths} answers below 400; {say}")
        }
        false => format!(
            "it starts and is ready, but answers {paths} only as a port that speaks TLS does. If it serves HTTPS: {WITHOUT_TLS}. If not, {say}"
        ),
    }
}

struct Search<'s> {
    candidates: &'s [String],
    options: Options,
    folder: &'s LaunchDir,
    found: Option<Scenario>,
    /// A path was answered as no server that expects TLS answers plain HTTP.
    answered_otherwise: bool,
}

impl Hooks for Search<'_> {
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        let requests = self.candidates.iter().map(|path| Step::parse(path));
        for request in requests.flatten().map(Scenario::of) {
            let one = std::slice::from_ref(&request);
            let mut loading = ready.loading(Load::aside(one, self.options, self.folder))?;
            let phase = loading.phase(ready, "phase", &one_request(), &mut Silent)?;
            self.answered_otherwise |= !may_want_tls(&phase.record, &ready.running.first);
            match phase.end {
                // It is there, and the next path may be answered.
                Some(LaunchOutcome::Failed {
                    cause: FailureCause::NoResponses,
                    ..
                }) => continue,
                Some(outcome) => return Err(outcome.into()),
                None => {}
            }
            if phase.record.succeeded == 1 {
                self.found = Some(request);
                break;
            }
        }
        Ok(())
    }
}

fn one_request() -> PhasePlan {
    PhasePlan {
        label: "scout".to_owned(),
        kind: PhaseKind::Cold { requests: 1 },
    }
}
