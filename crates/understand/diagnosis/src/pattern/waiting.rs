//! Requests stand still for another reason than a lock.

use super::{Match, Need, Pattern, SPECIAL, is_in, ms, place};
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
    of(
        suspect,
        |item| item.kind == LedgerKind::Sleeps,
        |time| {
            (
                format!("{{owner}} sleeps {time} in each request."),
                "Wait for the event itself instead of sleeping until it should have happened."
                    .to_owned(),
            )
        },
    )
}

/// A task of a pool waits for a task of a pool: with too few threads it waits for its own turn.
fn waiting_for_a_thread(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let mut found = of(
        suspect,
        |item| {
            item.kind == LedgerKind::Parks
                && item.below.iter().any(|frame| {
                    is_in(
                        frame,
                        &[
                            "java.util.concurrent.FutureTask.",
                            "java.util.concurrent.CompletableFuture.",
                            "java.util.concurrent.ForkJoinTask.",
                            "java.util.concurrent.CountDownLatch.",
                            "java.util.concurrent.AbstractExecutorService.",
                        ],
                    )
                })
                && !item
                    .below
                    .iter()
                    .any(|frame| is_in(frame, &["java.net.http.", "jdk.internal.net.http."]))
        },
        |time| {
            (
                format!("In {{owner}} each request waits {time} for work that it has handed to another thread."),
                "Give that work a pool of its own that is large enough, do it in the request's own thread, or do not wait for it.".to_owned(),
            )
        },
    )?;
    if let Some((pool, waited, tasks)) =
        longest_queue(suspect.comparison, |item| suspect.is_mine(item))
    {
        found.sentence.push_str(&format!(
            " In the queue of the thread pool {pool} its tasks wait {} of a request{}.",
            ms(waited.candidate),
            if suspect.comparison.baseline.is_some() {
                format!(" (before: {})", ms(waited.baseline))
            } else {
                String::new()
            }
        ));
        found.counts.push(Count {
            what: format!("tasks handed to {pool}"),
            times: tasks,
        });
    }
    Some(found)
}

fn waiting(suspect: &Suspect<'_, '_>) -> Option<Match> {
    of(
        suspect,
        |item| {
            matches!(
                item.kind,
                LedgerKind::SocketWaits | LedgerKind::FileWaits | LedgerKind::Parks
            )
        },
        |time| {
            (
                format!("In {{owner}} each request waits {time} for a file, a connection or another thread."),
                "Look at who is waited for: make it answer sooner, ask it less often, or ask it beforehand.".to_owned(),
            )
        },
    )
}

fn of(
    suspect: &Suspect<'_, '_>,
    is_chosen: impl Fn(&Item<'_>) -> bool + Copy,
    words: impl Fn(String) -> (String, String),
) -> Option<Match> {
    let is_mine = |item: &Item<'_>| item.is_own && suspect.is_mine(item) && is_chosen(item);
    let time = suspect.comparison.cost(is_mine, 1e-6);
    let seen = suspect.comparison.cost_as_seen(is_mine, 1e-6);
    if seen.more() <= 0.0 {
        return None;
    }
    let times = suspect.comparison.count(is_mine);
    let (line, stack) = place(suspect, is_chosen);
    let (sentence, fix) = words(ms(seen.candidate));
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
        sentence,
        fix,
        line,
        stack,
        is_cause: true,
    })
}
