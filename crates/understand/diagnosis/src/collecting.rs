//! Processor time of collecting garbage, and whose it is.

use crate::comparison::{Comparison, Item, Pair, Suspect};
use crate::finding::LEAST_SHARE;
use tacho_run_folder::LedgerKind;

/// Above this multiple of the baseline's allocation, the candidate allocates much more. Below it,
/// the memory that is kept counts.
const MUCH_MORE: f64 = 1.2;
/// The entry of what collects garbage, in a ledger of processor time.
pub const COLLECTOR: &str = "GC";

/// The entry of what compiles.
pub const COMPILER: &str = "JIT";

/// Processor time of threads of the JVM itself.
pub fn threads_ms(comparison: &Comparison<'_>, group: &str) -> Pair {
    comparison.cost(
        |item| {
            item.kind == LedgerKind::Processor && item.owner.is_none() && item.entry.key == group
        },
        1e-6,
    )
}

/// A part of collecting garbage.
#[derive(Debug, Clone, Copy)]
pub struct Collecting {
    /// For a request.
    pub ms: f64,
    /// Because of what is kept, not of what is allocated.
    pub kept: bool,
}

impl Suspect<'_, '_> {
    /// The owner's part in the extra work of the collector. Where the candidate allocates much more
    /// in all, the owners that allocate more share it. Otherwise it goes to owners whose objects
    /// are kept, because these are looked through again and again.
    pub(crate) fn collecting(&self) -> Option<Collecting> {
        let collector_ms = threads_ms(self.comparison, COLLECTOR);
        if !collector_ms.is_more() {
            return None;
        }
        let is_allocation = |item: &Item<'_>| item.kind == LedgerKind::Allocation;
        let all = self.comparison.cost(is_allocation, 1.0);
        if all.is_more() && all.candidate > MUCH_MORE * all.baseline {
            let mine = self.allocated();
            let share = (mine.more() / all.more()).min(1.0);
            return mine.is_more().then(|| Collecting {
                ms: collector_ms.more() * share,
                kept: false,
            });
        }
        let is_survivor = |item: &Item<'_>| item.kind == LedgerKind::Survivors;
        let all = self
            .comparison
            .count(|item| is_survivor(item) && item.is_own);
        let mine = self
            .comparison
            .count(|item| is_survivor(item) && self.is_mine(item));
        let share = mine.more() / all.candidate.max(f64::MIN_POSITIVE);
        (self.is_own && mine.more() > 0.0 && share > LEAST_SHARE).then(|| Collecting {
            ms: collector_ms.more() * share.min(1.0),
            kept: true,
        })
    }
}
