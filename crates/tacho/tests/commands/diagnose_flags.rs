//! What `tacho diagnose` is told on the command line and in the experiment: the flag wins.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;
use crate::when_things_go_wrong::minimal_jar;

use support::{Lab, Told, port, subject, tacho};

/// The port of its variant is nobody's.
fn lab(listens: u16) -> Lab {
    Lab::new(&format!(
        "tacho: 1
name: flags
subject: {{own: com.acme, ready: {{timeout: 20s}}}}
variants:
  - {{name: it, kind: exec, command: '{} --port {listens}', port: 1}}
requests: [GET /ping]
launches: 1
rest: 0ms
diagnose: {{connections: 8}}
",
        subject().display()
    ))
}

fn diagnosed(lab: &Lab, flags: &[&str]) -> (Told, String) {
    let arguments = "diagnose experiment.yaml --quick --warm-up 10 --window 10 --sample 1ms";
    let output = tacho()
        .current_dir(lab.path())
        .args(arguments.split(' '))
        .args(flags)
        .output();
    let told = Told::of(&output.unwrap());
    let plan = lab.json("plan.json");
    let labels = plan["phases"].as_array().unwrap().iter();
    let labels: Vec<&str> = labels
        .map(|phase| phase["label"].as_str().unwrap())
        .collect();
    (told, labels.join(" "))
}

#[test]
fn the_file_says_it_and_a_flag_says_otherwise() {
    let listens = port();
    let right = ["--port", &listens.to_string()];
    let of_file = lab(listens);
    let (told, phases) = diagnosed(&of_file, &right);
    assert_eq!(phases, "settle closed-8 closed-32");
    // It was found where it listens, and not where the file says.
    assert_eq!(
        of_file.launches()[0]["time_line"]["port"],
        listens,
        "{told:#?}"
    );
    told.says("The application's own code: com.acme (as the experiment says");

    let of_flag = lab(listens);
    let flags = [
        &right[..],
        &["--connections", "2", "--own", "org.other,org.more"],
    ]
    .concat();
    let (told, phases) = diagnosed(&of_flag, &flags);
    assert_eq!(phases, "settle closed-2 closed-32");
    told.says("The application's own code: org.other, org.more (as --own says)");
}

/// Half an hour of work must not begin when the output file cannot be written.
#[test]
fn a_file_that_cannot_be_written_is_told_before_anything_is_launched() {
    let arguments = ["diagnose", "absent.jar", "--sarif", "/nowhere/found.sarif"];
    let told = Told::of(&tacho().args(arguments).output().unwrap()).exits(4);
    assert!(told.err.contains("/nowhere/found.sarif"), "{told:#?}");
}

/// Two builds are compared, so no note says which other variants could be made of one of them.
#[test]
fn what_is_said_first_concerns_the_builds_and_no_variants() {
    let lab = Lab::new("");
    std::fs::create_dir(lab.path().join("target")).unwrap();
    std::fs::write(lab.path().join("pom.xml"), "<project/>").unwrap();
    for jar in ["old.jar", "new.jar", "target/app.jar"] {
        std::fs::write(lab.path().join(jar), minimal_jar()).unwrap();
    }
    let planned = |arguments: &str| {
        let output = tacho()
            .current_dir(lab.path())
            .args(arguments.split(' '))
            .args(["--request", "/", "--dry-run"])
            .output();
        Told::of(&output.unwrap()).exits(0)
    };
    let of_variants = ["is left out", "--variants"];
    // Where variants are compared that is what is said of the same jar.
    planned("run new.jar").says(of_variants[0]);
    let two = "diagnose --baseline old.jar --candidate new.jar";
    for arguments in [two, "diagnose new.jar", "diagnose ."] {
        let told = planned(arguments).says("note: ");
        for words in of_variants {
            let said = told.out.contains(words) || told.err.contains(words);
            assert!(!said, "{words} of {arguments}: {told:#?}");
        }
    }
    // What the artifact is stays.
    planned("diagnose .").says("target/app.jar is what is run");
}
