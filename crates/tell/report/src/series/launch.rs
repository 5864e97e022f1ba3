//! What one launch adds to the charts; its histograms are merged as they are read.

use super::data::Point;
use super::hlog::{Clock, LogLine, intervals};
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::io::BufRead;

/// An interval shorter than this says little about a rate: the rest of a second at the end of a
/// phase.
const SHORTEST_RATE_S: f64 = 0.25;

/// The times of one phase.
#[derive(Debug, Default)]
pub struct PhaseTimes {
    /// end - intended, of answers.
    pub response: Option<Histogram<u64>>,
    /// end - sent, of answers.
    pub service: Option<Histogram<u64>>,
    /// Failed requests.
    pub failed: u64,
    /// Answers by the interval's start (in ms) and length.
    answers: BTreeMap<u64, (u64, f64)>,
}

/// All phases of a launch.
#[derive(Debug, Default)]
pub struct LaunchTimes {
    /// By label.
    pub phases: BTreeMap<String, PhaseTimes>,
    /// Lines that could not be read.
    pub unreadable: usize,
}

impl LaunchTimes {
    /// Reads a whole log.
    #[must_use]
    pub fn read(log: impl BufRead) -> Self {
        let mut times = Self::default();
        for line in intervals(log) {
            let interval = match line {
                LogLine::Interval(interval) => interval,
                LogLine::Lateness(_) => continue,
                LogLine::Unreadable => {
                    times.unreadable += 1;
                    continue;
                }
            };
            let phase = times.phases.entry(interval.phase).or_default();
            if interval.clock == Clock::Response {
                let start = (interval.start_s * 1e3).round() as u64;
                let second = phase.answers.entry(start).or_default();
                second.1 = second.1.max(interval.duration_s);
                if interval.ok {
                    second.0 += interval.histogram.len();
                } else {
                    phase.failed += interval.histogram.len();
                }
            }
            if interval.ok {
                merge(
                    match interval.clock {
                        Clock::Response => &mut phase.response,
                        Clock::Service => &mut phase.service,
                    },
                    &interval.histogram,
                );
            }
        }
        times
    }
}

/// Adds `from` to what is there. Histograms are merged, never their percentiles averaged.
pub fn merge(to: &mut Option<Histogram<u64>>, from: &Histogram<u64>) {
    match to {
        None => {
            let mut first = from.clone();
            first.auto(true);
            *to = Some(first);
        }
        // A resizing histogram takes every value that another one holds.
        Some(to) => {
            let _ = to.add(from);
        }
    }
}

impl PhaseTimes {
    /// Seconds since the phase began, answers a second. Seconds without any answer are 0.
    #[must_use]
    pub fn throughput(&self) -> Vec<Point> {
        let Some((&first, _)) = self.answers.first_key_value() else {
            return Vec::new();
        };
        let mut points: Vec<Point> = Vec::new();
        let mut end_s = 0.0;
        for (&start, &(count, length)) in &self.answers {
            let start_s = (start - first) as f64 / 1e3;
            if length < SHORTEST_RATE_S && self.answers.len() > 1 {
                continue;
            }
            if start_s - end_s > 0.5 && !points.is_empty() {
                points.push([end_s, 0.0]);
                points.push([start_s, 0.0]);
            }
            end_s = start_s + length;
            points.push([
                start_s + length / 2.0,
                count as f64 / length.max(f64::MIN_POSITIVE),
            ]);
        }
        points.retain(|p| p[1].is_finite());
        points
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn phase(seconds: &[(u64, u64, f64)]) -> PhaseTimes {
        PhaseTimes {
            answers: seconds.iter().map(|&(s, n, d)| (s, (n, d))).collect(),
            ..PhaseTimes::default()
        }
    }

    #[test]
    fn a_rate_counts_from_the_beginning_of_the_phase() {
        let phase = phase(&[(5000, 100, 1.0), (6000, 300, 1.0), (7000, 50, 0.5)]);
        assert_eq!(
            phase.throughput(),
            vec![[0.5, 100.0], [1.5, 300.0], [2.25, 100.0]]
        );
    }

    #[test]
    fn a_silent_second_is_zero_and_a_short_rest_is_left_out() {
        let phase = phase(&[(0, 100, 1.0), (3000, 100, 1.0), (4000, 1, 0.001)]);
        assert_eq!(
            phase.throughput(),
            vec![[0.5, 100.0], [1.0, 0.0], [3.0, 0.0], [3.5, 100.0]]
        );
    }

    #[test]
    fn merged_histograms_hold_the_values_of_both() {
        let mut to = None;
        for value in [10u64, 10_000_000_000] {
            let mut one = Histogram::<u64>::new_with_bounds(1, value.max(2), 3).unwrap();
            one.record(value).unwrap();
            merge(&mut to, &one);
        }
        assert_eq!(to.unwrap().len(), 2);
    }
}
