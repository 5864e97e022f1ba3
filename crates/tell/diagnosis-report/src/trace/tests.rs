use super::filling::DEEPEST;
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
