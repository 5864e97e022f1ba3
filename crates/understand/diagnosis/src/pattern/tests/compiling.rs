//! Code that the JVM compiles, throws away, or leaves by a trap.

use super::*;
use tacho_run_folder::LedgerKind::{
    ClassDefinitions, Compilations, Deoptimisations, Exceptions, Regexes,
};

/// A build in which a method is compiled so often, and takes so long, beside something else.
fn tariffs(other_ms: f64, sum_ms: f64, compiled: f64, compiling_ms: f64) -> Build {
    let method = "shop.Tariff.sum";
    Build::of(1.0 + other_ms + sum_ms + compiling_ms)
        .works("shop.Other.one:3", other_ms)
        .works(WORK, 0.9)
        .works("shop.Tariff.sum:17 shop.Web.get:5", sum_ms)
        .jvm("JIT", compiling_ms)
        .counts(Compilations, "C2", None, method, compiled, compiling_ms)
}

#[test]
fn code_that_is_compiled_again_and_again() {
    let turns = "java.lang.invoke.MutableCallSite.setTarget:1 shop.Switch.turn:15";
    let found = findings(
        tariffs(0.0, 0.1, 0.001, 0.02),
        tariffs(0.0, 2.1, 0.25, 0.62).works(turns, 0.2),
    );
    let first = &found.findings[0];
    assert_eq!(
        (first.pattern.as_str(), first.owner.as_str(), first.line),
        ("deoptimisation-storm", "shop.Tariff.sum", Some(17))
    );
    assert_eq!(
        first.sentence,
        "The compiled code of shop.Tariff.sum is thrown away again and again: it is compiled once in 4 requests (before: once in 1,000 requests). In between the interpreter runs it, and compiling takes 0.60 ms of processor time. Meanwhile shop.Switch.turn gives call sites another target."
    );
    assert_eq!(first.counts[0].what, "shop.Tariff.sum compiled (C2)");
    // 2 ms of the interpreter and 0.6 of the compilers.
    assert!((first.time_ms.more() - 2.6).abs() < 1e-9, "{first:#?}");
    assert!((found.recompiling_ms - 0.6).abs() < 1e-9, "{found:#?}");
    assert!((first.explains - 2.6 / 2.6).abs() < 0.1, "{first:#?}");
    // Who throws it away is told for his own part.
    let turns = &found.findings[1];
    assert_eq!(
        (turns.pattern.as_str(), turns.owner.as_str(), turns.line),
        ("deoptimisation-storm", "shop.Switch.turn", Some(15))
    );
    assert!(
        turns
            .sentence
            .contains("again and again: of shop.Tariff.sum."),
        "{}",
        turns.sentence
    );
}

#[test]
fn what_was_compiled_into_code_that_is_thrown_away() {
    let stack = "java.lang.invoke.LambdaForm$MH.invoke shop.Flags.read:30 shop.Flags.isOn:15 shop.Tariff.sum:18 shop.Web.get:5";
    // The platform makes classes for the handles that are new.
    let made = "java.lang.ClassLoader.defineClass0:1 java.lang.invoke.InvokerBytecodeGenerator.generate:7 shop.Flags.read:30 shop.Flags.isOn:15 shop.Tariff.sum:18";
    let before = tariffs(0.0, 0.1, 0.001, 0.02).evidence();
    let after = |stack| {
        let other = 1.5;
        let after = tariffs(other, 1.1, 0.25, 0.62);
        after.works(stack, other).works(made, 0.1)
    };
    let found = find(Some(&before), &after(stack).evidence(), None);
    let told = |owner: &str| found.findings.iter().find(|f| f.owner == owner).unwrap();
    let flags = told("shop.Flags.read");
    assert_eq!(
        (flags.pattern.as_str(), flags.line),
        ("deoptimisation-storm", Some(30))
    );
    assert!(
        flags
            .sentence
            .contains("it is compiled into shop.Tariff.sum, whose compiled code is"),
        "{}",
        flags.sentence
    );
    // Who is not called by that code has another reason.
    assert_eq!(told("shop.Other.one").pattern, "processor-time");
    // And so has who does something that costs, whoever calls it.
    let compile = "java.util.regex.Pattern.compile:3 shop.Check.is:30 shop.Tariff.sum:18";
    let after = after(compile).counts(Regexes, "[a-z]+", None, compile, 12.0, 1.0);
    let found = find(Some(&before), &after.evidence(), None);
    let told = found.findings.iter().find(|f| f.owner == "shop.Check.is");
    assert_eq!(told.unwrap().pattern, "regex-per-call");
}

#[test]
fn compiling_that_ends_is_no_storm_and_counts_in_no_share() {
    // The candidate is not as warm: its compilers work, each method is compiled once or twice, and
    // a trap is hit a few times.
    let trap = "shop.Tariff.sum:18 shop.Web.get:5";
    let warm = || tariffs(0.0, 0.1, 0.001, 0.02);
    let late = |other_ms| {
        let late = (0..40).fold(tariffs(other_ms, 0.1, 0.002, 0.6), |build, n| {
            let method = format!("shop.Late.step{n}");
            build.counts(Compilations, "C1", None, &method, 0.002, 0.01)
        });
        let key = "unstable_if: reinterpret";
        late.counts(Deoptimisations, key, None, trap, 0.012, 0.0)
    };
    let found = findings(warm(), late(0.0));
    assert_eq!(found.findings, []);
    assert_eq!(found.recompiling_ms, 0.0);
    assert!(found.unexplained.ms < 0.05, "{found:#?}");
    // Beside a real cause it is not named either.
    let found = findings(warm(), late(2.0));
    let told = found
        .findings
        .iter()
        .map(|f| (f.pattern.as_str(), f.also.len()));
    assert_eq!(told.collect::<Vec<_>>(), [("processor-time", 0)]);
}

#[test]
fn a_trap_that_is_hit_again_and_again() {
    let stack = "lib.Table.at:7 shop.Report.row:12 shop.Web.get:5";
    let key = "class_check: none";
    let trapped = |build: Build| build.counts(Deoptimisations, key, None, stack, 40.0, 0.0);
    let found = first(|build| trapped(build.works(stack, 2.0)), 2.0);
    assert_eq!(
        (found.pattern.as_str(), found.owner.as_str(), found.line),
        ("deoptimisation-storm", "shop.Report.row", Some(12))
    );
    assert_eq!(
        found.sentence,
        "shop.Report.row leaves its compiled code 40 times for each request (before: never) and goes on in the interpreter, mostly by a trap (class_check) at lib.Table.at:7. The compiler has given up on it: the code stays as it is."
    );
    // Where each of them is an exception, that is what can be mended.
    let thrown = "java.lang.ArrayIndexOutOfBoundsException: 9";
    let found = first(
        |build| {
            trapped(build.works(stack, 1.6))
                .works(&format!("java.lang.Throwable.<init>:9 {stack}"), 0.4)
                .counts(Exceptions, thrown, None, stack, 40.0, 0.0)
        },
        2.0,
    );
    assert_eq!(found.pattern, "exceptions-as-control-flow");
    assert_eq!(found.also[0].pattern, "deoptimisation-storm");
}

#[test]
fn classes_that_are_defined_meanwhile_are_named() {
    let definition = "java.lang.ClassLoader.defineClass1:1 java.lang.ClassLoader.defineClass:9 shop.Rules.load:30";
    let defining = |times| {
        tariffs(0.0, 2.1, 0.25, 0.62).counts(
            ClassDefinitions,
            "shop.Rule",
            None,
            definition,
            times,
            0.0,
        )
    };
    let found = findings(tariffs(0.0, 0.1, 0.001, 0.02), defining(0.05));
    let first = &found.findings[0];
    assert!(
        first
            .sentence
            .ends_with("Meanwhile classes are defined once in 20 requests (shop.Rule)."),
        "{}",
        first.sentence
    );
}
