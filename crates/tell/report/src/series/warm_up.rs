//! How users were served, second by second.

use super::data::{Band, WarmUpSeries};
use super::phase_seconds::PhaseSeconds;
use super::thin::{median, round};
use std::collections::BTreeMap;
use tacho_run_folder::{LaunchData, RunData, Second};

/// From the launches of a cell, in the first phase that sends requests. Empty for runs that did not
/// ask about warm-ups.
pub fn warm_up(run: &RunData, launches: &[&LaunchData]) -> WarmUpSeries {
    let Some(phase) = run.plan.users() else {
        return WarmUpSeries::default();
    };
    let of_launches: Vec<PhaseSeconds<'_>> = launches
        .iter()
        .map(|launch| PhaseSeconds::of(launch, &phase.label))
        .collect();
    WarmUpSeries {
        p50: band(&of_launches, |second| second.p50_ms),
        p99: band(&of_launches, |second| second.p99_ms),
    }
}

/// Combines those seconds of all launches that are equally far from the beginning of the phase.
/// Seconds without an answer have no response time.
fn band(of_launches: &[PhaseSeconds<'_>], read: fn(&Second) -> f64) -> Vec<Band> {
    let mut values: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
    for (start_s, second) in of_launches.iter().flat_map(PhaseSeconds::iter) {
        if second.answered > 0 {
            let nth = start_s.round().max(0.0) as usize;
            values.entry(nth).or_default().push(read(second));
        }
    }
    let combined = values.into_iter().filter_map(|(nth, values)| {
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        let middle = median(values)?;
        Some([nth as f64 + 0.5, round(low), round(middle), round(high)])
    });
    combined.collect()
}

#[cfg(test)]
mod tests {
    use super::super::phase_seconds::testkit::second;
    use super::*;

    #[test]
    fn first_answers_stand_where_they_came() {
        let late = [second(7.5, 10, 1.0, 900.0), second(8.5, 10, 1.0, 4.0)];
        let failing = [second(3.0, 0, 1.0, 0.0), second(4.0, 10, 1.0, 6.0)];
        let of_launches = [
            PhaseSeconds::since(Some(5.5), late.iter().collect()),
            PhaseSeconds::since(Some(3.0), failing.iter().collect()),
        ];
        assert_eq!(
            band(&of_launches, |second| second.p50_ms),
            vec![
                [1.5, 6.0, 6.0, 6.0],
                [2.5, 900.0, 900.0, 900.0],
                [3.5, 4.0, 4.0, 4.0]
            ]
        );
    }
}
