//! What is told before anything is sent.

use crate::command::Load;
use crate::server::{ok, url};
use std::path::Path;

#[test]
fn wrong_usage_says_what_to_do_and_sends_nothing() {
    let server = ok();
    let address = url(&server, "/");
    for (arguments, way_out) in [
        (vec![], "give a URL"),
        (vec!["localhost:80"], "http://localhost:80"),
        (vec!["--rate", "0", &address], "such as 500/s"),
        (
            vec!["--rate", "1,5", &address],
            "the decimal sign is a point",
        ),
        (vec!["--check", "jar: p99<5ms", &address], "`tacho run`"),
        (vec!["--targets", "-", &address], "--format"),
        (vec!["--check", "p99", &address], "p99<"),
        (vec!["--search", "fast", &address], "p99<50ms"),
        (vec!["--insecure", &address], "https://"),
        (vec!["-H", "X: {{users.id}}", &address], "users"),
        (
            vec!["--sine", "100,200,5s", &address],
            "between 0 and the mean",
        ),
        (
            vec!["--search", "p99<5ms", "--between", "9..3", &address],
            "the lower one first",
        ),
        (
            vec!["--rate", "5", "--think", "5ms", &address],
            "cannot be used with",
        ),
        (
            vec!["--steps", "5,9", "-n", "7", &address],
            "cannot be used with",
        ),
        (vec!["--replay", "/nonexistent", &address], "cannot read"),
        (vec!["--ca", "/nonexistent", "https://localhost:1"], "PEM"),
        (
            vec!["--rate", "5", "--closed", &address],
            "cannot be used with",
        ),
    ] {
        let command = arguments.iter().fold(Load::new(""), Load::with);
        let told = command.run();
        assert_eq!(told.code, Some(2), "{arguments:?} {told:?}");
        assert!(told.err.contains(way_out), "{arguments:?}: {}", told.err);
    }
    assert_eq!(server.requests(), 0);
}

#[test]
fn what_targets_would_not_follow_is_refused() {
    let server = ok();
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("targets.txt");
    std::fs::write(&list, "GET /a\n").unwrap();
    for (flags, address, way_out) in [
        ("--expect status=200", "/", "--expect works with a URL"),
        ("--cookies", "/", "--cookies works with a URL"),
        ("--follow=3", "/", "--follow works with a URL"),
        ("--events 3", "/", "--events works with a URL"),
        ("", "/shop?key=abc", "without path and query (/shop)"),
    ] {
        let command = Load::new("--closed -n 1").and(flags).and("--targets");
        let told = command.with(&list).with(url(&server, address)).run();
        assert_eq!(told.code, Some(2), "{flags} {told:?}");
        assert!(told.err.contains(way_out), "{flags}: {}", told.err);
    }
    assert_eq!(server.requests(), 0);
}

#[test]
fn scripts_of_others_are_told_what_to_do_instead() {
    let server = ok();
    let scripts =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../ask/import/tests/fixtures/scripts");
    for (name, whose) in [
        ("k6.js", "a script of k6"),
        ("k6-bundle.js", "a script of k6"),
        ("ShopSimulation.scala", "a simulation of Gatling"),
        ("ShopSimulation.java", "a simulation of Gatling"),
        ("ShopSimulation.kt", "a simulation of Gatling"),
        ("shop.gatling.ts", "a simulation of Gatling"),
    ] {
        let told = Load::new("-n 1 -t")
            .with(scripts.join(name))
            .with(url(&server, "/"))
            .run()
            .exits(2);
        assert!(told.err.contains(whose), "{name}: {told:?}");
        assert!(told.err.contains("tacho record URL -o"), "{name}: {told:?}");
    }
    assert_eq!(server.requests(), 0);
}

#[test]
fn standard_output_is_given_to_one_format_alone() {
    let server = ok();
    for (one, other) in [("json", "csv"), ("markdown", "junit")] {
        let told = Load::new(&format!("-n 1 --{one} - --{other} -"))
            .with(url(&server, "/"))
            .run()
            .exits(2);
        assert_eq!(told.out, "", "{told:?}");
        let both = [format!("--{one} "), format!("--{other} ")];
        assert!(both.iter().all(|flag| told.err.contains(flag)), "{told:?}");
        assert!(told.err.contains("give a file to one of them"), "{told:?}");
        assert!(
            told.err.contains("\n\nUsage: tacho load ") && !told.err.contains("\n\n\n"),
            "{told:?}"
        );
    }
    assert_eq!(server.requests(), 0);
}

#[test]
fn a_file_that_cannot_be_written_is_named_before_anything_is_sent() {
    let server = ok();
    let told = Load::new("-n 5 --json /nonexistent/load.json")
        .with(url(&server, "/"))
        .run()
        .exits(4);
    assert!(told.err.contains("/nonexistent/load.json"), "{told:?}");
    assert_eq!(server.requests(), 0);
}

#[test]
fn a_proxy_of_the_environment_is_named_and_not_used() {
    let server = ok();
    let told = Load::new("--closed -n 1 --json -")
        .with(url(&server, "/"))
        .env("http_proxy", "http://127.0.0.1:1")
        .run();
    let report = told.json();
    assert_eq!(report["outcomes"]["2xx"]["count"], 1);
    let note = report["notes"][0].as_str().unwrap();
    assert!(note.contains("http_proxy is set and not used"), "{report}");
    assert!(told.err.contains("http_proxy is set and not used"));
}
