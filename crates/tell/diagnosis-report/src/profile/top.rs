//! Where a cost goes, in two short tables: by line of the application, and by method.

use crate::stacks::{LEFT_OUT, code, what};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tacho_diagnosis::{Frame, Own, shown};
use tacho_run_folder::{Ledger, LedgerEntry, LedgerKind};

/// Rows with a smaller share would be shown as 0.
const LEAST_SHARE: f64 = 5e-4;

/// Two tables, the costliest rows first.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Top {
    /// By the line of the application that it belongs to: `self_share` is what that line owns, with
    /// everything that it calls in libraries and the JDK.
    pub lines: Vec<Row>,
    /// By method: `self_share` is what is spent in its own code.
    pub methods: Vec<Row>,
}

impl Top {
    /// What the rows of `lines` are. Where none is the application's own, they are what is nearest.
    pub(super) fn lines_title(&self) -> &'static str {
        if self.lines.iter().any(|row| row.own) {
            "line of the application, with what it calls elsewhere"
        } else {
            "nearest code that is not the JDK's"
        }
    }
}

/// Of a line or a method.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// `package.Class.method`, with a line number if it belongs to the application. Names in
    /// brackets are not code.
    pub name: String,
    /// It is the application's own.
    pub own: bool,
    /// Of the whole cost, 0 to 1.
    pub self_share: f64,
    /// With everything below it, 0 to 1.
    pub total_share: f64,
}

/// The tables of one ledger, with at most `rows` rows each.
#[must_use]
pub fn top(ledger: &Ledger, own: &Own, rows: usize) -> Top {
    let mut lines = Sums::default();
    let mut methods = Sums::default();
    let mut whole = 0.0;
    for entry in &ledger.entries {
        if !(entry.cost > 0.0 && entry.cost.is_finite()) {
            continue;
        }
        whole += entry.cost;
        let (owner, is_own) = owner(entry, own);
        lines.owns(owner, is_own, entry.cost);
        let of_own = entry.frames.iter().filter(|frame| is_own_frame(frame, own));
        lines.holds(of_own.map(|frame| line(frame)), entry.cost);

        let mut names: Vec<(String, bool)> = entry
            .frames
            .iter()
            .map(|frame| (method(frame), is_own_frame(frame, own)))
            .collect();
        if let Some(what) = what(ledger.kind, &entry.key) {
            names.insert(0, (what, false));
        }
        if names.is_empty() {
            names.extend(code(entry).into_iter().map(|name| (name, false)));
        }
        if let Some((innermost, is_own)) = names.first().cloned() {
            methods.owns(innermost, is_own, entry.cost);
        }
        methods.holds(names.into_iter().map(|(name, _)| name), entry.cost);
    }
    let left_out = ledger.left_out.cost;
    if left_out > 0.0 && left_out.is_finite() {
        whole += left_out;
        lines.owns(LEFT_OUT.to_owned(), false, left_out);
        methods.owns(LEFT_OUT.to_owned(), false, left_out);
    }
    // Most threads stand still, and most of those belong to the JVM. Users want to see where the
    // application's threads stand, so its lines come first.
    lines.own_first = ledger.kind == LedgerKind::Wall;
    Top {
        lines: lines.rows(whole, rows),
        methods: methods.rows(whole, rows),
    }
}

/// The nearest line of the application. Otherwise the nearest frame of a library, or of the JDK.
/// Otherwise `(native)`, or the thread group where there are no frames at all.
fn owner(entry: &LedgerEntry, own: &Own) -> (String, bool) {
    if let Some(place) = own.nearest(&entry.frames) {
        return (line(&entry.frames[place]), true);
    }
    let java: Vec<String> = entry
        .frames
        .iter()
        .filter(|frame| !is_native(frame))
        .cloned()
        .collect();
    let place = Own::nearest_library(&java);
    match place.and_then(|place| java.get(place)).or(java.last()) {
        Some(frame) => (method(frame), false),
        None if entry.frames.is_empty() => (code(entry).concat(), false),
        None => ("(native)".to_owned(), false),
    }
}

/// Whether a frame is in a shared library, or has no class.
fn is_native(frame: &str) -> bool {
    let class = Frame::parse(frame).class;
    class.is_empty() || class.contains(".so") || class == "vdso"
}

fn is_own_frame(frame: &str, own: &Own) -> bool {
    own.nearest(&[frame.to_owned()]).is_some()
}

fn method(frame: &str) -> String {
    shown(&Frame::parse(frame).aligned())
}

fn line(frame: &str) -> String {
    let frame = Frame::parse(frame);
    let name = shown(&frame.aligned());
    match frame.line {
        Some(line) => format!("{name}:{line}"),
        None => name,
    }
}

#[derive(Default)]
struct Sums {
    own_first: bool,
    by_name: BTreeMap<String, Sum>,
}

#[derive(Default)]
struct Sum {
    own: bool,
    owned: f64,
    total: f64,
}

impl Sums {
    fn owns(&mut self, name: String, own: bool, cost: f64) {
        let sum = self.by_name.entry(name).or_default();
        sum.owned += cost;
        sum.own |= own;
    }

    /// A name that is on the stack several times holds the cost once.
    fn holds(&mut self, names: impl Iterator<Item = String>, cost: f64) {
        for name in names.collect::<BTreeSet<_>>() {
            self.by_name.entry(name).or_default().total += cost;
        }
    }

    fn rows(self, whole: f64, rows: usize) -> Vec<Row> {
        let mut sums: Vec<(String, Sum)> = self.by_name.into_iter().collect();
        sums.sort_by(|(a, x), (b, y)| {
            (self.own_first && y.own)
                .cmp(&(self.own_first && x.own))
                .then(y.owned.total_cmp(&x.owned))
                .then(y.total.total_cmp(&x.total))
                .then_with(|| a.cmp(b))
        });
        sums.into_iter()
            .filter(|(_, sum)| sum.owned >= LEAST_SHARE * whole && sum.owned > 0.0)
            .take(rows)
            .map(|(name, sum)| Row {
                name,
                own: sum.own,
                self_share: sum.owned / whole,
                total_share: sum.total.max(sum.owned) / whole,
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit::processor;

    fn shown(rows: &[Row]) -> String {
        rows.iter()
            .map(|row| {
                format!(
                    "{:.2} {:.2} {}{}\n",
                    row.self_share,
                    row.total_share,
                    row.name,
                    if row.own { " own" } else { "" }
                )
            })
            .collect()
    }

    #[test]
    fn a_line_owns_what_it_calls_and_a_recursion_counts_once() {
        let ledger = processor(
            1,
            &[
                (
                    "java.util.HashMap.get:9 org.lib.Cache.get:3 shop.Web.lambda$get$3:4 shop.Web.run:2",
                    50.0,
                ),
                ("shop.Tree.walk:7 shop.Tree.walk:7 shop.Web.run:2", 30.0),
                ("org.lib.Server.poll:5 java.lang.Thread.run:840", 10.0),
                ("libc.so.6.poll:0 .start_thread:0", 5.0),
                ("", 5.0),
            ],
        );
        let top = top(&ledger, &Own::of(&["shop.".to_owned()]), 10);
        insta::assert_snapshot!(shown(&top.lines), @r"
        0.50 0.50 shop.Web.get (a lambda in it):4 own
        0.30 0.30 shop.Tree.walk:7 own
        0.10 0.10 org.lib.Server.poll
        0.05 0.05 (GC)
        0.05 0.05 (native)
        ");
        insta::assert_snapshot!(shown(&top.methods), @r"
        0.50 0.50 java.util.HashMap.get
        0.30 0.30 shop.Tree.walk own
        0.10 0.10 org.lib.Server.poll
        0.05 0.05 (GC)
        0.05 0.05 libc.so.6.poll
        ");
    }

    #[test]
    fn a_line_of_a_library_is_not_called_one_of_the_application() {
        let ledger = processor(1, &[("org.lib.Server.poll:5", 10.0)]);
        let title = |own: &str| top(&ledger, &Own::of(&[own.to_owned()]), 10).lines_title();
        assert_eq!(title("shop."), "nearest code that is not the JDK's");
        assert!(title("org.lib.").starts_with("line of the application"));
    }
}
