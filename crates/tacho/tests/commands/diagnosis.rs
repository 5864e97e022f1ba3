//! Diagnosis launches of a real JVM: what its instruments say is what the service holds, and
//! nothing of it is in the figures.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Lab, Told, port};

/// Holds 100,000 orders and 24 MiB of direct buffers, and allocates 64 KiB for each answer. It
/// sends 16 bytes of them: the server copies what it writes, and would otherwise allocate as much
/// as the service.
const SERVICE: &str = r#"
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

public class Shop {
    record Order(int number, String name) {}

    static final Map<Integer, Order> ORDERS = new HashMap<>();
    static final ByteBuffer DIRECT = ByteBuffer.allocateDirect(24 << 20);

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < 100_000; i++) {
            ORDERS.put(i, new Order(i, "order " + i));
        }
        var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        HttpServer server = HttpServer.create(address, 100);
        server.createContext("/", exchange -> {
            byte[] answer = render();
            exchange.sendResponseHeaders(200, 16);
            exchange.getResponseBody().write(answer, 0, 16);
            exchange.close();
        });
        server.start();
    }

    static byte[] render() {
        byte[] answer = new byte[64 * 1024];
        java.util.Arrays.fill(answer, (byte) 'x');
        return answer;
    }
}
"#;

fn jdk() -> PathBuf {
    tacho_test_jdks::newest().home.clone()
}

fn done(command: &mut Command) {
    let status = command.status().unwrap();
    assert!(status.success(), "{command:?}");
}

/// A lab with the service as a jar, run on this JDK.
fn lab(jdk: &Path, flags: &str) -> Lab {
    let lab = Lab::new(&format!(
        "tacho: 1
name: shop
subject: {{artifact: shop.jar, arguments: ['{port}'], port: {port}, jvm-flags: [-Xmx96m{flags}], jdk: '{jdk}'}}
variants: [jar]
requests: [GET /]
phases:
  - closed: {{requests: 1500, connections: 4}}
launches: 1
rest: 0s
seed: 1
diagnose: memory
",
        port = port(),
        jdk = jdk.display()
    ));
    std::fs::write(lab.path().join("Shop.java"), SERVICE).unwrap();
    let tool = |name: &str| {
        let mut command = tacho_test_jdks::newest().tool(name);
        command.current_dir(lab.path());
        command
    };
    done(tool("javac").args(["--release", "17", "-d", "classes", "Shop.java"]));
    done(tool("jar").args("--create --file shop.jar --main-class Shop -C classes .".split(' ')));
    lab
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap()
}

/// The folder of the run, and that of its diagnosis launch.
fn folders(lab: &Lab) -> (PathBuf, PathBuf) {
    let only = |folder: PathBuf| {
        let mut entries = std::fs::read_dir(folder).unwrap();
        entries.next().unwrap().unwrap().path()
    };
    let run = only(lab.path().join("runs"));
    let diagnosis = only(run.join("diagnosis"));
    (run, diagnosis)
}

#[test]
fn a_diagnosis_launch_says_where_the_memory_is_and_counts_in_no_figure() {
    const MIB: f64 = 1_048_576.0;
    let lab = lab(&jdk(), "");
    let told = Told::of(&lab.command(&[]).output().unwrap());
    let (run, folder) = folders(&lab);
    let record = json(&folder.join("launch.json"));
    assert_eq!(record["outcome"]["state"], "completed", "{told:#?}");
    assert_eq!(record["number"], 2);
    let diagnosis = json(&folder.join("diagnosis.json"));
    assert_eq!(diagnosis["missing"], serde_json::json!([]), "{told:#?}");

    // Where the resident memory is: the parts add up, and what the service holds is where it is.
    let resident = &diagnosis["resident"];
    let (rss, sum) = (
        resident["rss_bytes"].as_f64().unwrap(),
        resident["sum_bytes"].as_f64().unwrap(),
    );
    assert!((sum / rss - 1.0).abs() < 0.1, "{resident:#}");
    let part = |name: &str| {
        let parts = resident["parts"].as_array().unwrap();
        let found = parts.iter().find(|part| part["name"] == name);
        found.map_or(0.0, |part| part["bytes"].as_f64().unwrap())
    };
    assert!(
        (24.0 * MIB..30.0 * MIB).contains(&part("direct buffers")),
        "{resident:#}"
    );
    assert!(
        part("live heap") > 8.0 * MIB && part("collector") > 0.0,
        "{resident:#}"
    );
    assert!(part("unexplained") < rss / 10.0, "{resident:#}");

    // The JVM's own words on it.
    let native = diagnosis["native"]["categories"].as_array().unwrap();
    let other = native.iter().find(|c| c["name"] == "Other").unwrap();
    assert!(other["committed_bytes"].as_f64().unwrap() >= 24.0 * MIB);
    let printed = std::fs::read_to_string(folder.join("native-memory.txt")).unwrap();
    assert!(printed.contains("Native Memory Tracking:"));

    // Live objects, and who allocates.
    let classes = diagnosis["live"]["classes"].as_array().unwrap();
    let orders = classes.iter().find(|c| c["name"] == "Shop$Order").unwrap();
    assert_eq!(orders["instances"], 100_000);
    let histogram = std::fs::read_to_string(folder.join("class-histogram.txt")).unwrap();
    assert!(histogram.contains("Shop$Order"));
    let recording = &diagnosis["recording"];
    // Which place has most samples is left to chance; that the service's own is among them is not.
    let sites = recording["allocation"]["sites"].as_array().unwrap();
    let is_render = |site: &&serde_json::Value| {
        let place = site["frames"][0].as_str().unwrap_or_default();
        place.starts_with("Shop.render:") && site["class"] == "byte[]"
    };
    assert!(sites.iter().any(|site| is_render(&site)), "{recording:#}");
    assert!(!recording["collections"].as_array().unwrap().is_empty());

    // None of it among what was measured.
    let results = json(&run.join("results.json"));
    assert_eq!(results["cells"][0]["valid"], 1);
    for metric in results["cells"][0]["metrics"].as_array().unwrap() {
        let launches: Vec<_> = metric["values"]
            .as_array()
            .unwrap()
            .iter()
            .map(|v| &v["launch"])
            .collect();
        assert_eq!(launches, [1], "{metric:#}");
    }
    // It stands beside the figures, and is told from them.
    let said = &results["cells"][0]["memory"]["diagnosis"];
    let adds_up = (sum / rss - 1.0).abs() <= 0.05;
    assert_eq!(
        (&said["launch"], &said["adds_up"]),
        (&2.into(), &adds_up.into())
    );
    assert!(
        said["unexplained_share"].as_f64().unwrap() < 0.1,
        "{said:#}"
    );
    let page = std::fs::read_to_string(run.join("report.html")).unwrap();
    for text in ["launch 2, in no figure", "Shop.render:", "Shop$Order"] {
        assert!(page.contains(text), "{text}");
    }
    assert!(
        told.out.contains("diagnosis launch 2 (in no figure)"),
        "{told:#?}"
    );
    let measured = json(&run.join("launches/001-jar/launch.json"));
    assert!(
        !measured["command"]
            .to_string()
            .contains("NativeMemoryTracking")
    );
    assert!(!measured["command"].to_string().contains("FlightRecording"));
}

/// A runtime as a JRE is: no `jcmd`, neither beside it nor on the `PATH`.
fn without_tools(at: &Path) -> PathBuf {
    let real = jdk();
    let jre = at.join("jre");
    std::fs::create_dir_all(jre.join("bin")).unwrap();
    for name in ["lib", "conf", "release"] {
        std::os::unix::fs::symlink(real.join(name), jre.join(name)).unwrap();
    }
    // A link would lead to the tools of the JDK.
    std::fs::copy(real.join("bin/java"), jre.join("bin/java")).unwrap();
    jre
}

/// It is asked through its socket: it needs no tools for that.
#[test]
fn a_runtime_without_tools_is_asked_like_any_other() {
    let scratch = tempfile::tempdir().unwrap();
    let lab = lab(&without_tools(scratch.path()), "");
    let told = Told::of(
        &lab.command(&[])
            .env("PATH", scratch.path())
            .output()
            .unwrap(),
    );
    let (_, folder) = folders(&lab);
    let diagnosis = json(&folder.join("diagnosis.json"));
    assert_eq!(diagnosis["missing"], serde_json::json!([]), "{told:#?}");
    assert!(!diagnosis["native"].is_null() && !diagnosis["live"].is_null());
}

#[test]
fn a_jvm_that_lets_nobody_ask_is_said_with_the_way_out() {
    let lab = lab(&jdk(), ", -XX:+DisableAttachMechanism");
    let told = Told::of(&lab.command(&[]).output().unwrap());
    let (run, folder) = folders(&lab);
    assert_eq!(
        json(&run.join("results.json"))["cells"][0]["valid"],
        1,
        "{told:#?}"
    );
    let diagnosis = json(&folder.join("diagnosis.json"));
    let missing = diagnosis["missing"].as_array().unwrap();
    for what in ["native memory", "live set"] {
        let one = missing.iter().find(|m| m["what"] == what).unwrap();
        let why = one["why"].as_str().unwrap();
        assert!(
            why.contains("-XX:+DisableAttachMechanism; restart"),
            "{why}"
        );
    }
    assert!(diagnosis["native"].is_null() && diagnosis["live"].is_null());
    // The kernel still says what is resident; that the rest is not told apart is said, too.
    let parts = diagnosis["resident"]["parts"].as_array().unwrap();
    assert!(
        parts.iter().any(|p| p["name"] == "native allocations"),
        "{diagnosis:#}"
    );
    // Nobody could end the recording: the JVM wrote it when it ended.
    assert!(
        diagnosis["recording"]["duration_s"].as_f64().unwrap() > 0.0,
        "{diagnosis:#}"
    );
    assert!(
        told.err
            .contains("the diagnosis launch of `jar` has no live set"),
        "{told:#?}"
    );
}
