//! Options that variables of the environment say, and `--color`.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use support::{Lab, Told, port, tacho};

/// With which colours begin (ECMA-48).
const ESCAPE: char = '\u{1b}';

fn told(command: &mut Command) -> Told {
    Told::of(&command.output().unwrap())
}

fn lab() -> Lab {
    Lab::scripted(&[("a", &format!("--port {}", port()))], "")
}

/// The plan of a run with these variables.
fn plan(lab: &Lab, variables: &[(&str, &str)], flags: &[&str]) -> Told {
    let mut command = lab.command(&[&["--dry-run"], flags].concat());
    told(command.envs(variables.iter().copied())).exits(0)
}

/// One that has colours where there are any; its last flags are these.
fn help(flags: &[&str]) -> Command {
    let mut command = tacho();
    command.args(["run", "--help"]).args(flags);
    command
}

#[test]
fn colours_are_where_somebody_wants_them() {
    let is_coloured = |command: &mut Command| told(command).exits(0).out.contains(ESCAPE);
    let mut auto = help(&[]);
    auto.env_remove("NO_COLOR");
    assert!(!is_coloured(&mut auto), "in a pipe");
    assert!(is_coloured(&mut help(&["--color", "always"])));
    assert!(is_coloured(help(&[]).env("TACHO_COLOR", "always")));
    let mut never = help(&["--color", "never"]);
    assert!(!is_coloured(never.env("TACHO_COLOR", "always")));
    // Errors of usage and all others, too.
    for words in [["run", "--nonsense"], ["report", "absent"]] {
        for (color, is_there) in [("always", true), ("never", false), ("auto", false)] {
            let mut command = tacho();
            let told = told(command.args(["--color", color]).args(words));
            assert_eq!(told.err.contains(ESCAPE), is_there, "{color}: {told:#?}");
        }
    }
}

/// script(1) is a terminal.
#[test]
fn a_terminal_has_them_unless_it_is_told_otherwise() {
    let program = assert_cmd::cargo::cargo_bin("tacho");
    let on_terminal = |more: &str, no_color: &str| {
        let line = format!("{} report absent {more}", program.display());
        let mut command = Command::new("script");
        command
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .env("TERM", "xterm")
            .env("NO_COLOR", no_color)
            .stdin(std::process::Stdio::null());
        let told = told(&mut command);
        assert!(told.out.contains("absent"), "{told:#?}");
        told.out.contains(ESCAPE)
    };
    assert!(on_terminal("", ""));
    assert!(!on_terminal("", "1"));
    assert!(!on_terminal("--color never", ""));
    assert!(on_terminal("--color always", "1"));
}

#[test]
fn a_run_is_as_the_variables_say() {
    let lab = lab();
    let mut command = lab.command(&["--color", "always"]);
    let told = told(command.envs([
        ("TACHO_LAUNCHES", "1"),
        ("TACHO_RUNS", "there/runs"),
        ("TACHO_JUNIT", "tacho.xml"),
        ("TACHO_JSON", "results.json"),
        ("TACHO_CHECK", "ready<1us,ready<1h"),
        ("TACHO_QUIET", "True"),
    ]));
    // The first of the checks does not hold.
    let told = told.exits(1);
    assert!(
        told.err.is_empty() && told.out.contains(ESCAPE),
        "{told:#?}"
    );
    let runs = std::fs::read_dir(lab.path().join("there/runs")).unwrap();
    let [run] = runs.flatten().collect::<Vec<_>>().try_into().unwrap();
    let launches = std::fs::read_dir(run.path().join("launches")).unwrap();
    assert_eq!(launches.count(), 1);
    let junit = std::fs::read_to_string(lab.path().join("tacho.xml")).unwrap();
    assert!(
        junit.contains("ready&lt;1us") && junit.contains("ready&lt;1h"),
        "{junit}"
    );
    let json = std::fs::read_to_string(lab.path().join("results.json")).unwrap();
    assert!(!json.contains(ESCAPE));
    only_the_command_line_refuses(&lab, &run.path());
}

/// Two formats on standard output, and how builds are launched where nothing is.
fn only_the_command_line_refuses(lab: &Lab, run: &Path) {
    let report = |flags: &[&str], variables: &[(&str, &str)]| {
        let mut command = tacho();
        command.arg("report").arg(run).args(flags);
        told(
            command
                .envs(variables.iter().copied())
                .current_dir(lab.path()),
        )
    };
    let csv = report(&["--csv", "-"], &[]);
    let beside = report(&["--csv", "-"], &[("TACHO_JSON", "-")]);
    assert_eq!((beside.code, &beside.out), (csv.code, &csv.out));
    report(&[], &[("TACHO_CSV", "-"), ("TACHO_JSON", "-")])
        .exits(2)
        .says("give a file to one of them");
    let json = report(&[], &[("TACHO_JSON", "-"), ("TACHO_COLOR", "always")]);
    assert!(json.json()["cells"].is_array());

    let diagnose = |flags: &[&str]| {
        let mut command = tacho();
        command.arg("diagnose").current_dir(lab.path()).args(flags);
        for side in ["--baseline", "--candidate"] {
            command.arg(side).arg(run);
        }
        told(command.envs([
            ("TACHO_LAUNCHES", "9"),
            ("TACHO_CPU", "1"),
            ("TACHO_CHECK", "ready<1s"),
        ]))
    };
    diagnose(&[]).exits(2).says("would be compared with itself");
    let refused = diagnose(&["--cpu", "1"]).exits(2);
    assert!(refused.err.contains("--cpu cannot be used"), "{refused:#?}");
}

#[test]
fn the_command_line_counts_more_and_an_empty_variable_is_none() {
    let lab = lab();
    let plain = plan(&lab, &[], &[]);
    let three = plan(&lab, &[], &["--launches", "3"]);
    assert_ne!(plain.out, three.out);
    let said = plan(&lab, &[("TACHO_LAUNCHES", "3")], &[]);
    assert_eq!(said.out, three.out);
    let both = plan(&lab, &[("TACHO_LAUNCHES", "9")], &["--launches", "3"]);
    assert_eq!(both.out, three.out);
    let named = names();
    let empty: Vec<(&str, &str)> = named.iter().map(|name| (name.as_str(), "")).collect();
    assert!(empty.contains(&("TACHO_LAUNCHES", "")), "{empty:?}");
    assert_eq!(plan(&lab, &empty, &[]).out, plain.out);
    let flag = plan(&lab, &[("TACHO_QUICK", "no")], &[]);
    assert_eq!(flag.out, plain.out);
    let quick = plan(&lab, &[("TACHO_QUICK", "1")], &[]);
    assert_eq!(quick.out, plan(&lab, &[], &["--quick"]).out);
    assert_ne!(quick.out, plain.out);
}

/// All that the page lists.
fn names() -> Vec<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/environment.md");
    let text = std::fs::read_to_string(page).unwrap();
    let rows = text.lines().filter_map(|line| line.strip_prefix("| `"));
    rows.map(|row| row.split('`').next().unwrap().to_owned())
        .collect()
}

#[test]
fn a_wrong_value_names_its_variable() {
    let wrong = |variable: &str, value: &OsStr, flags: &[&str]| {
        let mut command = tacho();
        command.args(["run", "absent.jar"]).args(flags);
        told(command.env(variable, value)).exits(2)
    };
    for (variable, value, why) in [
        ("TACHO_LAUNCHES", "many", "--launches"),
        ("TACHO_QUIET", "perhaps", "write true or false"),
        ("TACHO_COLOR", "red", "always"),
        ("TACHO_MEMORY", "much", "--memory"),
    ] {
        let told = wrong(variable, OsStr::new(value), &[]);
        let told = told.says(why).says(value);
        let origin = format!("the environment variable {variable} says");
        assert!(told.err.contains(&origin), "{told:#?}");
    }
    // Who says it wrong on the command line has no variable to look for.
    let told = wrong("TACHO_LAUNCHES", OsStr::new("3"), &["--launches", "many"]);
    assert!(!told.err.contains("TACHO_LAUNCHES"), "{told:#?}");
    wrong("TACHO_JDK", OsStr::from_bytes(b"\xff"), &[]).says("TACHO_JDK");
}

/// A load is held against other words than a run.
#[test]
fn checks_of_a_load_have_a_variable_of_their_own() {
    let load = |variable: &str, value: &str, flags: &[&str]| {
        let mut command = tacho();
        command.args(["load", "http://127.0.0.1:1/", "--dry-run"]);
        told(command.args(flags).env(variable, value))
    };
    load("TACHO_CHECK", "ready<2s", &[]).exits(0);
    load("TACHO_LOAD_CHECK", "p99<1s,errors<1%", &[]).exits(0);
    load("TACHO_LOAD_CHECK", "ready<2s", &[])
        .exits(2)
        .says("ready<2s");
    load("TACHO_LOAD_CHECK", "ready<2s", &["--check", "p99<1s"]).exits(0);
}

/// Values that suit, of every kind.
fn all_set(command: &mut Command, folder: &Path) {
    for name in names() {
        let value = match name.as_str() {
            "SOURCE_DATE_EPOCH" | "TACHO_CPU" | "TACHO_LAUNCHES" => "1",
            "TACHO_QUIET" | "TACHO_QUICK" => "true",
            "TACHO_COLOR" => "never",
            "TACHO_CHECK" | "TACHO_LOAD_CHECK" => "p99<1s",
            "TACHO_COMPANIONS" => "1,2",
            "TACHO_JDK" => "25",
            "TACHO_MEMORY" => "256MiB",
            "TACHO_OTLP" => "http://127.0.0.1:1",
            "TACHO_CONTEXT" | "TACHO_NAMESPACE" | "TACHO_MASK" => "shop",
            _ => "file",
        };
        command.env(name, value);
    }
    command.current_dir(folder).env("HOME", folder);
    command.env_remove("KUBECONFIG");
}

/// Each says what it says without them: of the files that are absent, of the cluster.
#[test]
fn no_command_is_broken_by_variables_that_are_for_others() {
    let lab = Lab::scripted(&[("a", "")], "");
    let on = ["--on", "kubernetes", "--image", "127.0.0.1:1/shop"];
    let rollout = ["rollout", "experiment.yaml", "--rate", "1"];
    let commands: [(&[&str], &str); 14] = [
        (&["run", "absent.jar"], "absent.jar"),
        (&["warmup", "absent.jar", "--rate", "1"], "absent.jar"),
        (&["fit", "absent.jar"], "absent.jar"),
        (&["diagnose", "absent.jar"], "absent.jar"),
        (&["report", "absent"], "absent"),
        (&["gc", "absent.log"], "absent.log"),
        (&["claims", "absent.yaml"], "absent.yaml"),
        (&["image", "absent.jar", "-o", "a.tar"], "absent.jar"),
        (&["init", "absent.jar", "-o", "b.yaml"], "absent.jar"),
        (
            &["load", "http://127.0.0.1:1/", "--dry-run"],
            "http://127.0.0.1:1",
        ),
        (&["memory", "4194305"], "4194305"),
        (
            &["doctor", "--on", "kubernetes", "--jdk=25"],
            "cannot be used with",
        ),
        (
            &["rollout", "users", "--rate", "1", "--on", "kubernetes"],
            "kubeconfig",
        ),
        (&[&rollout[..], &on].concat(), "kubeconfig"),
    ];
    for (words, says) in commands {
        let mut command = tacho();
        all_set(command.args(words), lab.path());
        let told = told(&mut command);
        assert!(
            told.code != Some(0) || words.contains(&"--dry-run"),
            "{told:#?}"
        );
        assert!(
            told.err.contains(says) || told.out.contains(says),
            "{words:?}: {told:#?}"
        );
        assert!(!told.err.contains("TACHO_"), "{words:?}: {told:#?}");
        assert!(!told.err.contains("--json"), "{words:?}: {told:#?}");
    }
}

/// Where somebody asks for a namespace and for no cluster, that is still said.
#[test]
fn a_namespace_without_a_cluster_is_a_mistake_on_the_command_line_alone() {
    let lab = lab();
    let shop = [("TACHO_NAMESPACE", "shop"), ("TACHO_CONTEXT", "there")];
    assert_eq!(plan(&lab, &shop, &[]).out, plan(&lab, &[], &[]).out);
    let mut command = lab.command(&["--dry-run", "--namespace", "shop"]);
    told(command.envs(shop)).exits(2).says("--on");
    // With one it is the namespace: this name is none.
    let mut command = tacho();
    command.args(["doctor", "--on", "kubernetes"]);
    told(command.env("TACHO_NAMESPACE", "No Name"))
        .exits(2)
        .says("TACHO_NAMESPACE");
}

#[test]
fn the_help_and_the_manual_are_the_same_whatever_is_set() {
    let folder = tempfile::tempdir().unwrap();
    let page = |set: Option<&str>, name: &str| {
        let mut command = tacho();
        command
            .args(["man", "--output"])
            .arg(folder.path().join(name));
        if let Some(value) = set {
            command.envs(names().iter().map(|name| (name.clone(), value)));
            command.env("TACHO_COLOR", "never").env("TACHO_QUIET", "");
        }
        told(&mut command).exits(0);
        let read =
            |page: &str| std::fs::read_to_string(folder.path().join(name).join(page)).unwrap();
        read("tacho-run.1") + &read("tacho-load.1") + &read("tacho.1")
    };
    let plain = page(None, "plain");
    assert!(plain.contains("TACHO_LAUNCHES") && plain.contains("TACHO_COLOR"));
    assert!(page(Some("hunter2"), "set") == plain && page(Some(""), "empty") == plain);
    for words in [
        &["--help"][..],
        &["run", "--help"],
        &["load", "-h"],
        &["help", "fit"],
    ] {
        let shown = |value: Option<&str>| {
            let mut command = tacho();
            if let Some(value) = value {
                command.envs(names().iter().map(|name| (name.clone(), value)));
            }
            told(command.args(words)).exits(0).out
        };
        let plain = shown(None);
        assert!(plain.contains("[env: TACHO_COLOR]"), "{plain}");
        assert_eq!(shown(Some("hunter2")), plain, "{words:?}");
        assert_eq!(shown(Some("")), plain, "{words:?}");
    }
}

/// An option of all commands with a description of each value would stretch the help of all.
#[test]
fn the_help_of_a_short_command_stays_short() {
    let help = |flag: &str| told(tacho().args(["gc", flag])).exits(0).out;
    assert_eq!(help("--help"), help("-h"));
}

#[test]
fn names_to_mask_are_added_up_and_hold_for_errors_of_usage() {
    let secret = "hunter2-Zq9-of-a-variable";
    let masked = |words: &[&str], masks: &str| {
        let mut command = tacho();
        command.args(words).env("SHOP_WORD", secret);
        let told = told(command.env("TACHO_MASK", masks)).exits(2);
        !told.err.contains(secret)
    };
    let wrong = ["load", "http://localhost/", "--rate", secret];
    assert!(!masked(&wrong, ""));
    assert!(masked(&wrong, "other,SHOP_WORD"));
    let absent = ["run", secret, "--mask", "another"];
    assert!(!masked(&absent, "other"));
    assert!(masked(&absent, "SHOP_WORD"));
}

/// What a file of claims measures is what stands in it.
#[test]
fn a_command_of_a_claim_does_not_see_them() {
    let folder = tempfile::tempdir().unwrap();
    let script = "echo '{\"launches\": '${TACHO_LAUNCHES:-8}', \"masks\": '${TACHO_MASK:-0}'}'\n";
    std::fs::write(folder.path().join("told.sh"), script).unwrap();
    let claims = "tacho: 1
article: {title: On variables, question: How many?}
runs: [{name: told, command: [sh, told.sh]}]
claims:
  - {says: Eight, run: told, pointer: /launches, same: 8..8}
  - {says: Seven, run: told, pointer: /masks, same: 7..7}
";
    std::fs::write(folder.path().join("claims.yaml"), claims).unwrap();
    let mut command = tacho();
    command
        .args(["claims", "claims.yaml"])
        .current_dir(folder.path());
    command.envs([
        ("TACHO_LAUNCHES", "3"),
        ("TACHO_MASK", "7"),
        ("TACHO_JSON", "told.json"),
    ]);
    told(&mut command)
        .exits(0)
        .says("Of 2 claims: 2 the same here.");
    assert!(folder.path().join("told.json").is_file());
}
