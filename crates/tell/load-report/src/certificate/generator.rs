//! Was the generator late, was it the limit?

use super::{Facts, degraded_if, verdict, with_advice};
use crate::model::Evidence;
use tacho_analysis::certificate::bounds::{
    GENERATOR_CPU, INVALID_FACTOR, LAG_FLOOR_MS, LAG_SHARE, SHORTEST_S, lag_bound_ms,
};
use tacho_figures::{ms, percent};
use tacho_run_folder::CertificateState;

/// From here on there was nothing left of its processor: what it says of throughput is about
/// itself.
const GENERATOR_CPU_SPENT: f64 = 0.95;

const BE_ON_TIME: &str = "response times hold that lateness, for they count from the intended instant: \
    give the generator a processor of its own, let it have real-time priority (CAP_SYS_NICE), or lower the rate";

/// How late it took requests up; only a schedule can be late.
pub fn lag(facts: &Facts<'_>) -> Option<Evidence> {
    let lag = facts.record.generator_lag_ms?;
    if !facts.has_schedule() {
        return None;
    }
    let bound = lag_bound_ms(facts.record);
    let state = if lag.p99 > INVALID_FACTOR * bound {
        CertificateState::Invalid
    } else {
        degraded_if(lag.p99 > bound)
    };
    let text = format!(
        "the generator took requests up to {} late (p99 of dispatched - intended{}); bound {}, the larger of {} and {} of the median response time",
        ms(lag.p99),
        facts.place(),
        ms(bound),
        ms(LAG_FLOOR_MS),
        percent(LAG_SHARE),
    );
    let text = with_advice(state, text, BE_ON_TIME);
    Some(verdict(
        "generator-lag",
        "ms",
        lag.p99,
        Some(bound),
        state,
        text,
    ))
}

/// A generator that is on time but for one request in a thousand spoils just the quantiles out
/// there.
pub fn lag_tail(facts: &Facts<'_>) -> Option<Evidence> {
    let (lag, response) = (
        facts.record.generator_lag_ms?,
        facts.record.response_time_ms?,
    );
    if !facts.has_schedule() {
        return None;
    }
    let bound = (LAG_SHARE * response.p99_9).max(LAG_FLOOR_MS);
    let state = degraded_if(lag.p99_9 > bound);
    let text = format!(
        "one request in a thousand was taken up more than {} late (p99.9 of dispatched - intended{}); bound {}, the larger of {} and {} of the response time's p99.9",
        ms(lag.p99_9),
        facts.place(),
        ms(bound),
        ms(LAG_FLOOR_MS),
        percent(LAG_SHARE),
    );
    let text = with_advice(
        state,
        text,
        "read p99.9 and the maximum with that in mind, up to p99 they are the subject's",
    );
    Some(verdict(
        "generator-lag-tail",
        "ms",
        lag.p99_9,
        Some(bound),
        state,
        text,
    ))
}

/// A lower bound of the throughput is still a true statement, so that this is never invalid;
/// lateness that comes of it is seen by [`lag`].
pub fn cpu(facts: &Facts<'_>) -> Option<Evidence> {
    let record = facts.record;
    if record.duration_s < SHORTEST_S || record.requests == 0 {
        return None;
    }
    let share = record.generator_cpu_s / record.duration_s;
    let state = degraded_if(share > GENERATOR_CPU);
    let text = format!(
        "the generator used {} of its one processor{} (thread CPU time by elapsed time); bound {}",
        percent(share),
        facts.place(),
        percent(GENERATOR_CPU),
    );
    let advice = if share > GENERATOR_CPU_SPENT {
        "the generator, not the subject, was the limit: the rate is what it can send, the subject may do more; run several generators, or fewer and larger requests"
    } else {
        "the rate is a lower bound of what the subject can do: the generator may have been the limit at times; run several generators"
    };
    let text = with_advice(state, text, advice);
    Some(verdict(
        "generator-cpu",
        "share",
        share,
        Some(GENERATOR_CPU),
        state,
        text,
    ))
}
