//! `META-INF/services` is searched in the whole class path for each request.

use super::{Match, Need, Pattern, SPECIAL, before, is_in, loaders, names, repeated_work, times};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "service-loader-scan",
    name: "scans for services",
    needs: &[Need::Ledger(LedgerKind::ResourceLookUps)],
    of_packaging: true,
    look,
    ..SPECIAL
};

pub const SERVICES: &str = "META-INF/services/";

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::ResourceLookUps, |entry| {
        entry.key.starts_with(SERVICES)
    });
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} searches the class path {}{} for implementations of a service: {}.{}",
            times(all.candidate),
            before(suspect, all),
            names(counts, 3),
            loaders(suspect, LedgerKind::ResourceLookUps, |e| e
                .key
                .starts_with(SERVICES))
        )
    };
    let fix = "Load the services once and keep what was found (ServiceLoader is not meant to be asked per request), or create the object that loads them only once.";
    repeated_work(suspect, rows, is_scan, sentence, fix)
}

fn is_scan(frame: &str) -> bool {
    is_in(frame, &["java.util.ServiceLoader"]) || is_resource_search(frame)
}

pub fn is_resource_search(frame: &str) -> bool {
    [
        ".getResource",
        ".getResources",
        ".findResource",
        ".findResources",
        ".getResourceAsStream",
    ]
    .iter()
    .any(|method| frame.ends_with(method))
}
