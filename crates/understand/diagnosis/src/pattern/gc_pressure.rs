//! The collector works more although not much more is allocated: more is kept, and what is alive is
//! looked through in each collection.

use super::{Match, Need, Pattern, SPECIAL, place};
use crate::collecting::Collecting;
use crate::comparison::{Item, Pair, Suspect};
use crate::finding::Count;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "gc-pressure",
    name: "much memory that is kept",
    needs: &[Need::Ledger(LedgerKind::Survivors)],
    look,
    ..SPECIAL
};

/// Of an owner whose objects survive.
fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let Collecting { ms, kept: true } = suspect.collecting()? else {
        return None;
    };
    let is_survivor = |item: &Item<'_>| item.kind == LedgerKind::Survivors;
    let (line, stack) = place(suspect, is_survivor);
    let costliest = suspect.costliest(is_survivor);
    let class = costliest.map_or_else(String::new, |(entry, _)| entry.key.clone());
    let samples = suspect
        .comparison
        .count(|item| is_survivor(item) && suspect.is_mine(item));
    let longer = tacho_figures::ms(ms);
    Some(Match {
        time: Pair {
            baseline: 0.0,
            candidate: ms,
            ..Pair::default()
        },
        sentence: format!(
            "The collector works {longer} longer for each request, mostly because {{owner}} keeps what it allocates ({class}): all of it is looked through again and again."
        ),
        fix: "Keep less (a bound, an expiry, what is needed instead of the whole object), or give the heap more room.".to_owned(),
        counts: vec![Count {
            what: format!("sampled {class} that stay alive"),
            times: samples,
        }],
        line,
        stack,
        is_cause: true,
    })
}
