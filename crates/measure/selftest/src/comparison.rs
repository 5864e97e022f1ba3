//! Expected beside reported, and whose fault a difference is.

use crate::course::Course;
use crate::drive::Reported;
use crate::machine::Surroundings;
use crate::server::Played;
use serde::Serialize;
use tacho_run_folder::{Quantile, Quantiles};

/// How far a reported quantile may be from the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tolerance {
    /// As a fraction of the expected value.
    pub relative: f64,
    /// At least so much.
    pub floor_ms: f64,
}

/// 0.3 %, of which a histogram with 3 digits takes up to 0.1 %.
///
/// The floor is for what no script governs: the way over loopback and back with up to four wake-ups
/// of threads, 0.05 to 0.2 ms on an idle machine, and a phase between schedule and script that is
/// as exact as the first request's way. 1 ms is also what Tacho promises for its dispatch delay, so
/// that a generator which keeps its promise passes.
pub const TOLERANCE: Tolerance = Tolerance {
    relative: 0.003,
    floor_ms: 1.0,
};

impl Tolerance {
    /// How far a value may be from the expected one, in milliseconds.
    #[must_use]
    pub fn of(self, expected_ms: f64) -> f64 {
        (expected_ms * self.relative).max(self.floor_ms)
    }
}

/// What a comparison shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Within the tolerance.
    Agrees,
    /// Beyond it, but not by more than the machine was seen to be late.
    MachineWasLate,
    /// Beyond it, and nothing else explains it: the engine measures wrongly here.
    Differs,
}

/// One quantile, expected and reported. In milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Comparison {
    /// The quantile that is compared.
    pub quantile: Quantile,
    /// What follows from the script.
    pub expected_ms: f64,
    /// What the server gave: from the intended instants to its writes.
    pub served_ms: f64,
    /// What Tacho reports as response time.
    pub reported_ms: f64,
    /// reported - expected.
    pub error_ms: f64,
    /// The same as a fraction of what is expected; absent where nothing is expected but the path.
    pub relative_error: Option<f64>,
    /// So far apart they may be.
    pub tolerance_ms: f64,
    /// What the machine's lateness explains beyond that.
    pub excused_ms: f64,
    /// What a closed-loop tool would have printed: the service time of the same requests.
    pub closed_loop_ms: f64,
    /// What it shows.
    pub verdict: Verdict,
}

/// A course: what was expected, what was reported, and what the machine did meanwhile.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CourseResult {
    /// Script, rate, duration.
    pub course: Course,
    /// Requests that had to be answered.
    pub requests: u64,
    /// Requests that Tacho reports as answered without error.
    pub succeeded: u64,
    /// The six quantiles.
    pub comparisons: Vec<Comparison>,
    /// How late the generator took requests up.
    pub generator_lag_ms: Option<Quantiles>,
    /// What the machine did.
    pub surroundings: Surroundings,
}

/// What a course, or a whole self-test, comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    /// All quantiles agree within their tolerance.
    Passed,
    /// The machine was late, so that nothing is shown; run it again on an idle machine.
    Spoiled,
    /// Tacho measures wrongly on this machine.
    Failed,
}

impl CourseResult {
    /// Lays what was reported beside what was expected.
    pub(crate) fn of(
        course: &Course,
        expected: &Quantiles,
        reported: &Reported,
        played: &Played,
        surroundings: Surroundings,
    ) -> Self {
        let comparisons = Quantile::ALL.map(|quantile| {
            let at = |quantiles: Option<Quantiles>| quantiles.map_or(0.0, |q| quantile.of(&q));
            let (expected_ms, served_ms) = (quantile.of(expected), at(played.response_time_ms));
            let lag_ms = at(reported.generator_lag_ms);
            Comparison::new(
                quantile,
                expected_ms,
                served_ms,
                at(reported.response_time_ms),
                at(reported.service_time_ms),
                excuse(expected_ms, served_ms, lag_ms, &surroundings),
            )
        });
        Self {
            course: course.clone(),
            requests: expected.count,
            succeeded: reported.succeeded,
            comparisons: comparisons.to_vec(),
            generator_lag_ms: reported.generator_lag_ms,
            surroundings,
        }
    }

    /// The worst of its comparisons; failed as well when a request is missing.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        if self.succeeded != self.requests {
            return Judgement::Failed;
        }
        let judgements = self.comparisons.iter().map(|c| c.verdict.into());
        judgements.max().unwrap_or(Judgement::Passed)
    }
}

/// By how much the machine can have moved a quantile.
///
/// What the server gave differs from the script where the server was late to read or to write,
/// which is the machine's doing, or where the generator was late to send. The latter is the
/// generator's own, unless its thread was ready and did not get a processor, or the hypervisor had
/// taken it away. What Tacho reports beyond what the server gave is never excused by the server.
fn excuse(expected_ms: f64, served_ms: f64, lag_ms: f64, surroundings: &Surroundings) -> f64 {
    let withheld = lag_ms.min(surroundings.generator_waited_ms + surroundings.steal_ms);
    let own = lag_ms - withheld;
    ((served_ms - expected_ms).abs() - own).max(0.0) + withheld
}

impl Comparison {
    fn new(
        quantile: Quantile,
        expected_ms: f64,
        served_ms: f64,
        reported_ms: f64,
        closed_loop_ms: f64,
        excused_ms: f64,
    ) -> Self {
        let error_ms = reported_ms - expected_ms;
        let tolerance_ms = TOLERANCE.of(expected_ms);
        Self {
            quantile,
            expected_ms,
            served_ms,
            reported_ms,
            error_ms,
            relative_error: (expected_ms > 0.0).then(|| error_ms / expected_ms),
            tolerance_ms,
            excused_ms,
            closed_loop_ms,
            verdict: Verdict::of(error_ms, tolerance_ms, excused_ms),
        }
    }
}

impl Verdict {
    /// Of a difference, what is allowed, and what the machine can have made of it besides.
    pub(crate) fn of(error: f64, tolerance: f64, excused: f64) -> Self {
        if error.abs() <= tolerance {
            Self::Agrees
        } else if error.abs() <= tolerance + excused {
            Self::MachineWasLate
        } else {
            Self::Differs
        }
    }
}

impl From<Verdict> for Judgement {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Agrees => Self::Passed,
            Verdict::MachineWasLate => Self::Spoiled,
            Verdict::Differs => Self::Failed,
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::script::Script;
    use proptest::prelude::*;

    pub fn all(ms: f64) -> Quantiles {
        Quantiles {
            count: 1_000,
            min: ms,
            mean: ms,
            p50: ms,
            p90: ms,
            p95: ms,
            p99: ms,
            p99_9: ms,
            max: ms,
        }
    }

    /// A course of 100 requests that should take 400 ms each: what the server gave, and what the
    /// engine reports.
    fn result(
        served_ms: f64,
        reported_ms: f64,
        lag_ms: f64,
        surroundings: Surroundings,
    ) -> CourseResult {
        let script = Script::Constant {
            delay_ns: 400_000_000,
        };
        let course = Course::new("constant", script, 10.0, 10.0, 64).unwrap();
        let reported = Reported {
            succeeded: 100,
            response_time_ms: Some(all(reported_ms)),
            service_time_ms: Some(all(reported_ms)),
            generator_lag_ms: Some(all(lag_ms)),
            ..Reported::default()
        };
        let played = Played {
            response_time_ms: Some(all(served_ms)),
            ..Played::default()
        };
        let expected = crate::expected(&course);
        CourseResult::of(&course, &expected, &reported, &played, surroundings)
    }

    fn judged(served_ms: f64, reported_ms: f64, lag_ms: f64, machine: Surroundings) -> Judgement {
        result(served_ms, reported_ms, lag_ms, machine).judgement()
    }

    const QUIET: Surroundings = Surroundings {
        server_lateness_ms: None,
        server_waited_ms: 0.0,
        generator_waited_ms: 0.0,
        steal_ms: 0.0,
    };

    #[test]
    fn three_thousandths_are_allowed_and_no_more() {
        assert_eq!(judged(400.0, 401.1, 0.1, QUIET), Judgement::Passed);
        assert_eq!(judged(400.0, 398.9, 0.1, QUIET), Judgement::Passed);
        assert_eq!(judged(400.0, 401.3, 0.1, QUIET), Judgement::Failed);
        assert_eq!(judged(400.0, 398.7, 0.1, QUIET), Judgement::Failed);
    }

    #[test]
    fn a_late_server_excuses_what_it_was_late() {
        assert_eq!(judged(405.0, 405.1, 0.0, QUIET), Judgement::Spoiled);
        assert_eq!(judged(405.0, 406.1, 0.0, QUIET), Judgement::Spoiled);
        // The engine adds more than it may to what the server gave.
        assert_eq!(judged(405.0, 406.3, 0.0, QUIET), Judgement::Failed);
    }

    #[test]
    fn a_late_generator_is_excused_only_where_the_machine_withheld_the_processor() {
        // It sent 5 ms late, so that the server gave its answers 5 ms late.
        assert_eq!(judged(405.0, 405.1, 5.0, QUIET), Judgement::Failed);
        for machine in [
            Surroundings {
                generator_waited_ms: 100.0,
                ..QUIET
            },
            Surroundings {
                steal_ms: 100.0,
                ..QUIET
            },
        ] {
            assert_eq!(judged(405.0, 405.1, 5.0, machine), Judgement::Spoiled);
            // It may have read as late as it sent, and no later.
            assert_eq!(judged(405.0, 411.0, 5.0, machine), Judgement::Spoiled);
            assert_eq!(judged(405.0, 411.3, 5.0, machine), Judgement::Failed);
        }
    }

    #[test]
    fn a_request_that_is_missing_is_a_failure() {
        let mut result = result(400.0, 400.0, 0.0, QUIET);
        assert_eq!(result.judgement(), Judgement::Passed);
        result.succeeded -= 1;
        assert_eq!(result.judgement(), Judgement::Failed);
    }

    proptest! {
        #[test]
        fn more_error_is_never_judged_better(
            served in 400.0f64..405.0, reported in 390.0f64..410.0, further in 0.0f64..10.0,
        ) {
            let away = if reported >= 400.0 { reported + further } else { reported - further };
            prop_assert!(judged(served, away, 0.0, QUIET) >= judged(served, reported, 0.0, QUIET));
        }
    }
}
