//! The trace of both builds as one tree: each method with what it calls, calls and time for each
//! request.
//!
//! Calls are laid beside each other by names that survive a rebuild; lines of one method that call
//! the same are one row. What takes less than a hundredth of its tree's time in both builds is left
//! out, and counted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use tacho_diagnosis::{Own, aligned, shown};
use tacho_run_folder::{Dissection, TracedNode};

/// Of the time of the method that a tree begins with.
const LEAST_SHARE: f64 = 0.01;
/// Deeper calls are a recursion, or nobody's to read.
const DEEPEST: usize = 24;

/// One row of the tree, callers before what they call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TraceRow {
    /// 0 for a method that a tree begins with.
    pub depth: usize,
    /// What it is.
    pub kind: TraceRowKind,
    /// `package.Class.method` by a name that survives a rebuild; empty for the rest of a method.
    pub method: String,
    /// The application's own code.
    pub own: bool,
    /// Lines of the caller, in the newest build that has them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u32>,
    /// In the older build; absent when it was not seen there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<TraceFigures>,
    /// In the newer build; absent when it was not seen there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub candidate: Option<TraceFigures>,
    /// Of the time of the method that the tree begins with: the larger of both builds, 0 to 1.
    pub share: f64,
    /// Calls that are too small to be shown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub left_out: usize,
}

/// What a row is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum TraceRowKind {
    /// A method that a tree begins with.
    Root,
    /// A call in the method above, or in something below it that is not traced itself.
    Call,
    /// The method that ran when the call above was made: of a class that extends or implements the
    /// one that was called.
    Ran,
    /// The method's own code, and calls that were not timed.
    Rest,
}

/// Of one build, for each request.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct TraceFigures {
    /// Calls for each request.
    pub calls: f64,
    /// Wall time with everything below, in milliseconds.
    pub ms: f64,
    /// Calls that ended by an exception.
    pub failed: f64,
    /// Not each call was timed: the time stands for all, by chance.
    pub time_is_estimated: bool,
    /// Nor was each call counted.
    pub calls_are_estimated: bool,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

/// Of what was traced in either build; the costliest tree first.
#[must_use]
pub fn rows(baseline: Option<&Dissection>, candidate: &Dissection) -> Vec<TraceRow> {
    let own = Own::of_both(baseline, candidate);
    let mut whole = Node::default();
    for (build, seen) in [(BASELINE, baseline), (CANDIDATE, Some(candidate))] {
        if let Some(seen) = seen {
            Filling::of(&nodes(seen), build).roots(&mut whole);
        }
    }
    let mut rows = Vec::new();
    for ((kind, name), root) in whole.in_order() {
        let most = [BASELINE, CANDIDATE].map(|build| root.builds[build].ns);
        root.lay_out(
            &mut rows,
            Place {
                kind: *kind,
                name,
                depth: 0,
                most,
                own: &own,
            },
        );
    }
    rows
}

/// The trees; where the JVM's own tracer stood in for the agent, its methods, each with what it
/// calls and nothing below.
fn nodes(seen: &Dissection) -> Cow<'_, [TracedNode]> {
    if !seen.trees.is_empty() {
        return Cow::Borrowed(&seen.trees);
    }
    let single = seen.traces.iter().map(|traced| TracedNode {
        requests: traced.requests,
        parent: None,
        method: traced.method.clone(),
        calls: traced.calls,
        total_ns: traced.total_ns,
        failed: 0,
        timed: traced.timed,
        callees: traced.callees.clone(),
    });
    Cow::Owned(single.collect())
}

const BASELINE: usize = 0;
const CANDIDATE: usize = 1;

/// The same place of both builds.
#[derive(Debug, Default)]
struct Node {
    builds: [Sums; 2],
    below: BTreeMap<(TraceRowKind, String), Node>,
}

#[derive(Debug, Default)]
struct Sums {
    seen: bool,
    /// What it calls was timed too.
    traced: bool,
    ns: f64,
    figures: TraceFigures,
    lines: BTreeSet<u32>,
}

impl Sums {
    fn figures(&self) -> Option<TraceFigures> {
        self.seen.then_some(TraceFigures {
            ms: self.ns / 1e6,
            ..self.figures
        })
    }

    /// Calls, their time and those that threw, of so many requests.
    fn add(&mut self, (calls, ns, failed): (u64, u64, u64), requests: u64) {
        let requests = (requests as f64).max(1.0);
        self.seen = true;
        self.figures.calls += calls as f64 / requests;
        self.ns += ns as f64 / requests;
        self.figures.failed += failed as f64 / requests;
    }
}

/// One build's nodes on their way into the tree of both.
struct Filling<'n> {
    nodes: &'n [TracedNode],
    build: usize,
    below: HashMap<(usize, usize), Vec<usize>>,
}

impl<'n> Filling<'n> {
    fn of(nodes: &'n [TracedNode], build: usize) -> Self {
        let mut below: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        for (place, node) in nodes.iter().enumerate() {
            // A caller stands before what it calls: else it is a file that nobody has written, and
            // would have no end.
            if let Some(parent) = node.parent.filter(|(caller, _)| *caller < place) {
                below.entry(parent).or_default().push(place);
            }
        }
        Self {
            nodes,
            build,
            below,
        }
    }

    fn roots(&self, whole: &mut Node) {
        for (place, node) in self.nodes.iter().enumerate() {
            if node.parent.is_none() && node.calls > 0 {
                let key = (TraceRowKind::Root, aligned(&node.method));
                let root = whole.below.entry(key).or_default();
                self.method(root, node, true);
                self.callees(root, place, 1);
            }
        }
    }

    fn method(&self, into: &mut Node, node: &TracedNode, is_root: bool) {
        let sums = &mut into.builds[self.build];
        sums.add((node.calls, node.total_ns, node.failed), node.requests);
        sums.figures.time_is_estimated |= node.timed.is_some();
        // The calls of a root are counted, whether they are timed or not.
        sums.figures.calls_are_estimated |= node.timed.is_some() && !is_root;
    }

    fn callees(&self, into: &mut Node, place: usize, depth: usize) {
        let node = &self.nodes[place];
        if depth > DEEPEST {
            return;
        }
        into.builds[self.build].traced = true;
        for (site, callee) in node.callees.iter().enumerate() {
            if callee.calls == 0 {
                continue;
            }
            let name = aligned(&callee.method);
            let call = into
                .below
                .entry((TraceRowKind::Call, name.clone()))
                .or_default();
            let sums = &mut call.builds[self.build];
            sums.add(
                (callee.calls, callee.total_ns, callee.failed),
                node.requests,
            );
            sums.figures.time_is_estimated |= callee.estimated;
            sums.figures.calls_are_estimated |= callee.estimated;
            sums.lines.extend(callee.line);
            for child in self.below.get(&(place, site)).into_iter().flatten() {
                let ran = &self.nodes[*child];
                if ran.calls == 0 {
                    continue;
                }
                let method = aligned(&ran.method);
                if method == name {
                    self.callees(call, *child, depth + 1);
                } else {
                    // Of another name it was reached through methods that nobody traces, or through
                    // a lambda.
                    let kind = match simple(&method) == simple(&name) {
                        true => TraceRowKind::Ran,
                        false => TraceRowKind::Call,
                    };
                    let below = call.below.entry((kind, method)).or_default();
                    self.method(below, ran, false);
                    self.callees(below, *child, depth + 2);
                }
            }
        }
    }
}

/// The method without its class.
fn simple(method: &str) -> &str {
    method.rsplit('.').next().unwrap_or(method)
}

struct Place<'a> {
    kind: TraceRowKind,
    name: &'a str,
    depth: usize,
    /// Of the root, in both builds.
    most: [f64; 2],
    own: &'a Own,
}

impl Node {
    /// The costliest first.
    fn in_order(&self) -> Vec<(&(TraceRowKind, String), &Self)> {
        let mut below: Vec<_> = self.below.iter().collect();
        let cost = |node: &Self| node.builds[CANDIDATE].ns.max(node.builds[BASELINE].ns);
        below.sort_by(|(a, x), (b, y)| cost(y).total_cmp(&cost(x)).then_with(|| a.cmp(b)));
        below
    }

    fn share(&self, most: [f64; 2]) -> f64 {
        let of = |build: usize| share(self.builds[build].ns, most[build]);
        of(BASELINE).max(of(CANDIDATE))
    }

    fn lay_out(&self, rows: &mut Vec<TraceRow>, place: Place<'_>) {
        let Place {
            kind,
            name,
            depth,
            most,
            own,
        } = place;
        let (large, small): (Vec<_>, Vec<_>) = self
            .in_order()
            .into_iter()
            .partition(|(_, node)| node.share(most) >= LEAST_SHARE);
        let newest = [CANDIDATE, BASELINE]
            .into_iter()
            .find(|build| !self.builds[*build].lines.is_empty());
        rows.push(TraceRow {
            depth,
            kind,
            method: shown(name),
            own: own.nearest(&[name.to_owned()]).is_some(),
            lines: newest.map_or_else(Vec::new, |build| {
                self.builds[build].lines.iter().copied().collect()
            }),
            baseline: self.builds[BASELINE].figures(),
            candidate: self.builds[CANDIDATE].figures(),
            share: self.share(most),
            left_out: small.len(),
        });
        for ((kind, name), node) in large {
            node.lay_out(
                rows,
                Place {
                    kind: *kind,
                    name,
                    depth: depth + 1,
                    most,
                    own,
                },
            );
        }
        self.rest(rows, depth + 1, most);
    }

    /// What no call of it takes.
    fn rest(&self, rows: &mut Vec<TraceRow>, depth: usize, most: [f64; 2]) {
        // Of a call that ran another class's method there is none: what it takes is that method's.
        let calls = || {
            self.below
                .iter()
                .filter(|((kind, _), _)| *kind == TraceRowKind::Call)
        };
        if calls().next().is_none() {
            return;
        }
        let rests = [BASELINE, CANDIDATE].map(|build| {
            let sums = &self.builds[build];
            let is_known = sums.traced || calls().any(|(_, node)| node.builds[build].seen);
            let below: f64 = calls().map(|(_, node)| node.builds[build].ns).sum();
            is_known.then_some(TraceFigures {
                ms: (sums.ns - below).max(0.0) / 1e6,
                failed: 0.0,
                ..sums.figures
            })
        });
        let of = |build: usize| share(rests[build].map_or(0.0, |r| r.ms * 1e6), most[build]);
        let share = of(BASELINE).max(of(CANDIDATE));
        if share >= LEAST_SHARE {
            rows.push(TraceRow {
                depth,
                kind: TraceRowKind::Rest,
                method: String::new(),
                own: false,
                lines: Vec::new(),
                baseline: rests[BASELINE],
                candidate: rests[CANDIDATE],
                share,
                left_out: 0,
            });
        }
    }
}

fn share(ns: f64, most: f64) -> f64 {
    if most > 0.0 {
        (ns / most).min(1.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::seen;
    use tacho_run_folder::TracedCallee;

    fn callee(method: &str, line: u32, calls: u64, ms: u64) -> TracedCallee {
        TracedCallee {
            method: method.into(),
            line: Some(line),
            calls,
            total_ns: ms * 1_000_000,
            failed: 0,
            estimated: false,
        }
    }

    fn node(
        parent: Option<(usize, usize)>,
        method: &str,
        calls: u64,
        ms: u64,
        callees: Vec<TracedCallee>,
    ) -> TracedNode {
        TracedNode {
            requests: 10,
            parent,
            method: method.into(),
            calls,
            total_ns: ms * 1_000_000,
            failed: 0,
            timed: None,
            callees,
        }
    }

    fn build(lambda: &str, reads: u64, ms: u64) -> Dissection {
        let mut seen = seen(Vec::new());
        let read = format!("shop.Json.{lambda}");
        seen.trees = vec![
            node(
                None,
                "shop.Web.get",
                10,
                100 + ms,
                vec![
                    callee(&read, 4, reads, ms),
                    callee("lib.Decoder.decode", 5, 10, 60),
                    callee("java.util.List.size", 6, 10, 0),
                ],
            ),
            node(
                Some((0, 0)),
                &read,
                reads,
                ms,
                vec![
                    callee("lib.Mapper.<init>", 9, reads, ms / 2),
                    callee("lib.Mapper.<init>", 11, reads, ms / 4),
                ],
            ),
            node(
                Some((0, 1)),
                "shop.Own.decode",
                10,
                55,
                vec![callee("lib.Io.read", 20, 10, 50)],
            ),
        ];
        seen
    }

    fn drawn(rows: &[TraceRow]) -> String {
        let figure = |figures: &Option<TraceFigures>| {
            figures.map_or("-".to_owned(), |f| {
                let (calls, ms) = (
                    if f.calls_are_estimated { "≈" } else { "" },
                    if f.time_is_estimated { "≈" } else { "" },
                );
                format!("{calls}{} x, {ms}{:.2} ms", f.calls, f.ms)
            })
        };
        rows.iter()
            .map(|row| {
                format!(
                    "{}{:?} {}{} {:?} {} | {} | {:.2}{}\n",
                    "  ".repeat(row.depth),
                    row.kind,
                    row.method,
                    if row.own { " own" } else { "" },
                    row.lines,
                    figure(&row.baseline),
                    figure(&row.candidate),
                    row.share,
                    match row.left_out {
                        0 => String::new(),
                        n => format!(", {n} left out"),
                    }
                )
            })
            .collect()
    }

    #[test]
    fn two_builds_are_one_tree_however_their_lambdas_are_numbered() {
        let baseline = build("lambda$read$3", 10, 20);
        let candidate = build("lambda$read$7", 40, 400);
        let rows = rows(Some(&baseline), &candidate);
        insta::assert_snapshot!(drawn(&rows), @r"
        Root shop.Web.get own [] 1 x, 12.00 ms | 1 x, 50.00 ms | 1.00, 1 left out
          Call shop.Json.read (a lambda in it) own [4] 1 x, 2.00 ms | 4 x, 40.00 ms | 0.80
            Call lib.Mapper.<init> [9, 11] 2 x, 1.50 ms | 8 x, 30.00 ms | 0.60
            Rest  [] 1 x, 0.50 ms | 4 x, 10.00 ms | 0.20
          Call lib.Decoder.decode [5] 1 x, 6.00 ms | 1 x, 6.00 ms | 0.50
            Ran shop.Own.decode own [] 1 x, 5.50 ms | 1 x, 5.50 ms | 0.46
              Call lib.Io.read [20] 1 x, 5.00 ms | 1 x, 5.00 ms | 0.42
              Rest  [] 1 x, 0.50 ms | 1 x, 0.50 ms | 0.04
          Rest  [] 1 x, 4.00 ms | 1 x, 4.00 ms | 0.33
        ");
    }

    #[test]
    fn what_was_reached_through_others_is_beside_the_same_call_of_the_other_build() {
        let caller = || callee("shop.Prices.total", 8, 10, 90);
        let mut direct = seen(Vec::new());
        direct.trees = vec![
            node(None, "shop.Web.get", 10, 100, vec![caller()]),
            node(
                Some((0, 0)),
                "shop.Prices.total",
                10,
                90,
                vec![callee("shop.Prices.price", 4, 20, 50)],
            ),
        ];
        let mut through = seen(Vec::new());
        through.trees = vec![
            node(None, "shop.Web.get", 10, 100, vec![caller()]),
            node(Some((0, 0)), "shop.Prices.price", 20, 50, Vec::new()),
        ];
        insta::assert_snapshot!(drawn(&rows(Some(&direct), &through)), @r"
        Root shop.Web.get own [] 1 x, 10.00 ms | 1 x, 10.00 ms | 1.00
          Call shop.Prices.total own [8] 1 x, 9.00 ms | 1 x, 9.00 ms | 0.90
            Call shop.Prices.price own [4] 2 x, 5.00 ms | 2 x, 5.00 ms | 0.50
            Rest  [] 1 x, 4.00 ms | 1 x, 4.00 ms | 0.40
          Rest  [] 1 x, 1.00 ms | 1 x, 1.00 ms | 0.10
        ");
    }

    #[test]
    fn a_method_that_calls_nothing_any_more_has_all_of_its_time_itself() {
        let prices = |calls| {
            let mut seen = seen(Vec::new());
            seen.trees = vec![node(None, "shop.Prices.price", 10, 100, calls)];
            seen
        };
        let (before, now) = (
            prices(vec![callee("java.lang.String.charAt", 4, 10, 60)]),
            prices(Vec::new()),
        );
        insta::assert_snapshot!(drawn(&rows(Some(&before), &now)), @r"
        Root shop.Prices.price own [] 1 x, 10.00 ms | 1 x, 10.00 ms | 1.00
          Call java.lang.String.charAt [4] 1 x, 6.00 ms | - | 0.60
          Rest  [] 1 x, 4.00 ms | 1 x, 10.00 ms | 1.00
        ");
    }

    #[test]
    fn what_was_not_timed_each_time_says_so() {
        let mut candidate = build("read", 10, 20);
        for node in &mut candidate.trees {
            node.timed = Some(2);
            for callee in &mut node.callees {
                callee.estimated = true;
            }
        }
        let rows = rows(None, &candidate);
        insta::assert_snapshot!(drawn(&rows), @r"
        Root shop.Web.get own [] - | 1 x, ≈12.00 ms | 1.00, 1 left out
          Call lib.Decoder.decode [5] - | ≈1 x, ≈6.00 ms | 0.50
            Ran shop.Own.decode own [] - | ≈1 x, ≈5.50 ms | 0.46
              Call lib.Io.read [20] - | ≈1 x, ≈5.00 ms | 0.42
              Rest  [] - | ≈1 x, ≈0.50 ms | 0.04
          Call shop.Json.read own [4] - | ≈1 x, ≈2.00 ms | 0.17
            Call lib.Mapper.<init> [9, 11] - | ≈2 x, ≈1.50 ms | 0.12
            Rest  [] - | ≈1 x, ≈0.50 ms | 0.04
          Rest  [] - | 1 x, ≈4.00 ms | 0.33
        ");
    }

    #[test]
    fn where_the_jvm_traced_by_itself_each_method_is_a_tree_of_its_own() {
        let mut candidate = seen(Vec::new());
        candidate.traces = vec![tacho_run_folder::TracedMethod {
            requests: 10,
            method: "shop.Web.get".into(),
            calls: 20,
            total_ns: 100_000_000,
            callees: vec![callee("lib.Mapper.read", 4, 20, 80)],
            ..Default::default()
        }];
        insta::assert_snapshot!(drawn(&rows(None, &candidate)), @r"
        Root shop.Web.get own [] - | 2 x, 10.00 ms | 1.00
          Call lib.Mapper.read [4] - | 2 x, 8.00 ms | 0.80
          Rest  [] - | 2 x, 2.00 ms | 0.20
        ");
    }

    #[test]
    fn a_tree_without_an_end_ends() {
        let mut candidate = seen(Vec::new());
        // Each calls the next; and one says that it is called by what comes after it.
        candidate.trees = (0..1000)
            .map(|n: usize| {
                let parent = n.checked_sub(1).map(|caller| (caller, 0));
                node(
                    parent,
                    "shop.Tree.walk",
                    1,
                    100,
                    vec![callee("shop.Tree.walk", 1, 1, 100)],
                )
            })
            .collect();
        candidate.trees[0].parent = None;
        candidate.trees[5].parent = Some((7, 0));
        let rows = rows(None, &candidate);
        assert!(rows.len() < 10, "{}", rows.len());
        candidate.trees[5].parent = Some((4, 0));
        let rows = super::rows(None, &candidate);
        assert_eq!(rows.len(), DEEPEST + 1);
    }
}
