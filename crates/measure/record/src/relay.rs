//! Carries bytes between clients and a service, both ways, as they come.

use crate::error::RecordError;
use crate::tap::{Lost, Seen, Tap};
use crate::tape::Tape;
use crate::target::{Left, Target};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tacho_masking::Masking;
use url::Url;

/// How soon a wish to end is noticed.
const LOOK: Duration = Duration::from_millis(20);
/// Each has two threads; more wait in the backlog.
const MOST_CONNECTIONS: usize = 512;
const BUFFER: usize = 64 * 1024;
const CONNECTING: Duration = Duration::from_secs(10);
/// Requests that were sent before the end get at most this long to be answered.
const ANSWERING: Duration = Duration::from_secs(10);
/// Answers count as complete when nothing has come back for this long.
const QUIET: Duration = Duration::from_millis(200);

/// What was recorded.
#[derive(Debug, Default)]
pub struct Recorded {
    /// Requests that were written down.
    pub requests: u64,
    /// And those that were not.
    pub lost: BTreeMap<Lost, u64>,
    /// Parts of the written requests that were left out, because they are secret.
    pub left: Left,
    /// Clients that were refused because the service took no connection.
    pub refused: u64,
    /// Why writing ended early, if it did. All bytes were carried nevertheless.
    pub ended: Option<RecordError>,
}

/// Listens for clients.
#[derive(Debug)]
pub struct Relay {
    listener: TcpListener,
    to: SocketAddr,
}

impl Relay {
    /// Listens on the loopback, for a service that is there.
    ///
    /// # Errors
    /// When it is not there, or the address cannot be listened at.
    pub fn bind(listen: SocketAddr, service: &str) -> Result<Self, RecordError> {
        let bad = || RecordError::BadService(service.to_owned());
        let url = Url::parse(service).map_err(|_| bad())?;
        match url.scheme() {
            "http" => {}
            "https" => return Err(RecordError::Tls(service.to_owned())),
            _ => return Err(bad()),
        }
        if !listen.ip().is_loopback() {
            return Err(RecordError::NotLoopback(listen));
        }
        // Bytes are carried as they are, so no path can be put before those of the clients.
        if url.path() != "/" || url.query().is_some() {
            return Err(RecordError::PathOfService(service.to_owned()));
        }
        let host = url.host_str().ok_or_else(bad)?;
        let host = host.trim_start_matches('[').trim_end_matches(']');
        let port = url.port_or_known_default().ok_or_else(bad)?;
        let to = reached(host, port).map_err(|source| RecordError::NoService {
            service: service.to_owned(),
            source,
        })?;
        let listener = TcpListener::bind(listen).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        let listener = listener.map_err(|source| RecordError::Listen {
            address: listen,
            source,
        })?;
        Ok(Self { listener, to })
    }

    /// Where it listens.
    ///
    /// # Errors
    /// When the kernel does not say.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Carries and records until `stop` is set, or so many requests are written down.
    #[must_use]
    pub fn run(
        self,
        tape: Tape,
        masking: Arc<Masking>,
        at_most: Option<u64>,
        stop: &Arc<AtomicBool>,
    ) -> Recorded {
        let shared = Arc::new(Shared {
            masking,
            at_most: at_most.unwrap_or(u64::MAX),
            stop: Arc::clone(stop),
            open: AtomicUsize::new(0),
            asking: AtomicUsize::new(0),
            carried: AtomicUsize::new(0),
            ledger: Mutex::new((tape, Recorded::default())),
        });
        while !shared.is_over() {
            if shared.open.load(Ordering::Relaxed) >= MOST_CONNECTIONS {
                std::thread::sleep(LOOK);
                continue;
            }
            match self.listener.accept() {
                Ok((client, _)) => carry(&shared, client, self.to),
                Err(_) => wait_for_a_client(&self.listener),
            }
        }
        shared.wait_for_answers();
        let mut ledger = shared.ledger();
        std::mem::take(&mut ledger.1)
    }
}

/// At most for as long as a wish to end may go unnoticed: a client waits for nothing.
fn wait_for_a_client(listener: &TcpListener) {
    let mut fds = [PollFd::new(listener, PollFlags::IN)];
    let at_most = Timespec {
        tv_sec: 0,
        tv_nsec: LOOK.subsec_nanos().into(),
    };
    if poll(&mut fds, Some(&at_most)).is_err() {
        std::thread::sleep(LOOK);
    }
}

/// The first address that takes a connection.
fn reached(host: &str, port: u16) -> io::Result<SocketAddr> {
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECTING) {
            Ok(_) => return Ok(address),
            Err(error) => last = error,
        }
    }
    Err(last)
}

struct Shared {
    masking: Arc<Masking>,
    at_most: u64,
    stop: Arc<AtomicBool>,
    open: AtomicUsize,
    /// Connections on which something was asked and nothing has come back yet.
    asking: AtomicUsize,
    /// Pieces that went back.
    carried: AtomicUsize,
    ledger: Mutex<(Tape, Recorded)>,
}

impl Shared {
    fn ledger(&self) -> MutexGuard<'_, (Tape, Recorded)> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        let recorded = &self.ledger().1;
        self.stop.load(Ordering::Relaxed)
            || recorded.requests >= self.at_most
            || recorded.ended.is_some()
    }

    /// Waits for answers to requests that were sent before the end. So no client is cut off in the
    /// middle because enough requests are written down. When the user ends the recording, there is
    /// no such wait.
    fn wait_for_answers(&self) {
        let began = Instant::now();
        let mut carried = self.carried.load(Ordering::Relaxed);
        let mut quiet_since = Instant::now();
        while !self.stop.load(Ordering::Relaxed) && began.elapsed() < ANSWERING {
            let now = self.carried.load(Ordering::Relaxed);
            if now != carried || self.asking.load(Ordering::Acquire) > 0 {
                (carried, quiet_since) = (now, Instant::now());
            }
            if quiet_since.elapsed() >= QUIET {
                return;
            }
            std::thread::sleep(QUIET / 10);
        }
    }

    fn write(&self, seen: Result<Seen, Lost>) {
        let made = seen.and_then(|seen| Target::of(&seen, &self.masking).ok_or(Lost::NoPath));
        let (tape, recorded) = &mut *self.ledger();
        match made {
            Err(lost) => *recorded.lost.entry(lost).or_default() += 1,
            Ok(_) if recorded.requests >= self.at_most || recorded.ended.is_some() => {}
            Ok((target, left)) => match tape.write(&target) {
                Err(error) => recorded.ended = Some(error),
                Ok(()) => {
                    recorded.requests += 1;
                    recorded.left.headers.extend(left.headers);
                    recorded.left.is_masked |= left.is_masked;
                }
            },
        }
    }
}

/// Serves one client with two threads: one carries its bytes to the service, one carries them back.
fn carry(shared: &Arc<Shared>, client: TcpStream, to: SocketAddr) {
    let connected = TcpStream::connect_timeout(&to, CONNECTING).and_then(|service| {
        for stream in [&client, &service] {
            stream.set_nonblocking(false)?;
            stream.set_nodelay(true)?;
        }
        Ok((service.try_clone()?, client.try_clone()?, service))
    });
    let Ok((service, client_too, service_too)) = connected else {
        shared.ledger().1.refused += 1;
        return;
    };
    shared.open.fetch_add(1, Ordering::Relaxed);
    let asks = Arc::new(Asks::default());
    let (there, asked) = (Arc::clone(shared), Arc::clone(&asks));
    let forth = std::thread::Builder::new().spawn(move || {
        let mut tap = Tap::default();
        let asking = || asked.begin(&there.asking);
        pump(client, service, asking, |bytes| {
            for seen in tap.read(bytes) {
                there.write(seen);
            }
        });
    });
    let here = Arc::clone(shared);
    let back = std::thread::Builder::new().spawn(move || {
        pump(
            service_too,
            client_too,
            || {},
            |_| {
                asks.end(&here.asking);
                here.carried.fetch_add(1, Ordering::Relaxed);
            },
        );
        if let Ok(forth) = forth {
            let _ = forth.join();
        }
        asks.end(&here.asking);
        here.open.fetch_sub(1, Ordering::Relaxed);
    });
    if back.is_err() {
        shared.open.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Whether something was asked on a connection of which nothing has come back.
#[derive(Debug, Default)]
struct Asks(AtomicBool);

impl Asks {
    fn begin(&self, all: &AtomicUsize) {
        if !self.0.swap(true, Ordering::AcqRel) {
            all.fetch_add(1, Ordering::AcqRel);
        }
    }

    fn end(&self, all: &AtomicUsize) {
        if self.0.swap(false, Ordering::AcqRel) {
            all.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Carries bytes one way, until the sender ends or the receiver takes no more.
fn pump(
    mut from: TcpStream,
    mut to: TcpStream,
    before: impl Fn(),
    mut read_along: impl FnMut(&[u8]),
) {
    let mut buffer = vec![0; BUFFER];
    loop {
        let length = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let bytes = buffer.get(..length).unwrap_or_default();
        before();
        // Forward first, then record, so that recording delays nobody.
        if to.write_all(bytes).is_err() {
            break;
        }
        read_along(bytes);
    }
    let _ = to.shutdown(Shutdown::Write);
    let _ = from.shutdown(Shutdown::Read);
}
