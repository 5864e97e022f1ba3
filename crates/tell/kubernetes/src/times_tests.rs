use super::*;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, LogNormal};

fn close(value: f64, known: f64) {
    assert!(
        (value - known).abs() < 1e-6 * known,
        "{value} instead of {known}"
    );
}

/// A sample whose mean logarithm is 0 and whose spread is 1, so that quantiles are those of the
/// tables.
fn standard(n: usize) -> Times {
    let logs: Vec<f64> = (0..n).map(|i| i as f64 - (n as f64 - 1.0) / 2.0).collect();
    let spread = (logs.iter().map(|log| log * log).sum::<f64>() / (n as f64 - 1.0)).sqrt();
    let times: Vec<f64> = logs.iter().map(|log| (log / spread).exp()).collect();
    Times::of(&times).unwrap()
}

#[test]
fn quantiles_are_those_of_the_tables_of_students_t() {
    // t with 2, 4 and 9 degrees of freedom, as printed in any table.
    for (n, probability, t) in [
        (3, 0.05, 2.919_986),
        (5, 0.01, 3.746_947),
        (10, 0.005, 3.249_836),
        (10, 0.000_5, 4.780_913),
    ] {
        let widened = t * (1.0 + 1.0 / n as f64).sqrt();
        close(standard(n).exceeded_by(probability).ln(), widened);
        close(standard(n).exceeds(widened.exp()).log_normal, probability);
    }
}

#[test]
fn without_a_distribution_few_launches_tell_little() {
    // None of n beyond: 1 - 0.05^(1/n), nearly 3 / n. One of ten: Clopper and Pearson's table.
    for n in [3, 10, 30, 300] {
        close(clopper_pearson(0, n), 1.0 - 0.05_f64.powf(1.0 / n as f64));
    }
    close(clopper_pearson(1, 10), 0.394_163);
    close(clopper_pearson(10, 10), 1.0);
    let times = Times::of(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    assert_eq!(
        times.exceeds(2.0).at_most,
        clopper_pearson(2, 4),
        "2 s is not beyond 2 s"
    );
}

#[test]
fn equal_times_have_a_spread_all_the_same() {
    let times = Times::of(&[2.0; 5]).unwrap();
    assert!(times.exceeded_by(1e-4) > 2.1, "{}", times.exceeded_by(1e-4));
    assert_eq!(times.median(), 2.0);
}

#[test]
fn a_launch_far_out_is_no_chance() {
    let even = [4.0, 4.1, 4.2, 3.9, 4.05, 4.15, 3.95, 4.0];
    assert!(Times::of(&even).unwrap().slowest_by_chance() > 0.1);
    let mut one_slow = even.to_vec();
    one_slow.push(9.0);
    let chance = Times::of(&one_slow).unwrap().slowest_by_chance();
    assert!(chance < 0.001, "{chance}");
}

#[test]
fn what_is_no_time_is_refused() {
    assert_eq!(Times::of(&[1.0, 2.0]), Err(TimesError::TooFew(2)));
    assert_eq!(Times::of(&[1.0, 2.0, 0.0]), Err(TimesError::NotATime(0.0)));
    assert!(matches!(
        Times::of(&[1.0, 2.0, f64::NAN]),
        Err(TimesError::NotATime(_))
    ));
}

/// Measure n launches, take the time that the next one exceeds with probability p, launch once
/// more: it exceeds it as often as that. And the bound without a distribution is right at least as
/// often as it claims.
#[test]
fn predictions_of_simulated_launches_come_true() {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    for (n, probability, sigma) in [
        (3, 0.05, 0.2),
        (5, 0.01, 0.05),
        (10, 0.01, 0.4),
        (20, 0.001, 0.1),
    ] {
        let launches = LogNormal::new(1.4, sigma).unwrap();
        let repetitions = 8_000;
        let mut beyond = 0;
        let mut bound_wrong = 0;
        for _ in 0..repetitions {
            let times: Vec<f64> = (0..n).map(|_| launches.sample(&mut random)).collect();
            let times = Times::of(&times).unwrap();
            let budget = times.exceeded_by(probability);
            beyond += u32::from(launches.sample(&mut random) > budget);
            // The true share beyond the slowest one: uniform order statistics make it known without
            // a formula of the normal distribution.
            let true_share = launches_beyond(times.slowest(), sigma);
            bound_wrong += u32::from(times.exceeds(times.slowest()).at_most < true_share);
        }
        let repetitions = f64::from(repetitions);
        let share = f64::from(beyond) / repetitions;
        let deviation = (probability * (1.0 - probability) / repetitions).sqrt();
        assert!(
            (share - probability).abs() < 4.0 * deviation,
            "n {n}: {share} instead of {probability}"
        );
        assert!(
            f64::from(bound_wrong) / repetitions < 0.055,
            "n {n}: wrong {bound_wrong} times"
        );
    }
}

fn launches_beyond(seconds: f64, sigma: f64) -> f64 {
    use statrs::distribution::Normal;
    Normal::new(1.4, sigma).unwrap().sf(seconds.ln())
}

proptest! {
    #[test]
    fn more_time_is_exceeded_less_often(
        seconds in prop::collection::vec(0.01..100.0_f64, 3..40),
        budgets in prop::collection::vec(0.001..1e4_f64, 2..20),
    ) {
        let times = Times::of(&seconds).unwrap();
        let mut budgets = budgets;
        budgets.sort_by(f64::total_cmp);
        for pair in budgets.windows(2) {
            let (short, long) = (times.exceeds(pair[0]), times.exceeds(pair[1]));
            prop_assert!(long.log_normal <= short.log_normal);
            prop_assert!(long.at_most <= short.at_most);
            prop_assert!((0.0..=1.0).contains(&long.log_normal) && (0.0..=1.0).contains(&long.at_most));
        }
    }

    #[test]
    fn a_time_and_its_probability_belong_together(seconds in prop::collection::vec(0.5..20.0_f64, 3..40), probability in 1e-6..0.5_f64) {
        let times = Times::of(&seconds).unwrap();
        let budget = times.exceeded_by(probability);
        // Beyond what a number holds there is nothing to compare.
        prop_assume!(budget.is_finite() && budget > 0.0);
        let back = times.exceeds(budget).log_normal;
        prop_assert!((back - probability).abs() < 1e-6 * probability + 1e-12, "{back} {probability}");
    }

    /// Seconds or minutes: the unit does not matter.
    #[test]
    fn scaling_all_times_scales_the_answer(seconds in prop::collection::vec(0.5..20.0_f64, 3..40), factor in 0.1..10.0_f64, budget in 0.5..100.0_f64) {
        let scaled: Vec<f64> = seconds.iter().map(|time| time * factor).collect();
        let (one, other) = (Times::of(&seconds).unwrap(), Times::of(&scaled).unwrap());
        let (one, other) = (one.exceeds(budget).log_normal, other.exceeds(budget * factor).log_normal);
        prop_assert!((one - other).abs() < 1e-9 + 1e-6 * one, "{one} {other}");
    }
}
