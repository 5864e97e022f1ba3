//! A heavy object is made for each request that could be made once.

use super::{Match, Need, Pattern, SPECIAL, before, family, ms, place_via, simple, times};
use crate::comparison::{Pair, Suspect, is_time};
use crate::finding::Count;
use crate::frame::aligned;
use std::collections::BTreeSet;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "recreated-objects",
    name: "heavy objects made again and again",
    needs: &[Need::Ledger(LedgerKind::Processor)],
    look,
    ..SPECIAL
};

/// Whose making is ordinary work.
const ORDINARY: [&str; 6] = [
    "java.lang.",
    "java.util.",
    "java.math.",
    "java.time.",
    "java.io.",
    "java.nio.",
];

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    by_trace(suspect).or_else(|| by_samples(suspect))
}

/// The owner was seen to make one for each request and did not before. An object that is new has to
/// fill its caches again: so everything that it and its library do then is the price.
fn by_trace(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let traced = suspect.comparison.candidate.traced(&suspect.owner)?;
    let classes: BTreeSet<String> = traced
        .callees
        .iter()
        .filter_map(|callee| Some(aligned(&callee.method).strip_suffix(".<init>")?.to_owned()))
        .filter(|class| !super::is_in(class, &ORDINARY))
        .collect();
    let (class, made, time) = classes
        .into_iter()
        .filter_map(|class| {
            let made = made(suspect, &format!("{class}.<init>"))?;
            let is_new = made.more() > super::PER_REQUEST && made.candidate > 2.0 * made.baseline;
            let family = family(&class).to_owned();
            let time = suspect.time_via(|frame| frame.starts_with(&family));
            (is_new && time.is_more()).then_some((class, made, time))
        })
        .max_by(|a, b| a.2.more().total_cmp(&b.2.more()))?;
    let family = family(&class).to_owned();
    let place = place_via(suspect, |frame| frame.starts_with(&family));
    Some(found(suspect, &class, Some(made), time, place))
}

fn by_samples(suspect: &Suspect<'_, '_>) -> Option<Match> {
    // The outermost constructor below the owner: what it makes in turn is its own affair.
    let items = suspect.comparison.candidate.items.iter();
    let classes: BTreeSet<&str> = items
        .filter(|item| suspect.is_mine(item) && is_time(item))
        .filter_map(|item| outermost_constructor(&item.below))
        .collect();
    let owner = suspect.owner.as_str();
    let (class, time) = classes
        .into_iter()
        .map(|class| {
            let name = format!("{class}.<init>");
            let time = suspect.time_via(|frame| frame == name);
            (class, time)
        })
        .filter(|(class, time)| time.is_more() && !owner.starts_with(class))
        .max_by(|a, b| a.1.more().total_cmp(&b.1.more()))?;
    let name = format!("{class}.<init>");
    let made = made(suspect, &name);
    let place = place_via(suspect, |frame| frame == name);
    Some(found(suspect, class, made, time, place))
}

fn found(
    suspect: &Suspect<'_, '_>,
    class: &str,
    made: Option<Pair>,
    time: Pair,
    (line, stack): (Option<u32>, Vec<String>),
) -> Match {
    let often = made.map_or_else(
        || "anew".to_owned(),
        |made| {
            format!(
                "{}{}{}",
                super::about(made),
                times(made.candidate),
                before(suspect, made)
            )
        },
    );
    Match {
        time,
        sentence: format!(
            "For each request {{owner}} makes {} {often}, which with what it then has to learn again takes {}.",
            simple(class),
            ms(time.candidate)
        ),
        fix: format!(
            "Make one {} and keep it (a field, a bean, a static final); if it is not safe for many threads, one per thread.",
            simple(class)
        ),
        counts: made
            .into_iter()
            .map(|times| Count {
                what: format!("new {class}"),
                times,
            })
            .collect(),
        line,
        stack,
        is_cause: suspect.comparison.baseline.is_none()
            || made.is_none_or(|made| made.more() >= super::PER_REQUEST),
    }
}

fn outermost_constructor(below: &[String]) -> Option<&str> {
    let frames = below.iter().rev().skip(1);
    let mut classes = frames.filter_map(|frame| frame.strip_suffix(".<init>"));
    classes.find(|class| !super::is_in(class, &ORDINARY))
}

/// How often, where the owner was traced.
fn made(suspect: &Suspect<'_, '_>, constructor: &str) -> Option<Pair> {
    let mut pair = Pair::default();
    let mut seen = false;
    for (is_baseline, side) in suspect.comparison.sides() {
        let Some(traced) = side.traced(&suspect.owner) else {
            continue;
        };
        let constructed = traced
            .callees
            .iter()
            .filter(|callee| aligned(&callee.method) == constructor);
        let calls: u64 = constructed.clone().map(|callee| callee.calls).sum();
        pair.estimated |= constructed.into_iter().any(|callee| callee.estimated);
        seen |= calls > 0;
        *pair.side(is_baseline) += calls as f64 / (traced.requests as f64).max(1.0);
    }
    seen.then_some(pair)
}
