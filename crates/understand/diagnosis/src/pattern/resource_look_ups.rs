//! Files of the class path are looked for, or read, for each request.

use super::service_loader::{SERVICES, is_resource_search};
use super::{Match, Need, Pattern, SPECIAL, before, is_in, names, repeated_work, times};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
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
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} looks {}{} into the class path for {}.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 3)
        )
    };
    let fix = "Read the resource once and keep its content.";
    repeated_work(suspect, rows, is_reading, sentence, fix)
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
