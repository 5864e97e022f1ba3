//! Cause before symptom. Requests that wait for a lock or for a thread wait longer where what its
//! holder does takes longer: then that is the reason, and the waiting stands beside it. By Little's
//! law the queue grows with the time for which each one holds what the others wait for.

use crate::comparison::{Comparison, Item, Pair, Suspect, is_time};
use crate::finding::{Also, Finding, Terms, of_suspect};
use crate::frame::{aligned, shown};
use crate::pattern::lock_contention::{self, is_lock};
use crate::pattern::waiting::{POOL, is_for_a_thread};
use std::collections::{BTreeMap, BTreeSet};
use tacho_figures::ms;
use tacho_run_folder::LedgerKind;

/// A lock is held longer where its holder takes so much longer, as a share.
const HELD_LONGER: f64 = 0.1;
/// A pool is kept longer where all that requests do takes so much longer: more, because nobody sees
/// who of them keeps it.
const KEPT_LONGER: f64 = 0.3;

/// So many requests wait at most behind one another: what takes little longer is not why they wait
/// long.
const MOST_WAITING: f64 = 64.0;

/// Rules whose finding may be a symptom.
const SYMPTOMS: [&str; 2] = [lock_contention::PATTERN.id, POOL.id];

/// Lays waits to the work that is done meanwhile, where that takes longer than before.
pub fn causes_first(comparison: &Comparison<'_>, findings: &mut Vec<Finding>, difference: f64) {
    if comparison.baseline.is_none() {
        return;
    }
    // The longest wait first: what it is laid to may be the reason of others, too.
    let mut waits: Vec<(f64, String, String)> = findings
        .iter()
        .filter(|finding| SYMPTOMS.contains(&finding.pattern.as_str()))
        .map(|finding| {
            (
                finding.explains,
                finding.owner.clone(),
                finding.pattern.clone(),
            )
        })
        .collect();
    waits.sort_by(|a, b| b.0.total_cmp(&a.0));
    for (_, owner, pattern) in waits {
        let is_it = |finding: &Finding| finding.owner == owner && finding.pattern == pattern;
        let Some(place) = findings.iter().position(is_it) else {
            continue;
        };
        let Some(holder) = holder(comparison, &findings[place]) else {
            let wait = &mut findings[place];
            if let Some((callee, spent)) = done_under(comparison, wait)
                && wait.pattern == lock_contention::PATTERN.id
            {
                wait.sentence.push_str(&format!(
                    " Whoever holds it spends most of the time in {callee} ({} a request).",
                    ms(spent)
                ));
            }
            continue;
        };
        let wait = findings.remove(place);
        let name = shown(&holder.owner);
        let known = findings.iter().position(|finding| finding.owner == name);
        let cause = match known {
            Some(known) => Some(findings.remove(known)),
            None => of_suspect(
                &holder,
                &Terms {
                    difference,
                    least: 0.0,
                    without: &SYMPTOMS,
                    is_counted: is_work,
                },
            ),
        };
        findings.push(match cause {
            Some(cause) => with_symptom(cause, wait),
            None => wait,
        });
    }
}

/// The owner whose work takes longer while it holds what the others wait for.
fn holder<'c, 'a>(comparison: &'c Comparison<'a>, wait: &Finding) -> Option<Suspect<'c, 'a>> {
    let is_lock = wait.pattern == lock_contention::PATTERN.id;
    let is_under = |item: &Item<'_>| {
        let mut frames = item.entry.frames.iter();
        frames.any(|frame| shown(&aligned(frame)) == wait.owner)
    };
    let is_meanwhile = |item: &Item<'_>| is_work(item) && (!is_lock || is_under(item));
    let meanwhile = comparison.cost_as_seen(is_meanwhile, 1e-6);
    let enough = match is_lock {
        true => HELD_LONGER,
        false => KEPT_LONGER,
    } * meanwhile.baseline;
    let owners: BTreeSet<&String> = comparison
        .candidate
        .items
        .iter()
        .filter(|item| is_meanwhile(item))
        .filter_map(|item| item.owner.as_ref())
        .collect();
    let longer = |owner: &String| {
        let suspect = Suspect {
            comparison,
            owner: owner.clone(),
            is_own: comparison
                .candidate
                .items
                .iter()
                .any(|item| item.is_own && item.owner.as_ref() == Some(owner)),
        };
        let meanwhile =
            comparison.cost_as_seen(|item| suspect.is_mine(item) && is_meanwhile(item), 1e-6);
        // Work that was only moved under the lock, without costing more, is not the reason: holding
        // the lock for it is.
        let anywhere = comparison.cost_as_seen(|item| suspect.is_mine(item) && is_work(item), 1e-6);
        let anywhere: Pair = suspect.with_what_moved(anywhere);
        let more = meanwhile.more().min(anywhere.more());
        let is_enough = more > enough.max(0.0) && more * MOST_WAITING >= wait.time_ms.more();
        (suspect.is_own && anywhere.is_more() && is_enough).then_some((more, suspect))
    };
    let longer = owners.into_iter().filter_map(longer);
    let most = longer.max_by(|a, b| a.0.total_cmp(&b.0));
    most.map(|(_, suspect)| suspect)
}

/// Time of a request in which it does not wait for another request.
fn is_work(item: &Item<'_>) -> bool {
    let is_turn = match item.kind {
        LedgerKind::LockWaits => true,
        LedgerKind::Parks => is_lock(&item.entry.key) || is_for_a_thread(item),
        _ => false,
    };
    is_time(item) && !is_turn
}

/// What whoever holds the lock does most: what the waiting method calls, and its milliseconds a
/// request.
fn done_under(comparison: &Comparison<'_>, wait: &Finding) -> Option<(String, f64)> {
    let mut by_callee: BTreeMap<String, f64> = BTreeMap::new();
    for item in comparison
        .candidate
        .items
        .iter()
        .filter(|item| is_work(item))
    {
        let mut frames = item.entry.frames.iter();
        let place = frames.position(|frame| shown(&aligned(frame)) == wait.owner);
        if let Some(callee) = place.and_then(|place| place.checked_sub(1)) {
            let callee = shown(&aligned(&item.entry.frames[callee]));
            *by_callee.entry(callee).or_default() += item.cost() * 1e-6;
        }
    }
    by_callee
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, ms)| *ms > 0.0)
}

fn with_symptom(mut cause: Finding, wait: Finding) -> Finding {
    let (what, who) = match wait.pattern == lock_contention::PATTERN.id {
        true => ("a lock", format!(" in {}", wait.owner)),
        false => ("a thread", String::new()),
    };
    cause.sentence.push_str(&format!(
        " Meanwhile it holds {what}{who} for which other requests wait {} each (before: {}).",
        ms(wait.time_ms.candidate),
        ms(wait.time_ms.baseline)
    ));
    cause.explains = (cause.explains + wait.explains).min(1.0);
    cause.explains_error = cause.explains_error.hypot(wait.explains_error);
    for support in wait.supported_by {
        if !cause.supported_by.contains(&support) {
            cause.supported_by.push(support);
        }
    }
    cause.also.insert(
        0,
        Also {
            pattern: wait.pattern,
            sentence: wait.sentence,
            time_ms: wait.time_ms,
            counts: wait.counts,
        },
    );
    cause.also.extend(wait.also);
    cause
}

#[cfg(test)]
mod tests {
    use crate::Findings;
    use crate::finding::find;
    use crate::testkit::Build;
    use tacho_run_folder::LedgerKind::{LockWaits, Parks, SocketWaits};

    const WAITING: &str = "shop.Stock.reserve:20 shop.Web.get:5 lib.Server.run:1";
    const SEARCHING: &str =
        "java.util.ArrayList.indexOf:9 shop.Shelf.find:31 shop.Stock.reserve:21 shop.Web.get:5";

    fn found(baseline: Build, candidate: Build) -> Findings {
        find(Some(&baseline.evidence()), &candidate.evidence(), None)
    }

    fn build(work_ms: f64, wait_ms: f64) -> Build {
        Build::of(1.0 + work_ms)
            .works("shop.Web.get:5 lib.Server.run:1", 1.0)
            .works(SEARCHING, work_ms)
            .counts(LockWaits, "shop.Stock", None, WAITING, 0.9, wait_ms)
    }

    #[test]
    fn what_the_holder_of_a_lock_does_longer_is_told_before_the_wait() {
        let found = found(build(0.5, 2.0), build(1.5, 9.0));
        let first = &found.findings[0];
        assert_eq!(first.owner, "shop.Shelf.find", "{found:#?}");
        assert_eq!(first.also[0].pattern, "lock-contention");
        assert!(
            first
                .sentence
                .contains("Meanwhile it holds a lock in shop.Stock.reserve"),
            "{}",
            first.sentence
        );
        assert_eq!(found.findings.len(), 1, "{found:#?}");
        assert!(first.explains > 0.9, "{first:#?}");
    }

    #[test]
    fn a_lock_that_is_new_around_the_same_work_is_the_reason_itself() {
        let free = Build::of(2.0)
            .works("shop.Web.get:5 lib.Server.run:1", 1.0)
            .works(SEARCHING, 1.0);
        let found = found(free, build(1.0, 9.0));
        let first = &found.findings[0];
        assert_eq!(first.pattern, "lock-contention", "{found:#?}");
        let spends = "Whoever holds it spends most of the time in shop.Shelf.find";
        assert!(first.sentence.contains(spends), "{}", first.sentence);
    }

    #[test]
    fn what_takes_hardly_longer_is_not_why_requests_wait_long() {
        let call = "java.util.concurrent.CompletableFuture.get:1 jdk.internal.net.http.HttpClientImpl.send:9 shop.Stock.reserve:21 shop.Web.get:5";
        let build = |own_ms: f64| {
            Build::of(1.0)
                .works("shop.Web.get:5 lib.Server.run:1", 1.0)
                .works("shop.Stock.reserve:20 shop.Web.get:5", own_ms)
                .counts(Parks, "Signaller", None, call, 1.0, 0.6)
        };
        // A call that was made before is made under a lock now.
        let locked = build(0.02).counts(LockWaits, "shop.Stock", None, WAITING, 0.9, 9.0);
        let found = found(build(0.001), locked);
        let first = &found.findings[0];
        assert_eq!(first.pattern, "lock-contention", "{found:#?}");
        assert!(
            first
                .sentence
                .contains("in jdk.internal.net.http.HttpClientImpl.send"),
            "{}",
            first.sentence
        );
    }

    #[test]
    fn a_call_under_a_lock_is_told_by_what_it_waits_for() {
        let call = "java.net.Socket.read:1 shop.Stock.reserve:24 shop.Web.get:5";
        let build = |call_ms: f64, wait_ms: f64| {
            build(0.5, wait_ms).counts(SocketWaits, "10.0.0.7:9000", None, call, 1.0, call_ms)
        };
        let found = found(build(0.2, 1.0), build(2.0, 12.0));
        let first = &found.findings[0];
        assert_eq!(first.pattern, "waiting", "{found:#?}");
        assert_eq!(first.line, Some(24));
        assert!(
            first.sentence.contains("Meanwhile it holds a lock"),
            "{}",
            first.sentence
        );
    }

    #[test]
    fn a_pool_whose_tasks_take_longer_is_not_too_small() {
        let parked = "java.util.concurrent.FutureTask.get:1 shop.Quotes.all:8 shop.Web.get:5";
        let task = "shop.Price.of:3 java.util.concurrent.FutureTask.run:1";
        let build = |task_ms: f64, wait_ms: f64| {
            Build::of(1.0 + task_ms)
                .works("shop.Web.get:5 lib.Server.run:1", 1.0)
                .works(task, task_ms)
                .counts(Parks, "FutureTask", None, parked, 1.0, wait_ms)
        };
        let slower = found(build(1.0, 2.0), build(4.0, 20.0));
        let first = &slower.findings[0];
        assert_eq!(first.owner, "shop.Price.of", "{slower:#?}");
        assert_eq!(first.also[0].pattern, "pool-starvation");
        // The same tasks, and a longer wait: that is the pool.
        let smaller = found(build(1.0, 2.0), build(1.0, 20.0));
        assert_eq!(smaller.findings[0].pattern, "pool-starvation");
    }
}
