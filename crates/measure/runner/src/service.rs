//! Warms a service that runs already, and behind a gate each one that comes in its place:
//! `tacho warm`.

use crate::reachable;
use crate::stop::Stop;
use crate::warming::{Settling, settle};
use std::time::{Duration, Instant};
use tacho_load::recorder::Files;
use tacho_load::{Endpoint, LoadError, Options, Source};
use tacho_run_folder::Conclusion;
use tacho_warm_up::{End, Ending, Gate, Rule, State, Summary};

/// How a service is warmed.
pub struct Service<'a> {
    /// Where it is.
    pub endpoint: &'a Endpoint,
    /// As it is told.
    pub url: &'a str,
    /// When it is enough.
    pub rule: Rule,
    /// So long it may take until it accepts a connection at all.
    pub wait: Duration,
    /// So long it is warmed at most.
    pub within: Duration,
    /// Requests at a time.
    pub connections: u32,
    /// How patient the engine is.
    pub options: Options,
    /// Whether a service that could not be warmed takes traffic all the same.
    pub open_on_failure: bool,
    /// Who asks whether traffic may come. With it, warming is never over.
    pub gate: Option<&'a Gate>,
    /// The user's wish to end.
    pub stop: &'a Stop,
}

/// What happens meanwhile.
pub enum Warmth<'a> {
    /// Nobody has accepted a connection for a while, for this reason.
    Waiting(&'a str),
    /// Requests are sent.
    Began(&'a Settling),
    /// None any more.
    Ended,
    /// The result of the warm-up. The gate is told first, so that it is already open when a reader
    /// sees "Traffic may come".
    Known(&'a Summary),
    /// Nobody listens any more.
    Gone,
}

/// Whether there was a service to be warmed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// Nobody accepted a connection.
    Nobody,
    /// It is still there.
    Running,
    /// Its process ended while it was warmed.
    Gone,
}

impl Service<'_> {
    /// Warms what is there. With a gate it does so again for each service that takes the place of
    /// the one before, until the stop. `first` is sent to the first of them, `source` makes the
    /// same for the others.
    ///
    /// # Errors
    /// When nothing can be sent or recorded, and what `tell` says.
    pub fn warm<E: From<LoadError>>(
        &self,
        first: Box<dyn Source>,
        source: &dyn Fn() -> Result<Box<dyn Source>, E>,
        tell: &mut dyn FnMut(Warmth<'_>) -> Result<(), E>,
    ) -> Result<Conclusion, E> {
        let mut next = first;
        let mut restarts = 0;
        loop {
            let (summary, found) = self.once(next, restarts, tell)?;
            if found == Found::Gone {
                // There is nobody to let traffic in to, nor anything to tell about: the gate stays
                // closed for the replacement.
                tell(Warmth::Gone)?;
            } else {
                if let Some(gate) = self.gate {
                    gate.say(match summary.ready {
                        true => State::Ready,
                        false => State::Failed,
                    });
                }
                tell(Warmth::Known(&summary))?;
            }
            match self.gate {
                Some(gate) if self.another_comes(gate, found, tell)? => {}
                _ => return Ok(summary.conclusion()),
            }
            restarts += 1;
            next = source()?;
        }
    }

    /// Waits until a service is there that was not warmed; the gate is closed from the moment at
    /// which that is known. Whether one came before the stop.
    fn another_comes<E>(
        &self,
        gate: &Gate,
        found: Found,
        tell: &mut dyn FnMut(Warmth<'_>) -> Result<(), E>,
    ) -> Result<bool, E> {
        let address = &self.endpoint.address;
        if found == Found::Running {
            if !reachable::goes(address, self.stop) {
                return Ok(false);
            }
            gate.say(State::Warming);
            tell(Warmth::Gone)?;
        }
        let came = reachable::arrives(address, self.stop);
        if came {
            gate.say(State::Warming);
        }
        Ok(came)
    }

    /// One warm-up, and who was there to be warmed.
    fn once<E: From<LoadError>>(
        &self,
        source: Box<dyn Source>,
        restarts: u64,
        tell: &mut dyn FnMut(Warmth<'_>) -> Result<(), E>,
    ) -> Result<(Summary, Found), E> {
        let mut names = source.kinds().to_vec();
        let mut notes = Vec::new();
        let settling = Settling::of(source.as_ref(), self.rule);
        let mut told = Ok(());
        let waited = reachable::wait(self.endpoint, self.wait, self.stop, &mut |why| {
            told = tell(Warmth::Waiting(why));
        });
        told?;
        let began = Instant::now();
        let was_there = waited.is_ok();
        let end = if let Err(why) = waited {
            settling.now().give_up(why);
            End::Failing
        } else {
            // A sidecar may have no folder to write to.
            let mut recorder = Files::nowhere().record().map_err(LoadError::from)?;
            tell(Warmth::Began(&settling))?;
            let sent = settle(
                self.endpoint.clone(),
                source,
                &settling,
                self.within,
                self.connections,
                self.options,
                &mut recorder,
                self.stop,
            );
            tell(Warmth::Ended)?;
            let sent = sent?;
            (names, notes) = (sent.kinds, sent.trouble);
            sent.end
        };
        // Where all is ended together, nobody waits for a replacement.
        let is_gone = settling.now().is_gone() && !self.stop.is_set();
        let found = match was_there {
            false => Found::Nobody,
            true if is_gone => Found::Gone,
            true => Found::Running,
        };
        let end = if self.stop.is_set() {
            End::Interrupted
        } else {
            end
        };
        let ending = Ending {
            end,
            ready: match end {
                End::Settled | End::RequestLimit | End::TimeLimit | End::NothingLeft => true,
                End::Failing => self.open_on_failure && found != Found::Gone,
                End::Interrupted => false,
            },
            duration_s: began.elapsed().as_secs_f64(),
            restarts,
            notes,
        };
        Ok((
            Summary::of(&settling.now(), self.url, &names, ending),
            found,
        ))
    }
}
