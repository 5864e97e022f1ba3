//! Requests that wait for a thread before any code of the application runs.

use crate::comparison::{Comparison, Item, Pair, is_time};
use crate::finding::{Clock, Count, Finding};
use crate::frame::shown;
use crate::pattern::waiting::{PINNED, PINNED_FIX, POOL};
use crate::support::Support;
use std::collections::BTreeMap;
use tacho_figures::ms;
use tacho_run_folder::LedgerKind;

/// A request for which no processor works so long waits for its turn.
const WAITING_FOR_ITS_TURN: f64 = 0.5;
/// With so much of the processors busy everybody waits for one of them.
const ALL_BUSY: f64 = 0.8;
const FIX: &str = "Give the pool that takes requests as many threads as requests that wait at the same time, and see that none of its tasks waits for another of its tasks.";

/// Requests take longer, and neither a processor nor any wait of their own explains it.
pub fn waiting_for_a_turn(comparison: &Comparison<'_>, difference: f64) -> Option<Finding> {
    comparison.baseline.as_ref()?;
    let service = comparison.service_ms();
    let hidden = service.more() - difference.max(0.0);
    if service.more() <= 0.0
        || hidden < WAITING_FOR_ITS_TURN * service.more()
        || service.more() < 0.1 * service.baseline
        || comparison.candidate.evidence.window("plain")?.busy > ALL_BUSY
    {
        return None;
    }
    let owner = shown(&root_of_requests(comparison)?);
    if let Some(pinned) = on_pinned_carriers(comparison, hidden) {
        return Some(pinned);
    }
    let Reason {
        sentence,
        time_ms,
        counts,
        supported_by,
    } = in_a_queue(comparison, &owner, hidden)
        .or_else(|| with_fewer_threads(comparison, &owner, hidden))
        .or_else(|| on_busy_threads(comparison, &owner, hidden))?;
    Some(Finding {
        pattern: POOL.id.to_owned(),
        sentence,
        line: None,
        is_own: true,
        explains: (time_ms.more() / service.more()).min(1.0),
        explains_error: 0.0,
        supported_by,
        contradicted_by: Vec::new(),
        time_ms,
        clock: Clock::Waiting,
        counts,
        fix: FIX.to_owned(),
        spent_below: None,
        stack: Vec::new(),
        also: Vec::new(),
        differs: None,
        owner,
    })
}

struct Reason {
    sentence: String,
    time_ms: Pair,
    counts: Vec<Count>,
    supported_by: Vec<Support>,
}

/// Each wait was seen: from handing a task to a pool until one of its threads took it.
fn in_a_queue(comparison: &Comparison<'_>, owner: &str, hidden: f64) -> Option<Reason> {
    let (pool, waited, tasks) = longest_queue(comparison, |item| !item.is_own)?;
    // Tracing and counting have windows of their own: they are not as fast as the plain one, in
    // which `hidden` was seen.
    if waited.more() < WAITING_FOR_ITS_TURN * hidden {
        return None;
    }
    Some(Reason {
        sentence: format!(
            "Requests wait {} each in the queue of the thread pool {pool} before {owner} begins (before: {}).",
            ms(waited.candidate),
            ms(waited.baseline)
        ),
        time_ms: waited,
        counts: vec![Count {
            what: format!("tasks handed to {pool}"),
            times: tasks,
        }],
        // Each wait in the queue, and each task.
        supported_by: vec![Support::Waits, Support::Counts],
    })
}

/// Where no agent is let in, fewer threads are what can be seen.
fn with_fewer_threads(comparison: &Comparison<'_>, owner: &str, hidden: f64) -> Option<Reason> {
    let threads = comparison.of_sides(|side| {
        let ledger = side.evidence.ledger(LedgerKind::Processor);
        ledger.map_or(0.0, |ledger| ledger.threads.len() as f64)
    });
    if threads.candidate >= threads.baseline || threads.candidate < 1.0 {
        return None;
    }
    Some(Reason {
        sentence: format!(
            "Requests wait {} each for a thread before {owner} begins: {} threads work on them where {} did.",
            ms(hidden),
            threads.candidate,
            threads.baseline
        ),
        time_ms: Pair {
            candidate: hidden,
            ..Pair::default()
        },
        counts: vec![Count {
            what: "threads that work on requests".to_owned(),
            times: threads,
        }],
        supported_by: vec![Support::Samples],
    })
}

/// Few threads run the application's code and are never free: event loops that are blocked, or a
/// pool whose tasks take longer. Utilisation by Little's law.
fn on_busy_threads(comparison: &Comparison<'_>, owner: &str, hidden: f64) -> Option<Reason> {
    let own_ms = comparison.cost_as_seen(|item| item.is_own && is_time(item), 1e-6);
    let busy = |is_baseline: bool| -> Option<(f64, f64)> {
        let (_, side) = comparison
            .sides()
            .find(|(which, _)| *which == is_baseline)?;
        let plain = side.evidence.window("plain")?;
        let ledger = side.evidence.ledger(LedgerKind::Processor)?;
        let threads = ledger.threads.len() as f64;
        let each_ms = match is_baseline {
            true => own_ms.baseline,
            false => own_ms.candidate,
        };
        let a_second = plain.requests as f64 / plain.duration_s.max(1e-9);
        (threads >= 1.0).then(|| (threads, each_ms * 1e-3 * a_second / threads))
    };
    let (before, now) = (busy(true)?, busy(false)?);
    if now.1 < ALWAYS_BUSY || before.1 >= ALWAYS_BUSY {
        return None;
    }
    Some(Reason {
        sentence: format!(
            "Requests wait {} each for one of the {} threads that run {owner}: these are never free (before: {} of the time).",
            ms(hidden),
            now.0,
            tacho_figures::percent(before.1)
        ),
        time_ms: Pair {
            candidate: hidden,
            ..Pair::default()
        },
        counts: Vec::new(),
        supported_by: vec![Support::Samples, Support::Waits],
    })
}

/// Threads that run or wait in the application's code so much of the time have none left for
/// others.
const ALWAYS_BUSY: f64 = 0.8;

/// Virtual threads that keep their carriers while they wait: all others have to wait for one.
fn on_pinned_carriers(comparison: &Comparison<'_>, hidden: f64) -> Option<Finding> {
    let is_pinned = |item: &Item<'_>| item.kind == LedgerKind::Pinned;
    let times = comparison.count(is_pinned);
    let kept = comparison.cost_as_seen(is_pinned, 1e-6);
    if times.more() < OFTEN || kept.more() <= 0.0 {
        return None;
    }
    let items = comparison.candidate.items.iter();
    let longest = items
        .filter(|item| is_pinned(item))
        .max_by(|a, b| a.entry.cost.total_cmp(&b.entry.cost))?;
    let owner = shown(longest.owner.as_deref()?);
    let service = comparison.service_ms();
    Some(Finding {
        pattern: PINNED.id.to_owned(),
        sentence: format!(
            "In {owner} virtual threads keep their carrier for {} of each request while they wait (before: {}); the others wait {} each for a carrier.",
            ms(kept.candidate),
            ms(kept.baseline),
            ms(hidden)
        ),
        line: longest.line,
        is_own: longest.is_own,
        explains: ((hidden + kept.more()) / service.more()).min(1.0),
        explains_error: 0.0,
        supported_by: vec![Support::Waits, Support::Counts],
        contradicted_by: Vec::new(),
        time_ms: Pair {
            candidate: hidden,
            ..Pair::default()
        },
        clock: Clock::Waiting,
        counts: vec![Count {
            what: "waits that kept a carrier".to_owned(),
            times,
        }],
        fix: PINNED_FIX.to_owned(),
        spent_below: None,
        stack: longest.entry.frames.clone(),
        also: Vec::new(),
        differs: None,
        owner,
    })
}

/// For a request.
const OFTEN: f64 = 0.2;

/// The pool for which tasks wait most more than they did: its name, milliseconds and tasks per
/// request.
pub fn longest_queue(
    comparison: &Comparison<'_>,
    is_chosen: impl Fn(&Item<'_>) -> bool,
) -> Option<(String, Pair, Pair)> {
    let mut pools: BTreeMap<String, (&str, Pair, Pair)> = BTreeMap::new();
    for (is_baseline, side) in comparison.sides() {
        let queued = side.items.iter();
        for item in queued.filter(|item| item.kind == LedgerKind::Queueing && is_chosen(item)) {
            let (name, waited, tasks) = pools.entry(without_numbers(&item.entry.key)).or_default();
            if !is_baseline {
                *name = &item.entry.key;
            }
            *waited.side(is_baseline) += item.cost() * 1e-6;
            *tasks.side(is_baseline) += item.count();
        }
    }
    pools
        .into_values()
        .max_by(|(_, a, _), (_, b, _)| a.more().total_cmp(&b.more()))
        .filter(|(_, waited, _)| waited.more() > 0.0)
        .map(|(pool, waited, tasks)| (pool.to_owned(), waited, tasks))
}

/// The port that a pool is named after, and the number of the pool, differ from launch to launch.
fn without_numbers(pool: &str) -> String {
    pool.chars().filter(|c| !c.is_ascii_digit()).collect()
}

/// The frame of the application below which most of its processor time is spent.
fn root_of_requests(comparison: &Comparison<'_>) -> Option<String> {
    let items = comparison.candidate.items.iter();
    let costliest = items
        .filter(|item| item.is_own && item.kind == LedgerKind::Processor)
        .max_by(|a, b| a.entry.cost.total_cmp(&b.entry.cost))?;
    costliest.owner.clone()
}

#[cfg(test)]
mod tests {
    use crate::finding::find;
    use crate::testkit::Build;
    use tacho_run_folder::LedgerKind::{Pinned, Sleeps};

    const WORK: &str = "shop.Web.get:5 lib.Server.run:1";

    #[test]
    fn a_thread_that_keeps_its_carrier_makes_others_wait() {
        let wait = "java.lang.Thread.sleep:1 shop.Rates.load:31 shop.Web.get:5";
        let build = |pinned: f64, takes: f64| {
            Build::of(1.0)
                .works(WORK, 1.0)
                .counts(Sleeps, "", None, wait, 1.0, 5.0)
                .counts(Pinned, "", None, wait, pinned, 5.0 * pinned)
                .takes(takes, 0.1)
        };
        let found = find(
            Some(&build(0.0, 6.0).evidence()),
            &build(1.0, 60.0).evidence(),
            None,
        );
        let first = &found.findings[0];
        assert_eq!(first.pattern, "pinned-virtual-threads", "{found:#?}");
        assert_eq!(
            (first.owner.as_str(), first.line),
            ("shop.Rates.load", Some(31))
        );
        assert!(first.explains > 0.9, "{first:#?}");
    }

    #[test]
    fn a_blocked_event_loop_is_told_by_what_blocks_it() {
        let wait = "java.lang.Thread.sleep:1 shop.Rates.load:31 shop.Web.get:5";
        // Two loops; each second a hundred requests.
        let build = |sleep_ms: f64, takes: f64| {
            Build::of(1.0)
                .works(WORK, 1.0)
                .counts(Sleeps, "", None, wait, 1.0, sleep_ms)
                .threads(2)
                .takes(takes, 0.1)
        };
        let found = find(
            Some(&build(1.0, 2.0).evidence()),
            &build(20.0, 160.0).evidence(),
            None,
        );
        let first = &found.findings[0];
        assert_eq!(first.pattern, "sleeping", "{found:#?}");
        assert!(
            first.sentence.contains("Meanwhile it holds a thread"),
            "{}",
            first.sentence
        );
        assert_eq!(first.also[0].pattern, "pool-starvation");
    }
}
