//! JDKs made of a `release` file and an empty `bin/java`.

use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

fn program(path: &Path, script: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, script).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

fn fake(home: &Path, version: &str, tools: &[&str]) {
    for tool in ["java"].iter().chain(tools) {
        program(&home.join("bin").join(tool), "#!/bin/sh\n");
    }
    let release = format!("IMPLEMENTOR=\"Debian\"\nJAVA_VERSION=\"{version}\"\n");
    fs::write(home.join("release"), release).unwrap();
}

fn host(root: &Path) -> Host {
    Host {
        home: root.join("home"),
        sdkman: root.join("home/.sdkman"),
        jdk_folders: vec![root.join("jvm")],
        ..Host::default()
    }
}

#[test]
fn jdks_are_found_in_their_usual_places_once_each() {
    let root = tempfile::tempdir().unwrap();
    let at = |p: &str| root.path().join(p);
    fake(&at("jvm/jdk-17"), "17.0.15", &["javac", "jlink"]);
    fake(
        &at("home/.sdkman/candidates/java/21-tem"),
        "21.0.5",
        &["javac"],
    );
    fake(&at("home/.jdks/25"), "25.0.3", &[]);
    fake(
        &at("home/.asdf/installs/java/temurin-22"),
        "22.0.2",
        &["javac"],
    );
    symlink(at("jvm/jdk-17"), at("jvm/default")).unwrap();
    fs::create_dir_all(at("jvm/not-a-jdk")).unwrap();
    fs::create_dir_all(at("bin")).unwrap();
    symlink(at("jvm/jdk-17/bin/java"), at("bin/java")).unwrap();
    let host = Host {
        java_home: Some(at("jvm/default")),
        path: vec![at("bin")],
        ..host(root.path())
    };
    let jdks = Jdks::discover(&host);
    let found: Vec<_> = jdks
        .all()
        .iter()
        .map(|j| (j.feature, j.is_full()))
        .collect();
    assert_eq!(found, [(25, false), (22, true), (21, true), (17, true)]);
    assert!(jdks.all()[3].has("jlink"));
}

#[test]
fn the_newest_that_suits_is_taken_unless_another_is_asked_for() {
    let root = tempfile::tempdir().unwrap();
    for version in ["17.0.9", "17.0.15", "21.0.5"] {
        fake(&root.path().join("jvm").join(version), version, &["javac"]);
    }
    let jdks = Jdks::discover(&host(root.path()));
    let version = |jdk: Result<Jdk, JdkError>| jdk.unwrap().version;
    assert_eq!(version(jdks.choose(None, Some(17))), "21.0.5");
    assert_eq!(version(jdks.choose(Some("17"), Some(17))), "17.0.15");
    assert_eq!(version(jdks.choose(Some("17.0.9"), None)), "17.0.9");
    let home = root.path().join("jvm/17.0.9");
    let by_path = jdks.by_spec(home.to_str().unwrap()).unwrap();
    assert_eq!(by_path.title(), "OpenJDK 17.0.9 (Debian)");
    let java = home.join("bin/java");
    assert_eq!(jdks.by_spec(java.to_str().unwrap()).unwrap(), by_path);
}

#[test]
fn what_is_missing_is_said_with_what_was_found_and_how_to_get_it() {
    let root = tempfile::tempdir().unwrap();
    fake(&root.path().join("jvm/17"), "17.0.15", &["javac"]);
    let jdks = Jdks::discover(&host(root.path()));
    let too_new = jdks.newest_that_suits(Some(25)).unwrap_err().to_string();
    for part in [
        "need Java 25",
        "17.0.15",
        "openjdk-25-jdk-headless",
        "sdk install java 25",
    ] {
        assert!(too_new.contains(part), "{part} in: {too_new}");
    }
    let unknown = jdks.by_spec("21").unwrap_err().to_string();
    assert!(
        unknown.contains("no JDK 21") && unknown.contains("openjdk-21"),
        "{unknown}"
    );
    assert!(matches!(
        jdks.choose(Some("17"), Some(21)),
        Err(JdkError::TooOld { release: 21, .. })
    ));
    assert!(matches!(
        jdks.by_spec("/no/jdk"),
        Err(JdkError::NotAJdk { .. })
    ));
    let none = Jdks::default().choose(None, None).unwrap_err().to_string();
    assert!(none.contains("no JDK at all"), "{none}");
}

#[test]
fn java_itself_is_asked_when_there_is_no_release_file() {
    let root = tempfile::tempdir().unwrap();
    let home = root.path().join("jvm/8");
    program(
        &home.join("bin/java"),
        "#!/bin/sh\necho '    java.version = 1.8.0_392' >&2\necho '    java.vendor = Azul' >&2\n",
    );
    // What another thread has just forked holds the script open for writing until it executes its
    // own program; meanwhile nobody can run the script.
    let jdks = (0..60_000)
        .map(|_| Jdks::discover(&host(root.path())))
        .find(|jdks| {
            let found = !jdks.all().is_empty();
            if !found {
                std::thread::sleep(std::time::Duration::from_millis(1));
            }
            found
        })
        .unwrap();
    assert_eq!(jdks.all()[0].feature, 8);
    assert_eq!(jdks.all()[0].title(), "OpenJDK 1.8.0_392 (Azul)");
}
