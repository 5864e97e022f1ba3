//! Words of others on what Tacho prints and writes.

use super::folders::run_folder;
use crate::support::{Told, tacho};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use tacho_load::testkit::{Act, TestServer};

/// The clipboard (OSC 52), a clean screen, the other direction, one-byte CSI, a table, code, a tag,
/// a line of its own.
const EVIL: &str = "\u{1b}]52;c;cm0=\u{7}\u{1b}[2J\u{202e}\u{9b}1m|`<img src=x onerror=alert(1)>\r]]>\nerror: forged";

/// Puts it after each string that is one of these.
fn spoil(value: &mut Value, names: &[&str]) {
    match value {
        Value::String(text) if names.contains(&text.as_str()) => text.push_str(EVIL),
        Value::Array(values) => values.iter_mut().for_each(|value| spoil(value, names)),
        Value::Object(fields) => fields
            .iter_mut()
            .filter(|(key, _)| *key != "kind" && *key != "state")
            .for_each(|(_, value)| spoil(value, names)),
        _ => {}
    }
}

fn rewrite(path: &Path, change: impl Fn(&mut Value)) {
    let mut document = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut document);
    fs::write(path, serde_json::to_vec(&document).unwrap()).unwrap();
}

#[test]
fn no_name_or_message_commands_a_terminal_forges_a_line_or_becomes_markup() {
    let (_lab, folder) = run_folder();
    for file in [
        "run.json",
        "plan.json",
        "variants/a.json",
        "launches/001-a/launch.json",
        "launches/002-a/launch.json",
    ] {
        rewrite(&folder.join(file), |document| {
            spoil(
                document,
                &["a", "scripted", "cold", "closed", "GET /ping", "none"],
            );
        });
    }
    rewrite(&folder.join("launches/001-a/launch.json"), |launch| {
        launch["outcome"] = serde_json::json!({
            "state": "failed", "cause": "exited", "message": EVIL, "last_log_lines": [EVIL]
        });
    });
    let at = |name: &str| folder.join(name);
    let output = tacho()
        .arg("report")
        .arg(&folder)
        .arg("--markdown")
        .arg(at("o.md"))
        .arg("--junit")
        .arg(at("o.xml"))
        .arg("--json")
        .arg(at("o.json"))
        .output()
        .unwrap();
    let told = Told::of(&output);
    let markdown = fs::read_to_string(at("o.md")).unwrap();
    for (what, text) in [
        ("terminal", &told.out),
        ("errors", &told.err),
        ("Markdown", &markdown),
        ("JUnit", &fs::read_to_string(at("o.xml")).unwrap()),
        ("JSON", &fs::read_to_string(at("o.json")).unwrap()),
        ("page", &fs::read_to_string(at("report.html")).unwrap()),
    ] {
        let obeyed = |c: char| {
            c.is_control() && !matches!(c, '\t' | '\n') || ('\u{202a}'..='\u{202e}').contains(&c)
        };
        let place = text.char_indices().find(|(_, c)| obeyed(*c));
        assert!(
            place.is_none(),
            "{what}: {:?}",
            place.map(|(at, _)| text[at..].chars().take(80).collect::<String>())
        );
    }
    assert!(!told.out.is_empty(), "{told:#?}");
    for text in [&told.out, &markdown] {
        let forged = text.lines().find(|line| line.starts_with("error: forged"));
        assert_eq!(forged, None, "{text}");
    }
    // Outside of code, that is between an even number of backticks, no tag is left.
    for line in markdown.lines() {
        for (index, stretch) in line.split('`').enumerate() {
            let is_code = index % 2 == 1;
            assert!(is_code || !stretch.contains("<img"), "{line}");
        }
    }
}

#[test]
fn nothing_that_a_server_answers_turns_what_is_read() {
    let server = TestServer::start(|_| vec![Act::ok("\u{202e}\u{9b}2J\u{1b}[2J evil")]);
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let output = tacho()
        .args(["load", "-q", "-n", "5", "-e", "body~good", "--markdown"])
        .arg(at("o.md"))
        .arg("--junit")
        .arg(at("o.xml"))
        .arg("--json")
        .arg(at("o.json"))
        .arg(format!("http://{}/", server.address()))
        .output()
        .unwrap();
    let told = Told::of(&output).exits(3).says("evil");
    let written = ["o.md", "o.xml", "o.json"].map(|name| fs::read_to_string(at(name)).unwrap());
    for text in written.iter().chain([&told.out, &told.err]) {
        let obeyed =
            |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(obeyed), "{text:?}");
    }
}

const TALKER: &str = r#"
public class Talker {
    static final String EVIL = "\33[8m\33]52;c;cm0=\7" + (char) 0x202e + "\nerror: forged";

    static int said(String text) { return text.length(); }

    public static void main(String[] arguments) throws Exception {
        Thread.currentThread().setName("thread" + EVIL);
        System.out.println("up");
        while (true) {
            try {
                said(EVIL);
                throw new IllegalStateException(EVIL);
            } catch (IllegalStateException expected) {
                Thread.sleep(1);
            }
        }
    }
}
"#;

struct Talker(Child);

impl Drop for Talker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn what_a_service_says_through_an_instrument_begins_no_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("Talker.java"), TALKER).unwrap();
    let jdk = tacho_test_jdks::oldest();
    let compiled = jdk
        .tool("javac")
        .args(["-d", ".", "Talker.java"])
        .current_dir(&folder)
        .status();
    assert!(compiled.unwrap().success());
    let mut java = Command::new(jdk.home.join("bin/java"));
    let java = java
        .args(["-cp", ".", "Talker"])
        .current_dir(&folder)
        .stdout(Stdio::piped());
    let mut talker = Talker(java.spawn().unwrap());
    let mut up = String::new();
    let mut lines = BufReader::new(talker.0.stdout.take().unwrap());
    lines.read_line(&mut up).unwrap();
    assert_eq!(up, "up\n");
    let pid = talker.0.id().to_string();
    for words in [
        vec!["exceptions", &pid, "-d", "2s"],
        vec!["watch", &pid, "Talker.said", "-n", "2"],
    ] {
        let told = Told::of(&tacho().args(&words).output().unwrap())
            .exits(0)
            .says("forged");
        let obeyed =
            |c: char| c.is_control() && c != '\n' || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!told.out.contains(obeyed), "{told:#?}");
        let forged = told
            .out
            .lines()
            .find(|line| line.starts_with("error: forged"));
        assert_eq!(forged, None, "{told:#?}");
    }
}

#[test]
fn a_garbage_collection_log_commands_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let evil = "\u{1b}]52;c;cm0=\u{7}\u{202e}\u{9b}1m";
    let log = format!(
        "[0.005s][info][gc] Using G1\n\
         [0.010s][info][gc,init] Version: 17{evil}\n\
         [0.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 20M->5M(128M) 3.1ms\n\
         [0.500s][info][gc] GC(1) Pause Full (System.gc(){evil}) 20M->5M(128M) 30ms\n\
         [0.700s][info][gc] no such line {evil}\n"
    );
    fs::write(at("gc.log"), log).unwrap();
    let output = tacho()
        .arg("gc")
        .arg(at("gc.log"))
        .arg("--json")
        .arg(at("o.json"))
        .arg("--html")
        .arg(at("o.html"))
        .output()
        .unwrap();
    // One of four lines with figures is not understood: more than a tenth.
    let told = Told::of(&output).exits(3).says("not understood");
    let written = ["o.json", "o.html"].map(|name| fs::read_to_string(at(name)).unwrap());
    for text in written.iter().chain([&told.out, &told.err]) {
        let obeyed = |c: char| {
            c.is_control() && !matches!(c, '\n' | '\t') || ('\u{202a}'..='\u{202e}').contains(&c)
        };
        let place = text.find(obeyed);
        assert_eq!(
            place,
            None,
            "{:?}",
            place.map(|at| text[at..].chars().take(60).collect::<String>())
        );
    }
}
