//! Memory that is allocated, and memory that is kept.

use super::*;
use crate::finding::Clock;
use tacho_run_folder::LedgerKind::Survivors;

#[test]
fn memory_with_its_part_of_collecting() {
    let found = first(
        |build| {
            build
                .works("shop.Buffer.fill:8", 0.3)
                .allocates("byte[]", "shop.Buffer.fill:8", 4e6)
                .allocates("char[]", WORK, 1e4)
                .jvm("GC", 1.0)
        },
        1.3,
    );
    assert_eq!(found.pattern, "oversize-allocation");
    assert!(found.time_ms.more() > 1.2, "{found:#?}");
}

#[test]
fn memory_that_is_kept() {
    let stack = "java.util.ArrayList.add:1 shop.Log.remember:8";
    let build = |processor_ms| {
        let build = Build::of(processor_ms).works(WORK, 0.9);
        build.allocates("byte[]", WORK, 1e4)
    };
    let candidate = build(2.5).counts(Survivors, "shop.Visit", None, stack, 0.2, 0.0);
    let found = findings(build(1.0), candidate.jvm("GC", 1.5));
    let first = &found.findings[0];
    assert_eq!(
        (first.pattern.as_str(), first.line),
        ("gc-pressure", Some(8))
    );
    assert!((first.time_ms.more() - 1.5).abs() < 0.01, "{found:#?}");
    // The collector has threads of its own, which work.
    assert_eq!(first.clock, Clock::Processor);
}
