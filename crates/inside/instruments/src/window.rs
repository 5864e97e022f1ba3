//! A time during which the agent is in a JVM.

use crate::error::InstrumentError;
use crate::own;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tacho_attach::Jvm;
use tacho_diagnosis::live::Ended;
use tacho_jvm_agent::{Agent, Begun, MethodPattern, NotProbed, Removed};

const LOOK: Duration = Duration::from_millis(50);
const HINT: &str = "a name is the whole one with its package, * is any text, --subtypes looks for what extends or implements it";

/// The JVM, and for how long it is looked into.
#[derive(Debug, Clone, Copy)]
pub struct Target<'t> {
    /// A HotSpot JVM of JDK 8 to 25.
    pub pid: u32,
    /// Unless it is ended sooner.
    pub duration: Duration,
    /// The application's own packages; else those of what the JVM was started with.
    pub own: &'t [String],
    /// Ends it sooner.
    pub stop: &'t AtomicBool,
}

impl Target<'_> {
    pub(crate) fn is_ended(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits until the time is over, the user has seen enough, or the JVM has ended.
    pub(crate) fn wait(&self, time: Duration, jvm: &Jvm) {
        let begin = Instant::now();
        while begin.elapsed() < time && !self.is_ended() && jvm.is_alive() {
            std::thread::sleep(LOOK.min(time.saturating_sub(begin.elapsed())));
        }
    }
}

/// The agent in the JVM, until it is taken out.
pub(crate) struct Window<'t> {
    pub agent: Agent,
    pub own: Vec<String>,
    pub target: Target<'t>,
    notes: Vec<String>,
}

impl<'t> Window<'t> {
    /// Puts the agent in.
    pub fn open(target: Target<'t>) -> Result<Self, InstrumentError> {
        let agent = Agent::attach(target.pid, &std::env::temp_dir())?;
        let mut notes = Vec::new();
        let own = own::chosen(target.own, agent.jvm(), &mut notes)?;
        Ok(Self {
            agent,
            own,
            target,
            notes,
        })
    }

    /// Notes what could not be instrumented.
    pub fn note(&mut self, begun: &Begun) {
        self.notes.extend(begun.refused.iter().map(left_out));
    }

    /// Notes what has matched nothing; tells it where it may yet come, for it may be mistyped. An
    /// error when that is all there is, and no class that comes later can change it.
    pub fn note_unmatched(
        &mut self,
        begun: &Begun,
        wanted: &[MethodPattern],
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), InstrumentError> {
        if let Some((note, waits)) = unmatched(begun, wanted)? {
            if waits {
                tell(&note);
            }
            self.notes.push(note);
        }
        Ok(())
    }

    /// Waits until the time is over or the user has seen enough.
    pub fn wait(&self, time: Duration) {
        self.target.wait(time, self.agent.jvm());
    }

    /// Takes the instrument out, and says how that went.
    pub fn close(self) -> Result<Ended, InstrumentError> {
        let interrupted = self.target.is_ended();
        let removed = self.agent.end()?;
        let mut notes = self.notes;
        notes.extend(remarks(&removed, self.target.pid));
        Ok(Ended {
            classes: removed.classes,
            as_before: removed.as_before + removed.unloaded,
            clean: removed.is_clean(),
            notes,
            interrupted,
        })
    }
}

fn left_out(refused: &NotProbed) -> String {
    format!("{} is left out: {}", refused.what, refused.why)
}

/// What is to be known of patterns without a method, and whether a class may yet have one.
fn unmatched(
    begun: &Begun,
    wanted: &[MethodPattern],
) -> Result<Option<(String, bool)>, InstrumentError> {
    if begun.unmatched.is_empty() {
        return Ok(None);
    }
    let name = |pattern: &MethodPattern| format!("{}.{}", pattern.class, pattern.methods[0]);
    let names = |ids: &[String]| {
        let named = wanted.iter().map(name).filter(|name| ids.contains(name));
        named.collect::<Vec<_>>().join(", ")
    };
    let what = format!("no loaded class has a method {}", names(&begun.unmatched));
    match (begun.methods, begun.awaited.is_empty()) {
        (0, true) => Err(InstrumentError::NoSuchMethod {
            what,
            reasons: begun.refused.iter().map(left_out).collect(),
        }),
        (_, true) => Ok(Some((format!("{what}; {HINT}"), false))),
        (_, false) => {
            let awaited = names(&begun.awaited);
            let note = format!(
                "{what}; {awaited} is instrumented when a class comes that has it ({HINT})"
            );
            Ok(Some((note, true)))
        }
    }
}

fn remarks(removed: &Removed, pid: u32) -> Vec<String> {
    let not_as_before = |left: &NotProbed| {
        format!(
            "{} is not as before: {}; restart process {pid} to be sure",
            left.what, left.why
        )
    };
    let mut remarks: Vec<String> = removed.left.iter().map(not_as_before).collect();
    if !removed.changed_by_others.is_empty() {
        remarks.push(format!(
            "another agent has changed meanwhile: {}",
            removed.changed_by_others.join(", ")
        ));
    }
    remarks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begun(methods: u32, awaited: &[&str]) -> Begun {
        Begun {
            methods,
            unmatched: vec!["a.Shop.find".to_owned()],
            awaited: awaited.iter().map(|id| (*id).to_owned()).collect(),
            refused: vec![NotProbed {
                what: "a.Shop".to_owned(),
                why: "it is an interface".to_owned(),
            }],
            ..Begun::default()
        }
    }

    #[test]
    fn what_no_class_can_have_is_an_error_and_what_may_come_is_said_at_once() {
        let wanted = [MethodPattern::of("a.Shop", &["find"])];
        let error = unmatched(&begun(0, &[]), &wanted).unwrap_err().to_string();
        assert!(
            error.contains("a.Shop.find; a.Shop is left out: it is an interface"),
            "{error}"
        );
        let (note, is_awaited) = unmatched(&begun(1, &[]), &wanted).unwrap().unwrap();
        assert!(
            !is_awaited && note.contains("a.Shop.find; a name is"),
            "{note}"
        );
        let (note, is_awaited) = unmatched(&begun(0, &["a.Shop.find"]), &wanted)
            .unwrap()
            .unwrap();
        assert!(
            is_awaited && note.contains("a.Shop.find is instrumented when"),
            "{note}"
        );
        let all = Begun::default();
        assert_eq!(unmatched(&all, &wanted).unwrap(), None);
    }

    #[test]
    fn whoever_has_changed_a_class_meanwhile_is_told() {
        let removed = Removed {
            left: vec![NotProbed {
                what: "a.Shop".to_owned(),
                why: "refused".to_owned(),
            }],
            changed_by_others: vec!["a.Cart".to_owned()],
            ..Removed::default()
        };
        assert_eq!(
            remarks(&removed, 7),
            [
                "a.Shop is not as before: refused; restart process 7 to be sure",
                "another agent has changed meanwhile: a.Cart"
            ]
        );
    }
}
