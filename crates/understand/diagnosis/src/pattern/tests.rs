//! Each rule with the evidence on which it fires, and that on which it does not.

use crate::finding::{Clock, Finding, Findings, find};
use crate::pattern::PATTERNS;
use crate::testkit::Build;
use tacho_run_folder::LedgerKind::{
    ClassDefinitions, ClassLookUps, Compilations, Deoptimisations, Exceptions, LockWaits, LogLines,
    Parks, Queries, Queueing, Reflection, Regexes, RemoteCalls, ResourceLookUps, Sleeps,
    SocketWaits, Survivors,
};

const WORK: &str = "shop.Orders.total:10 shop.Web.get:5 lib.Server.run:1";

fn findings(baseline: Build, candidate: Build) -> Findings {
    find(Some(&baseline.evidence()), &candidate.evidence(), None)
}

/// The first of what is found between a build that works 1 ms and one that does something else on
/// top.
fn first(candidate: impl FnOnce(Build) -> Build, more_ms: f64) -> Finding {
    let found = findings(
        Build::of(1.0).works(WORK, 0.9),
        candidate(Build::of(1.0 + more_ms).works(WORK, 0.9)),
    );
    let unexplained = found.unexplained.share;
    let first = found.findings.into_iter().next().expect("a finding");
    // What one instrument alone says is not the whole reason.
    let most = match first.supported_by.len() {
        1 => 0.34,
        _ => 0.2,
    };
    assert!(unexplained < most, "{unexplained} {first:#?}");
    first
}

#[test]
fn classes_that_do_not_exist() {
    let stack = "java.net.URLClassLoader.findClass:4 java.lang.ClassLoader.loadClass:9 java.lang.Class.forName:3 shop.Decoder.lambda$decoder$0:42 shop.Web.get:5";
    let found = first(
        |build| {
            build
                .works(stack, 3.0)
                .counts(
                    ClassLookUps,
                    "org.joda.Time",
                    Some("java.lang.ClassNotFoundException"),
                    stack,
                    4.0,
                    3.0,
                )
                .counts(
                    Exceptions,
                    "java.lang.ClassNotFoundException: org.joda.Time",
                    None,
                    stack,
                    4.0,
                    0.0,
                )
        },
        3.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("absent-classes", Some(42))
    );
    assert_eq!(found.owner, "shop.Decoder.decoder (a lambda in it)");
    assert_eq!(found.counts[0].what, "org.joda.Time");
    assert_eq!(found.counts[0].times.candidate, 4.0);
    assert!(
        found.sentence.contains(
            "looks 4 times (before: never) for classes that do not exist: org.joda.Time."
        ),
        "{}",
        found.sentence
    );
    assert!((found.explains - 1.0).abs() < 0.01);
}

#[test]
fn as_many_look_ups_at_a_higher_price_are_told_with_their_loaders() {
    let stack =
        "java.lang.ClassLoader.loadClass:9 java.lang.Class.forName:3 shop.Decoder.decode:42";
    let build = |processor_ms, ms, loader| {
        let build = Build::of(processor_ms).works(WORK, 0.9).works(stack, ms);
        let mut evidence = build
            .counts(
                ClassLookUps,
                "org.joda.Time",
                Some("java.lang.ClassNotFoundException"),
                stack,
                4.0,
                ms,
            )
            .evidence();
        let ledger = evidence
            .ledgers
            .iter_mut()
            .find(|ledger| ledger.kind == ClassLookUps)
            .unwrap();
        ledger.entries[0].loader = Some(String::from(loader));
        evidence.packed_places = Some(118);
        evidence
    };
    let found = find(
        Some(&build(1.2, 0.2, "tomcat.WebappLoader")),
        &build(4.2, 3.2, "boot.LaunchedLoader"),
        None,
    );
    let first = &found.findings[0];
    assert_eq!(first.pattern, "absent-classes");
    assert!(
        first
            .sentence
            .contains("4 times (before: as often, at a lower price)"),
        "{}",
        first.sentence
    );
    assert!(
        first
            .sentence
            .contains("Asked: boot.LaunchedLoader (before: tomcat.WebappLoader). Each asks 118 places, 117 libraries and the application's own classes: 472 of them in all."),
        "{}",
        first.sentence
    );
}

#[test]
fn scans_for_services_are_told_beside_what_makes_them() {
    let stack = "java.util.zip.ZipFile.getEntry:1 java.lang.ClassLoader.getResources:7 java.util.ServiceLoader$LazyIterator.hasNext:3 lib.Mapper.<init>:8 shop.Json.read:12";
    let found = first(
        |build| {
            build
                .works(stack, 2.0)
                .works(
                    "lib.Mapper.fill:2 lib.Mapper.<init>:9 shop.Json.read:12",
                    0.1,
                )
                .counts(
                    ResourceLookUps,
                    "META-INF/services/lib.Module",
                    None,
                    stack,
                    8.0,
                    2.0,
                )
        },
        2.1,
    );
    assert_eq!(found.pattern, "service-loader-scan");
    let also: Vec<&str> = found
        .also
        .iter()
        .map(|also| also.pattern.as_str())
        .collect();
    assert_eq!(also, ["recreated-objects"]);
}

#[test]
fn resources_of_the_class_path() {
    let stack = "java.util.zip.Inflater.inflate:1 java.lang.ClassLoader.getResourceAsStream:7 shop.Texts.read:12";
    let found = first(
        |build| {
            build.works(stack, 1.0).counts(
                ResourceLookUps,
                "texts.properties",
                None,
                stack,
                1.0,
                1.0,
            )
        },
        1.0,
    );
    assert_eq!(found.pattern, "resource-look-ups");
}

#[test]
fn queries_for_each_item() {
    let stack = "org.h2.jdbc.JdbcPreparedStatement.executeQuery:1 shop.Items.load:20";
    let found = first(
        |build| {
            build.works(stack, 2.0).counts(
                Queries,
                "select * from item where id = ?",
                None,
                stack,
                20.0,
                2.0,
            )
        },
        2.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("queries-per-item", Some(20))
    );
    assert!(
        found.sentence.contains("20 statements"),
        "{}",
        found.sentence
    );
}

#[test]
fn calls_of_another_service() {
    let stack =
        "java.net.SocketInputStream.read:1 sun.net.www.http.HttpClient.parse:2 shop.Prices.price:9";
    let found = first(
        |build| {
            build
                .works(stack, 0.2)
                .counts(SocketWaits, "stock:80", None, stack, 5.0, 4.0)
                .counts(
                    RemoteCalls,
                    "java.net.HttpURLConnection.getInputStream",
                    None,
                    stack,
                    5.0,
                    4.0,
                )
        },
        0.2,
    );
    assert_eq!(found.pattern, "remote-calls-per-item");
    assert!((found.time_ms.candidate - 4.2).abs() < 1e-9);
}

#[test]
fn logging() {
    let stack = "java.io.FileOutputStream.writeBytes:1 ch.qos.logback.core.OutputStreamAppender.append:2 org.slf4j.Logger.info:1 shop.Audit.note:9";
    assert_eq!(
        first(|build| build.works(stack, 1.0), 1.0).pattern,
        "synchronous-logging"
    );
    let found = first(
        |build| {
            let lines = "log lines (Logback)";
            build
                .works(stack, 1.0)
                .counts(LogLines, lines, None, stack, 40.0, 1.0)
        },
        1.0,
    );
    assert!(
        found
            .sentence
            .contains("it writes one 40 times (before: never)"),
        "{}",
        found.sentence
    );
    assert_eq!(found.counts[0].times.candidate, 40.0);
}

#[test]
fn regular_expressions() {
    let stack = "java.util.regex.Pattern.expr:1 java.util.regex.Pattern.<init>:2 java.util.regex.Pattern.compile:3 java.lang.String.matches:4 shop.Check.is:9";
    let found = first(
        |build| {
            build
                .works(stack, 1.0)
                .counts(Regexes, "[a-z]+", None, stack, 12.0, 1.0)
        },
        1.0,
    );
    assert_eq!(found.pattern, "regex-per-call");
}

#[test]
fn exceptions_also_swallowed_ones() {
    let stack = "java.lang.Throwable.fillInStackTrace:1 java.lang.NumberFormatException.forInputString:2 java.lang.Integer.parseInt:5 shop.Parse.number:9";
    let found = first(
        |build| {
            build.works(stack, 1.0).counts(
                Exceptions,
                "java.lang.NumberFormatException: For input string: \"x\"",
                None,
                stack,
                20.0,
                0.0,
            )
        },
        1.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("exceptions-as-control-flow", Some(9))
    );
    assert_eq!(found.counts[0].what, "java.lang.NumberFormatException");
}

#[test]
fn reflection() {
    let stack = "java.lang.Class.getDeclaredMethods:1 java.lang.Class.getMethod:2 shop.Bean.copy:9";
    let found = first(
        |build| {
            build.works(stack, 1.0).counts(
                Reflection,
                "java.lang.Class.getMethod",
                None,
                stack,
                30.0,
                1.0,
            )
        },
        1.0,
    );
    assert_eq!(found.pattern, "reflection-per-call");
}

#[test]
fn classes_for_each_request() {
    let making =
        "java.lang.reflect.Proxy.newProxyInstance:1037 shop.Clients.client:9 shop.Web.get:5";
    let bytes = format!("jdk.internal.org.objectweb.asm.ClassWriter.toByteArray:1 {making}");
    let defined = format!("java.lang.ClassLoader.defineClass1 {making}");
    let found = first(
        |build| {
            // Most of the work is to make the bytes, and is not below what defines them.
            build.works(&bytes, 0.9).works(&defined, 0.1).counts(
                ClassDefinitions,
                "jdk.proxy.$Proxy",
                None,
                &defined,
                3.0,
                0.0,
            )
        },
        1.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("classes-per-request", Some(9))
    );
    assert!((found.explains - 1.0).abs() < 0.01, "{found:#?}");
    assert!(
        found.sentence.starts_with("For each request shop.Clients.client has classes made 3 times (before: never): jdk.proxy.$Proxy."),
        "{}",
        found.sentence
    );
    // A class that is needed for the first time is no habit.
    let found = first(
        |build| {
            build
                .works(&bytes, 1.0)
                .counts(ClassDefinitions, "lib.Late", None, &defined, 0.01, 0.0)
        },
        1.0,
    );
    assert_ne!(found.pattern, "classes-per-request");
}

#[test]
fn locks_of_both_kinds() {
    let found = first(
        |build| {
            build.counts(
                LockWaits,
                "shop.Cache",
                None,
                "shop.Cache.get:30 shop.Web.get:5",
                0.9,
                3.0,
            )
        },
        0.0,
    );
    assert_eq!(
        (found.pattern.as_str(), found.line),
        ("lock-contention", Some(30))
    );
    let key = "java.util.concurrent.locks.ReentrantLock$NonfairSync";
    let found = first(
        |build| {
            build.counts(
                Parks,
                key,
                None,
                "jdk.internal.misc.Unsafe.park shop.Cache.get:30",
                0.9,
                3.0,
            )
        },
        0.0,
    );
    assert_eq!(found.pattern, "lock-contention");
}

#[test]
fn sleeping_and_waiting() {
    let found = first(
        |build| {
            build.counts(
                Sleeps,
                "",
                None,
                "java.lang.Thread.sleep:1 shop.Retry.once:7",
                1.0,
                5.0,
            )
        },
        0.0,
    );
    assert_eq!(found.pattern, "sleeping");
    let found = first(
        |build| {
            build.counts(
                SocketWaits,
                "ledger:9",
                None,
                "java.net.SocketInputStream.read:1 shop.Ledger.ask:7",
                1.0,
                5.0,
            )
        },
        0.0,
    );
    assert_eq!(found.pattern, "waiting");
    let found = first(
        |build| {
            build.counts(Parks, "java.util.concurrent.FutureTask", None, "jdk.internal.misc.Unsafe.park java.util.concurrent.FutureTask.get:1 shop.Fan.out:7", 1.0, 5.0)
                .counts(Queueing, "pool-1-thread", None, "java.util.concurrent.ThreadPoolExecutor.execute:1 shop.Fan.out:6", 2.0, 4.0)
        },
        0.0,
    );
    assert_eq!(found.pattern, "pool-starvation");
    assert!(
        found.sentence.ends_with(
            "In the queue of the thread pool pool-1-thread its tasks wait 4 ms of a request (before: 0 ms)."
        ),
        "{}",
        found.sentence
    );
    assert_eq!(found.counts[1].times.candidate, 2.0);
}

#[test]
fn requests_that_wait_before_anybody_begins() {
    let found = findings(
        Build::of(1.0).works(WORK, 0.9).threads(8).takes(1.2, 0.3),
        Build::of(1.0).works(WORK, 0.9).threads(1).takes(6.0, 0.6),
    );
    // Processors are busy two thirds of the time: that is not what they wait for.
    assert_eq!(found.findings[0].pattern, "pool-starvation");
    // Where the queue was seen, as many threads as before do not hide it.
    let queued = |port: u32, ms| {
        Build::of(1.0).works(WORK, 0.9).threads(8).counts(
            Queueing,
            &format!("http-nio-{port}-exec"),
            None,
            "org.apache.tomcat.util.net.NioEndpoint.processSocket:1",
            1.0,
            ms,
        )
    };
    let found = findings(
        queued(8080, 0.1).takes(1.2, 0.3),
        queued(9090, 4.5).takes(6.0, 0.6),
    );
    assert_eq!(
        found.findings[0].sentence,
        "Requests wait 4.50 ms each in the queue of the thread pool http-nio-9090-exec before shop.Orders.total begins (before: 0.10 ms)."
    );
    assert_eq!(found.findings[0].counts[0].times.candidate, 1.0);
    let busy = findings(
        Build::of(1.0).works(WORK, 0.9).threads(8).takes(1.2, 0.3),
        Build::of(1.0).works(WORK, 0.9).threads(1).takes(6.0, 0.95),
    );
    assert_eq!(busy.findings, []);
}

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
