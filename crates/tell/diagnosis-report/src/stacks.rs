//! Ledgers as stacks, outermost first: what flame graphs and exports are made of.

use std::collections::BTreeMap;
use tacho_diagnosis::aligned;
use tacho_run_folder::{Ledger, LedgerEntry, LedgerKind};

/// Stacks, outermost frame first, with names that survive a rebuild. The cost is in the unit of the
/// ledger.
pub type Stacks = BTreeMap<Vec<String>, f64>;

/// All stacks of a ledger. All lines of a method are one frame, so that two builds can be compared.
pub fn stacks(ledger: &Ledger) -> Stacks {
    let mut stacks = Stacks::new();
    for entry in &ledger.entries {
        let mut frames = code(entry);
        frames.extend(what(ledger.kind, &entry.key));
        add(&mut stacks, frames, entry.cost);
    }
    add(&mut stacks, vec![LEFT_OUT.to_owned()], ledger.left_out.cost);
    stacks
}

/// The frame for costs that did not fit into a bounded table.
pub const LEFT_OUT: &str = "(not told apart)";

/// The frames of an entry. Without frames, its key names a group of the JVM's own threads.
pub fn code(entry: &LedgerEntry) -> Vec<String> {
    if entry.frames.is_empty() {
        let key = entry.key.as_str();
        return vec![if key.is_empty() {
            "(no stack)".to_owned()
        } else {
            format!("({key})")
        }];
    }
    entry.frames.iter().rev().map(|f| aligned(f)).collect()
}

/// The innermost frame of a stack that ends in something other than code. It is in brackets,
/// because it is not a method.
pub fn what(kind: LedgerKind, key: &str) -> Option<String> {
    let what = match kind {
        LedgerKind::LockWaits => "lock",
        LedgerKind::Parks => "another thread",
        LedgerKind::Sleeps => return Some("(sleep)".to_owned()),
        LedgerKind::SocketWaits => "connection",
        LedgerKind::FileWaits => "file",
        LedgerKind::Allocation if !key.is_empty() => return Some(format!("({key})")),
        _ => return None,
    };
    Some(if key.is_empty() {
        format!("({what})")
    } else {
        format!("({what}: {key})")
    })
}

/// Costs come from a file. A cost that is not a positive, finite number is ignored.
pub fn add(stacks: &mut Stacks, frames: Vec<String>, cost: f64) {
    if cost > 0.0 && cost.is_finite() {
        *stacks.entry(frames).or_default() += cost;
    }
}
