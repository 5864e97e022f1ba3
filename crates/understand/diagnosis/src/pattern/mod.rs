//! Why an owner costs more. Each pattern is a small rule: what it looks at, when it fires, a
//! sentence, and the fix.

mod absent_classes;
mod classes_per_request;
mod connections;
mod deoptimisation;
mod exceptions;
mod gc_pressure;
mod growth;
pub mod lock_contention;
mod logging;
mod more_calls;
pub mod oversize_allocation;
mod processor_time;
mod queries;
mod recreated_objects;
mod reflection;
mod regex;
mod remote_calls;
mod resource_look_ups;
mod service_loader;
#[cfg(test)]
mod tests;
pub mod waiting;

use crate::comparison::{Comparison, Item, Pair, Suspect, is_time};
use crate::finding::Count;
use std::collections::BTreeSet;
use std::fmt;
use tacho_figures::{ms, often, times};
use tacho_run_folder::{Dissection, LedgerEntry, LedgerKind};

/// A rule that finds one cause of a cost.
#[derive(Debug)]
pub struct Pattern {
    /// Kebab case, in reports and JSON.
    pub id: &'static str,
    /// A word for people: `classes that do not exist`.
    pub name: &'static str,
    /// What it reads: one of these has to be there of every build.
    pub needs: &'static [Need],
    /// Its place among those that explain the same time.
    pub rank: Rank,
    /// Rules that are told beside it where both fit: what it counted is why theirs fired.
    pub outranks: &'static [&'static str],
    /// What it finds costs more or less by how the classes are packed.
    pub of_packaging: bool,
    /// Fires, or does not.
    pub look: fn(&Suspect<'_, '_>) -> Option<Match>,
}

/// What a rule reads of a dissection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// Entries of this kind. A ledger without entries was looked for.
    Ledger(LedgerKind),
    /// What the costliest methods call.
    Traces,
}

/// How a rule ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rank {
    /// Of two that explain alike the first in [`PATTERNS`] is told, the other beside it.
    Special,
    /// It accounts for everything: told where no special one accounts for enough, and never beside
    /// one.
    General,
}

/// What most rules are.
const SPECIAL: Pattern = Pattern {
    id: "",
    name: "",
    needs: &[],
    rank: Rank::Special,
    outranks: &[],
    of_packaging: false,
    look: |_| None,
};

impl Pattern {
    /// Why it could not look; `None` when it could.
    pub(crate) fn could_not_look(&self, comparison: &Comparison<'_>) -> Option<String> {
        let lacks = |need: &Need| {
            let mut sides = comparison.sides().map(|(_, side)| side.evidence);
            sides.find(|evidence| !need.is_met(evidence))
        };
        let lacking: Option<Vec<_>> = self.needs.iter().map(lacks).collect();
        let cell = &lacking?.first()?.cell;
        let needs: Vec<String> = self.needs.iter().map(Need::to_string).collect();
        Some(format!("{} not observed in {cell}", needs.join(", ")))
    }
}

impl Need {
    /// It was observed.
    pub(crate) fn is_met(self, evidence: &Dissection) -> bool {
        match self {
            Self::Ledger(kind) => evidence.ledger(kind).is_some(),
            Self::Traces => !evidence.traces.is_empty() || evidence.window("trace").is_some(),
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ledger(kind) => f.write_str(&kind.to_string().replace('-', " ")),
            Self::Traces => f.write_str("calls of traced methods"),
        }
    }
}

/// The rules, the special before the general: of two that explain alike the first is told.
pub const PATTERNS: &[Pattern] = &[
    gc_pressure::PATTERN,
    absent_classes::PATTERN,
    service_loader::PATTERN,
    resource_look_ups::PATTERN,
    queries::PATTERN,
    remote_calls::PATTERN,
    logging::PATTERN,
    connections::PATTERN,
    regex::PATTERN,
    exceptions::PATTERN,
    classes_per_request::PATTERN,
    deoptimisation::PATTERN,
    reflection::PATTERN,
    growth::PATTERN,
    lock_contention::PATTERN,
    waiting::PINNED,
    waiting::SLEEP,
    waiting::POOL,
    waiting::OTHERS,
    oversize_allocation::PATTERN,
    recreated_objects::PATTERN,
    more_calls::PATTERN,
    processor_time::PATTERN,
];

/// What a rule says of an owner.
#[derive(Debug, Clone)]
pub struct Match {
    /// Time of a request that it accounts for, in milliseconds.
    pub time: Pair,
    /// How often what, per request.
    pub counts: Vec<Count>,
    /// For a manager; `{owner}` stands where the owner is named.
    pub sentence: String,
    /// What to do.
    pub fix: String,
    /// The owner's line.
    pub line: Option<u32>,
    /// The costliest stack, innermost first.
    pub stack: Vec<String>,
    /// It can be why there is a difference. What both builds do alike is advice, and not a reason.
    pub is_cause: bool,
}

/// Less than this per request is nothing that a request does: it happens now and then.
const PER_REQUEST: f64 = 0.2;

/// Place and stack of what is costliest of the items that are chosen.
fn place(
    suspect: &Suspect<'_, '_>,
    is_chosen: impl Fn(&Item<'_>) -> bool + Copy,
) -> (Option<u32>, Vec<String>) {
    let stack = suspect
        .costliest(is_chosen)
        .map(|(entry, _)| entry.frames.clone());
    (suspect.line(is_chosen), stack.unwrap_or_default())
}

/// The place of time below a frame that is chosen.
fn place_via(
    suspect: &Suspect<'_, '_>,
    is_via: impl Fn(&str) -> bool + Copy,
) -> (Option<u32>, Vec<String>) {
    place(suspect, move |item| {
        is_time(item) && item.below.iter().any(|frame| is_via(frame))
    })
}

/// What each request does below frames that are chosen, by rows of what and how often.
fn repeated_work(
    suspect: &Suspect<'_, '_>,
    rows: Vec<(String, Pair)>,
    is_via: impl Fn(&str) -> bool + Copy,
    sentence: impl FnOnce(&[Count], Pair) -> String,
    fix: &str,
) -> Option<Match> {
    let time = suspect.time_via(is_via);
    let counts = counts(rows, time)?;
    let (line, stack) = place_via(suspect, is_via);
    Some(Match {
        time,
        sentence: sentence(&counts, total(&counts)),
        fix: fix.to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
}

/// Rows as counts; nothing unless each request does it, and more often than before or at a higher
/// price.
fn counts(rows: Vec<(String, Pair)>, time: Pair) -> Option<Vec<Count>> {
    let often: f64 = rows.iter().map(|(_, pair)| pair.candidate).sum();
    let more: f64 = rows.iter().map(|(_, pair)| pair.more()).sum();
    if often < PER_REQUEST || (more < PER_REQUEST && !time.is_more()) {
        return None;
    }
    let is_more = more >= PER_REQUEST;
    let told = rows
        .into_iter()
        .filter(|(_, pair)| !is_more || pair.more() > 0.0);
    Some(told.map(|(what, times)| Count { what, times }).collect())
}

fn total(counts: &[Count]) -> Pair {
    counts
        .iter()
        .fold(Pair::default(), |sum, count| sum.plus(count.times))
}

/// Before a count that is not exact.
fn about(pair: Pair) -> &'static str {
    if pair.estimated { "about " } else { "" }
}

/// `(before: never)`, for sentences about a difference; nothing without a baseline.
fn before(suspect: &Suspect<'_, '_>, pair: Pair) -> String {
    match suspect.comparison.baseline {
        None => String::new(),
        Some(_) if pair.baseline < 0.005 => " (before: never)".to_owned(),
        Some(_) if pair.more().abs() < PER_REQUEST => {
            " (before: as often, at a lower price)".to_owned()
        }
        Some(_) => format!(" (before: {})", times(pair.baseline)),
    }
}

/// ` (before: 3 ms)`; nothing without a baseline.
fn before_ms(suspect: &Suspect<'_, '_>, time: Pair) -> String {
    match suspect.comparison.baseline {
        Some(_) => format!(" (before: {})", ms(time.baseline)),
        None => String::new(),
    }
}

/// The first names, and how many more there are.
fn names(counts: &[Count], most: usize) -> String {
    let mut text: Vec<String> = counts
        .iter()
        .take(most)
        .map(|count| count.what.clone())
        .collect();
    if counts.len() > most {
        text.push(format!("{} more", counts.len() - most));
    }
    text.join(", ")
}

fn ended_badly(entry: &LedgerEntry) -> bool {
    entry.outcome.is_some()
}

/// Any class of these packages or of these names.
fn is_in(frame: &str, prefixes: &[&str]) -> bool {
    prefixes.iter().any(|prefix| frame.starts_with(prefix))
}

/// `com.fasterxml.jackson.` of a class or a method in it: three parts, so that a library is one.
fn family(name: &str) -> &str {
    let mut dots = name.match_indices('.').map(|(place, _)| place);
    dots.nth(2).map_or(name, |place| &name[..=place])
}

fn simple(class: &str) -> &str {
    class.rsplit('.').next().unwrap_or(class)
}

/// ` Asked: the loader.` Who looks says how costly it is.
fn loaders(
    suspect: &Suspect<'_, '_>,
    kind: LedgerKind,
    is_chosen: impl Fn(&LedgerEntry) -> bool,
) -> String {
    let mut names = [BTreeSet::new(), BTreeSet::new()];
    for (is_baseline, side) in suspect.comparison.sides() {
        let mine = side.items.iter();
        let mine = mine.filter(|i| i.kind == kind && suspect.is_mine(i) && is_chosen(i.entry));
        names[usize::from(is_baseline)].extend(mine.filter_map(|i| i.entry.loader.as_deref()));
    }
    let [now, then] = names.map(|names| names.into_iter().collect::<Vec<_>>().join(", "));
    match (now.is_empty(), then.is_empty() || now == then) {
        (true, _) => String::new(),
        (false, true) => format!(" Asked: {now}."),
        (false, false) => format!(" Asked: {now} (before: {then})."),
    }
}
