//! A weighted choice of requests.

use super::{Endpoint, Keep, Message, Rendered, Request, RequestError};
use std::sync::Arc;
use tacho_workload::{WeightedChoice, WrongWeight};

/// A weighted choice of requests. Which one is the `n`-th of a phase is a pure function of seed,
/// phase and `n`: it does not depend on the order in which answers happen to come.
#[derive(Debug, Clone)]
pub struct Mix {
    requests: Arc<[Arc<Rendered>]>,
    names: Arc<[String]>,
    choice: WeightedChoice,
}

impl Mix {
    /// Renders the requests for an endpoint; nothing of their answers is kept.
    ///
    /// # Errors
    /// When there is none, or one cannot be sent as it is: a header with a line break, a path
    /// with a space, a weight of 0.
    pub fn new(requests: &[Request], endpoint: &Endpoint, seed: u64) -> Result<Self, RequestError> {
        if requests.is_empty() {
            return Err(RequestError::None);
        }
        let rendered: Result<Arc<[_]>, _> = requests
            .iter()
            .map(|request| {
                Rendered::new(&Message::of(request), endpoint, Keep::Nothing).map(Arc::new)
            })
            .collect();
        let weights: Vec<f64> = requests.iter().map(|r| r.weight).collect();
        let choice = WeightedChoice::new(&weights, seed).map_err(|WrongWeight(place)| {
            RequestError::Weight {
                request: requests[place].name.clone(),
                weight: weights[place],
            }
        })?;
        Ok(Self {
            requests: rendered?,
            names: requests.iter().map(|r| r.name.clone()).collect(),
            choice,
        })
    }

    /// How many kinds of request there are.
    #[must_use]
    pub fn kinds(&self) -> usize {
        self.requests.len()
    }

    /// A request by its kind, as rendered.
    #[inline]
    #[must_use]
    pub fn request(&self, kind: u32) -> &Arc<Rendered> {
        &self.requests[kind as usize]
    }

    /// The name of a kind.
    #[inline]
    #[must_use]
    pub fn name(&self, kind: u32) -> &str {
        &self.names[kind as usize]
    }

    /// Kind of the `n`-th request of a phase.
    #[inline]
    #[must_use]
    pub fn pick(&self, phase: u32, n: u64) -> u32 {
        self.choice.pick(phase, n)
    }
}
