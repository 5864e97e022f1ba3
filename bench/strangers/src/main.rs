//! Diagnoses each pair of `labs/strangers`, as a user would who has two builds and a request, and
//! holds the first claim against what was changed: the cause, or nothing.

#![cfg_attr(test, allow(clippy::unwrap_used))]

mod case;
mod claim;

use case::Case;
use clap::Parser;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// Holds what `tacho diagnose` claims against what was changed.
#[derive(Debug, Parser)]
struct Arguments {
    /// Only these pairs
    cases: Vec<String>,
    /// Only those that are held back, or only the others
    #[arg(long, value_enum)]
    only: Option<Only>,
    /// Where they are
    #[arg(long, default_value = "labs/strangers")]
    labs: PathBuf,
    /// The program
    #[arg(long, default_value = "target/release/tacho")]
    tacho: PathBuf,
    /// Where the run folders are made
    #[arg(long, default_value = "runs")]
    runs: PathBuf,
    /// Say right or wrong, and not what was claimed
    #[arg(long)]
    blind: bool,
    /// Diagnose each baseline against a copy of itself, N times: any claim is a false alarm
    #[arg(long, value_name = "N")]
    copies: Option<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Only {
    Seen,
    HeldBack,
}

struct Judged {
    innocent: bool,
    held_back: bool,
    is_right: bool,
    claims_wrongly: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let held_back = std::fs::read_to_string(arguments.labs.join("held-back")).unwrap_or_default();
    let held_back: Vec<&str> = held_back.lines().map(str::trim).collect();
    let mut names: Vec<String> = std::fs::read_dir(&arguments.labs)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().join("case.yaml").exists())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| arguments.cases.is_empty() || arguments.cases.contains(name))
        .filter(|name| match arguments.only {
            None => true,
            Some(only) => (only == Only::HeldBack) == held_back.contains(&name.as_str()),
        })
        .collect();
    names.sort();
    if let Some(rounds) = arguments.copies {
        return of_copies(&arguments, &names, rounds);
    }
    println!(
        "| pair | stack | what was changed | first claim | conclusion | time | |\n|---|---|---|---|---|---|---|"
    );
    let mut all = Vec::new();
    for name in names {
        let is_held_back = held_back.contains(&name.as_str());
        match judge(&arguments, &name, is_held_back) {
            Ok(judged) => all.push(judged),
            Err(why) => {
                eprintln!("{name}: {why}");
                all.push(Judged {
                    innocent: false,
                    held_back: is_held_back,
                    is_right: false,
                    claims_wrongly: false,
                });
            }
        }
    }
    println!();
    let mut is_good = true;
    for (of, is_held_back) in [("seen", false), ("held back", true)] {
        let of_part: Vec<&Judged> = all
            .iter()
            .filter(|one| one.held_back == is_held_back)
            .collect();
        if of_part.is_empty() {
            continue;
        }
        let (innocent, guilty): (Vec<&Judged>, Vec<&Judged>) =
            of_part.into_iter().partition(|one| one.innocent);
        let right = guilty.iter().filter(|one| one.is_right).count();
        let wrong = innocent.iter().filter(|one| one.claims_wrongly).count();
        println!(
            "{of}: the cause first in {right} of {}; something claimed in {wrong} of {} innocent.",
            guilty.len(),
            innocent.len()
        );
        // Five of six.
        is_good &= right * 6 >= guilty.len() * 5 && wrong == 0;
    }
    match is_good {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Counts what is claimed of identical builds.
fn of_copies(arguments: &Arguments, names: &[String], rounds: u32) -> ExitCode {
    let (mut pairs, mut claimed, mut failed) = (0, 0, 0);
    for name in (0..rounds).flat_map(|_| names) {
        pairs += 1;
        match copied(arguments, name) {
            Ok((claim, conclusion)) => {
                claimed += u32::from(claim.is_some());
                let claim = claim.map_or_else(|| "nothing".to_owned(), |claim| claim.shown);
                println!("{name}: {claim} ({conclusion}); {claimed} of {pairs} pairs claimed");
            }
            Err(why) => {
                failed += 1;
                eprintln!("{name}: {why}");
            }
        }
    }
    println!("\n{claimed} of {pairs} identical pairs: something was claimed; {failed} failed.");
    match failed == 0 && claimed * 40 <= pairs {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

fn copied(arguments: &Arguments, name: &str) -> Result<(Option<claim::Claim>, String), String> {
    let case = Case::read(&arguments.labs.join(name).join("case.yaml"))?;
    let done = |command: &mut Command| match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}")),
        Err(why) => Err(format!("{command:?}: {why}")),
    };
    done(Command::new(arguments.labs.join("build")).arg(name))?;
    let target = arguments.labs.join("target").join(name);
    let copy = target.join(COPY);
    if !copy.exists() {
        done(
            Command::new("cp")
                .arg("-a")
                .arg(target.join("baseline"))
                .arg(&copy),
        )?;
    }
    let report = diagnose(arguments, name, &case, COPY)?;
    let conclusion = report["conclusion"].as_str().unwrap_or_default().to_owned();
    Ok((claim::first(&report), conclusion))
}

/// The folder of a copy of the baseline.
const COPY: &str = "copy";

fn judge(arguments: &Arguments, name: &str, held_back: bool) -> Result<Judged, String> {
    let folder = arguments.labs.join(name);
    let case = Case::read(&folder.join("case.yaml"))?;
    let built = Command::new(arguments.labs.join("build"))
        .arg(name)
        .status();
    if !built.map_err(|e| e.to_string())?.success() {
        return Err("it could not be built".to_owned());
    }
    let since = Instant::now();
    let report = diagnose(arguments, name, &case, "candidate")?;
    let took = since.elapsed().as_secs();
    let claim = claim::first(&report);
    let is_right = match &claim {
        Some(claim) => !case.innocent && claim::is_right(claim, &case.accept),
        None => case.innocent,
    };
    let shown = match (&claim, arguments.blind) {
        (_, true) => "-".to_owned(),
        (Some(claim), _) => claim.shown.clone(),
        (None, _) => "nothing".to_owned(),
    };
    println!(
        "| {name} | {} | {} | {} | {} | {took} s | {} |",
        case.stack,
        if arguments.blind { "-" } else { &case.kind },
        shown.replace('|', "/"),
        report["conclusion"].as_str().unwrap_or_default(),
        if is_right { "right" } else { "wrong" }
    );
    Ok(Judged {
        innocent: case.innocent,
        held_back,
        is_right,
        claims_wrongly: claim.is_some(),
    })
}

/// As a user does: two builds and the requests.
fn diagnose(
    arguments: &Arguments,
    name: &str,
    case: &Case,
    candidate: &str,
) -> Result<Value, String> {
    let error = |e: std::io::Error| e.to_string();
    let target = std::path::absolute(arguments.labs.join("target").join(name)).map_err(error)?;
    let started = case.start.as_ref().unwrap_or(&case.artifact);
    let of = |build: &str| target.join(build).join(started);
    let json = tempfile::NamedTempFile::new().map_err(error)?;
    let finder = arguments.labs.join("../find-jdk");
    let jdk = Command::new(finder)
        .arg(&case.java)
        .output()
        .map_err(error)?;
    let jdk = String::from_utf8_lossy(&jdk.stdout).trim().to_owned();
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new(&arguments.tacho);
    command
        .arg("diagnose")
        .arg("--quiet")
        .arg("--baseline")
        .arg(of("baseline"))
        .arg("--candidate")
        .arg(of(candidate))
        .args(["--jdk", &jdk, "--runs"])
        .arg(arguments.runs.join(name))
        .arg("--json")
        .arg(json.path())
        // A script takes what it finds.
        .env("JAVA_HOME", &jdk)
        .env(
            "PATH",
            format!("{}:{path}", Path::new(&jdk).join("bin").display()),
        );
    for request in &case.requests {
        command.args(["--request", request]);
    }
    let output = command.output().map_err(error)?;
    let text = std::fs::read_to_string(json.path()).map_err(error)?;
    serde_json::from_str(&text).map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())
}
