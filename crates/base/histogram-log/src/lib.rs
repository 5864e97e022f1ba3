//! Reading `phases.hlog`: one HdrHistogram a second, tagged
//! `<phase label>:<request index>:<ok|error>:<response|service>`, or, over all requests,
//! `<phase label>:*:*:<dispatch-delay|generator-lag|on-time>`.
//!
//! The file is written while the launch goes on, so its last line may be cut off; everything
//! before that is used.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

mod encoded;

pub use hdrhistogram::Histogram;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::serialization::interval_log::{
    IntervalLogHistogram, IntervalLogIterator, LogEntry,
};
use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use std::io::{BufRead, Read};

/// From which instant a time is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clock {
    /// From the intended instant to the end.
    Response,
    /// From the sent instant to the end.
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
    /// Whether it is a response or a service time.
    pub clock: Clock,
    /// Start of the interval, in seconds since the beginning of the log.
    pub start_s: f64,
    /// Length of the interval, in seconds.
    pub duration_s: f64,
    /// Response or service times that ended in this second, in nanoseconds.
    pub histogram: Histogram<u64>,
}

/// One kind of time of all requests together, in one second.
#[derive(Debug, Clone)]
pub struct Overall {
    /// Label of the phase.
    pub phase: String,
    /// What was timed.
    pub time: OverallTime,
    /// Start of the interval, in seconds since the beginning of the log.
    pub start_s: f64,
    /// Length of the interval, in seconds.
    pub duration_s: f64,
    /// The times of this second, in nanoseconds.
    pub histogram: Histogram<u64>,
}

/// A time that is counted over all requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverallTime {
    /// From the intended instant to the sent one.
    DispatchDelay,
    /// From the intended instant to the dispatched one.
    GeneratorLag,
    /// From the dispatched instant to the end, of requests that succeeded: their response time
    /// without the generator's lag.
    OnTime,
}

/// Encodes a histogram as the text of a log line; `None` when the library cannot write it.
#[must_use]
pub fn encode(histogram: &Histogram<u64>) -> Option<String> {
    let mut bytes = Vec::new();
    let written = V2DeflateSerializer::new().serialize(histogram, &mut bytes);
    written.ok().map(|_| STANDARD.encode(bytes))
}

/// Decodes such a text; `None` when it is damaged, or larger than any histogram that Tacho writes.
#[must_use]
pub fn decode_text(text: &str) -> Option<Histogram<u64>> {
    let bytes = STANDARD.decode(text).ok()?;
    encoded::histogram(&bytes, &mut Deserializer::new())
}

/// One line of the log.
#[derive(Debug, Clone)]
pub enum LogLine {
    /// The times of one second and one kind of request.
    Interval(Interval),
    /// The generator's part of an interval.
    Overall(Overall),
    /// Not readable, or with a tag that is not Tacho's. Callers count such lines instead of
    /// dropping them silently.
    Unreadable,
}

/// Time stamps larger than this count from 1970, not from the beginning of the log. The reference
/// reader (`HistogramLogReader`) uses the same bound.
const YEAR_S: f64 = 365.0 * 86_400.0;

/// Longest line that is read; bytes. An encoded histogram of the widest layout is half as long.
const LONGEST_LINE: usize = 1 << 20;
/// No run lasts ten years. Instants beyond are damage, and sums of them would not be finite.
const LONGEST_RUN_S: f64 = 10.0 * YEAR_S;

/// Reads all lines in order, one at a time, so that a long run need not fit into memory.
///
/// A line longer than any of Tacho's is unreadable, and so is everything after it: such a line may
/// have no end.
pub fn intervals(mut log: impl BufRead) -> impl Iterator<Item = LogLine> {
    let mut reader = LogReader::new();
    let mut line = Vec::new();
    let mut has_ended = false;
    std::iter::from_fn(move || {
        while !has_ended {
            line.clear();
            let mut most = Read::by_ref(&mut log).take(LONGEST_LINE as u64 + 1);
            let read = most.read_until(b'\n', &mut line);
            has_ended = line.last() != Some(&b'\n');
            let found = match read {
                Err(_) => Some(LogLine::Unreadable),
                // The last line may have been cut off.
                Ok(_) if has_ended && line.len() <= LONGEST_LINE => None,
                Ok(_) => reader.line(&line),
            };
            if found.is_some() {
                return found;
            }
        }
        None
    })
}

/// Reads one line after another, for callers that do not have the whole log in memory.
#[derive(Default)]
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

impl LogReader {
    /// At the beginning of a log.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads one whole line; `None` when it holds no times, such as a comment.
    pub fn line(&mut self, line: &[u8]) -> Option<LogLine> {
        if line.len() > LONGEST_LINE {
            return Some(LogLine::Unreadable);
        }
        // One line alone, so that a damaged line does not hide those after it.
        match IntervalLogIterator::new(line).next()? {
            Ok(LogEntry::BaseTime(_)) => {
                self.based = true;
                None
            }
            Ok(LogEntry::StartTime(at)) => {
                self.origin_s = Some(at.as_secs_f64());
                None
            }
            Err(_) => Some(LogLine::Unreadable),
            Ok(LogEntry::Interval(raw)) => {
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
    if start_s.abs() > LONGEST_RUN_S || duration_s > LONGEST_RUN_S {
        return None;
    }
    let bytes = STANDARD.decode(raw.encoded_histogram()).ok()?;
    let histogram = encoded::histogram(&bytes, decoder)?;
    if (request, outcome) == ("*", "*") {
        return Some(LogLine::Overall(Overall {
            phase,
            time: match time {
                "dispatch-delay" => OverallTime::DispatchDelay,
                "generator-lag" => OverallTime::GeneratorLag,
                "on-time" => OverallTime::OnTime,
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
                LogLine::Overall(_) => None,
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
    fn what_is_counted_over_all_requests_is_no_time_of_one_kind() {
        let tags =
            ["dispatch-delay", "generator-lag", "on-time"].map(|time| format!("open:*:*:{time}"));
        let log = log(&tags.each_ref().map(String::as_str));
        let times: Vec<OverallTime> = intervals(&log[..])
            .map(|line| match line {
                LogLine::Overall(overall) => overall.time,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(
            times,
            [
                OverallTime::DispatchDelay,
                OverallTime::GeneratorLag,
                OverallTime::OnTime
            ]
        );
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

    /// A line whose histogram is what a foreign file says that it is.
    fn line_of(histogram: &[u8]) -> Vec<u8> {
        format!(
            "Tag=a:0:ok:response,1.000,1.000,1.0,{}\n",
            STANDARD.encode(histogram)
        )
        .into_bytes()
    }

    /// The head of an uncompressed V2 histogram, and what comes after it.
    fn plain(payload_length: u32, digits: u32, high: u64, payload: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(0x1c84_9313_u32.to_be_bytes());
        bytes.extend(payload_length.to_be_bytes());
        bytes.extend(0_u32.to_be_bytes());
        bytes.extend(digits.to_be_bytes());
        bytes.extend(1_u64.to_be_bytes());
        bytes.extend(high.to_be_bytes());
        bytes.extend(1_f64.to_be_bytes());
        bytes.extend(payload);
        bytes
    }

    fn deflated(plain: impl std::io::Read) -> Vec<u8> {
        let mut inflated = flate2::read::ZlibEncoder::new(plain, flate2::Compression::best());
        let mut small = Vec::new();
        std::io::Read::read_to_end(&mut inflated, &mut small).unwrap();
        let mut bytes = 0x1c84_9314_u32.to_be_bytes().to_vec();
        bytes.extend((small.len() as u32).to_be_bytes());
        bytes.extend(small);
        bytes
    }

    /// Lines of a few characters that ask for gigabytes, each in its own way.
    fn greedy() -> Vec<Vec<u8>> {
        use std::io::Read as _;
        let zeros = std::io::repeat(0).take(300 << 20);
        vec![
            // 1.5 GB, and 4 GB, of which nothing follows.
            line_of(&plain(0x5fff_ffff, 3, 2, &[])),
            line_of(&plain(u32::MAX, 3, 2, &[])),
            // The widest layout there is: 52 MB of counts.
            line_of(&plain(0, 5, u64::MAX, &[])),
            // 300 MB of zeros, deflated.
            line_of(&deflated(
                plain(300 << 20, 3, 2, &[]).as_slice().chain(zeros),
            )),
        ]
    }

    #[test]
    fn a_short_line_takes_no_gigabytes() {
        const CHILD: &str = "TACHO_HLOG_IN_LITTLE_MEMORY";
        if std::env::var_os(CHILD).is_some() {
            for line in greedy() {
                assert_eq!(read(&line).1, 1, "{}", String::from_utf8_lossy(&line[..80]));
            }
            return;
        }
        let name = "tests::a_short_line_takes_no_gigabytes";
        let child = std::process::Command::new("sh")
            .args(["-c", "ulimit -v 262144 && exec \"$0\" \"$@\""])
            .arg(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&child.stdout) + String::from_utf8_lossy(&child.stderr);
        assert!(
            child.status.success(),
            "within 256 MiB: {}: {said}",
            child.status
        );
        assert!(said.contains("1 passed"), "{said}");
    }

    #[test]
    fn a_layout_finer_than_tachos_is_not_read() {
        // 4 digits up to an hour are 500,000 counts, of which a log has thousands of lines.
        let line = line_of(&plain(0, 4, 3_600_000_000_000, &[]));
        assert_eq!(read(&line).1, 1);
        let line = line_of(&plain(0, 3, u64::MAX, &[]));
        let (wide, unreadable) = read(&line);
        assert_eq!((wide.len(), unreadable), (1, 0));
    }

    #[test]
    fn counts_that_no_second_can_hold_are_not_read() {
        // -i64::MIN zeros; i64::MAX answers in one second.
        for payload in [
            [0xff; 9],
            [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
        ] {
            let line = line_of(&plain(9, 3, 1 << 40, &payload));
            assert_eq!(read(&line).1, 1, "{payload:?}");
        }
    }

    #[test]
    fn lengths_that_do_not_match_what_follows_are_not_read() {
        assert_eq!(
            read(&line_of(&plain(2, 3, 1 << 40, &[2]))).1,
            1,
            "too short"
        );
        let (whole, _) = read(&line_of(&plain(1, 3, 1 << 40, &[2])));
        assert_eq!(whole[0].histogram.len(), 1);
    }

    #[test]
    fn instants_beyond_any_run_are_not_read() {
        let text = String::from_utf8(line_of(&plain(1, 3, 1 << 40, &[2]))).unwrap();
        let from = ",1.000,1.000,";
        for to in [
            ",18446744073709551615.000,1.000,",
            ",1.000,18446744073709551615.000,",
        ] {
            let far = format!("#[BaseTime: 0.0 (x)]\n{}", text.replace(from, to));
            assert_eq!(read(far.as_bytes()).1, 1, "{to}");
        }
    }

    #[test]
    fn a_line_longer_than_any_histogram_is_not_read() {
        let line = String::from_utf8(line_of(&plain(1, 3, 1 << 40, &[2]))).unwrap();
        let long = line.replace("=a", &format!("={}", "a".repeat(LONGEST_LINE)));
        assert_eq!(read(long.as_bytes()).1, 1);
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
