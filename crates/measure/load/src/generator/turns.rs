//! Several instances of a subject, to which requests go in turn, as a simple balancer sends them:
//! the next request goes to the next instance, however busy it is. Each instance has its own share
//! of the schedule, of the connections and of the requests that wait, so that a slow one delays its
//! own alone.

use super::core::Core;
use super::open::Open;
use super::pass::Pace;
use crate::part::Part;
use crate::schedule::Schedule;
use crate::transport::{Ended, Fault, Lane};
use std::num::NonZeroU32;

/// The requests and lanes of one instance, of those that this generator has a part in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    part: Part,
    instance: u32,
    instances: NonZeroU32,
}

impl Turn {
    /// Of the only instance.
    pub fn only(part: Part) -> Self {
        Self {
            part,
            instance: 0,
            instances: NonZeroU32::MIN,
        }
    }

    /// The place in the whole schedule of its own request `n`.
    #[inline]
    pub fn overall(self, n: u64) -> u64 {
        let of_part = n * u64::from(self.instances.get()) + u64::from(self.instance);
        self.part.overall(of_part)
    }

    /// Its share of all lanes of this generator.
    pub fn lanes(self, all: u32) -> impl Iterator<Item = Lane> {
        (self.instance..all).step_by(self.instances.get() as usize)
    }
}

/// One open loop an instance.
#[derive(Debug)]
pub struct InTurn<S> {
    instances: Box<[Open<S>]>,
}

impl<S: Schedule> InTurn<S> {
    /// The number of instances.
    pub fn new(instances: NonZeroU32, part: Part, open: impl FnMut(Turn) -> Open<S>) -> Self {
        let turns = (0..instances.get()).map(|instance| Turn {
            part,
            instance,
            instances,
        });
        Self {
            instances: turns.map(open).collect(),
        }
    }
}

impl<S: Schedule> Pace for InTurn<S> {
    fn take_up(&mut self, core: &mut Core<'_>, now: u64) {
        for instance in &mut self.instances {
            instance.take_up(core, now);
        }
    }

    fn freed(&mut self, core: &mut Core<'_>, lane: Lane, ended: &Ended, think_ns: u64) {
        let nth = lane as usize % self.instances.len();
        self.instances[nth].freed(core, lane, ended, think_ns);
    }

    fn next_instant(&self) -> Option<u64> {
        let instants = self.instances.iter().filter_map(Pace::next_instant);
        instants.min()
    }

    fn has_lane(&self, now: u64) -> bool {
        self.instances.iter().all(|open| open.has_lane(now))
    }

    fn sleeps(&self) -> bool {
        true
    }

    fn is_exhausted(&self) -> bool {
        self.instances.iter().all(Pace::is_exhausted)
    }

    fn deadline(&self) -> Option<u64> {
        self.instances.iter().filter_map(Pace::deadline).max()
    }

    fn give_up(&mut self, core: &mut Core<'_>, now: u64, fault: Fault) {
        for instance in &mut self.instances {
            instance.give_up(core, now, fault);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_request_and_every_lane_has_one_instance() {
        let instances = NonZeroU32::new(3).unwrap();
        let turns = [0, 1, 2].map(|instance| Turn {
            part: Part::WHOLE,
            instance,
            instances,
        });
        let mut requests: Vec<u64> = turns
            .iter()
            .flat_map(|turn| (0..4).map(|n| turn.overall(n)))
            .collect();
        requests.sort_unstable();
        assert!(requests.iter().copied().eq(0..12));
        let lanes: Vec<Vec<Lane>> = turns.iter().map(|turn| turn.lanes(8).collect()).collect();
        assert_eq!(lanes, [vec![0, 3, 6], vec![1, 4, 7], vec![2, 5]]);
    }

    #[test]
    fn several_generators_and_instances_share_every_request_once() {
        let instances = NonZeroU32::new(2).unwrap();
        let parts = [0, 1, 2].map(|nth| Part::new(nth, 3).unwrap());
        let turns = parts.into_iter().flat_map(|part| {
            [0, 1].map(|instance| Turn {
                part,
                instance,
                instances,
            })
        });
        let mut requests: Vec<u64> = turns
            .flat_map(|turn| (0..5).map(move |n| turn.overall(n)))
            .collect();
        requests.sort_unstable();
        assert!(requests.into_iter().eq(0..30));
    }
}
