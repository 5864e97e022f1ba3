//! What a request does, counted: queries, calls, exceptions, bytes. Counts have next to no noise,
//! so that they are compared where times are not told apart, too.

use crate::comparison::{Comparison, Item, Pair};
use crate::frame::shown;
use crate::thrown_away::places;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use tacho_run_folder::{Counters, Dissection, LedgerKind, Window};

/// A count that is not the same in both builds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MovedCount {
    /// What is counted, for people: `statements sent to a database`.
    pub what: String,
    /// Amount per request, in both builds.
    pub times: Pair,
    /// Method that does most of the difference, where that was seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    /// The statement, class or address with most of the difference; absent where it was not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mostly: Option<String>,
    /// Time per request that the difference takes, in milliseconds; absent where it was not seen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<f64>,
}

/// A count that moved by less of itself is the same: requests of a mix differ.
const LEAST_SHARE: f64 = 0.2;

/// Kinds of which every one is counted, what they are for people, and the least that is a
/// difference for a request.
const KINDS: [(LedgerKind, &str); 13] = [
    (LedgerKind::Queries, "statements sent to a database"),
    (LedgerKind::RemoteCalls, "calls to other services"),
    (LedgerKind::Connections, "connections opened"),
    (LedgerKind::TlsHandshakes, "TLS handshakes"),
    (LedgerKind::ThreadStarts, THREADS),
    (LedgerKind::Exceptions, "exceptions constructed"),
    (LedgerKind::LogLines, "log lines"),
    (LedgerKind::ClassLookUps, "classes looked for by name"),
    (LedgerKind::ResourceLookUps, "resources looked for"),
    (LedgerKind::Regexes, "regular expressions compiled"),
    (LedgerKind::Reflection, "members looked for by reflection"),
    (LedgerKind::ClassDefinitions, "classes defined"),
    (LedgerKind::Kept, "objects kept on the heap"),
];

const THREADS: &str = "threads started";
/// What the JVM does with code: a few of them trickle in with any service, so that only places are
/// told at which it happens more often than by chance.
const THROWN_AWAY: [(LedgerKind, &str); 2] = [
    (
        LedgerKind::Compilations,
        "compilations of methods that are compiled again and again",
    ),
    (LedgerKind::Deoptimisations, "compiled code left by a trap"),
];

/// Less often than once in five requests is now and then, not what a request does.
const LEAST_TIMES: f64 = 0.2;

/// Figures of the process in the window without an instrument: what they are, which, and the least
/// that is a difference for a request.
type OfProcess = (&'static str, fn(&Counters) -> Option<u64>, f64);
const OF_PROCESS: [OfProcess; 6] = [
    ("bytes logged", |c| c.logged_bytes, 40.0),
    (
        "bytes written to files and connections",
        |c| c.written_bytes,
        200.0,
    ),
    (
        "bytes read from files and connections",
        |c| c.read_bytes,
        200.0,
    ),
    ("calls of the kernel that write", |c| c.writes, 0.5),
    (THREADS, |c| c.threads_started, 0.02),
    ("classes loaded", |c| c.classes_loaded, 0.02),
];

/// Allocation is sampled: only a multiple of it is told.
const MUCH_MORE: f64 = 1.3;
const LEAST_BYTES: f64 = 2048.0;

/// Counts that moved, the largest first: by how many times as much.
#[must_use]
pub fn moved_counts(baseline: &Dissection, candidate: &Dissection) -> Vec<MovedCount> {
    let comparison = Comparison::of(Some(baseline), candidate);
    let mut found: Vec<MovedCount> = KINDS
        .iter()
        .filter_map(|(kind, what)| of_kind(&comparison, *kind, what))
        .collect();
    found.extend(
        THROWN_AWAY
            .iter()
            .filter_map(|of| thrown_away(&comparison, of)),
    );
    found.extend(allocated(&comparison));
    let windows = (baseline.window("plain"), candidate.window("plain"));
    if let (Some(before), Some(after)) = windows {
        let figures = OF_PROCESS.iter();
        let known: Vec<String> = found.iter().map(|count| count.what.clone()).collect();
        let figures = figures.filter(|(what, ..)| !known.iter().any(|known| known == what));
        found.extend(figures.filter_map(|figure| of_process(before, after, figure)));
        found.extend(messages(before, after));
    }
    let factor = |count: &MovedCount| {
        let Pair {
            baseline,
            candidate,
            ..
        } = count.times;
        let (less, more) = (baseline.min(candidate), baseline.max(candidate));
        // Of counts that were 0 before, the larger one comes first.
        more / less.max(0.05)
    };
    found.sort_by(|a, b| factor(b).total_cmp(&factor(a)));
    found
}

fn has_moved(times: &Pair, least: f64) -> bool {
    let more = times.more().abs();
    more >= least && more >= LEAST_SHARE * times.baseline.max(times.candidate)
}

fn of_kind(comparison: &Comparison<'_>, kind: LedgerKind, what: &str) -> Option<MovedCount> {
    // A table that was full holds not every one.
    let is_whole = comparison.sides().all(|(_, side)| {
        let ledger = side.evidence.ledger(kind);
        ledger.is_some_and(|ledger| ledger.exact && ledger.left_out.count == 0)
    });
    if !is_whole {
        return None;
    }
    let is_of = |item: &Item<'_>| item.kind == kind;
    let times = comparison.count(is_of);
    if !has_moved(&times, LEAST_TIMES) {
        return None;
    }
    let has_time = !matches!(
        kind,
        LedgerKind::Exceptions
            | LedgerKind::ClassDefinitions
            | LedgerKind::Kept
            | LedgerKind::ThreadStarts
            | LedgerKind::TlsHandshakes
    );
    let time = comparison.cost_as_seen(is_of, 1e-6).more();
    // Only allocation samples know who made an object on the heap.
    let mostly = mostly(comparison, is_of);
    Some(MovedCount {
        what: what.to_owned(),
        times,
        owner: who(comparison, is_of)
            .or_else(|| {
                let class = mostly.as_ref().filter(|_| kind == LedgerKind::Kept)?;
                let is_made = |item: &Item<'_>| {
                    item.kind == LedgerKind::Allocation && item.entry.key == *class
                };
                who(comparison, is_made)
            })
            .map(|owner| shown(&owner)),
        mostly,
        time_ms: (has_time && time > 0.0).then_some(time),
    })
}

fn thrown_away(
    comparison: &Comparison<'_>,
    (kind, what): &(LedgerKind, &str),
) -> Option<MovedCount> {
    let mut places = places(comparison);
    places.retain(|place| place.kind == *kind);
    // What is compiled anew with it of the platform is nobody's.
    let most = places.iter().find(|place| place.is_own);
    let most = most.or(places.first())?;
    let times = places.iter().map(|place| place.times);
    let times = times.fold(Pair::default(), Pair::plus);
    let ms: f64 = places.iter().map(|place| place.ms.more()).sum();
    has_moved(&times, 0.0).then(|| MovedCount {
        what: (*what).to_owned(),
        times,
        owner: most.owner.as_deref().map(shown),
        mostly: Some(match kind {
            // The method is its owner.
            LedgerKind::Compilations if most.owner.is_some() => most.key.clone(),
            _ => format!("{} at {}", most.key, most.at),
        }),
        time_ms: (ms > 0.0).then_some(ms),
    })
}

/// The owner whose own count differs most between the builds, be it an increase or a decrease.
fn who(comparison: &Comparison<'_>, is_of: impl Fn(&Item<'_>) -> bool) -> Option<String> {
    most(comparison, &is_of, |item| item.owner.clone())
}

fn mostly(comparison: &Comparison<'_>, is_of: impl Fn(&Item<'_>) -> bool) -> Option<String> {
    most(comparison, &is_of, |item| {
        let key = item.entry.key.clone();
        (!key.is_empty()).then_some(key)
    })
}

fn most(
    comparison: &Comparison<'_>,
    is_of: &impl Fn(&Item<'_>) -> bool,
    name: impl Fn(&Item<'_>) -> Option<String>,
) -> Option<String> {
    let mut by_name: BTreeMap<String, Pair> = BTreeMap::new();
    for (is_baseline, side) in comparison.sides() {
        for item in side.items.iter().filter(|item| is_of(item)) {
            if let Some(name) = name(item) {
                *by_name.entry(name).or_default().side(is_baseline) += item.count();
            }
        }
    }
    let most = by_name
        .into_iter()
        .max_by(|(_, a), (_, b)| a.more().abs().total_cmp(&b.more().abs()));
    most.map(|(name, _)| name)
}

fn allocated(comparison: &Comparison<'_>) -> Option<MovedCount> {
    let is_of = |item: &Item<'_>| item.kind == LedgerKind::Allocation;
    let times = comparison.cost_as_seen(is_of, 1.0);
    let (less, more) = (
        times.baseline.min(times.candidate),
        times.baseline.max(times.candidate),
    );
    let is_told = times.more().abs() > 3.0 * times.error;
    (is_told && more - less > LEAST_BYTES && more > MUCH_MORE * less).then(|| MovedCount {
        what: "bytes allocated".to_owned(),
        times: Pair {
            estimated: true,
            ..times
        },
        owner: by_bytes(comparison).map(|owner| shown(&owner)),
        mostly: None,
        time_ms: None,
    })
}

fn by_bytes(comparison: &Comparison<'_>) -> Option<String> {
    let suspects = comparison.suspects();
    let most = suspects
        .iter()
        .map(|suspect| (suspect.allocated().more().abs(), &suspect.owner))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    most.map(|(_, owner)| owner.clone())
}

fn of_process(
    before: &Window,
    after: &Window,
    (what, figure, least): &OfProcess,
) -> Option<MovedCount> {
    let each = |window: &Window| {
        let count = figure(window.counters.as_ref()?)?;
        Some(count as f64 / (window.requests as f64).max(1.0))
    };
    let times = Pair {
        baseline: each(before)?,
        candidate: each(after)?,
        ..Pair::default()
    };
    has_moved(&times, *least).then(|| MovedCount {
        what: (*what).to_owned(),
        times,
        owner: None,
        mostly: None,
        time_ms: None,
    })
}

/// Messages to others, whatever client sends them: the kernel counts them.
fn messages(before: &Window, after: &Window) -> Option<MovedCount> {
    let each = |window: &Window, messages: u64| messages as f64 / (window.requests as f64).max(1.0);
    let all = |window: &Window| {
        let messages = window.sent.values().map(|sent| sent.messages).sum();
        each(window, messages)
    };
    let times = Pair {
        baseline: all(before),
        candidate: all(after),
        ..Pair::default()
    };
    let more_to = |peer: &&String| {
        let of = |window: &Window| {
            let sent = window.sent.get(*peer);
            each(window, sent.map_or(0, |sent| sent.messages))
        };
        (of(after) - of(before)).abs()
    };
    let peers = before.sent.keys().chain(after.sent.keys());
    let mostly = peers.max_by(|a, b| more_to(a).total_cmp(&more_to(b)));
    has_moved(&times, LEAST_MESSAGES).then(|| MovedCount {
        what: "messages sent to other services".to_owned(),
        times,
        owner: None,
        mostly: mostly.cloned(),
        time_ms: None,
    })
}

/// For a request.
const LEAST_MESSAGES: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::Build;
    use tacho_run_folder::SentTo;

    #[test]
    fn messages_of_any_client_are_compared() {
        let seen = |messages: u64| {
            let mut seen = Build::of(1.0).evidence();
            for window in &mut seen.windows {
                let sent = SentTo {
                    messages: messages * window.requests,
                    bytes: 0,
                };
                window.sent = [("10.0.0.7:9000".to_owned(), sent)].into();
            }
            seen
        };
        let moved = moved_counts(&seen(1), &seen(21));
        assert_eq!(moved[0].what, "messages sent to other services");
        assert_eq!(moved[0].mostly.as_deref(), Some("10.0.0.7:9000"));
        assert!((moved[0].times.more() - 20.0).abs() < 1e-9);
        assert!(moved_counts(&seen(3), &seen(3)).is_empty());
    }

    fn with_counters(mut seen: Dissection, logged: u64) -> Dissection {
        for window in &mut seen.windows {
            window.counters = Some(Counters {
                logged_bytes: Some(logged * window.requests),
                ..Counters::default()
            });
        }
        seen
    }

    #[test]
    fn code_that_is_thrown_away_is_told_and_a_warm_up_is_not() {
        let compiled = |build: Build, method: &str, times| {
            build.counts(LedgerKind::Compilations, "C2", None, method, times, 0.4)
        };
        let warming = (0..300).fold(Build::of(1.0), |build, n| {
            compiled(build, &format!("shop.Late.step{n}"), 0.001)
        });
        let (steady, warming) = (Build::of(1.0).evidence(), warming.evidence());
        assert_eq!(moved_counts(&steady, &warming), []);
        let storming = compiled(Build::of(1.0), "shop.Tariff.sum", 0.2);
        let trap = "lib.Table.at:7 shop.Report.row:12";
        let key = "range_check: none";
        let kind = LedgerKind::Deoptimisations;
        let storming = storming.counts(kind, key, None, trap, 4.0, 0.0).evidence();
        let told = |before, after| {
            let moved = moved_counts(before, after).into_iter();
            let told = moved.map(|m| (m.owner.unwrap(), m.mostly.unwrap(), m.times.more()));
            told.collect::<Vec<_>>()
        };
        let names = |owner: &str, mostly: &str, more| (owner.to_owned(), mostly.to_owned(), more);
        let at = "range_check: none at lib.Table.at:7";
        let rows = told(&steady, &storming);
        assert_eq!(rows[0], names("shop.Report.row", at, 4.0));
        assert_eq!(rows[1], names("shop.Tariff.sum", "C2", 0.2));
        assert_eq!(rows.len(), 2);
        // Less is told as well.
        assert_eq!(told(&storming, &steady).len(), 2);
    }

    #[test]
    fn what_a_request_does_more_often_is_told_with_its_owner_and_what_it_does_alike_is_not() {
        let query = "java.sql.Statement.execute:1 shop.Orders.all:7";
        let build = |queries: u64| {
            let build = Build::of(1.0).counts(
                LedgerKind::Queries,
                "select 1",
                None,
                query,
                queries as f64,
                0.1,
            );
            let regex = "java.util.regex.Pattern.compile:1 shop.Text.of:3";
            build.counts(LedgerKind::Regexes, "a+", None, regex, 4.0, 0.1)
        };
        let baseline = with_counters(build(1).evidence(), 3);
        let candidate = with_counters(build(24).evidence(), 4_000);
        let moved = moved_counts(&baseline, &candidate);
        let told: Vec<&str> = moved.iter().map(|count| count.what.as_str()).collect();
        assert_eq!(told, ["bytes logged", "statements sent to a database"]);
        assert_eq!(moved[1].owner.as_deref(), Some("shop.Orders.all"));
        assert_eq!(moved[1].mostly.as_deref(), Some("select 1"));
        assert!((moved[1].times.more() - 23.0).abs() < 0.1);
        assert!(moved_counts(&baseline, &baseline).is_empty());
    }
}
