//! Whether a service accepts connections. A sidecar starts beside its service, not after it, and
//! the service may be restarted without it.

use crate::stop::Stop;
use std::io::{ErrorKind, Read};
use std::net::{TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};
use tacho_load::{Address, Endpoint};

/// Between two looks.
const PAUSE: Duration = Duration::from_millis(50);
/// For one connection: an address that swallows everything must not keep a signal waiting.
const ATTEMPT: Duration = Duration::from_secs(1);
/// After this time the caller is told what is waited for.
const SILENT: Duration = Duration::from_secs(2);
/// How long one connection is held. A server that ends only when all its connections are closed
/// waits no longer than this. A `tcpSocket` probe connects as often (`periodSeconds`, 10 by
/// default).
const HELD: Duration = Duration::from_secs(10);

/// Waits until somebody accepts a connection; the last reason why not, when nobody did in time. Who
/// waits longer is told why, once.
pub fn wait(
    endpoint: &Endpoint,
    patience: Duration,
    stop: &Stop,
    tell: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let began = Instant::now();
    let mut is_told = false;
    loop {
        let left = patience.saturating_sub(began.elapsed());
        match Connection::to(&endpoint.address, left.clamp(PAUSE, ATTEMPT)) {
            Ok(_) => return Ok(()),
            Err(why) if left.is_zero() || stop.is_set() => {
                return Err(format!(
                    "nobody accepted a connection at {} within {} s: {why}",
                    endpoint.authority,
                    patience.as_secs_f64()
                ));
            }
            Err(why) => {
                if !is_told && began.elapsed() >= SILENT {
                    is_told = true;
                    tell(&why.to_string());
                }
                stop.sleep(PAUSE.min(left));
            }
        }
    }
}

/// Waits as long as it takes until somebody accepts a connection; whether somebody did before the
/// stop.
pub fn arrives(address: &Address, stop: &Stop) -> bool {
    while !stop.is_set() {
        if Connection::to(address, ATTEMPT).is_ok() {
            return true;
        }
        stop.sleep(PAUSE);
    }
    false
}

/// Waits until nobody listens any more. True when that came before the stop.
///
/// An idle connection is held. When the process ends, the kernel closes it at once; looks from time
/// to time could miss a restart between two of them. A connection that is closed proves nothing,
/// since servers close idle ones. A connection that is refused proves that nobody listens. An
/// address that does not answer in time belongs to a service that is busy.
pub fn goes(address: &Address, stop: &Stop) -> bool {
    let mut held = None;
    while !stop.is_set() {
        let began = Instant::now();
        match Connection::to(address, ATTEMPT) {
            // The connection before is dropped only now, so that there is always one that the
            // kernel would close.
            Ok(connection) => held.insert(connection).until_closed(stop),
            Err(why) if is_absence(why.kind()) => return true,
            Err(_) => {}
        }
        // After a connection that lasted, the next look follows at once. A server that closes each
        // connection at once must not be flooded.
        if began.elapsed() < PAUSE {
            stop.sleep(PAUSE);
        }
    }
    false
}

/// Nobody listens there; everything else may be a service with too much to do.
fn is_absence(kind: ErrorKind) -> bool {
    // Of a socket file that was removed: not found.
    matches!(kind, ErrorKind::ConnectionRefused | ErrorKind::NotFound)
}

enum Connection {
    Tcp(TcpStream),
    Unix(UnixStream),
}

impl Connection {
    fn to(address: &Address, patience: Duration) -> std::io::Result<Self> {
        match address {
            Address::Ip(address) => TcpStream::connect_timeout(address, patience).map(Self::Tcp),
            Address::Name { host, port } => {
                let mut result = Err(ErrorKind::AddrNotAvailable.into());
                for address in (host.as_str(), *port).to_socket_addrs()? {
                    result = TcpStream::connect_timeout(&address, patience).map(Self::Tcp);
                    if result.is_ok() {
                        break;
                    }
                }
                result
            }
            Address::Unix(path) => UnixStream::connect(path).map(Self::Unix),
        }
    }

    /// Until the other side closes it, it was held long enough, or the stop.
    fn until_closed(&mut self, stop: &Stop) {
        let began = Instant::now();
        while began.elapsed() < HELD && !stop.is_set() {
            match self.read_for(2 * PAUSE) {
                // A server that speaks first is there.
                Ok(read) if read > 0 => {}
                Err(why) if is_silence(why.kind()) => {}
                Ok(_) | Err(_) => return,
            }
        }
    }

    fn read_for(&mut self, patience: Duration) -> std::io::Result<usize> {
        let mut piece = [0; 1024];
        match self {
            Self::Tcp(stream) => {
                stream.set_read_timeout(Some(patience))?;
                stream.read(&mut piece)
            }
            Self::Unix(stream) => {
                stream.set_read_timeout(Some(patience))?;
                stream.read(&mut piece)
            }
        }
    }
}

fn is_silence(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{Ipv4Addr, TcpListener};
    use std::os::unix::net::UnixListener;
    use std::sync::mpsc::{Receiver, channel};

    fn listener() -> (TcpListener, Address) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = Address::Ip(listener.local_addr().unwrap());
        (listener, address)
    }

    /// What `goes` says, when it says it.
    fn watched(address: Address, stop: &Stop) -> Receiver<bool> {
        let (tell, told) = channel();
        let stop = stop.clone();
        std::thread::spawn(move || tell.send(goes(&address, &stop)));
        told
    }

    #[test]
    fn who_closes_idle_connections_is_there_until_nobody_listens() {
        let (listener, address) = listener();
        let told = watched(address, &Stop::new());
        for _ in 0..5 {
            drop(listener.accept().unwrap());
        }
        let held = listener.accept().unwrap();
        assert!(told.try_recv().is_err());
        drop(listener);
        drop(held);
        assert!(told.recv().unwrap());
    }

    #[test]
    fn who_is_too_busy_to_take_a_connection_is_there() {
        let (_listener, address) = listener();
        let mut queued = Vec::new();
        // Nobody accepts: the kernel does until its queue is full, and is silent then.
        let refusal = loop {
            match Connection::to(&address, 2 * PAUSE) {
                Ok(connection) => queued.push(connection),
                Err(why) => break why,
            }
        };
        assert!(!is_absence(refusal.kind()), "{refusal}");
    }

    #[test]
    fn a_stop_ends_the_watch_of_one_who_stays() {
        let (listener, address) = listener();
        let stop = Stop::new();
        let told = watched(address, &stop);
        let _held = listener.accept().unwrap();
        stop.set();
        assert!(!told.recv().unwrap());
    }

    #[test]
    fn a_socket_file_without_a_listener_and_none_at_all_are_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("service.sock");
        assert!(goes(&Address::Unix(path.clone()), &Stop::new()));
        drop(UnixListener::bind(&path).unwrap());
        assert!(goes(&Address::Unix(path), &Stop::new()));
    }

    #[test]
    fn somebody_arrives_or_the_wait_is_ended() {
        let (listener, address) = listener();
        assert!(arrives(&address, &Stop::new()));
        drop(listener);
        let stop = Stop::new();
        stop.set();
        assert!(!arrives(&address, &stop));
    }
}
