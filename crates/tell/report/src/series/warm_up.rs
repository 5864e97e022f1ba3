//! How users were served, second by second.

use super::data::{Band, WarmUpSeries};
use super::thin::{median, round};
use tacho_run_folder::{LaunchData, RunData, Second};

/// From the launches of a cell, in the first phase that sends requests. Empty for runs that did not
/// ask about warm-ups.
pub fn warm_up(run: &RunData, launches: &[&LaunchData]) -> WarmUpSeries {
    let Some(phase) = run.plan.users() else {
        return WarmUpSeries::default();
    };
    let of_launches: Vec<Vec<&Second>> = launches
        .iter()
        .map(|launch| {
            let seconds = launch.seconds.iter();
            seconds
                .filter(|s| s.phase == phase.label && s.answered > 0)
                .collect()
        })
        .collect();
    WarmUpSeries {
        p50: band(&of_launches, |second| second.p50_ms),
        p99: band(&of_launches, |second| second.p99_ms),
    }
}

/// Combines second `n` of all launches.
fn band(of_launches: &[Vec<&Second>], read: fn(&Second) -> f64) -> Vec<Band> {
    let longest = of_launches.iter().map(Vec::len).max().unwrap_or(0);
    (0..longest)
        .filter_map(|n| {
            let values: Vec<f64> = of_launches
                .iter()
                .filter_map(|seconds| seconds.get(n).map(|second| read(second)))
                .collect();
            let low = values.iter().copied().reduce(f64::min)?;
            let high = values.iter().copied().reduce(f64::max)?;
            let middle = median(values)?;
            Some([n as f64 + 0.5, round(low), round(middle), round(high)])
        })
        .collect()
}
