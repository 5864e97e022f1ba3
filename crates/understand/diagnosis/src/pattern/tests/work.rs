//! More work of the application: objects made anew, more calls, costlier methods.

use super::*;

#[test]
fn heavy_objects() {
    let stack = "java.lang.reflect.Method.invoke:1 lib.Mapper.scan:3 lib.Mapper.<init>:2 shop.Json.read:12 shop.Web.get:5";
    let found = first(
        |build| {
            build
                .works(stack, 2.0)
                .traced("shop.Json.read", "lib.Mapper.<init>", 1.0, 2.0)
        },
        2.0,
    );
    assert_eq!(found.pattern, "recreated-objects");
    assert!(
        found.sentence.contains("makes Mapper once (before: never)"),
        "{}",
        found.sentence
    );
}

#[test]
fn a_cache_that_does_not_answer_any_more() {
    let stack = "lib.Rates.compute:4 shop.Prices.price:9";
    let found = findings(
        Build::of(1.0).works(WORK, 0.9).works(stack, 0.02).traced(
            "shop.Prices.price",
            "lib.Rates.compute",
            0.01,
            0.02,
        ),
        Build::of(3.0).works(WORK, 0.9).works(stack, 2.0).traced(
            "shop.Prices.price",
            "lib.Rates.compute",
            1.0,
            2.0,
        ),
    );
    assert_eq!(found.findings[0].pattern, "more-calls");
}

#[test]
fn more_work_is_told_as_that() {
    let found = first(
        |build| build.works("shop.Hash.round:77 shop.Web.get:5", 2.0),
        2.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("processor-time", Some(77))
    );
    assert_eq!(found.counts, []);
}

#[test]
fn more_work_in_one_callee_is_told_with_its_calls() {
    let stack = "java.util.ArrayList.contains:4 shop.Distinct.of:9";
    let own = "shop.Distinct.of:8";
    let traced = |build: Build, times| {
        build.traced(
            "shop.Distinct.of",
            "java.util.ArrayList.contains",
            times,
            times / 1e3,
        )
    };
    let baseline = Build::of(1.0).works(WORK, 0.9).works(stack, 0.02);
    let candidate = Build::of(4.0)
        .works(WORK, 0.9)
        .works(stack, 2.0)
        .works(own, 0.9);
    let found = findings(traced(baseline, 1000.0), traced(candidate, 1200.0));
    let first = &found.findings[0];
    assert_eq!(first.pattern, "processor-time");
    assert!(
        first
            .sentence
            .contains("which it calls 1,200 times (before: 1,000 times)"),
        "{}",
        first.sentence
    );
    assert_eq!(
        first.counts[0].what,
        "calls of java.util.ArrayList.contains"
    );
    assert_eq!(first.counts[0].times.candidate, 1200.0);
    assert!(!first.counts[0].times.estimated);
}

#[test]
fn a_count_that_stands_for_others_is_not_told_as_exact() {
    let stack = "java.util.ArrayList.contains:4 shop.Distinct.of:9";
    let traced = |build: Build, times| {
        let callee = "java.util.ArrayList.contains";
        build
            .traced("shop.Distinct.of", callee, times, times / 1e3)
            .traced_by_chance()
    };
    let baseline = Build::of(1.0).works(WORK, 0.9).works(stack, 0.02);
    let candidate = Build::of(4.0).works(WORK, 0.9).works(stack, 2.9);
    let found = findings(traced(baseline, 10.0), traced(candidate, 1200.0));
    let first = &found.findings[0];
    assert_eq!(first.pattern, "more-calls");
    assert!(
        first.sentence.contains("about 1,200 times"),
        "{}",
        first.sentence
    );
    assert!(first.counts[0].times.estimated);
}
