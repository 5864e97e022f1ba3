//! Runs the kit's own installer and tells what came of it.

use crate::NativeKitError as Error;
use crate::embedded::{INSTALLER, unpack};
use crate::follow::follow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tacho_launch::threads::{self, NoThread};
use tacho_launch::{Exit, Lease, RunError, Scratch, Spawn, run_to_end};

/// Jars over a slow line, and a JDK onto a slow disk.
const LONGEST: Duration = Duration::from_secs(60 * 60);

/// The line by which the installer says where the home is.
const HOME: &str = "GRAALVM_HOME=";

/// What is to be installed, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installation {
    /// The folder; else the installer's own choice below the user's data.
    pub to: Option<PathBuf>,
    /// The JDK 25 to build with; else it is found.
    pub jdk: Option<PathBuf>,
    /// An unpacked GraalVM or Mandrel to be used instead of making one.
    pub from: Option<PathBuf>,
    /// Makes it again though it is there.
    pub force: bool,
}

/// What was installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Installed {
    /// What `GRAALVM_HOME` has to name.
    pub home: PathBuf,
}

impl Installation {
    fn arguments(&self) -> Vec<String> {
        let paths = [
            ("--jdk", &self.jdk),
            ("--to", &self.to),
            ("--from", &self.from),
        ];
        let given = paths.into_iter().filter_map(|(name, path)| {
            Some([name.to_owned(), path.as_ref()?.display().to_string()])
        });
        let force = self.force.then(|| "--force".to_owned());
        given.flatten().chain(force).collect()
    }
}

/// Installs, giving each line that the installer prints to `show`. Ended by `stop`, it leaves
/// nothing half made.
///
/// # Errors
/// When the installer cannot be run, or says that it did not do its work.
pub fn install(
    what: &Installation,
    stop: &AtomicBool,
    show: &mut (dyn FnMut(&str) + Send),
) -> Result<Installed, Error> {
    let folder = Scratch::new()?;

    let kit = folder.path().join("kit");
    unpack(&kit)?;
    let log = folder.path().join("log");
    let installer = kit.join(INSTALLER).display().to_string();
    let spawn = Spawn {
        command: std::iter::once(installer).chain(what.arguments()).collect(),
        directory: std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        environment: BTreeMap::new(),
        log: log.clone(),
        join: Vec::new(),
        user: None,
        lease: Lease::take(&[])?,
    };
    let over = AtomicBool::new(false);
    let mut home = None;
    let ended = std::thread::scope(|scope| {
        threads::spawn_in(scope, || {
            follow(&log, &over, &mut |line| match line.strip_prefix(HOME) {
                Some(path) => home = Some(PathBuf::from(path)),
                None => show(line),
            });
        })?;
        let ended = run_to_end(spawn, stop, LONGEST);
        over.store(true, Ordering::Release);
        Ok::<_, NoThread>(ended)
    })?;
    match (ended, home) {
        (Ok(finished), Some(home)) if finished.exit.success() => Ok(Installed { home }),
        (Ok(finished), _) => Err(of_exit(finished.exit)),
        (Err(RunError::Stopped), _) => Err(Error::Interrupted),
        (Err(error), _) => Err(error.into()),
    }
}

/// The installer's exit codes, as its README lists them.
fn of_exit(exit: Exit) -> Error {
    match exit {
        Exit::Code(2) => Error::WrongUsage,
        Exit::Code(3 | 4) => Error::Machine,
        other => Error::NotMade {
            how: other.to_string(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_given_is_said() {
        assert_eq!(Installation::default().arguments(), [""; 0]);
        let all = Installation {
            to: Some("/opt/kit".into()),
            jdk: Some("/jdk".into()),
            from: Some("/graalvm".into()),
            force: true,
        };
        let said = "--jdk /jdk --to /opt/kit --from /graalvm --force";
        assert_eq!(all.arguments().join(" "), said);
    }

    #[test]
    fn what_the_installer_refuses_is_an_error_with_its_own_words_above() {
        let nowhere = Installation {
            jdk: Some("/nonexistent/jdk".into()),
            ..Installation::default()
        };
        let mut shown = Vec::new();
        let error = install(&nowhere, &AtomicBool::new(false), &mut |line| {
            shown.push(line.to_owned());
        })
        .unwrap_err();
        assert!(matches!(error, Error::WrongUsage), "{error}");
        assert!(shown.concat().contains("/nonexistent/jdk"), "{shown:?}");
    }
}
