//! A weighted choice of requests.

use super::{Endpoint, Keep, Message, Rendered, Request, RequestError};
use std::sync::Arc;

/// A weighted choice of requests. Which one is the `n`-th of a phase is a pure function of seed,
/// phase and `n`: it does not depend on the order in which answers happen to come.
#[derive(Debug, Clone)]
pub struct Mix {
    requests: Arc<[Arc<Rendered>]>,
    names: Arc<[String]>,
    /// Sum of the weights up to and including each request, divided by the sum of all.
    cumulative: Box<[f64]>,
    seed: u64,
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
                let weight = request.weight;
                if !(weight.is_finite() && weight > 0.0) {
                    let request = request.name.clone();
                    return Err(RequestError::Weight { request, weight });
                }
                Rendered::new(&Message::of(request), endpoint, Keep::Nothing).map(Arc::new)
            })
            .collect();
        let total: f64 = requests.iter().map(|r| r.weight).sum();
        let mut sum = 0.0;
        let cumulative = requests
            .iter()
            .map(|r| {
                sum += r.weight;
                sum / total
            })
            .collect();
        Ok(Self {
            requests: rendered?,
            names: requests.iter().map(|r| r.name.clone()).collect(),
            cumulative,
            // Scattered, so that neighbouring seeds have nothing in common.
            seed: scatter(seed),
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
        let last = self.cumulative.len() - 1;
        if last == 0 {
            return 0;
        }
        let point = to_unit(scatter(
            self.seed ^ (u64::from(phase) << 48).wrapping_add(n),
        ));
        self.cumulative.partition_point(|&c| c <= point).min(last) as u32
    }
}

/// SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters consecutive numbers evenly.
fn scatter(n: u64) -> u64 {
    let mut z = n.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The upper 53 bits fill the mantissa of a double in [0, 1).
fn to_unit(n: u64) -> f64 {
    (n >> 11) as f64 / (1u64 << 53) as f64
}
