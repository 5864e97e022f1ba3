//! Build commands of what is absent.

use super::Making;
use crate::error::RunError;
use crate::event::{Event, Listener};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tacho_experiment::{Experiment, VariantSpec};
use tacho_launch::{Lease, RunError as ProcessError, Spawn, run_to_end};
use tacho_subject::settings_of;

/// Enough for a Maven build that downloads its world.
const BUILD_TIMEOUT: Duration = Duration::from_secs(30 * 60);

impl Making<'_> {
    /// Runs the build commands of whatever is absent.
    pub fn build(&self, listener: &mut dyn Listener) -> Result<(), RunError> {
        let mut done: Vec<Vec<String>> = Vec::new();
        for spec in &self.experiment.variants {
            let Some(build) = build_of_absent(self.experiment, spec, self.base) else {
                continue;
            };
            if !done.contains(&build) {
                self.run_build(&spec.name, &build, listener)?;
                done.push(build);
            }
        }
        Ok(())
    }

    fn run_build(
        &self,
        what: &str,
        build: &[String],
        listener: &mut dyn Listener,
    ) -> Result<(), RunError> {
        let line = build.last().cloned().unwrap_or_default();
        listener.event(Event::Working {
            what: &format!("building: {line}"),
        });
        let log = self.directory.join(format!("build-{what}.log"));
        let finished = run_to_end(
            Spawn {
                command: build.to_vec(),
                directory: self.base.to_owned(),
                environment: BTreeMap::new(),
                log: log.clone(),
                join: Vec::new(),
                user: None,
                lease: Lease::take(&[])?,
            },
            self.stop.flag(),
            BUILD_TIMEOUT,
        );
        let failed = |how: String, tail: Vec<String>| RunError::Build {
            what: what.to_owned(),
            how,
            command: line.clone(),
            tail: tail.join("\n"),
            log: log.clone(),
        };
        match finished {
            Ok(finished) if finished.exit.success() => Ok(()),
            Ok(finished) => Err(failed(finished.exit.to_string(), finished.tail)),
            Err(ProcessError::Stopped) => Err(RunError::Stopped),
            Err(ProcessError::TimedOut { seconds, tail }) => {
                Err(failed(format!("ended after {seconds:.0} s"), tail))
            }
            Err(error) => Err(failed(error.to_string(), Vec::new())),
        }
    }
}

/// The command that builds what a variant is made from, where that is absent.
pub(super) fn build_of_absent(
    experiment: &Experiment,
    spec: &VariantSpec,
    base: &Path,
) -> Option<Vec<String>> {
    let settings = settings_of(&experiment.subject, spec);
    // A line of the variant's own makes what the variant alone has: its program, not the subject's
    // artifact.
    let own = &spec.overrides;
    let of_own_line = match own.build.is_some() {
        true => own.artifact.clone().or_else(|| program(&spec.command)),
        false => None,
    };
    let product = of_own_line
        .or(settings.artifact)
        .or_else(|| program(&spec.command));
    let absent = product.is_none_or(|path| !base.join(path).exists());
    settings.build.filter(|_| absent)
}

/// The first word of a command when it is a path of its own.
fn program(command: &[String]) -> Option<PathBuf> {
    command
        .first()
        .filter(|word| word.contains('/'))
        .map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is built first of a folder that has `app.jar` and nothing else.
    fn built_first(variant: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("app.jar"), "").unwrap();
        let text = format!(
            "tacho: 1\nsubject: {{artifact: app.jar, build: make jar}}\nvariants: [{variant}]\nrequests: [/]\n"
        );
        let experiment = tacho_experiment::file::parse(&text, folder.path()).unwrap();
        build_of_absent(&experiment, &experiment.variants[0], folder.path())?.pop()
    }

    #[test]
    fn a_line_is_run_when_what_it_makes_is_absent() {
        let line = |line: &str| Some(line.to_owned());
        assert_eq!(built_first("jar"), None);
        let other = "{kind: jar, artifact: other.jar}";
        assert_eq!(built_first(other), line("make jar"));
        let other = "{kind: jar, artifact: other.jar, build: make other}";
        assert_eq!(built_first(other), line("make other"));
        // The program of a variant is its own, although the subject's jar is there.
        let go = "{kind: exec, command: ./server, build: go build}";
        assert_eq!(built_first(go), line("go build"));
        // The subject's line makes the subject's jar, whatever launches it.
        assert_eq!(built_first("{kind: exec, command: ./start}"), None);
        let there = "{kind: exec, command: ./app.jar, build: go build}";
        assert_eq!(built_first(there), None);
    }
}
