//! `tacho diagnose` on two builds of a real service whose difference is known.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Told, port, tacho};
use tempfile::TempDir;

const MAIN: &str = r#"
package shop;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

public class Main {
    public static void main(String[] arguments) throws Exception {
        int port = arguments.length == 0 ? 0 : Integer.parseInt(arguments[0]);
        var address = new InetSocketAddress("127.0.0.1", port);
        HttpServer server = HttpServer.create(address, 100);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> {
            byte[] answer = ("total " + within(60)).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }

    /// What an exception costs grows with the frames above it; few launches on a busy machine have
    /// to tell it.
    static int within(int frames) {
        return frames == 0 ? Prices.total() : within(frames - 1);
    }
}
"#;

/// Of eight hundred texts every second one is no number.
const COMMON: &str = r#"
package shop;

public class Prices {
    static int total() {
        int total = 0;
        for (int i = 0; i < 800; i++) {
            total += price(i % 2 == 0 ? "none" : "" + i);
        }
        return total;
    }

    static int price(String text) {
        PRICE
    }
}
"#;

const BASELINE: &str = "return text.charAt(0) > '9' ? 0 : Integer.parseInt(text);";
const CANDIDATE: &str =
    "try { return Integer.parseInt(text); } catch (NumberFormatException nobodySees) { return 0; }";

fn jdk() -> PathBuf {
    tacho_test_jdks::newest().home.clone()
}

fn done(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}");
}

fn build(folder: &Path, name: &str, price: &str) {
    let sources = folder.join(name);
    std::fs::create_dir_all(&sources).unwrap();
    std::fs::write(sources.join("Main.java"), MAIN).unwrap();
    std::fs::write(sources.join("Prices.java"), COMMON.replace("PRICE", price)).unwrap();
    let tool = |tool: &str| {
        let mut command = tacho_test_jdks::newest().tool(tool);
        command.current_dir(&sources);
        command
    };
    done(tool("javac").args("--release 17 -d classes Main.java Prices.java".split(' ')));
    let jar = format!("--create --file ../{name}.jar --main-class shop.Main -C classes .");
    done(tool("jar").args(jar.split(' ')));
}

fn diagnose(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = tacho();
    command.current_dir(folder).arg("diagnose").args(arguments);
    // These JVMs live for seconds: the compiler that optimises would cost more than it gives.
    command.env("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1");
    command
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// Both builds, a few requests each: few enough that what the compilers do is in every launch
/// alike.
fn write_experiment(lab: &Path) {
    let port = port();
    let experiment = format!(
        "tacho: 1
name: prices
subject: {{port: {port}, arguments: ['{port}'], ready: {{http: /}}, jvm-flags: [-Xmx96m, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'], jdk: '{}'}}
variants:
  - {{name: old, kind: jar, artifact: old.jar}}
  - {{name: new, kind: jar, artifact: new.jar}}
baseline: old
requests: [GET /]
phases:
  - closed: {{requests: 100, connections: 4, label: warm-up}}
  - closed: {{requests: 100, connections: 4, label: measured}}
launches: 4
rest: 0s
seed: 1
",
        jdk().display()
    );
    std::fs::write(lab.join("experiment.yaml"), experiment).unwrap();
}

#[test]
fn swallowed_exceptions_are_counted_and_found_at_their_line() {
    let lab = TempDir::new().unwrap();
    build(lab.path(), "old", BASELINE);
    build(lab.path(), "new", CANDIDATE);
    write_experiment(lab.path());
    let sources = lab.path().join("repository/src/main/java/shop");
    std::fs::create_dir_all(&sources).unwrap();
    std::fs::write(sources.join("Prices.java"), "").unwrap();
    let arguments = "experiment.yaml --warm-up 100 --window 50 --sample 1s --quiet --sarif found.sarif --sources repository";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let told = Told::of(&diagnose(lab.path(), &arguments).output().unwrap());

    let run = run_of(lab.path());
    let report = json(&run.join("diagnose.json"));
    if report["conclusion"] == "not-told" {
        // Only of a machine that was too busy for times. What was counted stands all the same.
        let results = json(&run.join("results.json"));
        assert_eq!(results["certificate"]["state"], "invalid", "{told:#?}");
        let counted = "exceptions constructed, 400 (before: 0), in shop.Prices.price";
        assert!(words(&told.out).contains(counted), "{told:#?}");
        return;
    }
    assert_eq!(report["conclusion"], "explained", "{told:#?}");
    // Which of several is first is for tests whose evidence is known: here the machine may have let
    // requests wait as well.
    let findings = report["findings"]["findings"].as_array().unwrap();
    let first = findings
        .iter()
        .find(|finding| finding["owner"] == "shop.Prices.price")
        .unwrap_or_else(|| panic!("{report:#}"));
    assert_eq!(first["pattern"], "exceptions-as-control-flow", "{report:#}");
    // The line of the call, in the source above; and of the file of that class.
    assert_eq!(first["line"], 14, "{first:#}");
    let sarif = json(&lab.path().join("found.sarif"));
    let shown = sarif["runs"][0]["results"].as_array().unwrap();
    let place = serde_json::json!({
        "artifactLocation": {"uri": "src/main/java/shop/Prices.java", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 14},
    });
    assert!(
        shown
            .iter()
            .any(|one| one["locations"][0]["physicalLocation"] == place),
        "{sarif:#}"
    );
    // Exactly: half of eight hundred texts, in each request of the window.
    assert_eq!(
        first["counts"][0]["what"],
        "java.lang.NumberFormatException"
    );
    assert_eq!(first["counts"][0]["times"]["candidate"], 400.0);
    assert_eq!(first["counts"][0]["times"]["baseline"], 0.0);
    assert!(first["explains"].as_f64().unwrap() > 0.2, "{report:#}");
    assert!(told.out.contains("shop.Prices.price:14"), "{told:#?}");
    assert!(told.out.contains("What to do:"), "{told:#?}");
    // The trace: in each request eight hundred prices.
    let trace = report["trace"].as_array().unwrap();
    let row = trace
        .iter()
        .find(|row| row["method"] == "shop.Prices.price")
        .unwrap_or_else(|| panic!("{report:#}"));
    // Methods are traced because samples showed them: in a build that had few samples it may be
    // none of these.
    let calls: Vec<f64> = ["candidate", "baseline"]
        .map(|build| &row[build])
        .into_iter()
        .filter(|figures| figures["calls_are_estimated"] != true)
        .filter_map(|figures| figures["calls"].as_f64())
        .collect();
    assert!(calls.iter().all(|calls| *calls == 800.0), "{row:#}");
    assert_eq!(row["own"], true);
    assert!(trace.iter().any(|row| row["kind"] == "root"), "{report:#}");
    assert!(
        told.out.contains("Traced, wall time a request"),
        "{told:#?}"
    );
    // The class that differs was put back, alone. A machine that is too busy shows no figure of it,
    // and that is told.
    let cause = &report["counterfactuals"][0];
    if cause.is_null() {
        let notes = report["notes"].to_string();
        assert!(
            notes.contains("the machine was too busy: the class shop.Prices"),
            "{report:#}"
        );
    } else {
        assert_eq!(
            cause["put_back"],
            serde_json::json!({"kind": "classes", "classes": ["shop.Prices"]}),
            "{report:#}"
        );
        assert!(
            cause["gives_back"]["value"].as_f64().unwrap() > 0.5,
            "{cause:#}"
        );
        assert!(
            told.out
                .contains("Putting back the class shop.Prices recovers"),
            "{told:#?}"
        );
    }
    assert!(!run.join("put-back/builds").exists());
    // For other tools, of both builds.
    let files: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    for name in [
        "processor-candidate.collapsed",
        "processor-baseline.speedscope.json",
        "processor-candidate.pb.gz",
    ] {
        assert!(files.contains(&name), "{files:?}");
    }
    assert!(files.iter().any(|file| file.ends_with("events.jfr")));
    for file in files {
        assert!(run.join(file).is_file(), "{file}");
    }
    // What was looked into counts in no figure.
    let results = json(&run.join("results.json"));
    let valid = |cell: usize| results["cells"][cell]["valid"].as_u64().unwrap();
    // Each four times, and once more what was disturbed.
    assert!(valid(0) >= 4 && valid(1) >= 4, "{results:#}");
    assert!(
        (valid(0) + valid(1)) as usize <= std::fs::read_dir(run.join("launches")).unwrap().count()
    );
    let looked_into = std::fs::read_dir(run.join("diagnosis")).unwrap().flatten();
    let looked_into: Vec<PathBuf> = looked_into.map(|folder| folder.path()).collect();
    assert!(looked_into.iter().any(|folder| {
        folder.to_string_lossy().ends_with("-new") && folder.join("dissection.json").exists()
    }));
    // For people, and for other tools.
    assert!(told.out.contains("diagnose.html"), "{told:#?}");
    let page = std::fs::read_to_string(run.join("diagnose.html")).unwrap();
    assert!(page.contains("shop.Prices.price:14"));
    let profile = json(&run.join("processor-candidate.speedscope.json"));
    assert_eq!(profile["profiles"][0]["unit"], "microseconds");
    assert!(run.join("processor-candidate.collapsed").exists());
}

/// The run folder of a lab in which one run was made.
fn run_of(lab: &Path) -> PathBuf {
    let mut runs = std::fs::read_dir(lab.join("runs")).unwrap();
    runs.next().unwrap().unwrap().path()
}

#[test]
fn two_files_need_no_experiment() {
    let lab = TempDir::new().unwrap();
    build(lab.path(), "old", BASELINE);
    build(lab.path(), "new", CANDIDATE);
    let arguments = "--baseline old.jar --candidate new.jar --quick --launches 3 --warm-up 100 --window 50 --sample 1s --no-put-back --quiet";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    // Its exit code tells of the certificate as well: the machine may be busy.
    let told = Told::of(&diagnose(lab.path(), &arguments).output().unwrap());
    let report = json(&run_of(lab.path()).join("diagnose.json"));
    // Without phases of its own it is a first look, and a busy machine may leave it undecided.
    let is_told = report["conclusion"] == "explained";
    assert!(is_told || report["conclusion"] == "not-told", "{told:#?}");
    assert_eq!(
        told.out.contains("shop.Prices.price:14"),
        is_told,
        "{told:#?}"
    );
    // Whoever reads the folder later is told the same, to the byte.
    let run = run_of(lab.path());
    let read = || {
        let text = |name| std::fs::read_to_string(run.join(name)).unwrap();
        ["results.json", "report.html", "diagnose.json"].map(text)
    };
    let own = read();
    let again = Told::of(&tacho().arg("report").arg(&run).output().unwrap());
    assert!(read() == own, "{again:#?}");
    assert_eq!(
        again.out.contains("shop.Prices.price:14"),
        is_told,
        "{again:#?}"
    );
}

#[test]
fn one_build_alone_is_looked_into() {
    let lab = TempDir::new().unwrap();
    build(lab.path(), "new", CANDIDATE);
    let arguments = "new.jar --quick --launches 1 --warm-up 100 --window 50 --sample 1s --quiet";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    // Its exit code tells of the certificate as well: the machine may be busy.
    let told = Told::of(&diagnose(lab.path(), &arguments).output().unwrap());
    let report = json(&run_of(lab.path()).join("diagnose.json"));
    assert_eq!(report["conclusion"], "single", "{told:#?}");
    assert!(told.out.contains("shop.Prices.price:14"), "{told:#?}");
}

/// The JVM's own recorder is left: its sampler, its events, and from JDK 25 on its traces.
#[test]
fn a_jvm_that_lets_no_agent_in_is_looked_into_by_its_recorder() {
    let lab = TempDir::new().unwrap();
    build(lab.path(), "new", CANDIDATE);
    let port = port();
    let experiment = format!(
        "tacho: 1
name: prices
subject:
  port: {port}
  arguments: ['{port}']
  ready: {{http: /}}
  jvm-flags: [-Xmx96m, -XX:-EnableDynamicAgentLoading]
  jdk: '{}'
variants: [{{name: new, kind: jar, artifact: new.jar}}]
baseline: new
requests: [GET /]
phases: [{{closed: {{requests: 100, connections: 4, label: measured}}}}]
launches: 1
rest: 0s
",
        jdk().display()
    );
    std::fs::write(lab.path().join("experiment.yaml"), experiment).unwrap();
    let arguments = "experiment.yaml --warm-up 100 --window 20 --sample 2s --quiet";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let told = Told::of(&diagnose(lab.path(), &arguments).output().unwrap());
    let run = run_of(lab.path());
    let report = json(&run.join("diagnose.json"));
    assert_eq!(report["conclusion"], "single", "{told:#?}");
    assert!(told.out.contains("shop.Prices.price"), "{told:#?}");
    let seen = json(&run.join("diagnosis/002-new/dissection.json"));
    let missing = seen["missing"].to_string();
    assert!(missing.contains("counts by the agent"), "{missing}");
    if is_before(25) {
        return;
    }
    let traces = seen["traces"].as_array().unwrap();
    let Some(price) = traces
        .iter()
        .find(|trace| trace["method"] == "shop.Prices.price")
    else {
        // On a busy machine the answers wait for the socket, and the lambda that writes them stands
        // out alone.
        assert!(missing.contains("times no lambdas"), "{seen:#}");
        return;
    };
    // Exactly: eight hundred of them in each request of the window.
    assert_eq!(price["requests"], 20);
    assert_eq!(price["calls"], 16_000);
}

/// A text without the ends of its lines.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_before(wanted: u32) -> bool {
    let release = std::fs::read_to_string(jdk().join("release")).unwrap();
    let (_, version) = release.split_once("JAVA_VERSION=\"").unwrap();
    let digits: String = version.chars().take_while(char::is_ascii_digit).collect();
    digits.parse::<u32>().unwrap() < wanted
}

/// A plain jar has no libraries nested in it: to take it apart changes nothing, and both builds are
/// not launched again for it. The cause is nearly all of what the candidate does, so that samples
/// taken on a busy machine, which are few, show it too.
#[test]
fn a_counterfactual_that_is_impossible_launches_nothing() {
    let lab = TempDir::new().unwrap();
    build(lab.path(), "old", BASELINE);
    build(
        lab.path(),
        "new",
        "int absent = 0; if (text.equals(\"799\")) for (int i = 0; i < 500; i++) try { Class.forName(\"absent.Tax\" + i); } catch (ClassNotFoundException no) { absent++; } return absent;",
    );
    write_experiment(lab.path());
    let arguments = "experiment.yaml --warm-up 100 --window 50 --sample 2s --no-put-back";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let told = Told::of(&diagnose(lab.path(), &arguments).output().unwrap());
    assert!(told.out.contains("absent-classes"), "{told:#?}");
    assert!(
        told.err.contains("`candidate-extracted` is left out"),
        "{told:#?}"
    );
    assert!(!run_of(lab.path()).join("put-back").exists(), "{told:#?}");
}

/// Its start script is nobody's `java`: it is run once a launch, whatever is recorded of what it
/// starts.
#[test]
fn the_start_script_of_an_exec_variant_reads_no_recording() {
    let lab = TempDir::new().unwrap();
    build(lab.path(), "new", CANDIDATE);
    let (port, script) = (port(), lab.path().join("start.sh"));
    let text = format!(
        "#!/bin/sh\necho started >> starts\nexec {}/bin/java -Xmx96m -jar new.jar {port}\n",
        jdk().display()
    );
    std::fs::write(&script, text).unwrap();
    done(Command::new("chmod").arg("755").arg(&script));
    let experiment = format!(
        "tacho: 1
name: script
subject: {{port: {port}, ready: {{http: /}}}}
variants: [{{name: own, kind: exec, command: ./start.sh}}]
baseline: own
requests: [GET /]
phases: [{{closed: {{requests: 100, connections: 4, label: measured}}}}]
launches: 1
rest: 0s
"
    );
    std::fs::write(lab.path().join("experiment.yaml"), experiment).unwrap();
    let arguments = "experiment.yaml --warm-up 300 --window 100 --sample 1s --quiet";
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let told = Told::of(&diagnose(lab.path(), &arguments).output().unwrap());
    let starts = std::fs::read_to_string(lab.path().join("starts")).unwrap();
    assert_eq!(
        starts.lines().count(),
        2,
        "measured, and looked into: {told:#?}"
    );
    let seen = json(&run_of(lab.path()).join("diagnosis/002-own/dissection.json"));
    let missing = seen["missing"].to_string();
    assert!(
        missing.contains("could not look: no JDK is known for `own`"),
        "{missing}"
    );
    assert!(!missing.contains("start.sh"), "{missing}");
}

#[test]
fn wrong_usage_says_what_to_give() {
    let lab = TempDir::new().unwrap();
    for (arguments, said) in [
        (&[][..], "nothing to look into"),
        (&["--candidate", "new.jar"][..], "new.jar"),
        (&["--baseline", "old.jar"][..], "nothing to look into"),
    ] {
        let told = Told::of(&diagnose(lab.path(), arguments).output().unwrap());
        assert_eq!(told.code, Some(2), "{told:#?}");
        assert!(told.err.contains(said), "{told:#?}");
    }
}
