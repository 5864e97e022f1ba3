//! A native image that does not answer as the JVM does is found out before it is measured.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use support::{Lab, Told, tacho};

const EXPERIMENT: &str = "tacho: 1
name: native
subject: {artifact: app.jar}
variants: [jar, native]
requests: [GET /]
phases:
  - cold: {requests: 3}
launches: 1
rest: 0ms
seed: 1
";

/// The service of the variants' tests, packed.
fn build_app(folder: &Path) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../ask/subject/tests/app/App.java");
    let run = |program: &str, arguments: &[&str]| {
        let output = tacho_test_jdks::newest()
            .tool(program)
            .current_dir(folder)
            .args(arguments)
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    run(
        "javac",
        &[
            "-d",
            "classes",
            "--release",
            "17",
            &source.display().to_string(),
        ],
    );
    run("jar", &["-cfe", "app.jar", "App", "-C", "classes", "."]);
}

/// A builder whose "images" run the jar on the JVM with an argument, and say something in the log.
fn fake_builder(folder: &Path, argument: &str, log: &str) {
    let program = folder.join("graalvm/bin/native-image");
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let script = format!(
        r#"#!/bin/sh
if [ "$1" = --version ]; then
  echo native-image 25.0.1 2025-10-21
  exit
fi
for word in "$@"; do
  [ "$last" = -jar ] && jar=$word
  [ "$last" = -o ] && out=$word
  last=$word
done
printf '#!/bin/sh\necho "{log}"\nexec java -cp %s App {argument}\n' "$jar" > "$out"
chmod +x "$out"
"#
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
}

fn run_with_image(argument: &str, log: &str) -> (Lab, Told) {
    run(EXPERIMENT, argument, log)
}

fn run(experiment: &str, argument: &str, log: &str) -> (Lab, Told) {
    let lab = Lab::new(experiment);
    build_app(lab.path());
    fake_builder(lab.path(), argument, log);
    let output = lab
        .command(&[])
        .env("GRAALVM_HOME", lab.path().join("graalvm"))
        .env("XDG_CACHE_HOME", lab.path().join("cache"))
        .env_remove("NATIVE_IMAGE_OPTIONS")
        .output()
        .unwrap();
    let told = Told::of(&output);
    (lab, told)
}

fn notes(lab: &Lab) -> String {
    lab.json("variants/native.json")["notes"].to_string()
}

#[test]
fn what_an_image_answers_otherwise_is_said_with_the_metadata_to_add() {
    let log = "java.lang.ClassNotFoundException: com.acme.Order";
    let (lab, told) = run_with_image("from-an-image", log);
    told.says("native answers `GET /` otherwise than jar")
        .says("hello from-an-image");
    let notes = notes(&lab);
    assert!(notes.contains("from-an-image"), "{notes}");
    assert!(notes.contains("com.acme.Order"), "{notes}");
    let document = lab.json("build/answers/native-reachability-metadata.json");
    assert_eq!(document["reflection"][0]["type"], "com.acme.Order");
}

#[test]
fn an_image_that_answers_alike_is_not_spoken_of() {
    let (lab, _) = run_with_image("", "java.lang.ClassNotFoundException: com.acme.Order");
    assert_eq!(
        notes(&lab),
        "[]",
        "what is logged does no harm where all answers are right"
    );
}

#[test]
fn an_image_is_held_against_its_own_service_not_against_another() {
    let experiment = EXPERIMENT.replace(
        "variants: [jar, native]",
        "variants:
  - {name: other, kind: jar, arguments: [another-service], artifact: other.jar, build: cp app.jar other.jar}
  - jar
  - native
baseline: jar",
    );
    let (lab, told) = run(&experiment, "", "");
    assert_eq!(notes(&lab), "[]", "{told:?}");
}

const WHERE_BUILT: &str = "tacho: 1
name: native
subject: {artifact: app.jar}
variants:
  - jar
  - {kind: extracted, only-if: possible}
  - {kind: native, only-if: built}
requests: [GET /]
phases:
  - cold: {requests: 3}
launches: 1
rest: 0ms
seed: 1
";

#[test]
fn an_image_that_would_have_to_be_built_first_is_waited_for_only_when_it_is_asked_for() {
    let lab = Lab::new(WHERE_BUILT);
    build_app(lab.path());
    fake_builder(lab.path(), "", "");
    let run = |runs: &str, arguments: &[&str]| {
        let output = lab
            .command(&["--runs", runs])
            .args(arguments)
            .env("GRAALVM_HOME", lab.path().join("graalvm"))
            .env("XDG_CACHE_HOME", lab.path().join("cache"))
            .output()
            .unwrap();
        let variants = lab.path().join(runs).read_dir().unwrap().next().unwrap();
        let variants = variants.unwrap().path().join("variants");
        let mut names: Vec<String> = variants
            .read_dir()
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        (Told::of(&output), names)
    };
    let (told, made) = run("before", &[]);
    told.says("`native` is left out: its image is not built yet")
        .says("`extracted` is left out: ");
    assert_eq!(made, ["jar.json"]);
    let (_, made) = run("asked", &["--variants", "jar,native"]);
    assert_eq!(made, ["jar.json", "native.json"]);
    let (_, made) = run("after", &[]);
    assert_eq!(made, ["jar.json", "native.json"], "the image was kept");
}

/// The file `release` of a real GraalVM Community, as far as it matters.
const RELEASE: &str =
    "IMPLEMENTOR=\"GraalVM Community\"\nJAVA_VERSION=\"25.0.1\"\nGRAALVM_VERSION=\"25.0.1\"\n";

#[test]
fn an_unpacked_graalvm_that_was_installed_makes_the_images_and_is_named_in_the_run() {
    let lab = Lab::new(EXPERIMENT);
    build_app(lab.path());
    fake_builder(lab.path(), "", "");
    let graalvm = lab.path().join("graalvm");
    fs::write(graalvm.join("release"), RELEASE).unwrap();
    fs::copy("/bin/true", graalvm.join("bin/java")).unwrap();
    let here = |mut command: Command| {
        let output = command
            .env_remove("GRAALVM_HOME")
            .env("XDG_DATA_HOME", lab.path().join("data"))
            .env("XDG_CACHE_HOME", lab.path().join("cache"))
            .output()
            .unwrap();
        Told::of(&output)
    };
    let mut install = tacho();
    install
        .args(["native-kit", "install", "--from"])
        .arg(&graalvm);
    here(install)
        .exits(0)
        .says("`native` variants are made with it");
    let mut which = tacho();
    which.args(["native-kit", "which"]);
    here(which).exits(0).says("GraalVM Community 25.0.1");
    let told = here(lab.command(&[]));
    let variant = lab.json("variants/native.json").to_string();
    assert!(
        variant.contains("GraalVM Community 25.0.1"),
        "{variant} {told:#?}"
    );
}
