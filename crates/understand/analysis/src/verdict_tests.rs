use super::*;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tacho_figures::LARGEST_EFFECT;
use tacho_statistics::bootstrap::median;

const LOWER: Yardstick = Yardstick {
    good: Good::Lower,
    floor: 0.001,
    fact: false,
    threshold: 0.05,
};
const HIGHER: Yardstick = Yardstick {
    good: Good::Higher,
    ..LOWER
};

/// As if nothing else were compared, launch by launch.
fn apart(cell: &[f64], baseline: &[f64]) -> Sample {
    Sample::Apart(cell.to_vec(), baseline.to_vec())
}

fn compare(cell: &[f64], baseline: &[f64], yardstick: &Yardstick, seed: u64) -> Option<Comparison> {
    let order = match (median(cell)?, median(baseline)?) {
        (a, b) if a < b => Ordering::Less,
        (a, b) if a > b => Ordering::Greater,
        _ => Ordering::Equal,
    };
    let told = Told {
        order,
        ..Told::NOTHING
    };
    super::compare(&apart(cell, baseline), yardstick, told, seed)
}

fn verdict_of(cell: &[f64], baseline: &[f64], yardstick: &Yardstick) -> Verdict {
    compare(cell, baseline, yardstick, 1).unwrap().verdict
}

/// Five launches about a center.
fn about(center: f64, spread: f64) -> [f64; 5] {
    [-1.0, 0.5, 0.0, 1.0, -0.5].map(|place| center * (1.0 + place * spread))
}

#[test]
fn the_verdict_is_where_the_interval_lies() {
    let base = about(100.0, 0.005);
    for (center, spread, expected) in [
        (80.0, 0.005, Verdict::Better),
        (120.0, 0.005, Verdict::Worse),
        (101.0, 0.005, Verdict::Same),
        (100.0, 0.005, Verdict::Same),
        // The estimate is beyond the threshold, the interval reaches into the band.
        (106.0, 0.05, Verdict::Inconclusive),
        // The estimate is within the band, the interval leaves it.
        (101.0, 0.2, Verdict::Inconclusive),
        // Clearly different from 1, but not clearly by more than the threshold.
        (105.0, 0.005, Verdict::Inconclusive),
    ] {
        let cell = about(center, spread);
        assert_eq!(
            verdict_of(&cell, &base, &LOWER),
            expected,
            "{center} {spread}"
        );
    }
}

#[test]
fn an_interval_beyond_the_band_is_not_enough() {
    let (cell, base) = (about(80.0, 0.005), about(100.0, 0.005));
    let verdict = |order| {
        let told = Told {
            order,
            ..Told::NOTHING
        };
        let found = super::compare(&apart(&cell, &base), &LOWER, told, 1);
        found.unwrap().verdict
    };
    assert_eq!(verdict(Ordering::Less), Verdict::Better);
    assert_eq!(verdict(Ordering::Equal), Verdict::Inconclusive);
    assert_eq!(verdict(Ordering::Greater), Verdict::Inconclusive);
}

#[test]
fn the_good_direction_turns_better_and_worse_round() {
    let (base, more) = (about(100.0, 0.01), about(130.0, 0.01));
    assert_eq!(verdict_of(&more, &base, &LOWER), Verdict::Worse);
    assert_eq!(verdict_of(&more, &base, &HIGHER), Verdict::Better);
}

#[test]
fn a_planted_difference_of_20_percent_is_found_at_low_noise() {
    let mut random = ChaCha8Rng::seed_from_u64(8);
    let found = (0..500).filter(|_| {
        let mut launches =
            |center: f64| [0; 5].map(|_| center * (1.0 + random.random_range(-0.05..0.05)));
        let (cell, base) = (launches(80.0), launches(100.0));
        verdict_of(&cell, &base, &LOWER) == Verdict::Better
    });
    assert!(found.count() > 490);
}

#[test]
fn variants_that_are_the_same_are_hardly_ever_told_apart() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    for launches in [3, 5] {
        let wrong = (0..2000).filter(|_| {
            let mut draw = || -> Vec<f64> {
                let launch = || 100.0 * (1.0 + random.random_range(-0.3..0.3));
                std::iter::repeat_with(launch).take(launches).collect()
            };
            let (cell, base) = (draw(), draw());
            let verdict = verdict_of(&cell, &base, &LOWER);
            matches!(verdict, Verdict::Better | Verdict::Worse)
        });
        let share = wrong.count() as f64 / 2000.0;
        let most = if launches == 3 { 0.10 } else { 0.05 };
        assert!(share < most, "{launches}: {share}");
    }
}

#[test]
fn too_few_launches_say_nothing() {
    for n in [1, 2] {
        let (cell, base) = (vec![1.0; n], vec![100.0; n]);
        let comparison = compare(&cell, &base, &LOWER, 1).unwrap();
        assert_eq!(comparison.verdict, Verdict::Inconclusive);
        assert_eq!(comparison.smallest_detectable, LARGEST_EFFECT);
        assert_eq!(comparison.launches_needed, None);
    }
    assert_eq!(verdict_of(&[1.0; 3], &[100.0; 3], &LOWER), Verdict::Better);
}

#[test]
fn a_fact_needs_no_replication() {
    let fact = Yardstick {
        fact: true,
        ..LOWER
    };
    assert_eq!(verdict_of(&[50.0], &[100.0], &fact), Verdict::Better);
    assert_eq!(verdict_of(&[101.0], &[100.0], &fact), Verdict::Same);
}

#[test]
fn zero_and_negative_values_give_finite_numbers() {
    let failures = Yardstick {
        floor: 0.001,
        ..LOWER
    };
    assert_eq!(verdict_of(&[0.0; 3], &[0.0; 3], &failures), Verdict::Same);
    assert_eq!(
        verdict_of(&[0.0005; 3], &[0.0; 3], &failures),
        Verdict::Same
    );
    assert_eq!(verdict_of(&[0.2; 3], &[0.0; 3], &failures), Verdict::Worse);
    assert_eq!(verdict_of(&[0.0; 3], &[0.2; 3], &failures), Verdict::Better);
    for value in [0.0, -3.0, 1e300] {
        let c = compare(&[value; 3], &[0.0, -1.0, 5.0], &failures, 1).unwrap();
        let numbers = [
            c.ratio.value,
            c.ratio.low,
            c.ratio.high,
            c.smallest_detectable,
        ];
        assert!(numbers.iter().all(|n| n.is_finite()), "{numbers:?}");
    }
}

fn swapped(verdict: Verdict) -> Verdict {
    match verdict {
        Verdict::Better => Verdict::Worse,
        Verdict::Worse => Verdict::Better,
        other => other,
    }
}

proptest! {
    #[test]
    fn swapping_cell_and_baseline_swaps_better_and_worse(
        a in proptest::collection::vec(1.0f64..2.0, 1..8), b in proptest::collection::vec(1.0f64..2.0, 1..8),
        threshold in 0.0f64..0.3,
    ) {
        for good in [Good::Lower, Good::Higher] {
            let yardstick = Yardstick { good, threshold, ..LOWER };
            let forth = compare(&a, &b, &yardstick, 1).unwrap();
            let back = compare(&b, &a, &yardstick, 1).unwrap();
            prop_assert_eq!(forth.verdict, swapped(back.verdict));
        }
    }

    #[test]
    fn a_cell_is_never_better_or_worse_than_itself(
        values in proptest::collection::vec(0.0f64..1e9, 1..10), threshold in 0.0f64..0.5,
    ) {
        let yardstick = Yardstick { threshold, ..LOWER };
        let verdict = compare(&values, &values, &yardstick, 1).unwrap().verdict;
        prop_assert!(matches!(verdict, Verdict::Same | Verdict::Inconclusive));
    }
}
