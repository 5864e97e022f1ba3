//! Users come while changes are carried out, and each of their requests is kept.

use super::arguments::{Pace, Rollout};
use super::changes::{CarriedOut, changes};
use crate::error::Error;
use crate::load::cluster::{Elsewhere, Pods};
use crate::load::error::LoadCommandError;
use crate::load::requests::Asked;
use crate::load::workers::Generators;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use tacho_cluster::{Conntrack, LedTo, NotRolled, Rolling};
use tacho_launch::Scratch;
use tacho_load::recorder::Files;
use tacho_load::{Anchor, Control, Loaded, Options};
use tacho_rollout::{Request, Told, Window};
use tacho_run_folder::{ErrorKind, PhaseKind, PhasePlan, RequestRow, RowOutcome};
use tacho_runner::Stop;

/// Longer than any changes take. The load is ended when the changes are over.
const LOAD_S: f64 = 7.0 * 24.0 * 3600.0;

/// What was seen.
pub(super) struct Ran {
    pub(super) told: Vec<Told>,
    pub(super) windows: Vec<Window>,
    pub(super) requests: Vec<Request>,
    /// Not all requests were kept, so the report covers only a part.
    pub(super) is_part: bool,
    pub(super) lag_p99_ms: Option<f64>,
    /// A sentence about the pod that sent the requests, if one did.
    pub(super) sent_by: Option<String>,
    /// The preStop that was tried, in seconds.
    pub(super) pre_stop_s: Option<u32>,
    /// A preStop was to be tried.
    pub(super) wants_pre_stop: bool,
    /// Why it was not completed.
    pub(super) ended: Option<NotRolled>,
}

/// The users of a Deployment.
pub(super) struct Coming<'a> {
    pub(super) url: &'a str,
    pub(super) asked: &'a Asked,
    pub(super) pace: Pace,
    /// The pod that sends the requests; absent if this process sends them.
    pub(super) by: Option<&'a Pods>,
}

impl Coming<'_> {
    /// The generator, ready to begin.
    fn begin(
        &self,
        arguments: &Rollout,
        plan: &PhasePlan,
        (folder, files): (&Path, &Files),
        control: &Control,
        stop: &Stop,
    ) -> Result<Generators, Error> {
        // Finds errors in the requests before anything is created.
        let seed = arguments.users.seed;
        let source = self.asked.source(&arguments.what, seed, &[])?;
        let Some(by) = self.by else {
            let options = Options {
                names_connections: true,
                ..self.asked.options(&arguments.how, seed)
            };
            let endpoint = self.asked.endpoint.clone();
            return Ok(Generators::one(endpoint, source, options, files)?);
        };
        let says = "Starting the pod that sends the requests ...";
        let load = Elsewhere {
            what: &arguments.what,
            how: &arguments.how,
            url: Some(self.url),
            asked: self.asked,
            plans: std::slice::from_ref(plan),
            keeps_every_request: true,
            says: (!arguments.quiet).then_some(says),
            folder,
            files,
            control,
            stop,
        };
        Generators::elsewhere(&load, by)
    }
}

/// Users come on a thread of their own while changes are carried out.
pub(super) fn run(
    arguments: &Rollout,
    users: &Coming<'_>,
    mut rolling: Rolling,
    conntrack: Option<Conntrack>,
    stop: &Stop,
) -> Result<Ran, Error> {
    let scratch = Scratch::new().map_err(LoadCommandError::from)?;
    let files = Files::in_folder(scratch.path());
    let plan = PhasePlan {
        label: "users".to_owned(),
        kind: PhaseKind::Open {
            rate: users.pace.rate,
            duration_s: LOAD_S,
            connections: users.pace.connections,
        },
    };
    // A signal ends the changes, and the load ends with them: requests under way still get their
    // answers.
    let control = Control::new();
    let mut sending = users.begin(arguments, &plan, (scratch.path(), &files), &control, stop)?;
    let anchor = sending.anchor();
    let (loaded, carried_out) = std::thread::scope(|scope| {
        let (plans, control) = (std::slice::from_ref(&plan), &control);
        let load = scope.spawn({
            let sending = &mut sending;
            move || sending.run_all(plans, control, &mut |_| {})
        });
        let is_over = || match (stop.is_set(), load.is_finished()) {
            (true, _) => Some(NotRolled::Interrupted),
            (false, true) => Some(NotRolled::NobodyAnswers),
            (false, false) => None,
        };
        let counters = || control.counters();
        let carried_out = changes(arguments, &mut rolling, is_over, counters, users.asked);
        control.stop();
        (load.join(), carried_out)
    });
    let led_to = conntrack.map(Conntrack::end).unwrap_or_default();
    let loaded = loaded.map_err(|_| LoadCommandError::Crashed)?;
    let (sent_by, gone) = (sending.by_a_pod(), sending.lost());
    let loaded = match (loaded, &gone) {
        // If the only sender is gone, nothing was recorded.
        (Err(_), Some(_)) => Loaded::default(),
        (loaded, _) => loaded?,
    };
    // Report what was measured, even if the cluster fails now.
    if let Err(error) = sending.finish() {
        crate::tell!("{error}");
    }
    let requests = requests(&files.requests, anchor, &led_to)?;
    let CarriedOut {
        windows,
        pre_stop_s,
        ended,
    } = match gone {
        Some(why) => carried_out.ended_by(NotRolled::UsersGone { why }),
        None => carried_out,
    };
    Ok(Ran {
        told: rolling.told().to_vec(),
        windows,
        pre_stop_s,
        wants_pre_stop: arguments.changed.try_pre_stop.is_some(),
        is_part: is_part(&loaded, requests.len()),
        requests: requests.into_iter().flatten().collect(),
        lag_p99_ms: lag(&loaded),
        sent_by,
        ended,
    })
}

/// The requests that were kept one by one. `None` for a request that was under way when the load
/// was ended; it does not count as lost.
pub(super) fn requests(
    path: &Path,
    anchor: Anchor,
    led_to: &LedTo,
) -> Result<Vec<Option<Request>>, Error> {
    let unreadable = |source: std::io::Error| Error::Unread {
        path: path.to_owned(),
        why: source.to_string(),
    };
    let file = File::open(path).map_err(unreadable)?;
    let rows = RequestRow::read(BufReader::new(file)).map_err(|error| Error::Unread {
        path: path.to_owned(),
        why: error.to_string(),
    })?;
    let at = |ns: u64| ns.saturating_add(anchor.monotonic_ns);
    let of = |row: &RequestRow| {
        let interrupted = RowOutcome::Failed(ErrorKind::Interrupted.into());
        let port = row.port.and_then(|port| u16::try_from(port).ok());
        (row.outcome != interrupted).then(|| Request {
            intended_ns: at(row.intended_ns),
            sent_ns: (row.sent_ns > 0).then(|| at(row.sent_ns)),
            end_ns: at(row.end_ns),
            is_good: row.outcome.is_good(),
            outcome: row.outcome.to_string(),
            connected_ns: row.connected_ns.map(at),
            // With the port of a connection that was begun.
            never_connected: row.port.is_some() && row.connected_ns.is_none(),
            to: port.and_then(|port| led_to.find(port, at(row.end_ns))),
        })
    };
    Ok(rows.iter().map(of).collect())
}

fn is_part(loaded: &Loaded, kept: usize) -> bool {
    let requests: u64 = loaded
        .phases
        .iter()
        .map(|phase| phase.record.requests)
        .sum();
    requests > kept as u64
}

fn lag(loaded: &Loaded) -> Option<f64> {
    let lags = loaded.phases.first()?.record.generator_lag_ms?;
    Some(lags.p99)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_could_not_be_made_is_told_from_one_that_is_not_known() {
        let row = |port, connected_ns| RequestRow {
            sent_ns: 5,
            end_ns: 9,
            outcome: "refused".into(),
            port,
            connected_ns,
            ..RequestRow::default()
        };
        let mut text = format!("{}\n", RequestRow::HEADER).into_bytes();
        for row in [
            row(Some(4711), None),
            row(Some(4711), Some(3)),
            row(None, None),
        ] {
            row.write(&mut text).unwrap();
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let anchor = Anchor {
            monotonic_ns: 100,
            realtime_ns: 0,
        };
        let read = requests(file.path(), anchor, &LedTo::default()).unwrap();
        let never: Vec<bool> = read
            .into_iter()
            .flatten()
            .map(|one| one.never_connected)
            .collect();
        assert_eq!(never, [true, false, false]);
    }
}
