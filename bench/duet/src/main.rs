//! What pairs in time and a duet gain beside a neighbour that comes and goes: the same two
//! programs, one of which does a fifth more for each answer, are compared one after another and at
//! the same time, in turn, with the same number of launches.

mod neighbour;
mod scatter;

use clap::Parser;
use neighbour::Neighbour;
use scatter::Scatter;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use tacho_run_folder::{RunFolder, Verdict};

/// Scatter of two variants against each other, one after another and at the same time.
#[derive(Debug, Parser)]
struct Arguments {
    /// The program
    #[arg(long, default_value = "target/release/tacho")]
    tacho: PathBuf,
    /// Its subject
    #[arg(long, default_value = "target/release/examples/scripted_subject")]
    subject: PathBuf,
    /// Runs of each
    #[arg(long, default_value_t = 8)]
    runs: u32,
    /// Launches of each variant in a run
    #[arg(long, default_value_t = 10)]
    launches: u32,
}

/// Why nothing was measured.
#[derive(Debug, thiserror::Error)]
enum BenchError {
    #[error("{0}: {1}; `make bench-duet` builds what is needed")]
    Program(PathBuf, std::io::Error),
    #[error("{0}: {1}")]
    Folder(PathBuf, std::io::Error),
    #[error("`tacho run` left nothing that can be read: {0}")]
    Run(String),
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(4)
        }
    }
}

/// What came of the runs of one kind.
#[derive(Default)]
struct Seen {
    scatters: Vec<Scatter>,
    verdicts: Vec<Verdict>,
}

fn run(arguments: &Arguments) -> Result<(), BenchError> {
    let programs = [&arguments.tacho, &arguments.subject];
    let [tacho, subject] = programs.map(|path| {
        let found = path.canonicalize();
        found.map_err(|error| BenchError::Program(path.clone(), error))
    });
    let (tacho, subject) = (tacho?, subject?);
    let scratch = std::env::temp_dir();
    let scratch = tempfile::tempdir().map_err(|error| BenchError::Folder(scratch, error))?;
    let file = scratch.path().join("experiment.yaml");
    std::fs::write(&file, experiment(&subject, arguments.launches))
        .map_err(|error| BenchError::Folder(file.clone(), error))?;
    let [mut in_turn, mut duet] = [Seen::default(), Seen::default()];
    for number in 1..=arguments.runs {
        for (seen, extra) in [(&mut in_turn, None), (&mut duet, Some("--duet"))] {
            let runs = scratch
                .path()
                .join(format!("{number}{}", extra.unwrap_or_default()));
            let _neighbour = Neighbour::moves_in(u64::from(number));
            let folder = once(&tacho, &file, &runs, extra)?;
            let results = folder.results().ok().flatten();
            let scatter = scatter::of(&folder).zip(results);
            let (scatter, results) =
                scatter.ok_or_else(|| BenchError::Run(runs.display().to_string()))?;
            let metrics = results.cells.iter().flat_map(|cell| &cell.metrics);
            let mut metrics = metrics.filter(|metric| metric.id == "closed.throughput");
            let verdict = metrics.find_map(|metric| Some(metric.versus_baseline?.verdict));
            eprintln!(
                "{number} {}: {scatter:.4?} {verdict:?}",
                extra.unwrap_or("in turn")
            );
            seen.scatters.push(scatter);
            seen.verdicts.extend(verdict);
        }
    }
    print!("{}", table(&in_turn, &duet));
    Ok(())
}

fn experiment(subject: &Path, launches: u32) -> String {
    let subject = subject.display();
    format!(
        "tacho: 1
name: duet
variants:
  - {{name: less, kind: exec, command: '{subject} --port 18433 --work 40'}}
  - {{name: more, kind: exec, command: '{subject} --port 18434 --work 48'}}
requests: [GET /ping]
phases:
  - cold: {{requests: 5}}
  - closed: {{duration: 2s, connections: 4}}
rest: 0ms
launches: {launches}
"
    )
}

fn once(
    tacho: &Path,
    file: &Path,
    runs: &Path,
    extra: Option<&str>,
) -> Result<RunFolder, BenchError> {
    let mut command = Command::new(tacho);
    command
        .arg("run")
        .arg(file)
        .arg("--runs")
        .arg(runs)
        .args(extra);
    // Its exit code says what the certificate says, which is not asked here.
    let output = command.output();
    let output = output.map_err(|error| BenchError::Program(tacho.to_owned(), error))?;
    let said = || BenchError::Run(String::from_utf8_lossy(&output.stderr).into_owned());
    let entry = std::fs::read_dir(runs)
        .ok()
        .and_then(|mut all| all.next()?.ok());
    RunFolder::open(&entry.ok_or_else(said)?.path()).map_err(|_| said())
}

/// Launches that are needed go with the variance.
fn table(in_turn: &Seen, duet: &Seen) -> String {
    let mean = |seen: &Seen, of: fn(&Scatter) -> f64| {
        seen.scatters.iter().map(of).sum::<f64>() / seen.scatters.len().max(1) as f64
    };
    let apart = mean(in_turn, |scatter| scatter.apart);
    let told = |seen: &Seen| {
        let told = seen
            .verdicts
            .iter()
            .filter(|v| **v == Verdict::Worse)
            .count();
        format!("{told} of {}", seen.verdicts.len())
    };
    let row = |what: &str, variance: f64, told: String| {
        format!(
            "| {what} | {:.1} % | {:.2} | {told} |\n",
            variance.sqrt() * 100.0,
            variance / apart
        )
    };
    let mut text = "| compared | scatter of a ratio | launches that are needed | a fifth was told |\n|---|---|---|---|\n".to_owned();
    text += &row("launch by launch", apart, String::new());
    text += &row(
        "in pairs, one after another",
        mean(in_turn, |s| s.paired),
        told(in_turn),
    );
    text += &row(
        "in pairs, at the same time (`--duet`)",
        mean(duet, |s| s.paired),
        told(duet),
    );
    text
}
