//! Each request costs more than the one before: something is looked through that grows.

use super::{Match, Need, Pattern, SPECIAL, ms, place};
use crate::comparison::{Item, Pair, Suspect};
use crate::finding::Count;
use std::collections::BTreeMap;
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "growing-cost",
    name: "cost that grows with the requests served",
    needs: &[Need::Ledger(LedgerKind::Kept)],
    look,
    ..SPECIAL
};

/// Bytes a request: an object's header (Compact Object Headers, JEP 519, have eight).
const LEAST_KEPT: f64 = 8.0;
/// An owner with at least this share of the difference is the one that grows.
const MOST: f64 = 0.5;

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let growth = suspect.comparison.growth()?;
    // What is looked through has to be somewhere.
    let is_kept = |item: &Item<'_>| item.kind == LedgerKind::Kept;
    if suspect.comparison.cost_as_seen(is_kept, 1.0).more() < LEAST_KEPT {
        return None;
    }
    let work = |item: &Item<'_>| item.kind == LedgerKind::Processor;
    let time = suspect.with_what_moved(suspect.time_of(LedgerKind::Processor));
    let all = suspect.comparison.processor_ms().more();
    if !suspect.is_own || !time.is_more() || time.more() < MOST * all {
        return None;
    }
    let kept = kept(suspect);
    let with = kept.as_ref().map_or_else(String::new, |(class, times)| {
        format!(
            " Each request leaves {} {class} behind.",
            super::often(times.candidate)
        )
    });
    let (line, stack) = place(suspect, work);
    let before = match suspect.comparison.baseline {
        None => String::new(),
        Some(_) => format!(
            " (before: from {} to {})",
            ms(growth.first.baseline),
            ms(growth.later.baseline)
        ),
    };
    Some(Match {
        time,
        sentence: format!(
            "{{owner}} costs more with each request that was served: {} requests later a request takes {} of processor time where it took {}{before}.{with}",
            tacho_figures::count(growth.served),
            ms(growth.later.candidate),
            ms(growth.first.candidate)
        ),
        fix: "Bound what is looked through, remove what is done with, or look it up by its key instead of searching it.".to_owned(),
        counts: kept
            .into_iter()
            .map(|(class, times)| Count {
                what: format!("{class} kept"),
                times,
            })
            .collect(),
        line,
        stack,
        is_cause: true,
    })
}

/// The class of which most is kept.
fn kept(suspect: &Suspect<'_, '_>) -> Option<(String, Pair)> {
    let mut by_class: BTreeMap<&str, Pair> = BTreeMap::new();
    for (is_baseline, side) in suspect.comparison.sides() {
        for item in side
            .items
            .iter()
            .filter(|item| item.kind == LedgerKind::Kept)
        {
            *by_class
                .entry(&item.entry.key)
                .or_default()
                .side(is_baseline) += item.count();
        }
    }
    by_class
        .into_iter()
        .filter(|(_, times)| times.more() >= super::PER_REQUEST)
        // What holds the strings and arrays says more than they do.
        .max_by(|a, b| {
            let is_own = |class: &str| suspect.comparison.own.has(class);
            let by_whose = is_own(a.0).cmp(&is_own(b.0));
            by_whose.then(a.1.more().total_cmp(&b.1.more()))
        })
        .map(|(class, times)| (class.to_owned(), times))
}

#[cfg(test)]
mod tests {
    use crate::Findings;
    use crate::finding::find;
    use crate::testkit::Build;

    const SEARCH: &str = "java.util.ArrayList.indexOf:9 shop.Shelf.find:31 shop.Web.get:5";

    fn build(ms: f64, later: f64, kept: f64) -> Build {
        Build::of(1.0 + ms)
            .works("shop.Web.get:5 lib.Server.run:1", 1.0)
            .works(SEARCH, ms)
            .later(later)
            .keeps("shop.Order", kept)
    }

    fn found(baseline: Build, candidate: Build) -> Findings {
        find(Some(&baseline.evidence()), &candidate.evidence(), None)
    }

    #[test]
    fn a_cost_that_rises_over_a_launch_is_told_as_that() {
        let found = found(build(0.2, 1.1, 0.0), build(1.2, 4.4, 1.0));
        let first = &found.findings[0];
        assert_eq!(first.pattern, "growing-cost", "{found:#?}");
        assert_eq!(first.owner, "shop.Shelf.find");
        assert!(
            first
                .sentence
                .contains("2,000 requests later a request takes 4.40 ms")
                && first
                    .sentence
                    .contains("Each request leaves 1 shop.Order behind."),
            "{}",
            first.sentence
        );
    }

    #[test]
    fn what_grows_in_both_builds_alike_or_does_not_grow_is_something_else() {
        for (before, after) in [
            // What the instruments leave behind, or what both do.
            ((0.2, 1.8), (1.2, 3.4)),
            ((0.2, 1.2), (1.2, 2.2)),
        ] {
            let found = found(build(before.0, before.1, 0.0), build(after.0, after.1, 1.0));
            assert_ne!(found.findings[0].pattern, "growing-cost", "{found:#?}");
        }
        // Nothing stays that could be looked through: the compiler has not come back yet.
        let found = found(build(0.2, 1.1, 0.0), build(1.2, 4.4, 0.0));
        assert_ne!(found.findings[0].pattern, "growing-cost", "{found:#?}");
    }
}
