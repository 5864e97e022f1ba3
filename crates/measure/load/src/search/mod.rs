//! Which rate next: an adaptive search for the highest rate at which an objective holds.
//!
//! ```
//! use tacho_load::search::{Search, SearchPlan, TrialOutcome};
//! let mut search = Search::new(SearchPlan::new(100.0, 20_000.0)?);
//! while let Some(trial) = search.next() {
//!     // Rest for `trial.rest`, then load the subject at `trial.rate`.
//!     let held = trial.rate <= 1_234.0;
//!     search.observe(if held { TrialOutcome::Held } else { TrialOutcome::Failed });
//! }
//! let found = search.result().ok_or("still searching")?;
//! assert!(found.confirmed && found.rate.is_some_and(|rate| rate > 1_170.0 && rate <= 1_234.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A pure state machine: it knows no clock, no socket and no subject, and is fed with outcomes.
//!
//! # How
//! 1. **Explore.** From the lowest rate, each twice the one before, until one fails; then halving
//!    between the highest that held and the lowest that failed, on a logarithmic scale, until they
//!    are no further apart than the tolerance. That is the search for an unbounded maximum by
//!    Bentley and Yao (1976).
//! 2. **Challenge.** One failure may be an accident: a pause of the collector, a neighbour. So the
//!    failure that bounds the search from above is tried again before it is believed, best of
//!    three. When it was an accident, the search goes on above it.
//! 3. **Confirm.** One success may be an accident too, and a search picks the lucky ones. So the
//!    candidate has to hold in a number of further trials, one after another. When one fails, the
//!    candidate has failed for good, and the search goes on below it.
//!
//! The errors are not alike: a rate that is stated too low costs a few percent of a machine, one
//! that is stated too high is an outage. So a failure in the confirmation is not discussed.
//!
//! # Overload leaves traces
//! A subject that was overloaded is not at once what it was: a queue has to be emptied, garbage
//! collected, connections opened anew. So each trial says how long to rest before it: as long as
//! the plan says after a trial that did not hold, not at all after one that did.

mod evidence;
mod found;
mod judge;
mod plan;

pub use found::Found;
pub use judge::judge;
pub use plan::{SearchError, SearchPlan};
pub use tacho_run_folder::SearchEnd as End;
pub use tacho_run_folder::{TrialKind, TrialOutcome};

use evidence::{Evidence, Standing};
use std::time::Duration;

/// What is to be tried next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Trial {
    /// Its place among the trials, counted from 1.
    pub number: u32,
    /// Requests a second.
    pub rate: f64,
    /// Whether it looks for the limit or confirms it.
    pub kind: TrialKind,
    /// To rest before it, without sending anything.
    pub rest: Duration,
}

/// The search: asks for trials until it knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Search {
    plan: SearchPlan,
    /// By rate, ascending, each rate once.
    tried: Vec<Evidence>,
    trials: u32,
    last: Option<TrialOutcome>,
}

/// What follows from the evidence.
enum Step {
    Try(f64, TrialKind),
    Done(End),
}

impl Search {
    /// Nothing is known yet.
    #[must_use]
    pub fn new(plan: SearchPlan) -> Self {
        Self {
            plan,
            tried: Vec::new(),
            trials: 0,
            last: None,
        }
    }

    /// The trial to carry out and to report by [`Self::observe`]; the same until then. `None` when
    /// the search is over.
    #[must_use]
    pub fn next(&self) -> Option<Trial> {
        let Step::Try(rate, kind) = self.step() else {
            return None;
        };
        let rest = match self.last {
            None | Some(TrialOutcome::Held) => Duration::ZERO,
            Some(_) => self.plan.rest,
        };
        Some(Trial {
            number: self.trials + 1,
            rate,
            kind,
            rest,
        })
    }

    /// What became of the trial that [`Self::next`] asked for. When the search is over it changes
    /// nothing.
    pub fn observe(&mut self, outcome: TrialOutcome) {
        let Step::Try(rate, kind) = self.step() else {
            return;
        };
        self.trials += 1;
        self.last = Some(outcome);
        let place = self.tried.partition_point(|tried| tried.rate < rate);
        if self.tried.get(place).is_none_or(|tried| tried.rate > rate) {
            self.tried.insert(place, Evidence::none_of(rate));
        }
        self.tried[place].add(kind, outcome);
    }

    /// What was found, once [`Self::next`] has nothing more to ask.
    #[must_use]
    pub fn result(&self) -> Option<Found> {
        let Step::Done(end) = self.step() else {
            return None;
        };
        let holding = self.highest_holding();
        Some(Found {
            rate: holding.map(|tried| tried.rate),
            confirmed: holding.is_some_and(|tried| tried.confirmations >= self.plan.confirmations),
            lowest_failing: self.barrier().map(|tried| tried.rate),
            trials: self.trials,
            end,
        })
    }

    /// What is known so far: the highest rate that held below any that did not, confirmed or not.
    #[must_use]
    pub fn so_far(&self) -> Option<f64> {
        self.highest_holding().map(|tried| tried.rate)
    }

    /// The lowest rate that does not hold, for whatever reason.
    fn barrier(&self) -> Option<&Evidence> {
        self.tried
            .iter()
            .find(|tried| tried.standing() != Standing::Holds)
    }

    /// The highest rate that holds below the barrier.
    fn highest_holding(&self) -> Option<&Evidence> {
        self.tried
            .iter()
            .take_while(|tried| tried.standing() == Standing::Holds)
            .last()
    }

    fn step(&self) -> Step {
        if self.trials >= self.plan.most_trials {
            return Step::Done(End::TrialsUsedUp);
        }
        match (self.highest_holding(), self.barrier()) {
            (None, None) => Step::Try(self.plan.lowest, TrialKind::Explore),
            (Some(holding), None) => self.upwards(holding),
            (None, Some(barrier)) => match barrier.standing() {
                Standing::Fails => Step::Done(End::NeverHeld),
                Standing::Limited => Step::Done(End::GeneratorLimited),
                _ => Step::Try(barrier.rate, TrialKind::Explore),
            },
            (Some(holding), Some(barrier)) => self.between(holding, barrier),
        }
    }

    fn upwards(&self, holding: &Evidence) -> Step {
        if holding.rate < self.plan.highest {
            let rate = (holding.rate * self.plan.growth).min(self.plan.highest);
            Step::Try(rate, TrialKind::Explore)
        } else {
            self.confirm(holding, End::HighestReached)
        }
    }

    fn between(&self, holding: &Evidence, barrier: &Evidence) -> Step {
        let is_close = barrier.rate <= holding.rate * (1.0 + self.plan.tolerance);
        match barrier.standing() {
            Standing::Undecided => Step::Try(barrier.rate, TrialKind::Explore),
            _ if !is_close => {
                let middle = holding.rate * (barrier.rate / holding.rate).sqrt();
                Step::Try(middle, TrialKind::Explore)
            }
            Standing::Suspect => Step::Try(barrier.rate, TrialKind::Explore),
            Standing::Limited => self.confirm(holding, End::GeneratorLimited),
            Standing::Fails | Standing::Holds => self.confirm(holding, End::Bracketed),
        }
    }

    fn confirm(&self, candidate: &Evidence, end: End) -> Step {
        if candidate.confirmations < self.plan.confirmations {
            Step::Try(candidate.rate, TrialKind::Confirm)
        } else {
            Step::Done(end)
        }
    }
}

#[cfg(test)]
mod simulation;
#[cfg(test)]
mod tests;
