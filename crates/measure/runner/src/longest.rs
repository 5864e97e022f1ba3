//! The longest that the load of a launch may take. A launch that nobody ends any more, such as the
//! pod of a run that was killed, may be ended after it by whoever holds it.

use std::time::Duration;
use tacho_experiment::{Recipe, WarmUp};
use tacho_run_folder::{PhaseKind, PhasePlan};
use tacho_workload::Scenario;

/// For what a plan does not tell: a search, a recorded schedule, users who think until their last
/// request. No number of requests counts as more.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Of these phases after such a warm-up. What ends with a number of requests may take as long as
/// all of them one after another, each until its timeout.
#[must_use]
pub fn longest(
    phases: &[PhasePlan],
    warm_up: Option<&WarmUp>,
    requests: &[Scenario],
    request_timeout: Duration,
) -> Duration {
    let steps: usize = requests.iter().map(|request| request.steps.len()).sum();
    let each_s = request_timeout.as_secs_f64() * steps.max(1) as f64;
    let one_by_one = |number: u64| seconds(each_s * number as f64).min(A_DAY);
    let of_phase = |kind: &PhaseKind| match (kind, kind.duration_s()) {
        (_, Some(duration_s)) => seconds(duration_s),
        (
            PhaseKind::Cold { requests }
            | PhaseKind::Closed {
                requests: Some(requests),
                think: None,
                ..
            },
            None,
        ) => one_by_one(*requests),
        _ => A_DAY,
    };
    let warming = match warm_up.map(|warm_up| &warm_up.recipe) {
        None | Some(Recipe::None) => Duration::ZERO,
        Some(Recipe::Requests { requests } | Recipe::Each { requests }) => one_by_one(*requests),
        Some(Recipe::Bursts {
            requests,
            size,
            rest_s,
        }) => {
            let rests = (requests / (*size).max(1)) as f64;
            one_by_one(*requests).saturating_add(seconds(rest_s * rests))
        }
        Some(Recipe::Settled { within_s, .. }) => seconds(*within_s),
    };
    let phases = phases.iter().map(|phase| of_phase(&phase.kind));
    phases.fold(warming, Duration::saturating_add)
}

fn seconds(number: f64) -> Duration {
    Duration::try_from_secs_f64(number).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_workload::Step;

    const TIMEOUT: Duration = Duration::from_secs(30);

    fn of(kinds: &[PhaseKind], warm_up: Option<&WarmUp>) -> Duration {
        let phases: Vec<PhasePlan> = kinds
            .iter()
            .map(|kind| PhasePlan {
                label: "phase".to_owned(),
                kind: kind.clone(),
            })
            .collect();
        longest(&phases, warm_up, &[Scenario::of(Step::get("/"))], TIMEOUT)
    }

    fn open(duration_s: f64) -> PhaseKind {
        PhaseKind::Open {
            rate: 100.0,
            duration_s,
            connections: 8,
        }
    }

    #[test]
    fn phases_and_warm_up_add_up() {
        assert_eq!(of(&[], None), Duration::ZERO);
        let three_hours = [
            open(7_200.0),
            PhaseKind::Rest {
                duration_s: 3_600.0,
            },
        ];
        assert_eq!(of(&three_hours, None), Duration::from_secs(10_800));
        let warm_up = WarmUp {
            recipe: Recipe::Settled {
                at_least: None,
                at_most: 10_000,
                within_s: 300.0,
            },
            connections: 2,
            boost_cpu: None,
        };
        let cold = [PhaseKind::Cold { requests: 5 }, open(10.0)];
        assert_eq!(of(&cold, Some(&warm_up)), Duration::from_secs(460));
    }

    #[test]
    fn what_a_plan_does_not_tell_counts_as_a_day() {
        let closed = |requests| PhaseKind::Closed {
            requests: Some(requests),
            duration_s: None,
            connections: 8,
            ramp_s: 0.0,
            think: None,
        };
        assert_eq!(of(&[closed(10)], None), Duration::from_secs(300));
        assert_eq!(of(&[closed(u64::MAX)], None), A_DAY);
        assert_eq!(of(&[open(f64::MAX), closed(1)], None), Duration::MAX);
    }
}
