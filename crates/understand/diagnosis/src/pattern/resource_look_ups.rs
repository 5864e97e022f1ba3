//! Files of the class path are looked for, or read, for each request.

use super::service_loader::{SERVICES, is_resource_search};
use super::{Match, Need, Pattern, SPECIAL, before, counts, is_in, names, place_via, times, total};
use crate::comparison::Suspect;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "resource-look-ups",
    name: "resources of the class path",
    needs: &[Need::Ledger(LedgerKind::ResourceLookUps)],
    of_packaging: true,
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::ResourceLookUps, |entry| {
        !entry.key.starts_with(SERVICES)
    });
    let time = suspect.time_via(is_reading);
    let counts = counts(rows, time, |name| name.to_owned())?;
    let all = total(&counts);
    let (line, stack) = place_via(suspect, is_reading);
    Some(Match {
        time,
        sentence: format!(
            "For each request {{owner}} looks {}{} into the class path for {}.",
            times(all.candidate),
            before(suspect, all),
            names(&counts, 3)
        ),
        fix: "Read the resource once and keep its content.".to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
}

/// Looking for it, opening the jar, and inflating what is found.
fn is_reading(frame: &str) -> bool {
    is_resource_search(frame)
        || is_in(
            frame,
            &[
                "java.util.zip.",
                "java.util.jar.",
                "java.net.URL.openStream",
                "sun.net.www.protocol.jar.",
                "java.util.Properties.load",
                "java.net.JarURLConnection",
            ],
        )
}
