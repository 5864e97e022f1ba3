//! A regular expression is compiled for each request.

use super::{Match, Need, Pattern, SPECIAL, before, is_in, names, repeated_work, times};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "regex-per-call",
    name: "regular expressions compiled again and again",
    needs: &[Need::Ledger(LedgerKind::Regexes)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::Regexes, |_| true).into_iter();
    let rows = rows.map(|(expression, pair)| (format!("`{expression}`"), pair));
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} compiles a regular expression {}{}: {}.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 2)
        )
    };
    let fix = "Keep the compiled java.util.regex.Pattern in a static final field; String.matches, replaceAll and split compile anew with each call.";
    repeated_work(suspect, rows.collect(), is_compiling, sentence, fix)
}

fn is_compiling(frame: &str) -> bool {
    // A matcher's own work would remain.
    is_in(
        frame,
        &[
            "java.util.regex.Pattern.compile",
            "java.util.regex.Pattern.<init>",
        ],
    )
}
