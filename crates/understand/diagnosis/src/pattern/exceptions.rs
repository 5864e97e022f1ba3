//! Exceptions that are made for each request, whether somebody sees them or not. Filling in the
//! stack trace costs in proportion to its depth.

use super::{
    Match, Need, Pattern, SPECIAL, before, counts, is_in, names, often, place, place_via, total,
};
use crate::comparison::{Pair, Suspect};
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "exceptions-as-control-flow",
    name: "exceptions as control flow",
    needs: &[Need::Ledger(LedgerKind::Exceptions)],
    look,
    ..SPECIAL
};

/// Absent classes have a pattern of their own.
const OF_LOOK_UPS: [&str; 2] = [
    "java.lang.ClassNotFoundException",
    "java.lang.NoClassDefFoundError",
];

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::Exceptions, |entry| {
        !is_in(&entry.key, &OF_LOOK_UPS)
    });
    let counts = counts(by_class(rows), Pair::default())?;
    let all = total(&counts);
    // The work that ends in the exception is wasted with it: everything below the frame that makes
    // it.
    let makers = makers(suspect);
    let is_waste = |frame: &str| {
        is_in(
            frame,
            &["java.lang.Throwable.", "java.lang.StackTraceElement"],
        ) || makers.iter().any(|maker| maker == frame)
            || is_of(frame, &counts)
    };
    let time = suspect.time_via(is_waste);
    let (line, stack) = match place(suspect, |item| item.kind == LedgerKind::Exceptions) {
        (line @ Some(_), stack) => (line, stack),
        _ => place_via(suspect, is_waste),
    };
    Some(Match {
        time,
        sentence: format!(
            "For each request {{owner}} makes {} exceptions{}, whether somebody sees them or not: {}.",
            often(all.candidate),
            before(suspect, all),
            names(&counts, 2)
        ),
        fix: "Test before trying (a check, an Optional, a parser that answers without throwing); where an exception has to serve, make it without a stack trace.".to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
}

/// `class: message`: messages with numbers in them would make each its own row.
fn by_class(rows: Vec<(String, Pair)>) -> Vec<(String, Pair)> {
    let mut merged: Vec<(String, Pair)> = Vec::new();
    for (key, pair) in rows {
        let class = key.split(": ").next().unwrap_or(&key);
        match merged.iter_mut().find(|(known, _)| known == class) {
            Some((_, sum)) => *sum = sum.plus(pair),
            None => merged.push((class.to_owned(), pair)),
        }
    }
    merged
}

fn is_of(frame: &str, counts: &[super::Count]) -> bool {
    counts
        .iter()
        .any(|count| frame.strip_suffix(".<init>") == Some(count.what.as_str()))
}

/// Methods of the platform between the owner and the exceptions' constructors: `Integer.parseInt`
/// was called for nothing.
fn makers(suspect: &Suspect<'_, '_>) -> Vec<String> {
    let items = &suspect.comparison.candidate.items;
    let mut makers: Vec<String> = items
        .iter()
        .filter(|item| {
            item.kind == LedgerKind::Exceptions
                && suspect.is_mine(item)
                && !is_in(&item.entry.key, &OF_LOOK_UPS)
        })
        .flat_map(|item| {
            item.below
                .iter()
                .take(item.below.len().saturating_sub(1))
                .cloned()
        })
        .collect();
    // A library may do much besides making exceptions.
    makers.retain(|frame| is_in(frame, &["java."]));
    makers.sort();
    makers.dedup();
    makers
}
