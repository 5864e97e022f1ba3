//! Compiled code that is thrown away, or left, again and again: where that is more than chance,
//! whose code it is, and what compiling it anew costs.
//!
//! In each JVM some code is left at first: a branch that was never taken is taken, a second class
//! implements an interface. It ends: HotSpot sets no trap again at a bytecode that was hit a few
//! times (`PerBytecodeTrapLimit`), and compiles a method once for each of its levels. So what
//! counts here is the same place over and over, in a window that began when the service was warm.

use crate::collecting::{COMPILER, threads_ms};
use crate::comparison::{Comparison, Item, Pair, Suspect};
use crate::frame::{Frame, aligned, shown};
use std::collections::BTreeMap;
use tacho_run_folder::LedgerKind;

/// A difference counts as real when its probability by chance is below this. Thousands of methods
/// are tested at once, so the bound has to be far below one in that many.
const CHANCE: f64 = 1e-6;
/// A trap that less than one of twenty requests runs into costs nothing that could be felt: it
/// takes microseconds, and many threads may run into the same one before its code is gone.
const LEAST_TRAPS: f64 = 0.05;

/// One place at which it happens more often in one of the builds than chance would have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Place {
    /// Compilations or deoptimisations.
    pub kind: LedgerKind,
    /// Of the ledger.
    pub key: String,
    /// `package.Class.method`, of a trap with its line in the candidate.
    pub at: String,
    /// Whose it is; nobody's in code of the platform that is compiled by itself.
    pub owner: Option<String>,
    /// It is the application's.
    pub is_own: bool,
    /// How often, for a request.
    pub times: Pair,
    /// Time of compiling, in milliseconds a request.
    pub ms: Pair,
}

/// What of an owner's code is thrown away, or left, more often than before.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ThrownAway {
    /// Methods that are compiled again and again, the most frequent first.
    pub compiled: Vec<Place>,
    /// Traps that threads run into again and again, the most frequent first.
    pub trapped: Vec<Place>,
    /// Processor time of the compilers for it, in milliseconds a request.
    pub compiling_ms: f64,
}

/// What is thrown away by owner.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Storm {
    /// Aligned names.
    owners: BTreeMap<String, ThrownAway>,
    /// Processor time of the compilers for all of them, in milliseconds a request: it does not end.
    pub compiling_ms: f64,
}

impl Storm {
    /// Of what the candidate does more often.
    pub fn of(comparison: &Comparison<'_>) -> Self {
        let places: Vec<Place> = places(comparison)
            .into_iter()
            .filter(|place| place.times.more() > 0.0)
            .collect();
        let compilers = threads_ms(comparison, COMPILER);
        let is_compilation = |place: &&Place| place.kind == LedgerKind::Compilations;
        let owned = || places.iter().filter(|place| place.owner.is_some());
        let of_owners: f64 = owned().filter(is_compilation).map(more_ms).sum();
        let of_storm: f64 = places.iter().filter(is_compilation).map(more_ms).sum();
        let usual = Usual::of(comparison);
        let of_all = comparison.add_up(|item| usual.ms(item)).more();
        // The rest of compiling is of a JVM that is not as warm yet.
        let compiling_ms = if compilers.is_more() && of_owners > 0.0 {
            compilers.more() * of_storm / of_all.max(of_storm)
        } else {
            0.0
        };
        let mut owners: BTreeMap<String, ThrownAway> = BTreeMap::new();
        for place in owned() {
            let Some(owner) = &place.owner else { continue };
            let mine = owners.entry(owner.clone()).or_default();
            if is_compilation(&place) {
                // Code of the platform that is compiled anew with it has no owner of its own.
                mine.compiling_ms +=
                    compiling_ms * more_ms(place) / of_owners.max(f64::MIN_POSITIVE);
                mine.compiled.push(place.clone());
            } else {
                mine.trapped.push(place.clone());
            }
        }
        Self {
            owners,
            compiling_ms,
        }
    }

    /// Nothing is thrown away again and again.
    pub fn is_none(&self) -> bool {
        self.owners.is_empty()
    }

    /// Of one owner.
    pub fn of_owner(&self, owner: &str) -> Option<&ThrownAway> {
        self.owners.get(owner)
    }

    /// The owners whose code it is, for people.
    pub fn owners(&self) -> impl Iterator<Item = String> {
        self.owners.keys().map(|owner| shown(owner))
    }
}

impl Suspect<'_, '_> {
    /// What of its code is thrown away, or left, again and again.
    pub(crate) fn thrown_away(&self) -> Option<&ThrownAway> {
        self.comparison.storm.owners.get(&self.owner)
    }

    /// The application's method that called the owner there, where its compiled code is thrown away
    /// again and again: what it calls was compiled into it.
    pub(crate) fn thrown_away_caller(&self, item: &Item<'_>) -> Option<&str> {
        let above = item.entry.frames.get(item.below.len()..)?;
        let owners = &self.comparison.storm.owners;
        above.iter().take(CALLERS).find_map(|frame| {
            let (owner, code) = owners.get_key_value(&aligned(frame))?;
            (!code.compiled.is_empty()).then_some(owner.as_str())
        })
    }
}

/// Compilers take methods into others over a few calls.
const CALLERS: usize = 3;

/// How long compiling takes by compiler. It is told by the clock, and a compiler that had no
/// processor for two seconds has not worked for them.
struct Usual<'a>(BTreeMap<&'a str, f64>);

/// Larger methods take some times longer than others.
const MUCH_LONGER: f64 = 10.0;

impl<'a> Usual<'a> {
    fn of(comparison: &Comparison<'a>) -> Self {
        let mut by_key: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (_, side) in comparison.sides() {
            let items = side.items.iter();
            for item in items.filter(|item| item.kind == LedgerKind::Compilations) {
                let each = item.cost() / item.count().max(f64::MIN_POSITIVE);
                by_key.entry(&item.entry.key).or_default().push(each);
            }
        }
        let median = |mut times: Vec<f64>| {
            times.sort_by(f64::total_cmp);
            times.get(times.len() / 2).copied().unwrap_or_default()
        };
        let medians = by_key.into_iter().map(|(key, times)| (key, median(times)));
        Self(medians.collect())
    }

    /// Of an item, for a request; nothing of other kinds.
    fn ms(&self, item: &Item<'_>) -> f64 {
        if item.kind != LedgerKind::Compilations {
            return 0.0;
        }
        let usual = self.0.get(item.entry.key.as_str());
        let most = usual.map_or(f64::MAX, |ns| ns * MUCH_LONGER * item.count());
        item.cost().min(most) * 1e-6
    }
}

fn more_ms(place: &Place) -> f64 {
    place.ms.more().max(0.0)
}

/// All places at which it happens more often in one of the builds, whichever; the largest
/// difference first.
pub fn places(comparison: &Comparison<'_>) -> Vec<Place> {
    let kinds = [LedgerKind::Compilations, LedgerKind::Deoptimisations];
    let mut found: Vec<Place> = kinds
        .into_iter()
        .flat_map(|kind| of_kind(comparison, kind))
        .collect();
    found.sort_by(|a, b| {
        let larger = b.times.more().abs().total_cmp(&a.times.more().abs());
        larger.then_with(|| (&a.at, &a.key).cmp(&(&b.at, &b.key)))
    });
    found
}

/// Lines differ between builds, and a trap of the candidate has one of its own.
type Named<'a> = (&'a str, Option<&'a str>, String);

fn of_kind(comparison: &Comparison<'_>, kind: LedgerKind) -> Vec<Place> {
    let usual = Usual::of(comparison);
    let mut lines: BTreeMap<Named<'_>, BTreeMap<Option<u32>, f64>> = BTreeMap::new();
    let mut places: BTreeMap<Named<'_>, Place> = BTreeMap::new();
    for (is_baseline, side) in comparison.sides() {
        for item in side.items.iter().filter(|item| item.kind == kind) {
            let Some(frame) = item.entry.frames.first() else {
                continue;
            };
            let named = (
                item.entry.key.as_str(),
                item.owner.as_deref(),
                aligned(frame),
            );
            let place = places
                .entry(named.clone())
                .or_insert_with(|| place(item, &named));
            *place.times.side(is_baseline) += item.count();
            *place.ms.side(is_baseline) += usual.ms(item);
            if !is_baseline {
                let lines = lines.entry(named).or_default();
                *lines.entry(Frame::parse(frame).line).or_default() += item.count();
            }
        }
    }
    let requests = comparison.of_sides(|side| {
        let ledger = side.evidence.ledger(kind);
        ledger.map_or(0.0, |ledger| ledger.requests as f64)
    });
    for (named, lines) in lines {
        let most = lines.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        if let (Some(place), Some((Some(line), _))) = (places.get_mut(&named), most) {
            place.at = format!("{}:{line}", place.at);
        }
    }
    let has_moved = |place: &Place| {
        let enough = kind == LedgerKind::Compilations
            || place.times.baseline.max(place.times.candidate) >= LEAST_TRAPS;
        enough && is_no_chance(&place.times, &requests)
    };
    places.into_values().filter(has_moved).collect()
}

fn place(item: &Item<'_>, (key, owner, at): &Named<'_>) -> Place {
    Place {
        kind: item.kind,
        key: (*key).to_owned(),
        at: at.clone(),
        owner: owner.map(str::to_owned),
        is_own: item.is_own,
        times: Pair::default(),
        ms: Pair::default(),
    }
}

/// Two counts of Poisson are told apart by how they share out their sum: by chance as the windows'
/// requests do (Przyborowski and Wilenski 1940). The tail of that binomial distribution is at most
/// what Chernoff's bound says, so that no difference is told that is not there. Where nothing
/// happened before, it takes twenty times in windows that are alike.
fn is_no_chance(times: &Pair, requests: &Pair) -> bool {
    let without_baseline = requests.baseline <= 0.0;
    let windows = if without_baseline {
        (1.0, 1.0)
    } else {
        (requests.baseline, requests.candidate)
    };
    let counts = (
        times.baseline * requests.baseline,
        times.candidate * requests.candidate,
    );
    let sum = counts.0 + counts.1;
    if sum <= 0.0 {
        return false;
    }
    let expected = windows.1 / (windows.0 + windows.1);
    let share = counts.1 / sum;
    let term = |share: f64, expected: f64| {
        if share > 0.0 {
            share * (share / expected).ln()
        } else {
            0.0
        }
    };
    let divergence = term(share, expected) + term(1.0 - share, 1.0 - expected);
    sum * divergence > -CHANCE.ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Build;

    fn storm(baseline: Build, candidate: Build) -> Storm {
        let (baseline, candidate) = (baseline.evidence(), candidate.evidence());
        let comparison = Comparison::of(Some(&baseline), &candidate);
        comparison.storm.clone()
    }

    fn compiled(build: Build, method: &str, times: f64, ms: f64) -> Build {
        build.counts(LedgerKind::Compilations, "C2", None, method, times, ms)
    }

    #[test]
    fn a_few_are_chance_and_many_are_not() {
        let both = |baseline, candidate| {
            let times = Pair {
                baseline: baseline / 2000.0,
                candidate: candidate / 2000.0,
                ..Pair::default()
            };
            let requests = Pair {
                baseline: 2000.0,
                candidate: 2000.0,
                ..Pair::default()
            };
            is_no_chance(&times, &requests)
        };
        assert!(!both(0.0, 0.0));
        assert!(!both(0.0, 19.0));
        assert!(both(0.0, 20.0));
        assert!(both(20.0, 0.0));
        // As many more are chance where they are frequent anyhow.
        assert!(!both(400.0, 440.0));
        assert!(both(400.0, 700.0));
    }

    #[test]
    fn a_longer_window_has_more_of_them() {
        let requests = Pair {
            baseline: 100.0,
            candidate: 1000.0,
            ..Pair::default()
        };
        let each = |baseline, candidate| Pair {
            baseline,
            candidate,
            ..Pair::default()
        };
        assert!(!is_no_chance(&each(0.04, 0.04), &requests));
        assert!(is_no_chance(&each(0.04, 0.4), &requests));
    }

    #[test]
    fn many_methods_once_each_are_a_warm_up() {
        let warming = (0..400).fold(Build::of(1.0), |build, n| {
            compiled(build, &format!("shop.Late.step{n}"), 0.002, 0.001)
        });
        assert!(storm(Build::of(1.0), warming).is_none());
        let storming = compiled(Build::of(1.0), "shop.Late.step", 0.2, 0.3);
        assert!(!storm(Build::of(1.0), storming).is_none());
    }

    #[test]
    fn the_compilers_time_is_shared_out_among_the_owners() {
        let baseline = compiled(Build::of(1.0).jvm("JIT", 0.1), "shop.Once.was", 0.001, 0.1);
        let candidate = Build::of(2.0).jvm("JIT", 0.9);
        let candidate = compiled(candidate, "shop.Tariff.sum", 0.1, 0.6);
        let candidate = compiled(candidate, "shop.Tariff.price", 0.1, 0.2);
        // Compiled anew with them, and nobody's.
        let candidate = compiled(candidate, "java.lang.invoke.LambdaForm$MH.invoke", 0.1, 0.2);
        let storm = storm(baseline, candidate);
        assert!((storm.compiling_ms - 0.8).abs() < 1e-9, "{storm:#?}");
        let sum = &storm.owners["shop.Tariff.sum"];
        assert!((sum.compiling_ms - 0.6).abs() < 1e-9, "{storm:#?}");
        assert_eq!(storm.owners().count(), 2);
    }

    #[test]
    fn a_compiler_that_stood_still_did_not_work_meanwhile() {
        let baseline = Build::of(1.0).jvm("JIT", 0.1);
        let candidate = (0..5).fold(Build::of(2.0).jvm("JIT", 0.9), |build, n| {
            compiled(build, &format!("shop.Tariff.sum{n}"), 0.1, 0.16)
        });
        // Two of them, and two seconds.
        let candidate = compiled(candidate, "lib.Chain.filter", 0.002, 2.0);
        let storm = storm(baseline, candidate);
        assert!(storm.compiling_ms > 0.7, "{storm:#?}");
    }

    #[test]
    fn traps_of_now_and_then_are_none() {
        let trapped = |times| {
            let stack = "lib.Table.at:7 shop.Report.row:12";
            let key = "range_check: none";
            Build::of(1.0).counts(LedgerKind::Deoptimisations, key, None, stack, times, 0.0)
        };
        // Thirty threads at once.
        assert!(storm(Build::of(1.0), trapped(0.03)).is_none());
        let storm = storm(Build::of(1.0), trapped(4.0));
        let row = &storm.owners["shop.Report.row"].trapped[0];
        assert_eq!(
            (row.at.as_str(), row.times.candidate),
            ("lib.Table.at:7", 4.0)
        );
    }
}
