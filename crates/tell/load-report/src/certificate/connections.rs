//! Were the connections the limit? Little's law answers this: the mean number of requests under way
//! is their rate times their mean time, whatever the distributions (Little 1961).

use super::{Facts, Seen, degraded_if, seen};
use tacho_analysis::certificate::bounds::{RECONNECTS, wait_bound_ms};
use tacho_figures::{count, ms, number, percent};
use tacho_run_folder::CertificateState;

/// If this share of the connections is busy on average, treat them as busy nearly all the time.
const BUSY: f64 = 0.9;
/// Safety factor for the number of connections that the advice suggests.
const SPARE: f64 = 1.25;
/// Tolerance for rounding in the histograms and for requests that begin before the clock does.
const ACCOUNTING: f64 = 1.02;
/// In a shorter phase, the start and the end dominate.
const LONG_ENOUGH_S: f64 = 1.0;

/// Mean number of requests on the wire.
fn on_the_wire(facts: &Facts<'_>) -> Option<f64> {
    let recorded = facts.recorded.filter(|r| r.requests > 0)?;
    let duration_s = facts.record.duration_s;
    (duration_s > 0.0).then(|| recorded.service_s / duration_s)
}

/// How long requests waited for a free connection: p99 of the dispatch delay minus p99 of the
/// generator's own lag.
pub fn waits(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    let (delay, lag) = (record.dispatch_delay_ms?, record.generator_lag_ms?);
    if !facts.has_schedule() || record.duration_s <= 0.0 {
        return None;
    }
    let offered = record.requests as f64 / record.duration_s;
    let intended_rate = record.intended_rate.unwrap_or(offered);
    let waited = (delay.p99 - lag.p99).max(0.0);
    let bound = wait_bound_ms(record);
    let state = degraded_if(waited > bound);
    let busy = on_the_wire(facts);
    let connections = f64::from(facts.connections);
    let on_average = busy.map_or_else(String::new, |busy| {
        format!(
            "; on average {} of {} were busy",
            number(busy),
            count(facts.connections.into())
        )
    });
    let text = format!(
        "requests waited up to {} for a free connection (p99 of dispatch delay less lag{}); bound {}{on_average}",
        ms(waited),
        facts.place(),
        ms(bound),
    );
    let service_s = record.service_time_ms.map_or(0.0, |s| s.mean / 1e3);
    let response_p99_s = record.response_time_ms.map_or(0.0, |r| r.p99 / 1e3);
    let advice = if busy.is_some_and(|busy| busy >= BUSY * connections) {
        let enough = (intended_rate * service_s * SPARE).ceil();
        if enough > connections {
            format!(
                "all connections were busy nearly all the time, so that they, not the schedule, set the rate: {} would carry {}/s if the service time stays at {}; if it grows with them, the subject is the limit",
                count(enough as u64),
                number(intended_rate),
                ms(service_s * 1e3),
            )
        } else {
            "all connections were busy nearly all the time: the subject is at its limit, or a few more connections are needed".to_owned()
        }
    } else {
        let enough = (intended_rate * response_p99_s)
            .ceil()
            .max(connections + 1.0);
        format!(
            "the subject paused, and all connections had to wait. Response times are right, because they count from the intended instant, but service times cover fewer concurrent requests than users would send: use {} connections",
            count(enough as u64)
        )
    };
    Some(seen(waited, bound, state, text).advising(&advice))
}

/// Checks the records for consistency. There cannot be more requests on the wire than connections.
/// In a closed loop, about as many requests are under way as there are connections.
pub fn littles_law(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    let on_the_wire = on_the_wire(facts)?;
    let connections = f64::from(facts.connections);
    let rate = record.throughput;
    if on_the_wire > ACCOUNTING * connections {
        let text = format!(
            "by Little's law {} requests were on the wire on average{}, over {} connections that carry one each: the records contradict each other; this is an error in Tacho, please report it",
            number(on_the_wire),
            facts.place(),
            count(facts.connections.into()),
        );
        return Some(seen(
            on_the_wire,
            connections,
            CertificateState::Invalid,
            text,
        ));
    }
    let under_way = facts.recorded?.response_s / record.duration_s;
    let idle =
        facts.always_busy && record.duration_s >= LONG_ENOUGH_S && under_way < BUSY * connections;
    let state = degraded_if(idle);
    let (value, what) = if facts.always_busy {
        (under_way, "under way")
    } else {
        (on_the_wire, "on the wire")
    };
    let text = format!(
        "by Little's law {} requests were {what} on average{} ({}/s times their mean time), over {} connections",
        number(value),
        facts.place(),
        number(rate),
        count(facts.connections.into()),
    );
    let advice = "some connections were idle: they paused after failures, or waited for the last answers of others; look at the failed requests, or run longer";
    Some(seen(value, connections, state, text).advising(advice))
}

/// Share of requests for which a connection had to be opened while the clock was running.
pub fn reconnects(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    if record.requests == 0 {
        return None;
    }
    let share = record.reconnects as f64 / record.requests as f64;
    let state = degraded_if(share > RECONNECTS);
    let text = format!(
        "{} of the requests needed a new connection{} ({} in all); bound {}",
        percent(share),
        facts.place(),
        count(record.reconnects),
        percent(RECONNECTS),
    );
    let advice = "response times include connecting: let the subject keep connections open, as a proxy in front of it would";
    Some(seen(share, RECONNECTS, state, text).advising(advice))
}
