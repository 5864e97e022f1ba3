//! `tacho profile`, `trace`, `watch`, `exceptions`, `classes` on a real JVM that does the same all
//! the time.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rustix::process::Signal;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{Told, signal, tacho};

/// Looks for an absent class, swallows an exception of its own, renders; again and again.
const SERVICE: &str = r#"
package com.acme;

public class Busy {
    static Object kept;

    static class OutOfStock extends RuntimeException {
        OutOfStock() {
            super("no more tea");
        }
    }

    public static void main(String[] arguments) throws Exception {
        System.out.println("up");
        for (int i = 0; ; i++) {
            request(i);
            if (!Boolean.getBoolean("busy")) {
                Thread.sleep(2);
            }
        }
    }

    static void request(int i) {
        try {
            Class.forName("org.absent.Time");
        } catch (ClassNotFoundException e) {
            kept = e;
        }
        try {
            sell();
        } catch (OutOfStock e) {
            kept = e;
        }
        kept = new Page().render("page " + i);
    }

    static void sell() {
        throw new OutOfStock();
    }

    static class Page {
        String render(String title) {
            String text = title;
            for (int i = 0; i < 3; i++) {
                text = row(text, i);
            }
            return text;
        }

        String row(String text, int i) {
            return String.format("%40s %d", text.trim(), i);
        }
    }
}
"#;

fn jdk() -> PathBuf {
    tacho_test_jdks::newest().home.clone()
}

/// The service as a jar, running.
struct Busy {
    child: Child,
    folder: tempfile::TempDir,
}

impl Busy {
    fn start(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("Busy.java"), SERVICE).unwrap();
        let tool = |name: &str, arguments: &str| {
            let mut command = tacho_test_jdks::newest().tool(name);
            command.current_dir(&folder).args(arguments.split(' '));
            assert!(command.status().unwrap().success());
        };
        tool("javac", "--release 17 -g -d classes Busy.java");
        tool(
            "jar",
            "--create --file busy.jar --main-class com.acme.Busy -C classes .",
        );
        let mut child = Command::new(jdk().join("bin/java"))
            .args(flags)
            .args(["-jar", "busy.jar"])
            .current_dir(&folder)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        assert_eq!(lines.next().unwrap().unwrap(), "up");
        std::thread::spawn(move || lines.for_each(drop));
        Self { child, folder }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Runs a command on it; folders of sessions go into a folder of its own.
    fn command(&self, arguments: &str) -> Command {
        let mut words = arguments.split(' ');
        let mut command = tacho();
        command
            .arg(words.next().unwrap())
            .arg(self.pid().to_string())
            .args(words);
        command.env("TMPDIR", self.sessions());
        command
    }

    fn sessions(&self) -> PathBuf {
        let folder = self.folder.path().join("sessions");
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn run(&self, arguments: &str) -> Told {
        Told::of(&self.command(arguments).output().unwrap())
    }

    fn json(&self, arguments: &str) -> Value {
        let output = self
            .command(&format!("{arguments} --json -"))
            .output()
            .unwrap();
        assert!(output.status.success(), "{:#?}", Told::of(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Whether the agent's thread is in there.
    fn is_looked_into(&self) -> bool {
        let jvm = tacho_attach::Jvm::attach(self.pid()).unwrap();
        jvm.jcmd("Thread.print")
            .unwrap()
            .contains("\"tacho-agent\"")
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A library that is no profiler, so that the JVM's own recorder has to do the work whatever is
/// installed here.
fn no_profiler() -> PathBuf {
    jdk().join("lib/libzip.so")
}

#[test]
fn a_profile_names_the_lines_that_cost_and_writes_what_other_tools_read() {
    let busy = Busy::start(&["-Dbusy=true"]);
    let out = busy.folder.path().join("out");
    let mut command = busy.command("profile -d 4s -e cpu,alloc,wall -i 1ms");
    let output = command
        .args(["--out".as_ref(), out.as_os_str()])
        .env("TACHO_ASYNC_PROFILER", no_profiler())
        .output()
        .unwrap();
    let told = Told::of(&output);
    assert_eq!(told.code, Some(0), "{told:#?}");
    // However its lines are broken.
    let text = told.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "Tacho profile · busy.jar (process ",
        "by flight recorder of the JVM",
        "so the JVM's own flight recorder samples",
        "cannot sample by the wall clock",
        "Processor time: ",
        "Allocation: ",
        "com.acme.Busy$Page.row:",
    ] {
        assert!(text.contains(part), "no {part}: {told:#?}");
    }
    assert!(!text.contains("Wall clock"), "{told:#?}");
    let read = |name: &str| std::fs::read(out.join(name)).unwrap();
    assert!(read("profile.jfr").starts_with(b"FLR\0"));
    let page = String::from_utf8(read("profile.html")).unwrap();
    assert!(page.contains("flame-data") && page.contains("com.acme.Busy.request"));
    let collapsed = String::from_utf8(read("processor.collapsed")).unwrap();
    assert!(
        collapsed.contains("com.acme.Busy.main;com.acme.Busy.request;"),
        "{collapsed}"
    );
    assert!(read("allocation.speedscope.json").starts_with(b"{"));
    for name in ["processor.pb.gz", "allocation.pb.gz"] {
        assert!(read(name).starts_with(&[0x1f, 0x8b]), "{name}");
    }
    assert!(!out.join("wall.collapsed").exists());
    assert!(is_empty(&busy.sessions()));
    assert!(!is_recorded(&busy));
}

/// A flight recording of ours is on.
fn is_recorded(busy: &Busy) -> bool {
    let jvm = tacho_attach::Jvm::attach(busy.pid()).unwrap();
    jvm.jcmd("JFR.check").unwrap().contains("tacho-profile")
}

#[test]
fn a_profile_is_had_of_a_jvm_that_lets_no_agent_in_and_until_ctrl_c() {
    let busy = Busy::start(&["-Dbusy=true", "-XX:-EnableDynamicAgentLoading"]);
    let out = busy.folder.path().join("out");
    let child = busy
        .command("profile -d 10m --formats pprof --json -")
        .args(["--out".as_ref(), out.as_os_str()])
        .env("TACHO_ASYNC_PROFILER", no_profiler())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| is_recorded(&busy));
    std::thread::sleep(Duration::from_secs(3));
    signal(&child, Signal::INT);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{:#?}", Told::of(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["interrupted"], true);
    assert_eq!(report["own"], serde_json::json!(["com.acme."]));
    let notes = report["notes"].to_string();
    assert!(notes.contains("-XX:+EnableDynamicAgentLoading"), "{notes}");
    let cost = &report["costs"][0];
    assert_eq!(cost["kind"], "processor");
    assert!(cost["samples"].as_u64().unwrap() > 0, "{report:#}");
    let shares = cost["lines"].as_array().unwrap().iter();
    let all: f64 = shares.map(|row| row["self_share"].as_f64().unwrap()).sum();
    assert!(all > 0.5 && all <= 1.0 + 1e-9, "{report:#}");
    assert_eq!(report["files"], serde_json::json!(["processor.pb.gz"]));
    assert!(!is_recorded(&busy));
}

#[test]
fn a_profile_of_a_jvm_that_ends_has_what_was_seen_until_then() {
    let mut busy = Busy::start(&["-Dbusy=true"]);
    let out = busy.folder.path().join("out");
    let profile = |busy: &Busy| {
        let child = busy
            .command("profile -d 10m --recorder")
            .args(["--out".as_ref(), out.as_os_str()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        until(|| is_recorded(busy));
        std::thread::sleep(Duration::from_secs(3));
        child
    };
    let child = profile(&busy);
    signal(&busy.child, Signal::TERM);
    busy.child.wait().unwrap();
    let told = Told::of(&child.wait_with_output().unwrap());
    assert_eq!(told.code, Some(0), "{told:#?}");
    let text = told.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("com.acme.Busy.request:"), "{told:#?}");
    assert!(text.contains("has ended meanwhile"), "{told:#?}");
    assert!(!text.contains("Processor time: 0 ms"), "{told:#?}");

    std::fs::remove_dir_all(&out).unwrap();
    let mut busy = Busy::start(&["-Dbusy=true"]);
    let child = profile(&busy);
    busy.child.kill().unwrap();
    busy.child.wait().unwrap();
    let told = Told::of(&child.wait_with_output().unwrap());
    assert_eq!(told.code, Some(4), "{told:#?}");
    assert!(
        told.err.contains("has ended while it was asked") || told.err.contains("was killed"),
        "{told:#?}"
    );
    assert!(!out.exists() && is_empty(&busy.sessions()));
}

#[test]
fn a_profile_that_cannot_be_had_says_why() {
    let refused = |busy: &Busy, arguments: &str, said: &[&str]| {
        let out = busy.folder.path().join("out");
        let mut command = busy.command(arguments);
        command.args(["--out".as_ref(), out.as_os_str()]);
        command.env("TACHO_ASYNC_PROFILER", no_profiler());
        let told = Told::of(&command.output().unwrap());
        assert_eq!(told.code, Some(4), "{told:#?}");
        for said in said {
            assert!(told.err.contains(said), "{told:#?}");
        }
        assert!(!out.exists());
    };
    let busy = Busy::start(&[]);
    refused(
        &busy,
        "profile -d 1s -e wall",
        &[
            "this JVM cannot be sampled",
            "libzip.so could not do its work",
            "cannot sample by the wall clock",
        ],
    );
    assert!(is_empty(&busy.sessions()));
    let mut dead = busy;
    dead.child.kill().unwrap();
    dead.child.wait().unwrap();
    refused(&dead, "profile -d 1s", &["there is no process"]);
    let closed = Busy::start(&["-XX:+DisableAttachMechanism"]);
    refused(&closed, "profile -d 1s", &["restart it without"]);
}

fn is_empty(folder: &Path) -> bool {
    std::fs::read_dir(folder).unwrap().next().is_none()
}

#[test]
fn each_instrument_says_what_the_service_does_and_leaves_it_as_it_was() {
    let busy = Busy::start(&[]);
    let out = "The instruments are out: ";

    let told = busy.run("exceptions -d 5s");
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(
        told.out.contains("com.acme.Busy$OutOfStock: no more tea"),
        "{told:#?}"
    );
    assert!(told.out.contains("at com.acme.Busy.sell:"), "{told:#?}");
    assert!(
        told.out
            .contains("java.lang.ClassNotFoundException: org.absent.Time"),
        "{told:#?}"
    );
    assert!(told.out.contains(out), "{told:#?}");

    let told = busy.run("classes --failed --stacks -d 5s");
    assert!(
        told.out.contains(
            "org.absent.Time (not found), by jdk.internal.loader.ClassLoaders$AppClassLoader"
        ),
        "{told:#?}"
    );
    assert!(
        told.out.contains("at java.lang.Class.forName:")
            && told.out.contains("at com.acme.Busy.request:"),
        "{told:#?}"
    );

    let told = busy.run("trace com.acme.Busy.request -d 15s");
    assert!(told.out.starts_with("com.acme.Busy.request  "), "{told:#?}");
    assert!(
        told.out.contains("of com.acme.Busy$Page.row")
            && told.out.contains("of java.lang.String.format"),
        "{told:#?}"
    );
    assert!(told.out.contains(out), "{told:#?}");

    let told = busy.run("trace com.acme.Busy$Page.render -n 2 --levels 0");
    let calls = told.out.matches("  com.acme.Busy$Page.render  ").count();
    assert!(
        calls == 2 && told.out.contains("2 such calls in") && told.out.contains("3 calls of"),
        "{told:#?}"
    );
    let told = busy.run("trace com.acme.Busy$Page.render --slower-than 1h --levels 0 -d 1s");
    assert!(told.out.contains("0 such calls in"), "{told:#?}");

    let told = busy.run("watch com.acme.Busy$Page::row -n 2");
    assert!(
        told.out.contains("2 calls in") && told.out.contains("com.acme.Busy$Page.row(\"page "),
        "{told:#?}"
    );
    assert!(
        told.out.contains("called at com.acme.Busy$Page.render:"),
        "{told:#?}"
    );
    assert!(is_empty(&busy.sessions()));
}

#[test]
fn counts_are_those_of_the_requests() {
    let busy = Busy::start(&[]);
    let report = busy.json("classes --failed -d 2s --requests 10");
    assert_eq!(report["own"], serde_json::json!(["com.acme."]));
    let rows = report["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 1, "{report:#}");
    let count = rows[0]["count"].as_u64().unwrap();
    assert!(
        count > 0
            && rows[0]["owner"]
                .as_str()
                .unwrap()
                .starts_with("com.acme.Busy.request:"),
        "{report:#}"
    );
    assert_eq!(
        rows[0]["per_request"].as_f64().unwrap(),
        count as f64 / 10.0
    );
    assert_eq!(report["removed"]["clean"], true);

    // In each request three rows and one page; the window may cut one at each end.
    let report = busy.json("trace com.acme.Busy$Page.render -d 2s --levels 0");
    let render = &report["methods"][0];
    let row = render["callees"]
        .as_array()
        .unwrap()
        .iter()
        .find(|c| c["method"] == "com.acme.Busy$Page.row")
        .unwrap();
    let (renders, rows) = (
        render["count"].as_u64().unwrap(),
        row["count"].as_u64().unwrap(),
    );
    assert!(renders > 0 && rows.abs_diff(renders * 3) <= 3, "{report:#}");
}

#[test]
fn ctrl_c_takes_the_instruments_out_and_shows_what_was_seen() {
    let busy = Busy::start(&[]);
    let child = busy
        .command("exceptions -d 10m")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    until(|| busy.is_looked_into());
    // Nothing shows from outside that the probes are in, and that something went through them.
    std::thread::sleep(Duration::from_secs(15));
    signal(&child, Signal::INT);
    let told = Told::of(&child.wait_with_output().unwrap());
    assert_eq!(told.code, Some(130), "{told:#?}");
    assert!(
        told.out.contains("no more tea") && told.out.contains("The instruments are out: "),
        "{told:#?}"
    );
    // The agent's thread ends after it has answered, not before.
    until(|| !busy.is_looked_into());
}

#[test]
fn a_tacho_that_is_killed_leaves_no_instrument_behind() {
    let busy = Busy::start(&[]);
    let mut child = busy
        .command("trace com.acme.Busy.request -d 10m")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until(|| busy.is_looked_into());
    signal(&child, Signal::KILL);
    child.wait().unwrap();
    until(|| !busy.is_looked_into());
    // And the next one is let in.
    assert_eq!(busy.run("exceptions -d 1s").code, Some(0));
}

fn until(reached: impl Fn() -> bool) {
    let begin = Instant::now();
    while !reached() {
        assert!(
            begin.elapsed() < Duration::from_secs(120),
            "it takes too long"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn who_names_no_jvm_is_told_which_there_are() {
    let busy = [Busy::start(&[]), Busy::start(&[])];
    let refused = |command: &str, name: &str, said: &str| {
        let told = Told::of(&tacho().args([command, name]).output().unwrap()).exits(2);
        assert!(told.err.contains(said), "{told:#?}");
        for one in &busy {
            let folder = one.folder.path().file_name().unwrap().to_str().unwrap();
            let line = format!("{:>8}  busy  (in {folder})", one.pid());
            assert!(told.err.contains(&line), "no {line}: {told:#?}");
        }
    };
    refused("profile", "java", "no JVM is called so; there are:");
    refused(
        "memory",
        "no-such-service",
        "no JVM is called so; there are:",
    );
    let several = "several JVMs are called so; give the number of one:";
    refused("profile", "busy", several);
}

#[test]
fn who_cannot_be_looked_into_is_told_with_the_way_out() {
    let refused = |busy: &Busy, said: &str| {
        let told = busy.run("exceptions -d 1s");
        assert_eq!(told.code, Some(4), "{told:#?}");
        assert!(told.err.contains(said), "{told:#?}");
    };
    refused(
        &Busy::start(&["-XX:+DisableAttachMechanism"]),
        "restart it without",
    );
    let mut dead = Busy::start(&[]);
    dead.child.kill().unwrap();
    dead.child.wait().unwrap();
    refused(&dead, "there is no process");

    let own = std::process::id().to_string();
    let told = Told::of(
        &tacho()
            .args(["watch", &own, "com.acme.Shop.render"])
            .output()
            .unwrap(),
    );
    assert!(
        told.code == Some(4) && told.err.contains("is no JVM"),
        "{told:#?}"
    );
    let told = Told::of(&tacho().args(["trace", &own, "render"]).output().unwrap());
    assert!(
        told.code == Some(2) && told.err.contains("a class with its package"),
        "{told:#?}"
    );

    // What is not there is said, and nothing else happens.
    let busy = Busy::start(&[]);
    for command in [
        "trace com.acme.None.run -d 1s --wait",
        "watch com.acme.None.run -d 1s --wait",
    ] {
        let told = busy.run(command);
        assert_eq!(told.code, Some(2), "{told:#?}");
        let said = "no loaded class has a method com.acme.None.run";
        assert!(
            told.out.contains(said)
                && told.err.contains(said)
                && told
                    .err
                    .contains("is instrumented when a class comes that has it")
                && told.out.contains("Nothing was instrumented."),
            "{told:#?}"
        );
    }
    // Of a class that is there no other methods come; of one that is not, whoever does not wait is
    // told at once. Either with what there is.
    for (what, near) in [
        ("com.acme.Busy.reqest", "its nearest methods: request"),
        (
            "com.acme.Busy.reqest --wait",
            "its nearest methods: request",
        ),
        (
            "com.acme.Page.render",
            "the nearest that are: com.acme.Busy$Page",
        ),
        (
            "com.acme.Busi.request",
            "the nearest that are: com.acme.Busy",
        ),
        ("com.acme.Busy$Page.row(I)V", "has row(Ljava/lang/String;I)"),
    ] {
        for command in ["trace", "watch"] {
            let told = busy.run(&format!("{command} {what} -d 10m"));
            assert_eq!(told.code, Some(2), "{told:#?}");
            let said = "nothing was instrumented: no loaded class has a method com.acme.";
            assert!(
                told.err.contains(said) && told.err.contains(near),
                "{told:#?}"
            );
        }
    }
    // With one that is there the other is only said.
    let told = busy.run("trace com.acme.Busy.request com.acme.Busy.none -d 1s");
    assert_eq!(told.code, Some(0), "{told:#?}");
    assert!(told.out.contains("com.acme.Busy.none"), "{told:#?}");
    let told = busy.run("watch java.lang.Runtime.availableProcessors -d 10m");
    assert_eq!(told.code, Some(2), "{told:#?}");
    assert!(told.err.contains("it is native"), "{told:#?}");
    assert!(is_empty(&busy.sessions()));
}
