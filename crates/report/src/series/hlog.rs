//! Reading `phases.hlog`: one HdrHistogram a second, tagged
//! `<phase label>:<request index>:<ok|error>:<response|service>`, or, of the generator's lateness,
//! `<phase label>:*:*:<dispatch-delay|generator-lag>`.
//!
//! The file is written while the launch goes on, so its last line may be cut off; everything
//! before that is used.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{
    IntervalLogHistogram, IntervalLogIterator, LogEntry,
};

/// From which instant a time is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// end - intended.
    Response,
    /// end - sent.
    Service,
}

/// The times of one second, in nanoseconds.
#[derive(Debug, Clone)]
pub struct Interval {
    /// Label of the phase.
    pub phase: String,
    /// Index of the request in the mix.
    pub request: u32,
    /// Answered with a status below 400.
    pub ok: bool,
    /// What was timed.
    pub clock: Clock,
    /// Since the beginning of the log.
    pub start_s: f64,
    /// How long the interval was.
    pub duration_s: f64,
    /// The times.
    pub histogram: Histogram<u64>,
}

/// How late the generator was in one second, over all requests.
#[derive(Debug, Clone)]
pub struct Lateness {
    /// Label of the phase.
    pub phase: String,
    /// From the intended instant to which.
    pub until: Until,
    /// Since the beginning of the log.
    pub start_s: f64,
    /// How long the interval was.
    pub duration_s: f64,
    /// The times.
    pub histogram: Histogram<u64>,
}

/// Where lateness ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// sent - intended.
    Sent,
    /// dispatched - intended.
    Dispatched,
}

/// One line of the log.
#[derive(Debug, Clone)]
pub enum LogLine {
    /// An interval.
    Interval(Interval),
    /// The generator's part of an interval.
    Lateness(Lateness),
    /// Not readable, or with a tag that is not Tacho's. To be counted, not to be dropped silently.
    Unreadable,
}

/// Time stamps larger than this are seconds since 1970, not since the beginning of the log:
/// the reference reader (`HistogramLogReader`) draws the same line.
const YEAR_S: f64 = 365.0 * 86_400.0;

/// Every line in order, one at a time: a long run does not have to fit into memory.
pub fn intervals(log: &[u8]) -> impl Iterator<Item = LogLine> {
    let whole = log
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(&log[..0], |end| &log[..=end]);
    let mut reader = LogReader::new();
    whole
        .split_inclusive(|&b| b == b'\n')
        .filter_map(move |line| reader.line(line))
}

/// Reads lines in their order, for those who do not have the whole log in memory.
pub struct LogReader {
    decoder: Deserializer,
    origin_s: Option<f64>,
    based: bool,
}

impl std::fmt::Debug for LogReader {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LogReader").finish_non_exhaustive()
    }
}

impl Default for LogReader {
    fn default() -> Self {
        Self::new()
    }
}

impl LogReader {
    /// At the beginning of a log.
    #[must_use]
    pub fn new() -> Self {
        Self {
            decoder: Deserializer::new(),
            origin_s: None,
            based: false,
        }
    }

    /// What a whole line holds; `None` when that is no times.
    pub fn line(&mut self, line: &[u8]) -> Option<LogLine> {
        match parse(line) {
            Parsed::Base => {
                self.based = true;
                None
            }
            Parsed::Start(at_s) => {
                self.origin_s = Some(at_s);
                None
            }
            Parsed::Nothing => None,
            Parsed::Damaged => Some(LogLine::Unreadable),
            Parsed::Interval(raw) => {
                let stamp = raw.start_timestamp().as_secs_f64();
                let origin = if !self.based && stamp > YEAR_S {
                    *self.origin_s.get_or_insert(stamp)
                } else {
                    0.0
                };
                let line = decode(&raw, stamp - origin, &mut self.decoder);
                Some(line.unwrap_or(LogLine::Unreadable))
            }
        }
    }
}

enum Parsed<'a> {
    Base,
    Start(f64),
    Interval(IntervalLogHistogram<'a>),
    Nothing,
    Damaged,
}

/// One line alone, so that a damaged one does not hide those behind it.
fn parse(line: &[u8]) -> Parsed<'_> {
    match IntervalLogIterator::new(line).next() {
        None => Parsed::Nothing,
        Some(Ok(LogEntry::BaseTime(_))) => Parsed::Base,
        Some(Ok(LogEntry::StartTime(at))) => Parsed::Start(at.as_secs_f64()),
        Some(Ok(LogEntry::Interval(interval))) => Parsed::Interval(interval),
        Some(Err(_)) => Parsed::Damaged,
    }
}

fn decode(
    raw: &IntervalLogHistogram<'_>,
    start_s: f64,
    decoder: &mut Deserializer,
) -> Option<LogLine> {
    let tag = raw.tag()?;
    let [phase, request, outcome, time] = tag
        .as_str()
        .split(':')
        .collect::<Vec<_>>()
        .try_into()
        .ok()?;
    let phase = phase.to_owned();
    let duration_s = raw.duration().as_secs_f64();
    let bytes = STANDARD.decode(raw.encoded_histogram()).ok()?;
    let histogram = decoder.deserialize(&mut &bytes[..]).ok()?;
    if (request, outcome) == ("*", "*") {
        return Some(LogLine::Lateness(Lateness {
            phase,
            until: match time {
                "dispatch-delay" => Until::Sent,
                "generator-lag" => Until::Dispatched,
                _ => return None,
            },
            start_s,
            duration_s,
            histogram,
        }));
    }
    Some(LogLine::Interval(Interval {
        phase,
        request: request.parse().ok()?,
        ok: match outcome {
            "ok" => true,
            "error" => false,
            _ => return None,
        },
        clock: match time {
            "response" => Clock::Response,
            "service" => Clock::Service,
            _ => return None,
        },
        start_s,
        duration_s,
        histogram,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hdrhistogram::serialization::V2DeflateSerializer;
    use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};
    use proptest::prelude::*;
    use std::time::{Duration, UNIX_EPOCH};

    fn log(tags: &[&str]) -> Vec<u8> {
        let mut log = Vec::new();
        let mut serializer = V2DeflateSerializer::new();
        let origin = UNIX_EPOCH + Duration::from_secs(1_790_000_000);
        let mut writer = IntervalLogWriterBuilder::new()
            .add_comment("made by a test")
            .with_start_time(origin)
            .with_base_time(origin)
            .begin_log_with(&mut log, &mut serializer)
            .unwrap();
        for (second, tag) in tags.iter().enumerate() {
            let mut histogram = Histogram::<u64>::new(3).unwrap();
            histogram.record_n(1_000_000, second as u64 + 1).unwrap();
            writer
                .write_histogram(
                    &histogram,
                    Duration::from_secs(second as u64),
                    Duration::from_secs(1),
                    Tag::new(tag),
                )
                .unwrap();
        }
        log
    }

    fn read(log: &[u8]) -> (Vec<Interval>, usize) {
        let mut unreadable = 0;
        let intervals = intervals(log)
            .filter_map(|line| match line {
                LogLine::Interval(interval) => Some(interval),
                LogLine::Lateness(_) => None,
                LogLine::Unreadable => {
                    unreadable += 1;
                    None
                }
            })
            .collect();
        (intervals, unreadable)
    }

    #[test]
    fn what_the_standard_writer_wrote_is_read() {
        let (read, unreadable) = read(&log(&["closed:0:ok:response", "closed:1:error:service"]));
        assert_eq!((read.len(), unreadable), (2, 0));
        assert_eq!(read[0].phase, "closed");
        assert!(read[0].ok && !read[1].ok);
        assert_eq!(read[1].request, 1);
        assert_eq!(read[1].clock, Clock::Service);
        assert!((read[1].start_s - 1.0).abs() < 1e-3);
        assert_eq!(read[1].histogram.len(), 2);
        assert!(
            read[0]
                .histogram
                .equivalent(read[0].histogram.max(), 1_000_000)
        );
    }

    #[test]
    fn the_generators_lateness_is_no_time_of_a_request() {
        let log = log(&["open:*:*:dispatch-delay", "open:*:*:generator-lag"]);
        let until: Vec<Until> = intervals(&log)
            .map(|line| match line {
                LogLine::Lateness(lateness) => lateness.until,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(until, [Until::Sent, Until::Dispatched]);
    }

    #[test]
    fn a_line_that_was_cut_off_is_left_out() {
        let mut log = log(&["a:0:ok:response", "a:0:ok:response"]);
        log.truncate(log.len() - 5);
        let (read, unreadable) = read(&log);
        assert_eq!((read.len(), unreadable), (1, 0));
    }

    #[test]
    fn a_damaged_line_is_counted_and_does_not_hide_the_next() {
        let whole = log(&["a:0:ok:response", "a:0:ok:response", "b:0:ok:response"]);
        let text = String::from_utf8(whole).unwrap();
        let mut lines: Vec<&str> = text.lines().collect();
        let damaged = lines.len() - 2;
        lines[damaged] = "Tag=a:0:ok:response,1.0,1.0,1.0,HISTFAAAA!!";
        let (read, unreadable) = read(format!("{}\n", lines.join("\n")).as_bytes());
        assert_eq!((read.len(), unreadable), (2, 1));
        assert_eq!(read[1].phase, "b");
    }

    #[test]
    fn absolute_time_stamps_count_from_the_start_time() {
        let text = String::from_utf8(log(&["a:0:ok:response"])).unwrap();
        let absolute: String = text
            .lines()
            .filter(|l| !l.starts_with("#[BaseTime"))
            .map(|l| l.replace("response,0.000,", "response,1790000007.500,") + "\n")
            .collect();
        let (read, _) = read(absolute.as_bytes());
        assert!((read[0].start_s - 7.5).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(cut in 0usize..2000, at in 0usize..2000, byte in any::<u8>()) {
            let mut log = log(&["a:0:ok:response", "b:1:error:service"]);
            let last = log.len() - 1;
            log[at.min(last)] = byte;
            log.truncate(cut);
            let _ = read(&log);
        }
    }
}
