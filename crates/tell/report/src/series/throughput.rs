//! Answers a second over the seconds of a phase.

use super::data::Point;
use super::phase_seconds::PhaseSeconds;

/// An interval shorter than this says little about a rate: the rest of a second at the end of a
/// phase.
const SHORTEST_RATE_S: f64 = 0.25;

/// Seconds since the phase began, answers a second. Seconds without any answer are 0.
pub fn throughput(seconds: &PhaseSeconds<'_>) -> Vec<Point> {
    let are_several = seconds.iter().count() > 1;
    let mut points: Vec<Point> = Vec::new();
    let mut end_s = 0.0;
    for (start_s, second) in seconds.iter() {
        let length = second.duration_s;
        if length < SHORTEST_RATE_S && are_several {
            continue;
        }
        if start_s - end_s > 0.5 {
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
    use super::super::phase_seconds::testkit::second;
    use super::*;
    use tacho_run_folder::Second;

    /// Of each second: start in seconds, answers, length.
    fn points(recorded_s: Option<f64>, seconds: &[(f64, u64, f64)]) -> Vec<Point> {
        let seconds: Vec<Second> = seconds
            .iter()
            .map(|&(start_s, answered, duration_s)| second(start_s, answered, duration_s, 1.0))
            .collect();
        throughput(&PhaseSeconds::since(recorded_s, seconds.iter().collect()))
    }

    #[test]
    fn a_rate_counts_from_the_beginning_of_the_phase() {
        let seconds = [(5.0, 100, 1.0), (6.0, 300, 1.0), (7.0, 50, 0.5)];
        let expected = vec![[0.5, 100.0], [1.5, 300.0], [2.25, 100.0]];
        assert_eq!(points(Some(5.0004), &seconds), expected);
        assert_eq!(points(None, &seconds), expected);
    }

    #[test]
    fn a_silent_second_is_zero_and_a_short_rest_is_left_out() {
        assert_eq!(
            points(
                Some(0.0),
                &[(0.0, 100, 1.0), (3.0, 100, 1.0), (4.0, 1, 0.001)]
            ),
            vec![[0.5, 100.0], [1.0, 0.0], [3.0, 0.0], [3.5, 100.0]]
        );
    }

    #[test]
    fn a_silence_at_the_beginning_is_zero() {
        assert_eq!(
            points(Some(5.0), &[(7.0, 100, 1.0), (8.0, 300, 1.0)]),
            vec![[0.0, 0.0], [2.0, 0.0], [2.5, 100.0], [3.5, 300.0]]
        );
    }
}
