//! A generator that does what it is ordered.

use crate::message::{self, LiveSecond, Order, Report, VERSION};
use std::fmt;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;
use tacho_clock::{Anchor, monotonic_ns};
use tacho_load::recorder::{Files, Second};
use tacho_load::{Control, Gate, Generator, Part, Recorder, RecorderError};
use tacho_run_folder::PhasePlan;

/// So often it says how far it is.
const COUNTS_EVERY: Duration = Duration::from_millis(100);

/// While it waits at the gate, it looks so often whether it is to stop.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Why a worker stopped. The terminal that gives the orders is told as well.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The first order was another one, or none.
    #[error(
        "this worker received no orders: start workers with `tacho load --workers`, not by hand"
    )]
    NoOrders,
    /// Terminal and worker do not understand each other.
    #[error(
        "the terminal speaks version {theirs} of the messages, this worker version {VERSION}; use the same Tacho for both"
    )]
    Version {
        /// Of the terminal.
        theirs: u32,
    },
    /// Its records cannot be written.
    #[error(transparent)]
    Recorder(#[from] RecorderError),
    /// Of a phase that cannot be carried out.
    #[error("{0}")]
    Load(#[from] tacho_load::LoadError),
    /// A thread cannot be started.
    #[error("no thread can be started: {0}. Is the number of threads limited (`ulimit -u`)?")]
    NoThread(std::io::Error),
}

/// Does what it is ordered until there is nothing more to do, or until nobody is there who could
/// order anything. So many requests are kept one by one.
///
/// # Errors
/// When it cannot go on; it has said so, as far as somebody listens.
pub fn work(
    generator: Generator,
    files: &Files,
    singles: usize,
    orders: impl Read + Send + 'static,
    reports: impl Write + Send + 'static,
) -> Result<(), WorkError> {
    let reports = Reports::to(reports);
    let worked = through(generator, files, singles, orders, &reports);
    if let Err(error) = &worked {
        reports.tell(&Report::Failed {
            message: error.to_string(),
        });
    }
    worked
}

fn through(
    mut generator: Generator,
    files: &Files,
    singles: usize,
    orders: impl Read + Send + 'static,
    reports: &Reports,
) -> Result<(), WorkError> {
    let control = Control::new();
    let start = Arc::new(StartSignal::default());
    let (to_work, work) = channel();
    let listener = Listener {
        control: control.clone(),
        start: Arc::clone(&start),
        to_work,
    };
    thread::Builder::new()
        .name("tacho-orders".to_owned())
        .spawn(move || listener.listen(BufReader::new(orders)))
        .map_err(WorkError::NoThread)?;

    let Ok(Order::Begin {
        version,
        monotonic_ns,
        realtime_ns,
    }) = work.recv()
    else {
        return Err(WorkError::NoOrders);
    };
    if version != VERSION {
        return Err(WorkError::Version { theirs: version });
    }
    let anchor = Anchor {
        monotonic_ns,
        realtime_ns,
    };
    let recorder =
        Recorder::create_files(&files.histograms, &files.requests, &files.slowest, anchor)?;
    let mut recorder = recorder.keeping_singles(singles);
    let told = Told {
        control: control.clone(),
        seconds: Mutex::new(recorder.live().tap()),
        reports: reports.clone(),
    };
    generator.wait_at(Box::new(AtTheSignal {
        start,
        control: control.clone(),
        reports: reports.clone(),
    }));
    reports.tell(&Report::Ready {
        version: VERSION,
        kinds: generator.kinds().to_vec(),
    });
    while let Ok(order) = work.recv() {
        match order {
            Order::Run {
                index,
                phase,
                nth,
                of,
            } => {
                generator.set_part(Part::new(nth, of).unwrap_or(Part::WHOLE));
                let report = phase_of(&mut generator, &mut recorder, index, &phase, &told)?;
                reports.tell(&report);
            }
            Order::End => break,
            _ => {}
        }
    }
    Ok(())
}

fn phase_of(
    generator: &mut Generator,
    recorder: &mut Recorder,
    index: u32,
    phase: &PhasePlan,
    told: &Told,
) -> Result<Report, WorkError> {
    let (over, is_over) = channel::<()>();
    let record = thread::scope(|scope| {
        let counting = thread::Builder::new().name("tacho-counts".to_owned());
        counting
            .spawn_scoped(scope, move || {
                // Ends when the other side of the channel is dropped.
                while is_over.recv_timeout(COUNTS_EVERY) == Err(RecvTimeoutError::Timeout) {
                    told.tell();
                }
                told.tell();
            })
            .map_err(WorkError::NoThread)?;
        let record = generator.run(index, phase, recorder, &told.control);
        drop(over);
        record.map_err(WorkError::Load)
    })?;
    let span = generator.span().filter(|_| record.requests > 0);
    Ok(Report::Phase {
        record: Box::new(record),
        began_ns: span.map(|span| span.began),
        first_intended_ns: span.and_then(|span| span.first_intended),
        last_end_ns: span.map_or(0, |span| span.last_end),
        trouble: generator.trouble(),
    })
}

/// Where reports go, from several threads.
#[derive(Clone)]
struct Reports(Arc<Mutex<dyn Write + Send>>);

impl fmt::Debug for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reports").finish_non_exhaustive()
    }
}

impl Reports {
    fn to(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Sends a report. Errors are ignored: if the terminal is gone, orders end too, and the worker
    /// notices that.
    fn tell(&self, report: &Report) {
        let mut to = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = message::write(report, &mut *to);
    }
}

/// What is told while a phase goes on.
struct Told {
    control: Control,
    seconds: Mutex<Receiver<Second>>,
    reports: Reports,
}

impl Told {
    fn tell(&self) {
        let counters = self.control.counters();
        self.reports.tell(&Report::Counts {
            intended: counters.intended,
            answered: counters.answered,
            failed: counters.failed,
            in_flight: counters.in_flight,
        });
        let seconds = self.seconds.lock().unwrap_or_else(PoisonError::into_inner);
        for second in seconds.try_iter().filter_map(LiveSecond::of) {
            self.reports.tell(&Report::Second(second));
        }
    }
}

/// Hears orders, those too that come in the middle of a phase.
struct Listener {
    control: Control,
    start: Arc<StartSignal>,
    to_work: Sender<Order>,
}

impl Listener {
    fn listen(self, mut orders: impl BufRead) {
        while let Ok(Some(order)) = message::read::<Order>(&mut orders) {
            match order {
                Order::Start { at_ns } => self.start.give(at_ns),
                Order::Enough => self.control.enough(),
                Order::Stop => self.control.stop(),
                other => {
                    if self.to_work.send(other).is_err() {
                        return;
                    }
                }
            }
        }
        // Nobody is there any more.
        self.control.stop();
    }
}

/// The instant at which the clock is to start, once it is known.
#[derive(Debug, Default)]
struct StartSignal {
    at_ns: Mutex<Option<u64>>,
    given: Condvar,
}

impl StartSignal {
    fn lock(&self) -> MutexGuard<'_, Option<u64>> {
        self.at_ns.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn give(&self, at_ns: u64) {
        *self.lock() = Some(at_ns);
        self.given.notify_all();
    }

    /// Takes it; `None` when it was not given within this time.
    fn take_within(&self, time: Duration) -> Option<u64> {
        let guard = self.lock();
        let waited = self
            .given
            .wait_timeout_while(guard, time, |at| at.is_none());
        waited.unwrap_or_else(PoisonError::into_inner).0.take()
    }
}

#[derive(Debug)]
struct AtTheSignal {
    start: Arc<StartSignal>,
    control: Control,
    reports: Reports,
}

impl Gate for AtTheSignal {
    fn pass(&mut self) -> Result<u64, String> {
        self.reports.tell(&Report::Opened);
        loop {
            if let Some(at_ns) = self.start.take_within(LOOK_EVERY) {
                return Ok(at_ns);
            }
            if self.control.is_stopped() {
                return Ok(monotonic_ns());
            }
        }
    }
}
