use super::*;
use proptest::prelude::*;

/// The bootstrap as it is usually written: draw, sort, take the middle.
fn by_simulation(values: &[f64], draws: usize) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut medians: Vec<f64> = (0..draws)
        .map(|_| {
            let sample: Vec<f64> = (0..values.len())
                .map(|_| values[random.random_range(0..values.len())])
                .collect();
            median(&sample).unwrap()
        })
        .collect();
    medians.sort_by(f64::total_cmp);
    medians
}

fn normal(random: &mut ChaCha8Rng) -> f64 {
    let (u, v): (f64, f64) = (random.random(), random.random());
    (-2.0 * (1.0 - u).ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// Share of 2,000 experiments whose interval holds the truth.
fn coverage(launches: usize, truth: f64, mut draw: impl FnMut(&mut ChaCha8Rng) -> f64) -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(42);
    let held = (0..2000).filter(|_| {
        let values: Vec<f64> = (0..launches).map(|_| draw(&mut random)).collect();
        let interval = median_interval(&values).unwrap();
        interval.low <= truth && truth <= interval.high
    });
    held.count() as f64 / 2000.0
}

#[test]
fn the_exact_distribution_is_that_of_the_simulation() {
    for n in [2, 3, 4, 5, 6, 9, 10] {
        let values: Vec<f64> = (0..n).map(|i| f64::from(i * i)).collect();
        let exact = Distribution::of_median(&values);
        let total: f64 = exact.outcomes.iter().map(|(_, w)| w).sum();
        assert!((total - 1.0).abs() < 1e-9, "{n}: {total}");
        let simulated = by_simulation(&values, 20_000);
        for bound in &values {
            let at_most = exact.outcomes.iter().filter(|(v, _)| v <= bound);
            let exact: f64 = at_most.map(|(_, w)| w).sum();
            let count = simulated.partition_point(|v| v <= bound);
            let simulated = count as f64 / simulated.len() as f64;
            assert!(
                (exact - simulated).abs() < 0.02,
                "{n}, {bound}: {exact} {simulated}"
            );
        }
    }
}

#[test]
fn up_to_five_launches_the_interval_is_smallest_to_largest() {
    for n in 1..=5 {
        let values: Vec<f64> = (1..=n).map(f64::from).collect();
        let interval = median_interval(&values).unwrap();
        assert_eq!((interval.low, interval.high), (1.0, f64::from(n)));
    }
    let of_nine = median_interval(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]).unwrap();
    assert_eq!((of_nine.low, of_nine.value, of_nine.high), (2.0, 5.0, 8.0));
}

#[test]
fn no_launches_no_interval() {
    assert_eq!(median_interval(&[]), None);
    assert_eq!(ratio_interval(&[1.0], &[], 1), None);
    assert_eq!(ratio_interval(&[], &[1.0], 1), None);
}

#[test]
fn the_interval_covers_the_median_of_known_distributions() {
    // 1 - 2 (1/2)^5 = 93.75 %, whatever the distribution.
    let of_normal = coverage(5, 10.0, |r| 10.0 + normal(r));
    assert!((of_normal - 0.9375).abs() < 0.02, "{of_normal}");
    let of_exponential = coverage(5, std::f64::consts::LN_2, |r| {
        -(1.0 - r.random::<f64>()).ln()
    });
    assert!((of_exponential - 0.9375).abs() < 0.02, "{of_exponential}");
    // 1 - 2 (1/2)^3 = 75 %.
    let of_three = coverage(3, 10.0, |r| 10.0 + normal(r));
    assert!((of_three - 0.75).abs() < 0.03, "{of_three}");
    let of_fifteen = coverage(15, 10.0, |r| 10.0 + normal(r));
    assert!((0.91..=0.99).contains(&of_fifteen), "{of_fifteen}");
}

#[test]
fn the_ratio_of_five_to_five_launches_covers_the_truth() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut sample = |center: f64| -> Vec<f64> {
        (0..5)
            .map(|_| center * (0.05 * normal(&mut random)).exp())
            .collect()
    };
    let held = (0..2000).filter(|_| {
        let interval = ratio_interval(&sample(300.0), &sample(200.0), 1).unwrap();
        interval.low <= 1.5 && 1.5 <= interval.high
    });
    let coverage = held.count() as f64 / 2000.0;
    assert!((0.93..=0.99).contains(&coverage), "{coverage}");
}

#[test]
fn drawn_pairs_agree_with_enumerated_ones() {
    let above: Vec<f64> = (0..13).map(|i| 100.0 + f64::from(i * 7 % 13)).collect();
    let below: Vec<f64> = (0..13).map(|i| 50.0 + f64::from(i * 5 % 13)).collect();
    let of = Distribution::of_median;
    let (a, b) = (of(&above), of(&below));
    let exact = Distribution::of_pairs(&a, &b).interval();
    let drawn = Distribution::of_drawn_pairs(&a, &b, 11).interval();
    assert!((exact.low - drawn.low).abs() < 0.02, "{exact:?} {drawn:?}");
    assert!(
        (exact.high - drawn.high).abs() < 0.02,
        "{exact:?} {drawn:?}"
    );
}

#[test]
fn many_launches_are_drawn_and_the_seed_repeats_them() {
    let above: Vec<f64> = (0..40).map(|i| 100.0 + f64::from(i * 7 % 40)).collect();
    let below: Vec<f64> = (0..40).map(|i| 50.0 + f64::from(i * 3 % 40)).collect();
    let once = ratio_interval(&above, &below, 5).unwrap();
    assert_eq!(once, ratio_interval(&above, &below, 5).unwrap());
    assert!(once.low < once.value && once.value < once.high, "{once:?}");
    assert!((once.value - 119.5 / 69.5).abs() < 1e-12);
}

#[test]
fn seeds_differ_by_plan_and_by_name() {
    assert_ne!(seed_for(1, "ready_ms"), seed_for(2, "ready_ms"));
    assert_ne!(seed_for(1, "ready_ms"), seed_for(1, "listening_ms"));
    assert_eq!(seed_for(1, "ready_ms"), seed_for(1, "ready_ms"));
}

fn launches() -> impl Strategy<Value = Vec<f64>> {
    proptest::collection::vec(0.1f64..1000.0, 1..12)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
}

#[test]
fn pairs_give_the_median_of_their_ratios_and_turned_over_the_inverse() {
    let pairs = [(2.0, 1.0), (30.0, 10.0), (8.0, 2.0), (50.0, 10.0)];
    let forth = paired_ratio_interval(pairs.into_iter()).unwrap();
    assert!((forth.value - 12f64.sqrt()).abs() < 1e-12, "{forth:?}");
    assert!((forth.low - 2.0).abs() < 1e-12 && (forth.high - 5.0).abs() < 1e-12);
    let back = paired_ratio_interval(pairs.into_iter().map(|(a, b)| (b, a))).unwrap();
    assert!((back.value * forth.value - 1.0).abs() < 1e-12, "{back:?}");
    assert!((back.low * forth.high - 1.0).abs() < 1e-12, "{back:?}");
    assert_eq!(paired_ratio_interval([].into_iter()), None);
}

proptest! {
    #[test]
    fn the_interval_holds_the_median_and_only_measured_values(values in launches()) {
        let interval = median_interval(&values).unwrap();
        prop_assert!(interval.low <= interval.value && interval.value <= interval.high);
        let least = values.iter().copied().fold(f64::MAX, f64::min);
        let most = values.iter().copied().fold(f64::MIN, f64::max);
        prop_assert!(least <= interval.low && interval.high <= most);
    }

    #[test]
    fn the_order_of_launches_does_not_matter(values in launches()) {
        let mut reversed = values.clone();
        reversed.reverse();
        prop_assert_eq!(median_interval(&values), median_interval(&reversed));
    }

    #[test]
    fn scaled_and_shifted_values_scale_and_shift_the_interval(
        values in launches(), scale in 0.1f64..10.0, shift in -100.0f64..100.0,
    ) {
        let moved: Vec<f64> = values.iter().map(|v| v * scale + shift).collect();
        let (plain, moved) = (median_interval(&values).unwrap(), median_interval(&moved).unwrap());
        prop_assert!(close(moved.value, plain.value * scale + shift));
        prop_assert!(close(moved.low, plain.low * scale + shift));
        prop_assert!(close(moved.high, plain.high * scale + shift));
    }

    #[test]
    fn a_ratio_does_not_depend_on_the_unit(a in launches(), b in launches(), scale in 0.1f64..10.0) {
        let scaled = |values: &[f64]| values.iter().map(|v| v * scale).collect::<Vec<_>>();
        let plain = ratio_interval(&a, &b, 1).unwrap();
        let scaled = ratio_interval(&scaled(&a), &scaled(&b), 1).unwrap();
        prop_assert!(close(plain.value, scaled.value));
        prop_assert!(close(plain.low, scaled.low) && close(plain.high, scaled.high));
        prop_assert!(plain.low <= plain.value && plain.value <= plain.high);
    }

    #[test]
    fn the_inverse_ratio_has_the_inverse_interval(a in launches(), b in launches()) {
        let forth = ratio_interval(&a, &b, 1).unwrap();
        let back = ratio_interval(&b, &a, 1).unwrap();
        prop_assert!(close(back.low, 1.0 / forth.high) && close(back.high, 1.0 / forth.low));
    }
}

#[test]
fn the_recovered_share_of_a_loss_has_an_interval() {
    let recovered = |switched: &[f64]| {
        recovered_interval(&[10.0, 10.2, 9.8], &[30.0, 30.4, 29.6], switched, 7, 1).unwrap()
    };
    let all = recovered(&[10.0, 10.1, 9.9]);
    assert!(
        (all.value - 1.0).abs() < 1e-9 && all.low > 0.9 && all.high < 1.1,
        "{all:?}"
    );
    let half = recovered(&[20.0, 20.3, 19.7]);
    assert!(
        (half.value - 0.5).abs() < 1e-9 && half.low > 0.4 && half.high < 0.6,
        "{half:?}"
    );
    let nothing = recovered(&[30.0, 30.3, 29.7]);
    assert!(nothing.low < 0.0 && nothing.high > 0.0, "{nothing:?}");
    assert_eq!(recovered_interval(&[1.0], &[1.0], &[1.0], 7, 1), None);
    assert_eq!(recovered_interval(&[], &[1.0], &[1.0], 7, 1), None);
}

/// Two of the switched launches are slower than the quickest of the candidate: by itself that would
/// be told, and of four that are asked together it may be chance.
#[test]
fn the_more_is_asked_the_wider_is_the_interval() {
    let recovered = |together: usize| {
        let baseline = [1.0, 1.1, 0.9, 1.05, 0.95];
        let candidate = [20.0, 22.0, 23.0, 24.0, 25.0];
        let switched = [10.0, 11.0, 12.0, 21.0, 21.5];
        recovered_interval(&baseline, &candidate, &switched, 7, together).unwrap()
    };
    let (one, four) = (recovered(1), recovered(4));
    assert!(one.low > 0.0, "{one:?}");
    assert!(four.low < 0.0 && four.high >= one.high, "{four:?}");
    assert_eq!(one.value, four.value);
}

#[test]
fn a_candidate_that_is_better_has_lost_nothing_to_give_back() {
    assert_eq!(recovered_interval(&[10.0], &[8.0], &[9.0], 7, 1), None);
}
