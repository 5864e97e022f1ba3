//! Builds compiled on the spot, with known differences.

use super::testkit::{artifact, boot, compiled, entry, zip};
use super::*;

fn of(before: &[(String, Vec<u8>)], after: &[(String, Vec<u8>)]) -> BuildChanges {
    let folder = tempfile::tempdir().unwrap();
    let before = artifact(folder.path(), "a.jar", before);
    changes(&before, &artifact(folder.path(), "b.jar", after)).unwrap()
}

/// `class: members`, one a class.
fn classes(changes: &BuildChanges) -> Vec<String> {
    let told = |class: &ClassChange| {
        let library = class
            .library
            .as_ref()
            .map_or(String::new(), |l| format!(" in {l}"));
        format!(
            "{:?} {}: {}{library}",
            class.change,
            class.class,
            class.members.join(" ")
        )
    };
    changes.classes.iter().map(told).collect()
}

const SHOP: &str = "package com.acme; import java.util.*; public class Shop {
  static final int MOST = 3;
  private final List<String> names = new ArrayList<>();
  String find(String name) { for (String n : names) if (n.equals(name)) return n; return \"none\" + name; }
  Runnable later(int n) { return () -> System.out.println(n); }
  int kind(String s) { switch (s) { case \"a\": return 1; case \"b\": return 2; default: return 0; } }
}";

/// As a WAR has them.
fn war(entries: &[(String, Vec<u8>)]) -> Vec<(String, Vec<u8>)> {
    let of_war = |name: &str| {
        let name = name.replace("BOOT-INF/classes/", "WEB-INF/classes/");
        name.replace("BOOT-INF/lib/", "WEB-INF/lib/")
    };
    let entries = entries.iter();
    entries
        .map(|(name, bytes)| (of_war(name), bytes.clone()))
        .collect()
}

#[test]
fn a_war_and_a_fat_jar_of_the_same_classes_differ_in_none() {
    let settings = entry("BOOT-INF/classes/application.properties", "a=1\n");
    let jar = boot(&compiled(&[("Shop.java", SHOP)]), &[settings]);
    let both = of(&war(&jar), &jar);
    assert!(
        both.classes.is_empty() && both.settings.is_empty() && both.files.is_empty(),
        "{both:?}"
    );
    // The other way round, and into a plain jar.
    let plain: Vec<(String, Vec<u8>)> = jar
        .iter()
        .map(|(name, bytes)| (without_prefix(name).to_owned(), bytes.clone()))
        .collect();
    for (before, after) in [(&jar, &war(&jar)), (&plain, &jar), (&jar, &plain)] {
        assert!(of(before, after).classes.is_empty());
    }
}

#[test]
fn what_changed_between_a_war_and_a_fat_jar_is_told_with_its_members() {
    let settings = |value: &str| entry("BOOT-INF/classes/application.properties", value);
    let older = compiled(&[("Shop.java", SHOP)]);
    let newer = SHOP.replace("n.equals(name)", "n.equalsIgnoreCase(name)");
    let newer = compiled(&[("Shop.java", &newer)]);
    let changes = of(
        &war(&boot(&older, &[settings("a=1\n")])),
        &boot(&newer, &[settings("a=2\n")]),
    );
    assert_eq!(classes(&changes), ["Changed com.acme.Shop: find"]);
    let [setting] = &changes.settings[..] else {
        panic!("{changes:?}");
    };
    assert_eq!(setting.file, "application.properties");
    assert_eq!(
        (setting.before.as_deref(), setting.after.as_deref()),
        (Some("1"), Some("2"))
    );
}

#[test]
fn the_same_source_on_other_lines_with_more_constants_before_is_no_change() {
    let before = compiled(&[("Shop.java", SHOP)]);
    // Other line numbers; a lambda before moves the numbers of the others, a method with many
    // constants moves those of the pool, so that `ldc` becomes `ldc_w`.
    let many: String = (0..300)
        .map(|n| format!("System.out.println(\"{n}\");"))
        .collect();
    let after = SHOP.replace(
        "static final",
        &format!("\n\n void log() {{ {many} Runnable r = () -> {{}}; r.run(); }}\n static final"),
    );
    let changes = of(
        &boot(&before, &[]),
        &boot(&compiled(&[("Shop.java", &after)]), &[]),
    );
    assert_eq!(
        classes(&changes),
        ["Changed com.acme.Shop: lambda$log$ log"]
    );
    assert!(
        changes.settings.is_empty() && changes.files.is_empty(),
        "{changes:?}"
    );
}

#[test]
fn what_was_edited_is_named_by_its_member() {
    let before = compiled(&[("Shop.java", SHOP)]);
    for (from, to, members) in [
        ("n.equals(name)", "n.equalsIgnoreCase(name)", "find"),
        ("MOST = 3", "MOST = 4", "MOST"),
        (
            "System.out.println(n)",
            "System.err.println(n)",
            "lambda$later$",
        ),
        ("case \"b\": return 2", "case \"b\": return 3", "kind"),
        ("\"none\" + name", "\"no \" + name", "find"),
        (
            "public class Shop",
            "@Deprecated public class Shop",
            "class",
        ),
        ("int kind(", "synchronized int kind(", "kind"),
    ] {
        let after = compiled(&[("Shop.java", &SHOP.replace(from, to))]);
        let changes = of(&boot(&before, &[]), &boot(&after, &[]));
        assert_eq!(
            classes(&changes),
            [format!("Changed com.acme.Shop: {members}")],
            "{to}"
        );
    }
}

#[test]
fn libraries_are_paired_by_name_and_those_of_the_family_are_looked_into() {
    let app = compiled(&[("Shop.java", SHOP)]);
    let commons = |body: &str| {
        let text = format!(
            "package com.acme.commons; public class Text {{ public String of(String s) {{ return {body}; }} }}"
        );
        zip(&compiled(&[("Text.java", &text)]))
    };
    let other = |release: &str| {
        let text =
            format!("package org.other; public class Other {{ String release = \"{release}\"; }}");
        zip(&compiled(&[("Other.java", &text)]))
    };
    let before = boot(
        &app,
        &[
            entry("BOOT-INF/lib/commons-1.0.jar", commons("s")),
            entry("BOOT-INF/lib/other-2.1.jar", other("2.1")),
            entry("BOOT-INF/lib/gone-1.jar", other("gone")),
        ],
    );
    let after = boot(
        &app,
        &[
            entry("BOOT-INF/lib/commons-1.1.jar", commons("s.trim()")),
            entry("BOOT-INF/lib/other-2.2.jar", other("2.2")),
        ],
    );
    let changes = of(&before, &after);
    assert_eq!(
        classes(&changes),
        ["Changed com.acme.commons.Text: of in commons"]
    );
    let told =
        |l: &LibraryChange| format!("{:?} {} {:?} {:?}", l.change, l.library, l.before, l.after);
    let libraries: Vec<String> = changes.libraries.iter().map(told).collect();
    assert_eq!(
        libraries,
        [
            r#"Changed commons Some("1.0") Some("1.1")"#,
            r#"Removed gone Some("1") None"#,
            r#"Changed other Some("2.1") Some("2.2")"#,
        ]
    );
}

#[test]
fn a_library_of_the_same_version_that_was_compiled_anew_is_no_change() {
    let app = compiled(&[("Shop.java", SHOP)]);
    let text = "package com.acme.commons; public class Text { String of(String s) { return s; } }";
    let jar = |text: &str| {
        entry(
            "BOOT-INF/lib/commons-1.0.jar",
            zip(&compiled(&[("Text.java", text)])),
        )
    };
    let changes = of(
        &boot(&app, &[jar(text)]),
        &boot(&app, &[jar(&format!("\n\n{text}"))]),
    );
    assert!(changes.is_empty(), "{changes:?}");
}

#[test]
fn keys_and_files_that_differ_are_named_and_what_a_build_stamps_is_not() {
    let app = compiled(&[("Shop.java", SHOP)]);
    let with = |threads: &str, by: &str, xml: &str| {
        boot(
            &app,
            &[
                entry(
                    "META-INF/MANIFEST.MF",
                    format!("Manifest-Version: 1.0\nBuilt-By: {by}\n\n"),
                ),
                entry(
                    "BOOT-INF/classes/application.yml",
                    format!("# {by}\nserver: {{tomcat: {{threads: {{max: {threads}}}}}}}\n"),
                ),
                entry("BOOT-INF/classes/logback.xml", xml),
                entry("META-INF/maven/com.acme/shop/pom.xml", by),
            ],
        )
    };
    let changes = of(&with("200", "ann", "<a/>"), &with("3", "ben", "<b/>"));
    let settings: Vec<String> = changes
        .settings
        .iter()
        .map(|s| format!("{} {} {:?} {:?}", s.file, s.key, s.before, s.after))
        .collect();
    assert_eq!(
        settings,
        [r#"application.yml server.tomcat.threads.max Some("200") Some("3")"#]
    );
    let files: Vec<&str> = changes
        .files
        .iter()
        .map(|file| file.file.as_str())
        .collect();
    assert_eq!(files, ["logback.xml"]);
    assert!(of(&with("3", "ann", "<a/>"), &with("3", "ben", "<a/>")).is_empty());
}

#[test]
fn of_a_merged_jar_classes_of_an_artifact_with_another_version_are_said_by_that() {
    let pom = |version: &str| {
        entry(
            "META-INF/maven/org.other.lib/other/pom.properties",
            format!("version={version}\n"),
        )
    };
    let with = |version: &str, body: &str| {
        let other = format!(
            "package org.other.core; public class Other {{ String release = \"{version}\"; }}"
        );
        let own = format!(
            "package com.acme; public class Main {{ public static void main(String[] a) {{ {body} }} }}"
        );
        let mut jar = compiled(&[("Other.java", &other), ("Main.java", &own)]);
        jar.push(pom(version));
        // The application's own version has changed, too.
        let own = "META-INF/maven/com.acme.apps/shop";
        jar.push(entry(
            &format!("{own}/pom.properties"),
            format!("version=0.{version}\n"),
        ));
        let needs = "<dependency><groupId>org.other.lib</groupId><artifactId>other</artifactId></dependency>";
        jar.push(entry(&format!("{own}/pom.xml"), needs));
        jar.push(entry(
            "META-INF/MANIFEST.MF",
            "Main-Class: org.framework.Launcher\n",
        ));
        jar
    };
    let changes = of(&with("1", ""), &with("2", "System.gc();"));
    assert_eq!(classes(&changes), ["Changed com.acme.Main: main"]);
    let libraries: Vec<&str> = changes
        .libraries
        .iter()
        .map(|l| l.library.as_str())
        .collect();
    assert_eq!(libraries, ["other"]);
}
