//! Requests wait for one another at a lock.

use super::{Match, Need, Pattern, SPECIAL, ms, often, place};
use crate::comparison::Suspect;
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "lock-contention",
    name: "waiting for a lock",
    needs: &[
        Need::Ledger(LedgerKind::LockWaits),
        Need::Ledger(LedgerKind::Parks),
    ],
    look,
    ..SPECIAL
};

/// `java.util.concurrent.locks` parks instead of blocking.
pub fn is_lock(key: &str) -> bool {
    key.contains("ReentrantLock")
        || key.contains("ReadWriteLock")
        || key.contains("StampedLock")
        || key.contains("Semaphore")
}

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let is_waiting = |item: &crate::comparison::Item<'_>| {
        item.is_own
            && (item.kind == LedgerKind::LockWaits
                || (item.kind == LedgerKind::Parks && is_lock(&item.entry.key)))
    };
    let is_mine =
        |item: &crate::comparison::Item<'_>| suspect.is_or_was_mine(item) && is_waiting(item);
    let time = suspect.comparison.cost(is_mine, 1e-6);
    let seen = suspect.comparison.cost_as_seen(is_mine, 1e-6);
    if seen.more() <= 0.0 {
        return None;
    }
    let monitors = suspect.counts(LedgerKind::LockWaits, |_| true);
    let parks = suspect.counts(LedgerKind::Parks, |entry| is_lock(&entry.key));
    let counts: Vec<Count> = monitors
        .into_iter()
        .chain(parks)
        .map(|(key, times)| Count {
            what: format!("waits for a {key}"),
            times,
        })
        .collect();
    let (line, stack) = place(suspect, is_waiting);
    Some(Match {
        sentence: format!(
            "In {{owner}} requests wait {} each for a lock that another request holds ({} waits a request).",
            ms(seen.candidate),
            often(counts.iter().map(|c| c.times.candidate).sum())
        ),
        time,
        fix: "Hold the lock for less: work that touches nothing shared belongs outside it; or give each thread its own, or use a concurrent collection.".to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
}
