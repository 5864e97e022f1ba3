//! Builds that are put together and taken apart.

use super::*;
use crate::changes::testkit::{artifact, boot, compiled, entry};
use std::process::Command;

const DESK: &str = "package com.acme; public class Desk { public static void main(String[] a) { System.out.println(new Price().of(2) + Texts.hello()); } }";
const TEXTS: &str =
    "package com.acme; class Texts { static String hello() { return \" hello\"; } }";

fn sources<'s>(price: &'s str, rate: &'s str) -> Vec<(&'static str, &'s str)> {
    vec![
        ("com/acme/Desk.java", DESK),
        ("com/acme/Price.java", price),
        ("com/acme/Rate.java", rate),
        ("com/acme/Texts.java", TEXTS),
    ]
}

fn names(parts: &[Part]) -> Vec<String> {
    parts
        .iter()
        .map(|part| match &part.what {
            PutBack::Classes {
                classes,
                with,
                unused,
            } => format!("{classes:?} {with:?} {unused:?}"),
            PutBack::Settings { settings } => {
                let keys: Vec<&str> = settings.iter().map(|s| s.key.as_str()).collect();
                format!("{keys:?}")
            }
            other => format!("{other:?}"),
        })
        .collect()
}

/// What `java -cp` prints for the main class.
fn run(jar: &Path) -> String {
    let mut java: Command = tacho_test_jdks::jdks()[0].tool("java");
    java.arg("-cp").arg(jar).arg("com.acme.Desk");
    let output = java.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

use std::path::Path;

#[test]
fn a_class_alone_is_put_back_and_the_rest_stays() {
    let price = "package com.acme; class Price { int of(int n) { return n * Rate.now(); } }";
    let (older, newer) = (
        compiled(&sources(
            price,
            "package com.acme; class Rate { static int now() { return 10; } }",
        )),
        {
            let rate = "package com.acme; class Rate { static int now() { return 20; } }";
            let mut changed = sources(price, rate);
            changed[3].1 =
                "package com.acme; class Texts { static String hello() { return \" hi\"; } }";
            compiled(&changed)
        },
    );
    let folder = tempfile::tempdir().unwrap();
    let manifest = entry(
        "META-INF/MANIFEST.MF",
        "Manifest-Version: 1.0\nMain-Class: com.acme.Desk\n",
    );
    let with = |classes: &[(String, Vec<u8>)]| [classes, std::slice::from_ref(&manifest)].concat();
    let older = artifact(folder.path(), "a.jar", &with(&older));
    let newer = artifact(folder.path(), "b.jar", &with(&newer));
    let parts = parts(&older, &newer).unwrap();
    assert_eq!(
        names(&parts),
        ["[\"com.acme.Rate\"] [] []", "[\"com.acme.Texts\"] [] []"]
    );
    assert_eq!(
        (run(&older.file), run(&newer.file)),
        ("20 hello".into(), "40 hi".into())
    );
    for (chosen, printed) in [
        (vec![&parts[0]], "20 hi"),
        (vec![&parts[1]], "40 hello"),
        (vec![&parts[0], &parts[1]], "20 hello"),
    ] {
        let to = folder.path().join(printed);
        let jar = with_put_back(&older, &newer, &chosen, &to).unwrap();
        assert_eq!(run(&jar), printed);
    }
}

#[test]
fn classes_that_cannot_be_linked_apart_are_put_back_together() {
    let of = |price: &str, rate: &str| compiled(&sources(price, rate));
    let older = of(
        "package com.acme; class Price { int of(int n) { return n * Rate.now(); } }",
        "package com.acme; class Rate { static int now() { return 10; } }",
    );
    let newer = of(
        "package com.acme; class Price { int of(int n) { return n * Rate.now(true); } }",
        "package com.acme; class Rate { static int now(boolean is) { return 20; } }",
    );
    let folder = tempfile::tempdir().unwrap();
    let older = artifact(folder.path(), "a.jar", &older);
    let newer = artifact(folder.path(), "b.jar", &newer);
    let parts = parts(&older, &newer).unwrap();
    assert_eq!(
        names(&parts),
        ["[\"com.acme.Price\", \"com.acme.Rate\"] [] []"]
    );
    let jar = with_put_back(&older, &newer, &[&parts[0]], &folder.path().join("to")).unwrap();
    assert_eq!(run(&jar), "20 hello");
}

#[test]
fn who_only_uses_a_class_stays_where_that_has_all_it_needs() {
    // Price needs the newer Rate, Rate does not need Price: Price can be put back alone.
    let older = compiled(&sources(
        "package com.acme; class Price { int of(int n) { return n * Rate.now(); } }",
        "package com.acme; class Rate { static int now() { return 10; } }",
    ));
    let newer = compiled(&sources(
        "package com.acme; class Price { int of(int n) { return Rate.times(n); } }",
        "package com.acme; class Rate { static int now() { return 20; } static int times(int n) { return n * 30; } }",
    ));
    let folder = tempfile::tempdir().unwrap();
    let older = artifact(folder.path(), "a.jar", &older);
    let newer = artifact(folder.path(), "b.jar", &newer);
    let parts = parts(&older, &newer).unwrap();
    assert_eq!(
        names(&parts),
        [
            "[\"com.acme.Price\"] [] []",
            "[\"com.acme.Rate\"] [\"com.acme.Price\"] []"
        ]
    );
}

#[test]
fn keys_and_nested_libraries_are_put_back_one_by_one() {
    let texts = compiled(&[("com/acme/Texts.java", TEXTS)]);
    let other = compiled(&[(
        "org/lib/Texts.java",
        "package org.lib; class Texts { int a; }",
    )]);
    let build = |properties: &str, library: &str| {
        boot(
            &texts,
            &[
                entry("BOOT-INF/classes/application.properties", properties),
                entry(
                    &format!("BOOT-INF/lib/lib-{library}.jar"),
                    crate::changes::testkit::zip(
                        &[other.clone(), vec![entry("version", library)]].concat(),
                    ),
                ),
            ],
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let older = artifact(folder.path(), "a.jar", &build("pool=8\nname=a\n", "1.0"));
    let newer = artifact(folder.path(), "b.jar", &build("pool=2\nname=b\n", "1.1"));
    let parts = parts(&older, &newer).unwrap();
    assert_eq!(
        names(&parts),
        ["[\"pool\"]", "[\"name\"]", "Library { library: \"lib\" }"]
    );
    let to = folder.path().join("to");
    let jar = with_put_back(&older, &newer, &[&parts[0], &parts[2]], &to).unwrap();
    let mut written = Listing::of(&Artifact::read(&jar).unwrap()).unwrap();
    let text = written.bytes("BOOT-INF/classes/application.properties", 100);
    assert_eq!(text, b"pool=8\nname=b\n");
    let mut library = written.nested("BOOT-INF/lib/lib-1.1.jar", 1 << 20).unwrap();
    assert_eq!(library.bytes("version", 10), b"1.0");
}

#[test]
fn a_script_and_the_jar_that_it_launches_are_put_back_apart() {
    let price = "package com.acme; class Price { int of(int n) { return n * Rate.now(); } }";
    let folder = tempfile::tempdir().unwrap();
    let build = |name: &str, rate: &str, flags: &str| {
        let project = folder.path().join(name);
        std::fs::create_dir_all(project.join("target")).unwrap();
        let rate = format!(
            "package com.acme; class Rate {{ static int now() {{ return {rate} + Integer.getInteger(\"more\"); }} }}"
        );
        artifact(
            &project.join("target"),
            "shop.jar",
            &compiled(&sources(price, &rate)),
        );
        let java = tacho_test_jdks::jdks()[0].home.join("bin/java");
        let script = format!(
            "#!/bin/sh\ncd \"$(dirname \"$0\")\"\nexec {} {flags} \\\n  -cp target/shop.jar com.acme.Desk\n",
            java.display()
        );
        let path = project.join("start.sh");
        std::fs::write(&path, script).unwrap();
        use std::os::unix::fs::PermissionsExt;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        Artifact::read(&path).unwrap()
    };
    let older = build("older", "10", "-Dmore=1");
    let newer = build("newer", "20", "-Dmore=2");
    let parts = parts(&older, &newer).unwrap();
    assert_eq!(names(&parts), ["[\"-Dmore\"]", "[\"com.acme.Rate\"] [] []"]);
    for (chosen, printed) in [
        (vec![&parts[0]], "42 hello"),
        (vec![&parts[1]], "24 hello"),
        (vec![&parts[0], &parts[1]], "22 hello"),
    ] {
        let to = folder.path().join(printed);
        let script = with_put_back(&older, &newer, &chosen, &to).unwrap();
        let output = Command::new(script).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), printed);
    }
    let changes = crate::changes::changes(&older, &newer).unwrap();
    assert_eq!(changes.settings[0].key, "-Dmore");
    assert_eq!(changes.classes[0].class, "com.acme.Rate");
}

#[test]
fn a_new_class_that_only_what_is_put_back_uses_is_named() {
    let rate = "package com.acme; class Rate { static int now() { return 10; } }";
    let older = compiled(&sources(
        "package com.acme; class Price { int of(int n) { return n * Rate.now(); } }",
        rate,
    ));
    let mut newer = sources(
        "package com.acme; class Price { int of(int n) { return n * Kept.rate(); } }",
        rate,
    );
    newer.push((
        "com/acme/Kept.java",
        "package com.acme; class Kept { static int rate() { return Options.of() + Rate.now(); } }",
    ));
    newer.push((
        "com/acme/Options.java",
        "package com.acme; class Options { static int of() { return 5; } }",
    ));
    let folder = tempfile::tempdir().unwrap();
    let older = artifact(folder.path(), "a.jar", &older);
    let newer = artifact(folder.path(), "b.jar", &compiled(&newer));
    let parts = parts(&older, &newer).unwrap();
    let told = names(&parts);
    let expected = "[\"com.acme.Price\"] [] [\"com.acme.Kept\", \"com.acme.Options\"]";
    assert!(told.contains(&expected.to_owned()), "{told:?}");
    let place = told.iter().position(|told| told == expected).unwrap();
    let to = folder.path().join("to");
    let jar = with_put_back(&older, &newer, &[&parts[place]], &to).unwrap();
    assert_eq!(run(&jar), "20 hello");
}
