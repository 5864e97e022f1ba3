//! A regular expression is compiled for each request.

use super::{Match, Need, Pattern, SPECIAL, before, counts, is_in, names, place_via, times, total};
use crate::comparison::Suspect;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "regex-per-call",
    name: "regular expressions compiled again and again",
    needs: &[Need::Ledger(LedgerKind::Regexes)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::Regexes, |_| true);
    let time = suspect.time_via(is_compiling);
    let counts = counts(rows, time, |expression| format!("`{expression}`"))?;
    let all = total(&counts);
    let (line, stack) = place_via(suspect, is_compiling);
    Some(Match {
        time,
        sentence: format!(
            "For each request {{owner}} compiles a regular expression {}{}: {}.",
            times(all.candidate),
            before(suspect, all),
            names(&counts, 2)
        ),
        fix: "Keep the compiled java.util.regex.Pattern in a static final field; String.matches, replaceAll and split compile anew with each call.".to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
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
