//! Ledgers as tests write them.

use tacho_run_folder::{Dissection, Ledger, LedgerEntry, LedgerKind, LeftOut};

/// Names with spaces between, innermost first, and nanoseconds; without names it is the
/// collector's.
pub fn processor(requests: u64, stacks: &[(&str, f64)]) -> Ledger {
    let entries = stacks.iter().map(|(stack, cost)| LedgerEntry {
        key: if stack.is_empty() {
            "GC".into()
        } else {
            String::new()
        },
        frames: stack
            .split(' ')
            .filter(|f| !f.is_empty())
            .map(str::to_owned)
            .collect(),
        count: 1,
        cost: *cost,
        ..LedgerEntry::default()
    });
    Ledger {
        kind: LedgerKind::Processor,
        window: "processor".into(),
        requests,
        exact: false,
        entries: entries.collect(),
        threads: Default::default(),
        left_out: LeftOut::default(),
    }
}

/// A build of the package `shop`.
pub fn seen(ledgers: Vec<Ledger>) -> Dissection {
    Dissection {
        cell: "shop".into(),
        own: vec!["shop.".into()],
        ledgers,
        ..Dissection::default()
    }
}
