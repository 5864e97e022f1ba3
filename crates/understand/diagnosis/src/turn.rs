//! Requests that wait for a thread before any code of the application runs.

use crate::comparison::{Comparison, Item, Pair, Side, is_time};
use crate::finding::{Clock, Count, Finding};
use crate::frame::shown;
use crate::pattern::waiting::{PINNED, PINNED_FIX, POOL};
use crate::remote::{RemoteSide, RemoteTime, WIRE, remote_time};
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
    let told = difference.max(longer_elsewhere(comparison)).max(0.0);
    let hidden = service.more() - told;
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

/// What a request waits longer for other services than before, in milliseconds, by their packets;
/// nothing where those were not seen. Where no thread is blocked meanwhile, no recorder tells of
/// it.
fn longer_elsewhere(comparison: &Comparison<'_>) -> f64 {
    let older = comparison.baseline.as_ref().map(|side| side.evidence);
    let are_seen = comparison
        .sides()
        .all(|(_, side)| side.evidence.window(WIRE).is_some());
    let waits =
        |side: Option<RemoteSide>| side.map_or(0.0, |side| side.waiting_ms + side.transfer_ms);
    match remote_time(older, Some(comparison.candidate.evidence)) {
        Some(RemoteTime {
            baseline,
            candidate,
        }) if are_seen => waits(candidate) - waits(baseline),
        _ => 0.0,
    }
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
    if threads.candidate >= threads.baseline
        || threads.candidate < 1.0
        || are_virtual(comparison)
        || longest_turn_ms(comparison, threads.candidate)? < WAITING_FOR_ITS_TURN * hidden
    {
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

/// The longest that a request can wait for one of so many threads, in milliseconds. By Little's law
/// so many requests are under way at once, and none waits where each has a thread.
fn longest_turn_ms(comparison: &Comparison<'_>, threads: f64) -> Option<f64> {
    let plain = comparison.candidate.evidence.window("plain")?;
    let at_once = plain.requests as f64 * plain.mean_ms * 1e-3 / plain.duration_s.max(1e-9);
    Some(plain.mean_ms * (1.0 - threads / at_once.max(threads)))
}

/// Requests run on virtual threads in one of the builds: what is seen are the few threads that
/// carry them, or one name for all, and nobody waits for those as for the threads of a pool.
fn are_virtual(comparison: &Comparison<'_>) -> bool {
    comparison.sides().any(|(_, side)| is_mostly_virtual(side))
}

/// Most of what the application works is done on virtual threads.
fn is_mostly_virtual(side: &Side<'_>) -> bool {
    let (mut all, mut on_virtual) = (0.0, 0.0);
    for item in &side.items {
        if item.is_own && item.kind == LedgerKind::Processor {
            all += item.cost();
            let mut frames = item.entry.frames.iter();
            if frames.any(|frame| frame.starts_with("java.lang.VirtualThread.")) {
                on_virtual += item.cost();
            }
        }
    }
    on_virtual > all / 2.0
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
    if now.1 < ALWAYS_BUSY
        || now.1 > NOT_ALL_SEEN
        || before.1 > ALWAYS_BUSY - LESS_BUSY
        || are_virtual(comparison)
    {
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

/// They had so much more time before; less is chance.
const LESS_BUSY: f64 = 0.1;
/// No thread is busy for more than all of the time (windows with instruments are slower than the
/// plain one): there are more threads than those of which a sample was taken.
const NOT_ALL_SEEN: f64 = 1.5;

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
    use crate::remote::WIRE;
    use crate::testkit::Build;
    use tacho_run_folder::LedgerKind::{Pinned, Sleeps};
    use tacho_run_folder::{CallTimes, CallsTo, Spoken, Window};

    const WORK: &str = "shop.Web.get:5 lib.Server.run:1";
    const VIRTUAL: &str = "shop.Web.get:5 lib.Server.run:1 java.lang.VirtualThread.run:309";

    fn build(stack: &str, threads: usize, takes: f64) -> Build {
        let build = Build::of(1.0).works(stack, 1.0).threads(threads);
        build.takes(takes, 0.1).over(16)
    }

    /// Sixteen requests are under way at once.
    #[test]
    fn fewer_threads_are_a_reason_where_requests_have_to_wait_for_one() {
        let found = |older: Build, newer: Build| find(Some(older.seen()), newer.seen(), None);
        let starved = found(build(WORK, 16, 2.0), build(WORK, 2, 52.0));
        let first = &starved.findings[0];
        assert_eq!(first.pattern, "pool-starvation", "{starved:#?}");
        assert!(
            first
                .sentence
                .contains("2 threads work on them where 16 did")
        );
        // Nearly each has a thread: one of them waits at most for a sixteenth of the time.
        assert_eq!(
            found(build(WORK, 16, 2.0), build(WORK, 15, 52.0)).findings,
            []
        );
        // What carries virtual threads is no pool for which they wait.
        assert_eq!(
            found(build(WORK, 16, 2.0), build(VIRTUAL, 2, 52.0)).findings,
            []
        );
    }

    #[test]
    fn what_another_service_takes_longer_is_no_wait_for_a_thread() {
        let seen = |threads: usize, takes: f64, call_ms: f64| {
            let mut seen = build(WORK, threads, takes).evidence();
            let times = CallTimes {
                sending_ms: 0.0,
                waiting_ms: call_ms,
                waiting_p50_ms: call_ms,
                waiting_p99_ms: call_ms,
                receiving_ms: 0.0,
            };
            let calls = CallsTo {
                protocol: Spoken::Http1,
                exchanges: seen.windows[0].requests,
                times: Some(times),
                round_trip_ms: None,
                callee: None,
            };
            let wire = Window {
                name: WIRE.to_owned(),
                calls: [("10.0.0.7:9000".to_owned(), calls)].into(),
                ..seen.windows[0].clone()
            };
            seen.windows.push(wire);
            seen
        };
        // No thread is blocked meanwhile: four loops serve all, of which three had a sample.
        let found = find(Some(&seen(4, 2.0, 0.5)), &seen(3, 52.0, 50.5), None);
        assert_eq!(found.findings, [], "{found:#?}");
    }

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
