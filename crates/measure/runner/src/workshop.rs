//! Where variants are made: build commands and training launches through the same spawn as
//! everything else, so that they end with Tacho.

use crate::event::{Event, Listener, Silent};
use crate::limits::Groups;
use crate::loading::Loading;
use crate::requests;
use crate::started::{Readiness, StartSpec, start};
use crate::stop::Stop;
use std::path::{Path, PathBuf};
use tacho_experiment::{RequestSpec, Training, limits};
use tacho_launch::{Lease, RunError as ProcessError, Spawn, SpawnError, run_to_end};
use tacho_load::{Control, Options};
use tacho_run_folder::{LaunchOutcome, PhaseKind, PhasePlan, PlannedLaunch, RunFolder};
use tacho_subject::{Launchable, Step, StepError, StepOutput, Workshop};

/// Requests of a training launch: one after another, then side by side. Enough for the JVM to load
/// every class on their way and to compile what is hot (JEP 515 keeps the profiles).
const TRAINING: [(u64, u32); 2] = [(20, 1), (5_000, 8)];

/// The workshop of one variant.
pub struct Bay<'a> {
    /// Where it makes things.
    pub directory: PathBuf,
    /// Name of the variant.
    pub variant: &'a str,
    /// Makes control groups.
    pub groups: &'a Groups,
    /// The experiment's own requests, for training.
    pub requests: &'a [RequestSpec],
    /// Whether they are sent.
    pub training: Training,
    /// Which request is sent when.
    pub seed: u64,
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
            stdout: std::fs::read_to_string(&out).unwrap_or_default(),
            stderr: std::fs::read_to_string(&err).unwrap_or_default(),
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
            command: launch.command,
            directory: launch.directory,
            environment: launch.environment,
            limits: limits::none(),
            log: folder.log(),
            readiness: self.readiness.clone(),
        };
        let mut started = start(self.groups, &spec).map_err(of_outcome)?;
        let ready = match started.until_ready(&self.readiness, self.stop) {
            Ok(ready) => ready,
            Err(_) if self.stop.is_set() => return Err(StepError::Interrupted),
            Err(not_ready) => {
                return Err(of_outcome(tacho_launch::failure::not_ready(
                    &not_ready,
                    started.evidence(),
                )));
            }
        };
        if self.training == Training::StartUp {
            return started
                .end(launch.grace)
                .map(|_| ())
                .map_err(|e| training(e.to_string()));
        }
        let (endpoint, source) = requests::source(self.requests, ready.address, self.seed)
            .map_err(|e| training(e.to_string()))?;
        let mut loading = Loading::new(
            endpoint,
            source,
            &folder,
            &started,
            Control::new(),
            Options::default(),
            self.stop,
            None,
        )
        .map_err(|e| training(e.to_string()))?;
        for (index, (requests, connections)) in (0..).zip(TRAINING) {
            let phase = PhasePlan {
                label: format!("training-{index}"),
                kind: PhaseKind::closed(requests, connections),
            };
            let record = loading
                .phase(index, &phase, &mut started, &[], &mut Silent)
                .map_err(|e| training(e.to_string()))?;
            if self.stop.is_set() {
                return Err(StepError::Interrupted);
            }
            if record.succeeded == 0 {
                return Err(training(format!(
                    "none of {} requests succeeded ({})",
                    record.requests,
                    record.errors.keys().cloned().collect::<Vec<_>>().join(", ")
                )));
            }
        }
        drop(loading);
        started
            .end(launch.grace)
            .map(|_| ())
            .map_err(|e| training(e.to_string()))
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

fn of_outcome(outcome: LaunchOutcome) -> StepError {
    match outcome {
        LaunchOutcome::Failed {
            message,
            last_log_lines,
            ..
        } => training(format!("{message}\n{}", last_log_lines.join("\n"))),
        LaunchOutcome::Interrupted => StepError::Interrupted,
        other => training(format!("{other:?}")),
    }
}
