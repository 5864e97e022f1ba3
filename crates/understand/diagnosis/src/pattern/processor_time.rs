//! Nothing more is known than that the code itself does more work.

use super::more_calls::callees;
use super::{Match, Need, Pattern, Rank, SPECIAL, before, before_ms, ms, place, times};
use crate::comparison::{Item, Pair, Suspect};
use crate::finding::Count;
use crate::frame::shown;
use std::collections::BTreeMap;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "processor-time",
    name: "more work",
    needs: &[Need::Ledger(LedgerKind::Processor)],
    rank: Rank::General,
    look,
    ..SPECIAL
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let time = suspect.with_what_moved(suspect.time_of(LedgerKind::Processor));
    if !time.is_more() {
        return None;
    }
    let is_work = |item: &Item<'_>| item.kind == LedgerKind::Processor;
    let (line, stack) = place(suspect, is_work);
    let callee = costliest_callee(suspect);
    let calls = callee.as_ref().and_then(|callee| traced(suspect, callee));
    let below = match (&callee, calls) {
        (Some(callee), Some(calls)) => format!(
            ", most of it in {}, which it calls {}{}{}",
            shown(callee),
            super::about(calls),
            times(calls.candidate),
            before(suspect, calls)
        ),
        (Some(callee), None) => format!(", most of it in {}", shown(callee)),
        (None, _) => String::new(),
    };
    let counts = callee.zip(calls).map(|(callee, times)| Count {
        what: format!("calls of {}", shown(&callee)),
        times,
    });
    let earlier = before_ms(suspect, time);
    Some(Match {
        sentence: format!("{{owner}} uses {} of processor time for each request{earlier}{below}.", ms(time.candidate)),
        time,
        fix: "Look at the line and the stack: less work in a loop, a better algorithm, or the answer of the last time.".to_owned(),
        counts: counts.into_iter().collect(),
        line,
        stack,
        is_cause: true,
    })
}

/// How often the owner calls it, where that was traced in every build. A call by an interface is
/// traced by its name, `List.contains`, and sampled by that of the class.
fn traced(suspect: &Suspect<'_, '_>, callee: &str) -> Option<Pair> {
    let callees = callees(suspect);
    let method = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let mut alike = callees
        .iter()
        .filter(|(name, _)| method(name) == method(callee));
    let calls = match (callees.get(callee), alike.next(), alike.next()) {
        (Some((calls, _)), ..) | (None, Some((_, (calls, _))), None) => *calls,
        _ => return None,
    };
    (calls.candidate > 0.0).then_some(calls)
}

/// What the owner calls, when it accounts for more than half.
fn costliest_callee(suspect: &Suspect<'_, '_>) -> Option<String> {
    let mut by_callee: BTreeMap<&str, f64> = BTreeMap::new();
    let mut all = 0.0;
    for item in &suspect.comparison.candidate.items {
        if suspect.is_mine(item) && item.kind == LedgerKind::Processor {
            all += item.cost();
            if let [.., callee, _] = item.below.as_slice() {
                *by_callee.entry(callee).or_default() += item.cost();
            }
        }
    }
    let (callee, cost) = by_callee.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (cost > all / 2.0).then(|| callee.to_owned())
}
