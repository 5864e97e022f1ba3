//! A WAR in a real Apache Tomcat.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use rustix::net::{AddressFamily, SocketFlags, SocketType, sockopt};
use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::path::Path;
use support::{Bench, RealWorkshop, must, spec, wait_until_listening};
use tacho_experiment::{SubjectSpec, VariantKind};
use tacho_subject::*;

/// A servlet for Servlet 6.1, compiled against Tomcat's own API.
fn build_war(bench: &Bench, tomcat: &Path) -> std::path::PathBuf {
    let jdk = bench.jdks.newest_that_suits(Some(17)).unwrap();
    let text = |p: &Path| p.display().to_string();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/app/Hello.java");
    let root = bench.path("war");
    let classes = root.join("WEB-INF/classes");
    let api = text(&tomcat.join("lib/servlet-api.jar"));
    let (from, to) = (text(&source), text(&classes));
    must(
        &jdk.tool("javac"),
        &["--release", "17", "-cp", &api, "-d", &to, &from],
    );
    let descriptor = r#"<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"/>"#;
    fs::write(root.join("WEB-INF/web.xml"), descriptor).unwrap();
    let war = bench.path("hello.war");
    let (packed, root) = (text(&war), text(&root));
    must(
        &jdk.tool("jar"),
        &["--create", "--file", &packed, "-C", &root, "."],
    );
    war
}

/// Gets Tomcat by deploying an empty WAR of this level.
fn tomcat_for(bench: &Bench, descriptor: &str) -> (Prepared, std::path::PathBuf) {
    let root = bench.path("empty");
    fs::create_dir_all(root.join("WEB-INF")).unwrap();
    fs::write(root.join("WEB-INF/web.xml"), descriptor).unwrap();
    let jdk = bench.jdks.newest_that_suits(Some(17)).unwrap();
    let war = bench.path("empty.war");
    let (packed, root) = (war.display().to_string(), root.display().to_string());
    must(
        &jdk.tool("jar"),
        &["--create", "--file", &packed, "-C", &root, "."],
    );
    let subject = SubjectSpec {
        artifact: Some(war),
        ..SubjectSpec::default()
    };
    let prepared = bench.prepare(VariantKind::War, &subject);
    let home = prepared
        .record
        .command
        .iter()
        .find_map(|word| word.strip_prefix("-Dcatalina.home="))
        .unwrap();
    let home = Path::new(home).to_owned();
    (prepared, home)
}

/// A port that nobody else is given while this socket is there. It never listens, so that Tomcat
/// can: as all servers of Java do it reuses addresses (SO_REUSEADDR).
fn reserved_port() -> (OwnedFd, u16) {
    let socket = rustix::net::socket_with(
        AddressFamily::INET,
        SocketType::STREAM,
        SocketFlags::CLOEXEC,
        None,
    )
    .unwrap();
    sockopt::set_socket_reuseaddr(&socket, true).unwrap();
    rustix::net::bind(&socket, &SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0))).unwrap();
    let address = SocketAddr::try_from(rustix::net::getsockname(&socket).unwrap()).unwrap();
    (socket, address.port())
}

#[test]
fn a_war_is_served_as_the_root_application_by_the_tomcat_of_its_level() {
    let bench = Bench::new();
    let (_, home) = tomcat_for(&bench, r#"<web-app version="6.1"/>"#);
    let war = build_war(&bench, &home);
    let (_reserved, port) = reserved_port();
    let subject = SubjectSpec {
        artifact: Some(war.clone()),
        port: Some(port),
        jvm_flags: vec!["-Xmx128m".to_owned(), "-Dwho=world".to_owned()],
        arguments: vec!["--dropped".to_owned()],
        ..SubjectSpec::default()
    };
    let prepared = bench.prepare(VariantKind::War, &subject);
    let record = &prepared.record;
    assert!(
        record
            .runtime
            .as_ref()
            .unwrap()
            .contains("Apache Tomcat 11.0")
    );
    assert_eq!(record.application_bytes, war.metadata().unwrap().len());
    assert!(record.runtime_bytes > bytes_of(&bench.jdks.all()[0].home).unwrap() + 5_000_000);
    assert!(
        record
            .notes
            .iter()
            .any(|n| n.contains("`--dropped` was left out"))
    );
    let running = wait_until_listening(record, port);
    assert_eq!(running.get("/anything"), "hello world");
    // Another process of the same folder, as for `pods`.
    let (_also_reserved, other) = reserved_port();
    let mut beside = record.clone();
    for word in &mut beside.command {
        if word.starts_with(TOMCAT_PORT_FLAG) {
            *word = format!("{TOMCAT_PORT_FLAG}{other}");
        }
    }
    let second = wait_until_listening(&beside, other);
    assert_eq!(second.get("/anything"), "hello world");
    second.stop();
    running.stop();
}

#[test]
fn a_war_without_tomcat_and_maven_says_how_to_get_them() {
    let mut bench = Bench::new();
    let root = bench.path("empty.war");
    let empty_zip = [b"PK\x05\x06".as_slice(), &[0; 18]].concat();
    fs::write(&root, empty_zip).unwrap();
    bench.host.cache = bench.path("no-cache");
    bench.host.home = bench.path("no-home");
    bench.host.path.clear();
    let subject = SubjectSpec {
        artifact: Some(root),
        ..SubjectSpec::default()
    };
    let spec = spec(VariantKind::War);
    let why = variant(VariantKind::War).available(&bench.context(&spec, &subject));
    let why = why.unwrap_err().to_string();
    assert!(
        why.contains("10.1") && why.contains("apt-get install maven"),
        "{why}"
    );
    let mut workshop: RealWorkshop = bench.workshop("war");
    let made = variant(VariantKind::War).prepare(&bench.context(&spec, &subject), &mut workshop);
    assert!(matches!(made, Err(PrepareError::Unavailable(_))));
}
