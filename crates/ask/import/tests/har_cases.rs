//! HAR files that another hand has made, with what should be sent (labs/inputs): `send`, the
//! status, and how many entries are left out. The held-back ones are asked by `TACHO_HELD_BACK=1`
//! only.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use saphyr::{LoadableYamlNode, Yaml};
use std::path::{Path, PathBuf};
use tacho_import::{HarOptions, read_har};

/// A recording of several hosts of one site: the truth wants all, and a run has one origin.
const SEVERAL_HOSTS: [&str; 2] = ["har-charles-by-host", "har-chrome-redirects-preflight"];

fn cases(which: &str) -> Vec<PathBuf> {
    let labs = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../labs/inputs")
        .join(which);
    let mut all: Vec<PathBuf> = std::fs::read_dir(labs)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("har-")
        })
        .collect();
    all.sort();
    all
}

struct Truth {
    send: Vec<String>,
    left_out: usize,
    secrets: Vec<String>,
    jar: bool,
}

/// What a case says, and what is made of it.
fn compared(case: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(case.join("truth.yaml")).unwrap();
    let documents = Yaml::load_from_str(&text).unwrap();
    let root = &documents[0];
    let text_of = |node: Option<&Yaml<'_>>| node.and_then(|n| n.as_str()).map(str::to_owned);
    let given = root.as_mapping_get("given").unwrap();
    let file = text_of(given.as_mapping_get("targets")).unwrap();
    let base = text_of(given.as_mapping_get("base")).map(|base| base.parse().unwrap());
    let list = |key: &str| -> Vec<&Yaml<'_>> {
        let found = root.as_mapping_get(key).and_then(|node| node.as_sequence());
        found.map(|all| all.iter().collect()).unwrap_or_default()
    };
    let truth = Truth {
        send: list("requests")
            .into_iter()
            .map(|request| text_of(request.as_mapping_get("send")).unwrap())
            .collect(),
        left_out: list("left-out").len(),
        secrets: list("secrets")
            .into_iter()
            .filter_map(|s| text_of(Some(s)))
            .collect(),
        jar: text_of(root.as_mapping_get("cookies")).as_deref() == Some("jar"),
    };
    let refuse = root
        .as_mapping_get("refuse")
        .and_then(|node| node.as_bool());
    let input = std::fs::read(case.join(&file)).unwrap();
    let read = read_har(&input, case, &HarOptions { base });
    let imported = match (read, refuse) {
        (Err(_), Some(true)) => return Ok(()),
        (Ok(_), Some(true)) => return Err("it should be refused".to_owned()),
        (Err(error), _) => return Err(error.to_string()),
        (Ok(imported), _) => imported,
    };
    let origin = imported.origin.as_ref().unwrap().to_string();
    let sent: Vec<String> = imported.workload.scenarios[0]
        .steps
        .iter()
        .map(|step| format!("{} {origin}{}", step.method, step.path))
        .collect();
    if sent != truth.send {
        return Err(format!("sent {sent:#?}, should be {:#?}", truth.send));
    }
    let left_out = imported
        .notes
        .iter()
        .filter(|n| n.text.starts_with("left out"))
        .count();
    if left_out != truth.left_out {
        let notes = &imported.notes;
        return Err(format!(
            "{left_out} left out, should be {}: {notes:#?}",
            truth.left_out
        ));
    }
    if truth.jar && !imported.workload.cookies {
        return Err("no jar for each user".to_owned());
    }
    let told: String = imported.notes.iter().map(ToString::to_string).collect();
    match truth
        .secrets
        .iter()
        .find(|secret| told.contains(secret.as_str()))
    {
        Some(secret) => Err(format!("`{secret}` is told")),
        None => Ok(()),
    }
}

#[test]
fn what_should_be_sent_is_sent() {
    let mut all = cases("seen");
    if std::env::var_os("TACHO_HELD_BACK").is_some() {
        all.extend(cases("held-back"));
    }
    assert!(all.len() >= 13, "{all:?}");
    let mut wrong = Vec::new();
    for case in &all {
        let name = case.file_name().unwrap().to_string_lossy().into_owned();
        let result = compared(case);
        println!(
            "{name}: {}",
            if result.is_ok() {
                "as it should be"
            } else {
                "not so"
            }
        );
        match result {
            Err(why) if !SEVERAL_HOSTS.contains(&name.as_str()) => {
                wrong.push(format!("{name}: {why}"))
            }
            Ok(()) if SEVERAL_HOSTS.contains(&name.as_str()) => {
                wrong.push(format!("{name} is as it should be: take it off the list"));
            }
            _ => {}
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}
