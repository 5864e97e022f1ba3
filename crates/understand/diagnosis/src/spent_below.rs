//! Below an owner: the method in which most of its processor time goes.
//!
//! An owner says who asked for the work, and not who does it. Where one method below it holds half
//! of its time and more, that method is named, as whoever walks a profile by hand names it.

use crate::comparison::{Item, Pair, Suspect};
use crate::frame::{is_generated, of_its_method, shown};
use crate::owner::is_of_platform;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tacho_run_folder::LedgerKind;

/// A method below an owner, and how much of the owner's processor time goes in it and below it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpentBelow {
    /// As `package.Class.method`; a lambda counts as the method that it stands in.
    pub method: String,
    /// Share of the owner's processor time in the candidate, 0 to 1.
    pub share: f64,
    /// Processor time per request, in milliseconds.
    pub time_ms: Pair,
}

/// Less of the owner's time is not most of it.
const MOST: f64 = 0.5;
/// Methods that hold as much, within this share: the outer one is told, for the others only carry
/// out what it is called for.
const AS_MUCH: f64 = 0.95;
/// Of sums of the same samples in another order.
const ROUNDING: f64 = 1e-9;
/// Fewer samples do not tell a half from a third.
const LEAST_SAMPLES: u64 = 30;

/// The innermost method that holds most of the candidate's samples below an owner. A method of the
/// platform is told only where no library's holds most: nobody exchanges it. Absent where the time
/// goes in many places, or in the owner itself.
pub fn spent_below(suspect: &Suspect<'_, '_>) -> Option<SpentBelow> {
    let is_sampled = |item: &&Item<'_>| item.kind == LedgerKind::Processor && suspect.is_mine(item);
    let mine: Vec<&Item<'_>> = suspect
        .comparison
        .candidate
        .items
        .iter()
        .filter(is_sampled)
        .collect();
    let samples: u64 = mine.iter().map(|item| item.entry.count).sum();
    let all: f64 = mine.iter().map(|item| item.cost()).sum();
    if samples < LEAST_SAMPLES || all <= 0.0 {
        return None;
    }
    let held = held(&mine);
    let owner = of_its_method(&suspect.owner);
    let most = held
        .iter()
        .filter(|(method, held)| held.cost >= MOST * all && **method != owner);
    let of_libraries: Vec<_> = most.clone().filter(|(m, _)| !is_of_platform(m)).collect();
    let candidates: Vec<_> = match of_libraries.is_empty() {
        true => most.collect(),
        false => of_libraries,
    };
    let innermost = innermost(&candidates, &mine)?;
    let holds_as_much =
        |held: &Held| held.cost >= innermost * (1.0 - ROUNDING) && held.cost * AS_MUCH <= innermost;
    let (method, held) = candidates
        .into_iter()
        .filter(|(_, held)| holds_as_much(held))
        .min_by(|(_, a), (_, b)| a.depth().total_cmp(&b.depth()))?;
    let is_in_it = |item: &Item<'_>| {
        item.kind == LedgerKind::Processor
            && suspect.is_mine(item)
            && below(item).any(|one| one == *method)
    };
    Some(SpentBelow {
        method: shown(method),
        share: held.cost / all,
        time_ms: suspect.comparison.cost_as_seen(is_in_it, 1e-6),
    })
}

/// What the innermost of these methods holds: one that passes most of its time on to another of
/// them is not. It may hold less than that other, which is called by more than one.
fn innermost(candidates: &[(&String, &Held)], items: &[&Item<'_>]) -> Option<f64> {
    let names: BTreeSet<&String> = candidates.iter().map(|(method, _)| *method).collect();
    let mut passed_on: BTreeMap<String, f64> = BTreeMap::new();
    for item in items {
        let methods: Vec<String> = below(item).filter(|one| names.contains(one)).collect();
        let Some(last) = methods.last() else { continue };
        let others: BTreeSet<&String> = methods.iter().filter(|one| *one != last).collect();
        for method in others {
            *passed_on.entry(method.clone()).or_default() += item.cost();
        }
    }
    let passes_on = |method: &String| passed_on.get(method).copied().unwrap_or_default();
    let ends = candidates
        .iter()
        .filter(|(method, held)| passes_on(method) <= held.cost / 2.0);
    ends.map(|(_, held)| held.cost).min_by(f64::total_cmp)
}

/// What a method holds of an owner's time.
#[derive(Debug, Default)]
struct Held {
    cost: f64,
    /// Frames between it and the owner, times cost.
    depths: f64,
}

impl Held {
    /// Of a mean sample: frames between it and the owner.
    fn depth(&self) -> f64 {
        self.depths / self.cost
    }
}

/// Methods below the owner, the outermost first. What a lambda does, the method does that it stands
/// in, and a generated class only passes the call on.
fn below<'i>(item: &'i Item<'_>) -> impl Iterator<Item = String> + 'i {
    let (_owner, below) = item.below.split_last().unzip();
    let below = below.unwrap_or_default().iter().rev();
    below
        .filter(|frame| !is_generated(frame))
        .map(|frame| of_its_method(frame))
}

/// By method; one that calls itself holds a sample once, where it was called first.
fn held(items: &[&Item<'_>]) -> BTreeMap<String, Held> {
    let mut held: BTreeMap<String, Held> = BTreeMap::new();
    for item in items {
        let mut seen = BTreeSet::new();
        for (depth, method) in below(item).enumerate() {
            if seen.insert(method.clone()) {
                let of_method = held.entry(method).or_default();
                of_method.cost += item.cost();
                of_method.depths += item.cost() * depth as f64;
            }
        }
    }
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comparison::Comparison;
    use crate::testkit::Build;

    fn told(build: Build) -> Option<SpentBelow> {
        let seen = build.evidence();
        let comparison = Comparison::of(None, &seen);
        let suspects = comparison.suspects();
        suspects
            .iter()
            .find(|suspect| suspect.owner == "shop.Decoder.decode")
            .and_then(spent_below)
    }

    /// Two look for a class on ways of their own, and the loader that both come to does the work.
    #[test]
    fn a_method_on_many_ways_is_the_one_in_which_the_time_goes() {
        let build = Build::of(10.0)
            .works(
                "java.util.zip.ZipFile.getEntry boot.Loader.definePackage boot.Loader.loadClass json.Builder.build shop.Decoder.decode",
                3.0,
            )
            .works(
                "java.net.URL.openConnection boot.Loader.lambda$definePackage$0 boot.Loader.definePackage boot.Loader.loadClass xml.Builder.build shop.Decoder.decode",
                3.0,
            )
            .works("boot.Loader.findClass boot.Loader.loadClass xml.Builder.build shop.Decoder.decode", 1.0)
            .works("json.Reader.read shop.Decoder.decode", 1.0)
            .works("shop.Decoder.decode", 2.0);
        let told = told(build).unwrap();
        assert_eq!(told.method, "boot.Loader.definePackage");
        assert!((told.share - 0.6).abs() < 1e-9, "{told:?}");
        assert!((told.time_ms.candidate - 6.0).abs() < 1e-9, "{told:?}");
    }

    /// A caller of it holds less, since others call it as well.
    #[test]
    fn a_caller_that_passes_its_time_on_is_not_the_one_in_which_the_time_goes() {
        let build = Build::of(10.0)
            .works(
                "java.util.zip.ZipFile.getEntry boot.Loader.definePackage boot.Loader.loadClass json.Form.init shop.Decoder.decode",
                4.2,
            )
            .works("json.Form.init shop.Decoder.decode", 0.9)
            .works(
                "java.util.zip.ZipFile.getEntry boot.Loader.definePackage boot.Loader.loadClass xml.Builder.build shop.Decoder.decode",
                1.3,
            )
            .works("boot.Loader.loadClass xml.Builder.build shop.Decoder.decode", 0.6)
            .works("shop.Decoder.decode", 3.0);
        let told = told(build).unwrap();
        assert_eq!(told.method, "boot.Loader.definePackage");
        assert!((told.share - 0.55).abs() < 1e-9, "{told:?}");
    }

    /// What is called to do the work and what does it hold the same samples.
    #[test]
    fn of_methods_that_hold_as_much_the_outer_one_is_told() {
        let build = Build::of(10.0)
            .works(
                "lib.Inner.run lib.Cache.fill lib.Cache.get shop.Decoder.decode",
                6.0,
            )
            .works("lib.Cache.get shop.Decoder.decode", 0.1)
            .works("shop.Decoder.decode", 3.9);
        assert_eq!(told(build).unwrap().method, "lib.Cache.get");
    }

    #[test]
    fn a_method_of_the_platform_is_told_where_no_library_holds_most() {
        let build = Build::of(10.0)
            .works(
                "java.util.regex.Pattern.compile a.A.a shop.Decoder.decode",
                4.0,
            )
            .works(
                "java.util.regex.Pattern.compile b.B.b shop.Decoder.decode",
                4.0,
            )
            .works("shop.Decoder.decode", 2.0);
        assert_eq!(
            told(build).unwrap().method,
            "java.util.regex.Pattern.compile"
        );
    }

    /// As a loader defines a package: the work is in a lambda that a privileged call runs.
    #[test]
    fn what_a_lambda_does_is_done_by_its_method() {
        let build = Build::of(10.0)
            .works(
                "boot.Loader.lambda$definePackage$0:9 boot.Loader$$Lambda$7.run java.security.AccessController.doPrivileged boot.Loader.definePackage boot.Loader.loadClass shop.Decoder.decode",
                5.6,
            )
            .works("boot.Loader.definePackage boot.Loader.loadClass shop.Decoder.decode", 0.4)
            .works("boot.Loader.findClass boot.Loader.loadClass shop.Decoder.decode", 3.0)
            .works("shop.Decoder.decode", 1.0);
        let told = told(build).unwrap();
        assert_eq!(told.method, "boot.Loader.definePackage");
        assert!((told.share - 0.6).abs() < 1e-9, "{told:?}");
    }

    #[test]
    fn nothing_is_told_where_the_time_goes_in_many_places_or_in_the_owner() {
        let many = Build::of(10.0)
            .works("a.A.a shop.Decoder.decode", 4.0)
            .works("b.B.b shop.Decoder.decode", 4.0)
            .works("shop.Decoder.decode", 2.0);
        assert_eq!(told(many), None);
        let own = Build::of(10.0).works("shop.Decoder.decode", 10.0);
        assert_eq!(told(own), None);
    }

    #[test]
    fn a_few_samples_tell_nothing() {
        // A request of a thousand has ten samples in all.
        let few = Build::of(0.01).works("a.A.a shop.Decoder.decode", 0.01);
        assert_eq!(told(few), None);
    }

    #[test]
    fn a_method_that_calls_itself_holds_a_sample_once() {
        let build = Build::of(10.0)
            .works(
                "tree.Node.walk tree.Node.walk tree.Node.walk shop.Decoder.decode",
                6.0,
            )
            .works("shop.Decoder.decode", 4.0);
        let told = told(build).unwrap();
        assert_eq!(told.method, "tree.Node.walk");
        assert!((told.share - 0.6).abs() < 1e-9, "{told:?}");
    }
}
