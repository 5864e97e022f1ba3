//! Diagnoses each service of `labs/regressions` and holds the first finding against its
//! `truth.yaml`: pattern, owner and planted sizes, and that nothing is claimed where nothing was
//! planted.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod counts;
mod sizes;
mod truth;

use clap::Parser;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use truth::Truth;

/// Holds what `tacho diagnose` finds against what was planted.
#[derive(Debug, Parser)]
struct Arguments {
    /// Only these services
    services: Vec<String>,
    /// Where they are
    #[arg(long, default_value = "labs/regressions")]
    labs: PathBuf,
    /// The program
    #[arg(long, default_value = "target/release/tacho")]
    tacho: PathBuf,
    /// Where the run folders are made
    #[arg(long, default_value = "runs")]
    runs: PathBuf,
    /// The port on which the services listen, instead of 8080
    #[arg(long, default_value_t = 8080)]
    port: u16,
}

/// What came of one service.
struct Judged {
    service: String,
    truth: Truth,
    found: String,
    explains: String,
    counts: String,
    is_right: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut services: Vec<String> = std::fs::read_dir(&arguments.labs)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().join("truth.yaml").exists())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| arguments.services.is_empty() || arguments.services.contains(name))
        .collect();
    services.sort();
    println!(
        "| service | planted | first finding | explains | counts as planted | |\n|---|---|---|---|---|---|"
    );
    let mut judged = Vec::new();
    for service in services {
        match judge(&arguments, &service) {
            Ok(one) => {
                println!("{}", row(&one));
                judged.push(one);
            }
            Err(why) => {
                eprintln!("{service}: {why}");
                return ExitCode::FAILURE;
            }
        }
    }
    let of = |is_planted: bool| {
        judged
            .iter()
            .filter(move |one| one.truth.is_planted() == is_planted)
    };
    let right = |is_planted| of(is_planted).filter(|one| one.is_right).count();
    let (planted, innocent) = (of(true).count(), of(false).count());
    println!(
        "\n{} of {planted} planted causes are the first finding; nothing is claimed in {} of {innocent} without one.",
        right(true),
        right(false)
    );
    // Twelve of fourteen.
    if right(true) * 14 >= planted * 12 && right(false) == innocent {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn judge(arguments: &Arguments, service: &str) -> Result<Judged, String> {
    let lab = arguments.labs.join(service);
    let truth = Truth::read(&lab.join("truth.yaml"))?;
    let report = diagnose(arguments, &lab)?;
    let first = &report["findings"]["findings"][0];
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let (pattern, owner) = (text(&first["pattern"]), text(&first["owner"]));
    let conclusion = text(&report["conclusion"]);
    let found = if pattern.is_empty() {
        conclusion.clone()
    } else {
        format!("{pattern} in {owner}")
    };
    let is_right = if truth.is_planted() {
        truth.patterns.contains(&pattern) && truth.owners.contains(&owner)
    } else {
        pattern.is_empty() && conclusion != "failed" && conclusion != "interrupted"
    };
    let run = Path::new(report["folder"].as_str().unwrap_or_default());
    let sizes = sizes::judge(&truth, run);
    let is_right = is_right && sizes.iter().all(|(_, is_right)| *is_right);
    let told = std::iter::once(counts::judge(&truth, run))
        .chain(sizes.into_iter().map(|(text, _)| text))
        .filter(|text| !text.is_empty());
    Ok(Judged {
        service: service.to_owned(),
        counts: told.collect::<Vec<_>>().join(", "),
        truth,
        found,
        explains: first["explains"]
            .as_f64()
            .map_or_else(String::new, |share| format!("{:.0} %", share * 100.0)),
        is_right,
    })
}

fn diagnose(arguments: &Arguments, lab: &Path) -> Result<Value, String> {
    let error = |e: std::io::Error| e.to_string();
    let text = std::fs::read_to_string(lab.join("experiment.yaml")).map_err(error)?;
    // Beside the original, since paths in it are relative to it.
    let experiment = tempfile::Builder::new()
        .prefix("judged-")
        .suffix(".yaml")
        .tempfile_in(lab)
        .map_err(error)?;
    std::fs::write(
        experiment.path(),
        text.replace("8080", &arguments.port.to_string()),
    )
    .map_err(error)?;
    let json = tempfile::NamedTempFile::new().map_err(error)?;
    let output = Command::new(&arguments.tacho)
        .arg("diagnose")
        .arg(experiment.path())
        .args(["--quiet", "--runs"])
        .arg(&arguments.runs)
        .arg("--json")
        .arg(json.path())
        .output()
        .map_err(error)?;
    let text = std::fs::read_to_string(json.path()).map_err(error)?;
    serde_json::from_str(&text).map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
}

fn row(one: &Judged) -> String {
    format!(
        "| {} | {} | {} | {} | {} | {} |",
        one.service,
        one.truth.owners.first().map_or("nothing", String::as_str),
        one.found,
        one.explains,
        one.counts,
        if one.is_right { "right" } else { "**wrong**" }
    )
}
