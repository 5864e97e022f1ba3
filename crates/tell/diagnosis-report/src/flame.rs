//! The data of flame graphs: one tree per kind of cost. For a diagnosis it holds both builds, per
//! request. For a running JVM it is per request or over the whole time.
//!
//! Pure and bounded. Frames with less than a thousandth of the cost in both builds are merged. So a
//! level has at most some two thousand frames, and there are at most [`DEEPEST`] levels.

use crate::stacks::{LEFT_OUT, Stacks, add, code, what};
use serde::Serialize;
use std::collections::BTreeMap;
use tacho_diagnosis::{Frame, Own, Pair, WAITS};
use tacho_run_folder::{Dissection, Ledger, LedgerKind};

/// Frames below this share of a build's whole cost, in both builds, are merged.
const LEAST_SHARE: f64 = 1e-3;
/// The cost of deeper frames counts for the frame at this depth.
const DEEPEST: usize = 300;
const SMALL: &str = "(small ones)";

/// The graphs of a page; `web/src/diagnose/data.ts` declares the same in TypeScript.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Flames {
    /// There is a baseline.
    pub compared: bool,
    /// Costs are per request; otherwise over the whole time.
    pub per_request: bool,
    /// Graphs that have any cost.
    pub graphs: Vec<Graph>,
}

/// One cost of both builds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Graph {
    /// Title above the graph.
    pub title: &'static str,
    /// `ms` or `bytes`.
    pub unit: &'static str,
    /// Each name once, and whose it is.
    pub names: Vec<(String, Whose)>,
    /// The whole comes first. A frame comes before the frames that it calls, and the costliest
    /// comes first on each level. Each entry: depth, index in `names`, baseline, candidate.
    pub frames: Vec<(usize, usize, f64, f64)>,
}

/// Whose code a frame is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// Code of the application's own packages.
    Own,
    /// Code of the libraries that it brings.
    Library,
    /// The JDK's, the JVM's and the system's.
    Platform,
    /// Not code, but what is waited for or allocated.
    What,
}

#[derive(Clone, Copy)]
struct Subject {
    title: &'static str,
    unit: &'static str,
    kinds: &'static [LedgerKind],
    scale: f64,
}

const fn time(title: &'static str, kinds: &'static [LedgerKind]) -> Subject {
    Subject {
        title,
        unit: "ms",
        kinds,
        scale: 1e-6,
    }
}

const PROCESSOR: Subject = time("Processor time", &[LedgerKind::Processor]);
const LOCKS: Subject = time("Locks", &[LedgerKind::LockWaits]);
const WALL: Subject = time("Wall clock", &[LedgerKind::Wall]);
const ALLOCATION: Subject = Subject {
    title: "Allocation",
    unit: "bytes",
    kinds: &[LedgerKind::Allocation],
    scale: 1.0,
};

const SUBJECTS: [Subject; 4] = [PROCESSOR, time("Waiting", &WAITS), ALLOCATION, LOCKS];
const OF_PROFILE: [Subject; 4] = [PROCESSOR, WALL, ALLOCATION, LOCKS];

/// The graphs of a diagnosis. A graph without any cost is left out.
#[must_use]
pub fn flames(baseline: Option<&Dissection>, candidate: &Dissection) -> Flames {
    let own = Own::of_both(baseline, candidate);
    let graphs = SUBJECTS.iter().filter_map(|subject| {
        let before = baseline.map_or_else(Stacks::new, |seen| per_request(&seen.ledgers, subject));
        let now = per_request(&candidate.ledgers, subject);
        graph(subject, &before, &now, &own)
    });
    Flames {
        compared: baseline.is_some(),
        per_request: true,
        graphs: graphs.collect(),
    }
}

/// The graphs of a running JVM. If the number of requests is not known, ledgers have 1, and figures
/// are over the whole time.
#[must_use]
pub fn flames_of_profile(ledgers: &[Ledger], own: &[String], is_per_request: bool) -> Flames {
    let own = Own::of(own);
    let graphs = OF_PROFILE.iter().filter_map(|subject| {
        let now = per_request(ledgers, subject);
        graph(subject, &Stacks::new(), &now, &own)
    });
    Flames {
        compared: false,
        per_request: is_per_request,
        graphs: graphs.collect(),
    }
}

/// The stacks of all ledgers of this kind of cost, each divided by the requests of its own window.
fn per_request(ledgers: &[Ledger], subject: &Subject) -> Stacks {
    let mut stacks = Stacks::new();
    let ledgers = ledgers
        .iter()
        .filter(|ledger| subject.kinds.contains(&ledger.kind));
    for ledger in ledgers {
        let scale = subject.scale / (ledger.requests as f64).max(1.0);
        for entry in &ledger.entries {
            let mut frames = code(entry);
            frames.truncate(DEEPEST);
            frames.extend(what(ledger.kind, &entry.key));
            add(&mut stacks, frames, entry.cost * scale);
        }
        add(
            &mut stacks,
            vec![LEFT_OUT.to_owned()],
            ledger.left_out.cost * scale,
        );
    }
    stacks
}

#[derive(Default)]
struct Node<'a> {
    cost: Pair,
    callees: BTreeMap<&'a str, usize>,
}

fn graph(subject: &Subject, baseline: &Stacks, candidate: &Stacks, own: &Own) -> Option<Graph> {
    let mut nodes = vec![Node::default()];
    for (stacks, is_baseline) in [(baseline, true), (candidate, false)] {
        for (frames, cost) in stacks {
            let mut place = 0;
            *nodes[place].cost.side(is_baseline) += cost;
            for name in frames {
                let next = nodes.len();
                place = *nodes[place].callees.entry(name).or_insert(next);
                if place == next {
                    nodes.push(Node::default());
                }
                *nodes[place].cost.side(is_baseline) += cost;
            }
        }
    }
    let has_cost = nodes[0].cost.baseline > 0.0 || nodes[0].cost.candidate > 0.0;
    has_cost.then(|| {
        let mut graph = Graph {
            title: subject.title,
            unit: subject.unit,
            names: Vec::new(),
            frames: Vec::new(),
        };
        lay_out(&nodes, own, &mut graph);
        graph
    })
}

/// Lists each frame before the frames that it calls. Not recursive, because stacks can be very
/// deep.
fn lay_out<'a>(nodes: &[Node<'a>], own: &Own, graph: &mut Graph) {
    let (whole_before, whole_now) = (nodes[0].cost.baseline, nodes[0].cost.candidate);
    let is_small = |baseline: f64, candidate: f64| {
        baseline <= LEAST_SHARE * whole_before && candidate <= LEAST_SHARE * whole_now
    };
    let mut places: BTreeMap<&'a str, usize> = BTreeMap::new();
    let mut to_do = vec![(0, "all", whole_before, whole_now, Some(&nodes[0]))];
    while let Some((depth, name, baseline, candidate, node)) = to_do.pop() {
        let place = *places.entry(name).or_insert_with(|| {
            graph.names.push((name.to_owned(), whose(name, own)));
            graph.names.len() - 1
        });
        graph
            .frames
            .push((depth, place, rounded(baseline), rounded(candidate)));
        let Some(node) = node else { continue };
        let callees = node
            .callees
            .iter()
            .map(|(name, place)| (*name, &nodes[*place]));
        let (small, mut large): (Vec<_>, Vec<_>) =
            callees.partition(|(_, callee)| is_small(callee.cost.baseline, callee.cost.candidate));
        // The entry that is pushed last is processed next, so push the merged small frames first.
        let (before, now) = small.iter().fold((0.0, 0.0), |(before, now), (_, callee)| {
            (before + callee.cost.baseline, now + callee.cost.candidate)
        });
        if !small.is_empty() && !is_small(before, now) {
            to_do.push((depth + 1, SMALL, before, now, None));
        }
        large.sort_by(|(_, a), (_, b)| {
            let by_candidate = a.cost.candidate.total_cmp(&b.cost.candidate);
            by_candidate.then(a.cost.baseline.total_cmp(&b.cost.baseline))
        });
        to_do.extend(large.into_iter().map(|(name, callee)| {
            let Pair {
                baseline,
                candidate,
                ..
            } = callee.cost;
            (depth + 1, name, baseline, candidate, Some(callee))
        }));
    }
}

/// Rounds to a nanosecond or a millionth of a byte. More digits would only make the page larger.
fn rounded(cost: f64) -> f64 {
    (cost * 1e6).round() / 1e6
}

/// Packages that come with the platform.
const PLATFORM: [&str; 6] = ["java.", "javax.", "jdk.", "sun.", "com.sun.", "jakarta."];

fn whose(name: &str, own: &Own) -> Whose {
    if name.starts_with('(') {
        return Whose::What;
    }
    let class = Frame::parse(name).class;
    if own.nearest(&[name.to_owned()]).is_some() {
        Whose::Own
    } else if class.is_empty()
        || class.contains(".so")
        || class == "vdso"
        || PLATFORM.iter().any(|prefix| class.starts_with(prefix))
    {
        Whose::Platform
    } else {
        Whose::Library
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::{processor, seen};
    use tacho_run_folder::{Ledger, LedgerEntry};

    fn drawn(flames: &Flames) -> String {
        flames
            .graphs
            .iter()
            .map(|graph| {
                let rows: String = graph
                    .frames
                    .iter()
                    .map(|(depth, name, baseline, candidate)| {
                        let (name, whose) = &graph.names[*name];
                        format!(
                            "{}{name} {whose:?} {baseline} {candidate}\n",
                            "  ".repeat(*depth)
                        )
                    })
                    .collect();
                format!("{} ({})\n{rows}", graph.title, graph.unit)
            })
            .collect()
    }

    #[test]
    fn two_builds_are_one_tree_per_request_however_their_lambdas_are_numbered() {
        let baseline = seen(vec![processor(
            20,
            &[
                (
                    "org.lib.Cache.get:9 shop.Web.lambda$get$3:4 java.lang.Thread.run:840",
                    20e6,
                ),
                ("shop.Gone.work:1", 20e6),
            ],
        )]);
        let candidate = seen(vec![processor(
            10,
            &[
                (
                    "org.lib.Cache.get:12 shop.Web.lambda$get$7:5 java.lang.Thread.run:840",
                    30e6,
                ),
                (
                    "libc.so.6.write:0 shop.Web.lambda$get$7:5 java.lang.Thread.run:840",
                    10e6,
                ),
                ("", 5e6),
            ],
        )]);
        insta::assert_snapshot!(drawn(&flames(Some(&baseline), &candidate)), @r"
        Processor time (ms)
        all Platform 2 4.5
          java.lang.Thread.run Platform 1 4
            shop.Web.lambda$get Own 1 4
              org.lib.Cache.get Library 1 3
              libc.so.6.write Platform 0 1
          (GC) What 0 0.5
          shop.Gone.work Own 1 0
        ");
    }

    #[test]
    fn what_is_waited_for_ends_the_stack_and_locks_have_a_graph_of_their_own() {
        let waits = |kind, key: &str, ns: f64| Ledger {
            kind,
            entries: vec![LedgerEntry {
                key: key.into(),
                frames: vec!["shop.Web.get:3".into()],
                count: 1,
                cost: ns,
                ..LedgerEntry::default()
            }],
            ..processor(10, &[])
        };
        let candidate = seen(vec![
            waits(LedgerKind::LockWaits, "shop.Pool", 40e6),
            waits(LedgerKind::Sleeps, "", 10e6),
            waits(LedgerKind::Allocation, "byte[]", 5120.0),
        ]);
        insta::assert_snapshot!(drawn(&flames(None, &candidate)), @r"
        Waiting (ms)
        all Platform 0 5
          shop.Web.get Own 0 5
            (lock: shop.Pool) What 0 4
            (sleep) What 0 1
        Allocation (bytes)
        all Platform 0 512
          shop.Web.get Own 0 512
            (byte[]) What 0 512
        Locks (ms)
        all Platform 0 4
          shop.Web.get Own 0 4
            (lock: shop.Pool) What 0 4
        ");
    }

    #[test]
    fn frames_that_are_small_in_both_builds_are_one() {
        let names: Vec<String> = (0..5000)
            .map(|n| format!("org.lib.C{n}.run:1 shop.Web.get:1"))
            .collect();
        let mut stacks: Vec<(&str, f64)> = names.iter().map(|name| (name.as_str(), 1e6)).collect();
        stacks.push(("org.lib.Large.run:1 shop.Web.get:1", 1e9));
        let candidate = seen(vec![processor(1000, &stacks)]);
        insta::assert_snapshot!(drawn(&flames(None, &candidate)), @r"
        Processor time (ms)
        all Platform 0 6
          shop.Web.get Own 0 6
            org.lib.Large.run Library 0 1
            (small ones) What 0 5
        ");
        // Not small there: told by its name.
        let baseline = seen(vec![processor(
            1000,
            &[("org.lib.C17.run:1 shop.Web.get:1", 1e9)],
        )]);
        assert!(
            drawn(&flames(Some(&baseline), &candidate)).contains("org.lib.C17.run Library 1 0.001")
        );
    }

    #[test]
    fn an_endless_recursion_has_an_end() {
        let stack = vec!["shop.Tree.walk:1"; 5000].join(" ");
        let flames = flames(None, &seen(vec![processor(1, &[(&stack, 1e6)])]));
        assert_eq!(flames.graphs[0].frames.len(), DEEPEST + 1);
    }

    #[test]
    fn nothing_seen_is_nothing_drawn() {
        assert!(flames(None, &Dissection::default()).graphs.is_empty());
    }
}
