//! Jars and WARs made on the spot, with known truth.

use super::*;
use proptest::prelude::*;
use std::ffi::OsStr;
use std::fs;
use std::io::{Cursor, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

/// The first bytes of a class file for a Java release.
fn class(release: u8) -> Vec<u8> {
    vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, release + 44, 0, 1]
}

fn zip(method: CompressionMethod, entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(method);
    for (name, bytes) in entries {
        writer.start_file(*name, options).unwrap();
        writer.write_all(bytes).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn jar(entries: &[(&str, Vec<u8>)]) -> Vec<u8> {
    zip(CompressionMethod::Deflated, entries)
}

fn read(name: &str, bytes: &[u8]) -> Result<Artifact, ArtifactError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    fs::write(&path, bytes).unwrap();
    Artifact::read(&path)
}

fn boot_jar(version: &str, method: CompressionMethod) -> Vec<u8> {
    let manifest = format!(
        "Main-Class: org.springframework.boot.loader.launch.JarLauncher\r\nStart-Class: a.App\r\nSpring-Boot-Version: {version}\r\n"
    );
    let library = jar(&[
        ("x/Lib.class", class(21)),
        ("META-INF/versions/25/x/Lib.class", class(25)),
    ]);
    zip(
        method,
        &[
            ("META-INF/MANIFEST.MF", manifest.into_bytes()),
            ("org/springframework/boot/loader/L.class", class(17)),
            ("BOOT-INF/classes/a/App.class", class(17)),
            ("BOOT-INF/lib/spring-webflux-7.0.1.jar", library),
        ],
    )
}

#[test]
fn a_boot_jar_tells_its_version_its_stack_and_the_release_of_its_newest_library() {
    for method in [CompressionMethod::Stored, CompressionMethod::Deflated] {
        let artifact = read("app.jar", &boot_jar("4.1.2", method)).unwrap();
        let facts = artifact.facts();
        assert_eq!(facts.framework.as_deref(), Some("Spring Boot 4.1.2"));
        assert_eq!(facts.java_release, Some(21));
        assert_eq!(facts.kind.as_deref(), Some("jar"));
        let jvm = artifact.jvm.unwrap();
        assert_eq!(jvm.stack, Some(WebStack::WebFlux));
        assert_eq!(jvm.manifest.start_class.as_deref(), Some("a.App"));
        assert!(!jvm.processed_for_native);
    }
}

#[test]
fn a_plain_jar_with_a_class_path_is_read_with_its_libraries() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("libs")).unwrap();
    let library = dir.path().join("libs/helidon-webserver-4.3.1.jar");
    fs::write(&library, jar(&[("io/helidon/H.class", class(21))])).unwrap();
    let manifest =
        b"Main-Class: a.Main\nClass-Path: libs/helidon-webserver-4.3.1.jar libs/gone.jar\n";
    let app = dir.path().join("app.jar");
    let bytes = jar(&[
        ("META-INF/MANIFEST.MF", manifest.to_vec()),
        ("a/Main.class", class(11)),
    ]);
    fs::write(&app, bytes).unwrap();
    let artifact = Artifact::read(&app).unwrap();
    assert_eq!(artifact.framework().unwrap().to_string(), "Helidon 4.3.1");
    assert_eq!(artifact.java_release(), Some(21));
    assert_eq!(artifact.jvm.unwrap().beside, [library]);
}

#[test]
fn a_class_path_is_followed_to_jars_and_through_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join("everything")).unwrap();
    let hidden = dir.path().join("everything/helidon-webserver-4.3.1.jar");
    fs::write(&hidden, jar(&[("io/helidon/H.class", class(25))])).unwrap();
    for name in ["one.jar", "two.jar"] {
        fs::write(dir.path().join(name), jar(&[("a/A.class", class(17))])).unwrap();
    }
    // 16 MiB of `/ ` would have walked through the machine eight million times; one of them once,
    // to say how large what is shipped is.
    let manifest = format!(
        "Main-Class: a.Main\nClass-Path: / ./ ../ {} one.jar {} two.jar\n",
        "everything/ ".repeat(3),
        "one.jar ".repeat(1000)
    );
    let app = dir.path().join("app.jar");
    fs::write(
        &app,
        jar(&[("META-INF/MANIFEST.MF", manifest.into_bytes())]),
    )
    .unwrap();
    let jvm = Artifact::read(&app).unwrap().jvm.unwrap();
    assert_eq!(jvm.framework, None, "a JVM finds no jar in a folder");
    assert_eq!(jvm.java_release, Some(17));
    let beside = |name: &str| dir.path().join(name);
    let named = ["everything/", "one.jar", "two.jar"].map(beside);
    assert_eq!(jvm.beside, named, "each once");
    assert_eq!(jvm.libraries.len(), 2);
}

#[test]
fn a_quarkus_folder_is_the_jar_in_it_with_all_that_lies_beside() {
    let dir = tempfile::tempdir().unwrap();
    for folder in ["app", "lib/main", "lib/boot", "quarkus"] {
        fs::create_dir_all(dir.path().join(folder)).unwrap();
    }
    let run = jar(&[("META-INF/MANIFEST.MF", b"Main-Class: q.Main\n".to_vec())]);
    fs::write(dir.path().join("quarkus-run.jar"), run).unwrap();
    let core = "lib/main/io.quarkus.quarkus-core-3.30.1.jar";
    fs::write(dir.path().join(core), jar(&[("q/C.class", class(17))])).unwrap();
    let app = jar(&[("a/App.class", class(21))]);
    fs::write(dir.path().join("app/app.jar"), app).unwrap();
    let artifact = Artifact::read(dir.path()).unwrap();
    let facts = artifact.facts();
    assert_eq!(facts.framework.as_deref(), Some("Quarkus 3.30.1"));
    assert_eq!(facts.kind.as_deref(), Some("directory"));
    assert_eq!(facts.java_release, Some(21));
    assert!(artifact.file.ends_with("quarkus-run.jar"));
}

#[test]
fn a_war_tells_its_servlet_level() {
    let boot4 = jar(&[("WEB-INF/lib/spring-web-7.0.1.jar", jar(&[]))]);
    let artifact = read("app.war", &boot4).unwrap();
    assert_eq!(artifact.kind, ArtifactKind::War);
    assert_eq!(artifact.jvm.unwrap().servlet, Some(ServletLevel::Jakarta61));
    let mut servlet = class(8);
    servlet.extend_from_slice(b"\x01\0\x1djavax/servlet/http/HttpServlet");
    let old = jar(&[("WEB-INF/classes/A.class", servlet)]);
    let jvm = read("old.war", &old).unwrap().jvm.unwrap();
    assert_eq!(jvm.servlet, Some(ServletLevel::Javax));
    assert_eq!(jvm.java_release, Some(8));
}

#[test]
fn a_war_of_merged_libraries_tells_its_level_by_what_they_bring() {
    let of = |service: &str| {
        let merged = jar(&[(service, b"a.Initializer".to_vec())]);
        let war = jar(&[
            ("WEB-INF/classes/A.class", class(8)),
            ("WEB-INF/lib/merged.jar", merged),
        ]);
        read("app.war", &war).unwrap().jvm.unwrap().servlet
    };
    assert_eq!(
        of("META-INF/services/javax.servlet.ServletContainerInitializer"),
        Some(ServletLevel::Javax)
    );
    assert_eq!(
        of("META-INF/services/jakarta.servlet.ServletContainerInitializer"),
        Some(ServletLevel::Jakarta60)
    );
    assert_eq!(
        of("META-INF/services/a.Other"),
        Some(ServletLevel::Jakarta60)
    );
}

#[test]
fn a_program_needs_the_right_to_be_executed() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("service");
    fs::write(&path, "#!/bin/sh\n").unwrap();
    let denied = Artifact::read(&path).unwrap_err().to_string();
    assert!(denied.contains("chmod +x"), "{denied}");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let artifact = Artifact::read(&path).unwrap();
    assert_eq!(artifact.kind, ArtifactKind::Executable);
    assert_eq!(artifact.facts().kind.as_deref(), Some("executable"));
    assert_eq!(artifact.jvm, None);
}

#[test]
fn a_path_that_no_command_can_hold_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join(OsStr::from_bytes(b"m\xfcnchen"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("app.jar"), jar(&[("a/A.class", class(17))])).unwrap();
    let refused = Artifact::read(&folder.join("app.jar"));
    assert!(
        matches!(refused, Err(ArtifactError::NotUtf8(_))),
        "{refused:?}"
    );
}

#[test]
fn damaged_encrypted_and_missing_files_are_told_apart() {
    let whole = boot_jar("4.0.0", CompressionMethod::Stored);
    let cut = read("app.jar", &whole[..whole.len() / 2]);
    assert!(matches!(cut, Err(ArtifactError::Corrupt { .. })), "{cut:?}");

    // Bit 0 of the general purpose flag says that an entry is encrypted (APPNOTE 4.4.4).
    let mut locked = jar(&[("META-INF/MANIFEST.MF", b"Main-Class: a\n".to_vec())]);
    for (signature, flag) in [(b"PK\x03\x04", 6), (b"PK\x01\x02", 8)] {
        let at = locked.windows(4).position(|w| w == signature).unwrap();
        locked[at + flag] |= 1;
    }
    let locked = read("app.jar", &locked);
    assert!(
        matches!(locked, Err(ArtifactError::Encrypted(_))),
        "{locked:?}"
    );

    let missing = Artifact::read(Path::new("/no/such/app.jar"));
    assert!(matches!(missing, Err(ArtifactError::Missing(_))));
    let text = read("notes.txt", b"hello");
    assert!(matches!(text, Err(ArtifactError::Unknown(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        let _ = read("app.jar", &bytes);
    }

    #[test]
    fn no_damage_to_a_good_jar_makes_the_reader_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        war in any::<bool>(),
    ) {
        let mut bytes = boot_jar("4.0.0", CompressionMethod::Stored);
        for (at, value) in changes {
            let at = at.index(bytes.len());
            bytes[at] = value;
        }
        let _ = read(if war { "app.war" } else { "app.jar" }, &bytes);
    }
}
