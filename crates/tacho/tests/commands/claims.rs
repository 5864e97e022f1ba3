//! `tacho claims` from its file to its exit code, with runs that are commands.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support::{Lab, tacho};
use assert_cmd::Command;
use std::path::Path;

const HEAD: &str = "tacho: 1
article: {title: On counts, question: How many?}
runs:
  - {name: counts, command: [cat, counts.json]}
  - {name: absent, command: [./no-such-program]}
  - {name: itself, command: [tacho, schema, claims]}
claims:
";

fn claims(folder: &Path, rows: &str, more: &[&str]) -> (i32, String, String) {
    std::fs::write(folder.join("counts.json"), r#"{"in-vain": 8}"#).unwrap();
    std::fs::write(folder.join("claims.yaml"), format!("{HEAD}{rows}")).unwrap();
    let output = Command::cargo_bin("tacho")
        .unwrap()
        .args(["claims", "--quiet", "claims.yaml"])
        .args(more)
        .current_dir(folder)
        .output()
        .unwrap();
    (
        output.status.code().unwrap(),
        String::from_utf8(output.stdout).unwrap(),
        String::from_utf8(output.stderr).unwrap(),
    )
}

const EIGHT: &str = "  - {says: Eight in vain, run: counts, pointer: /in-vain, same: 8..8}\n";
const FOUR: &str = "  - {says: Four in vain, run: counts, pointer: /in-vain, same: 4..4}\n";

#[test]
fn each_row_is_judged_and_the_exit_code_says_how() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said, _) = claims(folder.path(), EIGHT, &["--markdown", "table.md"]);
    assert_eq!(code, 0, "{said}");
    assert!(said.contains("Of 1 claim: 1 the same here."), "{said}");
    let table = std::fs::read_to_string(folder.path().join("table.md")).unwrap();
    assert!(table.contains("| Eight in vain | 8 | same |  |"), "{table}");

    let (code, said, _) = claims(folder.path(), FOUR, &[]);
    assert_eq!(code, 1, "{said}");
    let known = FOUR.replace("4..4}", "4..4, here: differs, why: not known}");
    let (code, said, _) = claims(folder.path(), &known, &[]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_cannot_be_made_keeps_nothing_else_from_being_judged() {
    let folder = tempfile::tempdir().unwrap();
    let absent = EIGHT.replace("counts", "absent");
    let (code, said, _) = claims(folder.path(), &format!("{absent}{EIGHT}"), &[]);
    assert_eq!(code, 3, "{said}");
    assert!(
        said.contains("`./no-such-program` could not be started"),
        "{said}"
    );
    assert!(said.contains("1 the same here, 1 not measured"), "{said}");
}

#[test]
fn json_alone_is_on_standard_output_and_the_program_is_found_as_tacho() {
    let folder = tempfile::tempdir().unwrap();
    let itself = "  - {says: S, run: itself, pointer: /properties/tacho/minimum, same: 0..0}\n";
    let (code, said, _) = claims(folder.path(), itself, &["--json", "-"]);
    assert_eq!(code, 0, "{said}");
    let document: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        document["articles"][0]["claims"][0]["outcome"]["state"],
        "same"
    );
}

#[test]
fn a_mistake_in_the_file_starts_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let touch = "  - {says: S, run: cuonts, pointer: /a, same: 1..1}\n";
    let (code, _, said) = claims(folder.path(), touch, &[]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("claims.yaml:8:") && said.contains("did you mean `counts`?"),
        "{said}"
    );
    std::fs::write(folder.path().join("empty.yaml"), "").unwrap();
    let (code, _, said) = claims(folder.path(), EIGHT, &["empty.yaml"]);
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("the file is empty; a file of claims holds"),
        "{said}"
    );
}

#[test]
fn what_is_stored_alone_is_judged_without_starting_anything() {
    let folder = tempfile::tempdir().unwrap();
    let (code, said, _) = claims(folder.path(), EIGHT, &["--only-stored"]);
    assert_eq!(code, 3, "{said}");
    assert!(
        said.contains("no folder of its run `counts` was given"),
        "{said}"
    );
}

#[test]
fn what_a_command_printed_before_is_judged_from_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("stored.json");
    for (text, expected, says) in [
        ("{\"in-vain\": 8}", 0, "1 the same here"),
        ("{\"in-vain\": [8, 8, 8]}", 0, "1 the same here"),
        ("{\"in-vain\": 4}", 1, "Of 1 claim"),
        ("eight", 3, "is no JSON"),
    ] {
        std::fs::write(&file, text).unwrap();
        let stored = ["--only-stored", "--stored", "counts=stored.json"];
        let (code, said, _) = claims(folder.path(), EIGHT, &stored);
        assert_eq!(code, expected, "{text}: {said}");
        assert!(said.contains(says), "{text}: {said}");
    }
    let absent = ["--only-stored", "--stored", "counts=absent.json"];
    let (code, said, _) = claims(folder.path(), EIGHT, &absent);
    assert_eq!(code, 3, "{said}");
    assert!(said.contains("could not be read"), "{said}");
}

/// A command that counts in the logs of a run needs no run of its own.
#[test]
fn a_command_reads_the_folder_of_the_run_above_it() {
    let lab = Lab::scripted(&[("a", "")], "");
    let count = r#"printf '{"launches": %d}' $(ls "$0/launches" | wc -l)"#;
    let text = format!(
        "tacho: 1
article: {{title: On starts, question: How many?}}
runs:
  - {{name: starts, experiment: experiment.yaml}}
  - {{name: counts, command: [sh, -c, {count:?}, \"{{starts}}\"]}}
claims:
  - {{says: Two launches, run: counts, pointer: /launches, same: 2..2}}
"
    );
    std::fs::write(lab.path().join("claims.yaml"), text).unwrap();
    let of = |more: &[&str]| {
        let told = tacho()
            .current_dir(lab.path())
            .args(["claims", "--quiet", "claims.yaml"])
            .args(more)
            .output()
            .unwrap();
        String::from_utf8(told.stdout).unwrap()
    };
    let said = of(&[]);
    assert!(said.contains("Of 1 claim: 1 the same here."), "{said}");

    let run = std::fs::read_dir(lab.path().join("runs")).unwrap().next();
    let run = run.unwrap().unwrap().path();
    let stored = format!("starts={}", run.display());
    assert_eq!(of(&["--stored", &stored]), said);
}

/// Several runs of a file may have one short form.
#[test]
fn an_experiment_that_two_runs_name_is_carried_out_once() {
    let lab = Lab::scripted(&[("a", "")], "");
    let text = "tacho: 1
article: {title: On starts, question: Does it start?}
runs:
  - {name: one, experiment: absent.yaml, short: experiment.yaml}
  - {name: other, experiment: experiment.yaml}
claims:
  - {says: It starts, run: one, metric: ready_ms, of: a, same: '> 0'}
  - {says: And again, run: other, metric: ready_ms, of: a, same: '> 0'}
";
    std::fs::write(lab.path().join("claims.yaml"), text).unwrap();
    let told = tacho()
        .current_dir(lab.path())
        .args(["claims", "--quiet", "--short", "claims.yaml"])
        .output()
        .unwrap();
    let said = String::from_utf8(told.stdout).unwrap();
    assert!(said.contains("Of 2 claims"), "{said}");
    let runs = std::fs::read_dir(lab.path().join("runs")).unwrap();
    assert_eq!(runs.count(), 1, "{said}");
}
