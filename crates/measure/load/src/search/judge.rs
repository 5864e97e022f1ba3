//! From the record of a trial to its outcome.

use super::TrialOutcome;
use tacho_run_folder::{LATE_SHARE, Objective, PhaseRecord};

/// Whether the objective held, and if not, whether it was the subject.
///
/// Response times count from the intended instant, the generator's lateness included. So an
/// objective that held did so in spite of it, and the lateness matters only when the objective
/// failed.
#[must_use]
pub fn judge(objective: &Objective, trial: &PhaseRecord) -> TrialOutcome {
    let failed: u64 = trial.errors.values().map(|error| error.count).sum();
    let failed_share = failed as f64 / trial.requests.max(1) as f64;
    if objective.holds(trial.response_time_ms.as_ref(), failed_share) {
        TrialOutcome::Held
    } else if may_be_the_generators(objective, trial, failed_share) {
        TrialOutcome::GeneratorLimited
    } else {
        TrialOutcome::Failed
    }
}

/// A share of a time that is smaller than this is noise: two trials at the same rate differ by
/// more.
const NOISE: f64 = 0.01;

/// Whether the objective may have failed because the generator was late. Either the objective would
/// have held without the lateness, or more than a tenth of a bounded time is lateness. (Late
/// requests come in a bunch and so also take longer: a time that is mostly lateness says nothing
/// about the subject.)
fn may_be_the_generators(objective: &Objective, trial: &PhaseRecord, failed_share: f64) -> bool {
    let Some((response, on_time)) = trial.response_time_ms.zip(trial.on_time_response_ms) else {
        return false;
    };
    let late = objective.share_added(&response, &on_time);
    late > LATE_SHARE || late > NOISE && objective.holds(Some(&on_time), failed_share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tacho_run_folder::{ErrorCount, Quantiles};

    /// `late`: what of the response time is the generator's lateness.
    fn trial(p99: f64, failed: u64, late: f64) -> PhaseRecord {
        let times = |p99| {
            Some(Quantiles {
                count: 1_000,
                p99,
                ..Quantiles::default()
            })
        };
        let error = ErrorCount {
            count: failed,
            example: String::new(),
        };
        let json = serde_json::json!({
            "label": "trial", "kind": "open", "started_ms": 0.0, "duration_s": 10.0,
            "requests": 1_000, "succeeded": 1_000 - failed, "errors": {}, "throughput": 100.0,
            "reconnects": 0, "generator_cpu_s": 0.0, "subject_cpu_s": 0.0, "steal_s": 0.0,
            "interrupted": false,
        });
        PhaseRecord {
            errors: BTreeMap::from([("timeout".into(), error)]),
            response_time_ms: times(p99),
            on_time_response_ms: times(p99 - late),
            ..serde_json::from_value(json).unwrap()
        }
    }

    fn outcome(p99: f64, failed: u64, late: f64) -> TrialOutcome {
        let objective: Objective = "p99<50ms".parse().unwrap();
        judge(&objective, &trial(p99, failed, late))
    }

    #[test]
    fn it_holds_when_the_response_time_does() {
        assert_eq!(outcome(49.0, 0, 0.1), TrialOutcome::Held);
        assert_eq!(outcome(50.0, 0, 0.1), TrialOutcome::Failed);
    }

    #[test]
    fn requests_that_failed_are_not_answered_in_time_either() {
        assert_eq!(outcome(10.0, 10, 0.1), TrialOutcome::Held);
        assert_eq!(outcome(10.0, 11, 0.1), TrialOutcome::Failed);
    }

    #[test]
    fn a_late_generator_is_no_excuse_for_success_but_for_failure() {
        assert_eq!(outcome(49.0, 0, 40.0), TrialOutcome::Held);
        assert_eq!(outcome(90.0, 0, 42.0), TrialOutcome::GeneratorLimited);
        assert_eq!(outcome(90.0, 0, 8.0), TrialOutcome::Failed);
        // It is not much, but it decided.
        assert_eq!(outcome(52.0, 0, 4.0), TrialOutcome::GeneratorLimited);
    }

    #[test]
    fn a_subject_that_is_far_beyond_what_it_can_do_fails_though_the_generator_is_late_too() {
        assert_eq!(outcome(900.0, 0, 30.0), TrialOutcome::Failed);
        assert_eq!(outcome(900.0, 0, 300.0), TrialOutcome::GeneratorLimited);
    }

    #[test]
    fn nothing_answered_is_a_failure() {
        let objective: Objective = "p99<50ms".parse().unwrap();
        let silent = PhaseRecord {
            response_time_ms: None,
            on_time_response_ms: None,
            ..trial(0.0, 0, 0.0)
        };
        assert_eq!(judge(&objective, &silent), TrialOutcome::Failed);
    }
}
