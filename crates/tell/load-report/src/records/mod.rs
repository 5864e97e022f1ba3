//! Reading what the recorder wrote, one second at a time: a run of days does not have to fit into
//! memory.

mod distribution;

pub use distribution::{Distribution, Sparse};

use crate::LoadReportError;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use tacho_histogram_log::{Clock, LogLine, LogReader, OverallTime};

/// The times of one kind of request with one outcome.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Times {
    /// end - intended.
    pub response: Sparse,
    /// end - sent, of those that were sent.
    pub service: Sparse,
}

/// One kind of request in one second.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Kind {
    /// Of requests that succeeded.
    pub ok: Times,
    /// Of requests that failed.
    pub failed: Times,
}

/// What was recorded in one second of a phase: a request counts in the second in which it ended.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Second {
    /// Label of the phase as it stands in the log.
    pub phase: String,
    /// Since the run's clock began.
    pub start_s: f64,
    /// Usually a second; more if the writer was behind.
    pub length_s: f64,
    /// By index of the request in the mix.
    pub kinds: BTreeMap<u32, Kind>,
    /// sent - intended, of all requests.
    pub dispatch_delay: Sparse,
    /// dispatched - intended, of all requests that were taken up in it.
    pub generator_lag: Sparse,
    /// end - dispatched, of all requests that succeeded.
    pub on_time: Sparse,
}

impl Second {
    /// Of all kinds.
    #[must_use]
    pub fn succeeded(&self) -> u64 {
        self.kinds.values().map(|k| k.ok.response.count()).sum()
    }

    /// Of all kinds.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.kinds.values().map(|k| k.failed.response.count()).sum()
    }

    /// In seconds since the run's clock began.
    #[must_use]
    pub fn end_s(&self) -> f64 {
        self.start_s + self.length_s
    }
}

/// The longest histogram line that Tacho writes takes half of this.
const LONGEST_LINE: usize = 1 << 20;

/// The seconds of a log in their order.
#[derive(Debug)]
pub struct Seconds<R> {
    lines: R,
    path: PathBuf,
    reader: LogReader,
    /// The second that is being put together from its lines.
    current: Option<Second>,
    /// Lines that could not be read.
    pub unreadable: u64,
}

impl Seconds<BufReader<File>> {
    /// Opens `phases.hlog`.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn open(path: &Path) -> Result<Self, LoadReportError> {
        let file = tacho_files::open(path).map_err(LoadReportError::unreadable(path))?;
        Ok(Self::new(BufReader::new(file), path))
    }
}

impl<R: BufRead> Seconds<R> {
    /// Reads from anywhere; the path is for errors.
    pub fn new(lines: R, path: &Path) -> Self {
        Self {
            lines,
            path: path.to_owned(),
            reader: LogReader::new(),
            current: None,
            unreadable: 0,
        }
    }

    /// The next second; `None` at the end. A last line that was cut off is left out.
    ///
    /// # Errors
    /// When the file cannot be read on.
    pub fn next_second(&mut self) -> Result<Option<Second>, LoadReportError> {
        let mut line = Vec::new();
        loop {
            line.clear();
            let most = LONGEST_LINE as u64;
            let read = Read::by_ref(&mut self.lines)
                .take(most)
                .read_until(b'\n', &mut line);
            read.map_err(LoadReportError::unreadable(&self.path))?;
            if line.last() != Some(&b'\n') {
                if line.len() == LONGEST_LINE {
                    let why = "a line is larger than 1 MiB; it is no log of Tacho";
                    let error = io::Error::new(io::ErrorKind::FileTooLarge, why);
                    return Err(LoadReportError::unreadable(&self.path)(error));
                }
                return Ok(self.current.take());
            }
            match self.reader.line(&line) {
                None => {}
                Some(LogLine::Unreadable) => self.unreadable += 1,
                Some(line) => {
                    if let Some(done) = self.take_up(line) {
                        return Ok(Some(done));
                    }
                }
            }
        }
    }

    /// Adds a line to the current second. If the line starts a new second, returns the previous
    /// one.
    fn take_up(&mut self, line: LogLine) -> Option<Second> {
        let (phase, start_s, length_s) = match &line {
            LogLine::Interval(i) => (&i.phase, i.start_s, i.duration_s),
            LogLine::Overall(l) => (&l.phase, l.start_s, l.duration_s),
            LogLine::Unreadable => return None,
        };
        let belongs = self
            .current
            .as_ref()
            .is_some_and(|s| s.phase == *phase && (s.start_s - start_s).abs() < 1e-9);
        let done = if belongs {
            None
        } else {
            let next = Second {
                phase: phase.clone(),
                start_s,
                length_s,
                ..Second::default()
            };
            self.current.replace(next)
        };
        if let Some(second) = &mut self.current {
            add(second, line);
        }
        done
    }
}

fn add(second: &mut Second, line: LogLine) {
    match line {
        LogLine::Interval(interval) => {
            let kind = second.kinds.entry(interval.request).or_default();
            let times = if interval.ok {
                &mut kind.ok
            } else {
                &mut kind.failed
            };
            let place = match interval.clock {
                Clock::Response => &mut times.response,
                Clock::Service => &mut times.service,
            };
            *place = Sparse::of(&interval.histogram);
        }
        LogLine::Overall(overall) => {
            let place = match overall.time {
                OverallTime::DispatchDelay => &mut second.dispatch_delay,
                OverallTime::GeneratorLag => &mut second.generator_lag,
                OverallTime::OnTime => &mut second.on_time,
            };
            *place = Sparse::of(&overall.histogram);
        }
        LogLine::Unreadable => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_an_end_is_not_kept() {
        // 4 GB of one line.
        let endless = BufReader::new(io::repeat(b'1').take(4 << 30));
        let error = Seconds::new(endless, Path::new("phases.hlog"))
            .next_second()
            .unwrap_err();
        let source = std::error::Error::source(&error).unwrap().to_string();
        assert!(source.contains("larger than 1 MiB"), "{source}");
    }
}
