//! Where variants are made: build commands and training launches through the same spawn as
//! everything else, so that they end with Tacho.

use crate::company::Company;
use crate::event::{Event, Listener, Silent};
use crate::session::{Halt, Hooks, Load, Place, Readiness, Ready, StartSpec, Terms, live, reason};
use crate::stop::Stop;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_experiment::{Training, limits};
use tacho_launch::{Lease, RunError as ProcessError, Spawn, SpawnError, run_to_end};
use tacho_load::Options;
use tacho_run_folder::{LaunchDir, LaunchOutcome, PhaseKind, PhasePlan, PlannedLaunch, RunFolder};
use tacho_subject::{Launchable, Step, StepError, StepOutput, Workshop};
use tacho_workload::Scenario;

/// Requests of a training launch: one after another, then side by side. Enough for the JVM to load
/// every class on their way and to compile what is hot (JEP 515 keeps the profiles).
const TRAINING: [(u64, u32); 2] = [(20, 1), (5_000, 8)];

/// The workshop of one variant.
pub struct Bay<'a> {
    /// Where it makes things.
    pub directory: PathBuf,
    /// Name of the variant.
    pub variant: &'a str,
    /// Where it is started.
    pub place: &'a dyn Place,
    /// What the subject needs beside it.
    pub company: &'a Company,
    /// The experiment's own requests, for training.
    pub requests: &'a [Scenario],
    /// Whether they are sent.
    pub training: Training,
    /// Which request is sent when.
    pub seed: u64,
    /// What takes longer has failed.
    pub request_timeout: Duration,
    /// How readiness is found.
    pub readiness: Readiness,
    /// The user's wish to end.
    pub stop: &'a Stop,
    /// Who is told.
    pub listener: &'a mut dyn Listener,
    /// Steps so far, for the names of their logs.
    pub steps: u32,
}

impl Workshop for Bay<'_> {
    fn run(&mut self, step: Step) -> Result<StepOutput, StepError> {
        self.tell(&step.purpose);
        let (out, err) = self.logs();
        let lease = Lease::take(&[]).map_err(|e| training(e.to_string()))?;
        let program = step.command.first().cloned().unwrap_or_default();
        let shown = step.command.join(" ");
        let finished = run_to_end(
            Spawn {
                command: with_stderr_apart(&step.command, &err),
                directory: step.directory,
                environment: step.environment,
                log: out.clone(),
                join: Vec::new(),
                user: None,
                lease,
            },
            self.stop.flag(),
            step.timeout,
        );
        let output = StepOutput {
            stdout: said_in(&out),
            stderr: said_in(&err),
        };
        match finished {
            Ok(finished) if finished.exit.success() => Ok(output),
            Ok(finished) => Err(StepError::Failed {
                command: shown,
                how: finished.exit.to_string(),
                last_lines: last_lines(&output),
            }),
            Err(ProcessError::Stopped) => Err(StepError::Interrupted),
            Err(ProcessError::TimedOut { seconds, .. }) => Err(StepError::TimedOut {
                command: shown,
                seconds: seconds as u64,
            }),
            Err(ProcessError::Spawn(error)) => Err(not_started(program, &error)),
            Err(ProcessError::Wait(source)) => Err(StepError::NotStarted { program, source }),
        }
    }

    fn train(&mut self, launch: Launchable) -> Result<(), StepError> {
        self.tell(&launch.purpose);
        let folder = RunFolder::create(&self.directory.join("training"))
            .and_then(|folder| folder.create_launch(&self.planned()))
            .map_err(|e| training(e.to_string()))?;
        let spec = StartSpec {
            name: format!("training-{}-{}", self.variant, self.steps),
            variant: self.variant.to_string(),
            image: None,
            command: launch.command,
            directory: launch.directory,
            environment: launch.environment,
            limits: limits::none(),
            log: folder.log(),
            readiness: self.readiness.clone(),
            observation: None,
            longest: Duration::ZERO,
        };
        let terms = Terms {
            place: self.place,
            grace: launch.grace,
            company: self.company,
            stop: self.stop,
        };
        let mut lesson = Lesson {
            requests: self.requests,
            training: if launch.asked {
                self.training
            } else {
                Training::StartUp
            },
            options: Options {
                seed: self.seed,
                request_timeout: self.request_timeout,
                ..Options::default()
            },
            folder: &folder,
        };
        let lived = live(terms, &spec, &[], &mut lesson);
        if let Some(error) = lived.error {
            return Err(training(error.to_string()));
        }
        // The user may have lost patience while the JVM wrote what it had learned.
        if lived.outcome == LaunchOutcome::Interrupted || self.stop.is_set() {
            return Err(StepError::Interrupted);
        }
        if let Some((message, log)) = reason(&lived.outcome) {
            return Err(training(format!("{message}\n{}", log.join("\n"))));
        }
        // What it has learned is written at its end.
        let ended: Result<Vec<_>, _> = lived.ends.into_iter().collect();
        ended.map(|_| ()).map_err(|e| training(e.to_string()))
    }

    fn directory(&self) -> &Path {
        &self.directory
    }
}

impl Bay<'_> {
    fn tell(&mut self, purpose: &str) {
        self.steps += 1;
        let what = format!("{}: {purpose}", self.variant);
        self.listener.event(Event::Working { what: &what });
    }

    /// Logs of the current step.
    fn logs(&self) -> (PathBuf, PathBuf) {
        let at = |end: &str| self.directory.join(format!("step-{}.{end}", self.steps));
        (at("out"), at("err"))
    }

    fn planned(&self) -> PlannedLaunch {
        PlannedLaunch {
            number: self.steps,
            cell: self.variant.to_owned(),
            replicate: 1,
            again: None,
        }
    }
}

/// The shell opens the file and becomes the command: one process, two files.
fn with_stderr_apart(command: &[String], stderr: &Path) -> Vec<String> {
    let mut shell: Vec<String> = ["sh", "-c", "log=$1; shift; exec \"$@\" 2>\"$log\"", "sh"]
        .map(str::to_owned)
        .to_vec();
    shell.push(stderr.display().to_string());
    shell.extend_from_slice(command);
    shell
}

/// A tool may write in any encoding, and its error counts.
fn said_in(log: &Path) -> String {
    let bytes = std::fs::read(log).unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn last_lines(output: &StepOutput) -> String {
    let text = format!("{}\n{}", output.stdout, output.stderr);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(15)..].join("\n")
}

fn not_started(program: String, error: &SpawnError) -> StepError {
    StepError::NotStarted {
        program,
        source: std::io::Error::other(error.to_string()),
    }
}

fn training(reason: String) -> StepError {
    StepError::Training { reason }
}

/// What a variant is trained with.
struct Lesson<'l> {
    requests: &'l [Scenario],
    training: Training,
    options: Options,
    folder: &'l LaunchDir,
}

impl Hooks for Lesson<'_> {
    fn load(&mut self, ready: &mut Ready<'_>) -> Result<(), Halt> {
        if self.training == Training::StartUp {
            return Ok(());
        }
        let mut loading = ready.loading(Load::aside(self.requests, self.options, self.folder))?;
        for (index, (requests, connections)) in TRAINING.into_iter().enumerate() {
            let plan = PhasePlan {
                label: format!("training-{index}"),
                kind: PhaseKind::closed(requests, connections),
            };
            loading.answered(ready, "phase", &plan, &mut Silent)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_tool_says_in_another_encoding_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("step-1.err");
        std::fs::write(&log, b"error: ung\xfcltig").unwrap();
        assert_eq!(said_in(&log), "error: ung\u{fffd}ltig");
        assert_eq!(said_in(&folder.path().join("none")), "");
    }
}
