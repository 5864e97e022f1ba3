//! What became of the requests, and of the phase.

use super::{Facts, Seen, degraded_if, seen};
use crate::assemble::harmless;
use crate::model::Evidence;
use tacho_analysis::certificate::bounds::{
    FAILED_DEGRADED, STEAL_DEGRADED, STEAL_FLOOR_S, STEAL_INVALID, failed_invalid_above,
};
use tacho_figures::{count, ms, number, percent};
use tacho_run_folder::{CertificateState, ErrorKind, PhaseTag};

/// Lowest share of the intended rate that is still valid.
const ACHIEVED: f64 = 0.98;
/// The last answer of a phase normally comes about one response time after the last intended
/// instant. If requests pile up, response times grow linearly, so the last one is twice the median.
const PILING_UP: f64 = 1.5;

/// Gives evidence only if the phase sent nothing, although it was to send.
pub fn requests(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    if record.kind == PhaseTag::Rest || record.requests > 0 {
        return None;
    }
    let text = format!(
        "nothing was sent{}: the phase has no numbers; it was stopped at once, or its schedule is empty",
        facts.place()
    );
    Some(seen(0.0, 1.0, CertificateState::Invalid, text))
}

/// Answers fell behind the schedule.
pub fn achieved_rate(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    let intended = record.intended_rate.filter(|rate| *rate > 0.0)?;
    // If a worker was lost, its part is missing and the phase was ended early: the rule does not
    // apply.
    let mut workers = record.workers.iter();
    let is_whole = workers.all(|worker| worker.lost.is_none());
    if record.requests == 0 || record.duration_s <= 0.0 || !is_whole {
        return None;
    }
    let share = record.throughput / intended;
    let overrun_s = record.duration_s - record.requests as f64 / intended;
    let median_s = record.response_time_ms.map_or(0.0, |r| r.p50 / 1e3);
    let state = degraded_if(share < ACHIEVED && overrun_s > PILING_UP * median_s);
    let text = format!(
        "{}/s were answered{} of {}/s intended, {}; bound {}",
        number(record.throughput),
        facts.place(),
        number(intended),
        percent(share),
        percent(ACHIEVED),
    );
    let advice = format!(
        "the last answer came {} after the schedule's end: requests piled up, so response times depend on how long the run was; lower the rate, or search for the highest one that holds",
        ms(overrun_s * 1e3)
    );
    Some(seen(share, ACHIEVED, state, text).advising(&advice))
}

/// A failed answer is faster or slower than a right one.
pub fn failed_requests(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    let failed = facts.failed();
    let concluded = record.succeeded + failed;
    if concluded == 0 {
        return None;
    }
    let share = failed as f64 / concluded as f64;
    let invalid_above = failed_invalid_above(concluded);
    let state = if share > invalid_above {
        CertificateState::Invalid
    } else {
        degraded_if(share > FAILED_DEGRADED)
    };
    let most = record.errors.iter().max_by_key(|(_, error)| error.count);
    let text = match most.filter(|_| failed > 0) {
        None => format!(
            "no request failed{}; bound {}",
            facts.place(),
            percent(FAILED_DEGRADED)
        ),
        Some((kind, error)) => format!(
            "{} of {} requests failed{}, {}; bound {}, invalid above {}; most of them `{kind}` ({}), such as: {}",
            count(failed),
            count(concluded),
            facts.place(),
            percent(share),
            percent(FAILED_DEGRADED),
            percent(invalid_above),
            count(error.count),
            harmless(&error.example),
        ),
    };
    let advice = most.map_or("", |(kind, _)| what_to_do(kind.known()));
    Some(seen(share, FAILED_DEGRADED, state, text).advising(advice))
}

fn what_to_do(kind: Option<ErrorKind>) -> &'static str {
    use ErrorKind::*;
    let Some(kind) = kind else {
        return LOOK_AT_THE_LOG;
    };
    match kind {
        Refused | Unreachable => "nothing listens there any more: look at the subject's log",
        Unsent => {
            "they still waited for a connection at the end: give more connections, or lower the rate"
        }
        Timeout | ConnectTimeout => {
            "look at the subject, or allow more time if that is how long it takes"
        }
        Status4xx => "the subject rejects the request: check its path, headers and body",
        Check | Capture => {
            "answers came, but not the ones that were asked for: look at the example"
        }
        Redirect | Template => "look at how the request is written",
        Dns => "the name did not resolve: check it, or use an address",
        Interrupted => "they were under way when the run was stopped",
        NoLocalPorts | NoDescriptors => {
            "the generator's machine ran out of them: use fewer connections, or raise the limit"
        }
        Tls => "check the certificates and the name that is asked for",
        GrpcUnimplemented => "the subject has no such method: look at the path",
        GrpcUnauthenticated | GrpcPermissionDenied | GrpcInvalidArgument => {
            "the subject rejects the call: check its metadata and its message"
        }
        _ => LOOK_AT_THE_LOG,
    }
}

const LOOK_AT_THE_LOG: &str = "look at the subject's log";

/// Processor time that other guests of the host took.
pub fn steal(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    let capacity_s = record.duration_s * f64::from(facts.cpus.max(1));
    if capacity_s <= 0.0 || record.requests == 0 {
        return None;
    }
    let counted_s = if record.steal_s > STEAL_FLOOR_S {
        record.steal_s
    } else {
        0.0
    };
    let share = counted_s / capacity_s;
    let state = if share > STEAL_INVALID {
        CertificateState::Invalid
    } else {
        degraded_if(share > STEAL_DEGRADED)
    };
    let text = format!(
        "the hypervisor gave {} of the machine's processor time to others{} (`steal` of /proc/stat); bound {}, invalid above {}",
        percent(share),
        facts.place(),
        percent(STEAL_DEGRADED),
        percent(STEAL_INVALID),
    );
    let advice = "run when the host is quiet, or on a machine of your own";
    Some(seen(share, STEAL_DEGRADED, state, text).advising(advice))
}

/// Totals are kept in memory. Figures by second, kind and window come from the log, which may lack
/// requests.
pub fn records(facts: &Facts<'_>) -> Option<Seen> {
    let concluded = facts.record.succeeded + facts.failed();
    if concluded == 0 {
        return None;
    }
    let held = facts.recorded.map_or(0, |r| r.requests);
    let missing = concluded.saturating_sub(held);
    let state = degraded_if(missing > 0);
    let text = if missing == 0 {
        format!(
            "the records of the seconds hold all requests{}",
            facts.place()
        )
    } else {
        format!(
            "the records of the seconds hold {} of {} requests{}",
            count(held),
            count(concluded),
            facts.place(),
        )
    };
    let advice = "totals are complete, but figures of windows, seconds and kinds of request are not: was the disk full?";
    Some(seen(missing as f64, 0.0, state, text).advising(advice))
}

/// The phase was ended early.
pub fn interrupted(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    if record.unanswered {
        let text = format!(
            "no answer came for a minute, so the phase was ended after {} of its requests{}: look at the subject's log and threads (does it hang, was it stopped?), and run again",
            count(record.requests),
            facts.place(),
        );
        return Some(seen(1.0, 0.0, CertificateState::Invalid, text));
    }
    let state = degraded_if(record.interrupted);
    let text = if record.interrupted {
        format!(
            "the run was stopped after {} s{}: the numbers are of that time only; run it to its end",
            number(record.duration_s),
            facts.place(),
        )
    } else {
        format!("the run went on to its end{}", facts.place())
    };
    let value = f64::from(u8::from(record.interrupted));
    Some(seen(value, 0.0, state, text))
}

/// Evidence of a problem with the source of the requests.
pub fn source(trouble: &str) -> Evidence {
    Evidence {
        what: super::SOURCE.to_owned(),
        value: None,
        bound: None,
        unit: "1".to_owned(),
        state: CertificateState::Degraded,
        text: harmless(trouble),
        workers: Vec::new(),
    }
}
