//! The folder tree is the architecture: a crate may use crates of its own folder and of the folders
//! above it (docs/decisions/0015-tree.md).
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// From the ground up.
const STAGES: [&str; 7] = [
    "base",
    "understand",
    "ask",
    "process",
    "inside",
    "measure",
    "tell",
];

/// Dependencies in the wrong direction that are allowed, each with its reason.
const EXCEPTIONS: [(&str, &str, &str); 2] = [
    (
        "subject",
        "launch",
        "a variant is built in a temporary folder that is swept with its lease",
    ),
    (
        "fit",
        "kubernetes",
        "what is pasted is written as the Deployment is",
    ),
];

/// Nobody measures while something is told, and nothing that is told looks into a process.
const NOT_BY_TELL: [&str; 2] = ["process", "inside"];

/// What shows a load, a run or a warm-up that is under way: it listens, and nothing waits for it.
const TOLD_WHILE_MEASURED: [(&str, &str); 3] = [
    ("load-report", "load"),
    ("progress", "load"),
    ("progress", "runner"),
];

/// By name without `tacho-`: folder, and the crates that it uses outside of its tests.
fn crates() -> BTreeMap<String, (String, Vec<String>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut crates = BTreeMap::new();
    for stage in fs::read_dir(root)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        for manifest in fs::read_dir(&stage)
            .unwrap()
            .map(|e| e.unwrap().path().join("Cargo.toml"))
        {
            let Ok(text) = fs::read_to_string(&manifest) else {
                continue;
            };
            let name = text
                .lines()
                .find_map(|line| line.strip_prefix("name = \"tacho-"));
            let used = text
                .lines()
                .skip_while(|line| *line != "[dependencies]")
                .take_while(|line| *line != "[dev-dependencies]")
                .filter_map(|line| line.strip_prefix("tacho-"))
                .map(|line| line.split(['.', ' ', '=']).next().unwrap().to_owned())
                .collect();
            let stage = stage.file_name().unwrap().to_str().unwrap().to_owned();
            crates.insert(
                name.unwrap().trim_end_matches('"').to_owned(),
                (stage, used),
            );
        }
    }
    crates
}

fn height(stage: &str) -> usize {
    STAGES
        .iter()
        .position(|known| *known == stage)
        .unwrap_or_else(|| panic!("crates/{stage} is no stage: {STAGES:?}"))
}

#[test]
fn arrows_go_one_way() {
    let crates = crates();
    assert!(crates.len() >= 30, "{crates:#?}");
    let mut wrong = Vec::new();
    for (name, (stage, used)) in &crates {
        for other in used {
            let (of_other, _) = &crates[other];
            let is_excepted = EXCEPTIONS.iter().any(|(a, b, _)| a == name && b == other);
            let looks_back = stage == "tell" && NOT_BY_TELL.contains(&of_other.as_str())
                || stage == "tell"
                    && of_other == "measure"
                    && !TOLD_WHILE_MEASURED.contains(&(name.as_str(), other.as_str()));
            if (height(of_other) > height(stage) || looks_back) != is_excepted {
                wrong.push(format!("{stage}/{name} -> {of_other}/{other}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_crate_stands_on_the_page() {
    let page =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md"));
    let page = page.unwrap();
    for (name, (stage, _)) in crates() {
        assert!(
            page.contains(&format!("| `{name}` |")),
            "{stage}/{name} is not in ARCHITECTURE.md"
        );
        assert!(page.contains(&format!("| `{stage}/` |")), "{stage}");
    }
}

/// `{:?}` is for programmers: what an error says is for users.
#[test]
fn no_error_is_told_in_debug_form() {
    let mut told = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let attributes = text.split("#[error(").skip(1);
            let said = attributes.filter_map(|rest| rest.split_once(")]"));
            told.extend(
                said.filter(|(attribute, _)| attribute.contains("?}"))
                    .map(|(attribute, _)| format!("{}: {attribute}", path.display())),
            );
        }
    }
    assert!(told.is_empty(), "{told:#?}");
}
