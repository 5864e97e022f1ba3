//! Classes that do not exist are looked for again and again. A class that was not found is not
//! remembered by any loader of the platform, so that each look-up searches the whole class path; in
//! a fat jar that means every nested jar.

use super::{
    Match, Need, Pattern, SPECIAL, before, ended_badly, is_in, loaders, names, repeated_work, times,
};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use tacho_figures::{count, often};
use tacho_run_folder::{LedgerEntry, LedgerKind};

pub const PATTERN: Pattern = Pattern {
    id: "absent-classes",
    name: "classes that do not exist",
    needs: &[
        Need::Ledger(LedgerKind::ClassLookUps),
        Need::Ledger(LedgerKind::Exceptions),
    ],
    of_packaging: true,
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = match suspect.counts(LedgerKind::ClassLookUps, ended_badly) {
        // Where nobody counted the look-ups, each of them still made its exception.
        rows if rows.is_empty() => by_exception(suspect),
        rows => rows,
    };
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} looks {}{} for classes that do not exist: {}.{}{}",
            times(all.candidate),
            before(suspect, all),
            names(counts, 3),
            loaders(suspect, LedgerKind::ClassLookUps, ended_badly),
            places(suspect, all)
        )
    };
    let fix = "Look once and keep the answer (a static final field), or create what looks only once; adding the missing library ends the search early, where it is wanted.";
    repeated_work(suspect, rows, is_look_up, sentence, fix)
}

/// What a look-up in vain walks: a loader asks each place before it gives up
/// (`java.net.URLClassLoader.findClass`).
fn places(suspect: &Suspect<'_, '_>, all: Pair) -> String {
    let seen = suspect.comparison.candidate.evidence;
    seen.packed_places.map_or_else(String::new, |places| {
        format!(
            " Each asks {} places, {} libraries and the application's own classes: {} of them in all.",
            count(places),
            count(places.saturating_sub(1)),
            often(all.candidate * places as f64)
        )
    })
}

const NOT_FOUND: &str = "java.lang.ClassNotFoundException: ";

fn by_exception(suspect: &Suspect<'_, '_>) -> Vec<(String, Pair)> {
    let is_one = |entry: &LedgerEntry| entry.key.starts_with(NOT_FOUND);
    let rows = suspect.counts(LedgerKind::Exceptions, is_one);
    let named = |(key, pair): (String, Pair)| (key[NOT_FOUND.len()..].to_owned(), pair);
    rows.into_iter().map(named).collect()
}

pub fn is_look_up(frame: &str) -> bool {
    frame.ends_with(".loadClass")
        || frame.ends_with(".findClass")
        || is_in(
            frame,
            &[
                "java.lang.Class.forName",
                "java.lang.ClassNotFoundException.",
                "java.lang.NoClassDefFoundError.",
            ],
        )
        || frame.contains("ClassUtils.forName")
        || frame.contains("ClassUtils.isPresent")
}
