use super::*;
use crate::analyse;
use crate::testkit::{Profile, Synthetic};
use insta::assert_snapshot;
use tacho_run_folder::{CheckResult, RunData};

fn synthetic() -> Synthetic {
    Synthetic::new(3)
        .variant(Profile {
            noise: 0.1,
            ..Profile::named("jar")
        })
        .variant(Profile {
            ready_ms: 500.0,
            ..Profile::named("aot")
        })
        .open_phase("open")
}

fn results(check: &str) -> Vec<CheckResult> {
    analyse(&synthetic().check(check).run()).checks
}

#[test]
fn checks_hold_or_do_not() {
    // The median launch: ready 2000 ms, first request 80 ms, p99 4 ms, 1,000 requests/s, 200 MiB.
    for (check, value, passed) in [
        ("p99<4.1ms", 4.0, true),
        ("p99<4ms", 4.0, false),
        ("p99<=4ms", 4.0, true),
        ("p99 < 5000 us", 4000.0, true),
        ("p99<5000µs", 4000.0, true),
        ("open.p99<0.001s", 0.004, false),
        ("p99.9<6.1ms", 6.0, true),
        ("closed.p99.9<1s", 0.006, true),
        ("p50>=2ms", 2.0, true),
        ("max<10.5ms", 10.0, true),
        ("service_p50<3ms", 2.0, true),
        ("cpu_per_request<1ms", 0.5, true),
        ("first_request<100ms", 80.0, true),
        ("first_5_requests<80ms", 88.0, false),
        ("cpu_to_ready<2500ms", 3000.0, false),
        ("throughput>1000/s", 1000.0, false),
        ("throughput>=1000/s", 1000.0, true),
        ("open.throughput>100/s", 200.0, true),
        ("peak_rss<=200MiB", 200.0, true),
        ("peak_rss<0.2GB", 0.209_715_2, false),
        ("disk<1GiB", 0.136_718_75, true),
        ("closed.errors<1%", 0.0, true),
        ("open.errors<0.01", 0.0, true),
        ("response-p99<4.1ms", 4.0, true),
        ("service-p50<3ms", 2.0, true),
        ("closed.rate>=1_000", 1000.0, true),
        ("disk<0.5Gi", 0.136_718_75, true),
        ("peak_threads<=20", 20.0, true),
    ] {
        let results = results(&format!("jar: {check}"));
        assert_eq!(results.len(), 1, "{check}");
        let found = results[0].value.unwrap();
        assert!((found - value).abs() < 1e-9, "{check}: {found}");
        assert_eq!(results[0].passed, passed, "{check}");
    }
}

#[test]
fn cells_are_chosen_by_variant_limits_or_their_own_name() {
    let cells = |check: &str| -> Vec<String> {
        let run = synthetic()
            .limits("1cpu", 1.0, 1 << 28)
            .limits("2cpu", 2.0, 1 << 28)
            .check(check)
            .run();
        analyse(&run).checks.into_iter().map(|c| c.cell).collect()
    };
    assert_eq!(
        cells("ready<1s"),
        ["jar@1cpu", "aot@1cpu", "jar@2cpu", "aot@2cpu"]
    );
    assert_eq!(cells("aot: ready<1s"), ["aot@1cpu", "aot@2cpu"]);
    assert_eq!(cells("ready<1s@aot"), ["aot@1cpu", "aot@2cpu"]);
    assert_eq!(cells("ready<1s @ 2cpu"), ["jar@2cpu", "aot@2cpu"]);
    assert_eq!(cells("ready<1s@aot@2cpu"), ["aot@2cpu"]);
    assert_eq!(cells("aot@2cpu: ready<1s"), ["aot@2cpu"]);
}

#[test]
fn each_cell_stands_for_itself() {
    let found = results("ready<1s");
    let by_cell: Vec<(&str, bool)> = found.iter().map(|c| (c.cell.as_str(), c.passed)).collect();
    assert_eq!(by_cell, [("jar", false), ("aot", true)]);
    assert!(
        found
            .iter()
            .all(|c| c.phase.is_none() && c.check == "ready<1s")
    );
}

#[test]
fn without_a_phase_the_fitting_one_is_taken() {
    let phases = |check: &str| -> Vec<String> {
        let results = results(&format!("jar: {check}"));
        results.into_iter().map(|c| c.phase.unwrap()).collect()
    };
    assert_eq!(phases("p99<1s"), ["open"]);
    assert_eq!(phases("throughput>1/s"), ["closed"]);
    assert_eq!(phases("errors<1%"), ["cold", "closed", "open"]);
    let closed_only = Synthetic::new(3)
        .variant(Profile::named("jar"))
        .check("p99<1s")
        .run();
    assert_eq!(
        analyse(&closed_only).checks[0].phase.as_deref(),
        Some("closed")
    );
}

#[test]
fn a_list_is_each_of_its_checks() {
    let found = results("jar: ready<1s, jar: p99<1s");
    let checks: Vec<&str> = found.iter().map(|c| c.check.as_str()).collect();
    assert_eq!(checks, ["jar: ready<1s", "jar: p99<1s"]);
    assert_eq!(Check::parse_list("ready<1s, p99<1s").unwrap().len(), 2);
    assert!(Check::parse_list("ready<1s,").is_err());
}

#[test]
fn what_was_not_measured_has_not_passed() {
    let mut run: RunData = synthetic()
        .check("ready<10s")
        .check("warm.p99<1s")
        .check("go: p99<1s")
        .check("p9")
        .run();
    for launch in run.launches.iter_mut().filter(|l| l.record.cell == "aot") {
        launch.record.outcome = tacho_run_folder::LaunchOutcome::Interrupted;
    }
    let found = analyse(&run).checks;
    let summary: Vec<_> = found
        .iter()
        .map(|c| (c.check.as_str(), c.cell.as_str(), c.passed))
        .collect();
    assert_eq!(
        summary,
        [
            ("ready<10s", "jar", true),
            ("ready<10s", "aot", false),
            ("warm.p99<1s", "jar", false),
            ("warm.p99<1s", "aot", false),
            ("go: p99<1s", "go", false),
            ("p9", "", false),
        ]
    );
    assert!(found.iter().all(|c| c.passed == c.value.is_some()));
}

#[test]
fn a_single_slow_launch_does_not_fail_a_check() {
    let mut run = synthetic().check("jar: ready<2.1s").run();
    assert!(analyse(&run).checks[0].passed);
    run.launches[4].record.time_line.ready_ms = Some(60_000.0);
    assert!(analyse(&run).checks[0].passed);
    run.launches[2].record.time_line.ready_ms = Some(60_000.0);
    assert!(!analyse(&run).checks[0].passed);
}

#[test]
fn mistakes_are_shown_where_they_are() {
    let wrong = [
        "p99",
        "<50ms",
        "p98<50ms",
        "open.redy<1s",
        "p99<ms",
        "p99<50",
        "p99<50mz",
        "peak_rss<1MIB",
        "throughput>5ms",
        "errors<=3",
        "p99 of login<5ms",
        "p99<5ms over every 10s",
        "errors<150%",
        "ready<5%",
        "errors<1ms",
        "open.ready<1s",
        "jar: p99<1s@",
        ": p99<1s",
        "p99<1.2.3s",
        "wörm.p98<1s",
        "",
        "peak_threads<5ms",
    ];
    let shown: Vec<String> = wrong
        .iter()
        .map(|c| Check::parse(c).unwrap_err().to_string())
        .collect();
    assert_snapshot!(shown.join("\n\n"), @r#"
    a check compares, as in `p99<50ms`: write <, <=, > or >=
      p99
      ^^^

    the metric is missing, as in `p99<50ms`
      <50ms
      ^

    `p98` is no metric; did you mean `p99`?
      p98<50ms
      ^^^

    `redy` is no metric; did you mean `ready`?
      open.redy<1s
           ^^^^

    a number is missing here, as in `p99<50ms`
      p99<ms
          ^

    `p99` needs a unit: `ms`, `s` or `us`
      p99<50
            ^

    `p99` needs a unit: `ms`, `s` or `us`, not `mz`
      p99<50mz
            ^^

    `peak_rss` needs a unit: `MiB`, `KiB` or `GiB`, not `MIB`
      peak_rss<1MIB
                ^^^

    `throughput` needs a unit: `/s`, not `ms`
      throughput>5ms
                  ^^

    `3` counts requests; write a share of them, as in `errors<1%`
      errors<=3
              ^

    launches record all requests together: write it without `of login`, or use `tacho load`, which records each kind separately
      p99 of login<5ms
             ^^^^^

    launches are judged by whole phases: write it without `over every`, or use `tacho load`, which supports windows
      p99<5ms over every 10s
      ^^^^^^^^^^^^^^^^^^^^^^

    `150%` is no share of the requests and no number of them: write a share such as `0.1%`, or a whole number
      errors<150%
             ^^^^

    `ready` needs a unit: `ms`, `s` or `us`, not `%`
      ready<5%
             ^

    `errors` needs no unit or `%`, not `ms`
      errors<1ms
              ^^

    `ready` belongs to the whole launch, not to a phase: write it without `open.`
      open.ready<1s
      ^^^^

    the name of a variant, of limits or of a cell is missing here
      jar: p99<1s@
                  ^

    the name of a variant, of limits or of a cell is missing here
      : p99<1s
      ^

    a number is missing here, as in `p99<50ms`
      p99<1.2.3s
          ^^^^^

    `p98` is no metric; did you mean `p99`?
      wörm.p98<1s
           ^^^

    a check compares, as in `p99<50ms`: write <, <=, > or >=
      
      ^

    `peak_threads` needs no unit or `k`, not `ms`
      peak_threads<5ms
                    ^^
    "#);
}

#[test]
fn names_are_looked_up_in_the_plan_before_anything_starts() {
    let plan = synthetic().run().plan;
    let fits = |check: &str| Check::parse(check).unwrap().fits(&plan);
    assert_eq!(fits("jar: open.p99<1s"), Ok(()));
    assert_eq!(fits("ready<1s@none"), Ok(()));
    let shown = [
        fits("jar: opne.p99<1s"),
        fits("p99<1s@jra"),
        fits("p99<1s@golang"),
    ];
    let shown: Vec<String> = shown
        .into_iter()
        .map(|r| r.unwrap_err().to_string())
        .collect();
    assert_snapshot!(shown.join("\n\n"), @r#"
    the experiment has no loaded phase `opne`; did you mean `open`?
      jar: opne.p99<1s
           ^^^^

    `jra` names no variant, limits or cell; did you mean `jar`?
      p99<1s@jra
             ^^^

    `golang` names no variant, limits or cell; known: `jar`, `aot` or `none`
      p99<1s@golang
             ^^^^^^
    "#);
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,40}") {
        if let Err(error) = Check::parse(&text) {
            let _ = error.to_string();
        }
    }

    #[test]
    fn near_misses_do_not_panic_either(text in "(jar: ?)?(open\\.)?[p9.a-z_]{0,6}[<>=]{0,2}[0-9.]{0,4}[a-zµ%/ ]{0,4}(@[a-z]{0,3})?") {
        if let Err(error) = Check::parse(&text) {
            assert!(error.column <= text.chars().count() + 1);
        }
    }
}
