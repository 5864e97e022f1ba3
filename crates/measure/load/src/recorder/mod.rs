//! Histograms, the .hlog file, and single requests as rows. Takes instants, knows no socket.
//!
//! The generator's thread only counts: up to five histogram increments a request. Once a second
//! it hands the full set of histograms to a writer thread and goes on with an empty one; that is
//! two channel operations and no allocation. A closed loop has no idle time in which it could
//! compress and write by itself, and an open loop would have to guess whether a gap is long
//! enough, so the writing is done elsewhere. When the writer falls behind (a slow disk), the
//! generator does not wait: the interval becomes longer than a second and says so in the log.
//!
//! Memory is constant: two sets of histograms, the totals of the phase, 10,000 rows at most, and
//! 100 slowest rows. A set holds histograms for at most [`MOST_KINDS`] kinds of request and one for
//! all others, each made when it is first needed.
//!
//! Who wants to watch asks for [`Recorder::live`]: then the writer also shows each second to other
//! threads. The generator's thread has no part in it.

mod distribution;
mod hlog;
mod interval;
mod lines;
mod live;
mod slowest;
mod writer;

use crate::transport::{Outcome, Via};
pub use distribution::quantiles_ms;
pub use hlog::{LogEntry, log_text, tag_label};
use interval::Interval;
pub use interval::MOST_KINDS;
use lines::Lines;
pub use live::{BINS, Live, LiveSecond, LiveSnapshot, SECONDS_SHOWN, Second, bin_from_ms};
use slowest::Slowest;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use tacho_clock::{Anchor, SECOND};
use tacho_run_folder::{LaunchDir, Quantiles};
use writer::{Message, PhaseBegin, Writer};

/// The most requests of a launch that are kept one by one.
pub const SINGLE_REQUESTS: usize = 10_000;

/// How many of the slowest requests of a phase are kept.
pub const SLOWEST_REQUESTS: usize = 100;

/// The instants and the end of one request. Monotonic nanoseconds; 0 when never reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Measured {
    /// Index of the request in the mix.
    pub request: u32,
    /// When the schedule wanted it sent.
    pub intended: u64,
    /// When the generator took it up.
    pub dispatched: u64,
    /// When its first byte was written.
    pub sent: u64,
    /// When the first byte of the answer was read.
    pub first_byte: u64,
    /// When it was concluded.
    pub end: u64,
    /// Its status, or the fault that ended it.
    pub outcome: Outcome,
    /// The connection that carried it.
    pub via: Via,
}

impl Measured {
    /// end - intended in nanoseconds.
    #[inline]
    #[must_use]
    pub fn response_ns(&self) -> u64 {
        self.end.saturating_sub(self.intended)
    }
}

/// The files of a load that is not part of a launch.
#[derive(Debug, Clone)]
pub struct Files {
    /// Path of the histograms, one a second: `phases.hlog`.
    pub histograms: PathBuf,
    /// Path of the first requests, one a line: `requests.csv`.
    pub requests: PathBuf,
    /// Path of the slowest requests: `slowest.csv`.
    pub slowest: PathBuf,
}

impl Files {
    /// The three files in a folder.
    #[must_use]
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            histograms: folder.join("phases.hlog"),
            requests: folder.join("requests.csv"),
            slowest: folder.join("slowest.csv"),
        }
    }

    /// For records that nobody wants; there may be no folder to write to.
    #[must_use]
    pub fn nowhere() -> Self {
        let nowhere = || PathBuf::from("/dev/null");
        Self {
            histograms: nowhere(),
            requests: nowhere(),
            slowest: nowhere(),
        }
    }

    /// Creates them; instants count from now.
    ///
    /// # Errors
    /// As [`Recorder::create_files`].
    pub fn record(&self) -> Result<Recorder, RecorderError> {
        Recorder::create_files(
            &self.histograms,
            &self.requests,
            &self.slowest,
            Anchor::now(),
        )
    }
}

/// The files of a launch could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RecorderError {
    /// A file could not be made.
    #[error("cannot create {path}: {source}; check that the folder exists and can be written")]
    Create {
        /// Path of the file.
        path: PathBuf,
        /// Why the system refused.
        source: io::Error,
    },
    /// The kernel refuses the thread that writes.
    #[error(
        "no thread can be started for the recorder: {0}. Is the memory or the number of threads limited (`ulimit -v`, `ulimit -u`)?"
    )]
    NoThread(io::Error),
    /// Writing failed; what was written before stays readable.
    #[error(
        "cannot write {file}: {source}; {}what was written before is readable",
        room(source)
    )]
    Write {
        /// `phases.hlog`, `requests.csv` or `slowest.csv`.
        file: &'static str,
        /// Why the system refused.
        source: io::Error,
    },
    /// The thread that writes is gone.
    #[error(
        "the thread that writes the records ended; this is an error in Tacho, please report it"
    )]
    WriterGone,
}

/// What to do when the disk is full. Empty for other errors, such as a limit on the size of files,
/// which free space does not cure.
fn room(source: &io::Error) -> &'static str {
    match source.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            "free some space and run again, "
        }
        _ => "",
    }
}

/// The distributions of a whole phase.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PhaseTotals {
    /// end - intended of the requests that succeeded (status below 400).
    pub response_time_ms: Option<Quantiles>,
    /// end - sent of the requests that succeeded.
    pub service_time_ms: Option<Quantiles>,
    /// sent - intended of all requests that were sent.
    pub dispatch_delay_ms: Option<Quantiles>,
    /// dispatched - intended of all requests that were taken up.
    pub generator_lag_ms: Option<Quantiles>,
    /// end - dispatched of the requests that succeeded: what their response times would have been,
    /// had the generator never been late.
    pub on_time_response_ms: Option<Quantiles>,
    /// Processor time of the writer thread for this phase, in nanoseconds.
    pub writer_cpu_ns: u64,
}

/// Records a launch.
#[derive(Debug)]
pub struct Recorder {
    anchor: Anchor,
    current: Box<Interval>,
    /// The other interval, when it is not with the writer and not in the channel.
    spare: Option<Box<Interval>>,
    /// The current interval is handed over when this instant has come.
    boundary: u64,
    singles_left: usize,
    phase: u32,
    /// Of the phase: its requests can be late.
    has_schedule: bool,
    slowest: Slowest,
    to_writer: Option<SyncSender<Message>>,
    empty: Receiver<Box<Interval>>,
    totals: Receiver<Result<PhaseTotals, RecorderError>>,
    writer: Option<JoinHandle<()>>,
    writer_cpu_ns: u64,
    live: Arc<Live>,
}

impl Recorder {
    /// Creates the three files in the folder of a launch.
    ///
    /// # Errors
    /// When a file or the thread cannot be made.
    pub fn create(folder: &LaunchDir, anchor: Anchor) -> Result<Self, RecorderError> {
        Self::create_files(
            &folder.histograms(),
            &folder.requests_path(),
            &folder.slowest_path(),
            anchor,
        )
    }

    /// Creates the three files at the given paths.
    ///
    /// # Errors
    /// When a file or the thread cannot be made.
    pub fn create_files(
        phases: &Path,
        requests: &Path,
        slowest: &Path,
        anchor: Anchor,
    ) -> Result<Self, RecorderError> {
        Self::start(
            Lines::new("phases.hlog", create(phases)?),
            Lines::new("requests.csv", create(requests)?),
            Lines::new("slowest.csv", create(slowest)?),
            anchor,
        )
    }

    fn start<F: lines::Truncate + Send + 'static>(
        phases: Lines<F>,
        requests: Lines<F>,
        slowest: Lines<F>,
        anchor: Anchor,
    ) -> Result<Self, RecorderError> {
        // Room for every message that can be on its way, so that sending never waits: the two
        // intervals, the beginning and the end of a phase.
        let (to_writer, messages) = sync_channel(4);
        let (give_back, empty) = sync_channel(2);
        let (report, totals) = sync_channel(1);
        let live = Arc::new(Live::default());
        let shown = Arc::clone(&live);
        let writer = std::thread::Builder::new()
            .name("tacho-recorder".to_owned())
            .spawn(move || {
                Writer::new(anchor, phases, requests, slowest, shown)
                    .run(&messages, &give_back, &report);
            })
            .map_err(RecorderError::NoThread)?;
        Ok(Self {
            anchor,
            current: Box::new(Interval::new()),
            spare: Some(Box::new(Interval::new())),
            boundary: u64::MAX,
            singles_left: SINGLE_REQUESTS,
            has_schedule: false,
            phase: 0,
            slowest: Slowest::new(SLOWEST_REQUESTS),
            to_writer: Some(to_writer),
            empty,
            totals,
            writer: Some(writer),
            writer_cpu_ns: 0,
            live,
        })
    }

    /// What it shows while it records. From the first call on, the writer computes the quantiles of
    /// each second; without one it does not.
    #[must_use]
    pub fn live(&self) -> Arc<Live> {
        self.live.watch();
        Arc::clone(&self.live)
    }

    /// Keeps so many requests one by one, in place of [`SINGLE_REQUESTS`]; to be said before the
    /// first. A second's are held in memory: 72 bytes each.
    #[must_use]
    pub fn keeping_singles(mut self, most: usize) -> Self {
        self.singles_left = most;
        self
    }

    /// What instants count from.
    #[must_use]
    pub fn anchor(&self) -> Anchor {
        self.anchor
    }

    /// Makes room for a phase with a number of kinds of request. Allocates; call it before the
    /// clock starts, then [`Recorder::start_clock`].
    ///
    /// # Errors
    /// When the writer is gone.
    pub fn begin_phase(
        &mut self,
        phase: u32,
        label: &str,
        kinds: usize,
        has_schedule: bool,
    ) -> Result<(), RecorderError> {
        self.phase = phase;
        self.has_schedule = has_schedule;
        self.current.prepare(kinds);
        if let Some(spare) = self.empty_interval() {
            self.spare.insert(spare).prepare(kinds);
        }
        self.send(Message::Begin(PhaseBegin {
            phase,
            label: label.to_owned(),
        }))
    }

    fn empty_interval(&mut self) -> Option<Box<Interval>> {
        self.spare.take().or_else(|| self.empty.try_recv().ok())
    }

    /// The phase's clock starts at this instant; its seconds count from here.
    pub fn start_clock(&mut self, now: u64) {
        self.live.start_clock(now);
        self.current.begin(now);
        self.boundary = now + SECOND;
    }

    /// The generator was so late in taking a request up, in nanoseconds.
    #[inline]
    pub fn record_lag(&mut self, lag_ns: u64) {
        distribution::record(&mut self.current.lag, lag_ns);
    }

    /// A request was concluded. Does not wait, and allocates only when a kind of request ends in
    /// a way (well, or not) in which none of its kind has ended before.
    #[inline]
    pub fn record(&mut self, measured: &Measured) {
        if measured.end >= self.boundary {
            self.roll(measured.end);
        }
        self.current.record(measured);
        if self.has_schedule {
            self.current.record_on_time(measured);
        }
        if self.singles_left > 0 {
            self.singles_left -= 1;
            self.current.singles.push(*measured);
        }
        self.slowest.offer(measured);
    }

    /// Hands the interval over if its second is past; for times when nothing is concluded.
    #[inline]
    pub fn tick(&mut self, now: u64) {
        if now >= self.boundary {
            self.roll(now);
        }
    }

    #[cold]
    fn roll(&mut self, now: u64) {
        let passed = (now - self.boundary) / SECOND + 1;
        let ended = self.boundary + (passed - 1) * SECOND;
        if self.current.is_empty() {
            self.current.begin(ended);
        } else if let Some(mut next) = self.empty_interval() {
            next.begin(ended);
            let mut full = std::mem::replace(&mut self.current, next);
            full.ended_at = ended;
            // A failure needs no handling here: `end_phase` reports that the writer is gone.
            let _ = self.send(Message::Interval(full));
        }
        // Otherwise the writer is behind: the interval goes on for another second.
        self.boundary = ended + SECOND;
    }

    /// Writes what is left of the phase and waits until it is in the files.
    ///
    /// # Errors
    /// The first write that failed in this phase. The files stay readable, and recording may
    /// go on.
    pub fn end_phase(&mut self, now: u64) -> Result<PhaseTotals, RecorderError> {
        let mut next = match self.spare.take() {
            Some(spare) => spare,
            None => self.empty.recv().map_err(|_| RecorderError::WriterGone)?,
        };
        next.begin(now);
        let mut last = std::mem::replace(&mut self.current, next);
        last.ended_at = now;
        self.boundary = u64::MAX;
        self.send(Message::Interval(last))?;
        let slowest = self.slowest.take();
        self.send(Message::End(slowest))?;
        let mut totals = self
            .totals
            .recv()
            .map_err(|_| RecorderError::WriterGone)??;
        let before = std::mem::replace(&mut self.writer_cpu_ns, totals.writer_cpu_ns);
        totals.writer_cpu_ns -= before;
        Ok(totals)
    }

    fn send(&self, message: Message) -> Result<(), RecorderError> {
        self.to_writer
            .as_ref()
            .and_then(|to| to.send(message).ok())
            .ok_or(RecorderError::WriterGone)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // Closing the channel ends the thread.
        self.to_writer = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn create(path: &Path) -> Result<File, RecorderError> {
    tacho_files::create(path).map_err(|source| RecorderError::Create {
        path: path.to_owned(),
        source,
    })
}

#[cfg(test)]
mod tests;
