//! Requests stand still for another reason than a lock.

use super::lock_contention::is_lock;
use super::{Match, Need, Pattern, SPECIAL, before_ms, is_in, ms, place};
use crate::comparison::{Item, Suspect};
use crate::finding::Count;
use crate::turn::longest_queue;
use tacho_run_folder::LedgerKind;

pub const SLEEP: Pattern = Pattern {
    id: "sleeping",
    name: "sleeping",
    needs: &[Need::Ledger(LedgerKind::Sleeps)],
    look: sleeping,
    ..SPECIAL
};
pub const POOL: Pattern = Pattern {
    id: "pool-starvation",
    name: "waiting for a thread",
    needs: &[Need::Ledger(LedgerKind::Parks)],
    look: waiting_for_a_thread,
    ..SPECIAL
};
pub const PINNED: Pattern = Pattern {
    id: "pinned-virtual-threads",
    name: "virtual threads that keep their carriers",
    needs: &[Need::Ledger(LedgerKind::Pinned)],
    look: pinned,
    ..SPECIAL
};
pub const PINNED_FIX: &str = "Let nothing wait within synchronized (before JDK 24, JEP 491), within native code or within a class's initialisation; use a java.util.concurrent lock.";
pub const OTHERS: Pattern = Pattern {
    id: "waiting",
    name: "waiting for somebody else",
    needs: &[
        Need::Ledger(LedgerKind::SocketWaits),
        Need::Ledger(LedgerKind::FileWaits),
        Need::Ledger(LedgerKind::Parks),
    ],
    look: waiting,
    ..SPECIAL
};

fn sleeping(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let is_sleep = |item: &Item<'_>| item.kind == LedgerKind::Sleeps;
    let sentence = |time| format!("{{owner}} sleeps {time} in each request.");
    let fix = "Wait for the event itself instead of sleeping until it should have happened.";
    of(suspect, is_sleep, sentence, fix)
}

/// Clients whose callers wait for an answer as others wait for a task: on a future, or on a latch
/// that their own threads count down. No pool of the application is too small there.
const OF_CALLS: [&str; 20] = [
    "java.net.http.",
    "jdk.internal.net.http.",
    "reactor.",
    "io.netty.",
    "io.vertx.",
    "io.grpc.",
    "okhttp3.",
    "org.asynchttpclient.",
    "org.apache.hc.",
    "org.apache.http.",
    "org.eclipse.jetty.client.",
    "software.amazon.awssdk.",
    "com.google.api.gax.",
    "com.azure.core.",
    "io.lettuce.",
    "org.redisson.",
    "com.mongodb.",
    "com.datastax.",
    "co.elastic.clients.",
    "org.apache.kafka.",
];

/// A wait for a task of a pool; one for the answer of another service looks alike, and is none.
pub fn is_for_a_thread(item: &Item<'_>) -> bool {
    const OF_POOLS: [&str; 5] = [
        "java.util.concurrent.FutureTask.",
        "java.util.concurrent.CompletableFuture.",
        "java.util.concurrent.ForkJoinTask.",
        "java.util.concurrent.CountDownLatch.",
        "java.util.concurrent.AbstractExecutorService.",
    ];
    let any = |prefixes: &[&str]| item.below.iter().any(|frame| is_in(frame, prefixes));
    item.kind == LedgerKind::Parks && any(&OF_POOLS) && !any(&OF_CALLS)
}

/// A virtual thread waits, and its carrier with it.
fn pinned(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let is_mine = |item: &Item<'_>| item.kind == LedgerKind::Pinned && suspect.is_or_was_mine(item);
    let times = suspect.comparison.count(is_mine);
    let time = suspect.comparison.cost_as_seen(is_mine, 1e-6);
    if times.more() < super::PER_REQUEST || time.more() <= 0.0 {
        return None;
    }
    let (line, stack) = place(suspect, |item| item.kind == LedgerKind::Pinned);
    Some(Match {
        time,
        sentence: format!(
            "In {{owner}} virtual threads keep their carrier for {} of each request while they wait{}.",
            ms(time.candidate),
            before_ms(suspect, time)
        ),
        fix: PINNED_FIX.to_owned(),
        counts: vec![Count {
            what: "waits that kept a carrier".to_owned(),
            times,
        }],
        line,
        stack,
        is_cause: true,
    })
}

/// A task of a pool waits for a task of a pool: with too few threads it waits for its own turn.
fn waiting_for_a_thread(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let is_chosen = |item: &Item<'_>| is_for_a_thread(item);
    let sentence = |time| {
        format!(
            "In {{owner}} each request waits {time} for work that it has handed to another thread."
        )
    };
    let fix = "Give that work a pool of its own that is large enough, do it in the request's own thread, or do not wait for it.";
    let mut found = of(suspect, is_chosen, sentence, fix)?;
    let queue = longest_queue(suspect.comparison, |item| suspect.is_mine(item));
    if let Some((pool, waited, tasks)) = queue {
        found.sentence.push_str(&format!(
            " In the queue of the thread pool {pool} its tasks wait {} of a request{}.",
            ms(waited.candidate),
            before_ms(suspect, waited)
        ));
        found.counts.push(Count {
            what: format!("tasks handed to {pool}"),
            times: tasks,
        });
    }
    Some(found)
}

fn waiting(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let is_wait = |item: &Item<'_>| {
        use LedgerKind::{FileWaits, Parks, SocketWaits};
        match item.kind {
            SocketWaits | FileWaits => true,
            // Those for a lock have a rule of their own.
            Parks => !is_lock(&item.entry.key),
            _ => false,
        }
    };
    let sentence = |time| {
        format!(
            "In {{owner}} each request waits {time} for a file, a connection or another thread."
        )
    };
    let fix = "Look at who is waited for: make it answer sooner, ask it less often, or ask it beforehand.";
    of(suspect, is_wait, sentence, fix)
}

fn of(
    suspect: &Suspect<'_, '_>,
    is_chosen: impl Fn(&Item<'_>) -> bool + Copy,
    sentence: impl Fn(String) -> String,
    fix: &str,
) -> Option<Match> {
    let is_mine = |item: &Item<'_>| item.is_own && suspect.is_or_was_mine(item) && is_chosen(item);
    let time = suspect.comparison.cost(is_mine, 1e-6);
    let seen = suspect.comparison.cost_as_seen(is_mine, 1e-6);
    if seen.more() <= 0.0 {
        return None;
    }
    let times = suspect.comparison.count(is_mine);
    let (line, stack) = place(suspect, is_chosen);
    let what = suspect
        .costliest(is_chosen)
        .map(|(entry, _)| entry.key.clone())
        .filter(|key| !key.is_empty());
    Some(Match {
        time,
        counts: vec![Count {
            what: what.map_or("waits".to_owned(), |key| format!("waits for {key}")),
            times: crate::Pair {
                error: 0.0,
                ..times
            },
        }],
        sentence: sentence(ms(seen.candidate)),
        fix: fix.to_owned(),
        line,
        stack,
        is_cause: true,
    })
}
