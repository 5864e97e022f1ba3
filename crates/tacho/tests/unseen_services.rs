//! Services that Tacho has never seen, with no experiment file: it finds framework, port, readiness
//! and a request by itself. `make -C labs build` makes them first.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use std::fs::File;
use std::path::{Path, PathBuf};
use support::{Told, tacho};
use tempfile::TempDir;

fn labs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../labs")
}

/// They all listen on port 8080, as services do: one at a time, also beside other test programs and
/// `scripts/browser-test`.
fn port_8080() -> File {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("port-8080.lock");
    let lock = File::create(path).unwrap();
    lock.lock().unwrap();
    lock
}

struct Seen {
    header: serde_json::Value,
    launches: Vec<serde_json::Value>,
    plan: serde_json::Value,
}

/// `tacho run ARTIFACT` with one launch of each of these variants.
fn run(artifact: &str, variants: &str, more: &[&str]) -> Seen {
    let artifact = labs().join(artifact);
    assert!(
        artifact.exists(),
        "{} is not built: make -C labs build",
        artifact.display()
    );
    let scratch = TempDir::new().unwrap();
    let _alone = port_8080();
    let output = tacho()
        .current_dir(scratch.path())
        .arg("run")
        .arg(&artifact)
        .args(["--quick", "--launches", "1", "--variants", variants])
        // However busy the machine is.
        .args(["--ready-timeout", "10m"])
        // Nobody asks how fast they are: an optimising compiler would only take processor time.
        .env("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
        .args(more)
        .output()
        .unwrap();
    let told = Told::of(&output);
    let runs = scratch.path().join("runs");
    let folder = std::fs::read_dir(&runs)
        .unwrap_or_else(|_| panic!("{told:#?}"))
        .next()
        .unwrap()
        .unwrap()
        .path();
    let read = |path: PathBuf| -> serde_json::Value {
        let bytes = std::fs::read(&path).unwrap_or_else(|_| panic!("{} {told:#?}", path.display()));
        serde_json::from_slice(&bytes).unwrap()
    };
    let mut dirs: Vec<PathBuf> = std::fs::read_dir(folder.join("launches"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    dirs.sort();
    let seen = Seen {
        header: read(folder.join("run.json")),
        launches: dirs
            .iter()
            .map(|dir| read(dir.join("launch.json")))
            .collect(),
        plan: read(folder.join("plan.json")),
    };
    for launch in &seen.launches {
        assert_eq!(
            launch["outcome"]["state"], "completed",
            "{launch:#} {told:#?}"
        );
        for phase in launch["phases"].as_array().unwrap() {
            assert_eq!(phase["requests"], phase["succeeded"], "{launch:#}");
        }
    }
    assert_eq!(seen.launches.len(), variants.split(',').count());
    seen
}

impl Seen {
    fn of(&self, cell: &str) -> &serde_json::Value {
        self.launches.iter().find(|l| l["cell"] == cell).unwrap()
    }
}

#[test]
fn a_spring_boot_service_with_a_database_is_run_with_no_file() {
    let seen = run(
        "unseen/petclinic-like/target/petclinic-like.jar",
        "jar,aot",
        &["--cpu", "2"],
    );
    let framework = seen.header["subject"]["framework"].as_str().unwrap();
    assert!(framework.starts_with("Spring Boot 4."), "{framework}");
    let jar = seen.of("jar");
    let ready_by = jar["time_line"]["ready_by"].as_str().unwrap();
    assert!(ready_by.contains("/actuator/health"), "{ready_by}");
    assert_eq!(jar["time_line"]["claims"][0]["framework"], "Spring Boot");
    // Proof of the AOT cache, and none asked of the plain jar.
    assert!(jar["proof"].is_null());
    assert_eq!(seen.of("aot")["proof"]["holds"], true);
    // What the JVM made of two processors.
    assert_eq!(jar["limits"]["inside"], true);
    assert_eq!(jar["jvm"]["processors"], 2);
    let notes = seen.plan["notes"].to_string();
    assert!(notes.contains("No request was given"), "{notes}");
}

#[test]
fn a_quarkus_service_is_run_with_no_file() {
    let seen = run("unseen/quarkus-rest/target/quarkus-app", "jar", &[]);
    let framework = seen.header["subject"]["framework"].as_str().unwrap();
    assert!(framework.starts_with("Quarkus"), "{framework}");
    let ready_by = seen.of("jar")["time_line"]["ready_by"].as_str().unwrap();
    assert!(ready_by.contains("/q/health/ready"), "{ready_by}");
    assert_eq!(
        seen.of("jar")["time_line"]["claims"][0]["framework"],
        "Quarkus"
    );
}

#[test]
fn a_helidon_service_is_run_with_no_file_and_a_cds_archive_is_proven() {
    let seen = run("unseen/helidon-se/target/helidon-se.jar", "jar,cds", &[]);
    let framework = seen.header["subject"]["framework"].as_str().unwrap();
    assert!(framework.starts_with("Helidon"), "{framework}");
    assert_eq!(seen.of("cds")["proof"]["holds"], true);
    assert!(seen.of("cds")["proof"]["shared_classes"].as_f64().unwrap() > 0.9);
}

/// A JDK whose `java` forgets the archive that it is given, as JVMs do when something does not suit
/// them: silently.
fn forgetful_jdk(at: &Path) {
    let real = std::fs::read_dir("/usr/lib/jvm")
        .unwrap()
        .flatten()
        .map(|e| e.path())
        .filter(|p| p.join("bin/javac").exists() && p.join("lib/server/classes.jsa").exists())
        .filter(|p| {
            std::fs::read_to_string(p.join("release"))
                .is_ok_and(|r| r.contains("JAVA_VERSION=\"25"))
        })
        .max()
        .expect("a JDK 25 in /usr/lib/jvm");
    std::fs::create_dir_all(at.join("bin")).unwrap();
    for name in ["lib", "conf", "release"] {
        std::os::unix::fs::symlink(real.join(name), at.join(name)).unwrap();
    }
    std::os::unix::fs::symlink(real.join("bin/javac"), at.join("bin/javac")).unwrap();
    let script = format!(
        "#!/bin/sh\nfor a do shift; case $a in -XX:SharedArchiveFile=*) ;; *) set -- \"$@\" \"$a\";; esac; done\nexec {}/bin/java \"$@\"\n",
        real.display()
    );
    let java = at.join("bin/java");
    std::fs::write(&java, script).unwrap();
    let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&java, executable).unwrap();
}

#[test]
fn a_cds_launch_whose_archive_is_not_used_is_invalid_and_not_fast() {
    let scratch = TempDir::new().unwrap();
    let jdk = scratch.path().join("jdk");
    forgetful_jdk(&jdk);
    let _alone = port_8080();
    let output = tacho()
        .current_dir(scratch.path())
        .arg("run")
        .arg(labs().join("unseen/helidon-se/target/helidon-se.jar"))
        .args([
            "--variants",
            "jar,cds",
            "--launches",
            "1",
            "--quick",
            "--request",
            "/greet",
            "--ready-timeout",
            "10m",
        ])
        .arg("--jdk")
        .arg(&jdk)
        .env("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
        .output()
        .unwrap();
    let told = Told::of(&output).says("no proof that classes are served from the CDS archive");
    assert!(told.out.contains("is not mapped"), "{told:#?}");
}

#[test]
fn init_writes_a_file_that_runs() {
    let scratch = TempDir::new().unwrap();
    let artifact = labs().join("unseen/helidon-se/target/helidon-se.jar");
    let init = tacho()
        .current_dir(scratch.path())
        .arg("init")
        .arg(&artifact)
        .output()
        .unwrap();
    Told::of(&init).exits(0).says("experiment.yaml is written");
    let again = tacho()
        .current_dir(scratch.path())
        .arg("init")
        .arg(&artifact)
        .output()
        .unwrap();
    Told::of(&again).exits(2).says("--force");
    let plan = tacho()
        .current_dir(scratch.path())
        .args(["run", "experiment.yaml", "--dry-run", "--launches", "2"])
        .output()
        .unwrap();
    Told::of(&plan)
        .exits(0)
        .says("launches with seed")
        .says("jar");
}
