//! Sentences for synthetic runs.

use crate::analyse;
use crate::testkit::{Profile, Synthetic};
use insta::assert_snapshot;
use tacho_run_folder::{LaunchOutcome, RunData};

fn jar() -> Profile {
    Profile {
        noise: 0.01,
        ..Profile::named("jar")
    }
}

/// Starts sooner and holds less.
fn aot() -> Profile {
    Profile {
        name: "aot".to_owned(),
        ready_ms: 770.0,
        cpu_to_ready_s: 1.2,
        first_request_ms: 26.0,
        memory_bytes: 180 << 20,
        ..jar()
    }
}

/// Starts at once, serves slower, holds little.
fn native() -> Profile {
    Profile {
        name: "native".to_owned(),
        ready_ms: 60.0,
        cpu_to_ready_s: 0.05,
        first_request_ms: 4.0,
        cpu_per_request_ms: 0.8,
        throughput: 620.0,
        memory_bytes: 60 << 20,
        ..jar()
    }
}

fn noisy(profile: Profile, noise: f64) -> Profile {
    Profile { noise, ..profile }
}

fn advice(run: &RunData) -> String {
    analyse(run).advice.sentence
}

#[test]
fn one_that_is_better_and_one_that_is_better_for_short_lives() {
    let run = Synthetic::new(5)
        .variant(jar())
        .variant(aot())
        .variant(native())
        .run();
    assert_snapshot!(advice(&run), @"Ship `aot`: ready in 770 ms (2.6 x sooner than `jar`), 3.1 x faster first request, same throughput, 10 % less memory; time to ready decided, `jar` is the runner-up; `native` costs less CPU time only for instances that serve fewer than 3,830 requests; where memory is what counts, `native` needs 67 % less.");
    let results = analyse(&run);
    assert_eq!(
        results.advice.by_limits[0].sentence,
        results.advice.sentence
    );
    assert_eq!(results.advice.by_limits[0].limits, "none");
}

#[test]
fn the_baseline_stays_when_the_others_are_worse() {
    let native = Profile {
        cpu_per_request_ms: 1.0,
        ..native()
    };
    let run = Synthetic::new(5).variant(jar()).variant(native).run();
    assert_snapshot!(advice(&run), @"Keep `jar`: ready in 2 s, first request 80 ms, 1,000 requests/s, 200 MiB of memory at its peak; `native`: 38 % less throughput; `native` costs less CPU time only for instances that serve fewer than 5,900 requests; where memory is what counts, `native` needs 70 % less.");
}

#[test]
fn the_baseline_stays_when_nothing_differs() {
    let same = Profile {
        name: "extracted".to_owned(),
        ..jar()
    };
    let run = Synthetic::new(5).variant(jar()).variant(same).run();
    assert_snapshot!(advice(&run), @"Keep `jar`: ready in 2 s, first request 80 ms, 1,000 requests/s, 200 MiB of memory at its peak; `extracted` did no better by more than 5 %.");
}

#[test]
fn what_is_not_told_apart_asks_for_launches() {
    let maybe = Profile {
        name: "cds".to_owned(),
        ready_ms: 1800.0,
        ..jar()
    };
    let run = Synthetic::new(3)
        .variant(noisy(jar(), 0.2))
        .variant(noisy(maybe, 0.2))
        .run();
    assert_snapshot!(advice(&run), @"Nothing was shown to be better than `jar` yet: keep it, or measure more; `cds`: time to ready, first request, throughput and memory are not told apart from `jar` with 3 launches each (differences of 238 % would be; more than 100 would be needed).");
}

/// The table compares with the baseline alone, so a reader would look there in vain for what a
/// variant lost by.
#[test]
fn one_that_is_worse_than_a_third_is_compared_with_the_third() {
    let of = |name: &str, first_request_ms: f64| Profile {
        name: name.to_owned(),
        first_request_ms,
        ..jar()
    };
    let run = Synthetic::new(5)
        .variant(noisy(jar(), 0.8))
        .variant(of("aot", 60.0))
        .variant(of("cds", 180.0))
        .run();
    let said = advice(&run);
    assert!(
        said.contains("`cds`: 3 x slower first request than `aot`"),
        "{said}"
    );
}

/// One that is told apart neither from the baseline nor from what beats it is no reason to leave
/// the baseline, whatever else it is better in than the best.
#[test]
fn one_between_the_baseline_and_the_best_is_not_shipped() {
    let go = Profile {
        name: "go".to_owned(),
        ready_ms: 4.0,
        memory_bytes: 18 << 20,
        ..jar()
    };
    let fast = Profile {
        name: "fast".to_owned(),
        throughput: 1420.0,
        ready_ms: 1500.0,
        memory_bytes: 240 << 20,
        ..jar()
    };
    let between = Profile {
        name: "between".to_owned(),
        throughput: 1150.0,
        ready_ms: 1300.0,
        memory_bytes: 130 << 20,
        ..noisy(jar(), 0.5)
    };
    let variants = [go, between, fast];
    let one = variants
        .iter()
        .fold(Synthetic::new(5), |run, one| run.variant(one.clone()));
    let said = advice(&one.run());
    assert!(said.starts_with("Ship `fast`"), "{said}");
    assert!(
        said.contains("throughput decided, `go` is the runner-up"),
        "{said}"
    );
    let words = "`between` was not shown to be better than `go`";
    assert!(said.contains(words), "{said}");
    let said = advice(&under_two_limits(&variants).run());
    let words = "Ship `fast` whatever the limits: 42 % more throughput, ready in 1.50 s";
    assert!(said.starts_with(words), "{said}");
}

/// The one with the best median may scatter so much that nothing is told against it. What is worse
/// than the baseline is so all the same.
#[test]
fn one_that_is_worse_than_the_baseline_is_not_shipped_beside_one_that_scatters() {
    let of = |name: &str, ready_ms: f64| Profile {
        name: name.to_owned(),
        ready_ms,
        ..jar()
    };
    let mut run = Synthetic::new(5)
        .variant(jar())
        .variant(of("wild", 2000.0))
        .variant(of("soon", 1000.0))
        .run();
    for launch in &mut run.launches {
        let throughputs = match launch.record.cell.as_str() {
            "jar" => [990.0, 1000.0, 1010.0, 995.0, 1005.0],
            "wild" => [600.0, 1500.0, 1040.0, 800.0, 1400.0],
            _ => [870.0, 880.0, 890.0, 875.0, 885.0],
        };
        let place = launch.record.replicate as usize - 1;
        launch.record.phases[1].throughput = throughputs[place];
    }
    let said = advice(&run);
    assert!(said.starts_with("Keep `jar`"), "{said}");
    assert!(said.contains("`soon`: 12 % less throughput"), "{said}");
}

/// The test goes by the mean, and the interval is that of the median: what decides is not said to
/// be open, nor to be the same.
#[test]
fn what_decided_is_not_said_to_be_open_as_well() {
    let modes = Profile {
        name: "modes".to_owned(),
        ..jar()
    };
    for (launches, of_the_lower_mode) in [(20, 11), (60, 45)] {
        let synthetic = Synthetic::new(launches);
        let mut run = synthetic.variant(jar()).variant(modes.clone()).run();
        for launch in &mut run.launches {
            let is_lower = launch.record.replicate <= of_the_lower_mode;
            launch.record.phases[1].throughput = match launch.record.cell.as_str() {
                "modes" if is_lower => 1040.0,
                "modes" => 1450.0,
                _ => 1000.0,
            };
        }
        let said = advice(&run);
        assert!(said.starts_with("Ship `modes`"), "{said}");
        assert!(said.contains("4 % more throughput"), "{said}");
        assert!(said.contains("throughput decided"), "{said}");
        assert!(!said.contains("not told apart"), "{said}");
    }
}

#[test]
fn a_single_launch_decides_nothing() {
    let run = Synthetic::new(1).variant(jar()).variant(aot()).run();
    assert_snapshot!(advice(&run), @"No verdict yet: 1 launch of each variant cannot tell a difference from chance, make at least 3, better 5; so far `aot` was ready first, in 770 ms (with caution: replication).");
}

#[test]
fn better_in_part_and_inconclusive_in_part() {
    let aot = Profile {
        throughput: 1030.0,
        noise: 0.08,
        ..aot()
    };
    let run = Synthetic::new(5)
        .variant(noisy(jar(), 0.08))
        .variant(aot)
        .run();
    assert_snapshot!(advice(&run), @"Ship `aot`: ready in 770 ms (2.6 x sooner than `jar`), 3.1 x faster first request; throughput and memory are not told apart from `jar` with 5 launches each (differences of 28 % would be; about 86 would settle it); time to ready decided, `jar` is the runner-up.");
}

#[test]
fn a_break_even_that_is_not_sharp_is_told_with_its_interval() {
    let soon = Profile {
        name: "native".to_owned(),
        cpu_to_ready_s: 2.2,
        cpu_per_request_ms: 0.8,
        throughput: 620.0,
        ..jar()
    };
    let run = Synthetic::new(10)
        .variant(noisy(jar(), 0.12))
        .variant(noisy(soon, 0.12))
        .run();
    assert_snapshot!(advice(&run), @"Keep `jar`: ready in 2 s, first request 80.0 ms, 1,000 requests/s, 200 MiB of memory at its peak; `native`: 36 % less throughput; `native` costs less CPU time only for instances that serve fewer than 2,670 requests (95 %: 1,430 to 4,460).");
}

#[test]
fn memory_is_the_exception_where_cost_has_none() {
    let small = Profile {
        name: "small".to_owned(),
        throughput: 800.0,
        cpu_per_request_ms: 0.7,
        memory_bytes: 90 << 20,
        ..jar()
    };
    let run = Synthetic::new(5).variant(jar()).variant(small).run();
    assert_snapshot!(advice(&run), @"Keep `jar`: ready in 2 s, first request 80 ms, 1,000 requests/s, 200 MiB of memory at its peak; `small`: 20 % less throughput; where memory is what counts, `small` needs 55 % less.");
}

#[test]
fn a_lone_variant_is_described() {
    let run = Synthetic::new(5).variant(jar()).run();
    assert_snapshot!(advice(&run), @"`jar`: ready in 2 s, first request 80 ms, 1,000 requests/s and 200 MiB of memory at its peak; add a variant to compare it with.");
}

#[test]
fn limits_may_agree_or_not() {
    let both = Synthetic::new(5)
        .variant(jar())
        .variant(aot())
        .limits("1cpu-256MiB", 1.0, 256 << 20)
        .limits("0.25cpu-256MiB", 0.25, 256 << 20);
    let mut run = both.run();
    assert_snapshot!(advice(&run), @"Ship `aot` whatever the limits: ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 1cpu-256MiB, ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 0.25cpu-256MiB.");
    // With a quarter of a processor the other one serves only half as much.
    for launch in &mut run.launches {
        if launch.record.cell == "aot@0.25cpu-256MiB" {
            launch.record.phases[1].throughput /= 2.0;
        }
    }
    assert_snapshot!(advice(&run), @"It depends on the limits: ship `aot`, ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 1cpu-256MiB; keep `jar`, ready in 2 s at 0.25cpu-256MiB.");
}

fn under_two_limits(variants: &[Profile]) -> Synthetic {
    let both = Synthetic::new(5)
        .limits("1cpu", 1.0, 256 << 20)
        .limits("0.25cpu", 0.25, 256 << 20);
    let with = |run: Synthetic, variant: &Profile| run.variant(variant.clone());
    variants.iter().fold(both, with)
}

/// Whatever the limits: nothing is shipped that was not told to be better.
#[test]
fn the_baseline_stays_under_all_limits_where_nothing_better_was_told() {
    let same = Profile {
        name: "extracted".to_owned(),
        ..jar()
    };
    let over = |variants: &[Profile]| advice(&under_two_limits(variants).run());
    assert_snapshot!(over(&[jar(), same.clone()]), @"Keep `jar` whatever the limits: ready in 2 s at 1cpu, ready in 2 s at 0.25cpu; none of the others was shown to be better.");
    assert_snapshot!(over(&[noisy(jar(), 0.2), noisy(same, 0.2)]), @"Nothing was shown to be better than `jar` yet, whatever the limits: keep it, or measure more; `extracted` at 1cpu: time to ready, first request, throughput and memory are not told apart from `jar` with 5 launches each (differences of 83 % would be; about 86 would settle it); `extracted` at 0.25cpu: time to ready, first request, throughput and memory are not told apart from `jar` with 5 launches each (differences of 83 % would be; about 86 would settle it).");
    let native = Profile {
        cpu_per_request_ms: 1.0,
        ..native()
    };
    assert_snapshot!(over(&[jar(), native]), @"Keep `jar` whatever the limits: ready in 2 s at 1cpu, ready in 2 s at 0.25cpu; `native`: 38 % less throughput at 1cpu; where memory is what counts, `native` needs at least 70 % less.");
    assert_snapshot!(over(&[jar()]), @"`jar`: ready in 2 s at 1cpu, ready in 2 s at 0.25cpu; add a variant to compare it with.");
    let mut missing = under_two_limits(&[jar(), aot()]).run();
    for launch in &mut missing.launches {
        if launch.record.cell.starts_with("jar@") {
            launch.record.outcome = LaunchOutcome::Interrupted;
        }
    }
    assert!(advice(&missing).contains("the baseline has no valid launch to compare it with"));
    let small = under_two_limits(&[jar(), aot()]).check("ready<1ms").run();
    assert_snapshot!(advice(&small), @"No variant meets every check, whatever the limits; the best of them is `aot`: ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 1cpu, ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 0.25cpu.");
}

#[test]
fn a_variant_that_misses_a_check_is_not_shipped() {
    let small = Synthetic::new(5)
        .variant(jar())
        .variant(aot())
        .variant(native());
    let run = small.clone().check("peak_rss<100MiB").run();
    assert_snapshot!(advice(&run), @"Ship `native`: ready in 60 ms (33 x sooner than `jar`), 20 x faster first request, 38 % less throughput, 70 % less memory; `jar` does not meet `peak_rss<100MiB`; `aot` does not meet `peak_rss<100MiB`; `aot` costs less CPU time for instances that serve more than 3,830 requests.");
    let run = small.check("ready<1ms").run();
    assert_snapshot!(advice(&run), @"No variant meets every check; the best of them is `aot`: ready in 770 ms (2.6 x sooner than `jar`), 3.1 x faster first request, same throughput, 10 % less memory; time to ready decided, `jar` is the runner-up; `native` costs less CPU time only for instances that serve fewer than 3,830 requests; where memory is what counts, `native` needs 67 % less.");
}

#[test]
fn the_baseline_may_be_missing() {
    let mut run = Synthetic::new(5)
        .variant(jar())
        .variant(aot())
        .variant(native())
        .run();
    for launch in run.launches.iter_mut().filter(|l| l.record.cell == "jar") {
        launch.record.outcome = LaunchOutcome::Interrupted;
    }
    assert_snapshot!(advice(&run), @"Ship `aot`: ready in 770 ms, first request 26 ms, 1,000 requests/s, 180 MiB of memory at its peak; the baseline has no valid launch to compare it with; throughput decided, `native` is the runner-up; `native` costs less CPU time only for instances that serve fewer than 3,830 requests; where memory is what counts, `native` needs 67 % less (with caution: replication, interrupted).");
}

#[test]
fn an_invalid_certificate_forbids_advice() {
    let mut run = Synthetic::new(5).variant(jar()).variant(aot()).run();
    for launch in &mut run.launches {
        launch.record.outcome = LaunchOutcome::Invalid {
            reason: "no archive".to_owned(),
        };
    }
    assert_snapshot!(advice(&run), @"Do not use these numbers: 10 of 10 launches lack their proof; bound 0, and no valid launch is left of jar, aot.");
}

#[test]
fn nothing_at_all() {
    let mut run = Synthetic::new(5).variant(jar()).run();
    run.launches.clear();
    assert_snapshot!(advice(&run), @"Do not use these numbers: nothing was launched before the run ended.");
    run.plan.cells.clear();
    assert_snapshot!(advice(&run), @"There is nothing to advise: the plan has no cells (with caution: interrupted).");
}

fn memory(run: &RunData) -> Vec<String> {
    analyse(run).advice.by_limits.remove(0).memory
}

#[test]
fn memory_is_weighed_against_throughput() {
    let adaptive = Profile {
        name: "adaptive".to_owned(),
        throughput: 1008.0,
        memory_bytes: 104 << 20,
        ..jar()
    };
    let hungry = Profile {
        name: "hungry".to_owned(),
        memory_bytes: 300 << 20,
        ..jar()
    };
    let as_much = Profile {
        name: "as-much".to_owned(),
        ..jar()
    };
    let run = Synthetic::new(5)
        .variant(jar())
        .variant(hungry)
        .variant(adaptive)
        .variant(native())
        .variant(as_much)
        .run();
    assert_eq!(
        memory(&run),
        [
            "`adaptive` uses 48 % less memory than `jar` at the same throughput (difference 0.8 %, 95 %: -0.7 % to 2.3 %).",
            "`native` uses 70 % less memory than `jar` and has 38 % less throughput (95 %: -39 % to -37 %).",
            "`hungry` uses 50 % more memory than `jar` at the same throughput (difference 0 %, 95 %: -1.5 % to 1.5 %).",
            "`adaptive` uses 65 % less memory than `hungry` at the same throughput (difference 0.8 %, 95 %: -0.7 % to 2.3 %).",
            "`adaptive` uses 48 % less memory than `as-much` at the same throughput (difference 0.8 %, 95 %: -0.7 % to 2.3 %).",
            "`adaptive` uses 73 % more memory than `native` and has 63 % more throughput (95 %: 60 % to 65 %).",
        ]
    );
}

#[test]
fn a_price_that_is_not_known_is_said_to_be_so() {
    let small = Profile {
        name: "small".to_owned(),
        throughput: 990.0,
        memory_bytes: 50 << 20,
        ..jar()
    };
    let run = Synthetic::new(5)
        .variant(noisy(jar(), 0.1))
        .variant(noisy(small, 0.1))
        .run();
    let said = memory(&run);
    assert!(said[0].starts_with("`small` uses 75 % less memory than `jar`; throughput is not told apart (difference -1 %, 95 %: "), "{said:?}");
}

#[test]
fn memory_that_is_alike_is_not_spoken_of() {
    let run = Synthetic::new(5).variant(jar()).run();
    assert!(memory(&run).is_empty());
}

#[test]
fn a_long_build_is_weighed_against_what_its_starts_save() {
    let native = Profile {
        build_s: 288.0,
        ..native()
    };
    let run = Synthetic::new(5)
        .variant(jar())
        .variant(native.clone())
        .run();
    assert_snapshot!(advice(&run), @"Keep `jar`: ready in 2 s, first request 80 ms, 1,000 requests/s, 200 MiB of memory at its peak; `native`: 38 % less throughput; where memory is what counts, `native` needs 70 % less; building `native` takes 4.8 min, which 142 starts win back against `jar`.");
    let run = Synthetic::new(5)
        .variant(jar())
        .variant(Profile {
            throughput: 1200.0,
            cpu_per_request_ms: 0.4,
            ..native.clone()
        })
        .run();
    assert_snapshot!(advice(&run), @"Ship `native`: ready in 60 ms (33 x sooner than `jar`), 20 x faster first request, 20 % more throughput, 70 % less memory; throughput decided, `jar` is the runner-up; building `native` takes 4.8 min, which 142 starts win back against `jar`.");
    let everywhere = Synthetic::new(5)
        .variant(jar())
        .variant(aot())
        .variant(native)
        .limits("1cpu-256MiB", 1.0, 256 << 20)
        .limits("0.25cpu-256MiB", 0.25, 256 << 20);
    assert_snapshot!(advice(&everywhere.run()), @"Ship `aot` whatever the limits: ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 1cpu-256MiB, ready in 770 ms (2.6 x sooner than `jar`) with 10 % less memory at 0.25cpu-256MiB; where memory is what counts, `native` needs at least 67 % less; building `native` takes 4.8 min, which 388 starts win back against `aot`.");
}
