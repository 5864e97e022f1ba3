//! The phases of a launch, one after another, with somebody beside them who notices when the
//! subject dies or the user has enough.

use super::{Halt, Process, Ready, Traffic};
use crate::company::Company;
use crate::error::RunError;
use crate::event::{Event, Listener};
use crate::processors::Share;
use crate::settle::SettleWatch;
use crate::stop::Stop;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_launch::failure::WITHOUT_TLS;
use tacho_launch::threads::{self, NoThread};
use tacho_load::{ANSWERS_WITH_TLS, Control, Options};
use tacho_run_folder::{
    ErrorCount, ErrorKind, FailureCause, LaunchDir, LaunchOutcome, PhaseKind, PhasePlan,
    PhaseRecord, ResourcePoint, Word,
};
use tacho_workload::Scenario;

/// How soon the end of the subject or a stop is noticed in a phase.
const LOOK: Duration = Duration::from_millis(50);
/// How soon the first answer is noticed.
const FIRST_ANSWER_LOOK: Duration = Duration::from_micros(500);

/// A subject that is stopped for so long is not waited for: the launch counts no more in any case.
const STANDSTILL: Duration = Duration::from_secs(5);

/// What is sent, and where it is written.
pub struct Load<'a> {
    /// What is sent.
    pub requests: &'a [Scenario],
    /// How patient the sender is; its seed says which request is sent when, and how long users
    /// think.
    pub options: Options,
    /// Where it is recorded.
    pub folder: &'a LaunchDir,
    /// Counters for those who watch, and the way to end it.
    pub control: Control,
    /// What of the machine is there for it.
    pub share: Share<'a>,
}

impl<'a> Load<'a> {
    /// The load of a launch that is not a measurement.
    pub fn aside(requests: &'a [Scenario], options: Options, folder: &'a LaunchDir) -> Self {
        Self {
            requests,
            options,
            folder,
            control: Control::new(),
            share: Share::Machine,
        }
    }
}

/// Sends the requests of one launch.
pub struct Loading<'a> {
    traffic: Box<dyn Traffic>,
    control: Control,
    share: Share<'a>,
    next: u32,
    /// Taken once, after the first answer.
    pub after_first_request: Option<ResourcePoint>,
}

/// A phase that is over.
#[derive(Debug)]
pub struct Phase {
    /// What was measured.
    pub record: PhaseRecord,
    /// Why the launch ends with it.
    pub end: Option<LaunchOutcome>,
}

impl<'a> Loading<'a> {
    pub(super) fn new(traffic: Box<dyn Traffic>, load: Load<'a>) -> Self {
        Self {
            traffic,
            control: load.control,
            share: load.share,
            next: 0,
            after_first_request: None,
        }
    }

    /// Carries out one phase. It ends early when the subject dies or the user stops the run. `what`
    /// is the word for it in sentences: `phase`, `window`.
    pub fn phase(
        &mut self,
        ready: &mut Ready<'_>,
        what: &str,
        plan: &PhasePlan,
        listener: &mut dyn Listener,
    ) -> Result<Phase, RunError> {
        let (place, stop) = (ready.terms.place, ready.terms.stop);
        listener.event(Event::PhaseBegan {
            phase: plan,
            control: &self.control,
        });
        let company = ready.terms.company;
        let before = place.counters(ready.running.cpu_s(), company.cpu_s(), self.share);
        let done = AtomicBool::new(false);
        let wants_point = self.after_first_request.is_none();
        let (control, first) = (&self.control, &mut ready.running.first);
        let (traffic, index) = (&mut self.traffic, self.next);
        let settles = matches!(plan.kind, PhaseKind::Settle { .. });
        let settling = settles.then(|| SettleWatch::begin(control));
        first.subject.begin_phase(plan);
        let (result, seen) = std::thread::scope(|scope| {
            let attendant = threads::spawn_in(scope, || {
                attend(first, company, control, stop, &done, wants_point, settling)
            })?;
            let result = {
                let _over = Over(&done);
                traffic.run(index, plan, control)
            };
            Ok::<_, NoThread>((result, threads::join(attendant)?))
        })?;
        self.next += 1;
        let changed = ready.running.first.subject.end_phase();
        self.after_first_request = self.after_first_request.or(seen.point);
        listener.event(Event::PhaseEnded);
        let mut record = result.map_err(RunError::Load)?;
        let after = place.counters(ready.running.cpu_s(), company.cpu_s(), self.share);
        record.subject_cpu_s = after.subject_used_since(&before);
        record.processors = after.used_since(&before);
        record.steal_s = after.stolen_since(&before);
        let during = format!("in {what} `{}`", plan.label);
        let seen_end = match seen.stopped && !stop.is_set() {
            // That it was stopped is the first cause, whatever the figures of the phase say.
            true => Some(was_stopped(&during)),
            false => ready
                .running
                .ended(&during)
                .or_else(|| stop.is_set().then_some(LaunchOutcome::Interrupted)),
        };
        // A lost companion comes before other causes: failures of the subject may follow from it.
        let end = company
            .ended(&during)
            .or(seen_end)
            .or(changed)
            .or_else(|| none_succeeded(what, &record, &ready.running.first))
            .or_else(|| unanswered(&during, &record, &ready.running.first));
        Ok(Phase { record, end })
    }

    /// Carries out one phase, after which the launch goes on.
    pub fn answered(
        &mut self,
        ready: &mut Ready<'_>,
        what: &str,
        plan: &PhasePlan,
        listener: &mut dyn Listener,
    ) -> Result<PhaseRecord, Halt> {
        let Phase { record, end } = self.phase(ready, what, plan, listener)?;
        end.map_or(Ok(record), |outcome| Err(outcome.into()))
    }
}

/// Tells the attendant that the phase is over, also when the sender panics: the scope would wait
/// for it forever.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn was_stopped(during: &str) -> LaunchOutcome {
    LaunchOutcome::Invalid {
        reason: format!(
            "the subject was stopped (state T) {during}, by SIGSTOP or a debugger, and answered nothing meanwhile; find out who does that, and run again"
        ),
    }
}

/// A phase in which something was sent and nothing succeeded.
fn none_succeeded(what: &str, phase: &PhaseRecord, process: &Process) -> Option<LaunchOutcome> {
    if phase.requests == 0 || phase.succeeded > 0 {
        return None;
    }
    let (kind, count) = phase.errors.iter().max_by_key(|(_, error)| error.count)?;
    let tls = match may_want_tls(phase, process) {
        true => format!(" If the port serves HTTPS: {WITHOUT_TLS}"),
        false => String::new(),
    };
    Some(LaunchOutcome::Failed {
        cause: FailureCause::NoResponses,
        message: format!(
            "not one of the {} requests of {what} `{}` succeeded; most often {kind}: {}. Are method, path and body right?{tls}",
            phase.requests, phase.label, count.example
        ),
        last_log_lines: process.subject.evidence().last_log_lines,
    })
}

/// Whether the process has only answered as servers that expect TLS answer plain HTTP.
pub fn may_want_tls(phase: &PhaseRecord, process: &Process) -> bool {
    process.time_line.first_2xx_ms.is_none() && as_with_tls(&phase.errors)
}

/// An alert of TLS, or status 400 whatever is asked for.
fn as_with_tls(errors: &BTreeMap<Word<ErrorKind>, ErrorCount>) -> bool {
    let is_bad_request = |kind: &Word<ErrorKind>, error: &ErrorCount| {
        *kind == ErrorKind::Status4xx && error.example.ends_with("status 400")
    };
    let is_alert = |error: &ErrorCount| error.example.contains(ANSWERS_WITH_TLS);
    !errors.is_empty()
        && errors
            .iter()
            .all(|(kind, error)| is_alert(error) || is_bad_request(kind, error))
}

/// A phase that was given up.
fn unanswered(during: &str, phase: &PhaseRecord, process: &Process) -> Option<LaunchOutcome> {
    phase.unanswered.then(|| LaunchOutcome::Failed {
        cause: FailureCause::NoResponses,
        message: format!(
            "the subject answered nothing for a minute {during}, after {} of its requests had succeeded: does it hang? `jcmd PID Thread.print` says where a JVM waits",
            phase.succeeded
        ),
        last_log_lines: process.subject.evidence().last_log_lines,
    })
}

/// What was seen of the subject in a phase.
#[derive(Default)]
struct Seen {
    /// After its first answer.
    point: Option<ResourcePoint>,
    /// Once at least.
    stopped: bool,
}

/// Stops the generator when there is nobody left to answer, or nobody left who wants to know; on
/// the way, looks at the subject once after its first answer.
fn attend(
    process: &mut Process,
    company: &Company,
    control: &Control,
    stop: &Stop,
    done: &AtomicBool,
    wants_point: bool,
    mut settling: Option<SettleWatch>,
) -> Seen {
    let mut seen = Seen::default();
    let mut is_due = wants_point && process.observer.is_some();
    let mut stopped_since = None;
    while !done.load(Ordering::Relaxed) {
        if is_due && control.counters().answered > 0 {
            seen.point = process.glance();
            is_due = false;
        }
        let look = if is_due { FIRST_ANSWER_LOOK } else { LOOK };
        let ended = process.subject.exit_within(look).is_some() || company.has_lost_one();
        if process.subject.is_stopped() {
            seen.stopped = true;
            let since = *stopped_since.get_or_insert_with(Instant::now);
            if since.elapsed() >= STANDSTILL {
                control.stop();
                break;
            }
        } else {
            stopped_since = None;
        }
        settling.iter_mut().for_each(SettleWatch::look);
        if ended || stop.is_set() {
            control.stop();
            break;
        }
    }
    // An answer may have come and gone between two looks.
    if is_due && control.counters().answered > 0 {
        seen.point = process.glance();
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_400_or_an_alert_may_come_of_tls() {
        let errors = |errors: &[(ErrorKind, &str)]| -> BTreeMap<Word<ErrorKind>, ErrorCount> {
            let count = |example: &str| ErrorCount {
                count: 5,
                example: example.to_owned(),
            };
            let errors = errors.iter();
            errors
                .map(|(kind, example)| (Word::from(*kind), count(example)))
                .collect()
        };
        let bad_request = (ErrorKind::Status4xx, "GET /: answered with status 400");
        let alert = (
            ErrorKind::Malformed,
            "GET /: the subject answers with TLS: `\\x15\\x03\\x03`; use https://",
        );
        let not_found = (ErrorKind::Status4xx, "GET /: answered with status 404");
        let timeout = (ErrorKind::Timeout, "GET /: no answer within 30 s");
        assert!(as_with_tls(&errors(&[bad_request])));
        assert!(as_with_tls(&errors(&[bad_request, alert])));
        assert!(!as_with_tls(&errors(&[not_found])));
        assert!(!as_with_tls(&errors(&[alert, timeout])));
        assert!(!as_with_tls(&errors(&[])));
    }
}
