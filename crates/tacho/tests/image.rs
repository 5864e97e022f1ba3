//! `tacho image`: the file is an image, the same files give the same bytes, and what is in it runs
//! where there is nothing else.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use flate2::read::GzDecoder;
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{Told, signal, subject, tacho};
use tempfile::TempDir;

/// A service whose program lies beside its experiment, with a library and a secret.
struct Lab(TempDir);

impl Lab {
    fn new() -> Self {
        Self::in_folder("lab-")
    }

    /// In a folder whose name begins so.
    fn in_folder(name: &str) -> Self {
        let lab = tempfile::Builder::new().prefix(name).tempdir().unwrap();
        fs::copy(subject(), lab.path().join("service")).unwrap();
        fs::write(
            lab.path().join("experiment.yaml"),
            "tacho: 1
name: service
subject: {port: 8080, environment: {GREETING: hello, DB_PASSWORD: hunter2}}
variants: [{name: own, kind: exec, command: [./service, --exit-ms, '1']}]
requests: [GET /]
phases: [{closed: {requests: 10, connections: 1, label: measured}}]
",
        )
        .unwrap();
        Self(lab)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn image(&self, arguments: &[&str]) -> Told {
        let output = tacho()
            .current_dir(self.path())
            .env_remove("SOURCE_DATE_EPOCH")
            .args(["image", "experiment.yaml", "--quiet"])
            .args(arguments)
            .output()
            .unwrap();
        Told::of(&output)
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).unwrap()
    }
}

/// The head of a program, changed as if it were for arm64, and statically linked if asked.
fn for_other_processors(program: &mut [u8], is_static: bool) {
    const AARCH64: u16 = 183;
    let number = |at: usize| u16::from_le_bytes([program[at], program[at + 1]]).into();
    let [size, count]: [usize; 2] = [number(54), number(56)];
    let segments = usize::from(program[32]);
    program[18..20].copy_from_slice(&AARCH64.to_le_bytes());
    for segment in (0..count).map(|index| segments + index * size) {
        // PT_DYNAMIC and PT_INTERP become PT_NULL.
        if is_static && matches!(program[segment], 2 | 3) {
            program[segment] = 0;
        }
    }
}

/// The files of a layout by name.
fn files(tar: &[u8]) -> BTreeMap<String, Vec<u8>> {
    let mut archive = tar::Archive::new(tar);
    archive
        .entries()
        .unwrap()
        .map(|entry| {
            let mut entry = entry.unwrap();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            (entry.path().unwrap().display().to_string(), bytes)
        })
        .collect()
}

struct Image {
    files: BTreeMap<String, Vec<u8>>,
    manifest: Value,
    configuration: Value,
}

impl Image {
    fn of(tar: &[u8]) -> Self {
        let files = files(tar);
        let json = |name: &str| -> Value { serde_json::from_slice(&files[name]).unwrap() };
        let blob = |digest: &Value| {
            let name = digest.as_str().unwrap().replace(':', "/");
            json(&format!("blobs/{name}"))
        };
        let index = json("index.json");
        let manifest = blob(&index["manifests"][0]["digest"]);
        let configuration = blob(&manifest["config"]["digest"]);
        Self {
            manifest,
            configuration,
            files,
        }
    }

    /// The command of a container.
    fn command(&self) -> Vec<&str> {
        let words = self.configuration["config"]["Entrypoint"].as_array();
        let words = words.unwrap().iter();
        words.map(|word| word.as_str().unwrap()).collect()
    }

    /// Runs it in that root, where there is nothing else, as a user that owns nothing there.
    fn run_in(&self, root: &Path) -> Told {
        self.unpack(root);
        fs::set_permissions(root, fs::Permissions::from_mode(0o755)).unwrap();
        let user = self.configuration["config"]["User"].as_str().unwrap();
        let output = Command::new("chroot")
            .arg(format!("--userspec={user}"))
            .arg(root)
            .args(self.command())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        Told::of(&output)
    }

    /// As a container's root: each layer over the one below.
    fn unpack(&self, root: &Path) {
        for layer in self.manifest["layers"].as_array().unwrap() {
            let name = layer["digest"].as_str().unwrap().replace(':', "/");
            let bytes = &self.files[&format!("blobs/{name}")];
            let mut archive = tar::Archive::new(GzDecoder::new(&bytes[..]));
            archive.set_preserve_permissions(true);
            archive.unpack(root).unwrap();
        }
    }
}

#[test]
fn the_same_files_are_the_same_image_and_secrets_are_not_in_it() {
    let lab = Lab::new();
    let told = lab.image(&["-o", "one.tar", "--json", "one.json", "--name", "r/app:1"]);
    let told = told.exits(0);
    assert!(
        told.out.contains("DB_PASSWORD is not in the image"),
        "{told:#?}"
    );
    // At another time, with other rights, elsewhere.
    let other = Lab::new();
    let program = other.path().join("service");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
    let open = File::options().append(true).open(&program).unwrap();
    open.set_modified(std::time::UNIX_EPOCH).unwrap();
    other
        .image(&["-o", "two.tar", "--name", "r/app:1"])
        .exits(0);
    assert!(lab.bytes("one.tar") == other.bytes("two.tar"));

    let report: Value = serde_json::from_slice(&lab.bytes("one.json")).unwrap();
    let image = Image::of(&lab.bytes("one.tar"));
    let roles: Vec<&str> = report["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|layer| layer["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "application"], "{report:#}");
    let config = &image.configuration["config"];
    assert_eq!(
        config["Entrypoint"],
        serde_json::json!(["/app/service", "--exit-ms", "1"])
    );
    assert_eq!(config["User"], "65532:65532");
    let labels = serde_json::json!({
        "org.opencontainers.image.title": "own",
        "tacho.variant": "exec",
    });
    assert_eq!(config["Labels"], labels);
    assert_eq!(config["ExposedPorts"], serde_json::json!({"8080/tcp": {}}));
    let environment = config["Env"].to_string();
    assert!(environment.contains("GREETING=hello"), "{environment}");
    let whole = lab.bytes("one.tar");
    assert!(!whole.windows(7).any(|seven| seven == b"hunter2"));
    // Nothing is left beside the image.
    let left: Vec<_> = fs::read_dir(lab.path()).unwrap().flatten().collect();
    assert_eq!(left.len(), 4, "{left:?}");
}

/// Only root may change its root.
fn may_change_its_root() -> bool {
    let may = rustix::process::geteuid().is_root();
    if !may {
        eprintln!("only root may change its root: not looked at");
    }
    may
}

#[test]
fn what_is_in_the_image_runs_where_there_is_nothing_else() {
    if !may_change_its_root() {
        return;
    }
    let lab = Lab::new();
    lab.image(&["-o", "app.tar"]).exits(0);
    let image = Image::of(&lab.bytes("app.tar"));
    let root = TempDir::new().unwrap();
    // The loader found all of its libraries, and it lived as it was told to.
    let told = image.run_in(root.path()).exits(7);
    told.says("scripted subject begins");
}

/// Linked with the C library alone, and opens others by their names when it runs. So do programs
/// that carry libraries inside, as native images carry those of the JDK.
const OPENS: &str = "#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  const char *names[] = {\"libdl.so.2\", \"libm.so.6\", \"libpthread.so.0\", \"librt.so.1\"};
  for (int i = 0; i < 4; i++) {
    if (!dlopen(names[i], RTLD_NOW)) { puts(dlerror()); return 1; }
  }
  puts(\"all are there\");
  return 7;
}
";

#[test]
fn a_program_finds_the_parts_of_glibc_that_it_opens_by_their_names() {
    if !may_change_its_root() {
        return;
    }
    let lab = Lab::new();
    fs::write(lab.path().join("opens.c"), OPENS).unwrap();
    let built = Command::new("cc")
        .current_dir(lab.path())
        .args(["-o", "service", "opens.c", "-ldl"])
        .status()
        .unwrap();
    assert!(built.success());
    lab.image(&["-o", "app.tar"]).exits(0);
    let image = Image::of(&lab.bytes("app.tar"));
    let root = TempDir::new().unwrap();
    image.run_in(root.path()).exits(7).says("all are there");
}

/// Linked with nothing, as `native-image --static` links.
const ALONE: &str =
    "#include <stdio.h>\nint main(void) { puts(\"there is only me\"); return 7; }\n";

/// A builder of native images that gives out a program of its own, whatever it is to build.
fn fake_builder(folder: &Path) {
    let program = folder.join("graalvm/bin/native-image");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    fs::write(folder.join("alone.c"), ALONE).unwrap();
    let built = Command::new("cc")
        .current_dir(folder)
        .args(["-static", "-o", "alone", "alone.c"])
        .status()
        .unwrap();
    assert!(built.success(), "Debian's libc6-dev has the static library");
    let script = format!(
        r#"#!/bin/sh
if [ "$1" = --version ]; then
  echo native-image 25.0.1 2025-10-21
  exit
fi
for word in "$@"; do
  [ "$last" = -o ] && out=$word
  last=$word
done
cp {} "$out"
"#,
        folder.join("alone").display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_native_image_that_is_linked_with_nothing_is_alone_in_its_container() {
    if !may_change_its_root() {
        return;
    }
    let lab = TempDir::new().unwrap();
    pack_shop(lab.path());
    fake_builder(lab.path());
    fs::write(
        lab.path().join("experiment.yaml"),
        "tacho: 1
name: shop
subject: {port: 8080, artifact: app.jar}
variants: [native]
requests: [GET /]
phases: [{closed: {requests: 10, connections: 1, label: measured}}]
",
    )
    .unwrap();
    let output = tacho()
        .current_dir(lab.path())
        .args(["image", "experiment.yaml", "--quiet", "-o", "native.tar"])
        .env("GRAALVM_HOME", lab.path().join("graalvm"))
        .env("XDG_CACHE_HOME", lab.path().join("cache"))
        .env_remove("NATIVE_IMAGE_OPTIONS")
        .output()
        .unwrap();
    Told::of(&output).exits(0);
    let image = Image::of(&fs::read(lab.path().join("native.tar")).unwrap());
    assert_eq!(image.command(), ["/app/application"]);
    let root = TempDir::new().unwrap();
    let told = image.run_in(root.path()).exits(7);
    told.says("there is only me");
    let there = fs::read_dir(root.path()).unwrap();
    let mut there: Vec<String> = there
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    there.sort();
    // No C library, and no JDK.
    assert_eq!(there, ["app", "etc", "tmp"]);
}

#[test]
fn upon_a_base_are_its_layers_and_nothing_of_this_machine() {
    let lab = Lab::new();
    lab.image(&["-o", "base.tar"]).exits(0);
    let told = lab.image(&["-o", "app.tar", "--base", "base.tar", "--json", "-"]);
    let report: Value = serde_json::from_str(&told.exits(0).out).unwrap();
    let roles: Vec<&str> = report["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|layer| layer["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["base", "base", "application"], "{report:#}");
    lab.image(&["-o", "x.tar", "--base", "experiment.yaml"])
        .exits(2)
        .says("is no image that can be built upon");
    assert!(!lab.path().join("x.tar").exists());
}

#[test]
fn an_image_is_for_the_processors_of_its_program() {
    let lab = Lab::new();
    let here = lab.bytes("service");
    let mut other = here.clone();
    for_other_processors(&mut other, true);
    fs::write(lab.path().join("service"), &other).unwrap();
    lab.image(&["--output", "other.tar"]).exits(0);
    let image = Image::of(&lab.bytes("other.tar"));
    assert_eq!(image.configuration["architecture"], "arm64");

    // The libraries of this machine would be of no use to it.
    let mut other = here;
    for_other_processors(&mut other, false);
    fs::write(lab.path().join("service"), &other).unwrap();
    let told = lab.image(&["--output", "not.tar"]).exits(2);
    assert!(
        told.err.contains("is for arm64 and not statically linked"),
        "{}",
        told.err
    );
    assert!(!lab.path().join("not.tar").exists());
}

#[test]
fn what_would_not_be_there_in_a_container_is_refused() {
    let outside = TempDir::new_in("/var").unwrap();
    let agent = outside.path().join("agent.so").display().to_string();
    fs::write(&agent, "").unwrap();
    let lab = Lab::new();
    fs::write(lab.path().join("config.yml"), "").unwrap();
    let beside = lab.path().join("config.yml").display().to_string();
    let file = lab.path().join("experiment.yaml");
    let text = fs::read_to_string(&file).unwrap();
    // Somewhere else; beside the program, which alone is put into the image.
    for (word, named) in [
        (format!("--load={agent}"), agent.as_str()),
        (format!("--load={beside}"), beside.as_str()),
        ("--load=config.yml".to_owned(), "names config.yml"),
    ] {
        fs::write(&file, text.replace("'1']", &format!("'1', '{word}']"))).unwrap();
        lab.image(&["-o", "app.tar"]).exits(2).says(named);
        assert!(!lab.path().join("app.tar").exists());
    }
}

/// As Jenkins names the folder of a second build of a branch.
#[test]
fn the_name_of_a_folder_may_have_characters_that_part_paths() {
    let lab = Lab::in_folder("shop@2-");
    lab.image(&["-o", "app.tar"]).exits(0);
    let image = Image::of(&lab.bytes("app.tar"));
    let command = &image.configuration["config"]["Entrypoint"];
    assert_eq!(command[0], "/app/service", "{command}");
}

/// The registry takes the connection, and says nothing.
#[test]
fn ctrl_c_ends_a_push() {
    let lab = Lab::new();
    let registry = TcpListener::bind("127.0.0.1:0").unwrap();
    let name = format!("{}/team/app:1", registry.local_addr().unwrap());
    let pushing = tacho()
        .current_dir(lab.path())
        .args(["image", "experiment.yaml", "--quiet", "--push", &name])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (_connection, _) = registry.accept().unwrap();
    signal(&pushing, Signal::INT);
    let told = Told::of(&pushing.wait_with_output().unwrap());
    told.exits(130)
        .says("interrupted before the image was pushed");
}

const MAIN: &str = r#"
package shop;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;

public class Main {
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 100);
        server.createContext("/", exchange -> {
            byte[] answer = "good day".getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
    }
}
"#;

/// The service as a jar.
fn pack_shop(folder: &Path) {
    let tool = |tool: &str, words: &str| {
        let status = tacho_test_jdks::newest()
            .tool(tool)
            .current_dir(folder)
            .args(words.split(' '))
            .status();
        assert!(status.unwrap().success(), "{tool} {words}");
    };
    fs::write(folder.join("Main.java"), MAIN).unwrap();
    tool("javac", "--release 17 -d classes Main.java");
    tool(
        "jar",
        "--create --file app.jar --main-class shop.Main -C classes .",
    );
}

/// The archive is trained in the layers, and a container of the image uses it: that JVM is told to
/// end at once where it cannot. A runtime by jlink has one of its own, as a JDK has.
#[test]
#[ignore = "packs a whole JDK three times, and a runtime by jlink: make test-image"]
fn archives_are_of_use_in_a_container_of_their_image() {
    assert!(rustix::process::geteuid().is_root(), "it changes its root");
    let jdk = tacho_test_jdks::newest().home.clone();
    let lab = TempDir::new().unwrap();
    pack_shop(lab.path());
    let port = support::port();
    fs::write(
        lab.path().join("experiment.yaml"),
        format!(
            "tacho: 1
name: shop
subject: {{port: {port}, artifact: app.jar, arguments: ['{port}'], ready: {{http: /}}, jdk: '{}'}}
variants: [jar, jlink, cds, aot]
requests: [GET /]
phases: [{{closed: {{requests: 10, connections: 1, label: measured}}}}]
",
            jdk.display()
        ),
    )
    .unwrap();
    for (variant, strict) in [
        ("jar", "-Xshare:on"),
        ("jlink", "-Xshare:on"),
        ("cds", "-Xshare:on"),
        ("aot", "-XX:AOTMode=on"),
    ] {
        let tar = format!("{variant}.tar");
        let output = tacho()
            .current_dir(lab.path())
            .args([
                "image",
                "experiment.yaml",
                "--quiet",
                "--variant",
                variant,
                "-o",
                &tar,
            ])
            .output()
            .unwrap();
        let told = Told::of(&output).exits(0);
        if ["cds", "aot"].contains(&variant) {
            assert!(told.out.contains("of the classes of a start"), "{told:#?}");
        }
        let image = Image::of(&fs::read(lab.path().join(&tar)).unwrap());
        let root = TempDir::new().unwrap();
        image.unpack(root.path());
        fs::set_permissions(root.path(), fs::Permissions::from_mode(0o755)).unwrap();
        let is_trimmed = !root.path().join("opt/java/bin/javac").exists();
        assert_eq!(is_trimmed, variant == "jlink");
        let words = image.command();
        let (java, rest) = words.split_first().unwrap();
        let log = File::create(lab.path().join("log")).unwrap();
        let mut service = Command::new("unshare")
            .args(["--mount", "sh", "-c"])
            .arg("mkdir -p $1/proc && mount --rbind /proc $1/proc && shift && exec \"$@\"")
            .arg("sh")
            .arg(root.path())
            .args(["chroot", "--userspec=65532:65532"])
            .arg(root.path())
            .arg(java)
            .arg(strict)
            .args(rest)
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let answers = || std::net::TcpStream::connect(("127.0.0.1", port)).is_ok();
        while service.try_wait().unwrap().is_none() && !answers() {
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        let said = fs::read_to_string(lab.path().join("log")).unwrap();
        assert!(service.try_wait().unwrap().is_none(), "{variant}: {said}");
        service.kill().unwrap();
        service.wait().unwrap();
    }
}
