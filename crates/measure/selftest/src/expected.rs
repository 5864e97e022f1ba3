//! The response times that follow from a course: arithmetic, no clock and no socket.
//!
//! A request that is intended `u` after a silence of length `S` began, at rate `r` with a backlog
//! answered at rate `D`, is number `r u` of the backlog, so that it is answered at `S + r u / D`
//! and takes
//!
//! ```text
//! S - u (1 - r/D)      while that is above 0, and nothing afterwards.
//! ```
//!
//! So of every period `P` a share `a = S / ((1 - r/D) P)` of the requests takes times that are
//! evenly spread over 0 to `S`, and quantile `q` is `S (q - (1 - a)) / a`. With 1 s of silence
//! every 10 s, 2,000 requests and 20,000 answers a second: `a` = 1/9, p90 = 100 ms, p95 = 550 ms,
//! p99 = 910 ms.
//!
//! Requests are countable, so the quantiles below are those of the times themselves, one for each
//! request, and not of the continuous distribution: at 2,000/s the two differ by up to half a
//! millisecond.

use crate::course::{Course, intended_ns};
use crate::script::{Script, Stall};
use tacho_run_folder::{Quantile, Quantiles};

/// Of times in nanoseconds; at least one.
fn quantiles(mut times: Vec<u64>) -> Quantiles {
    times.sort_unstable();
    let count = times.len() as u64;
    let ms = |ns: u64| ns as f64 / 1e6;
    let at = |quantile: Quantile| {
        let index = quantile.rank(count) as usize - 1;
        times.get(index).map_or(0.0, |&ns| ms(ns))
    };
    Quantiles {
        count,
        min: times.first().map_or(0.0, |&ns| ms(ns)),
        mean: ms(times.iter().sum()) / count.max(1) as f64,
        p50: at(Quantile::P50),
        p90: at(Quantile::P90),
        p95: at(Quantile::P95),
        p99: at(Quantile::P99),
        p99_9: at(Quantile::P99_9),
        max: at(Quantile::Max),
    }
}

/// The quantiles of the response time, counted from the intended instants, when neither network nor
/// machine take any time. In milliseconds.
#[must_use]
pub fn expected(course: &Course) -> Quantiles {
    let response_ns = |(n, at)| match &course.script {
        Script::Constant { delay_ns } => *delay_ns,
        Script::Mixture(mixture) => mixture.delay_ns(n),
        Script::Stall(stall) => stalled_ns(stall, course.rate, n, at),
    };
    quantiles((0u64..).zip(course.intended()).map(response_ns).collect())
}

/// The formula above for request `n`, which is intended at `at`.
fn stalled_ns(stall: &Stall, rate: f64, n: u64, at: u64) -> u64 {
    stall.last_silence(at).map_or(0, |silence| {
        let place = n - first_at_or_after(silence.begin_ns, rate);
        stall.answered_ns(silence, place).saturating_sub(at)
    })
}

/// Number of the first request that is intended at or after an instant.
fn first_at_or_after(instant: u64, rate: f64) -> u64 {
    let estimate = (instant as f64 * rate / 1e9) as u64;
    // Rounding errs by one at most.
    (estimate.saturating_sub(1)..)
        .find(|&n| intended_ns(rate, n) >= instant)
        .unwrap_or(estimate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playback::Playback;
    use crate::script::Mixture;
    use proptest::prelude::*;
    use std::collections::VecDeque;
    use std::time::Duration;

    const MS: Duration = Duration::from_millis(1);

    fn stall(period_ms: u32, silence_ms: u32, backlog_rate: f64) -> Script {
        Script::Stall(Stall::new(period_ms * MS, silence_ms * MS, backlog_rate).unwrap())
    }

    /// Brute force: connections that carry one request at a time, a queue before them, and the
    /// server's own state machine; nothing of the formula.
    fn simulated(course: &Course) -> Quantiles {
        let mut playback = Playback::new(course.script.clone(), course.rate);
        let mut free_at: VecDeque<u64> = vec![0; course.connections as usize].into();
        let mut times = Vec::new();
        for intended in course.intended() {
            // The connection that is free first takes the request that has waited longest.
            let free = free_at.pop_front().unwrap();
            let sent = intended.max(free);
            let end = playback.answer_at(sent);
            times.push(end - intended);
            let place = free_at.partition_point(|&other| other <= end);
            free_at.insert(place, end);
        }
        quantiles(times)
    }

    fn assert_within(seen: &Quantiles, truth: &Quantiles, ms: f64) {
        assert_eq!(seen.count, truth.count);
        for quantile in Quantile::ALL {
            let (seen, truth) = (quantile.of(seen), quantile.of(truth));
            assert!(
                (seen - truth).abs() <= ms,
                "{quantile}: {seen} instead of {truth}"
            );
        }
    }

    #[test]
    fn a_second_of_silence_in_ten() {
        let course = Course::new("", stall(10_000, 1_000, 20_000.0), 2_000.0, 20.0, 64).unwrap();
        let quantiles = expected(&course);
        assert_eq!(quantiles.count, 40_000);
        // Of the continuous distribution: S (q - (1 - a)) / a with a = 1/9. Requests are half a
        // millisecond apart.
        for (seen, truth) in [
            (quantiles.p50, 0.0),
            (quantiles.p90, 100.0),
            (quantiles.p95, 550.0),
            (quantiles.p99, 910.0),
            (quantiles.p99_9, 991.0),
            (quantiles.max, 1_000.0),
        ] {
            assert!((seen - truth).abs() <= 0.5, "{seen} instead of {truth}");
        }
    }

    #[test]
    fn the_faster_the_backlog_is_answered_the_nearer_to_the_bare_silence() {
        // At once, 10 % of the requests would take 0 to 1 s: p95 500 ms, p99 900 ms.
        let p95 = |rate| {
            let course = Course::new("", stall(10_000, 1_000, rate), 2_000.0, 10.0, 64).unwrap();
            expected(&course).p95
        };
        assert!((p95(1e6) - 501.0).abs() < 0.5, "{}", p95(1e6));
        assert!((p95(1e7) - 500.1).abs() < 0.5, "{}", p95(1e7));
    }

    #[test]
    fn a_mixture_has_its_delays_as_quantiles() {
        let shares = [
            (600, 10 * MS),
            (320, 100 * MS),
            (60, 400 * MS),
            (15, 800 * MS),
            (5, 1_000 * MS),
        ];
        let script = Script::Mixture(Mixture::new(&shares).unwrap());
        let course = Course::new("", script, 1_000.0, 3.0, 128).unwrap();
        let truth = Quantiles {
            count: 3_000,
            min: 10.0,
            mean: 79.0,
            p50: 10.0,
            p90: 100.0,
            p95: 400.0,
            p99: 800.0,
            p99_9: 1_000.0,
            max: 1_000.0,
        };
        assert_eq!(expected(&course), truth);
        assert_eq!(simulated(&course), truth);
    }

    #[test]
    fn a_constant_delay_is_every_quantile() {
        let script = Script::Constant {
            delay_ns: 400_000_000,
        };
        let course = Course::new("", script, 10.0, 1.0, 8).unwrap();
        let quantiles = expected(&course);
        assert_eq!(quantiles.count, 10);
        for quantile in Quantile::ALL {
            assert!((quantile.of(&quantiles) - 400.0).abs() < 1e-9);
        }
    }

    proptest! {
        #[test]
        fn the_formula_agrees_with_brute_force_for_silences(
            period in 200u32..3_000, share in 0.01f64..0.9, rate in 10.0f64..1_000.0,
            haste in 1.05f64..30.0, duration in 0.5f64..4.0, connections in 1u32..100,
        ) {
            let silence = (f64::from(period) * share) as u32 + 1;
            let course = Course::new("", stall(period, silence, rate * haste), rate, duration, connections);
            // Silences that run into one another are refused; their response times are not told.
            prop_assume!(course.is_ok());
            let course = course.unwrap();
            let (expected, simulated) = (expected(&course), simulated(&course));
            // With few connections a request may come to the server only when its turn is over:
            // some nanoseconds.
            assert_within(&expected, &simulated, 1e-3);
        }

        #[test]
        fn and_for_mixtures(
            first in 0u64..=1_000, short in 0u32..100, long in 0u32..500,
            rate in 1.0f64..500.0, duration in 0.5f64..3.0,
        ) {
            let shares = [(first, short * MS), (1_000 - first, long * MS)];
            let script = Script::Mixture(Mixture::new(&shares).unwrap());
            let course = Course::new("", script, rate, duration, 400).unwrap();
            prop_assert_eq!(expected(&course), simulated(&course));
        }

        #[test]
        fn quantiles_never_fall_and_end_at_the_silence(
            rate in 100.0f64..2_000.0, duration in 1.0f64..3.0,
        ) {
            let course = Course::new("", stall(1_000, 100, 50_000.0), rate, duration, 8).unwrap();
            let quantiles = expected(&course);
            let all = Quantile::ALL.map(|quantile| quantile.of(&quantiles));
            prop_assert!(all.is_sorted(), "{:?}", all);
            // The first request of a silence comes up to an interval after its beginning.
            prop_assert!(quantiles.max <= 100.0 && quantiles.max >= 100.0 - 1e3 / rate - 0.1, "{:?}", all);
        }
    }
}
