use super::*;
use crate::testkit::{Profile, Synthetic};
use tacho_run_folder::RunData;

/// Starts with this much CPU and takes so much a request.
fn profile(name: &str, start_s: f64, request_ms: f64) -> Profile {
    Profile {
        cpu_to_ready_s: start_s,
        cpu_per_request_ms: request_ms,
        ..Profile::named(name)
    }
}

fn claimed(run: &RunData) -> Vec<BreakEven> {
    crate::analyse(run).break_evens
}

fn of_cpu(run: &RunData) -> Vec<BreakEven> {
    let all = claimed(run).into_iter();
    all.filter(|b| b.cost == CostKind::Cpu).collect()
}

fn names(found: &BreakEven) -> (&str, &str) {
    (&found.cheaper_before, &found.cheaper_after)
}

#[test]
fn straight_curves_cross_where_algebra_says() {
    // 1 + 0.001 n = 3 + 0.0005 n at n = 4000.
    let run = Synthetic::new(5)
        .variant(profile("jar", 3.0, 0.5))
        .variant(profile("native", 1.0, 1.0))
        .run();
    let found = of_cpu(&run);
    assert_eq!(found.len(), 1);
    assert_eq!(names(&found[0]), ("native", "jar"));
    let requests = found[0].requests.unwrap();
    assert!((requests.value - 4000.0).abs() < 4.0, "{requests:?}");
    assert!((requests.low - 4000.0).abs() < 4.0 && (requests.high - 4000.0).abs() < 4.0);
    assert_eq!(found[0].limits, "none");
}

#[test]
fn knots_are_met_exactly() {
    let curve = |start, slope| {
        CostCurve::new(vec![(0.0, start), (1e4, start + slope * 1e4)], slope).unwrap()
    };
    let grid = grid(1e5);
    let on_grid = |c: &CostCurve| grid.iter().map(|n| c.at(*n)).collect::<Vec<f64>>();
    let (a, b) = (on_grid(&curve(1.0, 0.001)), on_grid(&curve(3.0, 0.0005)));
    assert!((last_cheaper(&grid, &a, &b) - 4000.0).abs() < 1e-6);
    assert_eq!(last_cheaper(&grid, &a, &a), 0.0);
    let costlier: Vec<f64> = a.iter().map(|c| c + 1.0).collect();
    assert_eq!(last_cheaper(&grid, &a, &costlier), 1e5);
    assert_eq!(last_cheaper(&grid, &costlier, &a), 0.0);
}

#[test]
fn a_crossing_beyond_the_measured_is_not_claimed() {
    // 1 + 0.001 n = 11 + 0.0005 n at n = 20,000; 10,005 were measured.
    let run = Synthetic::new(5)
        .variant(profile("jar", 11.0, 0.5))
        .variant(profile("native", 1.0, 1.0))
        .run();
    // Up to there the other one is cheaper.
    assert_eq!(names(&of_cpu(&run)[0]), ("native", "native"));
    // Near the end it is neither.
    let run = Synthetic::new(5)
        .variant(profile("jar", 6.1, 0.5))
        .variant(profile("native", 1.0, 1.0))
        .run();
    assert!(of_cpu(&run).is_empty());
}

#[test]
fn one_that_is_cheaper_throughout_has_no_crossing() {
    let run = Synthetic::new(5)
        .variant(profile("jar", 3.0, 0.5))
        .variant(profile("aot", 1.0, 0.4))
        .run();
    let found = of_cpu(&run);
    assert_eq!(names(&found[0]), ("aot", "aot"));
    assert_eq!(found[0].requests, None);
}

#[test]
fn differences_below_the_threshold_are_no_crossing() {
    // 4 % costlier at the start, 4 % cheaper for each request.
    let run = Synthetic::new(5)
        .variant(profile("jar", 3.0, 0.5))
        .variant(profile("extracted", 3.12, 0.48))
        .run();
    assert!(of_cpu(&run).is_empty());
    // 10 % costlier at the start, and not told apart in the end.
    let run = Synthetic::new(5)
        .variant(profile("jar", 3.0, 0.5))
        .variant(profile("extracted", 3.3, 0.49))
        .run();
    assert!(of_cpu(&run).is_empty());
}

#[test]
fn the_interval_is_as_wide_as_the_launches_scatter() {
    let noisy = |profile: Profile| Profile {
        noise: 0.04,
        ..profile
    };
    let run = Synthetic::new(5)
        .variant(noisy(profile("jar", 3.0, 0.5)))
        .variant(noisy(profile("native", 1.0, 1.0)))
        .run();
    let requests = of_cpu(&run)[0].requests.unwrap();
    assert!(
        requests.low < requests.value && requests.value < requests.high,
        "{requests:?}"
    );
    assert!((requests.value - 4000.0).abs() < 4.0, "{requests:?}");
    assert!(
        requests.low > 2500.0 && requests.high < 6500.0,
        "{requests:?}"
    );
    assert_eq!(
        of_cpu(&run)[0].requests.unwrap(),
        requests,
        "the seed repeats it"
    );
}

#[test]
fn neighbours_on_the_envelope_are_listed_besides_the_baseline() {
    let run = Synthetic::new(5)
        .variant(profile("jar", 6.0, 0.9))
        .variant(profile("native", 1.0, 1.0))
        .variant(profile("aot", 3.0, 0.5))
        .run();
    let found = of_cpu(&run);
    let pairs: Vec<_> = found.iter().map(names).collect();
    assert_eq!(
        pairs,
        // The baseline crosses native beyond what was measured.
        [("native", "native"), ("aot", "aot"), ("native", "aot")]
    );
}

#[test]
fn each_set_of_limits_has_its_own_and_empty_runs_have_none() {
    let synthetic = Synthetic::new(5)
        .variant(profile("jar", 3.0, 0.5))
        .variant(profile("native", 1.0, 1.0))
        .limits("1cpu", 1.0, 1 << 28)
        .limits("2cpu", 2.0, 1 << 28);
    let mut run = synthetic.run();
    let limits: Vec<String> = of_cpu(&run).into_iter().map(|b| b.limits).collect();
    assert_eq!(limits, ["1cpu", "2cpu"]);
    run.launches.clear();
    assert!(claimed(&run).is_empty());
}

#[test]
fn waiting_has_its_own_break_even() {
    // 0.2 + 0.003 (n - 1) + 0.08 against 2 + 0.002 (n - 1) + 0.08: n - 1 = 1800.
    let quick = Profile {
        ready_ms: 200.0,
        service_ms: 3.0,
        ..Profile::named("native")
    };
    let run = Synthetic::new(5)
        .variant(Profile::named("jar"))
        .variant(quick)
        .run();
    let all = claimed(&run);
    let waiting = all.iter().find(|b| b.cost == CostKind::Waiting).unwrap();
    assert_eq!(names(waiting), ("native", "jar"));
    assert!(
        (waiting.requests.unwrap().value - 1801.0).abs() < 5.0,
        "{waiting:?}"
    );
}
