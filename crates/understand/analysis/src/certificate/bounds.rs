//! The numbers beyond which a certificate is degraded or invalid: the same for a run of launches
//! and for a load run by itself.

use tacho_run_folder::PhaseRecord;

/// Waits for a connection below this come and go with the scheduler, on any machine.
pub const WAIT_FLOOR_MS: f64 = 1.0;
/// Each response time contains the wait, so that this share of the median is let pass: as large as
/// the usual practical threshold.
pub const WAIT_SHARE: f64 = 0.05;

/// One thread can use one processor; from here on its throughput is a lower bound of the subject's.
pub const GENERATOR_CPU: f64 = 0.8;
/// Shorter phases have too few clock ticks to tell a share.
pub const SHORTEST_S: f64 = 0.1;
/// Tomcat, the server of most Boot services, closes a connection after 100 requests
/// (`maxKeepAliveRequests`), so that 1 % is how such a service behaves towards everybody. Twice
/// that is something else.
pub const RECONNECTS: f64 = 0.02;

/// Share of the machine's processor time that the hypervisor gave to others.
pub const STEAL_DEGRADED: f64 = 0.01;
/// As large as the usual practical threshold: differences of that size may be the neighbours'.
pub const STEAL_INVALID: f64 = 0.05;
/// Two clock ticks: less cannot be told from rounding.
pub const STEAL_FLOOR_S: f64 = 0.02;

/// Share of the machine's processor time that other processes took while the subject was loaded.
/// Unlike what is stolen, it may come from processors that nobody else wanted, so that more of it
/// is let pass.
///
/// How exact the share is: beside one neighbour that kept one of 2 processors busy all the time,
/// `tacho run` read 49.98 % at 1,000 requests a second and 50.28 % at 50 (Linux 6.18;
/// `launch.json`, `processors`), so that the bound is more than ten times the error. What a machine
/// that is left alone does besides was 0.3 % (2 ticks of 600 in 3 s).
pub const OTHERS_DEGRADED: f64 = 0.05;
/// Half: on 2 processors all of one, so that the subject and the generator had to share the other.
/// Below it a limited subject may have had all that it was allowed; a generator that was late is
/// found by its own rules.
pub const OTHERS_INVALID: f64 = 0.5;
/// Share of the machine's processor time that was used in all, beyond which companions may have
/// kept the subject or the generator waiting. On 2 processors a subject that is limited to one, its
/// generator, and companions that take half of the other use 80 %.
pub const FULL_WITH_COMPANIONS: f64 = 0.9;
/// The time of each process is counted in whole ticks of 10 ms: over shorter times they are too
/// much of it.
pub const OTHERS_SHORTEST_S: f64 = 1.0;

/// A failed answer is faster or slower than a right one; at this share it moves the p99 by a tenth
/// of what lies beyond it.
pub const FAILED_DEGRADED: f64 = 0.001;
/// From this share of failed requests on, the response times are those of another service.
const FAILED_INVALID: f64 = 0.05;
/// Below this many requests [`FAILED_INVALID`] is not used, since a single failure would make the
/// run invalid.
const FAILED_OF_AT_LEAST: u64 = 100;
/// The bound for fewer requests: beyond it, the answers that are left are no longer what users
/// mostly see.
const FAILED_INVALID_OF_FEW: f64 = 0.5;

/// The share of failed requests beyond which the numbers are not to be used.
#[must_use]
pub fn failed_invalid_above(requests: u64) -> f64 {
    if requests >= FAILED_OF_AT_LEAST {
        FAILED_INVALID
    } else {
        FAILED_INVALID_OF_FEW
    }
}

/// How long requests of a phase may wait for a free connection (p99), in milliseconds.
#[must_use]
pub fn wait_bound_ms(phase: &PhaseRecord) -> f64 {
    let response_p50 = phase.response_time_ms.map_or(0.0, |q| q.p50);
    (WAIT_SHARE * response_p50).max(WAIT_FLOOR_MS)
}
