//! From the record of a trial to its outcome.

use super::TrialOutcome;
use tacho_run_folder::{Objective, PhaseRecord};

/// Below this a lag is the scheduler's and the timer's, on any machine.
const LAG_FLOOR_MS: f64 = 1.0;

/// A larger share of what the objective allows, and the generator is measured too.
const LAG_SHARE: f64 = 0.05;

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
        return TrialOutcome::Held;
    }
    let lag = trial.generator_lag_ms.map_or(0.0, |lag| lag.p99);
    if lag > LAG_FLOOR_MS.max(LAG_SHARE * objective.tightest_ms()) {
        TrialOutcome::GeneratorLimited
    } else {
        TrialOutcome::Failed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tacho_run_folder::{ErrorCount, Quantiles};

    fn trial(p99: f64, failed: u64, lag_p99: f64) -> PhaseRecord {
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
            generator_lag_ms: times(lag_p99),
            ..serde_json::from_value(json).unwrap()
        }
    }

    fn outcome(p99: f64, failed: u64, lag_p99: f64) -> TrialOutcome {
        let objective: Objective = "p99<50ms".parse().unwrap();
        judge(&objective, &trial(p99, failed, lag_p99))
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
        assert_eq!(outcome(90.0, 0, 40.0), TrialOutcome::GeneratorLimited);
        assert_eq!(outcome(90.0, 0, 2.4), TrialOutcome::Failed);
    }

    #[test]
    fn nothing_answered_is_a_failure() {
        let objective: Objective = "p99<50ms".parse().unwrap();
        let silent = PhaseRecord {
            response_time_ms: None,
            ..trial(0.0, 0, 0.0)
        };
        assert_eq!(judge(&objective, &silent), TrialOutcome::Failed);
    }
}
