//! What a run tells while it goes on. Whoever shows it decides how.

use std::time::Duration;
use tacho_load::Control;
use tacho_run_folder::{LaunchRecord, PhasePlan, Plan, PreparedVariant};

/// What has just happened in a run, for whoever shows it.
#[derive(Debug)]
pub enum Event<'a> {
    /// A step began that may take long: `building labs/app`, `training the AOT cache`.
    Working {
        /// For people, beginning with a verb.
        what: &'a str,
    },
    /// A variant can be launched.
    Prepared {
        /// The variant, with how it was made.
        variant: &'a PreparedVariant,
    },
    /// A variant is left out, or something was assumed.
    Note {
        /// What it is, in one sentence.
        text: &'a str,
    },
    /// A search tries limits.
    Trying {
        /// Name of the limits.
        limits: &'a str,
        /// How many trials may still come, this one among them.
        left: u32,
        /// How long they take, as far as trials before say.
        time: Option<Duration>,
    },
    /// The plan is made; launches begin.
    Planned {
        /// The plan, as it is in the run folder.
        plan: &'a Plan,
    },
    /// A launch begins.
    LaunchBegan {
        /// Its place in the order of execution, counted from 1.
        number: u32,
        /// Launches in all.
        of: usize,
        /// Id of the cell that is launched.
        cell: &'a str,
    },
    /// A phase begins.
    PhaseBegan {
        /// The phase as it is planned.
        phase: &'a PhasePlan,
        /// Its counters, while they count.
        control: &'a Control,
    },
    /// A phase ended.
    PhaseEnded,
    /// A launch ended.
    LaunchEnded {
        /// How it went, as it is in the run folder.
        record: &'a LaunchRecord,
        /// Estimate for all that is left.
        left: Left,
    },
}

/// How long it goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Left {
    /// Nothing at the end, and where nobody knows.
    pub time: Duration,
    /// It may well be over sooner.
    pub is_at_most: bool,
}

/// Takes events. Called on the thread that runs the plan: it must be quick.
pub trait Listener {
    /// Shows, logs or drops an event.
    fn event(&mut self, event: Event<'_>);
}

/// A listener that ignores everything.
#[derive(Debug, Default, Clone, Copy)]
pub struct Silent;

impl Listener for Silent {
    fn event(&mut self, _: Event<'_>) {}
}
