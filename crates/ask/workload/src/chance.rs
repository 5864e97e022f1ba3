//! All random choices are a pure function of the seed, the phase, the number of the scenario run,
//! and the purpose. So a run can be repeated request by request, in whatever order answers come,
//! and virtual users share no state.

mod choice;

pub(crate) use choice::{WeightedChoice, WrongWeight};

/// The golden ratio in 64 bits: the increment of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// SplitMix64 (Steele, Lea, Flood 2014): a bijection that scatters consecutive numbers evenly.
pub(crate) fn scatter(n: u64) -> u64 {
    mix(n.wrapping_add(1).wrapping_mul(GOLDEN))
}

fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The upper 53 bits fill the mantissa of a double in [0, 1).
pub(crate) fn to_unit(n: u64) -> f64 {
    (n >> 11) as f64 / (1u64 << 53) as f64
}

/// Scattered, so that neighbouring seeds have nothing in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seed(u64);

impl Seed {
    pub(crate) fn new(seed: u64) -> Self {
        Self(scatter(seed))
    }

    /// One number for the `n`-th scenario run of a phase.
    #[inline]
    pub(crate) fn point(self, phase: u32, n: u64) -> u64 {
        scatter(self.0 ^ (u64::from(phase) << 48).wrapping_add(n))
    }

    /// Many numbers for one use within the `n`-th scenario run of a phase.
    #[inline]
    pub(crate) fn stream(self, phase: u32, n: u64, purpose: Purpose) -> Stream {
        Stream {
            state: scatter(self.point(phase, n) ^ scatter(purpose.number())),
        }
    }
}

/// The purpose for which numbers are drawn. Each purpose has its own numbers, so that another
/// placeholder in the first step changes nothing in the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Placeholders of a step, by its place in the scenario.
    Step(u32),
    /// The wait after a step.
    Think(u32),
    /// The rows of a feed, by its place in the list.
    Feed(u32),
}

impl Purpose {
    fn number(self) -> u64 {
        match self {
            Self::Step(n) => u64::from(n),
            Self::Think(n) => 1 << 32 | u64::from(n),
            Self::Feed(n) => 2 << 32 | u64::from(n),
        }
    }
}

/// SplitMix64 as a generator. It is kept here, and not taken from a library, because its numbers
/// are an interface: the same seed has to give the same requests in every later version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Stream {
    state: u64,
}

impl Stream {
    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN);
        mix(self.state)
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        to_unit(self.next())
    }

    /// Evenly from 0 to `last`, both included, without the bias of a remainder (Lemire 2019,
    /// "Fast random integer generation in an interval").
    pub(crate) fn up_to(&mut self, last: u64) -> u64 {
        let Some(count) = last.checked_add(1) else {
            return self.next();
        };
        loop {
            let product = u128::from(self.next()) * u128::from(count);
            let low = product as u64;
            if low >= count || low >= count.wrapping_neg() % count {
                return (product >> 64) as u64;
            }
        }
    }

    /// Evenly from `low` to `high`, both included. The two must be in order.
    pub(crate) fn between(&mut self, low: i64, high: i64) -> i64 {
        let offset = self.up_to(high.wrapping_sub(low) as u64);
        low.wrapping_add(offset as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_numbers_are_those_of_splitmix64() {
        // First outputs of the reference implementation (Vigna) with seed 0 and with seed
        // 1234567.
        assert_eq!(scatter(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(scatter(1), 0x6e78_9e6a_a1b9_65f4);
        let mut stream = Stream { state: 1_234_567 };
        assert_eq!(stream.next(), 6_457_827_717_110_365_317);
        assert_eq!(stream.next(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn uses_and_runs_have_numbers_of_their_own() {
        let seed = Seed::new(7);
        let first = |phase, n, purpose| seed.stream(phase, n, purpose).next();
        let all = [
            first(0, 0, Purpose::Step(0)),
            first(0, 0, Purpose::Step(1)),
            first(0, 0, Purpose::Think(0)),
            first(0, 0, Purpose::Feed(0)),
            first(0, 1, Purpose::Step(0)),
            first(1, 0, Purpose::Step(0)),
            Seed::new(8).stream(0, 0, Purpose::Step(0)).next(),
        ];
        let distinct: std::collections::HashSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(all[0], first(0, 0, Purpose::Step(0)));
    }

    #[test]
    fn every_number_of_a_small_range_comes_equally_often() {
        let mut stream = Seed::new(1).stream(0, 0, Purpose::Step(0));
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[stream.between(-2, 3).wrapping_add(2) as usize] += 1;
        }
        // Five standard deviations of a binomial with 60,000 draws and p = 1/6 are 457.
        for count in counts {
            assert!(count.abs_diff(10_000) < 457, "{counts:?}");
        }
    }

    proptest! {
        #[test]
        fn a_drawn_number_lies_between_its_bounds(seed: u64, a: i64, b: i64) {
            let (low, high) = (a.min(b), a.max(b));
            let mut stream = Stream { state: seed };
            for _ in 0..16 {
                let drawn = stream.between(low, high);
                prop_assert!((low..=high).contains(&drawn));
            }
        }
    }
}
