//! Whoever has run something and whoever reads its folder later are told the same, to the byte.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use std::fs;
use std::path::{Path, PathBuf};
use support::{Lab, Told, port, tacho};

/// A subject whose log tells of collections: what is concluded from them is lost when nobody reads
/// the log.
fn lab(more: &str) -> Lab {
    Lab::scripted(
        &[("it", &format!("--port {} --collections 8", port()))],
        more,
    )
}

fn told(lab: &Lab, arguments: &[&str]) -> Told {
    let mut command = tacho();
    command.current_dir(lab.path()).args(arguments);
    Told::of(&command.output().unwrap())
}

/// What a command has left, and what `tacho report` makes of it.
#[track_caller]
fn is_the_same_again(folder: &Path) {
    let files = ["results.json", "report.html"];
    let read = || files.map(|name| fs::read_to_string(folder.join(name)).unwrap());
    let own = read();
    assert!(own[0].contains("gc_pause_p50_ms"), "{}", own[0]);
    let mut again = tacho();
    Told::of(&again.arg("report").arg(folder).output().unwrap()).says("Certificate");
    for (name, (own, later)) in files.iter().zip(own.iter().zip(&read())) {
        let differs = own.lines().zip(later.lines()).find(|(a, b)| a != b);
        assert!(own == later, "{name}: {differs:?}");
    }
}

#[test]
fn of_a_run() {
    let lab = lab("");
    let printed = lab.run(&["--json", "-"]);
    let run = lab.run_folder();
    is_the_same_again(&run);
    let later = told(&lab, &["report", run.to_str().unwrap(), "--json", "-"]);
    assert_eq!(printed.out, later.out);
    let files = run
        .join("results.json")
        .metadata()
        .unwrap()
        .modified()
        .unwrap();
    let rows = told(&lab, &["report", run.to_str().unwrap(), "--csv", "-"]);
    let lines: Vec<&str> = rows.out.lines().collect();
    assert!(lines[0].starts_with("cell,variant,limits,"), "{rows:#?}");
    let rest = &lines[1..];
    assert!(
        !rest.is_empty() && rest.iter().all(|row| row.starts_with("it,it,")),
        "{rows:#?}"
    );
    let after = run
        .join("results.json")
        .metadata()
        .unwrap()
        .modified()
        .unwrap();
    assert_eq!(
        files, after,
        "standard output needs no file, and writes none"
    );
}

#[test]
fn of_a_first_look() {
    let lab = lab("");
    let plan = lab.run(&["--quick", "--dry-run"]);
    assert!(plan.out.contains("ten times shorter"), "{plan:#?}");
    let options = [
        "warmup",
        "experiment.yaml",
        "--quick",
        "--rate",
        "50",
        "--duration",
        "20s",
        "--recipes",
        "none",
    ];
    told(&lab, &options);
    let plan = fs::read_to_string(lab.run_folder().join("plan.json")).unwrap();
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let phases = plan["phases"].as_array().unwrap();
    assert!(
        phases.iter().any(|phase| phase["duration_s"] == 2.0),
        "{plan:#}"
    );
}

#[test]
fn of_a_warm_up() {
    let lab = lab("");
    let options = ["--rate", "50", "--duration", "2s", "--recipes", "none"];
    let options = [&["warmup", "experiment.yaml"][..], &options].concat();
    let told = told(&lab, &options);
    assert!(matches!(told.code, Some(0 | 3)), "{told:#?}");
    is_the_same_again(&lab.run_folder());
}

#[test]
fn of_each_trial_of_a_fit() {
    let lab = lab("");
    let options = ["--only", "memory", "--launches", "1", "--memory", "48MiB"];
    let options = [
        &["fit", "experiment.yaml", "--memory-step", "16MiB"],
        &options[..],
    ]
    .concat();
    told(&lab, &options);
    let trials: Vec<PathBuf> = fs::read_dir(lab.run_folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("run.json").exists())
        .collect();
    assert!(!trials.is_empty());
    trials.iter().for_each(|trial| is_the_same_again(trial));
}

/// One damaged file costs its launch, not the others.
#[test]
fn a_damaged_launch_is_named_and_left_out() {
    for (file, damage) in [
        ("launch.json", "{\"number\": 1"),
        ("requests.csv", "no,row,of,it\nno,row,of,it\n"),
    ] {
        let lab = lab("");
        lab.run(&[]);
        let run = lab.run_folder();
        let mut launches: Vec<PathBuf> = fs::read_dir(run.join("launches"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        launches.sort();
        assert_eq!(launches.len(), 2);
        fs::write(launches[0].join(file), damage).unwrap();
        told(&lab, &["report", run.to_str().unwrap()])
            .says("001-it")
            .says("left out")
            .says(file);
        let results = lab.json("results.json");
        assert_eq!(results["cells"][0]["valid"], 1, "{results:#}");
    }
}
