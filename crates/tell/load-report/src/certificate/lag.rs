//! Was a generator late with its requests?
//!
//! With several workers, the same bounds apply to each. If one of eight workers is late, an eighth
//! of the requests is late, and quantiles over all workers can hide that.

use super::{Facts, Seen, degraded_if, seen};
use crate::model::WorkerLag;
use std::cmp::Ordering;
use tacho_figures::{ms, percent};
use tacho_run_folder::{
    CertificateState, LATE_SHARE, LateShare, Lateness, Quantile, Quantiles, WorkerPart,
    late_shares, late_shares_of,
};

const BE_ON_TIME: &str = "response times include that lateness, because they count from the intended instant: \
    give the generator a processor of its own, let it have real-time priority (CAP_SYS_NICE), or lower the rate";

const BE_ALL_ON_TIME: &str = "response times include that lateness, because they count from the intended instant: \
    give each worker a processor of its own (fewer workers, or more processors), let them have real-time priority (CAP_SYS_NICE), or lower the rate";

/// How much of the reported quantiles is the lateness of one generator, or of all.
struct Late {
    lateness: Lateness,
    p99_ms: f64,
    /// Invalid where no quantile is left that can be trusted.
    state: CertificateState,
}

impl Late {
    fn of(shares: &[LateShare], lag: &Quantiles, requests: u64) -> Option<Self> {
        let lateness = Lateness::of(shares, requests)?;
        let state = match lateness.is_everywhere {
            true => CertificateState::Invalid,
            false => degraded_if(!lateness.late.is_empty()),
        };
        Some(Self {
            lateness,
            p99_ms: lag.p99,
            state,
        })
    }

    /// From the worker's own response times. `None` if it has none, as in older records. A worker
    /// sends only a part of the requests. A quantile that equals its longest response time is a
    /// single request and does not count, just as the maximum does not.
    fn of_worker(part: &WorkerPart) -> Option<Self> {
        let (response, on_time) = (part.response_time_ms?, part.on_time_response_ms?);
        let mut shares = late_shares(&response, &on_time);
        shares.retain(|late| late.quantile.rank(response.count) < response.count);
        Self::of(&shares, &part.generator_lag_ms?, response.count)
    }

    fn names_of_late(&self) -> Vec<String> {
        let late = self.lateness.late.iter();
        late.map(Quantile::to_string).collect()
    }

    fn seen(&self, text: String) -> Seen {
        seen(self.lateness.worst.share, LATE_SHARE, self.state, text)
    }
}

/// One of several workers.
struct Worker {
    number: u32,
    late: Late,
}

impl Worker {
    fn by_lateness(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.late, &other.late);
        let by_share = a.lateness.worst.share.total_cmp(&b.lateness.worst.share);
        let by_state = a.state.cmp(&b.state);
        by_state.then(by_share).then(a.p99_ms.total_cmp(&b.p99_ms))
    }
}

/// How much of the reported quantiles is the generator's own lateness. Only applies with a
/// schedule. If one worker has a worse state than all workers together, its evidence is shown.
pub fn lag(facts: &Facts<'_>) -> Option<Seen> {
    let record = facts.record;
    let lag = record.generator_lag_ms?;
    if !facts.has_schedule() {
        return None;
    }
    let response = record.response_time_ms?;
    let all = Late::of(&late_shares_of(record)?, &lag, response.count)?;
    let workers = record.workers.iter().filter_map(|part| {
        Some(Worker {
            number: part.worker,
            late: Late::of_worker(part)?,
        })
    });
    // A single worker is the same as the total.
    let several = workers.filter(|_| record.workers.len() > 1);
    let seen = match several.max_by(Worker::by_lateness) {
        Some(worst) if worst.late.state > all.state => of_one(facts, &worst, &all),
        worst => of_all(facts, &all, worst.as_ref()),
    };
    Some(Seen {
        workers: record.workers.iter().filter_map(told).collect(),
        ..seen
    })
}

fn told(part: &WorkerPart) -> Option<WorkerLag> {
    let late = Late::of_worker(part);
    Some(WorkerLag {
        worker: part.worker,
        lag_p99_ms: part.generator_lag_ms?.p99,
        late_share: late.map(|late| late.lateness.worst.share),
    })
}

fn of_all(facts: &Facts<'_>, all: &Late, worst: Option<&Worker>) -> Seen {
    let worst = worst.map_or_else(String::new, |worst| {
        format!("; {}, {}", named(facts, worst), ms(worst.late.p99_ms))
    });
    let text = format!(
        "up to {} of a quantile of the response time is the generator's own lateness ({}{}; it started requests {} late at p99{worst}); bound {}",
        percent(all.lateness.worst.share),
        all.lateness.worst.quantile,
        facts.place(),
        ms(all.p99_ms),
        percent(LATE_SHARE),
    );
    let advice = match all.state {
        CertificateState::Degraded => {
            format!(
                "{} not the subject's; {BE_ON_TIME}",
                are(&all.names_of_late())
            )
        }
        _ => BE_ON_TIME.to_owned(),
    };
    all.seen(text).advising(&advice)
}

fn of_one(facts: &Facts<'_>, worst: &Worker, all: &Late) -> Seen {
    let late = &worst.late;
    let text = format!(
        "up to {} of a quantile of the response time of {}, is its own lateness ({}{}; it started requests {} late at p99, all together {}); bound {}",
        percent(late.lateness.worst.share),
        named(facts, worst),
        late.lateness.worst.quantile,
        facts.place(),
        ms(late.p99_ms),
        ms(all.p99_ms),
        percent(LATE_SHARE),
    );
    let advice = match late.state {
        CertificateState::Degraded => format!(
            "of what it sent {} not the subject's; {BE_ALL_ON_TIME}",
            are(&late.names_of_late())
        ),
        _ => BE_ALL_ON_TIME.to_owned(),
    };
    late.seen(text).advising(&advice)
}

fn named(facts: &Facts<'_>, worst: &Worker) -> String {
    let of = facts.record.workers.len();
    format!("worker {}, the worst of {of}", worst.number)
}

/// `p99 is`, `p99 and p99.9 are`.
fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", tacho_figures::listed(names))
}
