//! The tree of both builds, and its rows.

use super::{TraceFigures, TraceRow, TraceRowKind};
use std::collections::{BTreeMap, BTreeSet};
use tacho_diagnosis::{Own, shown};

/// Nodes with a smaller share of the root's time, in both builds, are left out.
const LEAST_SHARE: f64 = 0.01;

pub(super) const BASELINE: usize = 0;
pub(super) const CANDIDATE: usize = 1;

/// A node of the tree, with both builds.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) builds: [Sums; 2],
    pub(super) below: BTreeMap<(TraceRowKind, String), Node>,
}

/// What was seen of it in one build.
#[derive(Debug, Default)]
pub(super) struct Sums {
    seen: bool,
    /// Whether its own calls were timed too.
    pub(super) traced: bool,
    pub(super) ns: f64,
    pub(super) figures: TraceFigures,
    pub(super) lines: BTreeSet<u32>,
}

impl Sums {
    fn figures(&self) -> Option<TraceFigures> {
        self.seen.then_some(TraceFigures {
            ms: self.ns / 1e6,
            ..self.figures
        })
    }

    /// Adds calls, their time, and how many of them threw, divided by the number of requests.
    pub(super) fn add(&mut self, (calls, ns, failed): (u64, u64, u64), requests: u64) {
        let requests = (requests as f64).max(1.0);
        self.seen = true;
        self.figures.calls += calls as f64 / requests;
        self.ns += ns as f64 / requests;
        self.figures.failed += failed as f64 / requests;
    }
}

/// Where a node stands among the rows.
pub(super) struct Place<'a> {
    pub(super) kind: TraceRowKind,
    pub(super) name: &'a str,
    pub(super) depth: usize,
    /// The time of the root in both builds.
    pub(super) most: [f64; 2],
    pub(super) own: &'a Own,
}

impl Node {
    /// The costliest first.
    pub(super) fn in_order(&self) -> Vec<(&(TraceRowKind, String), &Self)> {
        let mut below: Vec<_> = self.below.iter().collect();
        let cost = |node: &Self| node.builds[CANDIDATE].ns.max(node.builds[BASELINE].ns);
        below.sort_by(|(a, x), (b, y)| cost(y).total_cmp(&cost(x)).then_with(|| a.cmp(b)));
        below
    }

    fn share(&self, most: [f64; 2]) -> f64 {
        let of = |build: usize| share(self.builds[build].ns, most[build]);
        of(BASELINE).max(of(CANDIDATE))
    }

    pub(super) fn lay_out(&self, rows: &mut Vec<TraceRow>, place: Place<'_>) {
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

    /// Adds a row for the time that is not spent in any of its calls.
    fn rest(&self, rows: &mut Vec<TraceRow>, depth: usize, most: [f64; 2]) {
        // A call whose only child is the method that actually ran has no such row: its time belongs
        // to that method.
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
