//! In the pod: takes a run from a terminal, carries it out on this node, and tells all of it.

use super::journal::Journal;
use super::message::{Counts, FOLDER, ORDERS, Told, VERSION, Wish};
use crate::deployed::Changed;
use crate::deployments::Deployments;
use crate::error::NotThere;
use crate::run_objects::RunObjects;
use crate::site::{Pods, Way};
use std::io::{self, BufReader, Read};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};
use tacho_clock::wall_ns;
use tacho_cluster_api::{Access, Cluster, NODE_NAME, Owner, Privileges, RunLabel};
use tacho_load::Control;
use tacho_observe::machine;
use tacho_run_folder::{LaunchRecord, RunFolder, log_of};
use tacho_runner::{Enough, Event, Listener, Orders, RunError, Site, Stop, carry_out};
use tacho_workers::{keep, read_line, write_line};

/// The terminal comes within this time: it waits for the pod, and an image may have to be fetched.
const SOMEBODY_COMES: Duration = Duration::from_secs(15 * 60);
/// A connection has to say what it wants within this time; else it was not the terminal.
const SAYS_SOMETHING: Duration = Duration::from_secs(10);
/// A run that nobody has looked at for so long is ended: its terminal is gone for good. The
/// terminal waits as long for the pod.
pub(super) const ALONE: Duration = Duration::from_secs(10 * 60);
/// Between two looks.
const LOOK: Duration = Duration::from_millis(100);
/// How often a terminal is told how far a load is: often enough for a moving progress bar, and too
/// seldom to be a load itself.
const COUNTING: Duration = Duration::from_millis(500);

/// Why a pod did not carry out a run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// No terminal came.
    #[error(
        "nobody connected within {s} seconds: start a run pod with `tacho run --on kubernetes`, not by hand",
        s = SOMEBODY_COMES.as_secs()
    )]
    Nobody,
    /// The connection, or a file.
    #[error("a run could not be taken over: {0}")]
    Io(#[from] io::Error),
}

/// Carries out the run of the first terminal that comes, in a folder of its own, and ends when that
/// has heard all of it.
///
/// # Errors
/// When nobody comes, or there is no thread for it. What is wrong with the run the terminal hears.
pub fn serve(
    listener: TcpListener,
    folder: &Path,
    enough: Box<Enough<'_>>,
    stop: &Stop,
) -> Result<(), ServeError> {
    let (to_us, begun) = sync_channel(1);
    let desk = Arc::new(Desk {
        journal: Journal::default(),
        folder: folder.to_owned(),
        begins: to_us,
        begun: Mutex::new(None),
        here: AtomicUsize::new(0),
        live: Mutex::new(None),
        is_over: AtomicBool::new(false),
        stop: stop.clone(),
    });
    spawn("accept", {
        let desk = Arc::clone(&desk);
        move || desk.accept(&listener)
    })?;
    let order = begun
        .recv_timeout(SOMEBODY_COMES)
        .map_err(|_| ServeError::Nobody)?;
    spawn("alone", {
        let desk = Arc::clone(&desk);
        move || desk.watch()
    })?;
    let carried = desk.carry_out(order, enough);
    desk.journal.tell(Told::Ended {
        trouble: carried.err().map(|error| error.to_string()),
    });
    // Waits until the terminal has received everything, or no terminal was there for too long.
    let mut alone_since = Instant::now();
    while !desk.is_over.load(Ordering::SeqCst) && alone_since.elapsed() < ALONE {
        if desk.here.load(Ordering::SeqCst) > 0 {
            alone_since = Instant::now();
        }
        sleep(LOOK);
    }
    Ok(())
}

/// A run, as the terminal has begun it.
struct Order {
    run: String,
    owner: Owner,
    is_loaded: bool,
    way: Way,
    privileges: Privileges,
    changed: Option<Changed>,
}

/// What the threads of a run pod share.
struct Desk {
    journal: Journal,
    folder: PathBuf,
    begins: SyncSender<Order>,
    /// Label of the run that the first terminal has begun.
    begun: Mutex<Option<String>>,
    /// Terminals that listen.
    here: AtomicUsize,
    /// The load that goes on.
    live: Mutex<Option<Control>>,
    is_over: AtomicBool,
    stop: Stop,
}

impl Desk {
    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        for connection in listener.incoming().flatten() {
            let desk = Arc::clone(self);
            // A client for which there is no thread will connect again.
            let _ = spawn("terminal", move || {
                let _ = desk.talk(&connection);
            });
        }
    }

    /// With one connection, until it ends.
    fn talk(self: &Arc<Self>, connection: &TcpStream) -> io::Result<()> {
        connection.set_nodelay(true)?;
        connection.set_read_timeout(Some(SAYS_SOMETHING))?;
        let to = Arc::new(Mutex::new(connection.try_clone()?));
        let mut wishes = BufReader::new(connection.try_clone()?);
        let from = match read_line(&mut wishes)? {
            Some(Wish::Resume { from }) => from,
            Some(begin @ Wish::Begin { .. }) => match self.begin(begin, &mut wishes) {
                Ok(()) => 0,
                Err(message) => return say(&to, &Told::Refused { message }),
            },
            _ => return Ok(()),
        };
        connection.set_read_timeout(None)?;
        self.here.fetch_add(1, Ordering::SeqCst);
        let telling = spawn("telling", {
            let (desk, to) = (Arc::clone(self), Arc::clone(&to));
            move || drop(desk.journal.send(from, &to))
        });
        let is_gone = Arc::new(AtomicBool::new(false));
        let counting = telling.and_then(|()| {
            let (desk, to, is_gone) = (Arc::clone(self), Arc::clone(&to), Arc::clone(&is_gone));
            spawn("counting", move || drop(desk.count(&to, &is_gone)))
        });
        let heard = counting.and_then(|()| self.hear(&mut wishes, &to));
        is_gone.store(true, Ordering::SeqCst);
        self.here.fetch_sub(1, Ordering::SeqCst);
        let _ = connection.shutdown(std::net::Shutdown::Both);
        heard
    }

    /// Takes the run over. The text of an error is for the terminal.
    fn begin(&self, begin: Wish, from: &mut BufReader<TcpStream>) -> Result<(), String> {
        let Wish::Begin {
            version,
            run,
            owner,
            is_loaded,
            through_service,
            privileges,
            changed,
            files,
        } = begin
        else {
            return Ok(());
        };
        if version != VERSION {
            return Err(format!(
                "the terminal speaks version {version} of the messages, this pod version {VERSION}; use the same Tacho for both"
            ));
        }
        // Said again by a terminal that did not hear that it had arrived.
        let is_begun = self.begun().is_some();
        for file in &files {
            let kept = match is_begun {
                true => io::copy(&mut from.take(file.bytes), &mut io::sink()).map(drop),
                false => keep(file, from, &self.folder).map(drop),
            };
            kept.map_err(|error| format!("{} cannot be kept: {error}", file.name))?;
        }
        let mut begun = self.begun();
        if let Some(begun) = &*begun {
            return match *begun == run {
                true => Ok(()),
                false => Err(format!("this pod carries out another run, {begun}")),
            };
        }
        *begun = Some(run.clone());
        let order = Order {
            run,
            owner,
            is_loaded,
            way: match through_service {
                true => Way::ThroughService,
                false => Way::Straight,
            },
            privileges,
            changed: changed.map(|changed| *changed),
        };
        // It is waited for; and if no more, nobody will hear of this either.
        let _ = self.begins.send(order);
        Ok(())
    }

    fn begun(&self) -> MutexGuard<'_, Option<String>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hear(&self, wishes: &mut BufReader<TcpStream>, to: &Mutex<TcpStream>) -> io::Result<()> {
        while let Some(wish) = read_line(wishes)? {
            match wish {
                Wish::Time => say(
                    to,
                    &Told::Time {
                        realtime_ns: wall_ns(),
                    },
                )?,
                Wish::Stop => self.stop.set(),
                Wish::Over => {
                    self.is_over.store(true, Ordering::SeqCst);
                    return Ok(());
                }
                Wish::Begin { .. } | Wish::Resume { .. } => {}
            }
        }
        Ok(())
    }

    /// Tells how far the load is while there is one, until the terminal is gone.
    fn count(&self, to: &Mutex<TcpStream>, is_gone: &AtomicBool) -> io::Result<()> {
        while !is_gone.load(Ordering::SeqCst) {
            if let Some(counts) = self.counts() {
                say(to, &Told::Counts(counts))?;
            }
            sleep(COUNTING);
        }
        Ok(())
    }

    fn counts(&self) -> Option<Counts> {
        let live = self.live.lock().unwrap_or_else(PoisonError::into_inner);
        live.as_ref().map(|control| control.counters().into())
    }

    /// Ends the run when nobody listens any more.
    fn watch(&self) {
        let mut alone_since = Instant::now();
        while !self.stop.is_set() {
            if self.here.load(Ordering::SeqCst) > 0 {
                alone_since = Instant::now();
            }
            if alone_since.elapsed() > ALONE {
                self.stop.set();
            }
            sleep(LOOK);
        }
    }

    fn carry_out(
        &self,
        order: Order,
        enough: Box<Enough<'_>>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let node = std::env::var(NODE_NAME)
            .ok()
            .filter(|name| !name.is_empty());
        self.journal.tell(Told::Begun {
            node: node.clone(),
            machine: machine::machine(),
        });
        let text = std::fs::read_to_string(self.folder.join(ORDERS))?;
        let orders: Orders = serde_json::from_str(&text)?;
        let folder = RunFolder::open(&self.folder.join(FOLDER))?;
        let access = Access {
            from_inside: true,
            ..Access::default()
        };
        let cluster = Arc::new(Cluster::of(&access).map_err(NotThere::from)?);
        let theirs = (order.owner, node);
        let run = RunLabel::of(&order.run);
        let objects = RunObjects::of_theirs(cluster, run, theirs, order.is_loaded, order.way);
        let pods = Pods::of_theirs(objects, order.privileges, self.stop.clone())?;
        let mut teller = Teller {
            journal: &self.journal,
            live: &self.live,
            folder: folder.path().to_owned(),
        };
        let carried = match order.changed {
            None => self.carry_out_at(&pods, orders, &folder, enough, &mut teller),
            Some(changed) => {
                let deployments = Deployments::new(pods, changed);
                let carried = self.carry_out_at(&deployments, orders, &folder, enough, &mut teller);
                for seen in deployments.take_seen() {
                    teller.file(&seen.write()?);
                }
                carried
            }
        };
        teller.last(&folder);
        Ok(carried?)
    }

    fn carry_out_at(
        &self,
        site: &dyn Site,
        orders: Orders,
        folder: &RunFolder,
        enough: Box<Enough<'_>>,
        teller: &mut Teller<'_>,
    ) -> Result<(), RunError> {
        carry_out(orders, site, folder, Some(enough), &self.stop, teller)
    }
}

/// Tells what happens, with what was recorded of it.
struct Teller<'a> {
    journal: &'a Journal,
    live: &'a Mutex<Option<Control>>,
    folder: PathBuf,
}

impl Teller<'_> {
    /// A load goes on, or does no more.
    fn live(&self, control: Option<Control>) {
        *self.live.lock().unwrap_or_else(PoisonError::into_inner) = control;
    }

    /// All files below a folder of the run folder.
    fn files_below(&self, below: &Path) {
        let entries = std::fs::read_dir(self.folder.join(below));
        let mut names: Vec<PathBuf> = entries
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| below.join(entry.file_name()))
            .collect();
        names.sort();
        for name in names {
            match self.folder.join(&name).is_dir() {
                true => self.files_below(&name),
                false => self.journal.tell_file(&self.folder, &name),
            }
        }
    }

    /// A file of the run folder.
    fn file(&self, path: &Path) {
        if let Ok(name) = path.strip_prefix(&self.folder) {
            self.journal.tell_file(&self.folder, name);
        }
    }

    /// What is known at the end alone: which launches were spoiled, and which came to the plan.
    fn last(&self, folder: &RunFolder) {
        for launch in folder.launches().into_iter().flatten() {
            self.file(&launch.path().join("launch.json"));
        }
        self.file(&self.folder.join("plan.json"));
    }
}

impl Listener for Teller<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Working { what } => self.journal.tell(Told::Working {
                what: what.to_owned(),
            }),
            Event::Note { text } => self.journal.tell(Told::Note {
                text: text.to_owned(),
            }),
            Event::LaunchBegan { number, of, cell } => self.journal.tell(Told::LaunchBegan {
                number,
                of,
                cell: cell.to_owned(),
            }),
            Event::PhaseBegan { phase, control } => {
                self.journal.tell(Told::PhaseBegan {
                    phase: phase.clone(),
                    counts: control.counters().into(),
                });
                self.live(Some(control.clone()));
            }
            Event::PhaseEnded => {
                self.live(None);
                self.journal.tell(Told::PhaseEnded);
            }
            Event::LaunchEnded { record, left } => {
                self.files_below(&folder_of(record));
                self.journal.tell(Told::LaunchEnded {
                    number: record.number,
                    left_s: left.time.as_secs_f64(),
                    at_most: left.is_at_most,
                });
            }
            Event::Prepared { .. } | Event::Trying { .. } | Event::Planned { .. } => {}
        }
    }
}

/// Below the run's.
fn folder_of(record: &LaunchRecord) -> PathBuf {
    let log = log_of(record.number, &record.cell);
    log.parent().map(Path::to_owned).unwrap_or_default()
}

fn say(to: &Mutex<TcpStream>, told: &Told) -> io::Result<()> {
    write_line(
        told,
        &mut *to.lock().unwrap_or_else(PoisonError::into_inner),
    )
}

fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let named = std::thread::Builder::new().name(format!("tacho-{name}"));
    named.spawn(work).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::mpsc::Receiver;
    use tacho_workers::GivenFile;

    fn desk(folder: &Path) -> (Arc<Desk>, Receiver<Order>) {
        let (begins, begun) = sync_channel(1);
        let desk = Desk {
            journal: Journal::default(),
            folder: folder.to_owned(),
            begins,
            begun: Mutex::new(None),
            here: AtomicUsize::new(0),
            live: Mutex::new(None),
            is_over: AtomicBool::new(false),
            stop: Stop::new(),
        };
        (Arc::new(desk), begun)
    }

    fn begin(version: u32, run: &str) -> Wish {
        Wish::Begin {
            version,
            run: run.to_owned(),
            owner: Owner::default(),
            is_loaded: true,
            through_service: true,
            privileges: Privileges::SeeTheNode,
            changed: None,
            files: vec![GivenFile {
                name: "run/plan.json".to_owned(),
                bytes: 2,
            }],
        }
    }

    /// A terminal that says this first.
    fn terminal(desk: &Arc<Desk>, wish: &Wish, bytes: &[u8]) -> BufReader<TcpStream> {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut there = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        write_line(wish, &mut there).unwrap();
        there.write_all(bytes).unwrap();
        let (here, _) = listener.accept().unwrap();
        let desk = Arc::clone(desk);
        std::thread::spawn(move || desk.talk(&here));
        BufReader::new(there)
    }

    fn note(text: &str) -> Told {
        Told::Note {
            text: text.to_owned(),
        }
    }

    #[test]
    fn one_run_is_taken_over_and_its_terminal_may_come_again() {
        let folder = tempfile::tempdir().unwrap();
        let (desk, begun) = desk(folder.path());
        let mut first = terminal(&desk, &begin(VERSION, "r"), b"{}");
        assert!(matches!(begun.recv().unwrap().way, Way::ThroughService));
        let kept = std::fs::read(folder.path().join("run/plan.json"));
        assert_eq!(kept.unwrap(), b"{}");
        desk.journal.tell(note("one"));
        desk.journal.tell(note("two"));
        assert_eq!(read_line(&mut first).unwrap(), Some(note("one")));
        // It did not hear of its beginning, or came back later.
        let mut again = terminal(&desk, &begin(VERSION, "r"), b"[]");
        assert_eq!(read_line(&mut again).unwrap(), Some(note("one")));
        let mut later = terminal(&desk, &Wish::Resume { from: 1 }, b"");
        assert_eq!(read_line(&mut later).unwrap(), Some(note("two")));
        let kept = std::fs::read(folder.path().join("run/plan.json"));
        assert_eq!(kept.unwrap(), b"{}", "what goes on is not changed");
        // And may end it.
        write_line(&Wish::Stop, later.get_mut()).unwrap();
        write_line(&Wish::Over, later.get_mut()).unwrap();
        assert_eq!(read_line::<Told>(&mut later).unwrap(), None);
        assert!(desk.stop.is_set() && desk.is_over.load(Ordering::SeqCst));
    }

    #[test]
    fn a_terminal_hears_how_far_a_load_is_and_its_number_counts_for_none() {
        let folder = tempfile::tempdir().unwrap();
        let (desk, _begun) = desk(folder.path());
        let mut from = terminal(&desk, &begin(VERSION, "r"), b"{}");
        let control = Control::new();
        control.intended.store(5, Ordering::Relaxed);
        control.answered.store(3, Ordering::Relaxed);
        *desk.live.lock().unwrap() = Some(control);
        let told: Told = read_line(&mut from).unwrap().unwrap();
        let expected = Told::Counts(Counts {
            intended: 5,
            answered: 3,
            failed: 0,
            in_flight: 0,
        });
        assert_eq!(told, expected);
        assert!(!told.is_numbered());
        *desk.live.lock().unwrap() = None;
        desk.journal.tell(Told::PhaseEnded);
        // Counts that were on their way come before.
        while read_line(&mut from).unwrap() != Some(Told::PhaseEnded) {}
    }

    #[test]
    fn another_run_and_another_version_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let (desk, _begun) = desk(folder.path());
        let refused = |wish: &Wish| {
            let mut from = terminal(&desk, wish, b"{}");
            match read_line(&mut from).unwrap() {
                Some(Told::Refused { message }) => message,
                other => panic!("{other:?}"),
            }
        };
        let why = refused(&begin(VERSION + 1, "r"));
        assert!(why.contains("use the same Tacho"), "{why}");
        drop(terminal(&desk, &begin(VERSION, "r"), b"{}"));
        while desk.begun().is_none() {
            sleep(LOOK);
        }
        let why = refused(&begin(VERSION, "other"));
        assert!(why.contains("another run, r"), "{why}");
    }
}
