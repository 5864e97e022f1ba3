//! What shells and man(1) read is of the commands that there are.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use crate::support;

use std::process::Command;
use support::{Told, tacho};

#[test]
fn each_shell_is_told_all_commands_and_bash_takes_it() {
    let lab = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let told = Told::of(&tacho().args(["completions", shell]).output().unwrap()).exits(0);
        for word in ["diagnose", "warmup", "image", "--memory"] {
            let word = if shell == "fish" {
                word.trim_start_matches('-')
            } else {
                word
            };
            assert!(told.out.contains(word), "{shell}: {word}");
        }
        assert!(
            !told.out.contains("guard-profile"),
            "{shell} names what is for nobody"
        );
        std::fs::write(lab.path().join(shell), told.out).unwrap();
    }
    let status = Command::new("bash")
        .arg("-n")
        .arg(lab.path().join("bash"))
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn each_command_has_a_page_of_the_manual() {
    let lab = tempfile::tempdir().unwrap();
    let pages = lab.path().join("man1");
    let output = tacho()
        .args(["man", "--output"])
        .arg(&pages)
        .output()
        .unwrap();
    Told::of(&output).exits(0);
    let run = std::fs::read_to_string(pages.join("tacho-run.1")).unwrap();
    assert!(run.contains(".TH") && run.contains("launches"), "{run}");
    for page in ["tacho.1", "tacho-load.1", "tacho-native-kit-install.1"] {
        assert!(pages.join(page).exists(), "{page}");
    }
    let names: Vec<_> = std::fs::read_dir(&pages).unwrap().flatten().collect();
    assert!(
        names
            .iter()
            .all(|page| !page.file_name().to_string_lossy().contains("guard")),
        "{names:?}"
    );
}
