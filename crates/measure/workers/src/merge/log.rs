//! The histograms of a phase, second by second: those of all workers as one.

use super::MergeError;
use hdrhistogram::Histogram;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::time::Duration;
use tacho_clock::Anchor;
use tacho_histogram_log::{Clock, LogLine, LogReader, OverallTime};
use tacho_load::recorder::{LogEntry, log_text};

/// Lines that begin so close together are of one second. Clocks of several machines are compared
/// before each phase, and drift: what begins at one instant has other milliseconds on each. The
/// seconds of one worker are a second apart.
const SAME_SECOND_MS: u64 = 250;

/// The lines that a worker has written since they were last read.
#[derive(Debug)]
pub struct LogTail {
    path: PathBuf,
    file: Option<BufReader<File>>,
    reader: LogReader,
}

impl LogTail {
    /// Nothing is read yet; the file need not be there.
    pub fn of(path: PathBuf) -> Self {
        Self {
            path,
            file: None,
            reader: LogReader::new(),
        }
    }

    /// Every line that came. The worker has ended its phase: none is half written.
    pub fn read_on(&mut self, mut take: impl FnMut(LogLine)) -> Result<(), MergeError> {
        let unreadable = MergeError::file(&self.path);
        let file = match &mut self.file {
            Some(file) => file,
            none => {
                let opened = tacho_files::open(&self.path).map_err(&unreadable)?;
                none.insert(BufReader::new(opened))
            }
        };
        let mut line = Vec::new();
        while file.read_until(b'\n', &mut line).map_err(&unreadable)? > 0 {
            if let Some(line) = self.reader.line(&line) {
                take(line);
            }
            line.clear();
        }
        Ok(())
    }
}

/// Histograms of one tag in one second.
#[derive(Debug)]
struct Line {
    start_s: f64,
    duration_s: f64,
    histogram: Histogram<u64>,
}

/// The histograms of a phase, added up.
#[derive(Debug, Default)]
pub struct Sums {
    /// By the millisecond at which their second began, and tag. All workers begin their seconds at
    /// the same instants, as far as their clocks are known ([`SAME_SECOND_MS`]).
    lines: BTreeMap<(u64, String), Line>,
    /// end - intended of requests that succeeded.
    pub response: Option<Histogram<u64>>,
    /// end - sent of requests that succeeded.
    pub service: Option<Histogram<u64>>,
    /// sent - intended.
    pub delay: Option<Histogram<u64>>,
    /// dispatched - intended.
    pub lag: Option<Histogram<u64>>,
    /// end - dispatched of requests that succeeded.
    pub on_time: Option<Histogram<u64>>,
    /// Lines that could not be read.
    pub unreadable: u64,
}

impl Sums {
    /// Adds a line of one worker.
    pub fn take(&mut self, line: LogLine) {
        let (tag, start_s, duration_s, histogram) = match line {
            LogLine::Interval(interval) => {
                let total = match (interval.ok, interval.clock) {
                    (true, Clock::Response) => Some(&mut self.response),
                    (true, Clock::Service) => Some(&mut self.service),
                    (false, _) => None,
                };
                if let Some(total) = total {
                    add(total, &interval.histogram);
                }
                let outcome = if interval.ok { "ok" } else { "error" };
                let time = match interval.clock {
                    Clock::Response => "response",
                    Clock::Service => "service",
                };
                let tag = format!("{}:{}:{outcome}:{time}", interval.phase, interval.request);
                (
                    tag,
                    interval.start_s,
                    interval.duration_s,
                    interval.histogram,
                )
            }
            LogLine::Overall(overall) => {
                let (total, time) = match overall.time {
                    OverallTime::DispatchDelay => (&mut self.delay, "dispatch-delay"),
                    OverallTime::GeneratorLag => (&mut self.lag, "generator-lag"),
                    OverallTime::OnTime => (&mut self.on_time, "on-time"),
                };
                add(total, &overall.histogram);
                let tag = format!("{}:*:*:{time}", overall.phase);
                (tag, overall.start_s, overall.duration_s, overall.histogram)
            }
            LogLine::Unreadable => {
                self.unreadable += 1;
                return;
            }
        };
        let (start_ms, start_s) = self.second_at(start_s);
        match self.lines.get_mut(&(start_ms, tag.clone())) {
            Some(line) => {
                line.duration_s = line.duration_s.max(duration_s);
                add_histogram(&mut line.histogram, &histogram);
            }
            None => {
                let mut histogram = histogram;
                histogram.auto(true);
                let line = Line {
                    start_s,
                    duration_s,
                    histogram,
                };
                self.lines.insert((start_ms, tag), line);
            }
        }
    }

    /// The start of the second that begins there: as the first line of it had it, or as it is
    /// given.
    fn second_at(&self, start_s: f64) -> (u64, f64) {
        let start_ms = (start_s * 1e3).round() as u64;
        let from = (start_ms.saturating_sub(SAME_SECOND_MS), String::new());
        let to = (start_ms.saturating_add(SAME_SECOND_MS + 1), String::new());
        match self.lines.range(from..to).next() {
            Some(((known_ms, _), line)) => (*known_ms, line.start_s),
            None => (start_ms, start_s),
        }
    }
}

fn add(total: &mut Option<Histogram<u64>>, part: &Histogram<u64>) {
    match total {
        Some(total) => add_histogram(total, part),
        None => {
            let mut first = part.clone();
            first.auto(true);
            *total = Some(first);
        }
    }
}

/// One that resizes takes every value that another one holds.
fn add_histogram(total: &mut Histogram<u64>, part: &Histogram<u64>) {
    let _ = total.add(part);
}

/// Writes the seconds of a phase to the common log.
pub fn add_to_log(
    sums: &Sums,
    anchor: Anchor,
    is_first: bool,
    path: &std::path::Path,
    log: &mut File,
) -> Result<(), MergeError> {
    let seconds = |s: f64| Duration::try_from_secs_f64(s).unwrap_or_default();
    let entries = sums.lines.iter().map(|((_, tag), line)| LogEntry {
        tag,
        start: seconds(line.start_s),
        length: seconds(line.duration_s),
        histogram: &line.histogram,
    });
    let text = log_text(anchor, is_first, entries)?;
    log.write_all(&text).map_err(MergeError::file(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tacho_histogram_log::{Interval, Overall, intervals};

    fn histogram(times_ms: &[u64]) -> Histogram<u64> {
        let mut histogram = Histogram::new(3).unwrap();
        for ms in times_ms {
            histogram.record(ms * 1_000_000).unwrap();
        }
        histogram
    }

    fn answers(start_s: f64, ok: bool, times_ms: &[u64]) -> LogLine {
        LogLine::Interval(Interval {
            phase: "open".to_owned(),
            request: 0,
            ok,
            clock: Clock::Response,
            start_s,
            duration_s: 1.0,
            histogram: histogram(times_ms),
        })
    }

    fn delays(start_s: f64, times_ms: &[u64]) -> LogLine {
        LogLine::Overall(Overall {
            phase: "open".to_owned(),
            time: OverallTime::DispatchDelay,
            start_s,
            duration_s: 1.0,
            histogram: histogram(times_ms),
        })
    }

    /// The lines of the common log: when they begin, what they count, and how much.
    fn written(lines: Vec<LogLine>) -> Vec<(u64, &'static str, u64)> {
        let mut sums = Sums::default();
        lines.into_iter().for_each(|line| sums.take(line));
        let file = tempfile::NamedTempFile::new().unwrap();
        let mut log = file.reopen().unwrap();
        add_to_log(&sums, Anchor::now(), true, file.path(), &mut log).unwrap();
        let read = BufReader::new(File::open(file.path()).unwrap());
        intervals(read)
            .map(|line| {
                let (start_s, what, count) = match line {
                    LogLine::Interval(one) if one.ok => (one.start_s, "ok", one.histogram.len()),
                    LogLine::Interval(one) => (one.start_s, "error", one.histogram.len()),
                    LogLine::Overall(one) => (one.start_s, "delay", one.histogram.len()),
                    LogLine::Unreadable => panic!("an unreadable line"),
                };
                ((start_s * 1e3).round() as u64, what, count)
            })
            .collect()
    }

    #[test]
    fn seconds_of_several_machines_are_one_where_their_clocks_differ_by_milliseconds() {
        let lines = written(vec![
            delays(1.004, &[1, 1]),
            answers(1.004, true, &[5, 6]),
            answers(2.004, true, &[7]),
            // Another one, whose clock is known less well; some of its requests failed.
            delays(1.0, &[2]),
            answers(1.0, true, &[8]),
            answers(1.0, false, &[9]),
            answers(2.0, true, &[7]),
            answers(3.0, true, &[7]),
            // And one that is at the bound.
            answers(1.254, true, &[4]),
        ]);
        let expected = [
            (1004, "delay", 3),
            (1004, "error", 1),
            (1004, "ok", 4),
            (2004, "ok", 2),
            (3000, "ok", 1),
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn what_begins_further_apart_stays_apart() {
        let lines = written(vec![
            answers(1.0, true, &[5]),
            answers(1.251, true, &[6]),
            answers(2.0, true, &[7]),
        ]);
        assert_eq!(lines, [(1000, "ok", 1), (1251, "ok", 1), (2000, "ok", 1)]);
    }
}
