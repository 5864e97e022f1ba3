//! The time during which the agent is in a JVM.

use crate::error::InstrumentError;
use crate::near;
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
    /// Whether to wait for a class that is loaded later, when no loaded class matches. If false,
    /// that no class matches is reported, and the instrument ends.
    pub waits: bool,
}

impl Target<'_> {
    pub(crate) fn is_ended(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits until the time is over, the user interrupts, or the JVM has ended.
    pub(crate) fn wait(&self, time: Duration, jvm: &Jvm) {
        let begin = Instant::now();
        while begin.elapsed() < time && !self.is_ended() && jvm.is_alive() {
            std::thread::sleep(LOOK.min(time.saturating_sub(begin.elapsed())));
        }
    }
}

/// The agent in the JVM, until it is removed.
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

    /// Notes calls that a trace had no room for, by root.
    pub fn note_not_counted(&mut self, calls: &[(String, u64)]) {
        self.notes.extend(calls.iter().map(not_counted));
    }

    /// Notes that calls were too slow for the search of the levels.
    pub fn note_levels_not_seen(&mut self, not_seen: u8, levels: u8) {
        if not_seen > 0 {
            self.notes.push(format!(
                "no call ended in time to look for {not_seen} of {levels} levels below; with more time (-d) they are found"
            ));
        }
    }

    /// Notes patterns that match nothing. Tells the user at once if a matching class may still be
    /// loaded, because the name may be mistyped. If no pattern matches, it is an error that
    /// suggests similar names, unless the user wants to wait for such a class.
    pub fn note_unmatched(
        &mut self,
        begun: &Begun,
        wanted: &[MethodPattern],
        tell: &mut dyn FnMut(&str),
    ) -> Result<(), InstrumentError> {
        match unmatched(begun, wanted, self.target.waits) {
            Unmatched::Nothing => Ok(()),
            Unmatched::Noted { note, may_come } => {
                if may_come {
                    tell(&note);
                }
                self.notes.push(note);
                Ok(())
            }
            Unmatched::All { what } => {
                // Listing all classes is expensive, so do it only after a wrong name.
                let loaded = self.agent.classes()?;
                Err(InstrumentError::NoSuchMethod {
                    what,
                    reasons: begun.refused.iter().map(left_out).collect(),
                    near: near::hints(begun, wanted, &loaded),
                })
            }
        }
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

fn not_counted((root, calls): &(String, u64)) -> String {
    let (calls, are) = match calls {
        1 => ("1 call".to_owned(), "is"),
        many => (format!("{many} calls"), "are"),
    };
    format!(
        "{calls} of {root} {are} not counted: too many threads were in it at once, or it has too many places"
    )
}

/// Patterns that match no method.
#[derive(Debug, PartialEq, Eq)]
enum Unmatched {
    /// Every pattern matches a method.
    Nothing,
    /// Some do not; a note says so, and the work goes on.
    Noted {
        note: String,
        /// A class that matches may still be loaded.
        may_come: bool,
    },
    /// None matches, and there is nothing to wait for.
    All { what: String },
}

fn unmatched(begun: &Begun, wanted: &[MethodPattern], waits: bool) -> Unmatched {
    if begun.unmatched.is_empty() {
        return Unmatched::Nothing;
    }
    let names = |ids: &[String]| {
        let named = wanted.iter().map(near::name);
        let named: Vec<String> = named.filter(|name| ids.contains(name)).collect();
        named.join(", ")
    };
    let what = format!("no loaded class has a method {}", names(&begun.unmatched));
    let may_come = !begun.awaited.is_empty();
    if begun.methods == 0 && !(waits && may_come) {
        return Unmatched::All { what };
    }
    let note = match may_come {
        false => format!("{what}; {HINT}"),
        true => format!(
            "{what}; {} is instrumented when a class comes that has it ({HINT})",
            names(&begun.awaited)
        ),
    };
    Unmatched::Noted { note, may_come }
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
    fn what_is_not_there_ends_it_unless_it_is_waited_for_and_may_come() {
        let wanted = [MethodPattern::of("a.Shop", &["find"])];
        let told =
            |methods, awaited: &[&str], waits| unmatched(&begun(methods, awaited), &wanted, waits);
        let ends = Unmatched::All {
            what: "no loaded class has a method a.Shop.find".to_owned(),
        };
        assert_eq!(told(0, &[], false), ends);
        assert_eq!(told(0, &["a.Shop.find"], false), ends);
        // The class is there, and gets no other methods.
        assert_eq!(told(0, &[], true), ends);
        let noted = |told| match told {
            Unmatched::Noted { note, may_come } => (note, may_come),
            other => panic!("{other:?}"),
        };
        let (note, may_come) = noted(told(0, &["a.Shop.find"], true));
        assert!(
            may_come && note.contains("a.Shop.find is instrumented when"),
            "{note}"
        );
        // Another is there: this one is only said.
        let (note, may_come) = noted(told(1, &[], false));
        assert!(
            !may_come && note.contains("a.Shop.find; a name is"),
            "{note}"
        );
        let all = unmatched(&Begun::default(), &wanted, false);
        assert_eq!(all, Unmatched::Nothing);
    }

    #[test]
    fn calls_without_room_are_told() {
        let told = |calls| not_counted(&("a.Shop.find".to_owned(), calls));
        assert!(told(12).starts_with("12 calls of a.Shop.find are not counted: too many threads"));
        assert!(told(1).starts_with("1 call of a.Shop.find is not counted: "));
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
