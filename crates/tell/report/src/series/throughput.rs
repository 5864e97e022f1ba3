//! Answers a second over the seconds of a phase.

use super::data::Point;
use tacho_run_folder::Second;

/// An interval shorter than this says little about a rate: the rest of a second at the end of a
/// phase.
const SHORTEST_RATE_S: f64 = 0.25;

/// Seconds since the phase began, answers a second. Seconds without any answer are 0.
pub fn throughput(seconds: &[&Second]) -> Vec<Point> {
    let Some(first) = seconds.first() else {
        return Vec::new();
    };
    let mut points: Vec<Point> = Vec::new();
    let mut end_s = 0.0;
    for second in seconds {
        let start_s = second.start_s - first.start_s;
        let length = second.duration_s;
        if length < SHORTEST_RATE_S && seconds.len() > 1 {
            continue;
        }
        if start_s - end_s > 0.5 && !points.is_empty() {
            points.push([end_s, 0.0]);
            points.push([start_s, 0.0]);
        }
        end_s = start_s + length;
        points.push([
            start_s + length / 2.0,
            second.answered as f64 / length.max(f64::MIN_POSITIVE),
        ]);
    }
    points.retain(|p| p[1].is_finite());
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of each second: start in seconds, answers, length.
    fn points(seconds: &[(f64, u64, f64)]) -> Vec<Point> {
        let seconds: Vec<Second> = seconds
            .iter()
            .map(|&(start_s, answered, duration_s)| Second {
                phase: "open".to_owned(),
                start_s,
                duration_s,
                answered,
                failed: 0,
                mean_ms: 1.0,
                p50_ms: 1.0,
                p99_ms: 1.0,
                over_objective: 0,
            })
            .collect();
        throughput(&seconds.iter().collect::<Vec<_>>())
    }

    #[test]
    fn a_rate_counts_from_the_beginning_of_the_phase() {
        assert_eq!(
            points(&[(5.0, 100, 1.0), (6.0, 300, 1.0), (7.0, 50, 0.5)]),
            vec![[0.5, 100.0], [1.5, 300.0], [2.25, 100.0]]
        );
    }

    #[test]
    fn a_silent_second_is_zero_and_a_short_rest_is_left_out() {
        assert_eq!(
            points(&[(0.0, 100, 1.0), (3.0, 100, 1.0), (4.0, 1, 0.001)]),
            vec![[0.5, 100.0], [1.0, 0.0], [3.0, 0.0], [3.5, 100.0]]
        );
    }
}
