//! `tacho report` on folders that are not as a finished run leaves them.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use rustix::process::Signal;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};
use support::{Lab, Told, port, signal, subject, tacho};
use tacho_diagnosis_report::{Conclusion, DiagnosisReport};

fn report(folder: &Path, arguments: &[&str]) -> Told {
    let output = tacho()
        .arg("report")
        .arg(folder)
        .args(arguments)
        .current_dir(folder.parent().unwrap())
        .output()
        .unwrap();
    Told::of(&output)
}

fn finished() -> Lab {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    lab.run(&["--launches", "1", "--quiet"]);
    lab
}

fn until(what: &str, holds: impl Fn() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < Duration::from_secs(60), "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn no_link_that_is_planted_in_a_run_folder_is_followed() {
    let lab = finished();
    let folder = lab.run_folder();
    let precious = lab.path().join("precious");
    for name in [
        "report.html",
        "report.html.part",
        "results.json",
        "results.json.part",
        "junit.xml",
        "summary.md",
        "out.json",
    ] {
        std::fs::write(&precious, "precious").unwrap();
        let _ = std::fs::remove_file(folder.join(name));
        symlink(&precious, folder.join(name)).unwrap();
        let at = |name: &str| folder.join(name).display().to_string();
        report(
            &folder,
            &[
                "--junit",
                &at("junit.xml"),
                "--markdown",
                &at("summary.md"),
                "--json",
                &at("out.json"),
            ],
        );
        assert_eq!(
            std::fs::read_to_string(&precious).unwrap(),
            "precious",
            "{name}"
        );
        assert!(std::fs::metadata(folder.join("report.html")).unwrap().len() > 1000);
        let _ = std::fs::remove_file(folder.join(name));
    }
}

#[test]
fn a_pipe_in_a_run_folder_stops_nobody() {
    let lab = finished();
    let folder = lab.run_folder();
    let plan = folder.join("plan.json");
    std::fs::remove_file(&plan).unwrap();
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&plan)
            .status()
            .unwrap()
            .success()
    );
    let mut child = tacho()
        .arg("report")
        .arg(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let began = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().unwrap();
            panic!("it waits for the other end of the pipe");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Told::of(&child.wait_with_output().unwrap())
        .exits(4)
        .says("plan.json")
        .says("plain files");
}

#[test]
fn a_run_that_was_killed_while_it_prepared_is_said_to_have_launched_nothing() {
    let lab = Lab::new(
        "tacho: 1\nname: prepares\nsubject: {artifact: never.jar}\nvariants: [{name: a, kind: exec, command: ./never, build: 'touch building; sleep 600'}]\nrequests: [/]\n",
    );
    let mut child = lab
        .command(&[])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    until("the build", || lab.path().join("building").exists());
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let told = report(&lab.run_folder(), &[]).exits(3);
    assert!(
        told.err.contains("ended before anything was launched"),
        "{told:#?}"
    );
}

#[test]
fn what_cannot_be_written_keeps_nothing_from_being_printed() {
    for blocked in ["results.json", "report.html"] {
        let lab = finished();
        let folder = lab.run_folder();
        // What not even root can replace.
        std::fs::remove_file(folder.join(blocked)).unwrap();
        std::fs::create_dir(folder.join(blocked)).unwrap();
        let told = report(&folder, &[]).exits(4);
        assert!(told.out.contains("ready"), "{told:#?}");
        assert!(told.err.contains(blocked), "{told:#?}");
        assert!(
            !told.out.contains("report.html") || blocked != "report.html",
            "{told:#?}"
        );
        // JSON on standard output needs no file at all.
        let told = report(&folder, &["--json", "-"]);
        assert_ne!(told.code, Some(4), "{told:#?}");
        assert!(told.json()["cells"].is_array());
    }
}

#[test]
fn json_on_standard_output_writes_no_file() {
    let lab = finished();
    let folder = lab.run_folder();
    std::fs::remove_file(folder.join("results.json")).unwrap();
    std::fs::remove_file(folder.join("report.html")).unwrap();
    assert!(report(&folder, &["--json", "-"]).json()["cells"].is_array());
    assert!(!folder.join("results.json").exists() && !folder.join("report.html").exists());
}

#[test]
fn a_result_that_was_asked_for_elsewhere_and_cannot_be_written_comes_after_the_summary() {
    let lab = finished();
    let told = report(&lab.run_folder(), &["--junit", "/nowhere/junit.xml"]).exits(4);
    assert!(
        told.out.contains("ready") && told.err.contains("/nowhere/junit.xml"),
        "{told:#?}"
    );
    assert!(told.out.contains("report.html"), "{told:#?}");
}

/// The one folder of a search.
fn search_folder(lab: &Lab) -> Option<PathBuf> {
    let mut folders = std::fs::read_dir(lab.path().join("runs")).ok()?;
    folders.next().map(|entry| entry.unwrap().path())
}

#[test]
fn the_folder_of_a_search_is_read_finished_or_killed() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let fit = |lab: &Lab| {
        let mut command = tacho();
        command.current_dir(lab.path()).args([
            "fit",
            "experiment.yaml",
            "--only",
            "cpu",
            "--cpu",
            "2",
            "--cpu-from",
            "1",
            "--cpu-step",
            "500m",
            "--launches",
            "1",
        ]);
        command
    };
    let told = Told::of(&fit(&lab).output().unwrap());
    let again = report(&search_folder(&lab).unwrap(), &[]);
    assert_eq!(again.code, told.code, "{again:#?}");
    let answer = told.out.lines().next().unwrap();
    assert!(again.out.contains(answer), "{again:#?}");
    assert!(
        report(&search_folder(&lab).unwrap(), &["--json", "-"]).json()["reference"].is_object()
    );

    // Killed in its second trial: the first is known.
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let mut child = fit(&lab)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let trials = |lab: &Lab| {
        search_folder(lab).map_or(0, |folder| {
            std::fs::read_dir(folder)
                .unwrap()
                .filter(|e| e.as_ref().unwrap().path().is_dir())
                .count()
        })
    };
    until("a second trial", || trials(&lab) >= 2);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let told = report(&search_folder(&lab).unwrap(), &[]).exits(130);
    assert!(told.out.contains("ended early"), "{told:#?}");

    // Killed before its first was over: what it has is named.
    std::fs::remove_file(search_folder(&lab).unwrap().join("fit.json")).unwrap();
    let told = report(&search_folder(&lab).unwrap(), &[]).exits(3);
    assert!(
        told.out.contains("before its first trial was over"),
        "{told:#?}"
    );

    // Killed while that one made its folder.
    let killed = lab.path().join("killed");
    for name in ["variants", "launches"] {
        std::fs::create_dir_all(killed.join("it-64MiB").join(name)).unwrap();
    }
    report(&killed, &[])
        .exits(3)
        .says("is empty: if it belongs to a run");
}

#[test]
fn the_folder_of_a_diagnosis_is_read_finished_or_killed() {
    let lab = finished();
    let folder = lab.run_folder();
    // Killed when one build had been looked into.
    let launch = folder.join("diagnosis/002-a");
    std::fs::create_dir_all(&launch).unwrap();
    std::fs::copy(
        folder.join("launches/001-a/launch.json"),
        launch.join("launch.json"),
    )
    .unwrap();
    let dissection = tacho_run_folder::Dissection::default();
    std::fs::write(
        launch.join("dissection.json"),
        serde_json::to_vec(&dissection).unwrap(),
    )
    .unwrap();
    let told = report(&folder, &[]);
    assert!(
        told.out.contains("ready") && told.out.contains("did not come to its end: 1 launch"),
        "{told:#?}"
    );

    let concluded = DiagnosisReport {
        format: tacho_run_folder::FORMAT,
        name: "scripted".to_owned(),
        baseline: Some("old".to_owned()),
        candidate: "a".to_owned(),
        stored: None,
        conclusion: Conclusion::NoDifference,
        failures: Vec::new(),
        measured: Vec::new(),
        certificate: tacho_run_folder::CertificateState::Valid,
        findings: None,
        changes: None,
        counterfactuals: Vec::new(),
        notes: Vec::new(),
        counts: Vec::new(),
        remote: None,
        trace: Vec::new(),
        files: Vec::new(),
        folder: folder.display().to_string(),
    };
    std::fs::write(
        folder.join("diagnose.json"),
        serde_json::to_vec(&concluded).unwrap(),
    )
    .unwrap();
    let told = report(&folder, &[]);
    let said = tacho_diagnosis_report::text::render(
        &concluded,
        &tacho_report::terminal::Style {
            colour: false,
            width: 100,
        },
    );
    assert!(
        told.out.contains("ready") && told.out.contains(said.trim()),
        "{told:#?}\n{said}"
    );
    // JSON is that of the launches, and nothing else.
    assert!(report(&folder, &["--json", "-"]).json()["cells"].is_array());
}

#[test]
fn a_sweep_over_warm_ups_that_was_killed_is_read_as_far_as_it_came() {
    let lab = Lab::scripted(&[("a", &format!("--port {}", port()))], "");
    let mut child = tacho()
        .current_dir(lab.path())
        .args([
            "warmup",
            "experiment.yaml",
            "--rate",
            "50",
            "--duration",
            "1s",
            "--recipes",
            "none,20",
        ])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let phases = || {
        let launches =
            search_folder(&lab).and_then(|run| std::fs::read_dir(run.join("launches")).ok());
        let records = launches.into_iter().flatten().filter_map(|launch| {
            std::fs::read_to_string(launch.unwrap().path().join("launch.json")).ok()
        });
        records
            .filter(|record| record.contains("\"completed\""))
            .count()
    };
    until("a launch that came to its end", || phases() > 0);
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    let told = report(&lab.run_folder(), &[]);
    assert!(told.out.contains("Report:"), "{told:#?}");
}

#[test]
fn a_log_that_was_too_long_is_said_of_its_launch() {
    let lab = Lab::new(&format!(
        "tacho: 1\nname: talks\nvariants:\n  - name: a\n    kind: exec\n    command: [sh, -c, 'yes chatter | head -c 60000000; exec {} --port {}']\nsubject: {{ready: {{log: '^listening', timeout: 10m}}}}\nrequests: [GET /ping]\nphases: [{{cold: {{requests: 2}}}}]\nlaunches: 1\nrest: 0ms\n",
        subject().display(),
        port()
    ));
    let told = lab.run(&[]);
    let launch = &lab.launches()[0];
    assert_eq!(launch["outcome"]["state"], "completed", "{told:#?}");
    assert!(
        launch["notes"][0]
            .as_str()
            .unwrap()
            .contains("are left out"),
        "{launch:#}"
    );
    assert!(told.err.contains("are left out"), "{told:#?}");
    let log = lab.run_folder().join("launches/001-a/log.txt");
    assert!(std::fs::metadata(log).unwrap().len() < 20 << 20);
}

#[test]
fn a_folder_in_a_run_folder_that_is_a_link_is_not_followed() {
    let lab = finished();
    let folder = lab.run_folder();
    let outside = lab.path().join("outside");
    for name in ["launches", "launches/001-a", "variants", "diagnosis"] {
        let within = folder.join(name);
        // What it leads to could be read: a whole folder of a run.
        if within.exists() {
            std::fs::rename(&within, &outside).unwrap();
        } else {
            std::fs::create_dir(&outside).unwrap();
        }
        for target in [outside.as_path(), Path::new("/etc")] {
            symlink(target, &within).unwrap();
            let told = report(&folder, &[]).exits(4);
            assert!(
                told.err.contains(&within.display().to_string()) && told.err.contains("a link"),
                "{name}: {told:#?}"
            );
            assert!(!told.out.contains("ready"), "{name}: {told:#?}");
            std::fs::remove_file(&within).unwrap();
        }
        std::fs::rename(&outside, &within).unwrap();
    }
    // A name in a document leads nowhere else, either.
    let record = folder.join("launches/001-a/launch.json");
    let before = std::fs::read_to_string(&record).unwrap();
    for log in ["/etc/passwd", "../../../precious"] {
        std::fs::write(lab.path().join("precious"), "[0.001s][info][gc] precious\n").unwrap();
        let mut edited: serde_json::Value = serde_json::from_str(&before).unwrap();
        edited["gc_log"] = log.into();
        std::fs::write(&record, edited.to_string()).unwrap();
        let told = report(&folder, &[]).exits(4);
        assert!(told.err.contains("no name of a file inside"), "{told:#?}");
        let page = std::fs::read_to_string(folder.join("report.html")).unwrap();
        assert!(!page.contains("precious"), "{log}");
    }
    std::fs::write(&record, before).unwrap();
    // A link to the whole of it is the user's own.
    let latest = lab.path().join("latest");
    symlink(&folder, &latest).unwrap();
    let told = report(&latest, &[]);
    assert!(told.out.contains("ready"), "{told:#?}");
}
