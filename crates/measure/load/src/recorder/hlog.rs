//! The standard log of interval histograms (HistogramLogWriter of HdrHistogram), as one text
//! buffer that the caller takes and writes.

use super::RecorderError;
use super::interval::Interval;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{
    IntervalLogWriter, IntervalLogWriterBuilder, IntervalLogWriterError, Tag,
};
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
                source: match error {
                    IntervalLogWriterError::IoError(source) => source,
                    IntervalLogWriterError::SerializeError(error) => {
                        io::Error::other(error.to_string())
                    }
                },
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
    // The generator is late for a request before anybody knows how it will end.
    write_one("*:*", "dispatch-delay", &interval.delay)?;
    write_one("*:*", "generator-lag", &interval.lag)?;
    write_one("*:*", "on-time", &interval.on_time)
}

/// A label as it stands in tags: what a tag cannot hold becomes `_`.
#[must_use]
pub fn tag_label(label: &str) -> String {
    label.replace([',', '\r', '\n', ' '], "_")
}
