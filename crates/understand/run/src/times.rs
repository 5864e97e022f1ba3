//! The response times of a launch, from its histogram log: second by second, and merged by phase.

use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::io::BufRead;
use tacho_histogram_log::{Clock, Interval, LogLine, intervals};
use tacho_run_folder::{PhaseTimes, Second};

/// The lines of one second stand near each other in the log. A second is closed when a line starts
/// this much later; milliseconds.
const OPEN_MS: u64 = 5_000;

/// The times of a launch.
#[derive(Debug, Default)]
pub struct LaunchTimes {
    /// Times of each phase, by its label.
    pub phases: BTreeMap<String, PhaseTimes>,
    /// Every second of the launch, in the order of time.
    pub seconds: Vec<Second>,
    /// Lines that could not be read.
    pub unreadable: usize,
}

impl LaunchTimes {
    /// Reads a whole log. With an objective, requests that took longer than it are counted, too.
    pub fn read(log: impl BufRead, objective_ns: Option<u64>) -> Self {
        let mut times = Self::default();
        let mut seconds = Seconds {
            objective_ns,
            open: BTreeMap::new(),
            closed: Vec::new(),
        };
        for line in intervals(log) {
            match line {
                LogLine::Interval(interval) => {
                    times.take(&interval);
                    seconds.take(interval);
                }
                LogLine::Overall(_) => {}
                LogLine::Unreadable => times.unreadable += 1,
            }
        }
        times.seconds = seconds.finish();
        times
    }

    fn take(&mut self, interval: &Interval) {
        let phase = self.phases.entry(interval.phase.clone()).or_default();
        match (interval.ok, interval.clock) {
            (true, Clock::Response) => merge(&mut phase.response, &interval.histogram),
            (true, Clock::Service) => merge(&mut phase.service, &interval.histogram),
            (false, Clock::Response) => phase.failed += interval.histogram.len(),
            (false, Clock::Service) => {}
        }
    }
}

/// Adds the phases of a launch to those of its cell.
pub fn add(cell: &mut BTreeMap<String, PhaseTimes>, launch: BTreeMap<String, PhaseTimes>) {
    for (label, from) in launch {
        let to = cell.entry(label).or_default();
        for (to, from) in [
            (&mut to.response, &from.response),
            (&mut to.service, &from.service),
        ] {
            if let Some(from) = from {
                merge(to, from);
            }
        }
        to.failed += from.failed;
    }
}

/// Merges histograms. Percentiles are never averaged.
fn merge(to: &mut Option<Histogram<u64>>, from: &Histogram<u64>) {
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

#[derive(Default)]
struct Counted {
    answered: Option<Histogram<u64>>,
    failed: u64,
    duration_s: f64,
}

/// The requests of all kinds, second by second. Only a few seconds are open at a time, however long
/// the run was.
struct Seconds {
    objective_ns: Option<u64>,
    /// The open seconds, by their start in milliseconds and their phase.
    open: BTreeMap<(u64, String), Counted>,
    closed: Vec<Second>,
}

impl Seconds {
    fn take(&mut self, interval: Interval) {
        if interval.clock != Clock::Response {
            return;
        }
        let start_ms = (interval.start_s * 1e3).round() as u64;
        self.close_before(start_ms.saturating_sub(OPEN_MS));
        let second = self.open.entry((start_ms, interval.phase)).or_default();
        second.duration_s = second.duration_s.max(interval.duration_s);
        if interval.ok {
            merge(&mut second.answered, &interval.histogram);
        } else {
            second.failed += interval.histogram.len();
        }
    }

    fn close_before(&mut self, start_ms: u64) {
        let later = self.open.split_off(&(start_ms, String::new()));
        let over = std::mem::replace(&mut self.open, later);
        for ((start_ms, phase), counted) in over {
            let second = self.second(start_ms, phase, counted);
            self.closed.push(second);
        }
    }

    fn finish(mut self) -> Vec<Second> {
        self.close_before(u64::MAX);
        self.closed.sort_by(|a, b| a.start_s.total_cmp(&b.start_s));
        self.closed
    }

    fn second(&self, start_ms: u64, phase: String, counted: Counted) -> Second {
        let answered = counted.answered.filter(|h| !h.is_empty());
        let ms =
            |read: fn(&Histogram<u64>) -> f64| answered.as_ref().map_or(0.0, |h| read(h) / 1e6);
        let over = |h: &Histogram<u64>| {
            let objective = self.objective_ns;
            objective.map_or(0, |objective| h.len() - h.count_between(0, objective))
        };
        Second {
            phase,
            start_s: start_ms as f64 / 1e3,
            duration_s: counted.duration_s,
            answered: answered.as_ref().map_or(0, Histogram::len),
            failed: counted.failed,
            mean_ms: ms(Histogram::mean),
            p50_ms: ms(|h| h.value_at_quantile(0.5) as f64),
            p99_ms: ms(|h| h.value_at_quantile(0.99) as f64),
            over_objective: answered.as_ref().map_or(0, over),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::V2DeflateSerializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
    use std::time::{Duration, UNIX_EPOCH};

    /// Of each line: second, tag, times in milliseconds.
    fn log(lines: &[(u64, &str, &[u64])]) -> Vec<u8> {
        let mut log = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let origin = UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        let mut writer = IntervalLogWriterBuilder::new()
            .with_start_time(origin)
            .with_base_time(origin)
            .begin_log_with(&mut log, &mut serializer)
            .unwrap();
        for (second, tag, times) in lines {
            let mut histogram = Histogram::<u64>::new(3).unwrap();
            times
                .iter()
                .for_each(|ms| histogram.record(ms * 1_000_000).unwrap());
            let start = Duration::from_secs(*second);
            writer
                .write_histogram(&histogram, start, Duration::from_secs(1), Tag::new(tag))
                .unwrap();
        }
        log
    }

    #[test]
    fn kinds_of_request_are_merged_second_by_second() {
        let log = log(&[
            (3, "open:0:ok:response", &[10, 20, 80]),
            (3, "open:1:ok:response", &[100]),
            (3, "open:1:error:response", &[1, 1]),
            (3, "open:0:ok:service", &[1, 1, 1]),
            (4, "open:0:ok:response", &[10]),
        ]);
        let times = LaunchTimes::read(&log[..], Some(50_000_000));
        let seconds = times.seconds;
        assert_eq!(seconds.len(), 2);
        let first = &seconds[0];
        assert_eq!(
            (first.answered, first.failed, first.over_objective),
            (4, 2, 2)
        );
        assert!((first.mean_ms - 52.5).abs() < 0.1, "{}", first.mean_ms);
        assert_eq!(seconds[1].over_objective, 0);
        assert_eq!(
            LaunchTimes::read(&log[..], None).seconds[0].over_objective,
            0
        );
    }

    #[test]
    fn phases_are_merged_over_kinds_and_failures_counted_once() {
        let times = LaunchTimes::read(
            &log(&[
                (3, "open:0:ok:response", &[10, 20]),
                (3, "open:1:ok:response", &[100]),
                (3, "open:1:error:response", &[1, 1]),
                (3, "open:1:error:service", &[1, 1]),
                (4, "open:0:ok:service", &[1]),
            ])[..],
            None,
        );
        let open = &times.phases["open"];
        let count = |h: &Option<Histogram<u64>>| h.as_ref().map(Histogram::len);
        assert_eq!(
            (count(&open.response), count(&open.service)),
            (Some(3), Some(1))
        );
        assert_eq!(open.failed, 2);
        let mut cell = times.phases.clone();
        add(&mut cell, times.phases);
        assert_eq!(
            (count(&cell["open"].response), cell["open"].failed),
            (Some(6), 4)
        );
    }

    #[test]
    fn seconds_are_in_their_order_however_long_the_log() {
        let lines: Vec<(u64, &str, &[u64])> = (0..200)
            .map(|second| (second, "open:0:ok:response", &[1][..]))
            .collect();
        let seconds = LaunchTimes::read(&log(&lines)[..], None).seconds;
        assert_eq!(seconds.len(), 200);
        assert!(
            seconds
                .iter()
                .zip(0u64..)
                .all(|(s, n)| (s.start_s - n as f64).abs() < 1e-9 && s.answered == 1)
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
