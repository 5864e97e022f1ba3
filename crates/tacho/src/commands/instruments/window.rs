//! A time during which an instrument is in a JVM.

use super::arguments::Common;
use super::own;
use crate::error::Error;
use crate::exit::Exit;
use crate::signals::stop_on_signals;
use serde::Serialize;
use std::time::{Duration, Instant};
use tacho_attach::Jvm;
use tacho_jvm_agent::{Agent, Begun, MethodPattern, Removed};
use tacho_runner::Stop;

const LOOK: Duration = Duration::from_millis(50);

/// The agent in the JVM, until it is taken out.
pub struct Window {
    pub agent: Agent,
    pub own: Vec<String>,
    pub stop: Stop,
    pid: u32,
    /// Something to know, for standard error and for the JSON.
    pub notes: Vec<String>,
}

/// How a window ended.
#[derive(Debug, Serialize)]
pub struct Ended {
    /// Classes that had been instrumented.
    pub classes: u32,
    /// Of them those that are byte for byte what they were, or are no longer there.
    pub as_before: u32,
    /// Nothing of the agent is left in any.
    pub clean: bool,
    /// What is to be known of it.
    pub notes: Vec<String>,
    /// By the user, before the time was over.
    pub interrupted: bool,
}

impl Window {
    /// Puts the agent in.
    pub fn open(common: &Common) -> Result<Self, Error> {
        // Before anybody can know that there is something to take out.
        let stop = stop_on_signals()?;
        let agent = Agent::attach(common.pid, &std::env::temp_dir())?;
        let mut notes = Vec::new();
        let own = own::chosen(common, agent.jvm(), &mut notes)?;
        Ok(Self {
            agent,
            own,
            stop,
            pid: common.pid,
            notes,
        })
    }

    /// Says what could not be instrumented. When nothing at all could be, that is said as an error by [`Window::has_begun`].
    pub fn note(&mut self, begun: &Begun) {
        for refused in &begun.refused {
            self.notes
                .push(format!("{} is left out: {}", refused.what, refused.why));
        }
    }

    /// Says what has matched nothing. An error when that is all there is, and no class that comes later can change it.
    pub fn note_unmatched(&mut self, begun: &Begun, wanted: &[MethodPattern]) -> Result<(), Error> {
        let names = |ids: &[String]| {
            let wanted = wanted
                .iter()
                .map(|pattern| format!("{}.{}", pattern.class, pattern.methods[0]));
            wanted
                .filter(|name| ids.contains(name))
                .collect::<Vec<_>>()
                .join(", ")
        };
        if begun.unmatched.is_empty() {
            return Ok(());
        }
        let what = format!("no loaded class has a method {}", names(&begun.unmatched));
        if begun.methods == 0 && begun.awaited.is_empty() {
            let reasons = begun.refused.iter();
            let reasons =
                reasons.map(|refused| format!("{} is left out: {}", refused.what, refused.why));
            return Err(Error::NoSuchMethod {
                what,
                reasons: reasons.collect(),
            });
        }
        let hint = "a name is the whole one with its package, * is any text, --subtypes looks for what extends or implements it";
        if begun.awaited.is_empty() {
            self.notes.push(format!("{what}; {hint}"));
        } else {
            let waits = format!(
                "{what}; {} is instrumented when a class comes that has it ({hint})",
                names(&begun.awaited)
            );
            // At once: whoever has mistyped it need not wait.
            anstream::eprintln!("note: {waits}");
            self.notes.push(waits);
        }
        Ok(())
    }

    /// Waits until the time is over or the user has seen enough.
    pub fn wait(&self, time: Duration) {
        wait(time, &self.stop, self.agent.jvm());
    }

    /// Takes the instrument out, and says how that went.
    pub fn close(self) -> Result<Ended, Error> {
        let interrupted = self.stop.is_set();
        let removed = self.agent.end()?;
        let mut notes = self.notes;
        notes.extend(remarks(&removed, self.pid));
        Ok(Ended {
            classes: removed.classes,
            as_before: removed.as_before + removed.unloaded,
            clean: removed.is_clean(),
            notes,
            interrupted,
        })
    }
}

fn remarks(removed: &Removed, pid: u32) -> Vec<String> {
    let mut remarks: Vec<String> = removed
        .left
        .iter()
        .map(|left| {
            format!(
                "{} is not as before: {}; restart process {pid} to be sure",
                left.what, left.why
            )
        })
        .collect();
    if !removed.changed_by_others.is_empty() {
        remarks.push(format!(
            "another agent has changed meanwhile: {}",
            removed.changed_by_others.join(", ")
        ));
    }
    remarks
}

/// Waits until the time is over, the user has seen enough, or there is nobody to be looked into any more.
pub fn wait(time: Duration, stop: &Stop, jvm: &Jvm) {
    let begin = Instant::now();
    while begin.elapsed() < time && !stop.is_set() && jvm.is_alive() {
        std::thread::sleep(LOOK.min(time.saturating_sub(begin.elapsed())));
    }
}

impl Ended {
    /// The last lines of a summary.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for note in &self.notes {
            text += &format!("note: {note}\n");
        }
        text += &match (self.classes, self.clean) {
            (0, _) => "Nothing was instrumented.\n".to_owned(),
            (classes, true) if classes == self.as_before => {
                format!("The instruments are out: {classes} classes are as they were before.\n")
            }
            (classes, true) => format!(
                "The instruments are out of all {classes} classes; {} are as they were before.\n",
                self.as_before
            ),
            (classes, false) => format!(
                "The instruments could not be taken out of all {classes} classes; see above.\n"
            ),
        };
        text
    }

    /// How the program ends: wrong usage when what was named has not come.
    pub fn exit(&self) -> Exit {
        match (self.interrupted, self.classes) {
            (true, _) => Exit::Interrupted,
            (false, 0) => Exit::Usage,
            (false, _) => Exit::Done,
        }
    }
}
