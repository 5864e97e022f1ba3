//! Workers elsewhere, each over one connection that leads to its delegate.

use super::{FleetError, Heard, Link, Member};
use crate::clock::{self, Apart, Exchange};
use crate::delegate::message::{RecordFile, Told, VERSION, Wish};
use crate::given_file::GivenFile;
use crate::message::{self, Order, Report};
use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tacho_clock::{MILLISECOND, monotonic_ns};
use tacho_load::recorder::Files;
use tacho_run_folder::{PhaseKind, ScheduleSpec};

/// How often the time is asked for before a phase. On a network that is mostly undisturbed, at
/// least one of so many exchanges is not delayed.
const EXCHANGES: usize = 9;
/// An answer that takes longer says little, and none may come.
const ANSWER: Duration = Duration::from_secs(2);
/// For a worker to hand over the rest of its files and to end.
const PATIENCE: Duration = Duration::from_secs(30);

/// A connection to a delegate.
pub struct Way {
    /// What comes from there.
    pub from: Box<dyn Read + Send>,
    /// What goes there.
    pub to: Box<dyn Write + Send>,
    /// Ends it, and whoever waits for something from there.
    pub cut: Box<dyn FnMut() + Send>,
}

impl fmt::Debug for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Way").finish_non_exhaustive()
    }
}

impl Way {
    /// Over a socket; `held` lives for as long as the way is used.
    ///
    /// # Errors
    /// When the system gives no further descriptors.
    pub fn over(socket: UnixStream, held: impl Send + 'static) -> io::Result<Self> {
        Ok(Self {
            from: Box::new(socket.try_clone()?),
            to: Box::new(socket.try_clone()?),
            cut: Box::new(move || {
                let _ = (&held, socket.shutdown(Shutdown::Both));
            }),
        })
    }
}

impl TryFrom<TcpStream> for Way {
    type Error = io::Error;

    fn try_from(socket: TcpStream) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        Ok(Self {
            from: Box::new(socket.try_clone()?),
            to: Box::new(socket.try_clone()?),
            cut: Box::new(move || drop(socket.shutdown(Shutdown::Both))),
        })
    }
}

/// What a worker needs to send what this process would send.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// Of `tacho load`.
    pub arguments: Vec<String>,
    /// Files that they name: below the folder of the worker, and here.
    pub files: Vec<(String, PathBuf)>,
}

impl Given {
    /// The names of files on the worker's side, by their paths on this side.
    fn names(&self) -> BTreeMap<String, String> {
        let path = |path: &PathBuf| path.display().to_string();
        let files = self.files.iter();
        files
            .map(|(name, here)| (path(here), name.clone()))
            .collect()
    }
}

/// Says why a worker is gone whose connection has ended: what is known of it elsewhere.
pub type Why = Box<dyn FnMut() -> Option<String> + Send>;

/// Has a worker begin. Its files come into a folder of its own below `folder`.
///
/// # Errors
/// [`FleetError::Start`] when nobody answered, so that it may be tried again over another way;
/// [`FleetError::NotReady`] when the worker refused.
pub fn join(
    worker: u32,
    way: Way,
    folder: &Path,
    given: &Given,
    why: Why,
    to_fleet: &Sender<(usize, Heard)>,
) -> Result<Member, FleetError> {
    let start = |source| FleetError::Start { worker, source };
    let Way {
        from,
        mut to,
        mut cut,
    } = way;
    let mut from = BufReader::new(from);
    let begun = begin(given, &mut from, to.as_mut());
    let clock = match begun {
        Ok(Begun::With(clock)) => clock,
        Ok(Begun::Refused(message)) => {
            cut();
            return Err(FleetError::NotReady { worker, message });
        }
        Err(error) => {
            cut();
            return Err(start(error));
        }
    };
    let own = folder.join(format!("worker-{worker}"));
    tacho_files::create_folder(&own).map_err(start)?;
    let files = Files::in_folder(&own);
    let mut records = Vec::new();
    for of in RecordFile::ALL {
        records.push((of, tacho_files::create(of.of(&files)).map_err(start)?));
    }
    let shared = Arc::new(Mutex::new(Shared {
        apart: Apart::NOT,
        how: None,
    }));
    let (to_link, times) = channel();
    let listener = Listener {
        index: worker as usize - 1,
        shared: Arc::clone(&shared),
        records,
        times: to_link,
        to_fleet: to_fleet.clone(),
    };
    let listening = std::thread::Builder::new()
        .name(format!("tacho-worker-{worker}"))
        .spawn(move || listener.listen(from))
        .map_err(start)?;
    let mine = clock::identity();
    let link = Remote {
        to,
        cut,
        why,
        shared,
        times,
        names: given.names(),
        is_our_clock: !mine.is_empty() && mine == clock,
        was_compared: false,
        farthest_ns: 0,
        listening: Some(listening),
    };
    Ok(Member::new(Box::new(link), files))
}

enum Begun {
    With(String),
    Refused(String),
}

fn begin(given: &Given, from: &mut impl BufRead, to: &mut dyn Write) -> io::Result<Begun> {
    let mut files = Vec::new();
    let mut opened = Vec::new();
    for (name, path) in &given.files {
        let file = tacho_files::open(path)?;
        let bytes = file.metadata()?.len();
        files.push(GivenFile {
            name: name.clone(),
            bytes,
        });
        opened.push((file, bytes));
    }
    let wish = Wish::Begin {
        version: VERSION,
        arguments: given.arguments.clone(),
        files,
    };
    message::write(&wish, to)?;
    for (file, bytes) in opened {
        // If the file has become shorter meanwhile, the receiver notices.
        io::copy(&mut file.take(bytes), to)?;
    }
    to.flush()?;
    match message::read(from)? {
        Some(Told::Begun { clock }) => Ok(Begun::With(clock)),
        Some(Told::Refused { message }) => Ok(Begun::Refused(message)),
        _ => Err(io::ErrorKind::ConnectionReset.into()),
    }
}

/// What the link and the listening thread both know.
#[derive(Debug)]
struct Shared {
    apart: Apart,
    /// How the worker ended, by its delegate.
    how: Option<String>,
}

fn locked(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Hears what comes from one worker.
struct Listener {
    index: usize,
    shared: Arc<Mutex<Shared>>,
    records: Vec<(RecordFile, File)>,
    /// What the clock of the worker shows, and when that was heard.
    times: Sender<(u64, u64)>,
    to_fleet: Sender<(usize, Heard)>,
}

impl Listener {
    fn listen(mut self, mut from: impl BufRead) {
        // What comes no more, or is no message, has ended.
        while let Ok(Some(told)) = message::read(&mut from) {
            let heard_ns = monotonic_ns();
            let goes_on = match told {
                Told::Time { monotonic_ns } => self.times.send((monotonic_ns, heard_ns)).is_ok(),
                Told::Piece { of, bytes } => self.keep(of, bytes, &mut from).is_ok(),
                Told::Report(report) => self.pass_on(report),
                Told::Refused { message } => self.pass_on(Report::Failed { message }),
                Told::Begun { .. } => true,
                Told::Ended { how } => {
                    locked(&self.shared).how = Some(how);
                    false
                }
            };
            if !goes_on {
                break;
            }
        }
        let _ = self.to_fleet.send((self.index, Heard::Nothing));
    }

    fn pass_on(&self, report: Report) -> bool {
        let report = locked(&self.shared).apart.for_us(report);
        self.to_fleet
            .send((self.index, Heard::Report(report)))
            .is_ok()
    }

    fn keep(&mut self, of: RecordFile, bytes: u64, from: &mut impl BufRead) -> io::Result<()> {
        let record = self.records.iter_mut().find(|(known, _)| *known == of);
        let Some((_, file)) = record else {
            return Ok(());
        };
        let copied = io::copy(&mut from.take(bytes), file)?;
        match copied == bytes {
            true => Ok(()),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// A worker elsewhere.
struct Remote {
    to: Box<dyn Write + Send>,
    cut: Box<dyn FnMut() + Send>,
    why: Why,
    shared: Arc<Mutex<Shared>>,
    times: Receiver<(u64, u64)>,
    /// Of files that a phase may name.
    names: BTreeMap<String, String>,
    is_our_clock: bool,
    /// It is known how far its clock is from ours.
    was_compared: bool,
    /// The longest that an answer took.
    farthest_ns: u64,
    listening: Option<JoinHandle<()>>,
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Remote")
            .field("shared", &self.shared)
            .finish_non_exhaustive()
    }
}

impl Remote {
    /// Asks the worker for its time, several times. Where both sides share one clock, this only
    /// measures how long an answer takes. A worker of another clock that has never answered is cut
    /// off: it would begin at another instant than the others.
    fn compare(&mut self) -> io::Result<()> {
        let mut exchanges = Vec::new();
        // An answer that came too late to one question is none to the next.
        while self.times.try_recv().is_ok() {}
        for _ in 0..EXCHANGES {
            let asked_ns = monotonic_ns();
            message::write(&Wish::Time, self.to.as_mut())?;
            let (theirs_ns, answered_ns) = match self.times.recv_timeout(ANSWER) {
                Ok(answer) => answer,
                Err(RecvTimeoutError::Timeout) => break,
                // Whoever waits for the worker has heard so.
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(io::ErrorKind::ConnectionReset.into());
                }
            };
            exchanges.push(Exchange {
                asked_ns,
                theirs_ns,
                answered_ns,
            });
        }
        let longest = exchanges.iter().map(Exchange::round_trip_ns).max();
        self.farthest_ns = longest.unwrap_or(ANSWER.as_nanos() as u64);
        if let Some(apart) = Apart::by(&exchanges).filter(|_| !self.is_our_clock) {
            locked(&self.shared).apart = apart;
            self.was_compared = true;
        }
        match self.is_our_clock || self.was_compared {
            true => Ok(()),
            false => Err(self.cut_off()),
        }
    }

    /// The end of the connection is heard by whoever waits for the worker, and the reason is told.
    fn cut_off(&mut self) -> io::Error {
        let why = format!(
            "it did not say within {} s what its clock shows, without which it cannot begin when the others do",
            ANSWER.as_secs()
        );
        locked(&self.shared).how = Some(why.clone());
        (self.cut)();
        io::Error::new(io::ErrorKind::TimedOut, why)
    }

    /// It has said its last within this time, or it is cut off.
    fn wait_for_the_end(&mut self) {
        let since = Instant::now();
        let is_over = |listening: &Option<JoinHandle<()>>| {
            listening.as_ref().is_none_or(JoinHandle::is_finished)
        };
        while !is_over(&self.listening) && since.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
        (self.cut)();
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
    }
}

impl Link for Remote {
    fn send(&mut self, order: &Order) -> io::Result<()> {
        // Clocks drift: they are compared before each phase, and before the first instant is named.
        if matches!(order, Order::Begin { .. } | Order::Run { .. }) {
            self.compare()?;
        }
        let mut order = locked(&self.shared).apart.for_them(order.clone());
        rename(&mut order, &self.names);
        message::write(&Wish::Order(order), self.to.as_mut())
    }

    fn ended(&mut self) -> String {
        let _ = message::write(&Wish::Over, self.to.as_mut());
        self.wait_for_the_end();
        if let Some(how) = &locked(&self.shared).how {
            return how.clone();
        }
        (self.why)().unwrap_or_else(|| "its connection ended, and nothing more is known".to_owned())
    }

    fn lead_ns(&self) -> u64 {
        // There and back, and once more for what else is on the way.
        self.farthest_ns.saturating_mul(2).min(5_000 * MILLISECOND)
    }

    fn clock_within_ns(&self) -> u64 {
        locked(&self.shared).apart.within_ns
    }
}

/// A recorded schedule is a file, which has another path there.
fn rename(order: &mut Order, names: &BTreeMap<String, String>) {
    if let Order::Run { phase, .. } = order
        && let PhaseKind::Scheduled { schedule, .. } = &mut phase.kind
        && let ScheduleSpec::Replay { file, .. } = schedule
        && let Some(name) = names.get(file.as_str())
    {
        file.clone_from(name);
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        if self.listening.is_some() {
            let _ = self.ended();
        }
    }
}

#[cfg(test)]
mod tests;
