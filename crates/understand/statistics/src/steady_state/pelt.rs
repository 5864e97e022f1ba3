//! Change points of mean and variance.
//!
//! PELT (Killick, Fearnhead, Eckley: "Optimal detection of changepoints with a linear computational
//! cost", J. Am. Stat. Assoc. 107, 2012): the split of a series that minimises the sum of the
//! segments' costs and of a penalty for each change. A segment costs twice its negative
//! log-likelihood under a normal distribution with a mean and a variance of its own.

/// A shorter segment has no meaningful variance.
pub const SHORTEST_SEGMENT: usize = 5;
/// The penalty is this many times the logarithm of the number of values, as in Barrett et al. 2017.
/// Three, one for each parameter of a change, would be enough for independent normal noise. The
/// noise of response times is neither independent nor normal.
const PENALTY: f64 = 15.0;
/// The same for medians of many values each. Their noise is nearly normal. A test checks this
/// penalty with flat series.
const PENALTY_OF_MEDIANS: f64 = 11.0;
/// A longer series is first averaged in groups, because the cost of PELT grows with the square of
/// the length when there are no change points.
const MOST_VALUES: usize = 600;
/// Number of groups at the beginning that are examined again in smaller groups, because a launch
/// changes fastest there.
const BEGINNING: usize = 20;

/// The change points of a series of medians of many values each: the first index of each segment
/// except the first. For at most some hundred medians.
pub fn change_points_of_medians(medians: &[f64]) -> Vec<usize> {
    optimal_split(&Costs {
        penalty: PENALTY_OF_MEDIANS,
        ..Costs::of(medians)
    })
}

/// The change points: the first index of each segment except the first, in order.
pub fn change_points(values: &[f64]) -> Vec<usize> {
    let group = values.len().div_ceil(MOST_VALUES).max(1);
    if group == 1 {
        return optimal_split(&Costs::of(values));
    }
    let means: Vec<f64> = values.chunks(group).map(mean).collect();
    let coarse: Vec<usize> = optimal_split(&Costs::of(&means))
        .into_iter()
        .map(|point| point * group)
        .collect();
    // Ends before the first coarse change, so that this change is not found twice.
    let first_change = coarse
        .first()
        .map_or(values.len(), |point| point.saturating_sub(2 * group));
    let beginning = (BEGINNING * group).min(first_change);
    let mut points = change_points(&values[..beginning]);
    points.extend(coarse);
    let costs = Costs::of(values);
    paid(&costs, placed(&costs, points, group))
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Moves each change point, by at most two groups, to where it best splits the values between its
/// neighbours.
fn placed(costs: &Costs, mut points: Vec<usize>, group: usize) -> Vec<usize> {
    for index in 0..points.len() {
        let before = if index == 0 { 0 } else { points[index - 1] };
        let after = points.get(index + 1).copied().unwrap_or(costs.len());
        let first = (points[index].saturating_sub(2 * group)).max(before + SHORTEST_SEGMENT);
        let last = (points[index] + 2 * group).min(after.saturating_sub(SHORTEST_SEGMENT));
        let cost = |at: usize| costs.segment(before, at) + costs.segment(at, after);
        if let Some(best) = (first..=last).min_by(|a, b| cost(*a).total_cmp(&cost(*b))) {
            points[index] = best;
        }
    }
    points
}

/// Keeps the change points that are worth their penalty. The group in which a change lies is like
/// neither side, so the coarse pass may have found two changes there.
fn paid(costs: &Costs, points: Vec<usize>) -> Vec<usize> {
    let mut kept = Vec::with_capacity(points.len());
    for (index, &at) in points.iter().enumerate() {
        let before = kept.last().copied().unwrap_or(0);
        let after = points.get(index + 1).copied().unwrap_or(costs.len());
        if at <= before || after <= at {
            continue;
        }
        let split = costs.segment(before, at) + costs.segment(at, after) + costs.penalty();
        if split < costs.segment(before, after) {
            kept.push(at);
        }
    }
    kept
}

/// Sums from which the cost of any segment is computed in constant time.
struct Costs {
    /// Penalty of a change, as a multiple of the logarithm of the number of values.
    penalty: f64,
    /// `sums[i]` is the sum of the first `i` values.
    sums: Vec<f64>,
    squares: Vec<f64>,
    /// Less variance is none: values that are rounded (to a clock's tick, say) may all be equal.
    least_variance: f64,
}

impl Costs {
    fn of(values: &[f64]) -> Self {
        // Around their mean: squares of small differences lose nothing to rounding.
        let centre = if values.is_empty() { 0.0 } else { mean(values) };
        let mut sums = vec![0.0; values.len() + 1];
        let mut squares = vec![0.0; values.len() + 1];
        for (index, value) in values.iter().enumerate() {
            let value = value - centre;
            sums[index + 1] = sums[index] + value;
            squares[index + 1] = squares[index] + value * value;
        }
        let variance = squares[values.len()] / values.len().max(1) as f64;
        Self {
            penalty: PENALTY,
            sums,
            squares,
            least_variance: (variance * 1e-6).max(1e-12),
        }
    }

    fn len(&self) -> usize {
        self.sums.len() - 1
    }

    fn penalty(&self) -> f64 {
        self.penalty * (self.len() as f64).ln()
    }

    /// Twice the negative log-likelihood of a segment, without the terms that all splits share.
    fn segment(&self, from: usize, to: usize) -> f64 {
        let count = (to - from) as f64;
        let sum = self.sums[to] - self.sums[from];
        let squares = self.squares[to] - self.squares[from];
        let variance = (squares - sum * sum / count) / count;
        // The least variance is added; taking the larger of both would not do. The pruning needs a
        // cost that never falls when segments are joined, which only a concave cost has.
        count * (variance.max(0.0) + self.least_variance).ln()
    }
}

fn optimal_split(costs: &Costs) -> Vec<usize> {
    let count = costs.len();
    if count < 2 * SHORTEST_SEGMENT {
        return Vec::new();
    }
    let penalty = costs.penalty();
    // For the best split of the first `i` values: its cost, and where its last segment begins.
    let mut best = vec![f64::INFINITY; count + 1];
    let mut begins = vec![0; count + 1];
    best[0] = -penalty;
    // Where a last segment may begin, and up to which end. A begin that is beaten at some end stays
    // until the segment of a begin at that end would be long enough.
    let mut candidates = vec![(0, usize::MAX)];
    for end in SHORTEST_SEGMENT..=count {
        for &(begin, _) in &candidates {
            let cost = best[begin] + costs.segment(begin, end) + penalty;
            if cost < best[end] {
                best[end] = cost;
                begins[end] = begin;
            }
        }
        // A begin that is worse by more than the penalty is worse for every later end as well
        // (theorem 3.1 there).
        for (begin, until) in &mut candidates {
            if *until == usize::MAX && best[*begin] + costs.segment(*begin, end) > best[end] {
                *until = end + SHORTEST_SEGMENT - 1;
            }
        }
        candidates.retain(|&(_, until)| until > end);
        let next = end + 1 - SHORTEST_SEGMENT;
        if next >= SHORTEST_SEGMENT {
            candidates.push((next, usize::MAX));
        }
    }
    let mut points = Vec::new();
    let mut end = count;
    while begins[end] > 0 {
        end = begins[end];
        points.push(end);
    }
    points.reverse();
    points
}

#[cfg(test)]
mod tests {
    use super::{Costs, SHORTEST_SEGMENT, change_points, optimal_split};
    use proptest::prelude::*;

    #[test]
    fn nothing_is_found_in_what_is_too_short_or_all_the_same() {
        assert!(change_points(&[]).is_empty());
        assert!(change_points(&[1.0; 9]).is_empty());
        assert!(change_points(&[3.0; 5_000]).is_empty());
    }

    #[test]
    fn a_step_without_noise_is_found_where_it_is() {
        for (count, at) in [(100, 30), (1_000, 7), (20_000, 12_345)] {
            let values: Vec<f64> = (0..count).map(|i| if i < at { 2.0 } else { 1.0 }).collect();
            assert_eq!(change_points(&values), [at], "{count}");
        }
    }

    fn cost_of(costs: &Costs, points: &[usize]) -> f64 {
        let penalty = costs.penalty();
        let mut begin = 0;
        let mut cost = 0.0;
        for &end in points.iter().chain([&costs.len()]) {
            cost += costs.segment(begin, end) + penalty;
            begin = end;
        }
        cost
    }

    /// The best cost of all splits, without pruning.
    fn exhaustive(costs: &Costs) -> f64 {
        let penalty = costs.penalty();
        let mut best = vec![f64::INFINITY; costs.len() + 1];
        best[0] = 0.0;
        for end in SHORTEST_SEGMENT..=costs.len() {
            for begin in 0..=end - SHORTEST_SEGMENT {
                best[end] = best[end].min(best[begin] + costs.segment(begin, end) + penalty);
            }
        }
        best[costs.len()]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn pruning_costs_nothing(
            values in prop::collection::vec((0u8..4, -1.0f64..1.0), 10..150)
                .prop_map(|all| all.iter().scan(0.0, |level, (step, noise)| {
                    if *step == 0 { *level += 1.0; }
                    Some(*level + noise * 0.05)
                }).collect::<Vec<f64>>())
        ) {
            let costs = Costs::of(&values);
            let split = optimal_split(&costs);
            prop_assert!((cost_of(&costs, &split) - exhaustive(&costs)).abs() < 1e-6, "{split:?}");
            let mut begin = 0;
            for end in split.iter().chain([&values.len()]) {
                prop_assert!(end - begin >= SHORTEST_SEGMENT);
                begin = *end;
            }
        }
    }
}
