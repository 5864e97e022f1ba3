//! The company that a subject needs: processes beside the launches, outside of their limits.
//!
//! ```text
//! begin      those that stay for the whole run, before anything is launched
//! gather     before each launch: what is not there, and what has ended since
//! load_began what they use counts from here
//! ended      one is gone that should not be: the launch says nothing
//! disperse   after each launch: those that it had for itself
//! drop       all, however the run ends
//! ```
//!
//! Those that the user has named are looked at and never ended.

use crate::error::RunError;
use crate::session::{Halt, Readiness, StartSpec, Subject, Terms};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tacho_experiment::{CompanionSpec, Experiment, limits};
use tacho_launch::ready::{Condition, NotReady, Why};
use tacho_observe::process;
use tacho_run_folder::{CompanionRecord, FolderError, LaunchOutcome, RunFolder, TimeLine};

/// What a companion gets between SIGTERM and SIGKILL: a database writes what it has.
const GRACE: Duration = Duration::from_secs(5);

/// Lines of its output that an error shows.
const LAST_LINES: usize = 10;

/// All companions of a run. Dropping it ends those that it has started.
#[derive(Default)]
pub struct Company {
    /// PIDs of companions that run already. They are never ended.
    running: Vec<u32>,
    /// To be started, in this order.
    members: Vec<Member>,
    state: Mutex<State>,
}

/// One that is started.
struct Member {
    name: String,
    fresh: bool,
    start: StartSpec,
}

#[derive(Default)]
struct State {
    here: Vec<Here>,
    /// How often each member has been started.
    starts: Vec<u32>,
}

/// One that was started.
struct Here {
    member: usize,
    subject: Box<dyn Subject>,
    starts: u32,
    ready_ms: Option<f64>,
    /// Its processor time when the load began.
    before_cpu_s: Option<f64>,
    /// How and when it ended, once that was noticed.
    ended: Option<String>,
}

impl Company {
    /// The companions of an experiment. Those that stay for the whole run write their logs into the
    /// run folder.
    pub fn of(experiment: &Experiment, base: &Path, folder: &RunFolder) -> Result<Self, RunError> {
        let logs = folder.path().join("companions");
        if experiment.companions.iter().any(|spec| !spec.fresh) {
            tacho_files::create_folder(&logs).map_err(|e| FolderError::io(&logs, e))?;
        }
        let members = experiment.companions.iter();
        let members: Vec<Member> = members
            .map(|spec| Member::of(spec, base, &logs))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            running: experiment.running_companions.clone(),
            state: Mutex::new(State {
                starts: vec![0; members.len()],
                here: Vec::new(),
            }),
            members,
        })
    }

    /// Starts what stays for the whole run.
    pub fn begin(&self, terms: Terms<'_>) -> Result<(), Halt> {
        self.start(terms, |member| {
            (!member.fresh).then(|| member.start.clone())
        })
    }

    /// Starts the companions that are not running, including any that have ended since. `log` is
    /// the log of the launch.
    pub fn gather(&self, terms: Terms<'_>, log: &Path) -> Result<(), Halt> {
        self.start(terms, |member| {
            let mut start = member.start.clone();
            if member.fresh {
                start.log = log.with_file_name(format!("companion-{}.txt", member.name));
            }
            Some(start)
        })
    }

    fn start(
        &self,
        terms: Terms<'_>,
        wanted: impl Fn(&Member) -> Option<StartSpec>,
    ) -> Result<(), Halt> {
        let mut state = self.state();
        state.forget_ended();
        for (at, member) in self.members.iter().enumerate() {
            let Some(start) = wanted(member).filter(|_| !state.has(at)) else {
                continue;
            };
            let starts = state.starts[at] + 1;
            state.starts[at] = starts;
            let start = StartSpec {
                // A control group of its own each time.
                name: format!("companion-{}-{starts}", member.name),
                ..start
            };
            let (subject, time_line) = member.ready(terms, &start)?;
            state.here.push(Here {
                member: at,
                subject,
                starts,
                ready_ms: time_line.ready_ms,
                before_cpu_s: None,
                ended: None,
            });
        }
        Ok(())
    }

    /// Processor time of all of them so far.
    pub fn cpu_s(&self) -> f64 {
        let started = self.state().here.iter().map(Here::cpu_s).sum::<f64>();
        started + process::trees_cpu_s(&self.running)
    }

    /// From now on what each uses is the launch's.
    pub fn load_began(&self) {
        for here in &mut self.state().here {
            here.before_cpu_s = Some(here.cpu_s());
        }
    }

    /// The companions that were started, with the processor time that they used since the load
    /// began.
    pub fn records(&self) -> Vec<CompanionRecord> {
        let record = |here: &Here| {
            let member = &self.members[here.member];
            let used = here.before_cpu_s.map(|before| here.cpu_s() - before);
            CompanionRecord {
                name: member.name.clone(),
                fresh: member.fresh,
                starts: here.starts,
                ready_ms: here.ready_ms,
                cpu_s: used.unwrap_or_default().max(0.0),
                ended: here.ended.clone(),
            }
        };
        self.state().here.iter().map(record).collect()
    }

    /// Whether one has ended that was started.
    pub fn has_lost_one(&self) -> bool {
        let mut state = self.state();
        state.here.iter_mut().any(|here| here.has_ended())
    }

    /// The outcome of a launch that lost a companion. `when` completes `it ended ...`. `None` when
    /// all companions are still there.
    pub fn ended(&self, when: &str) -> Option<LaunchOutcome> {
        let mut state = self.state();
        let lost = state.here.iter_mut().find_map(|here| {
            let exit = here.subject.exit_within(Duration::ZERO)?;
            let how = here.ended.get_or_insert_with(|| format!("{exit} {when}"));
            let how = how.clone();
            Some((here.member, how, here.subject.evidence().last_log_lines))
        });
        let (member, how, said) = lost?;
        let Member { name, fresh, .. } = &self.members[member];
        let mut reason = format!(
            "companion {name} {how}: what the subject does without it is not what was to be measured"
        );
        if !fresh {
            reason += "; it is started again for the next launch";
        }
        if let Some(line) = said.last() {
            reason += &format!(". Its output ended with: {line}");
        }
        Some(LaunchOutcome::Invalid { reason })
    }

    /// Ends what the launch had for itself.
    pub fn disperse(&self) {
        let mut state = self.state();
        state.end(|here| self.members[here.member].fresh);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A panic of another thread does no harm: the state is only a list of processes.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Company {
    fn drop(&mut self) {
        self.state().end(|_| true);
    }
}

impl State {
    fn has(&self, member: usize) -> bool {
        self.here.iter().any(|here| here.member == member)
    }

    /// Drops companions that have ended, and ends what they left in their process groups.
    fn forget_ended(&mut self) {
        self.end(Here::has_ended);
    }

    /// Ends companions in the reverse order of their start, since a later one may need an earlier
    /// one.
    fn end(&mut self, which: impl Fn(&mut Here) -> bool) {
        for at in (0..self.here.len()).rev() {
            if which(&mut self.here[at]) {
                // What does not die of SIGKILL is named by the next command.
                let _ = self.here.remove(at).subject.end(GRACE);
            }
        }
    }
}

impl Here {
    fn has_ended(&mut self) -> bool {
        self.subject.exit_within(Duration::ZERO).is_some()
    }

    fn cpu_s(&self) -> f64 {
        let of_tree = || process::trees_cpu_s(&self.subject.pids());
        self.subject.cpu_s().unwrap_or_else(of_tree)
    }
}

impl Member {
    fn of(spec: &CompanionSpec, base: &Path, logs: &Path) -> Result<Self, RunError> {
        let log = logs.join(format!("{}.txt", spec.name));
        let readiness =
            Readiness::of(&spec.ready, None).map_err(|error| RunError::CompanionNotReady {
                name: spec.name.clone(),
                why: format!("`ready: log` is no regular expression: {error}"),
                said: String::new(),
                log: log.clone(),
            })?;
        Ok(Self {
            name: spec.name.clone(),
            fresh: spec.fresh,
            start: StartSpec {
                name: spec.name.clone(),
                variant: String::new(),
                image: None,
                command: spec.command.clone(),
                directory: spec
                    .directory
                    .as_ref()
                    .map_or_else(|| base.to_owned(), |directory| base.join(directory)),
                environment: spec.environment.clone(),
                limits: limits::none(),
                log,
                readiness: Readiness {
                    port: spec.port,
                    ..readiness
                },
                observation: None,
                longest: Duration::ZERO,
            },
        })
    }

    /// Starts it and waits until it is ready.
    fn ready(
        &self,
        terms: Terms<'_>,
        start: &StartSpec,
    ) -> Result<(Box<dyn Subject>, TimeLine), Halt> {
        let failed = |why: String, said: &[String]| {
            let first = said.len().saturating_sub(LAST_LINES);
            Halt::from(RunError::CompanionNotReady {
                name: self.name.clone(),
                why,
                said: said[first..].join("\n"),
                log: start.log.clone(),
            })
        };
        let started = terms.place.start_companion(start);
        let mut subject = started.map_err(|outcome| match outcome {
            LaunchOutcome::Failed { message, .. } => failed(message, &[]),
            other => Halt::Outcome(other),
        })?;
        let found = match &start.readiness.condition {
            Condition::Log(pattern) => {
                subject.until_line(pattern, start.readiness.timeout, terms.stop)
            }
            _ => {
                let ready = subject.until_ready(&start.readiness, terms.stop);
                ready.map(|ready| ready.time_line)
            }
        };
        match found {
            Ok(time_line) => Ok((subject, time_line)),
            Err(not_ready) => {
                let said = subject.evidence().last_log_lines;
                let _ = subject.end(GRACE);
                match not_ready.why {
                    Why::Stopped => Err(LaunchOutcome::Interrupted.into()),
                    _ => Err(failed(explained(&not_ready), &said)),
                }
            }
        }
    }
}

/// Why it did not become ready, with the way out.
fn explained(not_ready: &NotReady) -> String {
    let way_out = match not_ready.why {
        Why::Ended(_) => "; a companion stays in the foreground",
        Why::TimedOut(_) if !not_ready.was_stopped => {
            "; give it longer with `ready: {timeout: ...}`, or say what ready means with `http`, `log` or `port`"
        }
        _ => "",
    };
    format!("{not_ready}{way_out}")
}

/// No companions.
#[cfg(test)]
pub static NOBODY: std::sync::LazyLock<Company> = std::sync::LazyLock::new(Company::default);
