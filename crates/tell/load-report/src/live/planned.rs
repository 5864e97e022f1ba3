//! What is planned for the phase that goes on.

use tacho_run_folder::ScheduleSpec;

/// A phase as the view needs it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PhaseView {
    /// Label of the phase in the plan.
    pub label: String,
    /// How long it is to be, in seconds; `None` when its length is a number of requests.
    pub duration_s: Option<f64>,
    /// How many requests it is to send; `None` when its length is a time.
    pub requests: Option<u64>,
    /// When it sends them.
    pub pace: Pace,
    /// Requests that can be under way at the same time; 0 when it sends nothing.
    pub connections: u32,
    /// The search of which it is a part.
    pub search: Option<SearchView>,
    /// How long the phases after it are to be, in seconds; `None` when there are none, or that is
    /// not known.
    pub then_s: Option<f64>,
}

/// When requests are sent.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Pace {
    /// When there is an answer.
    #[default]
    Closed,
    /// Requests a second.
    Constant(f64),
    /// As a schedule says.
    Scheduled(ScheduleSpec),
}

/// How far a search has come.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearchView {
    /// As the user wrote it.
    pub objective: String,
    /// The trial that goes on, or that is rested for, from 1.
    pub trial: u32,
    /// How many take place when all goes as it should.
    pub usual_trials: u32,
    /// The highest rate at which the objective held so far.
    pub holds_at: Option<f64>,
    /// The lowest at which it did not.
    pub fails_at: Option<f64>,
}

impl PhaseView {
    /// Requests a second that are asked for at an instant of the phase.
    #[must_use]
    pub fn intended_rate(&self, second: f64) -> Option<f64> {
        match &self.pace {
            Pace::Closed => None,
            Pace::Constant(rate) => Some(*rate),
            Pace::Scheduled(schedule) => schedule.rate_at(second),
        }
    }

    /// Nothing is sent in it.
    #[must_use]
    pub fn is_rest(&self) -> bool {
        self.connections == 0
    }
}
