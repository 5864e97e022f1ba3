//! `tacho trace`: traced methods as a tree.

use super::ended;
use std::collections::BTreeMap;
use tacho_diagnosis::live::{Traced, TracedCall, TracedCallee, TracedMethod};
use tacho_figures as figures;
use tacho_foreign::one_line;

/// For the terminal; calls with less of their root's time than `at_least` are left out.
#[must_use]
pub fn trace(traced: &Traced, at_least: f64) -> String {
    let meanwhile = figures::seconds(traced.elapsed_s);
    let told = match &traced.calls {
        None => Tree::of(&traced.methods).text(traced.elapsed_s, at_least),
        Some(calls) => {
            let calls = figures::counted(calls.len() as u64, "1 such call", "such calls");
            format!("{calls} in {meanwhile}.\n")
        }
    };
    told + "\n" + &ended(&traced.removed)
}

/// One call with what it called; calls with less of its time than `at_least` are left out.
#[must_use]
pub fn traced_call(call: &TracedCall, at_least: f64) -> String {
    let tree = Tree::of(&call.methods);
    let mut text = String::new();
    for root in &tree.roots {
        let at_s = call.at_ns as f64 / 1e9;
        let (method, thread) = (one_line(&root.method), one_line(&call.thread));
        let took = figures::value(root.total_ns as f64, "ns");
        let threw = if root.failed > 0 { ", threw" } else { "" };
        text += &format!("{at_s:>9.3} s  {method}  {took}{threw}, in {thread}\n");
        tree.callees(&mut text, root, root, at_least, "");
    }
    text
}

/// Traced methods by the call that led to them.
struct Tree<'a> {
    roots: Vec<&'a TracedMethod>,
    children: BTreeMap<(u32, u32), Vec<&'a TracedMethod>>,
}

impl<'a> Tree<'a> {
    /// Of all methods that were traced.
    fn of(traced: &'a [TracedMethod]) -> Self {
        let mut tree = Self {
            roots: Vec::new(),
            children: BTreeMap::new(),
        };
        for method in traced.iter().filter(|method| method.count > 0) {
            match method.parent {
                None => tree.roots.push(method),
                Some(place) => tree.children.entry(place).or_default().push(method),
            }
        }
        tree.roots
            .sort_by_key(|root| std::cmp::Reverse(root.total_ns));
        tree
    }

    fn text(&self, elapsed_s: f64, at_least: f64) -> String {
        if self.roots.is_empty() {
            return format!(
                "No call of the methods began and ended in {}.\n",
                figures::seconds(elapsed_s)
            );
        }
        let mut text = String::new();
        for root in &self.roots {
            let (method, count, threw) = (one_line(&root.method), root.count, failed(root.failed));
            let per_second = count as f64 / elapsed_s.max(1e-9);
            let each = figures::value(root.total_ns as f64 / count as f64, "ns");
            let calls = figures::counted(count, "1 call", "calls");
            text += &format!("{method}  {calls}{threw}, {per_second:.1} a second, {each} each\n");
            if let Some(timed) = root.timed {
                text += &format!(
                    "   To time each would cost too much: {timed} of these calls were timed, by chance, and stand for all.\n"
                );
            }
            self.callees(&mut text, root, root, at_least, "");
        }
        text
    }

    fn callees(
        &self,
        text: &mut String,
        root: &TracedMethod,
        method: &TracedMethod,
        at_least: f64,
        indent: &str,
    ) {
        let share = |ns: u64| ns as f64 / root.total_ns.max(1) as f64;
        let per_cent = |ns: u64| format!("{:>5.1} %", share(ns) * 100.0);
        let each = |ns: u64| figures::value(ns as f64 / root.count.max(1) as f64, "ns");
        let mut shown: Vec<(u32, &TracedCallee)> = (0..)
            .zip(&method.callees)
            .filter(|(_, c)| c.count > 0 && share(c.total_ns) >= at_least)
            .collect();
        shown.sort_by_key(|(_, callee)| std::cmp::Reverse(callee.total_ns));
        let in_callees: u64 = method.callees.iter().map(|c| c.total_ns).sum();
        let own_ns = method.total_ns.saturating_sub(in_callees);
        let own = share(own_ns) >= at_least && !method.callees.is_empty();
        let last = shown.len() + usize::from(own);
        for (at, (place, callee)) in shown.iter().enumerate() {
            let (branch, below) = match at + 1 == last {
                true => ("└─", "   "),
                false => ("├─", "│  "),
            };
            let (part, time) = (per_cent(callee.total_ns), each(callee.total_ns));
            let calls = figures::counted(callee.count, "1 call", "calls");
            let threw = failed(callee.failed);
            let called = one_line(&callee.method);
            let line = callee.line.map(|line| format!("  line {line}"));
            let line = line.unwrap_or_default();
            *text +=
                &format!("{indent}{branch} {part}  {time}  {calls}{threw} of {called}{line}\n");
            let deeper = format!("{indent}{below}");
            let children = self.children.get(&(method.node, *place));
            for child in children.into_iter().flatten() {
                if child.method != callee.method {
                    let ran = one_line(&child.method);
                    let calls = figures::counted(child.count, "1 call", "calls");
                    *text += &format!("{deeper}which is {ran}, {calls}\n");
                }
                self.callees(text, root, child, at_least, &deeper);
            }
        }
        if own {
            let (part, time) = (per_cent(own_ns), each(own_ns));
            *text +=
                &format!("{indent}└─ {part}  {time}  its own code, and calls that are not timed\n");
        }
    }
}

fn failed(count: u64) -> String {
    match count {
        0 => String::new(),
        count => format!(" ({count} threw)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn callee(method: &str, count: u64, total_ns: u64) -> TracedCallee {
        TracedCallee {
            method: method.to_owned(),
            descriptor: "()V".to_owned(),
            line: Some(7),
            count,
            total_ns,
            failed: 0,
        }
    }

    fn method(
        node: u32,
        parent: Option<(u32, u32)>,
        name: &str,
        total_ns: u64,
        callees: Vec<TracedCallee>,
    ) -> TracedMethod {
        TracedMethod {
            node,
            parent,
            method: name.to_owned(),
            count: 10,
            total_ns,
            failed: 0,
            timed: None,
            callees,
        }
    }

    #[test]
    fn a_root_of_which_not_each_call_was_timed_says_so() {
        let mut traced = [method(0, None, "a.B.c", 100, vec![])];
        assert!(!Tree::of(&traced).text(1.0, 0.02).contains("stand for all"));
        traced[0].timed = Some(3);
        let text = Tree::of(&traced).text(1.0, 0.02);
        assert!(text.contains("3 of these calls were timed"), "{text}");
    }

    #[test]
    fn the_tree_has_shares_of_its_root_and_the_costliest_first() {
        let traced = [
            method(
                0,
                None,
                "a.A.run",
                1_000_000,
                vec![
                    callee("a.B.little", 10, 5_000),
                    callee("a.I.much", 20, 800_000),
                ],
            ),
            method(
                1,
                Some((0, 1)),
                "a.Impl.much",
                800_000,
                vec![callee("java.lang.String.format", 20, 700_000)],
            ),
        ];
        let call = TracedCall {
            thread: "http\n1".to_owned(),
            at_ns: 1_250_000_000,
            methods: vec![method(0, None, "a.A.run", 204_000_000, vec![])],
        };
        assert_eq!(
            traced_call(&call, 0.02),
            "    1.250 s  a.A.run  204 ms, in http 1\n"
        );
        let text = Tree::of(&traced).text(2.0, 0.02);
        assert_eq!(
            text,
            "a.A.run  10 calls, 5.0 a second, 100 µs each
├─  80.0 %  80 µs  20 calls of a.I.much  line 7
│  which is a.Impl.much, 10 calls
│  ├─  70.0 %  70 µs  20 calls of java.lang.String.format  line 7
│  └─  10.0 %  10 µs  its own code, and calls that are not timed
└─  19.5 %  19.5 µs  its own code, and calls that are not timed
"
        );
    }
}
