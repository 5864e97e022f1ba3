//! Classes, services and resources that are looked for, and classes that are made.

use super::*;
use tacho_run_folder::LedgerKind::{ClassDefinitions, ClassLookUps, Exceptions, ResourceLookUps};

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
