//! A readiness path that answers 200 once the service is warm.
//!
//! It answers probes (`httpGet` of Kubernetes, health checks of load balancers): one request a
//! connection, any number at a time. A client that sends slowly does not delay the others. Whoever
//! reaches the port learns whether the service is ready, and nothing else.

mod connection;

use connection::{Connection, Connections};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

/// From accepting a connection to the end of its answer. A probe that takes longer has given up
/// (Kubernetes: `timeoutSeconds`, 1 unless said).
const PATIENCE: Duration = Duration::from_secs(5);
/// A probe's head is a few hundred bytes.
const LONGEST_HEAD: usize = 8 << 10;

/// What the gate says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// Still warming: the gate answers 503.
    Warming = 0,
    /// Traffic may come.
    Ready = 1,
    /// The service could not be warmed.
    Failed = 2,
}

impl State {
    fn of(number: u8) -> Self {
        match number {
            1 => Self::Ready,
            2 => Self::Failed,
            _ => Self::Warming,
        }
    }

    fn status(self) -> &'static str {
        match self {
            Self::Ready => "200 OK",
            Self::Warming | Self::Failed => "503 Service Unavailable",
        }
    }

    fn body(self) -> &'static str {
        match self {
            Self::Warming => r#"{"ready":false,"state":"warming"}"#,
            Self::Ready => r#"{"ready":true,"state":"ready"}"#,
            Self::Failed => r#"{"ready":false,"state":"failed"}"#,
        }
    }
}

/// Where the gate is: `:9000` (of this machine alone), `0.0.0.0:9000`, `127.0.0.1:9000/warm`,
/// `[::1]:9000`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateAddress {
    address: SocketAddr,
    path: String,
    only_port: bool,
}

impl GateAddress {
    /// Whether no address was given, so that only this machine can ask. The user is told, because a
    /// kubelet asks at the address of the pod.
    #[must_use]
    pub fn is_of_this_machine_by_default(&self) -> bool {
        self.only_port
    }
}

impl FromStr for GateAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (address, path) = match text.find('/') {
            Some(slash) => text.split_at(slash),
            None => (text, "/ready"),
        };
        // The gate is open to other machines only when an address is given.
        let loopback = address
            .strip_prefix(':')
            .map(|port| format!("127.0.0.1:{port}"));
        let address = loopback.as_deref().unwrap_or(address).parse().map_err(|_| {
            "expected ADDRESS:PORT, with a path unless it is /ready, such as :9000 (asked from this machine alone), or 0.0.0.0:9000/warm (from everywhere, as a kubelet does)".to_owned()
        })?;
        Ok(Self {
            address,
            // That of a probe is left out as well.
            path: without_query(path).to_owned(),
            only_port: loopback.is_some(),
        })
    }
}

/// The gate could not be opened.
#[derive(Debug, thiserror::Error)]
#[error("the readiness gate cannot listen at {address}: {source}; give --gate another port")]
pub struct GateError {
    address: SocketAddr,
    source: io::Error,
}

/// Answers probes until the program ends.
#[derive(Debug)]
pub struct Gate {
    state: Arc<AtomicU8>,
    address: SocketAddr,
}

impl Gate {
    /// Begins to answer, with 503.
    ///
    /// # Errors
    /// When nobody can listen there.
    pub fn open(at: &GateAddress) -> Result<Self, GateError> {
        Self::open_with(at, PATIENCE)
    }

    fn open_with(at: &GateAddress, patience: Duration) -> Result<Self, GateError> {
        let failed = |source| GateError {
            address: at.address,
            source,
        };
        let listener = TcpListener::bind(at.address).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let state = Arc::new(AtomicU8::new(State::Warming as u8));
        let (shown, path): (_, Arc<str>) = (Arc::clone(&state), at.path.as_str().into());
        std::thread::Builder::new()
            .name("tacho-gate".to_owned())
            .spawn(move || answer_all(&listener, &shown, &path, patience))
            .map_err(failed)?;
        Ok(Self { state, address })
    }

    /// Sets the answer that it gives from now on.
    pub fn say(&self, state: State) {
        self.state.store(state as u8, Ordering::SeqCst);
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

fn answer_all(listener: &TcpListener, state: &Arc<AtomicU8>, path: &Arc<str>, patience: Duration) {
    let open = Connections::default();
    for stream in listener.incoming() {
        let Ok(stream) = stream else {
            // For example out of descriptors: make room for the next probe.
            open.make_room();
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        let connection = open.take_in(stream, patience);
        let (state, path) = (Arc::clone(state), Arc::clone(path));
        // Without a thread this probe fails; the next one comes soon.
        let _ = std::thread::Builder::new().spawn(move || answer(connection, &state, &path));
    }
}

fn answer(mut stream: Connection, state: &AtomicU8, path: &str) -> io::Result<()> {
    let asked = asked(&mut stream)?;
    // Read as late as possible: the state may have changed while the head came.
    let state = State::of(state.load(Ordering::SeqCst));
    let (status, body) = match &asked {
        None => (
            "400 Bad Request",
            r#"{"error":"this is no GET or HEAD request of HTTP"}"#,
        ),
        Some(asked) if asked.path == path => (state.status(), state.body()),
        Some(_) => (
            "404 Not Found",
            r#"{"error":"the readiness gate has one path only"}"#,
        ),
    };
    // An answer to HEAD ends with its head (RFC 9110, 9.3.2), which says how long a body would be.
    let shown = match asked.is_some_and(|asked| asked.is_of_head_only) {
        true => "",
        false => body,
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n{shown}",
        body.len()
    )?;
    end(&mut stream)
}

/// Reads what the client still sends. Closing a connection with unread bytes resets it, and the
/// answer may be lost (RFC 9112, 9.6).
fn end(stream: &mut Connection) -> io::Result<()> {
    stream.end_writing()?;
    let mut piece = [0; 1024];
    for _ in 0..LONGEST_HEAD / piece.len() {
        if stream.read(&mut piece)? == 0 {
            break;
        }
    }
    Ok(())
}

/// A GET or HEAD request.
struct Asked {
    /// Without its query.
    path: String,
    is_of_head_only: bool,
}

/// The path of a GET or HEAD request, without its query; `None` for any other request.
#[doc(hidden)]
pub fn asked_path(stream: &mut impl Read) -> io::Result<Option<String>> {
    Ok(asked(stream)?.map(|asked| asked.path))
}

/// `None` for any other request than GET and HEAD.
fn asked(stream: &mut impl Read) -> io::Result<Option<Asked>> {
    let mut head = Vec::new();
    let mut piece = [0; 1024];
    loop {
        let mut headers = [httparse::EMPTY_HEADER; 64];
        let mut request = httparse::Request::new(&mut headers);
        match request.parse(&head) {
            Ok(httparse::Status::Complete(_)) => {
                let is_probe = matches!(request.method, Some("GET" | "HEAD"));
                let path = request.path.filter(|_| is_probe);
                return Ok(path.map(|path| Asked {
                    path: path_of(path).to_owned(),
                    is_of_head_only: request.method == Some("HEAD"),
                }));
            }
            Ok(httparse::Status::Partial) if head.len() < LONGEST_HEAD => {}
            Ok(httparse::Status::Partial) | Err(_) => return Ok(None),
        }
        match stream.read(&mut piece)? {
            0 => return Ok(None),
            read => head.extend_from_slice(&piece[..read]),
        }
    }
}

/// The path of a request's target. Who asks through a proxy sends a whole URL, which every server
/// has to accept (RFC 9112, section 3.2.2).
fn path_of(target: &str) -> &str {
    let scheme = target
        .split_once("://")
        .filter(|(scheme, _)| !scheme.contains('/'));
    let Some((_, behind)) = scheme else {
        return without_query(target);
    };
    let behind = without_query(behind);
    behind.find('/').map_or("/", |at| &behind[at..])
}

fn without_query(path: &str) -> &str {
    path.split_once('?').map_or(path, |(path, _)| path)
}

#[cfg(test)]
mod tests {
    use super::connection::MOST_AT_A_TIME;
    use super::*;
    use std::net::TcpStream;
    use std::time::Instant;

    /// So patient that nobody is given up, however late the scheduler lets anybody go on.
    fn gate(path: &str) -> Gate {
        let at = format!("127.0.0.1:0{path}").parse().unwrap();
        Gate::open_with(&at, Duration::from_secs(600)).unwrap()
    }

    fn connect(gate: &Gate) -> TcpStream {
        let stream = TcpStream::connect(gate.address()).unwrap();
        let much_less_than_its_patience = Duration::from_secs(60);
        stream
            .set_read_timeout(Some(much_less_than_its_patience))
            .unwrap();
        stream
    }

    fn ask(gate: &Gate, request: &str) -> String {
        let mut stream = connect(gate);
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    fn status(gate: &Gate, path: &str) -> String {
        let answer = ask(gate, &format!("GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"));
        answer[9..12].to_owned()
    }

    #[test]
    fn it_is_ready_when_it_is_told_so() {
        let gate = gate("");
        assert_eq!(status(&gate, "/ready"), "503");
        gate.say(State::Ready);
        assert_eq!(status(&gate, "/ready?verbose=1"), "200");
        gate.say(State::Failed);
        assert_eq!(status(&gate, "/ready"), "503");
        assert_eq!(status(&gate, "/"), "404");
    }

    #[test]
    fn a_path_of_ones_own_and_a_probe_that_is_none() {
        let gate = gate("/warm");
        assert_eq!(status(&gate, "/warm"), "503");
        assert!(ask(&gate, "POST /warm HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 400"));
        assert!(ask(&gate, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400"));
        let long = "GET / HTTP/1.1\r\nA: ".to_owned() + &"a".repeat(9_000);
        assert!(ask(&gate, &long).starts_with("HTTP/1.1 400"));
    }

    #[test]
    fn a_whole_url_is_its_path() {
        for (target, path) in [
            ("/warm", "/warm"),
            ("/warm?next=http://b/other", "/warm"),
            ("http://a:9000/warm?now", "/warm"),
            ("HTTP://a/warm", "/warm"),
            ("http://a", "/"),
            ("http://a?q=/warm", "/"),
            ("/http://a/warm", "/http://a/warm"),
            ("://", "/"),
        ] {
            assert_eq!(path_of(target), path, "{target}");
        }
        let gate = gate("/warm");
        assert_eq!(status(&gate, "http://a/warm"), "503");
    }

    #[test]
    fn an_answer_to_head_has_no_body() {
        let gate = gate("");
        gate.say(State::Ready);
        let get = ask(&gate, "GET /ready HTTP/1.1\r\n\r\n");
        let head = ask(&gate, "HEAD /ready HTTP/1.1\r\n\r\n");
        assert_eq!(get, head.clone() + State::Ready.body());
        assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    }

    #[test]
    fn who_says_nothing_keeps_nobody_waiting() {
        let gate = gate("");
        let silent: Vec<_> = (0..MOST_AT_A_TIME / 2).map(|_| connect(&gate)).collect();
        assert_eq!(status(&gate, "/ready"), "503");
        // All of them were there before, and none was sent away to make that possible.
        for mut stream in silent {
            stream.set_nonblocking(true).unwrap();
            let nothing = stream.read(&mut [0]).unwrap_err();
            assert_eq!(nothing.kind(), io::ErrorKind::WouldBlock);
        }
    }

    #[test]
    fn two_hundred_that_hold_their_places_shut_no_probe_out() {
        let gate = gate("");
        gate.say(State::Ready);
        let slow: Vec<TcpStream> = (0..200)
            .map(|_| {
                let mut stream = connect(&gate);
                stream.write_all(b"GET /ready HT").unwrap();
                stream
            })
            .collect();
        for _ in 0..10 {
            assert_eq!(status(&gate, "/ready"), "200");
        }
        // The oldest made room: its connection ends without an answer.
        match (&slow[0]).read(&mut [0; 64]) {
            Ok(0) => {}
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {}
            held => panic!("{held:?}"),
        }
    }

    #[test]
    fn bytes_that_come_one_by_one_do_not_make_a_connection_last() {
        let at = "127.0.0.1:0".parse().unwrap();
        let gate = Gate::open_with(&at, Duration::from_millis(300)).unwrap();
        let mut stream = TcpStream::connect(gate.address()).unwrap();
        stream.set_nonblocking(true).unwrap();
        let given_up = Instant::now() + Duration::from_secs(60);
        // A byte long before each read has waited for too long.
        loop {
            let _ = stream.write(b"a");
            match stream.read(&mut [0; 64]) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Ok(_) | Err(_) => break,
            }
            assert!(Instant::now() < given_up, "it is still held open");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn addresses_are_read_or_refused_with_an_example() {
        let read = |text: &str| text.parse::<GateAddress>();
        let gate = read(":9000").unwrap();
        assert_eq!(
            (gate.address, gate.path.as_str()),
            (([127, 0, 0, 1], 9000).into(), "/ready")
        );
        let all = read("0.0.0.0:9000").unwrap();
        assert_eq!(all.address, ([0, 0, 0, 0], 9000).into());
        assert!(!all.is_of_this_machine_by_default());
        assert_eq!(read("[::1]:80/warm").unwrap().path, "/warm");
        // A path with a query would be asked for in vain, since that of a probe is left out.
        assert_eq!(read(":80/warm?of=me").unwrap().path, "/warm");
        assert!(read("9000").unwrap_err().contains("such as"));
        assert!(read(":0x").is_err());
    }
}
