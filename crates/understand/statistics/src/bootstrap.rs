//! Medians over launches and their 95 % intervals, by the percentile bootstrap.
//!
//! The bootstrap asks: if the launches that were made are all that is known of a variant, how
//! would the median move if as many launches were drawn from them again, with replacement?
//! For a median this needs no random numbers: the probability of each possible outcome has a
//! closed form (Efron, "Bootstrap methods: another look at the jackknife", 1979, section 3; Maritz
//! and Jarrett, 1978). `Distribution::of_median` is that exact distribution, so an interval here
//! has no noise of its own and does not depend on a seed.
//!
//! # Few launches
//! The ends of an interval are measured values, so it is never wider than the range of these
//! values.
//!
//! | launches | interval | chance that it holds the true median |
//! |---|---|---|
//! | 1 | none: low = high = the value | |
//! | 2 | smallest to largest | 50 % |
//! | 3 | smallest to largest | 75 % |
//! | 4 | smallest to largest | 87.5 % |
//! | 5 | smallest to largest | 93.75 % |
//! | 6 and more | within them | near 95 % |
//!
//! The last column is 1 - 2 (1/2)^n: the interval misses only when all launches fall on one side of
//! the true median. So five launches are the fewest for which "95 %" is nearly true, and with five
//! a single outlying launch is an end of the interval. That makes conclusions harder to reach,
//! never easier.
//!
//! # Ratios
//! A ratio of two medians is taken over both distributions independently: every pair of outcomes
//! with the product of their probabilities, or 10,000 pairs drawn by ChaCha when there are more.
//! Where launches are compared within their block, it is the median of the ratios of the blocks.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tacho_run_folder::Interval;

/// Probability that lies outside each end of an interval.
const TAIL: f64 = 0.025;
/// More pairs than this are sampled instead of enumerated; it keeps a ratio below a millisecond.
const MOST_PAIRS: usize = 10_000;
/// Sums of probabilities that are mathematically equal may differ by this.
const ROUNDING: f64 = 1e-12;

/// Median; with an even number of values the mean of the two in the middle. `None` without values.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    median_of_sorted(&sorted)
}

/// As [`median`], without the sorting.
#[must_use]
pub fn median_of_sorted(sorted: &[f64]) -> Option<f64> {
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some(f64::midpoint(sorted[sorted.len() / 2 - 1], upper))
}

/// Median over launches with its 95 % interval; `None` without values.
#[must_use]
pub fn median_interval(values: &[f64]) -> Option<Interval> {
    Some(Interval {
        value: median(values)?,
        ..Distribution::of_median(values).interval()
    })
}

/// The median of `cell` divided by the median of `baseline`, with its 95 % interval. All values
/// must be above zero. The seed matters only where there are too many pairs to enumerate. `None`
/// without values.
#[must_use]
pub fn ratio_interval(cell: &[f64], baseline: &[f64], seed: u64) -> Option<Interval> {
    let value = median(cell)? / median(baseline)?;
    let of = Distribution::of_median;
    let (above, below) = (of(cell), of(baseline));
    let ratios = if above.outcomes.len() * below.outcomes.len() <= MOST_PAIRS {
        Distribution::of_pairs(&above, &below)
    } else {
        Distribution::of_drawn_pairs(&above, &below, seed)
    };
    Some(Interval {
        value,
        ..ratios.interval()
    })
}

/// The median of the ratios of pairs, with its 95 % interval. It is computed on a logarithmic
/// scale, so that swapping both sides inverts the result and changes nothing else. All values must
/// be above zero. `None` without values.
#[must_use]
pub fn paired_ratio_interval(pairs: impl Iterator<Item = (f64, f64)>) -> Option<Interval> {
    let ratios: Vec<f64> = pairs
        .map(|(cell, baseline)| (cell / baseline).ln())
        .collect();
    let Interval { value, low, high } = median_interval(&ratios)?;
    Some(Interval {
        value: value.exp(),
        low: low.exp(),
        high: high.exp(),
    })
}

/// How much of a loss a switched candidate recovers: `(candidate - switched) / (candidate -
/// baseline)` of the medians, with its interval. 1 is all of it. Of so many intervals `together`
/// all hold with a chance of 95 % (Bonferroni's inequality); by itself it is one of 95 %. Drawn,
/// since three distributions have too many triples to enumerate. `None` without values, and where
/// the medians show no loss.
#[must_use]
pub fn recovered_interval(
    baseline: &[f64],
    candidate: &[f64],
    switched: &[f64],
    seed: u64,
    together: usize,
) -> Option<Interval> {
    let share = |baseline: f64, candidate: f64, switched: f64| {
        let lost = candidate - baseline;
        (lost != 0.0).then(|| (candidate - switched) / lost)
    };
    let (before, after) = (median(baseline)?, median(candidate)?);
    if before >= after {
        return None;
    }
    let value = share(before, after, median(switched)?)?;
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let of = |values: &[f64]| Distribution::of_median(values).cumulated();
    let (before, after, then) = (of(baseline), of(candidate), of(switched));
    let drawn = (0..MOST_PAIRS).filter_map(|_| {
        share(
            draw(&before, random.random()),
            draw(&after, random.random()),
            draw(&then, random.random()),
        )
    });
    let tail = TAIL / together.max(1) as f64;
    Some(interval_of_drawn(value, drawn.collect(), tail))
}

/// Derives a seed for one purpose from the plan's seed and a name (FNV-1a).
#[must_use]
pub fn seed_for(plan_seed: u64, name: &str) -> u64 {
    plan_seed
        .to_le_bytes()
        .iter()
        .chain(name.as_bytes())
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        })
}

/// The 2.5th and the 97.5th percentile of values that are equally likely, with the given estimate.
#[must_use]
pub fn percentile_interval(value: f64, drawn: Vec<f64>) -> Interval {
    interval_of_drawn(value, drawn, TAIL)
}

fn interval_of_drawn(value: f64, drawn: Vec<f64>, tail: f64) -> Interval {
    let weight = 1.0 / drawn.len().max(1) as f64;
    let drawn = Distribution::sorted(drawn.into_iter().map(|v| (v, weight)).collect());
    Interval {
        value,
        ..drawn.interval_without(tail)
    }
}

/// Values with their probabilities, ascending.
struct Distribution {
    outcomes: Vec<(f64, f64)>,
}

impl Distribution {
    fn sorted(mut outcomes: Vec<(f64, f64)>) -> Self {
        outcomes.sort_by(|a, b| a.0.total_cmp(&b.0));
        Self { outcomes }
    }

    /// The exact distribution of the median of n values drawn from n values with replacement.
    fn of_median(values: &[f64]) -> Self {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Self::sorted(if sorted.len() % 2 == 1 {
            odd(&sorted)
        } else {
            even(&sorted)
        })
    }

    fn of_pairs(above: &Self, below: &Self) -> Self {
        let pair = |a: &(f64, f64), b: &(f64, f64)| (a.0 / b.0, a.1 * b.1);
        Self::sorted(
            above
                .outcomes
                .iter()
                .flat_map(|a| below.outcomes.iter().map(move |b| pair(a, b)))
                .collect(),
        )
    }

    fn of_drawn_pairs(above: &Self, below: &Self, seed: u64) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let (above, below) = (above.cumulated(), below.cumulated());
        let weight = 1.0 / MOST_PAIRS as f64;
        Self::sorted(
            (0..MOST_PAIRS)
                .map(|_| {
                    let a = draw(&above, random.random());
                    let b = draw(&below, random.random());
                    (a / b, weight)
                })
                .collect(),
        )
    }

    fn cumulated(&self) -> Vec<(f64, f64)> {
        let mut sum = 0.0;
        self.outcomes
            .iter()
            .map(|(value, weight)| {
                sum += weight;
                (*value, sum)
            })
            .collect()
    }

    fn interval(&self) -> Interval {
        self.interval_without(TAIL)
    }

    /// The interval without so much probability at each end. Both ends follow the same rule, one
    /// from each side. So negating or inverting all values negates or inverts the interval.
    fn interval_without(&self, tail: f64) -> Interval {
        Interval {
            value: 0.0,
            low: end(self.outcomes.iter(), tail),
            high: end(self.outcomes.iter().rev(), tail),
        }
    }
}

/// The first value at which the tail is used up.
fn end<'a>(mut outcomes: impl Iterator<Item = &'a (f64, f64)>, tail: f64) -> f64 {
    let mut sum = 0.0;
    let end = outcomes.find(|(_, weight)| {
        sum += weight;
        sum + ROUNDING >= tail
    });
    end.map_or(0.0, |(value, _)| *value)
}

fn draw(cumulated: &[(f64, f64)], uniform: f64) -> f64 {
    let index = cumulated.partition_point(|(_, sum)| *sum < uniform);
    cumulated[index.min(cumulated.len() - 1)].0
}

/// The median is the k-th smallest draw, k = (n + 1) / 2: it is at most the i-th value when at
/// least k draws are.
fn odd(sorted: &[f64]) -> Vec<(f64, f64)> {
    let at_most = rank_at_most(sorted.len(), sorted.len().div_ceil(2));
    sorted
        .iter()
        .zip(at_most.windows(2))
        .map(|(value, p)| (*value, p[1] - p[0]))
        .collect()
}

/// The median lies between the k-th and the next draw, k = n / 2. For i < j these two are the i-th
/// and the j-th value when exactly k draws lie in 1..=i with at least one at i, and the others lie
/// in j..=n with at least one at j. The rest of the probability of the k-th draw belongs to i = j.
fn even(sorted: &[f64]) -> Vec<(f64, f64)> {
    let n = sorted.len();
    let k = n / 2;
    let ln_ways = ln_choose(n, k);
    let power = |count: usize| (count as f64 / n as f64).powi(k as i32);
    let at_most = rank_at_most(n, k);
    let mut outcomes = Vec::with_capacity(n * (n + 1) / 2);
    for i in 0..n {
        let mut left = at_most[i + 1] - at_most[i];
        let low = power(i + 1) - power(i);
        for j in i + 1..n {
            let high = power(n - j) - power(n - j - 1);
            let weight = (ln_ways + low.ln() + high.ln()).exp();
            left -= weight;
            outcomes.push((f64::midpoint(sorted[i], sorted[j]), weight));
        }
        outcomes.push((sorted[i], left.max(0.0)));
    }
    outcomes
}

/// For i = 0..=n: the probability that the k-th smallest of n draws is at most the i-th value.
fn rank_at_most(n: usize, k: usize) -> Vec<f64> {
    (0..=n)
        .map(|i| {
            if i == n {
                return 1.0;
            }
            let p = i as f64 / n as f64;
            (k..=n)
                .filter(|_| i > 0)
                .map(|m| {
                    let misses = (n - m) as f64 * (1.0 - p).ln();
                    (ln_choose(n, m) + m as f64 * p.ln() + misses).exp()
                })
                .sum()
        })
        .collect()
}

fn ln_choose(n: usize, k: usize) -> f64 {
    (1..=k).map(|i| ((n - k + i) as f64 / i as f64).ln()).sum()
}

#[cfg(test)]
#[path = "bootstrap_tests.rs"]
mod tests;
