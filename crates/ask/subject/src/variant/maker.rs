//! Records how a variant is made: the commands, to copy and paste, and their time.

use super::{Context, Launchable, PrepareError, Step, StepOutput, Workshop};
use crate::shell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Enough for a native image of a large service on a small machine.
const STEP_TIMEOUT: Duration = Duration::from_secs(30 * 60);
/// A JVM that writes an AOT cache needs several seconds, more on a busy machine.
pub const TRAINING_GRACE: Duration = Duration::from_secs(5 * 60);

/// A workshop that also records what it does.
pub struct Maker<'a> {
    workshop: &'a mut dyn Workshop,
    /// To copy and paste, in order.
    pub commands: Vec<String>,
    /// Time that making took so far.
    pub took: Duration,
}

impl<'a> Maker<'a> {
    pub(super) fn new(workshop: &'a mut dyn Workshop) -> Self {
        Self {
            workshop,
            commands: Vec::new(),
            took: Duration::ZERO,
        }
    }

    /// The folder for what is made.
    pub(super) fn directory(&self) -> PathBuf {
        self.workshop.directory().to_owned()
    }

    /// Runs a command of the build.
    pub(super) fn run(
        &mut self,
        purpose: &str,
        directory: &Path,
        command: &[String],
    ) -> Result<StepOutput, PrepareError> {
        self.run_with(purpose, directory, command, BTreeMap::new())
    }

    /// The same with variables beside the inherited ones.
    pub(super) fn run_with(
        &mut self,
        purpose: &str,
        directory: &Path,
        command: &[String],
        environment: BTreeMap<String, String>,
    ) -> Result<StepOutput, PrepareError> {
        let started = Instant::now();
        let output = self.step(purpose, directory, command, environment);
        self.took += started.elapsed();
        output
    }

    /// Runs a command whose time does not count as build time: downloads.
    pub(super) fn fetch(
        &mut self,
        purpose: &str,
        directory: &Path,
        command: &[String],
    ) -> Result<StepOutput, PrepareError> {
        self.step(purpose, directory, command, BTreeMap::new())
    }

    fn step(
        &mut self,
        purpose: &str,
        directory: &Path,
        command: &[String],
        environment: BTreeMap<String, String>,
    ) -> Result<StepOutput, PrepareError> {
        self.commands
            .push(shell::line(directory, &environment, command));
        let step = Step {
            purpose: purpose.to_owned(),
            command: command.to_vec(),
            directory: directory.to_owned(),
            environment,
            timeout: STEP_TIMEOUT,
        };
        Ok(self.workshop.run(step)?)
    }

    /// Launches the subject once, so that the JVM can record what it uses.
    pub(super) fn train(
        &mut self,
        purpose: &str,
        context: &Context,
        command: &[String],
    ) -> Result<(), PrepareError> {
        let directory = context.directory();
        let environment = context.settings.environment.clone();
        let line = shell::line(&directory, &environment, command);
        self.commands
            .push(format!("{line} # until ready and loaded, then SIGTERM"));
        let started = Instant::now();
        let trained = self.workshop.train(Launchable {
            purpose: purpose.to_owned(),
            command: command.to_vec(),
            directory,
            environment,
            asked: true,
            grace: TRAINING_GRACE,
        });
        self.took += started.elapsed();
        Ok(trained?)
    }
}
