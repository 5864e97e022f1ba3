//! Compiled code is thrown away again and again, so that the interpreter runs it until it is
//! compiled anew, or each call runs into a trap of it. HotSpot compiles for what it has seen so
//! far: classes that are loaded, branches that were taken, the targets of call sites. Whoever makes
//! that untrue again and again pays for the interpreter, for the compilers, and for stopping
//! threads.

use super::{
    Match, Need, PATTERNS, PER_REQUEST, Pattern, Rank, SPECIAL, before_ms, is_in, place, times,
};
use crate::comparison::{Item, Pair, Suspect, is_time};
use crate::finding::Count;
use crate::frame::shown;
use crate::thrown_away::{Place, ThrownAway};
use std::collections::BTreeSet;
use tacho_figures::{listed, ms, requests};
use tacho_run_folder::LedgerKind;

pub const PATTERN: Pattern = Pattern {
    id: "deoptimisation-storm",
    name: "compiled code that is thrown away",
    needs: &[
        Need::Ledger(LedgerKind::Compilations),
        Need::Ledger(LedgerKind::Deoptimisations),
    ],
    look,
    ..SPECIAL
};

/// What of the platform makes compiled code invalid, and how that is said.
const INVALIDATES: [(&[&str], &str); 3] = [
    (
        &[
            "java.lang.invoke.CallSite.setTarget",
            "java.lang.invoke.MutableCallSite.setTarget",
            "java.lang.invoke.MutableCallSite.syncAll",
            "java.lang.invoke.VolatileCallSite.setTarget",
            "java.lang.invoke.SwitchPoint.invalidateAll",
        ],
        "gives call sites another target",
    ),
    (
        &[
            "java.lang.ClassLoader.defineClass",
            "java.lang.invoke.MethodHandles$Lookup.defineClass",
            "java.lang.invoke.MethodHandles$Lookup.defineHiddenClass",
        ],
        "has classes defined",
    ),
    (
        &[
            "sun.instrument.InstrumentationImpl.retransformClasses",
            "sun.instrument.InstrumentationImpl.redefineClasses",
        ],
        "has classes redefined",
    ),
];

const FIX: &str = "See what changes again and again under the compiled code, and let it change only when it is really another: a call site that is given another handle of the same constant, a rule or script whose class is made anew though its text is the same. What changes often belongs into a field that is read.";
const FIX_OF_TRAPS: &str = "See what reaches that line: the compiler took it to happen never or seldom, and leaves its code each time. Test for it before (an index, a null, a class), so that it is a branch like others.";

fn look(suspect: &Suspect<'_, '_>) -> Option<Match> {
    match suspect.thrown_away() {
        Some(code) => of_thrown_away(suspect, code),
        None => of_who_throws_away(suspect).or_else(|| of_what_is_called(suspect)),
    }
}

/// The rule for an owner whose own code is thrown away.
fn of_thrown_away(suspect: &Suspect<'_, '_>, code: &ThrownAway) -> Option<Match> {
    let mut time = suspect.weighted_ms(is_time);
    time.candidate += code.compiling_ms;
    let sentences: Vec<String> = [
        compiled(suspect, code),
        trapped(suspect, &code.trapped),
        meanwhile(suspect),
    ]
    .into_iter()
    .flatten()
    .collect();
    let is_trap = |item: &Item<'_>| item.kind == LedgerKind::Deoptimisations;
    let mut found = match code.trapped.is_empty() {
        false => place(suspect, is_trap),
        true => (None, Vec::new()),
    };
    if found.0.is_none() {
        found = place(suspect, is_time);
    }
    let (line, stack) = found;
    Some(Match {
        time,
        sentence: sentences.join(" "),
        fix: match code.compiled.is_empty() {
            true => FIX_OF_TRAPS,
            false => FIX,
        }
        .to_owned(),
        counts: code
            .compiled
            .iter()
            .chain(&code.trapped)
            .map(count)
            .collect(),
        line,
        stack,
        is_cause: !is_effect(suspect, code),
    })
}

/// The rule for an owner that makes the code of others invalid.
fn of_who_throws_away(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let storm = &suspect.comparison.storm;
    if storm.is_none() {
        return None;
    }
    let (by, does, time) = INVALIDATES.iter().find_map(|(by, does)| {
        let is_by = |item: &Item<'_>| suspect.is_mine(item) && invalidates(item, by);
        let time = suspect.comparison.cost(is_by, 1e-6);
        time.is_more().then_some((*by, *does, time))
    })?;
    let of: Vec<String> = storm.owners().take(3).collect();
    let (line, stack) = place(suspect, |item| invalidates(item, by));
    Some(Match {
        time,
        sentence: format!(
            "{{owner}} {does}, which takes {} of each request, and the JVM throws compiled code away with it, again and again: of {}.",
            ms(time.candidate),
            listed(&of)
        ),
        fix: FIX.to_owned(),
        counts: Vec::new(),
        line,
        stack,
        is_cause: true,
    })
}

/// Time below what makes compiled code invalid.
fn invalidates(item: &Item<'_>, by: &[&str]) -> bool {
    let has = |frames: &[&str]| item.below.iter().any(|frame| is_in(frame, frames));
    is_time(item) && has(by) && !has(&BY_HANDLES)
}

/// The rule for an owner that was inlined into callers whose code is thrown away: the interpreter
/// then runs the owner too. Any other rule that explains its time gives the better reason.
fn of_what_is_called(suspect: &Suspect<'_, '_>) -> Option<Match> {
    if suspect.comparison.storm.is_none() || !suspect.is_own {
        return None;
    }
    let is_called = |item: &Item<'_>| {
        let is_mine = suspect.is_mine(item) && is_time(item);
        is_mine && suspect.thrown_away_caller(item).is_some()
    };
    let time = suspect.comparison.cost(is_called, 1e-6);
    if !time.is_more() || has_another_reason(suspect, time) {
        return None;
    }
    let items = suspect.comparison.candidate.items.iter();
    let callers = items.filter(|item| is_called(item));
    let callers: BTreeSet<&str> = callers
        .filter_map(|item| suspect.thrown_away_caller(item))
        .collect();
    let thrown = callers.iter().filter_map(|caller| {
        let code = suspect.comparison.storm.of_owner(caller)?;
        Some(code.compiled.iter().map(count))
    });
    let counts = thrown.flatten().collect();
    let callers: Vec<String> = callers.iter().map(|caller| shown(caller)).collect();
    let sentence = format!(
        "{{owner}} takes {} of each request{}: it is compiled into {}, whose compiled code is thrown away again and again, and the interpreter runs it in between.",
        ms(time.candidate),
        before_ms(suspect, time),
        listed(&callers)
    );
    let (line, stack) = place(suspect, is_called);
    let sentences = [Some(sentence), meanwhile(suspect)].into_iter().flatten();
    Some(Match {
        time,
        sentence: sentences.collect::<Vec<_>>().join(" "),
        fix: FIX.to_owned(),
        counts,
        line,
        stack,
        is_cause: true,
    })
}

fn has_another_reason(suspect: &Suspect<'_, '_>, time: Pair) -> bool {
    let others = PATTERNS
        .iter()
        .filter(|other| other.id != PATTERN.id && other.rank == Rank::Special);
    let able = others.filter(|other| other.could_not_look(suspect.comparison).is_none());
    able.filter_map(|other| (other.look)(suspect))
        .any(|found| found.is_cause && found.time.more() >= time.more() / 2.0)
}

fn compiled(suspect: &Suspect<'_, '_>, code: &ThrownAway) -> Option<String> {
    if code.compiled.is_empty() {
        return None;
    }
    let all = total(&code.compiled);
    let price = match code.compiling_ms > 0.0 {
        true => format!(
            ", and compiling takes {} of processor time",
            ms(code.compiling_ms)
        ),
        false => String::new(),
    };
    Some(format!(
        "The compiled code of {{owner}} is thrown away again and again: it is compiled {}{}. In between the interpreter runs it{price}.",
        how_often(all.candidate),
        before(suspect, all),
    ))
}

fn trapped(suspect: &Suspect<'_, '_>, traps: &[Place]) -> Option<String> {
    let first = traps.first()?;
    let all = total(traps);
    let (reason, action) = first.key.split_once(": ").unwrap_or((&first.key, ""));
    let given_up = match action {
        "none" => " The compiler has given up on it: the code stays as it is.",
        _ => "",
    };
    Some(format!(
        "{{owner}} leaves its compiled code {}{} and goes on in the interpreter, mostly by a trap ({reason}) at {}.{given_up}",
        how_often(all.candidate),
        before(suspect, all),
        first.at
    ))
}

/// Who makes code invalid meanwhile, and what classes are defined that were not before.
fn meanwhile(suspect: &Suspect<'_, '_>) -> Option<String> {
    let items = &suspect.comparison.candidate.items;
    let mut said: Vec<String> = Vec::new();
    for (by, does) in INVALIDATES {
        let is_by = |item: &Item<'_>| invalidates(item, by);
        if suspect.comparison.cost(is_by, 1e-6).is_more() {
            let owners = items.iter().filter(|item| is_by(item));
            let owners: BTreeSet<String> = owners.filter_map(owner).collect();
            let owners: Vec<String> = owners.into_iter().take(2).collect();
            if !owners.is_empty() {
                said.push(format!("{} {does}", owners.join(" and ")));
            }
        }
    }
    let is_class = |item: &Item<'_>| item.kind == LedgerKind::ClassDefinitions;
    let defined = suspect.comparison.count(is_class);
    if defined.more() > 0.0 && !said.iter().any(|said| said.ends_with("defined")) {
        let classes: BTreeSet<&str> = items
            .iter()
            .filter(|item| is_class(item))
            .map(|item| item.entry.key.as_str())
            .collect();
        let classes: Vec<&str> = classes.into_iter().take(2).collect();
        if defined.candidate >= LEAST_CLASSES {
            said.push(format!(
                "classes are defined {} ({})",
                how_often(defined.candidate),
                classes.join(", ")
            ));
        }
    }
    (!said.is_empty()).then(|| format!("Meanwhile {}.", said.join(", and ")))
}

/// The platform has classes of its own made for handles whose code is new: an effect.
const BY_HANDLES: [&str; 1] = ["java.lang.invoke.InvokerBytecodeGenerator."];

/// `4 times for each request`, `once in 40 requests`.
fn how_often(times_each: f64) -> String {
    match times_each >= 1.0 {
        true => format!("{} for each request", times(times_each)),
        false => format!("once in {} requests", requests(1.0 / times_each)),
    }
}

/// ` (before: never)`; nothing without a baseline.
fn before(suspect: &Suspect<'_, '_>, times_each: Pair) -> String {
    match suspect.comparison.baseline {
        None => String::new(),
        Some(_) if times_each.baseline <= 0.0 => " (before: never)".to_owned(),
        Some(_) => format!(" (before: {})", how_often(times_each.baseline)),
    }
}

/// Fewer are those that any service loads now and then.
const LEAST_CLASSES: f64 = 0.01;

fn owner(item: &Item<'_>) -> Option<String> {
    item.owner.as_deref().map(shown)
}

/// What makes the JVM leave its code has a rule of its own, and that is what can be mended: a class
/// that is made for each request, an exception for each trap.
fn is_effect(suspect: &Suspect<'_, '_>, code: &ThrownAway) -> bool {
    let more = |kind| {
        let count = suspect
            .comparison
            .count(|item| item.kind == kind && suspect.is_mine(item));
        count.more()
    };
    let of_traps = code.compiled.is_empty()
        && more(LedgerKind::Exceptions) >= total(&code.trapped).more() / 2.0;
    of_traps || more(LedgerKind::ClassDefinitions) >= PER_REQUEST
}

fn total(places: &[Place]) -> Pair {
    let times = places.iter().map(|place| place.times);
    times.fold(Pair::default(), Pair::plus)
}

fn count(place: &Place) -> Count {
    let what = match place.kind {
        LedgerKind::Compilations => format!("{} compiled ({})", shown(&place.at), place.key),
        _ => format!("traps at {} ({})", place.at, place.key),
    };
    Count {
        what,
        times: place.times,
    }
}
