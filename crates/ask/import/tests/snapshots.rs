//! What each reader makes of an input that looks like the ones people have.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::Path;
use tacho_import::{Format, Imported, OpenApiOptions, read, read_openapi};
use tacho_workload::{Body, Script};

const FIXTURES: &str = "tests/fixtures";

fn import(format: Format, name: &str) -> Imported {
    let folder = Path::new(FIXTURES);
    let input = std::fs::read(folder.join(name)).unwrap();
    assert_eq!(Format::guess(&input, None), Some(format));
    read(format, &input, folder).unwrap()
}

/// As a person would tell it, with bodies as texts.
fn told(imported: &Imported) -> String {
    let mut lines = vec![format!(
        "to {:?}",
        imported.origin.as_ref().map(ToString::to_string)
    )];
    let workload = &imported.workload;
    for scenario in &workload.scenarios {
        lines.push(format!("scenario {} x {}", scenario.name, scenario.weight));
        for step in &scenario.steps {
            lines.push(format!(
                "  step {}: {} {}",
                step.name, step.method, step.path
            ));
            lines.extend(
                step.headers
                    .iter()
                    .map(|(name, value)| format!("    {name}: {value}")),
            );
            match &step.body {
                Body::Bytes(bytes) => {
                    lines.push(format!("    body {:?}", String::from_utf8_lossy(bytes)));
                }
                other => lines.push(format!("    body {other:?}")),
            }
            lines.extend(step.checks.iter().map(|check| format!("    {check:?}")));
            lines.extend(
                step.captures
                    .iter()
                    .map(|capture| format!("    {capture:?}")),
            );
            lines.push(format!("    then {:?}", step.think));
        }
    }
    lines.extend(workload.feeds.iter().map(|feed| format!("{feed:?}")));
    lines.push(format!(
        "cookies {}, redirects {}",
        workload.cookies, workload.redirects
    ));
    lines.push(format!("{:?}", imported.plan));
    lines.push(format!("{:?}", imported.connection));
    lines.extend(imported.notes.iter().map(|note| format!("note {note}")));
    lines.join("\n")
}

#[test]
fn vegeta_targets() {
    insta::assert_snapshot!(told(&import(Format::Vegeta, "targets.txt")));
}

#[test]
fn vegeta_targets_as_json() {
    insta::assert_snapshot!(told(&import(Format::VegetaJson, "targets.jsonl")));
}

#[test]
fn curl_as_copied_from_a_browser() {
    insta::assert_snapshot!(told(&import(Format::Curl, "browser.sh")));
}

#[test]
fn a_jmeter_test_plan() {
    insta::assert_snapshot!(told(&import(Format::Jmx, "shop.jmx")));
}

#[test]
fn an_openapi_document() {
    insta::assert_snapshot!(told(&import(Format::OpenApi, "library.yaml")));
}

/// A reader must not give what the rest of Tacho then refuses.
#[test]
fn what_is_read_can_be_sent() {
    for (format, name) in [
        (Format::Vegeta, "targets.txt"),
        (Format::VegetaJson, "targets.jsonl"),
        (Format::Curl, "browser.sh"),
        (Format::Jmx, "shop.jmx"),
        (Format::OpenApi, "library.yaml"),
    ] {
        let imported = import(format, name);
        let origin = imported.origin.as_ref().unwrap().into();
        let script = Script::compile(&imported.workload, Path::new(""), &origin, 1);
        assert!(script.is_ok(), "{name}: {}", script.err().unwrap());
    }
}

#[test]
fn only_the_methods_that_are_asked_for() {
    let input = std::fs::read(Path::new(FIXTURES).join("library.yaml")).unwrap();
    let options = OpenApiOptions {
        methods: vec!["GET".to_owned()],
    };
    let imported = read_openapi(&input, &options).unwrap();
    let names: Vec<&str> = imported
        .workload
        .scenarios
        .iter()
        .map(|s| s.name.as_str())
        .collect();
    assert_eq!(names, ["findBooks", "GET /books/{isbn}"]);
    assert!(
        !imported
            .notes
            .iter()
            .any(|note| note.text.contains("change data"))
    );
}
