//! A workload that is ready to be sent: which scenario comes next, what its requests are, and what
//! becomes of their answers.
//!
//! ```text
//! script.start_phase(phase)?                         feeds from the front again
//! let scenario = script.pick(phase, n)               pure
//! script.begin(&mut user, phase, n, scenario)?       takes a row of each feed that it wants
//! for kind in script.steps(scenario) {
//!     let message = script.render(&mut user, kind, now)?   or script.fixed(kind)
//!     match script.take_in(&mut user, kind, &answer) {
//!         Judgement::Redirect(message) => send it as the same kind, then take_in again
//!         Judgement::Failed(..) => the scenario run ends here
//!         Judgement::Ok => wait script.think(&user, kind), then go on
//!     }
//! }
//! ```
//!
//! What the `n`-th scenario run of a phase sends depends only on the seed, the phase and `n`, on
//! the answers from which it captures, and on the wall clock where a template uses it. With feeds
//! this holds as long as the runs of a phase begin in the order of `n`.

mod compile;
mod error;
mod judge;
mod messages;
mod names;
mod step;
mod step_compiler;
mod user;

pub use error::{At, Part, WorkloadError};
pub use judge::{FailureKind, Judgement};
pub use user::User;

use crate::answer::Keep;
use crate::chance::{Purpose, Seed, WeightedChoice};
use crate::feed::{Dry, Feed, FeedError, FeedReport};
use crate::message::Message;
use crate::origin::{Origin, Scheme};
use crate::redirect::Base;
use crate::spec::{self, Workload};
use crate::template::{RenderFault, Scope};
use std::num::NonZeroU32;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;
use step::Step;

/// Place of a scenario in the workload.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScenarioIndex(pub u32);

/// A step, as it is counted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kind {
    /// The scenario that it belongs to.
    pub scenario: ScenarioIndex,
    /// Its place in the scenario, from 0.
    pub step: u32,
    /// Unique, for people.
    pub name: String,
}

/// A workload that is ready to be sent. It can be shared between threads.
pub struct Script {
    kinds: Box<[Kind]>,
    /// By kind: the message of a step that is the same each time.
    fixed: Box<[Option<Message>]>,
    keep: Box<[Keep]>,
    steps: Box<[Step]>,
    scenarios: Box<[Scenario]>,
    choice: WeightedChoice,
    feeds: Box<[Feed]>,
    base: Base,
    seed: Seed,
    cookies: bool,
    redirects: u32,
}

/// Steps that belong together.
struct Scenario {
    kinds: Range<u32>,
    /// Those of which it wants a row.
    feeds: Box<[usize]>,
    /// How many captured values a user of it holds.
    slots: usize,
}

/// Why a scenario run cannot begin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BeginFault {
    /// A feed that is read once is at its end: the phase ends as planned.
    #[error("the feed `{feed}` is at its end")]
    Exhausted {
        /// Name of the feed.
        feed: String,
    },
    /// A feed can no longer be read: the phase cannot go on.
    #[error("the feed `{feed}` can no longer be read: {reason}; check its file and start again")]
    Feed {
        /// Name of the feed.
        feed: String,
        /// What is wrong.
        reason: String,
    },
}

impl Script {
    /// Makes a workload ready: takes templates apart, reads body files, opens feeds, and begins to
    /// read ahead for phase 0. Paths of files are relative to `base_dir`.
    ///
    /// # Errors
    /// Whatever is wrong with it, with its place and the way out.
    pub fn compile(
        workload: &Workload,
        base_dir: &Path,
        origin: &Origin,
        seed: u64,
    ) -> Result<Self, WorkloadError> {
        compile::compile(workload, base_dir, origin, seed)
    }

    /// A step by itself, before it is known where it goes: to see what is wrong with it, or what it
    /// sends.
    ///
    /// # Errors
    /// Whatever is wrong with it.
    pub fn of_step(step: &spec::Step) -> Result<Self, WorkloadError> {
        let anywhere = Origin {
            scheme: Scheme::Http,
            authority: "localhost".to_owned(),
        };
        Self::compile(&Workload::of(step.clone()), Path::new("."), &anywhere, 0)
    }

    /// All steps of all scenarios. The index of a step in this list is the `kind` of the other
    /// methods. They panic when there is no such index.
    #[must_use]
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// The kinds of a scenario, in the order of its steps.
    #[must_use]
    pub fn steps(&self, scenario: ScenarioIndex) -> Range<u32> {
        self.scenarios[scenario.0 as usize].kinds.clone()
    }

    /// Which scenario is the `n`-th of a phase, from 0: a pure function of seed, phase and `n`.
    #[inline]
    #[must_use]
    pub fn pick(&self, phase: u32, n: u64) -> ScenarioIndex {
        ScenarioIndex(self.choice.pick(phase, n))
    }

    /// The message of a step that is the same each time, so that it can be rendered to bytes once.
    /// Redirects after it may still differ.
    #[must_use]
    pub fn fixed(&self, kind: u32) -> Option<&Message> {
        self.fixed[kind as usize].as_ref()
    }

    /// How many server-sent events end an answer that succeeds; absent where its last byte does.
    #[must_use]
    pub fn events(&self, kind: u32) -> Option<NonZeroU32> {
        self.step(kind).events
    }

    /// What has to be kept of the answer.
    #[must_use]
    pub fn needs_answer(&self, kind: u32) -> Keep {
        self.keep[kind as usize]
    }

    /// Whether [`Script::take_in`] may give another result than the usual rule (a status below 400
    /// is good, any other has failed). If not, it need not be called.
    #[must_use]
    pub fn judges(&self, kind: u32) -> bool {
        let step = self.step(kind);
        self.cookies || self.redirects > 0 || !step.checks.is_empty() || !step.captures.is_empty()
    }

    /// Whether a run of the scenario has its own state: rows, captured values, placeholders,
    /// cookies, redirects, waits. If not, [`Script::begin`] need not be called.
    #[must_use]
    pub fn needs_user(&self, scenario: ScenarioIndex) -> bool {
        let own = |kind: u32| {
            self.fixed(kind).is_none()
                || !self.step(kind).captures.is_empty()
                || self.step(kind).think.is_some()
        };
        self.redirects > 0 || self.steps(scenario).any(own)
    }

    /// Feeds begin from the front again and read ahead. To be called before the clock of each
    /// phase but the first, so that what a phase sends does not depend on the phase before it.
    ///
    /// # Errors
    /// When a thread cannot be started.
    pub fn start_phase(&self, phase: u32) -> Result<(), FeedError> {
        self.feeds.iter().try_for_each(|feed| feed.start(phase))
    }

    /// Begins the `n`-th scenario run of a phase: forgets the one before it and takes a row of
    /// each feed that the scenario wants.
    ///
    /// # Errors
    /// When a feed has no more rows.
    pub fn begin(
        &self,
        user: &mut User,
        phase: u32,
        n: u64,
        scenario: ScenarioIndex,
    ) -> Result<(), BeginFault> {
        let scenario = &self.scenarios[scenario.0 as usize];
        user.restart(phase, n, self.feeds.len(), scenario.slots);
        for &index in &scenario.feeds {
            let feed = &self.feeds[index];
            user.rows[index] = Some(feed.take().map_err(|dry| dry.of(&feed.name))?);
        }
        Ok(())
    }

    /// Takes the rows of a scenario run that another worker begins.
    ///
    /// # Errors
    /// When a feed has no more rows.
    pub fn pass_over(&self, scenario: ScenarioIndex) -> Result<(), BeginFault> {
        for &index in &self.scenarios[scenario.0 as usize].feeds {
            let feed = &self.feeds[index];
            feed.take().map_err(|dry| dry.of(&feed.name))?;
        }
        Ok(())
    }

    /// Whether a scenario wants rows of a feed.
    #[must_use]
    pub fn has_feeds(&self) -> bool {
        let mut scenarios = self.scenarios.iter();
        scenarios.any(|scenario| !scenario.feeds.is_empty())
    }

    /// The request of a step. `now` is the wall clock in nanoseconds since 1970.
    ///
    /// # Errors
    /// When a value is missing or would break what it stands in; it is counted under
    /// [`RenderFault::KIND`].
    pub fn render(&self, user: &mut User, kind: u32, now: u64) -> Result<Message, RenderFault> {
        user.now = now;
        user.redirects = 0;
        let mut scope = Scope {
            counter: user.n.saturating_add(1),
            stream: self.seed.stream(user.phase, user.n, self.purpose(kind)),
            now,
            rows: &user.rows,
            captured: &user.captured,
        };
        let message = self.step(kind).render(&mut scope)?;
        Ok(self.as_sent(user, message))
    }

    /// The wait after a step.
    #[must_use]
    pub fn think(&self, user: &User, kind: u32) -> Option<Duration> {
        let think = self.step(kind).think?;
        let purpose = Purpose::Think(self.kinds[kind as usize].step);
        let mut stream = self.seed.stream(user.phase, user.n, purpose);
        Some(step::drawn(think, &mut stream))
    }

    /// What became of the feeds.
    #[must_use]
    pub fn feeds(&self) -> Vec<FeedReport> {
        self.feeds.iter().map(Feed::report).collect()
    }

    fn step(&self, kind: u32) -> &Step {
        &self.steps[kind as usize]
    }

    fn purpose(&self, kind: u32) -> Purpose {
        Purpose::Step(self.kinds[kind as usize].step)
    }
}

impl Dry {
    fn of(self, feed: &str) -> BeginFault {
        let feed = feed.to_owned();
        match self {
            Self::End => BeginFault::Exhausted { feed },
            Self::Failed(reason) => BeginFault::Feed { feed, reason },
        }
    }
}

#[cfg(test)]
mod tests;
