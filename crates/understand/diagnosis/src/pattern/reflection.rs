//! Methods, fields and constructors are looked for by name for each request.

use super::{Match, Need, Pattern, SPECIAL, before, is_in, names, repeated_work, times};
use crate::comparison::{Pair, Suspect};
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "reflection-per-call",
    name: "reflection",
    needs: &[Need::Ledger(LedgerKind::Reflection)],
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let rows = suspect.counts(LedgerKind::Reflection, |_| true);
    let sentence = |counts: &[Count], all: Pair| {
        format!(
            "For each request {{owner}} looks {}{} for members of classes by reflection: {}.",
            times(all.candidate),
            before(suspect, all),
            names(counts, 3)
        )
    };
    let fix = "Find the Method or Field once and keep it (the look-up copies it with each call), or use a MethodHandle in a static final field.";
    repeated_work(suspect, rows, is_reflection, sentence, fix)
}

fn is_reflection(frame: &str) -> bool {
    is_in(
        frame,
        &[
            "java.lang.Class.get",
            "java.lang.Class.private",
            "java.lang.Class.search",
            "java.lang.Class.copy",
            "java.lang.reflect.",
            "jdk.internal.reflect.",
            "sun.reflect.",
        ],
    )
}
