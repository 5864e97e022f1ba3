//! Requests that wait for a thread before any code of the application runs.

use crate::comparison::{Comparison, Item, Pair};
use crate::finding::{Count, Finding};
use crate::frame::shown;
use crate::pattern::waiting::POOL;
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
    let Reason {
        sentence,
        time_ms,
        counts,
        supported_by,
    } = in_a_queue(comparison, &owner, hidden)
        .or_else(|| with_fewer_threads(comparison, &owner, hidden))?;
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
        counts,
        fix: FIX.to_owned(),
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

/// The application's frame that most of its processor time is below of.
fn root_of_requests(comparison: &Comparison<'_>) -> Option<String> {
    let items = comparison.candidate.items.iter();
    let costliest = items
        .filter(|item| item.is_own && item.kind == LedgerKind::Processor)
        .max_by(|a, b| a.entry.cost.total_cmp(&b.entry.cost))?;
    costliest.owner.clone()
}
