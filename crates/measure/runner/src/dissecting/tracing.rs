//! Narrowing: the methods that cost most are timed, with every call in them, level by level down to
//! the costly leaf.

use super::DissectSpec;
use super::agent::AgentInWindow;
use super::instruments::{Finished, Instrument};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;
use tacho_diagnosis::{Frame, Own};
use tacho_jvm_agent::{MethodPattern, Snapshot};
use tacho_run_folder::{
    Dissection, LaunchDir, LedgerKind, TracedCallee, TracedMethod, TracedNode, Window,
};

/// Methods of the application that are traced: timing each call costs, so that not everything can
/// be.
const ROOTS: usize = 6;
/// Levels below them.
const LEVELS: usize = 4;
/// A node below this share of the time of all trees is left out: nobody reads it.
const LEAST_OF_TREE: f64 = 1e-3;
/// A method below this share of all processor time and waiting in the application's code is not
/// traced: it is not worth the overhead.
const LEAST_SHARE: f64 = 0.03;

/// The agent's tracer, for one window.
pub struct Tracing {
    agent: AgentInWindow,
    roots: Vec<MethodPattern>,
    inner: Vec<MethodPattern>,
}

impl Tracing {
    /// Chooses what is traced from what other instruments have seen.
    pub fn new(
        pid: u32,
        folder: &LaunchDir,
        spec: &DissectSpec,
        seen: &Dissection,
    ) -> Result<Self, String> {
        let Suspects { roots, inner } = Suspects::of(seen, spec)?;
        Ok(Self {
            agent: AgentInWindow::attach(pid, folder)?,
            roots: roots.iter().map(|name| pattern(name)).collect(),
            inner: inner.difference(&roots).map(|name| pattern(name)).collect(),
        })
    }
}

impl Instrument for Tracing {
    fn title(&self) -> String {
        format!("agent, {} methods timed", self.agent.methods())
    }

    fn switch_on(&mut self) -> Result<(), String> {
        let (roots, inner) = (&self.roots, &self.inner);
        self.agent.put_in(|agent| agent.trace(roots, inner))
    }

    fn switch_off(&mut self) -> Result<(), String> {
        self.agent.take_out()
    }

    fn read(&mut self, window: &Window, _: &Own, _: &AtomicBool) -> Result<Finished, String> {
        let seen = self.agent.seen();
        Ok(Finished {
            traces: by_method(seen, window),
            trees: trees(seen, window),
            ..self.agent.finished()
        })
    }
}

/// Methods that are traced, `package.Class.method`.
pub struct Suspects {
    /// Of the application, those that cost most.
    roots: BTreeSet<String>,
    /// What is below them.
    inner: BTreeSet<String>,
}

impl Suspects {
    /// From what other instruments have seen, and what was traced in the other build.
    pub fn of(seen: &Dissection, spec: &DissectSpec) -> Result<Self, String> {
        let (mut roots, inner) = suspects(seen, &Own::of(&spec.own));
        roots.extend(spec.traced.iter().cloned());
        if roots.is_empty() {
            return Err(
                "no method of the application stands out, so that there is none to trace"
                    .to_owned(),
            );
        }
        Ok(Self { roots, inner })
    }

    /// Every method to trace, each once.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.roots.union(&self.inner).map(String::as_str)
    }
}

/// Owners of the most time, and what is below them on their costliest stacks.
fn suspects(seen: &Dissection, own: &Own) -> (BTreeSet<String>, BTreeSet<String>) {
    const TIMES: [LedgerKind; 5] = [
        LedgerKind::Processor,
        LedgerKind::LockWaits,
        LedgerKind::Parks,
        LedgerKind::Sleeps,
        LedgerKind::SocketWaits,
    ];
    let mut by_owner: BTreeMap<String, f64> = BTreeMap::new();
    let mut below: BTreeMap<(String, String), f64> = BTreeMap::new();
    let mut all = 0.0;
    let ledgers = seen
        .ledgers
        .iter()
        .filter(|ledger| TIMES.contains(&ledger.kind));
    for (ledger, entry) in
        ledgers.flat_map(|ledger| ledger.entries.iter().map(move |entry| (ledger, entry)))
    {
        let Some(place) = own.nearest(&entry.frames) else {
            continue;
        };
        let cost = entry.cost / (ledger.requests as f64).max(1.0);
        let owner = method(&entry.frames[place]);
        all += cost;
        *by_owner.entry(owner.clone()).or_default() += cost;
        for frame in entry.frames[..place].iter().rev().take(LEVELS) {
            *below.entry((owner.clone(), method(frame))).or_default() += cost;
        }
    }
    let mut costliest: Vec<(String, f64)> = by_owner
        .into_iter()
        .filter(|(_, cost)| *cost >= LEAST_SHARE * all)
        .collect();
    costliest.sort_by(|a, b| b.1.total_cmp(&a.1));
    costliest.truncate(ROOTS);
    let roots: BTreeSet<String> = costliest.iter().map(|(owner, _)| owner.clone()).collect();
    let inner = below
        .into_iter()
        .filter(|((owner, callee), cost)| {
            roots.contains(owner) && *cost >= LEAST_SHARE * all && may_be_timed(callee)
        })
        .map(|((_, callee), _)| callee)
        .collect();
    (roots, inner)
}

fn method(frame: &str) -> String {
    let frame = Frame::parse(frame);
    format!("{}.{}", frame.class, frame.method)
}

/// The platform's own methods are called everywhere, and hidden classes cannot be changed: they are
/// seen as calls, not from within.
fn may_be_timed(method: &str) -> bool {
    let is_platform = ["java.", "jdk.", "sun.", "com.sun."]
        .iter()
        .any(|prefix| method.starts_with(prefix));
    !is_platform && !method.contains("$$Lambda") && !method.contains("$Proxy")
}

fn pattern(method: &str) -> MethodPattern {
    let (class, name) = method.rsplit_once('.').unwrap_or(("", method));
    MethodPattern::of(class, &[&with_any_number(name)])
}

/// A lambda's number changes with every build: `lambda$total$*` of `lambda$total$3`, which javac
/// writes, `total$lambda$*` of Kotlin, `$anonfun$total$*` and `total$$anonfun$*` of Scala.
fn with_any_number(name: &str) -> String {
    let of_prefix = ["lambda$", "$anonfun$"].iter().find_map(|mark| {
        let (stem, number) = name.strip_prefix(*mark)?.rsplit_once('$')?;
        let is_number = number.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| format!("{mark}{stem}$*"))
    });
    let of_suffix = ["$lambda$", "$$anonfun$"].iter().find_map(|mark| {
        let (stem, rest) = name.split_once(*mark)?;
        let is_first_number = rest.starts_with(|c: char| c.is_ascii_digit());
        is_first_number.then(|| format!("{stem}{mark}*"))
    });
    of_prefix.or(of_suffix).unwrap_or_else(|| name.to_owned())
}

/// The tree without its branches: a method's times wherever it was called.
fn by_method(seen: &Snapshot, window: &Window) -> Vec<TracedMethod> {
    let mut methods: BTreeMap<&str, TracedMethod> = BTreeMap::new();
    for node in &seen.traced {
        let method = methods.entry(&node.method).or_insert_with(|| TracedMethod {
            window: window.name.clone(),
            requests: window.requests,
            method: node.method.clone(),
            ..TracedMethod::default()
        });
        if node.timed.is_some() || method.timed.is_some() {
            let before = method.timed.unwrap_or(method.calls);
            method.timed = Some(before + node.timed.unwrap_or(node.count));
        }
        method.calls += node.count;
        method.total_ns += node.total_ns;
        for callee in &node.callees {
            let known = method
                .callees
                .iter_mut()
                .find(|known| known.method == callee.method && known.line == callee.line);
            match known {
                Some(known) => {
                    known.calls += callee.count;
                    known.total_ns += callee.total_ns;
                    known.failed += callee.failed;
                    known.estimated |= node.timed.is_some();
                }
                None => method.callees.push(of_agent(callee, node.timed.is_some())),
            }
        }
    }
    methods
        .into_values()
        .filter(|method| method.calls > 0)
        .collect()
}

fn of_agent(callee: &tacho_jvm_agent::TracedCallee, estimated: bool) -> TracedCallee {
    TracedCallee {
        method: callee.method.clone(),
        line: callee.line,
        calls: callee.count,
        total_ns: callee.total_ns,
        failed: callee.failed,
        estimated,
    }
}

/// The trees as they are, without what takes next to nothing: there may be tens of thousands of
/// places.
fn trees(seen: &Snapshot, window: &Window) -> Vec<TracedNode> {
    let roots = seen.traced.iter().filter(|node| node.parent.is_none());
    let all: u64 = roots.map(|node| node.total_ns).sum();
    let least = LEAST_OF_TREE * all as f64;
    let mut places: BTreeMap<u32, usize> = BTreeMap::new();
    let mut trees: Vec<TracedNode> = Vec::new();
    for node in &seen.traced {
        let parent = match node.parent {
            None => None,
            // The caller was left out, and so is what it calls.
            Some((caller, site)) => match places.get(&caller) {
                Some(place) => Some((*place, site as usize)),
                None => continue,
            },
        };
        if node.count == 0 || (node.total_ns as f64) < least {
            continue;
        }
        places.insert(node.node, trees.len());
        let callees = node.callees.iter();
        trees.push(TracedNode {
            requests: window.requests,
            parent,
            method: node.method.clone(),
            calls: node.count,
            total_ns: node.total_ns,
            failed: node.failed,
            timed: node.timed,
            // No callee is left out, because places refer to callees by their position.
            callees: callees
                .map(|callee| of_agent(callee, node.timed.is_some()))
                .collect(),
        });
    }
    trees
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_run_folder::{Ledger, LedgerEntry, LeftOut};

    #[test]
    fn a_lambda_is_traced_whatever_its_number() {
        for (name, traced) in [
            ("total", "total"),
            ("lambda$total$3", "lambda$total$*"),
            ("total$lambda$3", "total$lambda$*"),
            ("total$lambda$3$lambda$0", "total$lambda$*"),
            ("$anonfun$total$3", "$anonfun$total$*"),
            ("total$$anonfun$3", "total$$anonfun$*"),
            ("total$lambda$of", "total$lambda$of"),
        ] {
            assert_eq!(with_any_number(name), traced);
        }
    }

    #[test]
    fn trees_keep_their_places_without_what_takes_nothing() {
        let node = |node, parent, total_ns, timed| tacho_jvm_agent::TracedMethod {
            node,
            parent,
            method: format!("shop.Web.m{node}"),
            count: 10,
            total_ns,
            failed: 1,
            timed,
            callees: vec![tacho_jvm_agent::TracedCallee {
                method: "lib.Mapper.read".into(),
                descriptor: "()V".into(),
                line: Some(3),
                count: 20,
                total_ns: 5,
                failed: 0,
            }],
        };
        let seen = Snapshot {
            traced: vec![
                node(0, None, 1_000_000, Some(2)),
                node(1, Some((0, 0)), 10, Some(2)),
                node(2, Some((1, 0)), 900, Some(2)),
                node(3, Some((0, 0)), 500_000, Some(2)),
            ],
            ..Snapshot::default()
        };
        let window = Window {
            name: "trace".into(),
            requests: 5,
            ..Window::default()
        };
        let trees = trees(&seen, &window);
        let places: Vec<_> = trees
            .iter()
            .map(|node| (node.method.as_str(), node.parent, node.timed))
            .collect();
        assert_eq!(
            places,
            [
                ("shop.Web.m0", None, Some(2)),
                ("shop.Web.m3", Some((0, 0)), Some(2))
            ]
        );
        assert!(trees[0].callees[0].estimated && trees[0].requests == 5);
        let methods = by_method(&seen, &window);
        assert_eq!(methods.len(), 4);
        assert!(methods[0].timed == Some(2) && methods[0].callees[0].estimated);
    }

    #[test]
    fn the_costliest_owners_are_traced_with_what_they_call() {
        let entry = |frames: &str, cost| LedgerEntry {
            frames: frames.split(' ').map(str::to_owned).collect(),
            cost,
            ..LedgerEntry::default()
        };
        let seen = Dissection {
            ledgers: vec![Ledger {
                kind: LedgerKind::Processor,
                window: "processor".into(),
                requests: 10,
                exact: false,
                entries: vec![
                    entry(
                        "java.util.HashMap.get:1 lib.Mapper.scan:2 shop.Json.lambda$read$3:9 shop.Web.get:1",
                        90.0,
                    ),
                    entry("shop.Web.get:2", 9.0),
                    entry("shop.Rare.once:2", 1.0),
                    entry("lib.Server.run:2", 50.0),
                ],
                threads: BTreeMap::new(),
                left_out: LeftOut::default(),
            }],
            ..Dissection::default()
        };
        let (roots, inner) = suspects(&seen, &Own::of(&["shop.".to_owned()]));
        let names = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
        assert_eq!(names(&roots), ["shop.Json.lambda$read$3", "shop.Web.get"]);
        assert_eq!(names(&inner), ["lib.Mapper.scan"]);
        assert_eq!(
            pattern("shop.Json.lambda$read$3"),
            MethodPattern::of("shop.Json", &["lambda$read$*"])
        );
    }
}
