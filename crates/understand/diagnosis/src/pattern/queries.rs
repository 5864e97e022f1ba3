//! Many statements where one would do: N+1.

use super::{Match, Need, Pattern, SPECIAL, before, counts, is_in, names, often, place_via, total};
use crate::comparison::Suspect;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "queries-per-item",
    name: "queries for each item",
    needs: &[Need::Ledger(LedgerKind::Queries)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::Queries, |_| true);
    let time = suspect.time_via(is_query);
    let counts = counts(rows, time, |statement| statement.to_owned())?;
    let all = total(&counts);
    // One statement is what a request with a database does; several more are a loop.
    if all.more() < 1.0 {
        return None;
    }
    let (line, stack) = place_via(suspect, is_query);
    Some(Match {
        time,
        sentence: format!(
            "For each request {{owner}} sends {} statements to the database{}: {}.",
            often(all.candidate),
            before(suspect, all),
            names(&counts, 2)
        ),
        fix: "Ask for all items with one statement (a join, or `where id in (...)`; with JPA a fetch join or an entity graph).".to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
}

fn is_query(frame: &str) -> bool {
    let method = frame.rsplit('.').next().unwrap_or_default();
    method.starts_with("execute")
        && (frame.contains("Statement")
            || frame.contains("jdbc")
            || is_in(frame, &["java.sql.", "org.h2."]))
        || is_in(
            frame,
            &[
                "org.h2.",
                "com.mysql.",
                "org.postgresql.",
                "oracle.jdbc.",
                "org.hsqldb.",
                "com.microsoft.sqlserver.",
            ],
        )
}
