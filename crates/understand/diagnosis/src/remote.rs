//! Where the time of a request goes that calls other services: waiting for the callee, the wire,
//! and what the service does itself.
//!
//! All of it is seen from outside of both: what requests take is measured by the generator, and
//! what calls take by their packets. So encoding, decoding and everything else of the service is
//! the rest. Calls of one request that run at the same time add up to more than it; then no rest is
//! told.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tacho_run_folder::{CalleeSeen, Dissection, Spoken, Window};

/// The window in which packets are taken down, without an instrument in the process.
pub const WIRE: &str = "wire";

/// Both builds, as far as they call others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RemoteTime {
    /// The older build; null where it calls nobody, or was not looked into.
    pub baseline: Option<RemoteSide>,
    /// The newer build, or the only one.
    pub candidate: Option<RemoteSide>,
}

/// Where the time of a request goes, in milliseconds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RemoteSide {
    /// All of it: mean service time in the window.
    pub request_ms: f64,
    /// From the last packet of each call to the first of its answer: the callees, and the wire.
    pub waiting_ms: f64,
    /// A lower bound of the wire's part of the waiting: the shortest round trip, once for each
    /// call. Null where the kernel does not tell.
    pub wire_ms: Option<f64>,
    /// Processor time of the callees, for all calls of a request: what they themselves did, as far
    /// as they ran for this caller alone. Null where one of them is not on this machine.
    #[serde(default)]
    pub callees_cpu_ms: Option<f64>,
    /// Sending calls and answers: from the first packet of each to its last.
    pub transfer_ms: f64,
    /// The rest: encoding, decoding, and all that the service does itself. Null where calls of a
    /// request run at the same time, or where some of them cannot be told apart.
    pub own_ms: Option<f64>,
    /// By callee, the one that takes most first.
    pub callees: Vec<Callee>,
}

/// A service that is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Callee {
    /// Where it listens.
    pub address: String,
    /// Protocol of the calls.
    pub protocol: Spoken,
    /// Calls for each request.
    pub calls: f64,
    /// What one takes by its packets, from the first to the last, in milliseconds; null over
    /// HTTP/2, where several are under way at once.
    pub call_ms: Option<f64>,
    /// Median of the waiting for an answer, in milliseconds.
    pub waiting_p50_ms: Option<f64>,
    /// 99th percentile of it.
    pub waiting_p99_ms: Option<f64>,
    /// The process that answers; null where it is on another machine, or another user's.
    #[serde(default)]
    pub process: Option<CalleeSeen>,
}

/// Splits what requests of both builds take; `None` where neither calls others.
#[must_use]
pub fn remote_time(
    baseline: Option<&Dissection>,
    candidate: Option<&Dissection>,
) -> Option<RemoteTime> {
    let side = |build: Option<&Dissection>| side(build?.window(WIRE)?);
    let time = RemoteTime {
        baseline: side(baseline),
        candidate: side(candidate),
    };
    (time.baseline.is_some() || time.candidate.is_some()).then_some(time)
}

fn side(window: &Window) -> Option<RemoteSide> {
    if window.calls.is_empty() || window.requests == 0 {
        return None;
    }
    let requests = window.requests as f64;
    let mut side = RemoteSide {
        request_ms: window.mean_ms,
        waiting_ms: 0.0,
        wire_ms: Some(0.0),
        callees_cpu_ms: Some(0.0),
        transfer_ms: 0.0,
        own_ms: None,
        callees: Vec::new(),
    };
    for (address, to) in &window.calls {
        let calls = to.exchanges as f64 / requests;
        if let Some(times) = to.times {
            side.waiting_ms += calls * times.waiting_ms;
            side.transfer_ms += calls * (times.sending_ms + times.receiving_ms);
            // No wire is longer than the wait.
            let wire = to.round_trip_ms.map(|ms| calls * ms.min(times.waiting_ms));
            side.wire_ms = side.wire_ms.zip(wire).map(|(all, of_it)| all + of_it);
        }
        let cpu = to.callee.map(|callee| calls * callee.cpu_ms);
        side.callees_cpu_ms = side.callees_cpu_ms.zip(cpu).map(|(all, of_it)| all + of_it);
        side.callees.push(Callee {
            address: address.clone(),
            protocol: to.protocol,
            calls,
            call_ms: to.times.map(|times| times.total_ms()),
            waiting_p50_ms: to.times.map(|times| times.waiting_p50_ms),
            waiting_p99_ms: to.times.map(|times| times.waiting_p99_ms),
            process: to.callee,
        });
    }
    let of_request = |callee: &Callee| callee.calls * callee.call_ms.unwrap_or_default();
    side.callees
        .sort_by(|a, b| of_request(b).total_cmp(&of_request(a)));
    let all_are_told = side.callees.iter().all(|callee| callee.call_ms.is_some());
    let rest = side.request_ms - side.waiting_ms - side.transfer_ms;
    side.own_ms = (all_are_told && rest >= 0.0).then_some(rest);
    Some(side)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::{CallTimes, CallsTo};

    fn to(protocol: Spoken, exchanges: u64, waiting_ms: f64) -> CallsTo {
        let times = CallTimes {
            sending_ms: 0.01,
            waiting_ms,
            waiting_p50_ms: waiting_ms,
            waiting_p99_ms: waiting_ms,
            receiving_ms: 0.04,
        };
        CallsTo {
            protocol,
            exchanges,
            times: (protocol != Spoken::Http2).then_some(times),
            round_trip_ms: Some(0.05),
            callee: Some(CalleeSeen {
                cpu_ms: 0.2,
                starved_ms: None,
                paused_ms: None,
            }),
        }
    }

    fn build(mean_ms: f64, calls: &[(&str, CallsTo)]) -> Dissection {
        let calls = calls.iter().map(|(peer, to)| ((*peer).to_owned(), *to));
        let window = Window {
            name: WIRE.to_owned(),
            requests: 100,
            mean_ms,
            calls: calls.collect(),
            ..Window::default()
        };
        Dissection {
            windows: vec![window],
            ..Dissection::default()
        }
    }

    fn candidate(mean_ms: f64, calls: &[(&str, CallsTo)]) -> RemoteSide {
        let build = build(mean_ms, calls);
        remote_time(None, Some(&build)).unwrap().candidate.unwrap()
    }

    fn near(is: f64, wanted: f64) -> bool {
        (is - wanted).abs() < 1e-9
    }

    #[test]
    fn ten_quick_calls_are_not_what_a_slow_request_waits_for() {
        let side = candidate(66.0, &[("10.0.0.7:9000", to(Spoken::Http1, 1000, 0.3))]);
        assert!(near(side.waiting_ms, 3.0) && near(side.transfer_ms, 0.5));
        assert!(near(side.wire_ms.unwrap(), 0.5));
        assert!(near(side.callees_cpu_ms.unwrap(), 2.0));
        assert!(near(side.own_ms.unwrap(), 62.5));
        assert!(near(side.callees[0].calls, 10.0));
    }

    #[test]
    fn calls_at_the_same_time_leave_no_rest_to_be_told() {
        let side = candidate(5.0, &[("10.0.0.7:9000", to(Spoken::Http1, 1000, 4.0))]);
        assert_eq!(side.own_ms, None);
    }

    #[test]
    fn beside_calls_that_cannot_be_told_apart_there_is_no_rest() {
        let calls = [
            ("10.0.0.7:9000", to(Spoken::Http1, 100, 0.3)),
            ("10.0.0.8:9000", to(Spoken::Http2, 400, 0.0)),
        ];
        let side = candidate(66.0, &calls);
        assert_eq!(side.own_ms, None);
        assert_eq!(side.callees.len(), 2);
    }

    #[test]
    fn who_calls_nobody_has_no_split() {
        let alone = build(5.0, &[]);
        assert_eq!(remote_time(Some(&alone), Some(&alone)), None);
    }
}
