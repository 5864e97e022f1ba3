//! Where the time of a method goes, level by level.

use crate::error::InstrumentError;
use crate::search::Search;
use crate::window::{Target, Window};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tacho_diagnosis::live::{Traced, TracedCall, TracedMethod};
use tacho_jvm_agent::{Begun, MethodPattern, OneByOne, Snapshot};

/// Between two looks at calls that have ended.
const LOOK: Duration = Duration::from_millis(300);
/// At most this many methods are added at once, because each costs a read of the clock.
const MOST_A_LEVEL: usize = 20;
/// Calls into these packages are not followed unless asked for.
const PLATFORM: [&str; 5] = ["java.", "javax.", "jdk.", "sun.", "com.sun."];

/// What is traced.
#[derive(Debug, Clone)]
pub struct Trace {
    /// Methods that trees begin with.
    pub roots: Vec<MethodPattern>,
    /// Levels below them.
    pub levels: u8,
    /// Calls with less of the roots' time are not followed.
    pub at_least: f64,
    /// Calls into the JDK are followed as well.
    pub jdk: bool,
    /// Calls are shown one by one, instead of added up.
    pub one_by_one: Option<OneByOne>,
}

/// Something to show before the trace is over.
#[derive(Debug)]
pub enum Shown<'s> {
    /// Show this at once.
    Note(&'s str),
    /// A call that has ended.
    Call(&'s TracedCall),
}

/// Traces the roots, and then what costs most in them.
///
/// # Errors
/// When the JVM lets nobody in or has ended, no class has such methods, or `show` fails.
pub fn trace<E: From<InstrumentError>>(
    target: Target<'_>,
    wanted: &Trace,
    show: &mut dyn FnMut(Shown<'_>) -> Result<(), E>,
) -> Result<Traced, E> {
    let mut window = Window::open(target)?;
    let mut note = |note: &str| {
        // If it cannot be shown now, it is shown at the end.
        let _ = show(Shown::Note(note));
    };
    let (inner, begun, rest) = levels(target, wanted, &mut window, &mut note)?;
    let (snapshot, calls) = match wanted.one_by_one {
        None => {
            window.note(&begun);
            let snapshot = added_up(rest, &mut window)?;
            window.note_not_counted(&snapshot.left_out);
            (snapshot, None)
        }
        Some(kept) => {
            let (snapshot, calls) = one_by_one(rest, (wanted, &inner, kept), &mut window, show)?;
            (snapshot, Some(calls))
        }
    };
    Ok(Traced {
        pid: target.pid,
        elapsed_s: snapshot.elapsed_ns as f64 / 1e9,
        own: window.own.clone(),
        methods: snapshot.traced,
        calls,
        removed: window.close()?,
    })
}

/// Adds instruments level by level. Returns the methods below the roots, the agent's answer for the
/// last level, and the time that is left for the figures.
fn levels(
    target: Target<'_>,
    wanted: &Trace,
    window: &mut Window<'_>,
    tell: &mut dyn FnMut(&str),
) -> Result<(Vec<MethodPattern>, Begun, Duration), InstrumentError> {
    let roots = &wanted.roots;
    let mut begun = window.agent.trace(roots, &[])?;
    window.note_unmatched(&begun, roots, tell)?;
    let mut inner: Vec<MethodPattern> = Vec::new();
    let mut search = Search::new(target.duration, wanted.levels);
    while let Some(look) = search.next_look() {
        window.wait(look);
        if target.is_ended() {
            break;
        }
        let traced = window.agent.snapshot()?.traced;
        let mut roots_seen = traced.iter().filter(|method| method.parent.is_none());
        search.looked(look, roots_seen.any(|root| root.total_ns > 0));
        let next = wanted.next_level(&traced, &inner);
        if next.is_empty() {
            continue;
        }
        inner.extend(next);
        begun = window.agent.trace(roots, &inner)?;
    }
    if !target.is_ended() {
        window.note_levels_not_seen(search.not_seen(), wanted.levels);
    }
    Ok((inner, begun, search.rest()))
}

fn added_up(rest: Duration, window: &mut Window<'_>) -> Result<Snapshot, InstrumentError> {
    window.agent.reset()?;
    window.wait(rest);
    Ok(window.agent.snapshot()?)
}

/// Collects calls until there are enough of them, or the time is over.
fn one_by_one<E: From<InstrumentError>>(
    time: Duration,
    (wanted, inner, kept): (&Trace, &[MethodPattern], OneByOne),
    window: &mut Window<'_>,
    show: &mut dyn FnMut(Shown<'_>) -> Result<(), E>,
) -> Result<(Snapshot, Vec<TracedCall>), E> {
    let begun = window.agent.trace_one_by_one(&wanted.roots, inner, kept);
    window.note(&begun.map_err(InstrumentError::from)?);
    let begin = Instant::now();
    let mut calls: Vec<TracedCall> = Vec::new();
    let mut snapshot = Snapshot::default();
    while calls.len() < kept.calls as usize && begin.elapsed() < time && !window.target.is_ended() {
        window.wait(LOOK.min(time.saturating_sub(begin.elapsed())));
        snapshot = window.agent.snapshot().map_err(InstrumentError::from)?;
        let seen = std::mem::take(&mut snapshot.traced_calls);
        for call in seen.iter().skip(calls.len()) {
            show(Shown::Call(call))?;
        }
        calls = seen;
    }
    Ok((snapshot, calls))
}

impl Trace {
    /// Calls that cost most and are not yet traced, as patterns for the next level.
    fn next_level(&self, traced: &[TracedMethod], already: &[MethodPattern]) -> Vec<MethodPattern> {
        let roots = traced.iter().filter(|method| method.parent.is_none());
        let roots_ns: u64 = roots.map(|method| method.total_ns).sum();
        let least_ns = self.at_least * roots_ns as f64;
        let is_followed =
            |method: &str| self.jdk || !PLATFORM.iter().any(|package| method.starts_with(package));
        let mut costs: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        for callee in traced.iter().flat_map(|method| &method.callees) {
            let called = (callee.method.as_str(), callee.descriptor.as_str());
            *costs.entry(called).or_default() += callee.total_ns;
        }
        let mut next: Vec<(u64, MethodPattern)> = costs
            .into_iter()
            .filter(|(_, total_ns)| *total_ns > 0 && *total_ns as f64 >= least_ns)
            .filter(|((method, _), _)| is_followed(method))
            .filter_map(|((method, descriptor), total_ns)| {
                let (class, name) = method.rsplit_once('.')?;
                let pattern = MethodPattern::of(class, &[&format!("{name}{descriptor}")]);
                // The call names a class, but a subclass's method may run. A constructor always
                // belongs to its class.
                let pattern = match name {
                    "<init>" => pattern,
                    _ => pattern.with_subtypes(),
                };
                Some((total_ns, pattern))
            })
            .filter(|(_, pattern)| !already.contains(pattern))
            .collect();
        next.sort_by_key(|(total_ns, _)| std::cmp::Reverse(*total_ns));
        next.truncate(MOST_A_LEVEL);
        next.into_iter().map(|(_, pattern)| pattern).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_diagnosis::live::TracedCallee;

    #[test]
    fn the_next_level_is_what_costs_most_and_is_not_yet_traced() {
        let callee = |method: &str, total_ns| TracedCallee {
            method: method.to_owned(),
            descriptor: "()V".to_owned(),
            line: Some(7),
            count: 10,
            total_ns,
            failed: 0,
        };
        let traced = [TracedMethod {
            node: 0,
            parent: None,
            method: "a.A.run".to_owned(),
            count: 10,
            total_ns: 1_000,
            failed: 0,
            timed: None,
            callees: vec![
                callee("a.B.little", 5),
                callee("a.I.much", 500),
                callee("java.util.List.size", 400),
            ],
        }];
        let wanted = Trace {
            roots: Vec::new(),
            levels: 1,
            at_least: 0.02,
            jdk: false,
            one_by_one: None,
        };
        let much = MethodPattern::of("a.I", &["much()V"]).with_subtypes();
        assert_eq!(wanted.next_level(&traced, &[]), std::slice::from_ref(&much));
        assert!(wanted.next_level(&traced, &[much]).is_empty());
        let with_jdk = Trace {
            jdk: true,
            ..wanted
        };
        assert_eq!(with_jdk.next_level(&traced, &[]).len(), 2);
    }
}
