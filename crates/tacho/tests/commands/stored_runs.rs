//! `tacho diagnose` on two runs that were carried out before: nothing is launched.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use support::{Lab, Told, port, tacho};
use tacho_analysis::testkit::{Profile, Synthetic};
use tacho_run_folder::{
    ArtifactSeen, Dissection, Ledger, LedgerEntry, LedgerKind, LeftOut, PlannedLaunch, RunData,
    RunFolder, Window,
};
use tempfile::TempDir;

/// A run of one variant that answers so many requests a second.
fn run(throughput: f64) -> RunData {
    let profile = Profile {
        throughput,
        cpu_per_request_ms: 500.0 / throughput,
        service_ms: 2000.0 / throughput,
        noise: 0.01,
        ..Profile::named("jar")
    };
    Synthetic::new(6).variant(profile).run()
}

/// As Tacho would have written it.
fn write(lab: &Path, name: &str, run: &RunData) -> RunFolder {
    let folder = RunFolder::create(&lab.join(name)).unwrap();
    let mut header = run.header.clone();
    header.id = format!("20261121-210000-{name}");
    folder.write_header(&header).unwrap();
    folder.write_plan(&run.plan).unwrap();
    for variant in &run.variants {
        folder.write_variant(variant).unwrap();
    }
    for (planned, launch) in run.plan.launches.iter().zip(&run.launches) {
        let dir = folder.create_launch(planned).unwrap();
        dir.write_record(&launch.record).unwrap();
    }
    folder
}

const REQUESTS: u64 = 1000;

/// Looked into: `shop.Prices.price` takes so long for a request, and makes so many exceptions.
fn look_into(folder: &RunFolder, run: &RunData, ms: f64, exceptions: u64) {
    let planned = PlannedLaunch {
        number: 99,
        cell: "jar".to_owned(),
        replicate: 1,
        again: None,
    };
    let dir = folder.create_diagnosis(&planned).unwrap();
    dir.write_record(&run.launches[0].record).unwrap();
    let frames = [
        "java.lang.Integer.parseInt:5",
        "shop.Prices.price:14",
        "shop.Main.main:9",
    ];
    let ledger = |kind, exact, count: u64, cost: f64, key: &str| Ledger {
        kind,
        window: "plain".to_owned(),
        requests: REQUESTS,
        exact,
        entries: vec![LedgerEntry {
            key: key.to_owned(),
            frames: frames.map(str::to_owned).to_vec(),
            count,
            cost,
            ..LedgerEntry::default()
        }],
        threads: Default::default(),
        left_out: LeftOut::default(),
    };
    let all_ns = ms * 1e6 * REQUESTS as f64;
    let exception = "java.lang.NumberFormatException: none";
    let seen = Dissection {
        cell: "jar".to_owned(),
        own: vec!["shop.".to_owned()],
        processors: 1.0,
        windows: vec![Window {
            name: "plain".to_owned(),
            requests: REQUESTS,
            duration_s: ms * 10.0,
            processor_s: ms * REQUESTS as f64 / 1e3,
            mean_ms: ms,
            busy: 0.1,
            ..Window::default()
        }],
        ledgers: vec![
            ledger(
                LedgerKind::Processor,
                false,
                (ms * 1000.0) as u64,
                all_ns,
                "",
            ),
            ledger(
                LedgerKind::Exceptions,
                true,
                exceptions * REQUESTS,
                0.0,
                exception,
            ),
        ],
        ..Dissection::default()
    };
    dir.write_dissection(&seen).unwrap();
}

fn diagnose(lab: &Path, arguments: &[&str]) -> Told {
    let mut command = tacho();
    command.current_dir(lab).arg("diagnose").args(arguments);
    Told::of(&command.output().unwrap())
}

/// The baseline in `main`, the candidate in `pr`.
fn compared(lab: &Path) -> Told {
    diagnose(lab, &["--baseline", "main", "--candidate", "pr"])
}

fn folder_of(lab: &Path) -> PathBuf {
    let mut made = std::fs::read_dir(lab.join("runs")).unwrap();
    made.next().unwrap().unwrap().path()
}

fn report(lab: &Path) -> Value {
    let path = folder_of(lab).join("diagnose.json");
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn a_slower_run_is_told_with_its_reason_where_both_were_looked_into() {
    let lab = TempDir::new().unwrap();
    let (was, is) = (run(1000.0), run(500.0));
    look_into(&write(lab.path(), "main", &was), &was, 0.5, 0);
    look_into(&write(lab.path(), "pr", &is), &is, 1.0, 40);
    let told = compared(lab.path()).exits(0);
    let report = report(lab.path());
    assert_eq!(report["conclusion"], "explained", "{told:#?}");
    assert_eq!(report["baseline"], "jar of 20261121-210000-main");
    assert_eq!(report["stored"]["candidate"]["folder"], "pr");
    assert_eq!(report["stored"]["candidate"]["launches"], 6);
    let rows = report["measured"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["id"] == "closed.throughput")
        .unwrap();
    assert_eq!(row["verdict"], "worse", "{row:#}");
    assert!(
        (row["ratio"]["value"].as_f64().unwrap() - 0.5).abs() < 0.02,
        "{row:#}"
    );
    let finding = &report["findings"]["findings"][0];
    assert_eq!(finding["owner"], "shop.Prices.price", "{report:#}");
    assert_eq!(report["counts"][0]["what"], "exceptions constructed");
    assert_eq!(report["counts"][0]["times"]["candidate"], 40.0);
    let told = told
        .says("shop.Prices.price:14")
        .says("were not made in turns")
        .says("tacho diagnose --baseline OLD.jar --candidate NEW.jar EXPERIMENT.yaml")
        .says("does not say which file it launched");
    // Files as after launches, and nothing of a launch.
    let folder = folder_of(lab.path());
    for file in [
        "diagnose.html",
        "report.html",
        "results.json",
        "processor-candidate.collapsed",
    ] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    assert!(!folder.join("launches").exists());
    // Whoever reads the folder later is told the same.
    let again = Told::of(&tacho().arg("report").arg(&folder).output().unwrap()).exits(0);
    assert_eq!(again.out, told.out);
    let json = [
        Path::new("report"),
        &folder,
        Path::new("--json"),
        Path::new("-"),
    ];
    let json = Told::of(&tacho().args(json).output().unwrap()).json();
    assert_eq!(json, report);
}

#[test]
fn a_slower_run_that_nobody_looked_into_is_told_with_what_is_missing() {
    let lab = TempDir::new().unwrap();
    let (was, is) = (run(1000.0), run(500.0));
    look_into(&write(lab.path(), "main", &was), &was, 0.5, 0);
    write(lab.path(), "pr", &is);
    compared(lab.path())
        .exits(0)
        .says("is slower than jar of 20261121-210000-main")
        .says("pr holds no launch that was looked into");
    let report = report(lab.path());
    assert_eq!(report["conclusion"], "not-explained");
    assert!(report["counts"].is_null() && report["findings"].is_null());
}

#[test]
fn like_runs_are_alike() {
    let lab = TempDir::new().unwrap();
    write(lab.path(), "main", &run(1000.0));
    write(lab.path(), "pr", &run(1000.0));
    let told = compared(lab.path()).exits(0).says("Alike:");
    assert_eq!(report(lab.path())["conclusion"], "no-difference");
    assert!(!told.out.contains("EXPERIMENT.yaml"), "{told:#?}");
}

#[test]
fn of_unlike_machines_counts_alone_are_compared() {
    let lab = TempDir::new().unwrap();
    let (was, mut is) = (run(1000.0), run(500.0));
    is.header.machine.cpu_model = "another".to_owned();
    look_into(&write(lab.path(), "main", &was), &was, 0.5, 0);
    look_into(&write(lab.path(), "pr", &is), &is, 1.0, 40);
    compared(lab.path())
        .exits(0)
        .says("unlike machines (`synthetic` and `another`)")
        .says("exceptions constructed");
    let report = report(lab.path());
    assert_eq!(report["conclusion"], "not-told");
    assert!(report["findings"].is_null(), "{report:#}");
    let rows = report["measured"].as_array().unwrap();
    assert!(
        !rows.is_empty() && rows.iter().all(|row| row["verdict"].is_null()),
        "{report:#}"
    );
}

#[test]
fn what_measured_something_else_or_needs_launches_is_refused() {
    let lab = TempDir::new().unwrap();
    let (was, mut is) = (run(1000.0), run(1000.0));
    is.plan.phases.truncate(1);
    write(lab.path(), "main", &was);
    write(lab.path(), "pr", &is);
    compared(lab.path()).exits(2).says("their phases differ");
    let runs = ["--baseline", "main", "--candidate", "main"];
    diagnose(lab.path(), &runs)
        .exits(2)
        .says("compared with itself");
    let launched = [&runs[..], &["--launches", "9", "--cpu", "1"]].concat();
    diagnose(lab.path(), &launched)
        .exits(2)
        .says("--cpu, --launches cannot be used with two stored runs");
    diagnose(
        lab.path(),
        &["--baseline", "main", "--candidate", "new.jar"],
    )
    .exits(2)
    .says("`main` is the folder of a run, and `new.jar` is none");
    assert!(!lab.path().join("runs").exists());
}

#[test]
fn of_several_variants_one_is_named_behind_a_colon() {
    let lab = TempDir::new().unwrap();
    let profile = |name, throughput| Profile {
        throughput,
        noise: 0.01,
        ..Profile::named(name)
    };
    let two = Synthetic::new(6)
        .variant(profile("jar", 1000.0))
        .variant(profile("aot", 500.0));
    write(lab.path(), "main", &two.run());
    write(lab.path(), "pr", &run(1000.0));
    compared(lab.path())
        .exits(2)
        .says("Write it behind a colon: main:jar. Its variants are: jar, aot");
    let named = |name: &str| diagnose(lab.path(), &["--baseline", name, "--candidate", "pr"]);
    named("main:native")
        .exits(2)
        .says("has no variant `native`");
    named("main:aot")
        .exits(0)
        .says("jar is not slower than aot");
    let of_one = ["--baseline", "main:jar", "--candidate", "main:aot"];
    diagnose(lab.path(), &of_one)
        .exits(0)
        .says("aot is slower than jar");
}

fn start_script(lab: &Path, name: &str, flag: &str) -> ArtifactSeen {
    let path = lab.join(name);
    std::fs::write(&path, format!("#!/bin/sh\nexec java {flag} -jar app.jar\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    tacho_subject::Artifact::read(&path)
        .unwrap()
        .seen()
        .unwrap()
}

#[test]
fn builds_are_compared_while_they_are_what_was_launched() {
    let lab = TempDir::new().unwrap();
    let (mut was, mut is) = (run(1000.0), run(1000.0));
    was.variants[0].artifact = Some(start_script(lab.path(), "old.sh", "-Xmx96m"));
    is.variants[0].artifact = Some(start_script(lab.path(), "new.sh", "-Xmx64m"));
    is.variants[0].command.push("-XX:+UseSerialGC".to_owned());
    is.variants[0]
        .environment
        .insert("DB_PASSWORD".to_owned(), "hunter2-new".to_owned());
    write(lab.path(), "main", &was);
    write(lab.path(), "pr", &is);
    let told = compared(lab.path()).exits(0).says("-Xmx");
    let changes = report(lab.path())["changes"].clone();
    let settings = changes["settings"].to_string();
    assert!(
        settings.contains("new.sh") && settings.contains("-XX:+UseSerialGC"),
        "{changes:#}"
    );
    assert!(changes["not_looked"].is_null(), "{changes:#}");
    assert!(
        !told.out.contains("hunter2") && !settings.contains("hunter2"),
        "{told:#?}"
    );
    // Built again: it is another file.
    start_script(lab.path(), "new.sh", "-Xmx32m");
    compared(lab.path())
        .exits(0)
        .says("new.sh is not what pr launched any more");
}

/// Real runs record what such a comparison needs.
#[test]
fn two_runs_of_one_subject_are_compared() {
    let of = |request: &str| {
        let lab = Lab::scripted(&[("it", &format!("--port {}", port()))], "");
        lab.run(&["--request", request, "--quiet"]);
        lab
    };
    let (main, pr, other) = (of("GET /ping"), of("GET /ping"), of("GET /other"));
    let folders = [&main, &pr, &other].map(|lab| lab.run_folder().display().to_string());
    let compared = |candidate: &str| {
        diagnose(
            main.path(),
            &["--baseline", &folders[0], "--candidate", candidate],
        )
    };
    // Two launches of each tell nothing; a busy machine may spoil the certificate.
    let told = compared(&folders[1]).says("What differs between the builds");
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    let made = std::fs::read_dir(main.path().join("runs")).unwrap();
    let made = made.map(|entry| entry.unwrap().path());
    let mut made = made.filter(|path| path.join("diagnose.json").exists());
    let text = std::fs::read(made.next().unwrap().join("diagnose.json")).unwrap();
    let report: Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(report["changes"], serde_json::json!({}), "{report:#}");
    assert_eq!(report["stored"]["baseline"]["launches"], 2, "{report:#}");
    compared(&folders[2])
        .exits(2)
        .says("they sent different requests")
        .says("GET /other");
}
