//! Many calls to another service where one would do.

use super::{Match, Need, Pattern, SPECIAL, before, is_in, names, repeated_work, times, total};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "remote-calls-per-item",
    name: "calls to another service for each item",
    needs: &[Need::Ledger(LedgerKind::RemoteCalls)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::RemoteCalls, |_| true);
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} calls another service {}{}: {}.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 2)
        )
    };
    let fix = "Ask for all items in one call, or ask at the same time instead of one after another, or keep answers that do not change.";
    let found = repeated_work(suspect, rows, is_remote, sentence, fix)?;
    (total(&found.counts).more() >= 0.5).then_some(found)
}

fn is_remote(frame: &str) -> bool {
    is_in(
        frame,
        &[
            "java.net.http.",
            "jdk.internal.net.http.",
            "sun.net.www.",
            "java.net.Socket",
            "java.net.URL",
            "java.net.HttpURLConnection",
            "feign.",
            "okhttp3.",
            "org.apache.http",
            "org.apache.hc.",
        ],
    )
}
