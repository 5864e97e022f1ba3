//! Arrivals of people who know nothing of one another.

use super::{Schedule, ScheduleError, instant_ns, length_ns, rate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Binomial, Distribution};
use std::cell::RefCell;

/// A Poisson process: at each instant equally likely, independent of all that came before.
///
/// Request `n` has to be a function of the seed and of `n` alone, cheap to ask for, and in no
/// memory that grows with the number of requests. Adding up random gaps is none of these. So the
/// process is built from above, by two of its properties (Kingman, Poisson Processes, sections 2.1
/// and 2.4):
///
/// - The number of requests in the whole duration has a Poisson distribution: drawn once.
/// - Given their number, the requests are independent and uniform in time. So the number in the
///   first half of an interval is binomial with probability 1/2, and what is left is in the second
///   half.
///
/// Halving goes on down a binary tree until an interval holds some [`LEAF`] requests on average;
/// these are drawn one by one and sorted. Each node of the tree has a random stream of its own:
/// ChaCha is counter-based (key: the seed; stream: the number of the node), so that any node can be
/// drawn without those before it.
///
/// A request is found in `log2(requests / LEAF)` draws, in any order. The last three leaves are
/// kept: for the newest request, for those looked ahead to, and for the oldest that still waits to
/// be sent. Asked in order, that makes one walk down the tree in [`LEAF`] requests.
#[derive(Debug)]
pub struct Poisson {
    random: ChaCha8Rng,
    total: u64,
    depth: u32,
    leaf_s: f64,
    duration_ns: u64,
    /// A cache: what it holds changes the cost of an answer, never the answer.
    leaves: RefCell<Leaves>,
}

/// Requests in a leaf, on average at most.
const LEAF: f64 = 64.0;

/// Room in a leaf from the beginning. More than this many where [`LEAF`] are expected has a
/// probability below 1e-60.
const LEAF_ROOM: usize = 256;

/// Number of the stream from which the total is drawn; nodes count from 1.
const TOTAL: u64 = 0;

#[derive(Debug)]
struct Leaves {
    leaves: [Leaf; 3],
    /// Questions so far.
    asked: u64,
}

#[derive(Debug)]
struct Leaf {
    /// Requests before this leaf.
    first: u64,
    instants: Vec<u64>,
    /// The question that it answered last.
    asked: u64,
}

impl Leaf {
    fn empty() -> Self {
        Self {
            first: 0,
            instants: Vec::with_capacity(LEAF_ROOM),
            asked: 0,
        }
    }

    fn instant(&self, n: u64) -> Option<u64> {
        let place = usize::try_from(n.checked_sub(self.first)?).ok()?;
        self.instants.get(place).copied()
    }
}

/// A leaf's place in the tree.
#[derive(Debug, Clone, Copy)]
struct Place {
    node: u64,
    first: u64,
    count: u64,
}

impl Poisson {
    /// `rate` in requests a second on average, `duration_s` in seconds. The same seed gives the
    /// same arrivals.
    ///
    /// # Errors
    /// When the rate or the duration cannot be scheduled.
    pub fn new(mean_rate: f64, duration_s: f64, seed: u64) -> Result<Self, ScheduleError> {
        let duration_ns = length_ns(duration_s)?;
        let expected = rate(mean_rate)? * duration_s;
        let random = ChaCha8Rng::seed_from_u64(seed);
        let total = rand_distr::Poisson::new(expected)
            .map_err(|_| ScheduleError::Rate(mean_rate))?
            .sample(&mut stream(&random, TOTAL)) as u64;
        let depth = (expected / LEAF).log2().ceil().max(0.0) as u32;
        Ok(Self {
            random,
            total,
            depth,
            leaf_s: duration_s / (1u64 << depth) as f64,
            duration_ns,
            leaves: RefCell::new(Leaves {
                leaves: [Leaf::empty(), Leaf::empty(), Leaf::empty()],
                asked: 0,
            }),
        })
    }

    /// Walks down from the root to the leaf of request `n`.
    fn place_of(&self, n: u64) -> Place {
        let mut place = Place {
            node: 1,
            first: 0,
            count: self.total,
        };
        for _ in 0..self.depth {
            let left = self.in_first_half(place);
            place.node *= 2;
            if n < place.first + left {
                place.count = left;
            } else {
                place.node += 1;
                place.first += left;
                place.count -= left;
            }
        }
        place
    }

    fn in_first_half(&self, place: Place) -> u64 {
        // A probability of 1/2 is one, so there always is a distribution.
        Binomial::new(place.count, 0.5).map_or(0, |binomial| {
            binomial.sample(&mut stream(&self.random, place.node))
        })
    }

    fn draw(&self, place: Place, leaf: &mut Leaf) {
        let index = (place.node - (1 << self.depth)) as f64;
        let mut random = stream(&self.random, place.node);
        leaf.first = place.first;
        leaf.instants.clear();
        for _ in 0..place.count {
            let seconds = (index + random.random::<f64>()) * self.leaf_s;
            leaf.instants.push(instant_ns(seconds, self.duration_ns));
        }
        leaf.instants.sort_unstable();
    }
}

fn stream(random: &ChaCha8Rng, number: u64) -> ChaCha8Rng {
    let mut stream = random.clone();
    stream.set_stream(number);
    stream
}

impl Schedule for Poisson {
    fn intended(&self, n: u64) -> Option<u64> {
        if n >= self.total {
            return None;
        }
        let mut cache = self.leaves.borrow_mut();
        cache.asked += 1;
        let asked = cache.asked;
        for leaf in &mut cache.leaves {
            if let Some(instant) = leaf.instant(n) {
                leaf.asked = asked;
                return Some(instant);
            }
        }
        let oldest = cache.leaves.iter_mut().min_by_key(|leaf| leaf.asked)?;
        self.draw(self.place_of(n), oldest);
        oldest.asked = asked;
        oldest.instant(n)
    }

    fn duration(&self) -> u64 {
        self.duration_ns
    }
}

#[cfg(test)]
mod tests;
