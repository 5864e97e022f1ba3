//! The standard log of interval histograms (HistogramLogWriter of HdrHistogram), as one text
//! buffer that the caller takes and writes.

use super::RecorderError;
use super::interval::Interval;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::interval_log::{
    IntervalLogWriter, IntervalLogWriterBuilder, IntervalLogWriterError, Tag,
};
use hdrhistogram::serialization::{V2DeflateSerializeError, V2DeflateSerializer};
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::time::Duration;
use tacho_clock::Anchor;

/// The text of the log since it was last taken. Shared, because the library's writer keeps its
/// output to itself for as long as it lives.
#[derive(Debug, Clone, Default)]
pub struct LogText(Rc<RefCell<Vec<u8>>>);

impl Write for LogText {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LogText {
    /// Passes the text on; the callee empties it.
    pub fn hand_over<R>(&self, to: impl FnOnce(&mut Vec<u8>) -> R) -> R {
        to(&mut self.0.borrow_mut())
    }
}

/// The library's writer with what it borrows.
pub type LogWriter<'a> = IntervalLogWriter<'a, 'a, LogText, V2DeflateSerializer>;

/// Begins a log: values in nanoseconds, their maxima for people in milliseconds, instants in
/// seconds since `exec`. Compressed, because Java's reader knows nothing else.
pub fn begin<'a>(
    anchor: Anchor,
    text: &'a mut LogText,
    serializer: &'a mut V2DeflateSerializer,
) -> io::Result<LogWriter<'a>> {
    IntervalLogWriterBuilder::new()
        .add_comment(
            "[Tacho: values in ns; instants in s since exec; tag = phase:request:outcome:time, * for all]",
        )
        .with_start_time(anchor.wall())
        .with_base_time(anchor.wall())
        .with_max_value_divisor(1e6)
        .begin_log_with(text, serializer)
}

/// Writes the histograms of an interval that hold anything.
pub fn write(
    log: &mut LogWriter<'_>,
    anchor: Anchor,
    label: &str,
    interval: &Interval,
) -> Result<(), RecorderError> {
    let since_exec = |ns: u64| Duration::from_nanos(ns.saturating_sub(anchor.monotonic_ns));
    let start = since_exec(interval.began_at);
    let length = since_exec(interval.ended_at).saturating_sub(start);
    let label = tag_label(label);
    let mut write_one = |what: &str, time: &str, histogram: &Histogram<u32>| {
        if histogram.is_empty() {
            return Ok(());
        }
        let tag = format!("{label}:{what}:{time}");
        log.write_histogram(histogram, start, length, Tag::new(&tag))
            .map_err(|error| RecorderError::Write {
                file: "phases.hlog",
                source: io_error(error),
            })
    };
    for (request, kind) in interval.kinds.iter().enumerate() {
        for (outcome, times) in [("ok", &kind.ok), ("error", &kind.error)] {
            if let Some(times) = times {
                let what = format!("{request}:{outcome}");
                write_one(&what, "response", &times.response)?;
                write_one(&what, "service", &times.service)?;
            }
        }
    }
    // The dispatch delay is known before the outcome of a request, so it has no outcome in its tag.
    write_one("*:*", "dispatch-delay", &interval.delay)?;
    write_one("*:*", "generator-lag", &interval.lag)?;
    write_one("*:*", "on-time", &interval.on_time)
}

/// One line of a log.
#[derive(Debug)]
pub struct LogEntry<'a> {
    /// `phase:request:outcome:time`.
    pub tag: &'a str,
    /// Since `exec`.
    pub start: Duration,
    /// How long the interval was.
    pub length: Duration,
    /// Times in nanoseconds.
    pub histogram: &'a Histogram<u64>,
}

/// Lines of a log as [`crate::Recorder`] writes them, with its head where they are the first.
///
/// # Errors
/// When a histogram cannot be written, which would be a fault of the library.
pub fn log_text<'e>(
    anchor: Anchor,
    is_first: bool,
    entries: impl Iterator<Item = LogEntry<'e>>,
) -> Result<Vec<u8>, RecorderError> {
    let unwritten = |source| RecorderError::Write {
        file: "phases.hlog",
        source,
    };
    let mut text = LogText::default();
    let written = text.clone();
    let mut serializer = V2DeflateSerializer::new();
    let mut log = begin(anchor, &mut text, &mut serializer).map_err(unwritten)?;
    if !is_first {
        written.hand_over(Vec::clear);
    }
    for entry in entries {
        log.write_histogram(
            entry.histogram,
            entry.start,
            entry.length,
            Tag::new(entry.tag),
        )
        .map_err(|error| unwritten(io_error(error)))?;
    }
    Ok(written.hand_over(std::mem::take))
}

fn io_error(error: IntervalLogWriterError<V2DeflateSerializeError>) -> io::Error {
    match error {
        IntervalLogWriterError::IoError(source) => source,
        IntervalLogWriterError::SerializeError(error) => io::Error::other(error.to_string()),
    }
}

/// A label as it stands in tags: what a tag cannot hold becomes `_`.
#[must_use]
pub fn tag_label(label: &str) -> String {
    label.replace([',', '\r', '\n', ' '], "_")
}
