//! What is claimed of a difference, and what is not.

use super::*;
use crate::finding::{Clock, Differs};
use crate::pattern::PATTERNS;
use tacho_run_folder::LedgerKind::{ClassLookUps, Exceptions, Queueing, Regexes, SocketWaits};
use tacho_run_folder::{BuildChanges, Change, ClassChange};

#[test]
fn nothing_is_claimed_where_nothing_is() {
    let same = findings(
        Build::of(1.0).works(WORK, 0.9),
        Build::of(1.0).works(WORK, 0.9),
    );
    assert_eq!(same.findings, []);
    // Moved code: one owner less, another more, together the same and a real cause beside them.
    let found = findings(
        Build::of(2.0)
            .works("shop.Old.render:1", 1.0)
            .works(WORK, 0.9),
        Build::of(4.0)
            .works("shop.New.render:1", 1.0)
            .works(WORK, 0.9)
            .works("shop.Slow.one:3", 2.0),
    );
    assert_eq!(found.findings[0].owner, "shop.Slow.one");
}

#[test]
fn what_is_not_explained_is_said() {
    let found = findings(
        Build::of(1.0).works(WORK, 0.9),
        Build::of(3.0)
            .works(WORK, 0.9)
            .works("shop.Slow.one:3", 1.0),
    );
    assert!((found.unexplained.share - 0.5).abs() < 0.01, "{found:#?}");
    assert!((found.unexplained.ms - 1.0).abs() < 0.02);
}

#[test]
fn one_build_alone_is_told_by_what_a_request_spends() {
    let stack = "java.util.regex.Pattern.compile:3 shop.Check.is:9";
    let candidate = Build::of(2.0)
        .works(WORK, 0.9)
        .works(stack, 1.0)
        .counts(Regexes, "[a-z]+", None, stack, 12.0, 1.0);
    let found = find(None, &candidate.evidence(), None);
    assert!(!found.compared);
    assert_eq!(found.findings[0].pattern, "regex-per-call");
    assert!(
        !found.findings[0].sentence.contains("before"),
        "{}",
        found.findings[0].sentence
    );
    assert_eq!(found.findings[1].pattern, "processor-time");
}

#[test]
fn what_nobody_looked_for_in_one_build_is_no_difference() {
    let stack =
        "java.lang.ClassLoader.loadClass:9 java.lang.Class.forName:3 shop.Decoder.decode:42";
    let build = |more| {
        Build::of(1.0 + more)
            .works(stack, 0.9 + more)
            .counts(
                ClassLookUps,
                "org.joda.Time",
                Some("java.lang.ClassNotFoundException"),
                stack,
                4.0,
                0.5,
            )
            .counts(
                Exceptions,
                "java.lang.ClassNotFoundException: org.joda.Time",
                None,
                stack,
                4.0,
                0.0,
            )
    };
    // The agent was let into neither its JVM nor its recorder: both builds look as often.
    let found = findings(build(0.0).without(&[ClassLookUps, Exceptions]), build(3.0));
    assert_eq!(
        found.findings[0].pattern, "processor-time",
        "{:#?}",
        found.findings
    );
    assert_eq!(found.findings[0].also, []);
    let not_looked = found
        .not_looked
        .iter()
        .find(|not| not.pattern == "absent-classes");
    assert_eq!(
        not_looked.unwrap().why,
        "class look ups, exceptions not observed in shop"
    );
    // One of the two is enough for that rule, and not for the one of exceptions.
    let found = findings(build(0.0).without(&[Exceptions]), build(3.0));
    assert_eq!(
        found.findings[0].pattern, "absent-classes",
        "{:#?}",
        found.findings
    );
    let not_looked = found.not_looked.iter().map(|not| not.pattern.as_str());
    assert_eq!(
        not_looked.collect::<Vec<_>>(),
        ["exceptions-as-control-flow"]
    );
    assert_eq!(findings(build(0.0), build(3.0)).not_looked, []);
}

#[test]
fn every_rule_declares_itself() {
    let mut ids: Vec<&str> = PATTERNS.iter().map(|pattern| pattern.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), PATTERNS.len());
    for pattern in PATTERNS {
        assert!(
            !pattern.needs.is_empty() && !pattern.name.is_empty(),
            "{}",
            pattern.id
        );
    }
}

#[test]
fn what_both_builds_do_alike_is_no_reason() {
    let look_up = "java.lang.ClassLoader.loadClass:9 lib.Mapper.<init>:8 shop.Json.read:12";
    let make = "lib.Mapper.fill:2 lib.Mapper.<init>:9 shop.Json.read:12";
    let build = |processor_ms, ms| {
        Build::of(processor_ms)
            .works(WORK, 0.9)
            .works(look_up, ms)
            .works(make, ms)
            .counts(
                ClassLookUps,
                "org.joda.Time",
                Some("java.lang.ClassNotFoundException"),
                look_up,
                4.0,
                ms,
            )
            .traced("shop.Json.read", "lib.Mapper.<init>", 1.0, ms)
    };
    let found = findings(build(1.4, 0.2), build(5.0, 2.0));
    // The mapper is made as often as before; what it looks for has become costlier.
    assert_eq!(found.findings[0].pattern, "absent-classes");
    assert_eq!(found.findings[0].also[0].pattern, "recreated-objects");
}

/// A trace is by the wall clock: beside it has to be said what the time of a finding is.
#[test]
fn a_finding_says_by_which_clock_its_time_is() {
    let read = "java.net.SocketInputStream.read:1 shop.Prices.price:9";
    let works = |ms: f64| move |build: Build| build.works("shop.Prices.price:9", ms);
    let waits = |build: Build| build.counts(SocketWaits, "stock:80", None, read, 1.0, 4.0);
    assert_eq!(first(works(2.0), 2.0).clock, Clock::Processor);
    assert_eq!(first(waits, 0.0).clock, Clock::Waiting);
    let both = first(|build| waits(works(2.0)(build)), 2.0);
    assert_eq!(both.clock, Clock::Both);
    // Before any code of the application runs nothing works on a request.
    let queued = "java.util.concurrent.ThreadPoolExecutor.execute:1 lib.Server.accept:4";
    let build = |waited: f64, takes: f64| {
        Build::of(1.0)
            .works(WORK, 0.9)
            .counts(Queueing, "http-1", None, queued, 1.0, waited)
            .takes(takes, 0.1)
    };
    let turn = findings(build(0.1, 1.1), build(9.0, 10.0));
    assert_eq!(turn.findings[0].pattern, "pool-starvation", "{turn:#?}");
    assert_eq!(turn.findings[0].clock, Clock::Waiting);
    // A document of a version that did not say it.
    let mut older = serde_json::json!(both);
    assert_eq!(older["clock"], "both");
    older.as_object_mut().unwrap().remove("clock");
    let read: Finding = serde_json::from_value(older).unwrap();
    assert_eq!(read.clock, Clock::Both);
}

#[test]
fn the_member_that_differs_is_the_owners_also_where_it_is_a_lambda() {
    let differs = |frame: &str, member: &str| {
        let class = ClassChange {
            class: "shop.Prices".to_owned(),
            change: Change::Changed,
            members: vec![member.to_owned()],
            library: None,
        };
        let changes = BuildChanges {
            classes: vec![class],
            ..BuildChanges::default()
        };
        let baseline = Build::of(1.0).works(WORK, 0.9).evidence();
        let candidate = Build::of(3.0).works(WORK, 0.9).works(frame, 2.0).evidence();
        let found = find(Some(&baseline), &candidate, Some(&changes));
        found.findings[0].differs
    };
    let owner = Some(Differs::Owner);
    assert_eq!(differs("shop.Prices.sum:9", "sum"), owner);
    assert_eq!(differs("shop.Prices.lambda$sum$3:9", "lambda$sum$"), owner);
    assert_eq!(
        differs("shop.Prices.lambda$static$0:9", "lambda$static$"),
        owner
    );
    // Another member, whose name begins alike.
    assert_eq!(
        differs("shop.Prices.sum:9", "sumOfAll"),
        Some(Differs::Class)
    );
}
