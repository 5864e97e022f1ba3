//! Adds the nodes that were traced in one build to the tree of both builds.

use super::TraceRowKind;
use super::tree::Node;
use std::collections::HashMap;
use tacho_diagnosis::aligned;
use tacho_run_folder::TracedNode;

/// Deeper calls are recursion, or too deep for a reader.
pub(super) const DEEPEST: usize = 24;

/// Adds the nodes of one build.
pub(super) struct Filling<'n> {
    nodes: &'n [TracedNode],
    build: usize,
    below: HashMap<(usize, usize), Vec<usize>>,
}

impl<'n> Filling<'n> {
    pub(super) fn of(nodes: &'n [TracedNode], build: usize) -> Self {
        let mut below: HashMap<(usize, usize), Vec<usize>> = HashMap::new();
        for (place, node) in nodes.iter().enumerate() {
            // A caller has to come before its callees. A file that breaks this was not written by
            // Tacho, and its tree could be endless.
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

    pub(super) fn roots(&self, whole: &mut Node) {
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
        // Calls of a root are always counted, even if only some are timed.
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
                    // The names differ if the method was reached through methods that are not
                    // traced, or through a lambda.
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
