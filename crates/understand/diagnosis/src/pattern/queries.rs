//! Many statements where one would do: N+1.

use super::{Match, Need, Pattern, SPECIAL, before, is_in, names, often, repeated_work, total};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
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
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} sends {} statements to the database{}: {}.",
            often(all.candidate),
            before(suspect, all),
            names(counts, 2)
        )
    };
    let fix = "Ask for all items with one statement (a join, or `where id in (...)`; with JPA a fetch join or an entity graph).";
    let found = repeated_work(suspect, rows, is_query, sentence, fix)?;
    // One statement is what a request with a database does; several more are a loop.
    (total(&found.counts).more() >= 1.0).then_some(found)
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
