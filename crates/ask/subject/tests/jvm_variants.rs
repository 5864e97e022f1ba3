//! Variants of a real service on the real JDKs of this machine.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, SystemTime};
use support::{Bench, spec, subject};
use tacho_experiment::{GcLog, SubjectSpec, VariantKind};
use tacho_subject::*;

/// What `-Xlog:class+load` says about a launch: the application's class, and all classes.
struct Loaded {
    application: String,
    shared: f64,
}

fn classes_loaded(bench: &Bench, prepared: &Prepared) -> Loaded {
    let log = bench.path("class-load.txt");
    let flag = format!("-Xlog:class+load:file={}", log.display());
    let running = bench.launch(prepared, Some(flag));
    assert_eq!(running.get("/"), "hello world");
    if let ProofNeeded::SharedClasses { archive, .. } = &prepared.proof {
        let mapped = running.maps().contains(archive.to_str().unwrap());
        assert!(mapped, "{} is not mapped", archive.display());
    }
    running.stop();
    let text = fs::read_to_string(&log).unwrap();
    let sources = || text.lines().filter(|l| l.contains(" source: "));
    let shared = sources().filter(|l| l.contains("source: shared objects file"));
    Loaded {
        shared: shared.count() as f64 / sources().count() as f64,
        application: sources()
            .find(|l| l.contains(" App source: "))
            .unwrap()
            .to_owned(),
    }
}

fn is_served_from_its_archive(bench: &Bench, prepared: &Prepared) {
    let ProofNeeded::SharedClasses {
        archive, at_least, ..
    } = &prepared.proof
    else {
        panic!("{:?}", prepared.proof);
    };
    assert!(archive.is_file());
    let loaded = classes_loaded(bench, prepared);
    assert!(
        loaded.application.contains("shared objects file"),
        "{}",
        loaded.application
    );
    assert!(
        loaded.shared >= *at_least,
        "{} of {at_least}",
        loaded.shared
    );
    let archive_bytes = archive.metadata().unwrap().len();
    assert!(prepared.record.application_bytes > archive_bytes);
    assert!(prepared.record.build_s > 0.0);
}

/// The JVM goes on without the archive then, and says so at most in its log. The share has to give
/// it away, even for a service that is hardly more than the JDK's own classes.
fn a_refused_archive_is_told_by_the_share(bench: &Bench, prepared: &Prepared) {
    let ProofNeeded::SharedClasses { at_least, .. } = &prepared.proof else {
        panic!("{:?}", prepared.proof);
    };
    let jar = fs::OpenOptions::new()
        .append(true)
        .open(bench.path("app.jar"));
    let later = SystemTime::now() + Duration::from_secs(60);
    jar.unwrap().set_modified(later).unwrap();
    let plain = Prepared {
        proof: ProofNeeded::None,
        ..prepared.clone()
    };
    let loaded = classes_loaded(bench, &plain);
    assert!(!loaded.application.contains("shared objects file"));
    assert!(loaded.shared < *at_least, "{} of {at_least}", loaded.shared);
}

/// The JDK of this release, if the machine has one.
fn jdk(bench: &Bench, release: u32) -> Option<SubjectSpec> {
    let spec = release.to_string();
    bench.jdks.by_spec(&spec).ok()?;
    Some(SubjectSpec {
        jdk: Some(spec),
        ..subject(bench.build_app())
    })
}

#[test]
fn a_jar_runs_on_the_newest_jdk_with_its_flags_and_arguments() {
    let bench = Bench::new();
    let jar = bench.build_app();
    let prepared = bench.prepare(VariantKind::Jar, &subject(jar.clone()));
    let newest = &bench.jdks.all()[0];
    let java = newest.tool("java").display().to_string();
    let expected = [&java, "-Xmx64m", "-jar", jar.to_str().unwrap(), "world"];
    assert_eq!(prepared.record.command, expected);
    assert_eq!(
        prepared.record.application_bytes,
        jar.metadata().unwrap().len()
    );
    assert!(
        prepared.record.runtime_bytes > 50_000_000,
        "a JDK is larger"
    );
    assert_eq!(prepared.record.runtime, Some(newest.title()));
    let loaded = classes_loaded(&bench, &prepared);
    assert!(
        !loaded.application.contains("shared"),
        "{}",
        loaded.application
    );
}

#[test]
fn the_jvm_writes_what_it_made_of_its_limits_where_it_is_told() {
    let bench = Bench::new();
    let mut prepared = bench.prepare(VariantKind::Jar, &subject(bench.build_app()));
    // A colon would end the name of the file if it were not quoted.
    let launch = bench.path("001-jar@1:2");
    fs::create_dir(&launch).unwrap();
    prepared.record.command = prepared.observed_command(&launch, GcLog::Jvm);
    bench.launch(&prepared, None).stop();
    let log = fs::read_to_string(prepared.jvm_log(&launch, GcLog::Jvm).unwrap()).unwrap();
    assert!(
        log.contains("CPUs:") && log.contains("Heap Max Capacity: 64M"),
        "{log}"
    );
}

#[test]
fn a_cds_archive_serves_the_application_on_the_newest_jdk() {
    let bench = Bench::new();
    let prepared = bench.prepare(VariantKind::Cds, &subject(bench.build_app()));
    is_served_from_its_archive(&bench, &prepared);
    a_refused_archive_is_told_by_the_share(&bench, &prepared);
}

#[test]
fn a_cds_archive_serves_the_application_on_jdk_17() {
    let bench = Bench::new();
    let Some(subject) = jdk(&bench, 17) else {
        let newest = bench.jdks.newest_that_suits(Some(17));
        return assert!(newest.is_ok(), "one of JDK 17 or newer is a prerequisite");
    };
    let prepared = bench.prepare(VariantKind::Cds, &subject);
    assert!(prepared.record.runtime.as_ref().unwrap().contains(" 17."));
    is_served_from_its_archive(&bench, &prepared);
    a_refused_archive_is_told_by_the_share(&bench, &prepared);
}

#[test]
fn an_aot_cache_serves_the_application_or_says_which_jdk_it_needs() {
    let bench = Bench::new();
    let subject = subject(bench.build_app());
    if bench.jdks.all()[0].feature < 24 {
        let spec = spec(VariantKind::Aot);
        let why = variant(VariantKind::Aot).available(&bench.context(&spec, &subject));
        assert!(
            matches!(why, Err(Unavailable::OldJdk { release: 24, .. })),
            "{why:?}"
        );
        return;
    }
    let prepared = bench.prepare(VariantKind::Aot, &subject);
    is_served_from_its_archive(&bench, &prepared);
}

/// JDK 24 has no one-step training, but later releases still know its two steps: so they are
/// tested with a JDK that says it is 24.
#[test]
fn an_aot_cache_can_be_made_in_two_steps() {
    let bench = Bench::new();
    let newest = &bench.jdks.all()[0];
    if newest.feature < 24 {
        return an_aot_cache_serves_the_application_or_says_which_jdk_it_needs();
    }
    let home = bench.path("jdk-24");
    let java = home.join("bin/java");
    fs::create_dir_all(home.join("bin")).unwrap();
    let real = newest.tool("java");
    fs::write(
        &java,
        format!("#!/bin/sh\nexec {} \"$@\"\n", real.display()),
    )
    .unwrap();
    fs::set_permissions(&java, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"24.0.2\"\n").unwrap();
    let mut subject = subject(bench.build_app());
    subject.jdk = Some(home.display().to_string());
    let prepared = bench.prepare(VariantKind::Aot, &subject);
    assert_eq!(prepared.record.build_commands.len(), 2);
    assert!(prepared.record.notes[1].contains("JDK 24"));
    is_served_from_its_archive(&bench, &prepared);
}

#[test]
fn an_aot_cache_is_refused_on_an_old_jdk() {
    let bench = Bench::new();
    let mut subject = subject(bench.build_app());
    let home = bench.path("jdk-21");
    let newest = &bench.jdks.all()[0].home;
    fs::create_dir_all(&home).unwrap();
    std::os::unix::fs::symlink(newest.join("bin"), home.join("bin")).unwrap();
    fs::write(home.join("release"), "JAVA_VERSION=\"21.0.5\"\n").unwrap();
    subject.jdk = Some(home.display().to_string());
    let spec = spec(VariantKind::Aot);
    let why = variant(VariantKind::Aot).available(&bench.context(&spec, &subject));
    assert!(why.unwrap_err().to_string().contains("needs JDK 24"));
}

#[test]
fn a_jlinked_runtime_is_small_and_runs_the_application() {
    let bench = Bench::new();
    let prepared = bench.prepare(VariantKind::Jlink, &subject(bench.build_app()));
    let record = &prepared.record;
    let jdk = bytes_of(&bench.jdks.all()[0].home).unwrap();
    assert!(
        record.runtime_bytes * 2 < jdk,
        "{} of {jdk}",
        record.runtime_bytes
    );
    assert!(
        record
            .runtime
            .as_ref()
            .unwrap()
            .contains("modules by jlink")
    );
    let modules = record
        .notes
        .iter()
        .find(|n| n.starts_with("modules: "))
        .unwrap();
    assert!(
        modules.contains("jdk.httpserver"),
        "seen by jdeps: {modules}"
    );
    assert!(
        modules.contains("jdk.unsupported"),
        "not seen by jdeps: {modules}"
    );
    assert!(
        !modules.contains("java.desktop"),
        "no framework needs it: {modules}"
    );
    let ProofNeeded::Runtime { exe_under, .. } = &prepared.proof else {
        panic!("{:?}", prepared.proof);
    };
    let running = bench.launch(&prepared, None);
    assert!(running.executable().starts_with(exe_under));
    assert_eq!(running.get("/"), "hello world");
    running.stop();
    let loaded = classes_loaded(&bench, &prepared);
    assert!(loaded.shared > 0.2, "no default archive: {}", loaded.shared);
}

#[test]
fn what_applies_to_a_plain_jar_is_found_without_asking() {
    let bench = Bench::new();
    let subject = subject(bench.build_app());
    let host = Host {
        graalvm_home: None,
        path: Vec::new(),
        ..bench.host.clone()
    };
    let found = applicable(&subject, bench.scratch.path(), &bench.jdks, &host).unwrap();
    let kinds: Vec<_> = found.variants.iter().map(|v| v.kind).collect();
    assert_eq!(kinds[0], VariantKind::Jar);
    assert!(kinds.contains(&VariantKind::Cds) && kinds.contains(&VariantKind::Jlink));
    let notes = found.notes().join("\n");
    assert!(notes.contains("`extracted` is left out"), "{notes}");
    assert!(notes.contains("GRAALVM_HOME"), "{notes}");
    assert!(notes.contains("`war` is left out"), "{notes}");
}
