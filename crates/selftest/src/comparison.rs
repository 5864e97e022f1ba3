//! Expected beside reported, and whose fault a difference is.

use crate::course::Course;
use crate::expected::ExpectedQuantiles;
use crate::machine::Surroundings;
use crate::quantile::Quantile;
use crate::server::Played;
use serde::Serialize;
use tacho_run_folder::{PhaseRecord, Quantiles};

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
/// The floor is for what no script governs: the way over loopback and back with up to four wake-ups of
/// threads, 0.05 to 0.2 ms on an idle machine, and a phase between schedule and script that is as exact as the first
/// request's way. 1 ms is also what Tacho promises for its dispatch delay, so that a generator which keeps its
/// promise passes.
pub const TOLERANCE: Tolerance = Tolerance {
    relative: 0.003,
    floor_ms: 1.0,
};

impl Tolerance {
    /// In milliseconds.
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
    /// Which.
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
    /// Everything agrees.
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
        expected: &ExpectedQuantiles,
        record: &PhaseRecord,
        played: &Played,
        surroundings: Surroundings,
    ) -> Self {
        let comparisons = Quantile::ALL.map(|quantile| {
            let at = |quantiles: Option<Quantiles>| quantiles.map_or(0.0, |q| quantile.of(&q));
            Comparison::new(
                quantile,
                expected.at(quantile),
                at(played.response_time_ms),
                at(record.response_time_ms),
                at(record.service_time_ms),
                excuse(quantile, record, &surroundings),
            )
        });
        Self {
            course: course.clone(),
            requests: expected.count,
            succeeded: record.succeeded,
            comparisons: comparisons.to_vec(),
            generator_lag_ms: record.generator_lag_ms,
            surroundings,
        }
    }

    /// The worst of its comparisons; failed as well when a request is missing.
    #[must_use]
    pub fn judgement(&self) -> Judgement {
        if self.succeeded != self.requests {
            return Judgement::Failed;
        }
        let judgements = self.comparisons.iter().map(|c| match c.verdict {
            Verdict::Agrees => Judgement::Passed,
            Verdict::MachineWasLate => Judgement::Spoiled,
            Verdict::Differs => Judgement::Failed,
        });
        judgements.max().unwrap_or(Judgement::Passed)
    }
}

/// By how much the machine's lateness can have moved a quantile. The server's lateness is the machine's as it
/// stands. The generator's is its own, unless its thread was ready and did not get a processor, or the
/// hypervisor had taken it away.
fn excuse(quantile: Quantile, record: &PhaseRecord, surroundings: &Surroundings) -> f64 {
    let at = |quantiles: Option<Quantiles>| quantiles.map_or(0.0, |q| quantile.of(&q));
    let withheld = surroundings.generator_waited_ms + surroundings.steal_ms;
    at(surroundings.server_lateness_ms) + at(record.generator_lag_ms).min(withheld)
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
        let verdict = if error_ms.abs() <= tolerance_ms {
            Verdict::Agrees
        } else if error_ms.abs() <= tolerance_ms + excused_ms {
            Verdict::MachineWasLate
        } else {
            Verdict::Differs
        };
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
            verdict,
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

    /// A course of 1,000 requests that take 400 ms each, of which the engine reports something.
    fn result(reported_ms: f64, lag_ms: f64, surroundings: Surroundings) -> CourseResult {
        let script = Script::Constant {
            delay_ns: 400_000_000,
        };
        let course = Course::new("constant", script, 100.0, 10.0, 64).unwrap();
        let record = PhaseRecord {
            succeeded: 1_000,
            response_time_ms: Some(all(reported_ms)),
            service_time_ms: Some(all(reported_ms)),
            generator_lag_ms: Some(all(lag_ms)),
            ..empty_record()
        };
        let expected = crate::expected(&course);
        CourseResult::of(
            &course,
            &expected,
            &record,
            &Played::default(),
            surroundings,
        )
    }

    fn empty_record() -> PhaseRecord {
        PhaseRecord {
            by_status: std::collections::BTreeMap::new(),
            label: String::new(),
            kind: "open".to_owned(),
            started_ms: 0.0,
            duration_s: 10.0,
            requests: 1_000,
            succeeded: 0,
            errors: std::collections::BTreeMap::new(),
            intended_rate: None,
            throughput: 0.0,
            response_time_ms: None,
            service_time_ms: None,
            dispatch_delay_ms: None,
            generator_lag_ms: None,
            reconnects: 0,
            generator_cpu_s: 0.0,
            subject_cpu_s: 0.0,
            steal_s: 0.0,
            interrupted: false,
        }
    }

    #[test]
    fn three_thousandths_are_allowed_and_no_more() {
        let quiet = Surroundings::default();
        assert_eq!(result(401.1, 0.1, quiet).judgement(), Judgement::Passed);
        assert_eq!(result(398.9, 0.1, quiet).judgement(), Judgement::Passed);
        assert_eq!(result(401.3, 0.1, quiet).judgement(), Judgement::Failed);
        assert_eq!(result(398.7, 0.1, quiet).judgement(), Judgement::Failed);
    }

    #[test]
    fn a_late_server_excuses_what_it_was_late() {
        let late = Surroundings {
            server_lateness_ms: Some(all(5.0)),
            ..Surroundings::default()
        };
        assert_eq!(result(406.0, 0.1, late).judgement(), Judgement::Spoiled);
        assert_eq!(result(406.3, 0.1, late).judgement(), Judgement::Failed);
    }

    #[test]
    fn a_late_generator_is_excused_only_where_the_machine_withheld_the_processor() {
        let quiet = Surroundings::default();
        assert_eq!(result(406.0, 5.0, quiet).judgement(), Judgement::Failed);
        for surroundings in [
            Surroundings {
                generator_waited_ms: 100.0,
                ..quiet
            },
            Surroundings {
                steal_ms: 100.0,
                ..quiet
            },
        ] {
            assert_eq!(
                result(406.0, 5.0, surroundings).judgement(),
                Judgement::Spoiled
            );
            // It was not later than that.
            assert_eq!(
                result(410.0, 5.0, surroundings).judgement(),
                Judgement::Failed
            );
        }
    }

    #[test]
    fn a_request_that_is_missing_is_a_failure() {
        let mut result = result(400.0, 0.0, Surroundings::default());
        assert_eq!(result.judgement(), Judgement::Passed);
        result.succeeded -= 1;
        assert_eq!(result.judgement(), Judgement::Failed);
    }

    proptest! {
        #[test]
        fn more_error_is_never_judged_better(
            reported in 390.0f64..410.0, further in 0.0f64..10.0, late in 0.0f64..5.0,
        ) {
            let surroundings = Surroundings {
                server_lateness_ms: Some(all(late)),
                ..Surroundings::default()
            };
            let away = if reported >= 400.0 { reported + further } else { reported - further };
            prop_assert!(
                result(away, 0.0, surroundings).judgement() >= result(reported, 0.0, surroundings).judgement()
            );
        }
    }
}
