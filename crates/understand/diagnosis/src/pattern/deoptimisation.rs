//! Compiled code is thrown away again and again, so that the interpreter runs it until it is
//! compiled anew, or each call runs into a trap of it. HotSpot compiles for what it has seen so
//! far: classes that are loaded, branches that were taken, the targets of call sites. Whoever makes
//! that untrue again and again pays for the interpreter, for the compilers, and for stopping
//! threads.

use super::{
    Match, Need, PER_REQUEST, Pattern, SPECIAL, before, is_in, names, often, place, times,
};
use crate::comparison::{Item, Pair, Suspect, is_time};
use crate::finding::Count;
use crate::frame::shown;
use crate::thrown_away::{Place, ThrownAway};
use std::collections::BTreeSet;
use tacho_figures::ms;
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
        None => of_who_throws_away(suspect),
    }
}

/// Of an owner whose code it is.
fn of_thrown_away(suspect: &Suspect<'_, '_>, code: &ThrownAway) -> Option<Match> {
    let mut time = suspect.weighted_ms();
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

/// Of an owner that makes the code of others invalid.
fn of_who_throws_away(suspect: &Suspect<'_, '_>) -> Option<Match> {
    let storm = &suspect.comparison.storm;
    let (time, does) = INVALIDATES.iter().find_map(|(by, does)| {
        let time = suspect.time_via(|frame| is_in(frame, by));
        (!storm.is_none() && time.is_more()).then_some((time, *does))
    })?;
    let of: Vec<Count> = storm
        .owners()
        .map(|what| Count { what, times: time })
        .collect();
    let (line, stack) = super::place_via(suspect, |frame| {
        INVALIDATES.iter().any(|(by, _)| is_in(frame, by))
    });
    Some(Match {
        time,
        sentence: format!(
            "{{owner}} {does}, which takes {} of each request, and the JVM throws compiled code away with it, again and again: of {}.",
            ms(time.candidate),
            names(&of, 3)
        ),
        fix: FIX.to_owned(),
        counts: Vec::new(),
        line,
        stack,
        is_cause: true,
    })
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
        "The compiled code of {{owner}} is thrown away again and again: for each request it is compiled {}{}. In between the interpreter runs it{price}.",
        times(all.candidate),
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
        "For each request {{owner}} leaves its compiled code {}{} and goes on in the interpreter, mostly by a trap ({reason}) at {}.{given_up}",
        times(all.candidate),
        before(suspect, all),
        first.at
    ))
}

/// Who makes code invalid meanwhile, and what classes are defined that were not before.
fn meanwhile(suspect: &Suspect<'_, '_>) -> Option<String> {
    let items = &suspect.comparison.candidate.items;
    let mut said: Vec<String> = Vec::new();
    for (by, does) in INVALIDATES {
        let is_by = |item: &Item<'_>| is_time(item) && item.below.iter().any(|f| is_in(f, by));
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
                "{} classes are defined for each request ({})",
                often(defined.candidate),
                classes.join(", ")
            ));
        }
    }
    (!said.is_empty()).then(|| format!("Meanwhile {}.", said.join(", and ")))
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
