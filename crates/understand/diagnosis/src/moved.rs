//! Work that has another owner than before: a method that was divided, renamed or laid into another
//! class. What an owner that is gone spent in a callee is what an owner that is new spends there:
//! only what is more than that is a difference.

use crate::comparison::{Comparison, is_time};
use std::collections::{BTreeMap, BTreeSet};

/// An owner with less than this share of its cost in the other build is gone, or new.
const LEFT_OVER: f64 = 0.2;
/// An owner that does this share of what one did that is not there any more is that one with
/// another name.
const MOST: f64 = 0.5;

/// Milliseconds per request by what is called directly, and by the owner's own work (an empty
/// name).
type Profile = BTreeMap<String, f64>;

/// What owners that are new have taken over, in milliseconds per request.
pub fn moved(comparison: &Comparison<'_>) -> BTreeMap<String, f64> {
    let (Some(baseline), candidate) = (profiles(comparison, true), profiles(comparison, false))
    else {
        return BTreeMap::new();
    };
    let candidate = candidate.unwrap_or_default();
    let mut gone = without_the_others(&baseline, &candidate);
    let new = without_the_others(&candidate, &baseline);
    let mut pairs: Vec<(f64, &String, String)> = new
        .iter()
        .flat_map(|(owner, profile)| {
            gone.iter().map(move |(earlier, lost)| {
                (
                    in_common(owner, profile, earlier, lost),
                    owner,
                    earlier.clone(),
                )
            })
        })
        .filter(|(ms, ..)| *ms > 0.0)
        .collect();
    // Pairs that have most in common come first.
    pairs.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1, &a.2).cmp(&(b.1, &b.2)))
    });
    let mut left = new.clone();
    let mut taken_over: BTreeMap<String, f64> = BTreeMap::new();
    for (_, owner, earlier) in pairs {
        let (Some(profile), Some(lost)) = (left.get_mut(owner), gone.get_mut(&earlier)) else {
            continue;
        };
        let is_family = are_family(owner, &earlier);
        for (callee, ms) in profile.iter_mut() {
            let Some(was) = lost
                .get_mut(callee)
                .filter(|_| is_comparable(callee, is_family))
            else {
                continue;
            };
            let both = ms.min(*was);
            *ms -= both;
            *was -= both;
            *taken_over.entry(owner.clone()).or_default() += both;
        }
    }
    taken_over
}

/// Owners that have another name than before, with that name: what each did so often, or allocated,
/// was done so often before. Neither of the two is in the other build at all.
pub fn renamed(comparison: &Comparison<'_>) -> BTreeMap<String, String> {
    let both = profiles(comparison, true).zip(profiles(comparison, false));
    let Some((before, after)) = both else {
        return BTreeMap::new();
    };
    let (older, newer) = (owners(comparison, true), owners(comparison, false));
    let mut pairs: Vec<(f64, &String, &String)> = Vec::new();
    for (owner, profile) in after.iter().filter(|(owner, _)| !older.contains(*owner)) {
        for (earlier, lost) in before.iter().filter(|(owner, _)| !newer.contains(*owner)) {
            let ms = in_common(owner, profile, earlier, lost);
            if ms > 0.0 && ms >= MOST * lost.values().sum::<f64>() {
                pairs.push((ms, owner, earlier));
            }
        }
    }
    pairs.sort_by(|a, b| {
        b.0.total_cmp(&a.0)
            .then_with(|| (a.1, a.2).cmp(&(b.1, b.2)))
    });
    let mut taken: BTreeSet<&String> = BTreeSet::new();
    let mut renamed: BTreeMap<String, String> = BTreeMap::new();
    for (_, owner, earlier) in pairs {
        if !renamed.contains_key(owner) && taken.insert(earlier) {
            renamed.insert(owner.clone(), earlier.clone());
        }
    }
    renamed
}

/// Everybody who has a cost of any kind in one of the builds.
fn owners(comparison: &Comparison<'_>, of_baseline: bool) -> BTreeSet<String> {
    let sides = comparison
        .sides()
        .filter(|(is_baseline, _)| *is_baseline == of_baseline);
    let items = sides.flat_map(|(_, side)| &side.items);
    items.filter_map(|item| item.owner.clone()).collect()
}

/// Owners of the application on one side.
fn profiles(comparison: &Comparison<'_>, of_baseline: bool) -> Option<BTreeMap<String, Profile>> {
    let (_, side) = comparison
        .sides()
        .find(|(is_baseline, _)| *is_baseline == of_baseline)?;
    let mut profiles: BTreeMap<String, Profile> = BTreeMap::new();
    for item in side
        .items
        .iter()
        .filter(|item| item.is_own && is_time(item))
    {
        let Some(owner) = &item.owner else { continue };
        let callee = match item.below.as_slice() {
            [.., callee, _] => callee.clone(),
            _ => String::new(),
        };
        *profiles
            .entry(owner.clone())
            .or_default()
            .entry(callee)
            .or_default() += comparison.ms(item);
    }
    Some(profiles)
}

/// The owners that the other build does not have, or hardly uses.
fn without_the_others(
    these: &BTreeMap<String, Profile>,
    others: &BTreeMap<String, Profile>,
) -> BTreeMap<String, Profile> {
    let sum = |profile: Option<&Profile>| profile.map_or(0.0, |profile| profile.values().sum());
    let is_alone =
        |owner: &String, profile: &Profile| sum(others.get(owner)) < LEFT_OVER * sum(Some(profile));
    let alone = these
        .iter()
        .filter(|(owner, profile)| is_alone(owner, profile));
    alone
        .map(|(owner, profile)| (owner.clone(), profile.clone()))
        .collect()
}

fn in_common(owner: &str, profile: &Profile, earlier: &str, lost: &Profile) -> f64 {
    let is_family = are_family(owner, earlier);
    let both = profile
        .iter()
        .filter(|(callee, _)| is_comparable(callee, is_family));
    both.map(|(callee, ms)| lost.get(callee).map_or(0.0, |was| was.min(*ms)))
        .sum()
}

/// Calls of the same method are the same work; an owner's own work is, where both are parts of one
/// class.
fn is_comparable(callee: &str, is_family: bool) -> bool {
    is_family || !callee.is_empty()
}

/// Methods of one class, with what is nested in it.
fn are_family(one: &str, other: &str) -> bool {
    outermost_class(one) == outermost_class(other)
}

fn outermost_class(owner: &str) -> &str {
    let class = owner.rsplit_once('.').map_or(owner, |(class, _)| class);
    class.split_once('$').map_or(class, |(outer, _)| outer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find;
    use crate::testkit::Build;

    const FORMAT: &str = "java.lang.String.format:1";

    fn page(owner: &str, ms: f64) -> Build {
        Build::of(1.0 + ms).works(&format!("{FORMAT} shop.{owner}:9"), ms)
    }

    #[test]
    fn what_was_taken_over_is_no_difference() {
        let baseline = page("FeePage.of", 0.5).evidence();
        let candidate = page("FeeTable.row", 0.6)
            .works("shop.FeeTable.row:2", 0.3)
            .evidence();
        let comparison = Comparison::of(Some(&baseline), &candidate);
        let moved = moved(&comparison);
        // The table's own work is not that of the page.
        assert_eq!(moved.len(), 1);
        assert!((moved["shop.FeeTable.row"] - 0.5).abs() < 1e-9, "{moved:?}");
    }

    #[test]
    fn own_work_stays_within_a_class() {
        let baseline = Build::of(2.0).works("shop.Page.of:1", 1.0).evidence();
        let candidate = Build::of(2.0).works("shop.Page$Row.text:1", 1.0).evidence();
        let comparison = Comparison::of(Some(&baseline), &candidate);
        assert!((moved(&comparison)["shop.Page$Row.text"] - 1.0).abs() < 1e-9);
        let candidate = Build::of(2.0).works("shop.Other.text:1", 1.0).evidence();
        assert!(moved(&Comparison::of(Some(&baseline), &candidate)).is_empty());
    }

    #[test]
    fn who_is_in_both_builds_has_taken_over_nothing() {
        let baseline = page("Page.of", 0.5)
            .works("shop.Rows.text:1", 0.5)
            .evidence();
        let candidate = page("Rows.text", 0.6)
            .works("shop.Rows.text:1", 0.5)
            .evidence();
        assert!(moved(&Comparison::of(Some(&baseline), &candidate)).is_empty());
        assert!(moved(&Comparison::of(None, &candidate)).is_empty());
    }

    #[test]
    fn a_refactoring_does_not_hide_the_cause() {
        let scan = "java.util.ServiceLoader.load:1 shop.Methods.load:7";
        let format = |owner| format!("{FORMAT} shop.{owner}:9");
        let baseline = Build::of(1.0).works(&format("FeePage.of"), 0.5).evidence();
        let candidate = Build::of(1.4).works(&format("FeePage.row"), 0.5);
        let candidate = candidate.works(scan, 0.4).evidence();
        let found = find(Some(&baseline), &candidate, None);
        let owners: Vec<&str> = found.findings.iter().map(|f| f.owner.as_str()).collect();
        assert_eq!(owners, ["shop.Methods.load"]);
    }

    #[test]
    fn what_a_renamed_method_does_as_often_as_before_is_no_news() {
        use tacho_run_folder::LedgerKind::Regexes;
        let megabytes = 4.0 * 1024.0 * 1024.0;
        let build = |owner: &str, own_ms: f64| {
            let text = format!("java.util.regex.Pattern.compile:1 shop.{owner}:7");
            let copy = format!("java.util.Arrays.copyOf:1 shop.{owner}:8");
            Build::of(2.0 + own_ms)
                .works("shop.Web.get:5 lib.Server.run:1", 1.0)
                .works(&text, 1.0)
                .works(&format!("shop.{owner}:9"), own_ms)
                .counts(Regexes, "a+", None, &text, 12.0, 1.0)
                .allocates("byte[]", &copy, megabytes)
                .evidence()
        };
        let found = find(
            Some(&build("Text.clean", 0.1)),
            &build("Text.normal", 0.7),
            None,
        );
        let first = &found.findings[0];
        assert_eq!(first.pattern, "processor-time", "{found:#?}");
        assert_eq!(first.also, [], "{found:#?}");
        // And where nothing but the name differs, nothing is told beside the cause.
        let slower = |owner: &str, ms: f64| {
            let mut seen = build(owner, 0.1);
            let cause = Build::of(ms).works("shop.Slow.one:3", ms).evidence();
            seen.windows.iter_mut().for_each(|w| w.processor_s += ms);
            for ledger in &mut seen.ledgers {
                let of_kind = cause.ledger(ledger.kind).into_iter();
                ledger
                    .entries
                    .extend(of_kind.flat_map(|l| l.entries.clone()));
            }
            seen
        };
        let found = find(
            Some(&slower("Text.clean", 0.0)),
            &slower("Text.normal", 0.5),
            None,
        );
        let owners: Vec<&str> = found.findings.iter().map(|f| f.owner.as_str()).collect();
        assert_eq!(owners, ["shop.Slow.one"], "{found:#?}");
    }
}
