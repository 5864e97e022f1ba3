//! A server whose truth is known: it answers as a script says, with delays, stalls, and every kind
//! of broken HTTP. Plain threads, one a connection, so that nothing in it is like the engine that
//! it is there to judge.
//!
//! ```
//! use std::time::Duration;
//! use tacho_load::testkit::{Act, TestServer};
//! let server = TestServer::start(|request| match request.number {
//!     0 => vec![Act::Wait(Duration::from_millis(20)), Act::ok("slow")],
//!     _ => vec![Act::ok("fast")],
//! });
//! println!("listening at {}", server.address());
//! ```

mod nobody;
mod wire;

pub use nobody::Nobody;

use crate::{Endpoint, Scripted, Source};
use rustls::ServerConfig;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tacho_workload::{Scenario, Step, Workload};
use wire::{Listener, Wire};

/// What the server does, in order, when it has read a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// Sends these bytes.
    Send(Vec<u8>),
    /// Does nothing for so long.
    Wait(Duration),
    /// Does nothing until so long after the first request of all.
    WaitUntil(Duration),
    /// Closes the connection, with a proper goodbye where TLS has one.
    Close,
    /// Closes the connection without TLS's goodbye, as an attacker on the way would.
    CutOff,
    /// Closes it for sending only, and reads on.
    CloseForSending,
    /// Breaks the connection off with an RST.
    Reset,
    /// Sends these bytes again and again until the client goes away.
    SendForever(Vec<u8>),
}

impl Act {
    /// A whole answer with status 200.
    #[must_use]
    pub fn ok(body: &str) -> Self {
        Self::status(200, body)
    }

    /// A whole answer.
    #[must_use]
    pub fn status(status: u16, body: &str) -> Self {
        Self::raw(&format!(
            "HTTP/1.1 {status} Scripted\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        ))
    }

    /// These bytes, whatever they are.
    #[must_use]
    pub fn raw(bytes: &str) -> Self {
        Self::Send(bytes.as_bytes().to_vec())
    }
}

/// A request as the server saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seen {
    /// Over all connections, from 0.
    pub number: u64,
    /// Number of its connection, from 0.
    pub connection: u64,
    /// Among the requests of its connection, from 0.
    pub on_connection: u64,
    /// Since the first request of all.
    pub at: Duration,
    /// Head, up to the empty line.
    pub head: String,
    /// Body, by Content-Length.
    pub body: Vec<u8>,
}

/// Sends these steps, which are the same each time, one as often as another.
///
/// # Panics
/// When one cannot be sent: a test has nothing to go on with.
#[allow(clippy::expect_used)]
#[must_use]
pub fn source(steps: &[Step], endpoint: &Endpoint) -> Box<dyn Source> {
    let workload = Workload {
        scenarios: steps.iter().cloned().map(Scenario::of).collect(),
        ..Workload::default()
    };
    let source = Scripted::of(&workload, Path::new("."), endpoint, 1);
    Box::new(source.expect("steps that can be sent"))
}

type Script = dyn Fn(&Seen) -> Vec<Act> + Send + Sync;

/// What the threads share.
struct Shared {
    script: Box<Script>,
    stop: AtomicBool,
    connections: AtomicU64,
    ended: AtomicU64,
    requests: AtomicU64,
    first: OnceLock<Instant>,
}

/// Listens until it is dropped; on a free port of 127.0.0.1, unless told otherwise.
pub struct TestServer {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

/// How often a thread that waits looks at the stop flag.
const LOOK: Duration = Duration::from_millis(20);

impl TestServer {
    /// Listens on a free port and answers each request with what the script returns for it.
    ///
    /// # Panics
    /// When it cannot listen: a test has nothing to go on with.
    pub fn start(script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static) -> Self {
        Self::start_at(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)), script)
    }

    /// Listens on a given address, such as that of a server that was dropped.
    ///
    /// # Panics
    /// When it cannot listen: a test has nothing to go on with.
    #[allow(clippy::expect_used)]
    pub fn start_at(
        address: SocketAddr,
        script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind(address).expect("the test server can listen");
        Self::serve(Listener::Tcp(listener), script)
    }

    /// Listens on a free port and speaks TLS.
    ///
    /// # Panics
    /// When it cannot listen: a test has nothing to go on with.
    #[allow(clippy::expect_used)]
    pub fn start_tls(
        config: Arc<ServerConfig>,
        script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = TcpListener::bind(any).expect("the test server can listen");
        Self::serve(Listener::Tls(listener, config), script)
    }

    /// Listens on a Unix socket, which it makes.
    ///
    /// # Panics
    /// When it cannot listen: a test has nothing to go on with.
    #[allow(clippy::expect_used)]
    pub fn start_unix(
        path: &Path,
        script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        let listener = UnixListener::bind(path).expect("the test server can listen");
        Self::serve(Listener::Unix(listener), script)
    }

    #[allow(clippy::expect_used)]
    fn serve(
        listener: Listener,
        script: impl Fn(&Seen) -> Vec<Act> + Send + Sync + 'static,
    ) -> Self {
        listener
            .set_nonblocking()
            .expect("a listener can be made non-blocking");
        let address = listener.address();
        let shared = Arc::new(Shared {
            script: Box::new(script),
            stop: AtomicBool::new(false),
            connections: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            requests: AtomicU64::new(0),
            first: OnceLock::new(),
        });
        let acceptor = std::thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(listener, &shared)
        });
        Self {
            address,
            shared,
            acceptor: Some(acceptor),
        }
    }

    /// Where it listens; nowhere in particular when it is a Unix socket.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Connections accepted so far.
    #[must_use]
    pub fn connections(&self) -> u64 {
        self.shared.connections.load(Ordering::SeqCst)
    }

    /// Connections that are over, whoever ended them: of those the server has closed its end.
    #[must_use]
    pub fn ended(&self) -> u64 {
        self.shared.ended.load(Ordering::SeqCst)
    }

    /// Requests read so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.shared.requests.load(Ordering::SeqCst)
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

fn accept(listener: Listener, shared: &Arc<Shared>) {
    let mut threads = Vec::new();
    while !shared.stop.load(Ordering::SeqCst) {
        match listener.accept() {
            Ok(wire) => {
                let connection = shared.connections.fetch_add(1, Ordering::SeqCst);
                let shared = Arc::clone(shared);
                threads.push(std::thread::spawn(move || {
                    let _ = serve(wire, connection, &shared);
                    shared.ended.fetch_add(1, Ordering::SeqCst);
                }));
            }
            // Short: a connection that waits here must not look like a slow subject.
            Err(_) => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    drop(listener);
    for thread in threads {
        let _ = thread.join();
    }
}

fn serve(mut wire: Wire, connection: u64, shared: &Shared) -> io::Result<()> {
    wire.set_read_timeout(LOOK)?;
    let mut unread = Vec::new();
    let mut on_connection = 0;
    // A server that dies does not wait until its clients have nothing more to say.
    while !shared.stop.load(Ordering::SeqCst)
        && let Some((head, body)) = read_request(&mut wire, &mut unread, shared)?
    {
        let first = *shared.first.get_or_init(Instant::now);
        let seen = Seen {
            number: shared.requests.fetch_add(1, Ordering::SeqCst),
            connection,
            on_connection,
            at: first.elapsed(),
            head,
            body,
        };
        on_connection += 1;
        for act in (shared.script)(&seen) {
            if !perform(&act, &mut wire, first, shared)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// False when the connection is gone.
fn perform(act: &Act, wire: &mut Wire, first: Instant, shared: &Shared) -> io::Result<bool> {
    match act {
        Act::Send(bytes) => wire.write_all(bytes)?,
        Act::Wait(length) => wait_until(Instant::now() + *length, shared),
        Act::WaitUntil(instant) => wait_until(first + *instant, shared),
        Act::Close => {
            wire.say_goodbye();
            return Ok(false);
        }
        Act::CutOff => return Ok(false),
        Act::CloseForSending => wire.close_for_sending()?,
        Act::Reset => {
            // A linger time of zero turns the close into an RST (socket(7)).
            rustix::net::sockopt::set_socket_linger(&*wire, Some(Duration::ZERO))?;
            return Ok(false);
        }
        Act::SendForever(bytes) => {
            wire.set_write_timeout(LOOK)?;
            let mut from = 0;
            while !shared.stop.load(Ordering::SeqCst) {
                match wire.write(&bytes[from..]) {
                    Ok(written) => from = (from + written) % bytes.len(),
                    Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                    Err(e) => return Err(e),
                }
            }
        }
    }
    Ok(true)
}

fn wait_until(end: Instant, shared: &Shared) {
    while !shared.stop.load(Ordering::SeqCst) {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        std::thread::sleep(left.min(LOOK));
    }
}

/// Head and body of the next request; `None` when the client is gone or the server stops.
fn read_request(
    wire: &mut Wire,
    unread: &mut Vec<u8>,
    shared: &Shared,
) -> io::Result<Option<(String, Vec<u8>)>> {
    loop {
        if let Some(end) = unread.windows(4).position(|w| w == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&unread[..end]).into_owned();
            let whole = end + 4 + content_length(&head);
            if unread.len() >= whole {
                let body = unread[end + 4..whole].to_vec();
                unread.drain(..whole);
                return Ok(Some((head, body)));
            }
        }
        let mut buffer = [0; 16 * 1024];
        match wire.read(&mut buffer) {
            Ok(0) => return Ok(None),
            Ok(count) => unread.extend_from_slice(&buffer[..count]),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                if shared.stop.load(Ordering::SeqCst) {
                    return Ok(None);
                }
            }
            Err(e) => return Err(e),
        }
    }
}

fn content_length(head: &str) -> usize {
    head.lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        .and_then(|(_, value)| value.trim().parse().ok())
        .unwrap_or(0)
}
