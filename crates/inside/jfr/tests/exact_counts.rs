//! What a recording with the settings of a diagnosis counts, against what the program did.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use tacho_jfr::{EVENTS, Reading, WorkEvent, flags, read_work};
use tacho_run_folder::LedgerKind;
use tacho_test_jdks::{Jdk, jdks, oldest};

/// Throws what is caught at once, and defines classes anew, each by a loader of its own.
const PROGRAM: &str = r#"
import java.lang.reflect.Proxy;

public class Does {
    interface Price { }

    public static void main(String[] arguments) {
        for (int i = 0; i < 70; i++) {
            exception(i);
            error(i);
            proxy();
        }
    }

    static void exception(int i) {
        try {
            throw new IllegalStateException("planted " + i);
        } catch (IllegalStateException nobodySees) {
        }
    }

    static void error(int i) {
        try {
            throw new AssertionError("planted " + i);
        } catch (AssertionError nobodySees) {
        }
    }

    static void proxy() {
        ClassLoader own = new ClassLoader(Does.class.getClassLoader()) { };
        Proxy.newProxyInstance(own, new Class<?>[] {Comparable.class}, (proxy, method, values) -> null);
    }
}
"#;

fn recorded(jdk: &Jdk, folder: &Path) -> Vec<WorkEvent> {
    let at = |name: &str| folder.join(name);
    std::fs::write(at("Does.java"), PROGRAM).unwrap();
    std::fs::write(at("events.jfc"), EVENTS).unwrap();
    let mut compile = oldest().tool("javac");
    compile
        .args(["--release", "17", "Does.java"])
        .current_dir(folder);
    let run = |command: &mut Command| assert!(command.status().unwrap().success());
    run(&mut compile);
    let recording = at("recording.jfr");
    let mut launch = jdk.tool("java");
    launch
        .args(flags(&at("events.jfc"), &recording).unwrap())
        .arg("-cp")
        .arg(folder)
        .arg("Does");
    run(&mut launch);
    let mut events = Vec::new();
    let reading = Reading {
        recording: &recording,
        java: &jdk.path("java"),
        stop: &AtomicBool::new(false),
    };
    let unread = read_work(&reading, &mut |event| events.push(event)).unwrap();
    assert_eq!(unread, 0);
    events
}

/// By the method of the program that is nearest.
fn owned(events: &[WorkEvent], kind: LedgerKind) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::new();
    for event in events.iter().filter(|event| event.kind == kind) {
        let owner = event.frames.iter().find_map(|frame| {
            let method = frame.strip_prefix("Does.")?;
            Some(method.split(':').next()?.to_owned())
        });
        *counts.entry(owner.unwrap_or_default()).or_default() += event.samples;
    }
    counts
}

#[test]
fn exceptions_errors_and_classes_are_counted_once_each() {
    for jdk in jdks() {
        let folder = tempfile::tempdir().unwrap();
        let events = recorded(jdk, folder.path());
        let thrown = owned(&events, LedgerKind::Exceptions);
        assert_eq!(thrown.get("exception"), Some(&70), "{thrown:?}");
        assert_eq!(thrown.get("error"), Some(&70), "{thrown:?}");

        let defined: Vec<&WorkEvent> = events
            .iter()
            .filter(|event| event.kind == LedgerKind::ClassDefinitions)
            .filter(|event| event.frames.iter().any(|f| f.starts_with("Does.proxy:")))
            .collect();
        let proxies = defined
            .iter()
            .filter(|event| event.key == "jdk.proxy.$Proxy");
        assert_eq!(proxies.count(), 70, "JDK {}: {defined:#?}", jdk.release);
    }
}
