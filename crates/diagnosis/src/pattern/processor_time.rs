//! Nothing more is known than that the code itself does more work.

use super::{Match, Pattern, place};
use crate::comparison::{Item, Suspect};
use crate::frame::shown;
use std::collections::BTreeMap;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "processor-time",
    name: "more work",
    look,
};

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let time = suspect.time_of(LedgerKind::Processor);
    if !time.is_more() {
        return None;
    }
    let is_work = |item: &Item<'_>| item.kind == LedgerKind::Processor;
    let (line, stack) = place(suspect, is_work);
    let below = dearest_callee(suspect).map_or_else(String::new, |callee| {
        format!(", most of it in {}", shown(&callee))
    });
    let before = match suspect.comparison.baseline {
        Some(_) => format!(" (before: {:.2} ms)", time.baseline),
        None => String::new(),
    };
    Some(Match {
        sentence: format!("{{owner}} uses {:.2} ms of processor time for each request{before}{below}.", time.candidate),
        time,
        fix: "Look at the line and the stack: less work in a loop, a better algorithm, or the answer of the last time.".to_owned(),
        counts: Vec::new(),
        line,
        stack,
        is_cause: true,
    })
}

/// What the owner calls, when it accounts for more than half.
fn dearest_callee(suspect: &Suspect<'_, '_>) -> Option<String> {
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
