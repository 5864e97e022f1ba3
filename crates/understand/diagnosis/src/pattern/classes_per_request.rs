//! Classes are made for each request: a script, a stylesheet or a proxy is compiled anew, or a
//! class loader lives no longer than a request. The JVM has to verify them, runs them in its
//! interpreter, since no method of theirs is ever called often enough to be compiled, and collects
//! them out of its metaspace.

use super::{Match, Need, Pattern, SPECIAL, before, names, place, repeated_work, times};
use crate::comparison::{Item, Pair, Suspect};
use crate::finding::Count;
use std::collections::BTreeSet;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "classes-per-request",
    name: "classes made again and again",
    needs: &[Need::Ledger(LedgerKind::ClassDefinitions)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let makers = makers(suspect);
    let is_making = |frame: &str| makers.contains(frame);
    let rows = suspect.counts(LedgerKind::ClassDefinitions, |_| true);
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} has classes made {}{}: {}. New classes are interpreted, and end in the metaspace.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 2)
        )
    };
    let fix = "Make them once and keep what made them: the compiled script or stylesheet, the factory of the proxy, the class loader.";
    let mut found = repeated_work(suspect, rows, is_making, sentence, fix)?;
    if found.line.is_none() {
        (found.line, found.stack) = place(suspect, is_definition);
    }
    Some(found)
}

fn is_definition(item: &Item<'_>) -> bool {
    item.kind == LedgerKind::ClassDefinitions
}

/// What the owner calls that has the classes made: to make their bytes is most of the work, and it
/// is done below the same call.
fn makers(suspect: &Suspect<'_, '_>) -> BTreeSet<String> {
    let sides = suspect.comparison.sides();
    let items = sides.flat_map(|(_, side)| &side.items);
    items
        .filter(|item| is_definition(item) && suspect.is_mine(item))
        .filter_map(|item| item.below.iter().rev().nth(1).cloned())
        .collect()
}
