//! Many calls to another service where one would do.

use super::{Match, Need, Pattern, SPECIAL, before, counts, is_in, names, place_via, times, total};
use crate::comparison::Suspect;
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
    let time = suspect.time_via(is_remote);
    let counts = counts(rows, time, |method| method.to_owned())?;
    let all = total(&counts);
    if all.more() < 0.5 {
        return None;
    }
    let (line, stack) = place_via(suspect, is_remote);
    Some(Match {
        time,
        sentence: format!(
            "For each request {{owner}} calls another service {}{}: {}.",
            times(all.candidate),
            before(suspect, all),
            names(&counts, 2)
        ),
        fix: "Ask for all items in one call, or ask at the same time instead of one after another, or keep answers that do not change.".to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
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
