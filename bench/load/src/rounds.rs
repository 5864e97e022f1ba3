//! Interleaving and medians.

/// The order in which `count` tools take their turns in a round: each round begins with another
/// one, so that none always runs after the same predecessor's heat or the same neighbour's pause.
pub fn order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |turn| (turn + round) % count)
}

/// Several measurements of one thing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
}

impl Spread {
    /// `None` when there are no values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut values: Vec<f64> = values.into_iter().collect();
        values.sort_by(f64::total_cmp);
        let (&min, &max) = (values.first()?, values.last()?);
        let upper = values.len() / 2;
        let lower = (values.len() - 1) / 2;
        Some(Self {
            median: f64::midpoint(values[lower], values[upper]),
            min,
            max,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn each_tool_is_the_first_in_turn() {
        let orders: Vec<Vec<usize>> = (0..4).map(|round| order(3, round).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]);
    }

    #[test]
    fn the_median_of_two_is_between_them() {
        let spread = Spread::of([4.0, 1.0]).unwrap();
        assert_eq!((spread.min, spread.median, spread.max), (1.0, 2.5, 4.0));
        assert_eq!(Spread::of([]), None);
    }

    proptest! {
        #[test]
        fn half_lie_on_each_side(values in proptest::collection::vec(-1e6f64..1e6, 1..40)) {
            let spread = Spread::of(values.iter().copied()).unwrap();
            let below = values.iter().filter(|&&v| v < spread.median).count();
            let above = values.iter().filter(|&&v| v > spread.median).count();
            prop_assert!(below <= values.len() / 2 && above <= values.len() / 2);
            prop_assert!(spread.min <= spread.median && spread.median <= spread.max);
        }
    }
}
